"""Accept a certificate or say what is wrong with it."""

import time
from dataclasses import dataclass
from typing import Literal

import numpy as np

from minv_verifiers.arrays import BoolArray, FloatArray, IntArray
from minv_verifiers.certificate.claim import Claim, Remembered
from minv_verifiers.certificate.pricing import Proof, prove
from minv_verifiers.certificate.problem import Cut, PricingProblem
from minv_verifiers.certificate.remembered import Rows, prove_signature
from minv_verifiers.certificate.table import CertifiedTable
from minv_verifiers.reading.tables import Table
from minv_verifiers.wording import counted, form

Verdict = Literal["accepted", "rejected", "not decided"]

_SUM = 1e-9  # relative, on sums that are added in another order
_SIZE = 1e-12  # of the greatest dual: rounding of a reduced cost


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateReport:
    """What became of a certificate.

    Attributes
    ----------
    verdict
        `accepted` where the bound is proved; `not decided` where pricing did not come to an end.
    reasons
        What is wrong, or why it is not decided.
    claimed_il, proved_il
        The bound as claimed and as recomputed from duals, cuts and slack (percent); the latter None where it
        could not be computed.
    scope
        The partitions that the bound is about.
    boxes, seconds
        Work of the pricing.
    """

    verdict: Verdict
    reasons: tuple[str, ...]
    claimed_il: float
    proved_il: float | None
    scope: str
    boxes: int
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 accepted, 1 rejected, 3 not decided."""
        return {"accepted": 0, "rejected": 1, "not decided": 3}[self.verdict]


def check_certificate(claim: Claim, table: Table, *, time_limit: float = np.inf) -> CertificateReport:
    """Check a certificate against its table.

    Parameters
    ----------
    claim
        The certificate.
    table
        The table that it is about.
    time_limit
        Seconds for the pricing.

    Raises
    ------
    InputError
        The table lacks a column, or holds a value that does not fit.
    """
    started = time.monotonic()
    rows = CertifiedTable(table, claim)
    wrong = _shape(claim, rows)
    if wrong:
        return _report(claim, "rejected", wrong, None, 0, started)
    points = rows.points()
    new = np.ones(claim.rows, bool) if claim.remembered is None else claim.remembered.required < 0
    problem, multiplicity = _problem(claim, points, rows.colours(), new)
    if not _is_reckonable(claim, points, multiplicity):
        too_large = "duals, cuts, slack, price or weights are too large: their sum is not finite"
        return _report(claim, "rejected", [too_large], None, 0, started)
    total = float((points**2).sum())
    bound = _bound(claim, multiplicity)
    il = 100 * bound / total if total > 0 else 0.0
    wrong = _sums(claim, bound, il)
    tolerance = claim.slack * (1 + _SUM) + _SIZE * float(np.abs(claim.duals).max(initial=0.0))
    proof = prove(problem, tolerance, time_limit=time_limit)
    if claim.remembered is not None and proof.holds:
        proof = _prove_remembered(
            claim.remembered, claim, rows, points, tolerance, proof, started + time_limit
        )
    if proof.counterexample is not None:
        size, cost = len(proof.counterexample.rows), proof.counterexample.reduced_cost
        wrong.append(
            f"a cluster of {size} types has a reduced cost of {cost:.6g}, below -slack = {-claim.slack:.6g}"
        )
    if wrong:
        return _report(claim, "rejected", wrong, il, proof.boxes, started)
    if not proof.complete:
        return _report(claim, "not decided", ["the pricing did not come to an end"], il, proof.boxes, started)
    return _report(claim, "accepted", [], il, proof.boxes, started)


def _report(
    claim: Claim, verdict: Verdict, reasons: list[str], il: float | None, boxes: int, started: float
) -> CertificateReport:
    return CertificateReport(
        verdict=verdict,
        reasons=tuple(reasons),
        claimed_il=claim.bound_il,
        proved_il=il,
        scope=_scope(claim),
        boxes=boxes,
        seconds=time.monotonic() - started,
    )


def _scope(claim: Claim) -> str:
    """Say which partitions; a class larger than 2m - 1 can be split without loss, so such a cap is none."""
    if claim.remembered is not None:
        most = claim.remembered.counterfeits
        return f"all releases under the remembered signatures with at most {counted(most, 'counterfeit')}"
    if claim.max_size >= 2 * claim.m - 1:
        return f"all {claim.m}-unique partitions"
    return f"partitions into classes of {claim.m} to {claim.max_size}"


def _shape(claim: Claim, rows: CertifiedTable) -> list[str]:
    """Return what is wrong before anything is computed; the rest needs all of it."""
    if len(rows) != claim.rows:
        return [
            f"the table has {counted(len(rows), 'row that takes', 'rows that take')} part, the certificate {claim.rows}"
        ]
    if not rows.matches():
        return [
            "the table's checksum is another one: this is not the certified table, or its values were changed"
        ]
    if len(claim.types) != claim.rows:
        return [f"{counted(len(claim.types), 'type')} for {counted(claim.rows, 'row')}"]
    types = len(claim.duals)
    named = max((max(cut.rows, default=-1) for cut in claim.cuts), default=-1)
    if max(int(claim.types.max(initial=-1)), named) >= types:
        return [f"a type without a dual: there {form(types, 'is', 'are')} {counted(types, 'dual')}"]
    if any(len(cut.rows) != len(cut.numerators) for cut in claim.cuts):
        return ["a cut with another number of numerators than types"]
    if not claim.m <= claim.max_size:
        return ["max_size is below m"]
    wrong = [] if claim.remembered is None else _shape_remembered(claim.remembered, claim.rows)
    wrong = wrong or _without_partitions(claim, rows)
    if wrong:
        return wrong
    content = rows.content()
    if claim.remembered is not None:
        content = content * (len(claim.remembered.signatures) + 1) + claim.remembered.required
    pairs = np.unique(np.column_stack([claim.types, content]), axis=0)
    if len(pairs) > len(np.unique(claim.types)):
        return ["rows of one type differ"]
    return []


def _without_partitions(claim: Claim, rows: CertifiedTable) -> list[str]:
    """Say so where not even one class can exist; a release that remembers has other classes than new ones."""
    values = len(np.unique(rows.colours()))
    if claim.remembered is not None or claim.m <= values:
        return []
    least = (
        counted(claim.rows, "row") if claim.rows < claim.m else counted(values, "different sensitive value")
    )
    return [
        f"the table has no {claim.m}-unique partition at all, so there is nothing to bound: it has {least}"
    ]


def _shape_remembered(remembered: Remembered, rows: int) -> list[str]:
    required = remembered.required
    if len(required) != rows:
        return [f"{counted(len(required), 'required signature')} for {counted(rows, 'row')}"]
    if int(required.max(initial=-1)) >= len(remembered.signatures):
        return [f"a required signature that is not listed: there are {len(remembered.signatures)}"]
    return []


def _prove_remembered(
    remembered: Remembered,
    claim: Claim,
    table: CertifiedTable,
    points: FloatArray,
    tolerance: float,
    proof: Proof,
    deadline: float,
) -> Proof:
    """Go on with the classes of every remembered signature."""
    used, first = np.unique(claim.types, return_index=True)
    rows = Rows(
        points=points[first],
        colours=table.colours()[first],
        duals=claim.duals[used],
        required=remembered.required[first],
        price=remembered.price if remembered.counterfeits else np.inf,
    )
    boxes = proof.boxes
    for index, signature in enumerate(remembered.signatures):
        found = prove_signature(rows, index, table.colours_of(signature), tolerance, deadline=deadline)
        boxes += found.boxes
        if not found.holds:
            return Proof(found.counterexample, found.complete, boxes)
    return Proof(None, True, boxes)


def _problem(
    claim: Claim, points: FloatArray, colours: IntArray, new: BoolArray
) -> tuple[PricingProblem, IntArray]:
    """Return the types of new rows that occur, as a pricing problem, and how often each type of any row does."""
    multiplicity = np.bincount(claim.types, minlength=len(claim.duals))
    used, places = np.unique(claim.types[new], return_index=True)
    first = np.flatnonzero(new)[places]
    place = np.full(len(claim.duals), -1, dtype=np.int64)
    place[used] = np.arange(len(used))
    problem = PricingProblem(
        points=points[first],
        colours=colours[first],
        duals=claim.duals[used],
        m=claim.m,
        max_size=min(claim.max_size, 2 * claim.m - 1),
        cuts=tuple(_among(cut, place) for cut in claim.cuts),
    )
    return problem, multiplicity


def _among(cut: Cut, place: IntArray) -> Cut:
    """Return the cut on the rows of the problem; no cluster of these holds its other types."""
    kept = [
        (int(place[row]), numerator)
        for row, numerator in zip(cut.rows, cut.numerators, strict=True)
        if place[row] >= 0
    ]
    rows = tuple(row for row, _ in kept)
    return Cut(rows, tuple(numerator for _, numerator in kept), cut.denominator, cut.penalty)


def _bound(claim: Claim, multiplicity: IntArray) -> float:
    """Return the sum that the duals prove (docs/certificate.md)."""
    # Each cut says that the clusters of a partition hold it no more often than all rows together could.
    paid_at_most = sum(cut.charge(_held(cut, multiplicity)) for cut in claim.cuts)
    total = float(multiplicity @ claim.duals) - paid_at_most
    if claim.remembered is None:
        return total - claim.rows // claim.m * claim.slack
    members = claim.rows + claim.remembered.counterfeits
    least = min(claim.m, *(len(signature) for signature in claim.remembered.signatures))
    paid = claim.remembered.counterfeits * claim.remembered.price
    return total - paid - members // least * claim.slack


def _is_reckonable(claim: Claim, points: FloatArray, multiplicity: IntArray) -> bool:
    """Whether no sum of the bound or the pricing can overflow; infinities and NaN compare as if all were well."""
    with np.errstate(over="ignore", invalid="ignore"):
        greatest = float((points**2).sum()) + float(multiplicity @ np.abs(claim.duals))
        greatest += sum(float(cut.penalty) * _held(cut, multiplicity) for cut in claim.cuts)
        members = claim.rows
        if claim.remembered is not None:
            members += claim.remembered.counterfeits + max(map(len, claim.remembered.signatures))
            greatest += members * claim.remembered.price
        greatest += members * claim.slack
    return bool(np.isfinite(8.0 * members * greatest))


def _held(cut: Cut, multiplicity: IntArray) -> int:
    """Return the numerators of all rows; in Python's whole numbers, which do not wrap round."""
    counts = multiplicity[list(cut.rows)].tolist()
    return sum(count * numerator for count, numerator in zip(counts, cut.numerators, strict=True))


def _sums(claim: Claim, bound: float, il: float) -> list[str]:
    wrong = []
    if claim.bound_sse > bound + _SUM * abs(bound):
        wrong.append(f"bound_sse is claimed as {claim.bound_sse:.9g}, but duals and cuts give {bound:.9g}")
    if claim.bound_il > il + _SUM * abs(il):
        wrong.append(f"bound_il is claimed as {claim.bound_il:.9g}, but duals and cuts give {il:.9g}")
    return wrong
