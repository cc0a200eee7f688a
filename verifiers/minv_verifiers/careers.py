"""Who was published when, in which class and under which signature."""

from collections.abc import Iterator, Sequence

import numpy as np

from minv_verifiers.arrays import IntArray, pair_codes
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.signatures import Signatures


class Careers:
    """Every publication of every person, sorted by person and release.

    Parameters
    ----------
    releases
        All releases, with ids.
    signatures
        Their signatures.

    Attributes
    ----------
    persons, releases, rows, signatures
        (a,) person, index of the release, row in it and signature of the class, for each publication.
    lifespans
        (a,) a number that is equal within one lifespan: a maximal run of consecutive releases in which the
        person takes part. Where the custodian's part tells that someone took part but was suppressed, that
        is no gap.
    """

    def __init__(self, releases: Sequence[Release], signatures: Signatures) -> None:
        persons, numbers, rows, classes = [], [], [], []
        for index, release in enumerate(releases):
            known = np.flatnonzero(persons_of(release) >= 0)
            persons.append(persons_of(release)[known])
            numbers.append(np.full(len(known), index, dtype=np.int64))
            rows.append(known)
            classes.append(signatures.of_class[index][release.class_of_row[known]])
        order = np.lexsort([np.concatenate(rows), np.concatenate(numbers), np.concatenate(persons)])
        self.persons: IntArray = np.concatenate(persons)[order]
        self.releases: IntArray = np.concatenate(numbers)[order]
        self.rows: IntArray = np.concatenate(rows)[order].astype(np.int64)
        self.signatures: IntArray = np.concatenate(classes)[order]
        self.lifespans: IntArray = self._lifespans(releases)

    def _lifespans(self, releases: Sequence[Release]) -> IntArray:
        persons, numbers = [self.persons], [self.releases]
        for index, release in enumerate(releases):
            if release.truth is not None:
                waiting = release.truth.persons[release.truth.suppressed]
                persons.append(waiting)
                numbers.append(np.full(len(waiting), index, dtype=np.int64))
        who, when = np.concatenate(persons), np.concatenate(numbers)
        order = np.lexsort([when, who])
        who_sorted, when_sorted = who[order], when[order]
        starts = np.ones(len(who), dtype=bool)
        starts[1:] = (who_sorted[1:] != who_sorted[:-1]) | (when_sorted[1:] > when_sorted[:-1] + 1)
        spans = np.empty(len(who), dtype=np.int64)
        spans[order] = np.cumsum(starts)
        return spans[: len(self.persons)]

    def mixed(self, groups: IntArray) -> Iterator[IntArray]:
        """Return the publications of each group that holds more than one signature.

        Parameters
        ----------
        groups
            (a,) ascending group of each publication: `persons` or `lifespans`.
        """
        change = np.flatnonzero(np.diff(groups, prepend=-1))
        if not len(change):
            return
        least = np.minimum.reduceat(self.signatures, change)
        most = np.maximum.reduceat(self.signatures, change)
        ends = np.append(change[1:], len(groups))
        for group in np.flatnonzero(least != most):
            yield np.arange(change[group], ends[group])

    def returns(self) -> Iterator[IntArray]:
        """Return the publications of each person that has more than one lifespan."""
        firsts = np.flatnonzero(np.diff(pair_codes(self.persons, self.lifespans), prepend=-1))
        people, counts = np.unique(self.persons[firsts], return_counts=True)
        for person in people[counts > 1]:
            start, end = np.searchsorted(self.persons, [person, person + 1])
            yield np.arange(start, end)


def persons_of(release: Release) -> IntArray:
    """Return the persons of a release; raises NotCheckable without ids."""
    if release.persons is None:
        raise NotCheckable("no ids are known, and only they tell who is the same person in another release")
    return release.persons
