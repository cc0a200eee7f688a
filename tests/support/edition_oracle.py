"""The fewest counterfeits of a release by other means: every partition of its points, or one integer program."""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from minv.heuristics.editions import Allowance
from minv.instance import FREE, Instance


def fewest_by_enumeration(instance: Instance, allowance: Allowance) -> tuple[int, int] | None:
    """Return the fewest editions and, of those, the fewest deletions; None where nothing is allowed.

    Straight from the model: a class has different colours; if some of its points require a signature, all that
    require one require the same, and counterfeits stand for what it lacks; else it has m to max_size members.
    """
    assert instance.required is not None
    best = None
    for blocks, deleted in _choices(list(range(instance.size)), instance, allowance.deletions):
        completing, adding = 0, 0
        for block in blocks:
            wanted = {int(instance.required[point]) for point in block} - {FREE}
            colours = {int(instance.colours[point]) for point in block}
            if wanted:
                signature = set(instance.signatures[wanted.pop()])
                if wanted or not colours <= signature:
                    break
                completing += len(signature) - len(block)
            elif len(block) > instance.max_size:
                break
            else:
                adding += max(0, instance.m - len(block))
        else:
            if (completing and not allowance.completing) or (adding and not allowance.adding):
                continue
            found = (completing + adding + deleted, deleted)
            best = found if best is None else min(best, found)
    return best


def fewest_by_program(instance: Instance) -> int:
    """Return the fewest counterfeits that complete required signatures, by one integer program over counts alone.

    For each bucket its number of classes and how many free points of each colour fill it; for the other free points
    the number of their classes, of `m` to `max_size` different colours.
    """
    assert instance.required is not None
    old = instance.required != FREE
    free = np.bincount(instance.colours[~old], minlength=int(instance.colours.max(initial=-1)) + 1)
    buckets = np.unique(instance.required[old]).tolist()
    cells = [(place, c) for place, bucket in enumerate(buckets) for c in instance.signatures[bucket]]
    size = len(buckets) + len(cells) + 1  # classes of each bucket, fillers of each cell, new classes
    filler = {cell: len(buckets) + place for place, cell in enumerate(cells)}
    cost, most, rows, least = np.zeros(size), np.full(size, np.inf), [], []
    rest = np.zeros(size)
    for place, colour in cells:
        held = int(np.count_nonzero((instance.required == buckets[place]) & (instance.colours == colour)))
        cost[place] += 1
        cost[filler[place, colour]] = rest[filler[place, colour]] = -1
        row = np.zeros(size)
        row[place], row[filler[place, colour]] = 1, -1
        rows.append(row)
        least.append(held)
    for place, bucket in enumerate(buckets):
        most[place] = np.count_nonzero(instance.required == bucket)  # each class has one of its own points
    for colour, count in enumerate(free.tolist()):
        fillers = [place for (_, c), place in filler.items() if c == colour]
        within, nonnegative = np.zeros(size), np.zeros(size)
        within[-1], within[fillers], nonnegative[fillers] = 1, 1, -1
        rows += [within, nonnegative]
        least += [count, -count]
    for members, sign in ((instance.m, 1), (instance.max_size, -1)):
        row = sign * rest
        row[-1] = -sign * members
        rows.append(row)
        least.append(-sign * int(free.sum()))
    found = milp(
        cost,
        integrality=np.ones(size),
        bounds=Bounds(0, most),
        constraints=LinearConstraint(np.array(rows), np.array(least, dtype=np.float64), np.inf),
    )
    assert found.success
    return round(float(found.fun)) - int(np.count_nonzero(old))


def _choices(points: list[int], instance: Instance, deletions: int) -> Iterator[tuple[list[list[int]], int]]:
    """Yield every partition into blocks of different colours, with up to so many free points left out."""
    if not points:
        yield [], 0
        return
    *others, last = points
    assert instance.required is not None
    for blocks, deleted in _choices(others, instance, deletions):
        for place, block in enumerate(blocks):
            if all(instance.colours[point] != instance.colours[last] for point in block):
                yield [*blocks[:place], [*block, last], *blocks[place + 1 :]], deleted
        yield [*blocks, [last]], deleted
        if deleted < deletions and instance.required[last] == FREE:
            yield blocks, deleted + 1
