"""Prove that no class of a remembered signature has a reduced cost below a tolerance.

Such a class has one *slot* for each value of its signature. A slot holds a row that requires the signature, a new row
of the value, or a counterfeit, which has no place and pays a price; at least one slot holds a row that requires it.
For each slot in turn the search supposes that this one does. Then every slot chooses alone: with
v_i(c) = |a_i - c|^2 - dual_i, a class whose centroid is within h of c has a reduced cost of at least the sum of
v_i(c) - h^2 over its rows, plus its counterfeits' prices. A box of centres is done when the least choices sum to
enough; where few classes remain below, each is priced exactly; else the box is halved.
"""

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray, IntArray
from minv_verifiers.certificate.pricing import Proof, halves
from minv_verifiers.certificate.problem import Cluster

_NODES = 200  # classes of one box that are priced one by one before it is halved instead
_LEAST_WIDTH = 1e-9  # of a box, relative to the points' extent: below, rounding decides


@dataclass(frozen=True, eq=False)
class Rows:
    """What the classes of all signatures are made of.

    Attributes
    ----------
    points, colours, duals
        (r, d), (r,) and (r,).
    required
        (r,) index of the signature that a row requires, or -1.
    price
        Of a counterfeit; infinite where there may be none.
    """

    points: FloatArray
    colours: IntArray
    duals: FloatArray
    required: IntArray
    price: float


def prove_signature(
    rows: Rows, index: int, signature: Sequence[int], tolerance: float, *, deadline: float = math.inf
) -> Proof:
    """Prove that every class of one signature has a reduced cost of at least -tolerance, or find one that has not.

    Parameters
    ----------
    index, signature
        Number and colours of the signature.
    tolerance
        0 or more.
    deadline
        Of the monotonic clock.
    """
    requiring = rows.required == index
    slots = [np.flatnonzero((requiring | (rows.required < 0)) & (rows.colours == c)) for c in signature]
    boxes = 0
    for place, slot in enumerate(slots):
        chosen = list(slots)
        chosen[place] = slot[requiring[slot]]
        if not len(chosen[place]):
            continue
        prices = np.full(len(slots), rows.price)
        prices[place] = np.inf
        if any(not len(one) and not math.isfinite(price) for one, price in zip(chosen, prices, strict=True)):
            continue
        proof = _Search(rows, chosen, prices, tolerance).run(deadline)
        boxes += proof.boxes
        if not proof.holds:
            return Proof(proof.counterexample, proof.complete, boxes)
    return Proof(None, True, boxes)


class _Search:
    def __init__(self, rows: Rows, slots: list[IntArray], prices: FloatArray, tolerance: float) -> None:
        self._rows = rows
        self._slots = slots
        self._prices = prices
        self._tolerance = tolerance
        self._priced: set[tuple[int, ...]] = set()

    def run(self, deadline: float) -> Proof:
        """Search depth first."""
        points = self._rows.points[np.concatenate(self._slots)]
        low, high = points.min(axis=0), points.max(axis=0)
        smallest = _LEAST_WIDTH * max(float((high - low).max()), 1.0)
        waiting = [(low, high, self._slots)]
        boxes = 0
        while waiting:
            if time.monotonic() > deadline:
                return Proof(None, False, boxes)
            low, high, slots = waiting.pop()
            boxes += 1
            values = self._values((low + high) / 2, float(((high - low) ** 2).sum()) / 4, slots)
            least = [
                min(float(value.min(initial=np.inf)), price)
                for value, price in zip(values, self._prices.tolist(), strict=True)
            ]
            total = math.fsum(least)
            if not total < -self._tolerance:
                continue
            keep = [value - own + total < -self._tolerance for value, own in zip(values, least, strict=True)]
            slots = [slot[kept] for slot, kept in zip(slots, keep, strict=True)]
            counterfeit = self._prices - np.array(least) + total < -self._tolerance
            if math.prod(len(slot) + 1 for slot in slots) <= _NODES:
                found = self._price_all(slots, counterfeit)
                if found is not None:
                    return Proof(found, True, boxes)
                continue
            if float((high - low).max()) < smallest:
                return Proof(None, False, boxes)
            waiting += [(*half, slots) for half in halves(low, high)]
        return Proof(None, True, boxes)

    def _values(self, centre: FloatArray, reach: float, slots: list[IntArray]) -> list[FloatArray]:
        rows = self._rows
        return [((rows.points[slot] - centre) ** 2).sum(axis=1) - rows.duals[slot] - reach for slot in slots]

    def _price_all(self, slots: list[IntArray], counterfeit: BoolArray) -> Cluster | None:
        """Price every class that the slots can form."""
        choices = [
            [*slot.tolist(), *([None] if may else [])] for slot, may in zip(slots, counterfeit, strict=True)
        ]
        for choice in itertools.product(*choices):
            members = tuple(sorted(row for row in choice if row is not None))
            if members in self._priced:
                continue
            cost = self._reduced_cost(members, len(choice) - len(members))
            if cost < -self._tolerance:
                return Cluster(members, cost)
            self._priced.add(members)
        return None

    def _reduced_cost(self, members: tuple[int, ...], counterfeits: int) -> float:
        """Return the reduced cost of one class, from its definition."""
        points = self._rows.points[list(members)]
        deviations = points - points.mean(axis=0)
        squares = float(np.einsum("ij,ij->", deviations, deviations))
        paid = counterfeits * self._rows.price if counterfeits else 0.0
        return squares - float(self._rows.duals[list(members)].sum()) + paid
