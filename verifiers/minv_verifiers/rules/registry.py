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
        """Judge; never raises NotCheckable."""
        try:
            witnesses = tuple(self.find(dossier))
        except NotCheckable as reason:
            return RuleOutcome(rule=self.name, status=Status.NOT_CHECKABLE, reason=str(reason))
        broken = Status.WARNING if self.advisory else Status.VIOLATED
        return RuleOutcome(rule=self.name, status=broken if witnesses else Status.PASSED, witnesses=witnesses)


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
