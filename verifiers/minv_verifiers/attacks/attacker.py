"""Run the levels of the attack that were asked for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import FloatArray
from minv_verifiers.attacks.absences import read_absences
from minv_verifiers.attacks.histograms import Histogram, compare_histograms, true_histograms
from minv_verifiers.attacks.inference import Inference
from minv_verifiers.attacks.intersection import intersect
from minv_verifiers.attacks.minimality import replay
from minv_verifiers.attacks.observations import Observations
from minv_verifiers.attacks.others import know_others
from minv_verifiers.attacks.transitions import Transitions, follow
from minv_verifiers.attacks.worlds import enumerate_worlds
from minv_verifiers.dossier import Dossier
from minv_verifiers.errors import InputError, UsageError
from minv_verifiers.model import Evidence, Model
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.rules.invariance import require_everybody
from minv_verifiers.signatures import require_values
from minv_verifiers.wording import counted, form

LEVELS = range(7)
GUARANTEED = (0, 1)  # the levels that m-invariance bounds by 1/m
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowledge:
    """What the attacker knows.

    Attributes
    ----------
    levels
        The levels to run, of 0..6.
    releases
        Numbers of the releases that the attacker has; all if empty.
    others
        Level 3: how many people's values are known.
    persistent
        Level 4: values that stay for ever once someone has them.
    transitions
        Level 4: probability of the inner key's value after the outer key's; overrides `persistent`.
    histograms
        Level 5: the true number of people with each value, one a release; by default the custodian's.
    """

    levels: tuple[int, ...] = GUARANTEED
    releases: tuple[int, ...] = ()
    others: int = 1
    persistent: tuple[str, ...] = ()
    transitions: Mapping[str, Mapping[str, float]] | None = None
    histograms: Sequence[Mapping[str, int]] | None = None

    def __post_init__(self) -> None:
        if not self.levels or not set(self.levels) <= set(LEVELS):
            raise UsageError("the levels of the attack are 0 to 6")
        if self.others < 0:
            raise UsageError("the number of others whose values are known must be 0 or more")


@dataclass(frozen=True, eq=False, kw_only=True)
class AttackReport:
    """What the attack inferred.

    Attributes
    ----------
    dossier
        The series, for names.
    model, m
        What is claimed.
    inferences
        One a level that could be run.
    not_run
        The reason for each that could not.
    """

    dossier: Dossier
    model: Model
    m: int
    inferences: tuple[Inference, ...]
    not_run: Mapping[int, str]

    def level(self, level: int) -> Inference:
        """Return what one level inferred; raises KeyError where it did not run."""
        for inference in self.inferences:
            if inference.level == level:
                return inference
        raise KeyError(level)

    @property
    def breached(self) -> tuple[int, ...]:
        """The levels within the guarantee whose worst confidence exceeds 1/m."""
        return tuple(
            inference.level
            for inference in self.inferences
            if inference.level in GUARANTEED and exceeds(inference.worst, self.m)
        )

    @property
    def exit_code(self) -> int:
        """1 where the guarantee is breached, 3 where no level or not all of the guarantee's could be run, else 0."""
        if self.breached:
            return 1
        return 3 if not self.inferences or set(GUARANTEED) & set(self.not_run) else 0

    def value(self, inference: Inference, code: int) -> str:
        """Return the sensitive value behind a code."""
        known = len(self.dossier.evidence.sensitive_values or ())
        return self.dossier.value(code) if code < known else inference.unpublished[code - known]


def exceeds(confidence: float, m: int) -> bool:
    """Whether a confidence is above 1/m, rounding aside."""
    return confidence > 1 / m + _ROUNDING


def attack(evidence: Evidence, knowledge: Knowledge) -> AttackReport:
    """Attack a series; a level that lacks what it needs is listed with the reason."""
    dossier = Dossier(evidence)
    inferences, not_run = [], {}
    for level in sorted(set(knowledge.levels)):
        try:
            require_everybody(dossier)
            require_values(dossier.releases)
            observations = Observations(dossier, _seen(dossier, knowledge))
            inferences.append(_RUN[level](observations, knowledge))
        except NotCheckable as reason:
            not_run[level] = str(reason)
    return AttackReport(
        dossier=dossier,
        model=evidence.claims.model,
        m=evidence.claims.m,
        inferences=tuple(inferences),
        not_run=not_run,
    )


def _seen(dossier: Dossier, knowledge: Knowledge) -> frozenset[int]:
    numbers = {release.number: index for index, release in enumerate(dossier.releases)}
    unknown = [number for number in knowledge.releases if number not in numbers]
    if unknown:
        raise UsageError(f"there is no release {unknown[0]}; the series has {len(numbers)}")
    return frozenset(numbers[number] for number in knowledge.releases or numbers)


def _codes(dossier: Dossier) -> dict[str, int]:
    values = dossier.evidence.sensitive_values
    return {} if values is None else values.codes_by_name()


def _transitions(observations: Observations, knowledge: Knowledge) -> Inference:
    codes = _codes(observations.dossier)
    if knowledge.transitions is None:
        unknown = sum(value not in codes for value in knowledge.persistent)
        if unknown:
            raise InputError(
                f"{unknown} of the persistent values never {form(unknown, 'occurs', 'occur')} in the series"
            )
        chain = Transitions.persistent([codes[value] for value in knowledge.persistent], len(codes))
    else:
        chain = Transitions(_matrix(knowledge.transitions, codes))
    return follow(observations, chain)


def _matrix(rows: Mapping[str, Mapping[str, float]], codes: Mapping[str, int]) -> FloatArray:
    missing = sum(value not in rows for value in codes)
    if missing:
        raise InputError(f"the transition matrix lacks the rows of {counted(missing, 'value')} of the series")
    matrix = np.zeros((len(codes), len(codes)))
    for before, row in rows.items():
        for after, probability in row.items():
            if before in codes and after in codes:
                matrix[codes[before], codes[after]] = probability
    if not np.isfinite(matrix).all() or (matrix < 0).any():
        raise InputError("the transition matrix holds something else than probabilities")
    totals = matrix.sum(axis=1, keepdims=True)
    if (totals <= 0).any():
        ends = int((totals <= 0).sum())
        raise InputError(
            f"{counted(ends, 'row')} of the transition matrix {form(ends, 'leads', 'lead')} nowhere"
        )
    return np.asarray(matrix / totals)


def _histograms(observations: Observations, knowledge: Knowledge) -> Inference:
    dossier = observations.dossier
    given: Sequence[Histogram]
    if knowledge.histograms is None:
        given = true_histograms(dossier)
    else:
        codes = _codes(dossier)
        given = [
            {codes[value]: count for value, count in one.items() if value in codes}
            for one in knowledge.histograms
        ]
    return compare_histograms(observations, given)


def _minimality(observations: Observations, _: Knowledge) -> Inference:
    return replay(observations, max(observations.seen))


_RUN: dict[int, Callable[[Observations, Knowledge], Inference]] = {
    0: lambda observations, _: intersect(observations),
    1: lambda observations, _: enumerate_worlds(observations),
    2: lambda observations, _: read_absences(observations),
    3: lambda observations, knowledge: know_others(observations, knowledge.others),
    4: _transitions,
    5: _histograms,
    6: _minimality,
}
