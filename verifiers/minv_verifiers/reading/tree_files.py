"""Reading a generalisation tree from a file in the manner of ARX."""

from pathlib import Path

from minv_verifiers.cells.tree import Tree
from minv_verifiers.errors import InputError
from minv_verifiers.wording import counted


def read_tree(path: Path) -> Tree:
    """Read one line a value: the value, then ever more general labels up to the root, parted by `;`.

    Raises
    ------
    InputError
        The file cannot be read, a line has no root, or a value has two lines.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: not a readable text file in UTF-8") from None
    paths = [line.split(";") for line in lines if line]
    ancestors = {value: above for value, *above in paths}
    if not paths or any(not above for above in ancestors.values()):
        raise InputError(f"{path}: a line needs a value and the labels above it, parted by ;")
    if len(ancestors) < len(paths):
        raise InputError(
            f"{path}: {counted(len(paths) - len(ancestors), 'line is', 'lines are')} of a value that has one already"
        )
    if len({above[-1] for above in ancestors.values()}) > 1:
        raise InputError(f"{path}: the lines end in different labels; the last is the root of all")
    return Tree(ancestors)
