"""What is published about each person: the classes that hosted the person, release by release."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from minv_verifiers.arrays import BoolArray, IntArray
from minv_verifiers.dossier import Dossier
from minv_verifiers.signatures import sensitive_of


class Host(NamedTuple):
    """A class of a release."""

    release: int
    class_index: int


@dataclass(frozen=True, eq=False)
class Observations:
    """The publications of everybody, in the releases that the attacker has.

    Parameters
    ----------
    dossier
        The series.
    seen
        Indices of the releases that the attacker has.
    """

    dossier: Dossier
    seen: frozenset[int]

    @cached_property
    def places(self) -> IntArray:
        """The publications that count, as places in the careers."""
        wanted = np.isin(self.dossier.careers.releases, sorted(self.seen))
        return np.flatnonzero(wanted).astype(np.int64)

    @cached_property
    def persons(self) -> IntArray:
        """(p,) everybody who is published in them, ascending."""
        return np.unique(self.dossier.careers.persons[self.places])

    @cached_property
    def _starts(self) -> IntArray:
        return np.searchsorted(self.dossier.careers.persons[self.places], self.persons).astype(np.int64)

    @cached_property
    def plain_signature(self) -> IntArray:
        """(p,) the one signature of each person, or -1 where it changes or a class repeats a value."""
        careers = self.dossier.careers
        signatures = careers.signatures[self.places]
        plain = self._plain_class()[self.places]
        least = np.minimum.reduceat(np.where(plain, signatures, -1), self._starts)
        most = np.maximum.reduceat(signatures, self._starts)
        return np.where(least == most, most, -1)

    def _plain_class(self) -> BoolArray:
        """For each publication whether its class repeats no value."""
        careers, signatures = self.dossier.careers, self.dossier.signatures
        result = np.zeros(len(careers.persons), dtype=np.bool_)
        sizes = np.array([len(signatures.members(signature)) for signature in range(signatures.count)])
        for index, release in enumerate(self.dossier.releases):
            own = careers.releases == index
            classes = release.class_of_row[careers.rows[own]]
            result[own] = release.groups.sizes[classes] == sizes[signatures.of_class[index][classes]]
        return result

    def hosts(self, place: int) -> list[Host]:
        """Return the classes that hosted the person at a place of `persons`, by release."""
        careers = self.dossier.careers
        start = self._starts[place]
        end = self._starts[place + 1] if place + 1 < len(self._starts) else len(self.places)
        return [
            Host(
                int(careers.releases[own]),
                int(self.dossier.releases[careers.releases[own]].class_of_row[careers.rows[own]]),
            )
            for own in self.places[start:end]
        ]

    def counts(self, host: Host) -> Counter[int]:
        """Return how often each sensitive value stands in a class."""
        release = self.dossier.releases[host.release]
        return Counter(sensitive_of(release)[release.groups.rows(host.class_index)].tolist())

    def epochs(self, hosts: Sequence[Host]) -> Iterator[list[Host]]:
        """Cut a person's classes where no value can have lasted: there it must have changed."""
        current: list[Host] = []
        common: set[int] = set()
        for host in hosts:
            values = set(self.counts(host))
            if current and not common & values:
                yield current
                current, common = [], set()
            common = common & values if current else values
            current.append(host)
        if current:
            yield current

    @cached_property
    def members(self) -> dict[Host, IntArray]:
        """The people in each class, as places in `persons`."""
        careers = self.dossier.careers
        result: dict[Host, IntArray] = {}
        releases = careers.releases[self.places]
        people = np.searchsorted(self.persons, careers.persons[self.places])
        for index in sorted(self.seen):
            own = np.flatnonzero(releases == index)
            release = self.dossier.releases[index]
            classes = release.class_of_row[careers.rows[self.places[own]]]
            order = np.argsort(classes, kind="stable")
            cuts = np.flatnonzero(np.diff(classes[order])) + 1
            for rows in np.split(order, cuts):
                if len(rows):
                    result[Host(index, int(classes[rows[0]]))] = people[own[rows]]
        return result
