"""The fewest counterfeits and deletions of a small release, by trying every partition of its points."""

from collections.abc import Iterator

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
