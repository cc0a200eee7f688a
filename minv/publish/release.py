"""From the history and a table to one partition problem, and from its solution to a release."""

import hashlib
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from minv.compiled import IntArray
from minv.encoding import encode
from minv.errors import DataError, InfeasibleError
from minv.instance import FREE, Instance
from minv.numerals import rewritten_numerals
from minv.publish.disjoint import settle_disjoint
from minv.series.contents import NO_CLASS, Assignment, Status
from minv.series.folder import State
from minv.series.history import Signature, sorted_signature
from minv.series.settings import Model, OnUpdate, Settings
from minv.tables.microdata import Microdata
from minv.tables.quoting import quoting
from minv.wording import counted


@dataclass(frozen=True, eq=False)
class ReleasePlan:
    """One release as a problem of the core model.

    Attributes
    ----------
    microdata
        All n rows of the table, in an order that depends on the persons and the series' key alone.
    order
        (n,) place of each of them among the rows that were read.
    rows
        (p,) the rows that take part: point i of the instance is row rows[i].
    instance
        The problem.
    colours
        What each colour of the instance means, the whole domain; None is a missing value.
    suppressed
        Rows left out, since their new value lies outside their remembered signature.
    remembered
        Number of persons in the table that were published before.
    disjoint
        Number of points that need a signature disjoint from all earlier ones of the person.
    """

    microdata: Microdata
    order: IntArray
    rows: IntArray
    instance: Instance
    colours: tuple[str | None, ...]
    suppressed: IntArray
    remembered: int
    disjoint: int

    @property
    def kept(self) -> int:
        """Number of points with a required signature."""
        assert self.instance.required is not None
        return int(np.count_nonzero(self.instance.required != FREE))

    @property
    def colour_counts(self) -> IntArray:
        """How often each colour occurs among the points."""
        return np.bincount(self.instance.colours, minlength=len(self.colours))

    def without(self, points: IntArray) -> "ReleasePlan":
        """Return the plan without some points; the others are encoded anew, as the loss is defined."""
        kept = np.setdiff1d(np.arange(self.instance.size), points)
        assert self.instance.required is not None
        instance = replace(
            self.instance,
            points=encode(self.microdata.take(self.rows[kept]).attributes),
            colours=self.instance.colours[kept],
            required=self.instance.required[kept],
        )
        return replace(self, rows=self.rows[kept], instance=instance)

    def assignment(
        self, labels: IntArray, counterfeits: Iterable[tuple[int, int]], deleted: IntArray
    ) -> Assignment:
        """Return who is in which class.

        Parameters
        ----------
        labels
            (p,) class of each point, 0..K-1, or NO_CLASS for a deleted one.
        counterfeits
            Class and colour of each counterfeit.
        deleted
            Points that are left out.
        """
        row_labels = np.full(self.microdata.size, NO_CLASS, dtype=np.int64)
        row_labels[self.rows] = labels
        listed = sorted(counterfeits)
        unpublished = dict.fromkeys(self.suppressed.tolist(), Status.SUPPRESSED)
        unpublished |= dict.fromkeys(self.rows[deleted].tolist(), Status.DELETED)
        return Assignment(
            microdata=self.microdata,
            labels=row_labels,
            unpublished=unpublished,
            counterfeit_labels=np.array([label for label, _ in listed], dtype=np.int64),
            counterfeit_values=tuple(self.colours[colour] for _, colour in listed),
        )


def plan_release(state: State, microdata: Microdata) -> ReleasePlan:
    """Turn a table into the problem of the next release.

    A person who was published before keeps a remembered signature that contains the present value. Where
    none does, the person is left out or needs a class disjoint from all earlier signatures, as the series'
    policy says.

    Parameters
    ----------
    state
        Of the series before the release.
    microdata
        The whole table, with ids.

    Raises
    ------
    DataError
        A person returns though the model forbids it, or ids are written in another way than before.
    InfeasibleError
        An update outside the signature would be given away, since too few values remain; or there are not
        enough new persons for a disjoint signature.
    """
    order = _keyed_order(_persons(microdata), state.key)
    microdata = microdata.take(order)
    persons = _persons(microdata)
    remembered = state.history.signatures_of(persons)
    _check_spelling(state, microdata, remembered)
    _check_returns(state, persons, remembered)
    values = microdata.sensitive_texts().tolist()
    required = [_keeping(remembered.get(p, ()), value) for p, value in zip(persons, values, strict=True)]
    outside = [row for row, p in enumerate(persons) if p in remembered and required[row] is None]
    _check_domain(state, [remembered[persons[row]] for row in outside])
    suppress = state.settings.on_update is OnUpdate.SUPPRESS
    suppressed = np.array(outside if suppress else [], dtype=np.int64)
    rows = np.setdiff1d(np.arange(microdata.size), suppressed)
    barred = {row: _values(remembered[persons[row]]) for row in ([] if suppress else outside)}
    coding = _Coding.of(
        [*microdata.sensitive_values, *state.settings.domain, *_values(state.history.signatures)]
    )
    point_of = {int(row): point for point, row in enumerate(rows)}
    instance = _instance(state.settings, microdata.take(rows), [required[row] for row in rows], coding)
    return ReleasePlan(
        microdata=microdata,
        order=order,
        rows=rows,
        instance=settle_disjoint(
            instance, {point_of[row]: frozenset(coding.codes(found)) for row, found in barred.items()}
        ),
        colours=coding.colours,
        suppressed=suppressed,
        remembered=len(remembered),
        disjoint=len(barred),
    )


