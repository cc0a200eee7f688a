"""Reading declared intervals of a numeric column (docs/k-anonymity.md)."""

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from minv_verifiers.cells.cell import Interval
from minv_verifiers.cells.number import parse_number
from minv_verifiers.cells.number_tree import NumberTree
from minv_verifiers.errors import InputError
from minv_verifiers.reading.hierarchy_documents import (
    INTERVALS,
    ROOT,
    declares_intervals,
    is_document,
    nested_paths,
    read_document,
)
from minv_verifiers.reading.tree_files import ancestors_of, read_lines
from minv_verifiers.wording import counted

MOST_INTERVALS = 100_000
_NEAR = Fraction(1, 10**9)  # of a width: a bound so near to the upper end is that end
_FORMS = "`low`, `high` and `widths`, or `bounds` with a list of ascending numbers a level"


def read_number_tree(path: Path) -> NumberTree:
    """Read the intervals of a column.

    `.toml` and `.json` files with the one table `intervals` have `low`, `high` and `widths`, or `bounds`, in it; the
    intervals contain their lower end and, the last of a level only, their upper one. Any other file lists numbers with
    the labels above them (see `read_tree`); a label stands for the closed interval around its numbers.

    Raises
    ------
    InputError
        The file cannot be used, or intervals overlap, leave gaps or do not nest.
    """
    if not is_document(path):
        return _of_numbers(ancestors_of(read_lines(path), path), path)
    document = read_document(path)
    if not declares_intervals(document):
        return _of_numbers(ancestors_of(nested_paths(document, path), path), path)
    try:
        return _of_levels(_levels(document[INTERVALS]))
    except OverflowError:
        raise InputError(f"{path}: a number or a ratio of widths is too large") from None
    except (ValueError, TypeError) as error:
        raise InputError(f"{path}: {error}") from None


def _levels(figures: dict[str, Any]) -> list[list[float]]:
    if set(figures) == {"low", "high", "widths"}:
        low, high = _numbers([figures["low"], figures["high"]])
        return _of_widths(low, high, _numbers(figures["widths"]))
    if set(figures) != {"bounds"} or not isinstance(figures["bounds"], list):
        raise ValueError(f"intervals need {_FORMS}")
    levels = figures["bounds"]
    return [
        _numbers(level)
        for level in (levels if any(isinstance(level, list) for level in levels) else [levels])
    ]


def _numbers(values: Any) -> list[float]:
    numbers: list[Any] = values if isinstance(values, list) else [None]
    if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers):
        raise ValueError(f"intervals need {_FORMS}")
    return [float(number) for number in numbers]


def _of_widths(low: float, high: float, widths: Sequence[float]) -> list[list[float]]:
    if not widths or not all(math.isfinite(number) for number in (low, high, *widths)) or min(widths) <= 0:
        raise ValueError("widths must be finite numbers above 0, and the domain finite")
    first, last, width = (Fraction(repr(number)) for number in (low, high, widths[0]))
    if first >= last:
        raise ValueError("low must lie below high")
    if (last - first) / width > MOST_INTERVALS:
        raise ValueError(f"the finest width makes more than {MOST_INTERVALS} intervals")
    inner = itertools.takewhile(
        lambda bound: bound < last - _NEAR * width, (first + width * step for step in itertools.count(1))
    )
    finest = [low, *map(float, inner), high]
    levels, together = [finest], 1
    for finer, coarser in itertools.pairwise(widths):
        ratio = round(coarser / finer)
        if ratio < 2 or abs(coarser / finer - ratio) > 1e-9 * ratio:
            raise ValueError("every width must be a whole multiple of the one before")
        together *= ratio
        levels.append([*finest[:-1:together], high])
    return [list(dict.fromkeys(level)) for level in levels]


def _of_levels(levels: list[list[float]]) -> NumberTree:
    for place, level in enumerate(levels, start=1):
        if len(level) < 2 or any(not low < high for low, high in itertools.pairwise(level)):
            raise ValueError(f"the bounds of level {place} do not ascend")
        if not all(map(math.isfinite, level)):
            raise ValueError(f"the bounds of level {place} are not finite")
    for place, (finer, coarser) in enumerate(itertools.pairwise(levels), start=2):
        if (coarser[0], coarser[-1]) != (finer[0], finer[-1]):
            raise ValueError(f"level {place} begins or ends elsewhere than the one before")
        if not set(coarser) <= set(finer):
            raise ValueError(f"level {place} cuts through intervals of the one before")
    if not levels:
        raise ValueError("there is no level of intervals")
    domain = Interval(levels[0][0], levels[0][-1])
    intervals = frozenset(
        Interval(low, high, high_closed=high == domain.high)
        for level in levels
        for low, high in itertools.pairwise(level)
    )
    return NumberTree({ROOT: domain}, intervals)


def _of_numbers(ancestors: Mapping[str, Sequence[str]], path: Path) -> NumberTree:
    numbers = {value: parse_number(value.strip()) for value in ancestors}
    known = sorted(number for number in numbers.values() if number is not None and math.isfinite(number))
    if len(known) < len(numbers):
        raise InputError(
            f"{path}: {counted(len(numbers) - len(known), 'value is no finite number', 'values are no finite numbers')}"
        )
    if len(set(known)) < len(known):
        raise InputError(
            f"{path}: {len(known) - len(set(known))} numbers are listed again in another way of writing"
        )
    rank = {number: place for place, number in enumerate(known)}
    below: dict[str, set[float]] = {}
    for value, labels in ancestors.items():
        for label in labels:
            below.setdefault(label, set()).add(numbers[value] or 0.0)
    # A cell of such a label could be meant as the number.
    both = sum(
        parse_number(label) in rank and {parse_number(label)} != found for label, found in below.items()
    )
    if both:
        raise InputError(f"{path}: {counted(both, 'label is a value', 'labels are values')} as well")
    overlapping = sum(rank[max(found)] - rank[min(found)] >= len(found) for found in below.values())
    if overlapping:
        raise InputError(f"{path}: {overlapping} labels have a number of another between their own")
    return NumberTree(
        {label: Interval(min(found), max(found)) for label, found in below.items()}, frozenset()
    )
