"""What a rule is, and the one list of them."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from minv_verifiers.dossier import Dossier
from minv_verifiers.outcome import NotCheckable, RuleOutcome, Status, Witness

Finder = Callable[[Dossier], Iterable[Witness]]


class Group(StrEnum):
    """What a rule is about."""

    MODEL = "privacy model"
    SHAPE = "shape of a release"
    CUSTODIAN = "against the truth"
    INTERVALS = "declared intervals"
    FORMAT = "format of a series"
    PRIVATE = "private part of a series"


@dataclass(frozen=True, slots=True)
class Rule:
    """A property with a stable name.

    Attributes
    ----------
    name
        Stable name.
    group
        What it is about.
    definition
        When it holds, in words.
    source
        Where the definition comes from.
    find
        Yields every place where it is broken; raises NotCheckable where it lacks what it needs.
    advisory
        Whether a finding is a warning instead of a violation.
    """

    name: str
    group: Group
    definition: str
    source: str
    find: Finder
    advisory: bool = False

    def check(self, dossier: Dossier) -> RuleOutcome:
        """Judge; never raises NotCheckable. What was found before something turned out uncheckable still counts."""
        witnesses: list[Witness] = []
        reason = ""
        try:
            for witness in self.find(dossier):
                witnesses.append(witness)
        except NotCheckable as stopped:
            reason = str(stopped)
        if witnesses:
            status = Status.WARNING if self.advisory else Status.VIOLATED
        else:
            status = Status.NOT_CHECKABLE if reason else Status.PASSED
        return RuleOutcome(rule=self.name, status=status, reason=reason, witnesses=tuple(witnesses))


_RULES: dict[str, Rule] = {}


def rule(name: str, group: Group, *, source: str, advisory: bool = False) -> Callable[[Finder], Finder]:
    """Register the decorated finder as a rule; its docstring is the definition."""

    def register(find: Finder) -> Finder:
        definition = " ".join(inspect.cleandoc(find.__doc__ or "").split())
        _RULES[name] = Rule(name, group, definition, source, find, advisory)
        return find

    return register


def registered() -> dict[str, Rule]:
    """All rules by name, in the order of registration."""
    return dict(_RULES)
