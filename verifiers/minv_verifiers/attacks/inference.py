"""What one level of the attack finds out about everybody."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from minv_verifiers.arrays import FloatArray, IntArray

Posterior = Mapping[int, float]  # probability of each sensitive code that is possible


@dataclass(frozen=True, eq=False)
class Inference:
    """The attacker's state of mind after one level.

    Attributes
    ----------
    level, assumption
        What is known, as a number and in words.
    persons
        (a,) the people attacked.
    confidence
        (a,) probability of the attacker's best guess.
    sets, set_of
        The different candidate sets (sensitive codes, ascending), and the one of each person (a,).
    exact
        Whether the confidences are exact; else they are what simple reasoning reaches, so at least that.
    remark
        What the figures do not cover, if anything.
    unpublished
        Values of the domain that the series never publishes; their codes follow those of the series.
    """

    level: int
    assumption: str
    persons: IntArray
    confidence: FloatArray
    sets: tuple[IntArray, ...]
    set_of: IntArray
    exact: bool = True
    remark: str = ""
    unpublished: tuple[str, ...] = ()

    @property
    def worst(self) -> float:
        """The greatest confidence; 0 where nobody is attacked."""
        return float(self.confidence.max(initial=0.0))

    @property
    def mean(self) -> float:
        """The mean confidence; 0 where nobody is attacked."""
        return float(self.confidence.mean()) if len(self.confidence) else 0.0

    def distribution(self) -> list[tuple[float, int]]:
        """Return each confidence (in four digits) with the number of people, the greatest first."""
        values, counts = np.unique(np.round(self.confidence, 4), return_counts=True)
        return [(float(value), int(count)) for value, count in zip(values[::-1], counts[::-1], strict=True)]

    def candidates(self, place: int) -> IntArray:
        """Return the values that remain possible for the person at a place of `persons`."""
        chosen: IntArray = self.sets[self.set_of[place]]
        return chosen


def gather(
    level: int,
    assumption: str,
    persons: Sequence[int],
    posteriors: Sequence[Posterior],
    *,
    exact: bool = True,
    remark: str = "",
    unpublished: tuple[str, ...] = (),
) -> Inference:
    """Make an inference of one posterior a person."""
    numbered: dict[tuple[int, ...], int] = {}
    set_of = [numbered.setdefault(tuple(sorted(posterior)), len(numbered)) for posterior in posteriors]
    return Inference(
        level,
        assumption,
        np.array(persons, dtype=np.int64),
        np.array([max(posterior.values(), default=0.0) for posterior in posteriors], dtype=np.float64),
        tuple(np.array(values, dtype=np.int64) for values in numbered),
        np.array(set_of, dtype=np.int64),
        exact,
        remark,
        unpublished,
    )


def uniform(values: Sequence[int] | IntArray) -> dict[int, float]:
    """Return equal probabilities."""
    return {int(value): 1.0 / len(values) for value in values}
