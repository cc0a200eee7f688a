"""Pictures like the COAA paper's figures 4 to 8."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from minv.errors import UsageError
from minv.reproduce.clustering import (
    DIMENSIONS,
    GROUP_SIZES,
    METHODS,
    ROWS,
    SWEEP_DIMENSION,
    SWEEP_K,
    Measurement,
)

MARKS = ("o", "s", "^", "D")
LABELS = {
    "k": "k",
    "dimension": "number of quasi-identifiers",
    "rows": "number of records",
    "loss": "information loss",
    "seconds": "seconds",
}


def need_pictures() -> None:
    """Refuse to begin where matplotlib is not installed.

    Raises
    ------
    UsageError
        It is not.
    """
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise UsageError("pictures need matplotlib: pip install 'minv[pictures]'") from None


def draw(folder: Path, measurements: Sequence[Measurement]) -> list[Path]:
    """Write figure-4 to figure-8, each as PNG and SVG; return their paths."""
    frame = pd.DataFrame(measurements)
    full = frame[frame["rows"] == ROWS]
    sweep = frame[(frame["k"] == SWEEP_K) & (frame["dimension"] == SWEEP_DIMENSION)]
    figures = {
        4: [(f"k = {k}", full[full["k"] == k], "dimension", "loss") for k in GROUP_SIZES],
        5: [(f"|B| = {d}", full[full["dimension"] == d], "k", "loss") for d in DIMENSIONS],
        6: [(f"k = {SWEEP_K}, |B| = {SWEEP_DIMENSION}", sweep, "rows", "loss")],
        7: [(f"|B| = {SWEEP_DIMENSION}", full[full["dimension"] == SWEEP_DIMENSION], "k", "seconds")],
        8: [(f"k = {SWEEP_K}, |B| = {SWEEP_DIMENSION}", sweep, "rows", "seconds")],
    }
    return [path for number, panels in figures.items() for path in _write(folder, number, panels)]


def _write(folder: Path, number: int, panels: list[tuple[str, pd.DataFrame, str, str]]) -> list[Path]:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    side = 1 if len(panels) == 1 else 2
    figure = Figure(figsize=(4.5 * side, 3.4 * side), layout="constrained")
    axes: Any = figure.subplots(side, side, squeeze=False)
    for axis, (title, data, abscissa, ordinate) in zip(axes.flat, panels, strict=True):
        means = data.pivot_table(index=abscissa, columns="method", values=ordinate)
        for mark, name in zip(MARKS, METHODS, strict=True):
            axis.plot(means.index, means[name], marker=mark, label=name)
        axis.set(title=title, xlabel=LABELS[abscissa], ylabel=LABELS[ordinate])
        axis.legend()
    paths = [folder / f"figure-{number}.{kind}" for kind in ("png", "svg")]
    with rc_context({"svg.hashsalt": "minv"}):  # the same measurements give the same bytes
        for path in paths:
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths
