"""The report as JUnit XML, one test case a rule."""

import xml.etree.ElementTree as ElementTree

from minv_verifiers.outcome import RuleOutcome, Status
from minv_verifiers.report.report import Report
from minv_verifiers.report.safe import printable, show


def junit_xml(report: Report, *, show_values: bool = False) -> str:
    """Return the report as an XML document.

    A violated rule is a failure, one that cannot be checked is skipped (an error where it was claimed by name),
    a warning passes with its text as output.
    """
    suite = ElementTree.Element("testsuite", name="minv-verify")
    failures = errors = skipped = 0
    for outcome in report.outcomes:
        case = ElementTree.SubElement(suite, "testcase", classname="minv-verify", name=outcome.rule)
        if outcome.status is Status.VIOLATED:
            failures += 1
            failure = ElementTree.SubElement(case, "failure", message=f"{len(outcome.witnesses)} violations")
            failure.text = _witness_lines(outcome, show_values)
        elif outcome.status is Status.NOT_CHECKABLE:
            claimed = report.claims.explicit and outcome.rule in report.claimed
            errors, skipped = errors + claimed, skipped + (not claimed)
            ElementTree.SubElement(case, "error" if claimed else "skipped", message=printable(outcome.reason))
        elif outcome.status is Status.WARNING:
            ElementTree.SubElement(case, "system-out").text = _witness_lines(outcome, show_values)
    for name, count in (
        ("tests", len(report.outcomes)),
        ("failures", failures),
        ("errors", errors),
        ("skipped", skipped),
    ):
        suite.set(name, str(count))
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True)


def _witness_lines(outcome: RuleOutcome, show_values: bool) -> str:
    return "\n".join(
        printable(f"{witness.place}: {witness.message}" if witness.place else witness.message)
        + (f" [{show(dict(witness.raw))}]" if show_values and witness.raw else "")
        for witness in outcome.witnesses
    )
