"""Level 1: everybody's quasi-identifiers and participation, so all classes of everybody at once."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.attacks.inference import Inference, Posterior, gather, uniform
from minv_verifiers.attacks.intersection import shared_values
from minv_verifiers.attacks.observations import Host, Observations

ASSUMPTION = (
    "the attacker knows everybody's quasi-identifiers and participation, hence who stands in which class, and that "
    "values last unless the classes rule that out"
)
_STEPS = 200_000  # values tried or recorded for one component, before its enumeration is given up
_PARTIAL = "some groups of classes have too many worlds to enumerate: there, confidences are lower bounds"

Variable = tuple[int, int]  # a person (place) and the number of the epoch


@dataclass(frozen=True, slots=True)
class Component:
    """Variables that classes tie together.

    Attributes
    ----------
    domains
        The values that each variable may still have.
    classes
        For each class its variables and how often each value stands in it.
    """

    domains: dict[Variable, set[int]]
    classes: list[tuple[tuple[Variable, ...], Counter[int]]]


def enumerate_worlds(observations: Observations) -> Inference:
    """Attack everybody at once.

    Where all classes tied together have one signature without repetition, permuting its values maps consistent
    worlds to consistent worlds, so each has the same probability. Elsewhere the worlds are enumerated: all
    assignments of values to people that fit every class, equally likely.
    """
    signatures = observations.dossier.signatures
    plain = observations.plain_signature
    touched = _touched(observations)
    posteriors: list[Posterior] = [
        {} if place in touched else uniform(signatures.members(signature))
        for place, signature in enumerate(plain.tolist())
    ]
    exact = True
    for component in _components(observations, touched):
        solved, complete = solve(component)
        exact &= complete
        for (place, _), posterior in solved.items():
            if max(posterior.values()) > max(posteriors[place].values(), default=0.0):
                posteriors[place] = posterior
    return gather(
        1,
        ASSUMPTION,
        observations.persons.tolist(),
        posteriors,
        exact=exact,
        remark="" if exact else _PARTIAL,
    )


def _touched(observations: Observations) -> set[int]:
    """Return the people tied, through any chain of classes, to someone whose signature changes or repeats a value."""
    seeds = np.flatnonzero(observations.plain_signature < 0).tolist()
    reached, waiting = set(seeds), list(seeds)
    if not seeds:
        return reached
    members = observations.members
    visited: set[Host] = set()
    while waiting:
        for host in observations.hosts(waiting.pop()):
            if host in visited:
                continue
            visited.add(host)
            fresh = set(members[host].tolist()) - reached
            reached |= fresh
            waiting += fresh
    return reached


def _components(observations: Observations, touched: set[int]) -> Iterable[Component]:
    """Group the epochs of these people by the classes that they share."""
    of_host: dict[Host, list[Variable]] = defaultdict(list)
    domains: dict[Variable, set[int]] = {}
    for place in sorted(touched):
        for number, epoch in enumerate(observations.epochs(observations.hosts(place))):
            domains[place, number] = set(shared_values(observations, epoch))
            for host in epoch:
                of_host[host].append((place, number))
    parent = {variable: variable for variable in domains}

    def root(variable: Variable) -> Variable:
        while parent[variable] != variable:
            parent[variable] = variable = parent[parent[variable]]
        return variable

    for variables in of_host.values():
        for variable in variables[1:]:
            parent[root(variable)] = root(variables[0])
    grouped: dict[Variable, Component] = {}
    for variable, domain in domains.items():
        grouped.setdefault(root(variable), Component({}, [])).domains[variable] = domain
    for host, variables in of_host.items():
        grouped[root(variables[0])].classes.append((tuple(variables), observations.counts(host)))
    return grouped.values()


def solve(component: Component) -> tuple[Mapping[Variable, Posterior], bool]:
    """Return the posterior of each variable, and whether it is exact."""
    counted = _Enumeration(component).run()
    if counted is not None and counted.worlds:
        return {
            variable: {value: count / counted.worlds for value, count in values.items()}
            for variable, values in counted.values.items()
        }, True
    narrowed = _propagate(component) if counted is None else component.domains
    return {variable: uniform(sorted(values)) for variable, values in narrowed.items()}, False


@dataclass
class _Tally:
    worlds: int
    values: dict[Variable, Counter[int]]


class _Enumeration:
    """Depth-first enumeration of the worlds of a component."""

    def __init__(self, component: Component) -> None:
        self._order = sorted(component.domains, key=lambda variable: len(component.domains[variable]))
        self._domains = component.domains
        self._left = [counts.copy() for _, counts in component.classes]
        self._classes: dict[Variable, list[int]] = defaultdict(list)
        for number, (variables, _) in enumerate(component.classes):
            for variable in variables:
                self._classes[variable].append(number)
        self._world: dict[Variable, int] = {}
        self._tally = _Tally(0, {variable: Counter() for variable in component.domains})
        self._steps = 0

    def run(self) -> _Tally | None:
        """Count the worlds by value; None if there are too many steps."""
        return self._tally if self._descend(0) else None

    def _descend(self, depth: int) -> bool:
        if self._steps > _STEPS or depth > 900:  # within Python's own limit of recursion
            return False
        if depth == len(self._order):
            self._steps += len(self._world)
            self._tally.worlds += 1
            for variable, value in self._world.items():
                self._tally.values[variable][value] += 1
            return True
        variable = self._order[depth]
        self._steps += len(self._domains[variable])
        for value in self._domains[variable]:
            if all(self._left[number][value] > 0 for number in self._classes[variable]):
                self._place(variable, value, -1)
                self._world[variable] = value
                if not self._descend(depth + 1):
                    return False
                self._place(variable, value, 1)
        return True

    def _place(self, variable: Variable, value: int, change: int) -> None:
        for number in self._classes[variable]:
            self._left[number][value] += change


def _propagate(component: Component) -> dict[Variable, set[int]]:
    """Strike values that a class cannot give: all its rows with the value are taken, or a row fits one person only."""
    domains = {variable: set(values) for variable, values in component.domains.items()}
    changed = True
    while changed:
        changed = False
        for variables, counts in component.classes:
            for value, count in counts.items():
                changed |= _strike_taken(domains, variables, value, count)
                if len(variables) == sum(counts.values()):
                    changed |= _settle_needed(domains, variables, value, count)
    return domains


def _strike_taken(
    domains: dict[Variable, set[int]], variables: Sequence[Variable], value: int, count: int
) -> bool:
    settled = [variable for variable in variables if domains[variable] == {value}]
    others = [variable for variable in variables if value in domains[variable] and len(domains[variable]) > 1]
    if len(settled) < count or not others:
        return False
    for variable in others:
        domains[variable].discard(value)
    return True


def _settle_needed(
    domains: dict[Variable, set[int]], variables: Sequence[Variable], value: int, count: int
) -> bool:
    possible = [variable for variable in variables if value in domains[variable]]
    open_ones = [variable for variable in possible if len(domains[variable]) > 1]
    if len(possible) != count or not open_ones:
        return False
    for variable in open_ones:
        domains[variable] = {value}
    return True
