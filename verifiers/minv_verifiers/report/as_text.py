"""The report for people."""

from rich.console import Console
from rich.text import Text

from minv_verifiers.measures import ReleaseMeasures
from minv_verifiers.outcome import RuleOutcome, Status, Witness
from minv_verifiers.report.report import Report
from minv_verifiers.report.safe import printable, show
from minv_verifiers.wording import counted

_SHOWN = 20  # witnesses of one rule; the JSON lists them all
_STYLES = {
    Status.PASSED: "green",
    Status.VIOLATED: "bold red",
    Status.WARNING: "yellow",
    Status.NOT_CHECKABLE: "dim",
}


def print_report(report: Report, console: Console, *, show_values: bool = False) -> None:
    """Write the report to a console.

    Parameters
    ----------
    report
        The report.
    console
        Where to.
    show_values
        Show the raw values of witnesses.
    """
    for note in report.notes:
        console.print(Text(f"note: {printable(note)}", style="dim"), soft_wrap=True)
    for measures in report.measures:
        console.print(Text(_figures(measures)), soft_wrap=True)
    for outcome in report.outcomes:
        for line in _lines(outcome, show_values):
            console.print(line, soft_wrap=True)
    console.print(Text(_summary(report), style="bold"), soft_wrap=True)


def _figures(measures: ReleaseMeasures) -> str:
    parts = [
        counted(measures.rows, "row"),
        f"{counted(measures.classes, 'class', 'classes')} of {measures.smallest_class} to {measures.largest_class}",
    ]
    if measures.distinct_l is not None and measures.entropy_l is not None:
        parts.append(f"l-diversity {measures.distinct_l} (distinct), {measures.entropy_l:.4g} (entropy)")
    if measures.counterfeits is not None:
        parts.append(counted(measures.counterfeits, "counterfeit"))
    if measures.il is not None and measures.ncp is not None:
        parts.append(f"IL {measures.il:.4g} %, NCP {measures.ncp:.4g}")
    return f"release {measures.release}: " + ", ".join(parts)


def _lines(outcome: RuleOutcome, show_values: bool) -> list[Text]:
    head = Text(f"{outcome.status.value:<14}", style=_STYLES[outcome.status]).append(
        outcome.rule, style="bold"
    )
    if outcome.reason:
        head.append(f": {printable(outcome.reason)}", style="dim")
    lines = [head]
    lines += [Text("  " + _describe(witness, show_values)) for witness in outcome.witnesses[:_SHOWN]]
    if len(outcome.witnesses) > _SHOWN:
        lines.append(Text(f"  ... and {len(outcome.witnesses) - _SHOWN} more (--json lists all)"))
    return lines


def _describe(witness: Witness, show_values: bool) -> str:
    place = f"{witness.place}: " if witness.place else ""
    values = f" [{show(dict(witness.raw))}]" if show_values and witness.raw else ""
    return printable(place + witness.message) + values


def _summary(report: Report) -> str:
    counts = {status: len(report.having(status)) for status in Status}
    tally = ", ".join(f"{count} {status.value}" for status, count in counts.items() if count)
    model = f"{report.claims.model}, m = {report.claims.m or 'not stated'}"
    text = f"{report.verdict.upper()} ({model}; {report.mode} mode): {tally}"
    if report.verdict == "passed" and report.unjudged:
        text += f"; not established: {', '.join(outcome.rule for outcome in report.unjudged)}"
    return text
