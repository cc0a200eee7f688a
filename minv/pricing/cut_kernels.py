"""How cuts enter the bound of a box (compiled; docs/bound.md).

A cut with penalty p on the triple T charges p to a cluster C that holds two or more rows of T. For use in bounds the
charge is replaced by a linear one that is never larger: either p/2 for each row of T in C, less p/2; or p for each of
two chosen rows of T in C, less p.
"""

from minv.compiled import FloatArray, IntArray, kernel

NEITHER, HALVES, PAIR = 0, 1, 2


@kernel
def charge_cuts(
    triples: IntArray,
    cuts_of_row: IntArray,
    cut_starts: IntArray,
    penalties: FloatArray,
    cluster: IntArray,
    size: int,
    hits: IntArray,
    form: IntArray,
    charged: IntArray,
    count: int,
    shift: FloatArray,
) -> tuple[int, float, bool]:
    """Choose linear charges that make this cluster dearer.

    A cut that the cluster meets for the first time is charged in halves; one that is charged in halves and met in
    two rows is charged on that pair.

    hits
        Scratch, all 0, one a cut.
    form
        How each cut is charged; `charged[:count]` lists the cuts that are.
    shift
        What is charged to each row.

    Returns
    -------
    The number of charged cuts, the rise of the constant to subtract, and whether anything changed.
    """
    constant = 0.0
    changed = False
    for k in range(size):
        for entry in range(cut_starts[cluster[k]], cut_starts[cluster[k] + 1]):
            hits[cuts_of_row[entry]] += 1
    for k in range(size):
        for entry in range(cut_starts[cluster[k]], cut_starts[cluster[k] + 1]):
            cut = cuts_of_row[entry]
            met = hits[cut]
            hits[cut] = 0
            if met < 2 or penalties[cut] <= 0.0:
                continue
            half = 0.5 * penalties[cut]
            if form[cut] == NEITHER:
                form[cut] = HALVES
                charged[count] = cut
                count += 1
                for a in range(3):
                    shift[triples[cut, a]] += half
            elif form[cut] == HALVES and met == 2:
                form[cut] = PAIR
                for a in range(3):
                    row = triples[cut, a]
                    member = False
                    for b in range(size):
                        member = member or cluster[b] == row
                    shift[row] += half if member else -half
            else:
                continue
            constant += half
            changed = True
    return count, constant, changed


@kernel
def discharge_cuts(
    triples: IntArray, form: IntArray, charged: IntArray, count: int, shift: FloatArray
) -> None:
    """Undo all charges."""
    for k in range(count):
        cut = charged[k]
        form[cut] = NEITHER
        for a in range(3):
            shift[triples[cut, a]] = 0.0
