"""What a command found, as lines for people."""

from collections.abc import Mapping
from typing import Any

from minv.wording import counted, form

Figures = Mapping[str, Any]


def describe_partition(figures: Figures) -> list[str]:
    """Return lines about the loss of a partition, its bound and how it was found."""
    lines = [
        f"{counted(figures['rows'], 'row')} in {counted(figures['classes'], 'class', 'classes')}, m = {figures['m']}",
        f"information loss {figures['il']:.4f} %",
    ]
    bound = figures["lower_bound_il"]
    if bound is None:
        lines.append("no lower bound: none was proved in this run")
    else:
        lines.append(f"proved lower bound {bound:.4f} %, gap {100 * figures['gap']:.2f} %")
    lines += [
        f"  {step['name']}: {step['il']:.4f} % after {step['seconds']:.2f} s" for step in figures["steps"]
    ]
    lines.append(
        f"{figures['method']}, {figures['solver']}, seed {figures['seed']}, {figures['seconds']:.2f} s"
    )
    return lines


def describe_table(figures: Figures) -> list[str]:
    """Return lines about rows that were left out and missing values that were kept."""
    lines = [
        f"dropped {counted(count, 'row')} without {name!r}" for name, count in figures["dropped"].items()
    ]
    lines += [
        f"{counted(count, 'missing value')} of {name!r} {form(count, 'is', 'are')} a category"
        for name, count in figures["missing_values"].items()
    ]
    return lines


def describe_release(figures: Figures, path: str) -> list[str]:
    """Return lines about a published release."""
    counts = [
        counted(figures[name], name.removesuffix("s"), name)
        for name in ("counterfeits", "suppressed", "deleted")
        if figures[name]
    ]
    return [
        f"release {figures['release']} published: {path}",
        *describe_partition(figures),
        *([", ".join(counts)] if counts else []),
        *describe_comparison(figures),
        *describe_table(figures),
    ]


def describe_comparison(figures: Figures) -> list[str]:
    """Return a table of this release beside those of the published algorithms, where it was asked for."""
    if "staged" not in figures:
        return []
    rows = [
        ("this release", figures),
        *((f"staged {name}", found) for name, found in figures["staged"].items()),
    ]
    lines = [f"{'':>14}{'classes':>10}{'counterfeits':>14}{'loss %':>10}"]
    lines += [
        f"{name:>14}  no answer: the new rows are not m-eligible"
        if found is None
        else f"{name:>14}{found['classes']:>10}{found['counterfeits']:>14}{found['il']:>10.4f}"
        for name, found in rows
    ]
    return lines


def describe_check(figures: Figures) -> list[str]:
    """Return lines about a table that might be published."""
    sensitive = figures["sensitive"]
    lines = [counted(figures["rows"], "row")]
    lines += [
        f"  {q['name']}: {q['kind']}, {counted(q['distinct'], 'value')}" for q in figures["quasi_identifiers"]
    ]
    lines += [
        f"  {sensitive['name']}: sensitive, {counted(sensitive['distinct'], 'value')}, the most frequent in "
        f"{counted(sensitive['most_frequent'], 'row')}",
        *describe_table(figures),
        f"largest feasible m without counterfeits: {figures['largest_m']}",
    ]
    if "m" in figures:
        lines.append(_eligibility(figures))
    if "new" in figures:
        lines.append(
            f"{counted(figures['new'], 'new person')}, {figures['remembered']} published before, of "
            f"whom {figures['suppressed']} "
            f"must be suppressed and {counted(figures['disjoint'], 'needs', 'need')} a disjoint signature"
        )
    if figures.get("counterfeits") is not None:
        lines.append(f"the next release needs {counted(figures['counterfeits'], 'counterfeit')}, no fewer")
    return lines


def _eligibility(figures: Figures) -> str:
    if figures["eligible"]:
        return f"m = {figures['m']} is feasible"
    needed = figures["counterfeits_for_eligibility"]
    if needed is None:
        return f"m = {figures['m']} is infeasible: fewer than {figures['m']} different sensitive values"
    return f"m = {figures['m']} is infeasible without {counted(needed, 'counterfeit')} (--counterfeits eligibility)"


def describe_series(figures: Figures) -> list[str]:
    """Return a table of the releases of a series, and lines about its persons."""
    columns = ("release", "rows", "classes", "counterfeits", "suppressed", "deleted", "signatures", "bytes")
    table = [columns, *([f"{release[name]}" for name in columns] for release in figures["releases"])]
    widths = [max(len(row[place]) for row in table) for place in range(len(columns))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    spans = ", ".join(f"{persons} with {number}" for number, persons in figures["lifespans"].items())
    return [
        f"{figures['path']}: {figures['model']}, m = {figures['m']}, updates: {figures['on_update']}",
        *lines,
        f"{counted(figures['persons'], 'person')} ever published; lifespans: {spans or 'none'}",
        f"{counted(figures['signatures'], 'signature')} remembered; {figures['bytes']} bytes in all",
    ]