@dataclass(frozen=True, slots=True)
class _Coding:
    """Colours for sensitive values, in the order of code points."""

    colours: tuple[str | None, ...]
    code: Mapping[str | None, int]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "_Coding":
        colours = sorted_signature(set(values))
        return cls(colours, {value: code for code, value in enumerate(colours)})

    def codes(self, values: Iterable[str | None]) -> tuple[int, ...]:
        return tuple(sorted(self.code[value] for value in values))


def _instance(
    settings: Settings, part: Microdata, required: Sequence[Signature | None], coding: _Coding
) -> Instance:
    signatures = sorted({coding.codes(signature) for signature in required if signature is not None})
    place_of: dict[tuple[int, ...], int] = {signature: place for place, signature in enumerate(signatures)}
    places = [FREE if signature is None else place_of[coding.codes(signature)] for signature in required]
    return Instance(
        points=encode(part.attributes),
        colours=np.array([coding.code[text] for text in part.sensitive_texts().tolist()], dtype=np.int64),
        m=settings.m,
        max_size=settings.max_class_size or 0,
        required=np.array(places, dtype=np.int64),
        signatures=tuple(signatures),
    )


def _persons(microdata: Microdata) -> list[str]:
    assert microdata.ids is not None
    persons: list[str] = microdata.ids.tolist()
    return persons


def _values(signatures: Iterable[Iterable[str | None]]) -> set[str | None]:
    return {value for signature in signatures for value in signature}


def _keyed_order(persons: Sequence[str], key: bytes) -> IntArray:
    """Return an order of the rows that only the holder of the key can tell, whatever order they came in."""
    digests = [hashlib.blake2b(person.encode(), key=key, digest_size=16).digest() for person in persons]
    return np.array(sorted(range(len(persons)), key=digests.__getitem__), dtype=np.int64)


def release_seed(state: State, seed: int) -> int:
    """Return the engine's seed for the next release, made of the user's and the series' key."""
    text = f"{state.next_release} {seed}".encode()
    return int.from_bytes(hashlib.blake2b(text, key=state.key, digest_size=8).digest(), "big") >> 1


def _check_spelling(state: State, microdata: Microdata, remembered: Container[str]) -> None:
    """Refuse persons or values that are known already but written as another number."""
    settings = state.settings
    new = [person for person in _persons(microdata) if person not in remembered]
    rewritten = rewritten_numerals([*state.history.ids.tolist(), *new]) if new else []
    if rewritten:
        error = DataError(
            f"id column {settings.id_column!r}: "
            f"{counted(len(rewritten), 'id is a number', 'ids are numbers')} that earlier releases wrote in "
            "another way (such as leading zeros); write every id as before"
        )
        raise quoting(error, rewritten)
    known = _values(state.history.signatures).union(microdata.sensitive_values, settings.domain)
    rewritten = rewritten_numerals(value for value in known if value is not None)
    if rewritten:
        error = DataError(
            f"column {microdata.sensitive!r}: "
            f"{counted(len(rewritten), 'value is a number', 'values are numbers')} written in different ways, here "
            "or in earlier releases; write every value as before"
        )
        raise quoting(error, rewritten)


def _check_returns(state: State, persons: Sequence[str], remembered: Container[str]) -> None:
    """Refuse persons who return after an absence, where the model forbids it."""
    returning = sum(person in remembered and person not in state.participants for person in persons)
    if returning and state.settings.model is Model.M_INVARIANT:
        raise DataError(
            f"id column {state.settings.id_column!r}: "
            f"{counted(returning, 'person returns', 'persons return')} after an absence, which the model "
            "m-invariant forbids; leave them out, or start a series with --model tau-safe"
        )


def _keeping(signatures: Iterable[Signature], value: str | None) -> Signature | None:
    return next((signature for signature in signatures if value in signature), None)


def _check_domain(state: State, outside: Sequence[tuple[Signature, ...]]) -> None:
    """Refuse updates whose mere absence from the old class would tell the new value (docs/guarantee.md)."""
    m = state.settings.m
    domain = _values(state.history.signatures).union(state.settings.domain)
    exposed = sum(len(domain - _values(signatures)) < m for signatures in outside)
    if exposed:
        raise InfeasibleError(
            f"{counted(exposed, 'person has', 'persons have')} a new sensitive value outside their "
            f"signature, and fewer than m = {m} of the "
            f"{len(domain)} values of the domain lie outside it, so that leaving it would give the new value away"
        )
