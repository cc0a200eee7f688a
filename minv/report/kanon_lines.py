"""What `minv kanon` found, as lines for people."""

from minv.report.lines import Figures, describe_table
from minv.wording import counted


def describe_kanon(figures: Figures) -> list[str]:
    """Return lines about k-anonymous classes."""
    lines = [
        f"{counted(figures['rows'], 'row')} in {counted(figures['classes'], 'class', 'classes')} of "
        f"{figures['average_class_size']:.2f} on average, "
        f"k = {figures['k']}",
        f"information loss (SSE/SST) {figures['il']:.4f} %",
    ]
    if figures["ncp"] is None:
        lines.append("no NCP: numbers are missing")
    else:
        lines.append(f"normalised certainty penalty {figures['ncp']:.6f}")
    if figures["lower_bound_il"] is not None:
        lines.append(
            f"proved lower bound on SSE/SST {figures['lower_bound_il']:.4f} %, gap {100 * figures['gap']:.2f} %"
        )
    if "l_diversity" in figures:
        least = figures["l_diversity"]
        lines.append(
            "every class has at least "
            f"{counted(least['distinct'], 'sensitive value', 'different sensitive values')} (entropy l-diversity "
            f"{least['entropy']:.2f})"
        )
    lines += describe_table(figures)
    lines.append(
        f"{figures['method']} on {figures['objective'].upper()}, seed {figures['seed']}, {figures['seconds']:.2f} s"
    )
    return lines
