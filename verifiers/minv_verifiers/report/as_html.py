"""The report as one self-contained HTML file."""

import jinja2

from minv_verifiers.report.report import Report
from minv_verifiers.report.safe import printable, show
from minv_verifiers.rules import RULES


def html_page(report: Report, *, show_values: bool = False) -> str:
    """Return the report as a page that loads nothing from elsewhere; every text is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("minv_verifiers.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters.update(printable=printable, show=show)
    return environment.get_template("report.html.j2").render(
        report=report, rules=RULES, show_values=show_values
    )
