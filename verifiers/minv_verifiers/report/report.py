"""The report: every rule's answer, and the verdict."""

from dataclasses import dataclass
from typing import Literal

from minv_verifiers.measures import ReleaseMeasures
from minv_verifiers.model import Claims
from minv_verifiers.outcome import RuleOutcome, Status

Verdict = Literal["passed", "violated", "not checkable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found.

    Attributes
    ----------
    claims
        What the series was judged by.
    claimed
        Names of the rules that make up the claimed model.
    mode
        `custodian` where the truth was known, else `public`.
    outcomes
        One for each rule asked.
    measures
        Figures of each release.
    notes
        What was assumed while reading.
    """

    claims: Claims
    claimed: tuple[str, ...]
    mode: str
    outcomes: tuple[RuleOutcome, ...]
    measures: tuple[ReleaseMeasures, ...]
    notes: tuple[str, ...] = ()

    def outcome(self, rule: str) -> RuleOutcome:
        """Return the answer of one rule; raises KeyError if it was not asked."""
        for outcome in self.outcomes:
            if outcome.rule == rule:
                return outcome
        raise KeyError(rule)

    def having(self, status: Status) -> tuple[RuleOutcome, ...]:
        """Return the rules with this answer."""
        return tuple(outcome for outcome in self.outcomes if outcome.status is status)

    @property
    def violated(self) -> tuple[str, ...]:
        """Names of the violated rules."""
        return tuple(outcome.rule for outcome in self.having(Status.VIOLATED))

    @property
    def unjudged(self) -> tuple[RuleOutcome, ...]:
        """Claimed rules that could not be checked."""
        return tuple(outcome for outcome in self.having(Status.NOT_CHECKABLE) if outcome.rule in self.claimed)

    @property
    def verdict(self) -> Verdict:
        """Violated if any rule is; not checkable if a claimed rule is and the claim is the caller's own."""
        if self.violated:
            return "violated"
        return "not checkable" if self.claims.explicit and self.unjudged else "passed"

    @property
    def passed(self) -> bool:
        """Whether the verdict is `passed`."""
        return self.verdict == "passed"

    @property
    def exit_code(self) -> int:
        """0 passed, 1 violated, 3 not checkable."""
        return {"passed": 0, "violated": 1, "not checkable": 3}[self.verdict]
