"""The signatures of all classes of a series, as integers that are equal exactly where the sets are."""

from collections.abc import Sequence

import numpy as np

from minv_verifiers.arrays import IntArray, dense, distinct_sorted, pair_codes
from minv_verifiers.model import Release
from minv_verifiers.outcome import NotCheckable
from minv_verifiers.wording import counted, form


class Signatures:
    """The set of sensitive values of every class, counterfeits included.

    Parameters
    ----------
    releases
        All releases; their sensitive codes come from one vocabulary.

    Attributes
    ----------
    of_class
        One array a release: the signature of each of its classes.
    count
        Number of different signatures.
    """

    def __init__(self, releases: Sequence[Release]) -> None:
        offsets = np.cumsum([0, *(len(release.class_ids) for release in releases)])
        owners, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for release, offset in zip(releases, offsets[:-1], strict=True):
            owners.append(release.class_of_row + offset)
            values.append(sensitive_of(release))
        self._owners, self._values = _distinct_pairs(np.concatenate(owners), np.concatenate(values))
        self._sizes = np.bincount(self._owners, minlength=offsets[-1]).astype(np.int64)
        self._starts = np.concatenate([[0], np.cumsum(self._sizes)])
        numbers, self.count = self._number()
        self._example = np.zeros(self.count, np.int64)
        self._example[numbers] = np.arange(len(numbers))
        self.of_class: list[IntArray] = np.split(numbers, offsets[1:-1]) if len(releases) else []

    def _number(self) -> tuple[IntArray, int]:
        """Give each set a number: equal prefixes get equal numbers, one more value each round."""
        numbers, _ = dense(self._sizes)
        for position in range(int(self._sizes.max(initial=0))):
            longer = np.flatnonzero(self._sizes > position)
            value = self._values[self._starts[longer] + position]
            # Sets of different size never share a number, so the finished ones need not be touched again.
            extended, _ = dense(pair_codes(numbers[longer], value))
            numbers[longer] = extended + numbers.max(initial=-1) + 1
        return dense(numbers)

    def members(self, signature: int) -> IntArray:
        """Return the sensitive codes of a signature, ascending."""
        owner = self._example[signature]
        return self._values[self._starts[owner] : self._starts[owner + 1]]


def sensitive_of(release: Release) -> IntArray:
    """Return the sensitive codes of a release; raises NotCheckable without a sensitive column."""
    if release.sensitive is None:
        raise NotCheckable("no sensitive column was named (--sensitive)")
    return release.sensitive


def require_values(releases: Sequence[Release]) -> None:
    """Raise NotCheckable where a sensitive value is not known: it may be any, also one of its class."""
    for release in releases:
        count = int(release.valueless.sum())
        if count:
            raise NotCheckable(
                f"{counted(count, 'row')} of release {release.number} {form(count, 'has', 'have')} no "
                "sensitive value, and no signature with such a"
                " row is known"
            )


def _distinct_pairs(owners: IntArray, values: IntArray) -> tuple[IntArray, IntArray]:
    width = int(values.max(initial=0)) + 1
    pairs = distinct_sorted(owners * width + values)
    return pairs // width, pairs % width
