"""What `minv check` finds out about a table, alone or as the next release of a series."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minv.errors import InfeasibleError, UsageError
from minv.publish.editions import plan_editions
from minv.publish.engine import Policy
from minv.publish.feasibility import check_counts, feasibility
from minv.publish.figures import check_figures, plan_figures, table_figures
from minv.publish.series import Series
from minv.publish.terms import Terms
from minv.tables.missing import parse_missing
from minv.tables.roles import Roles, quasi_identifiers
from minv.tables.source import Source
from minv.tables.validation import read_microdata


@dataclass(frozen=True, eq=False)
class Checked:
    """The findings.

    Attributes
    ----------
    figures
        What `minv check --json` prints.
    fault
        Why the table has no admissible partition, or None.
    """

    figures: dict[str, Any]
    warnings: tuple[str, ...]
    fault: InfeasibleError | None


def check_table_alone(source: Source, terms: Terms) -> Checked:
    """Check a table that belongs to no series yet.

    Parameters
    ----------
    terms
        At least quasi-identifiers and the sensitive column; m where it is to be checked.

    Raises
    ------
    DataError, UsageError
        The table cannot be used, or the terms make no sense.
    """
    if not terms.sensitive:
        raise UsageError("name the sensitive column (--sensitive COLUMN)")
    roles = Roles(quasi_identifiers(terms.quasi_identifiers or ()), terms.sensitive, terms.id)
    rules = parse_missing(terms.missing or (), terms.missing_codes or (), roles.columns)
    microdata = read_microdata(source, roles, rules)
    found = feasibility(microdata.colour_counts)
    figures = check_figures(microdata, found, terms.m) | table_figures(microdata, roles, rules)
    fault = None
    if terms.m is not None:
        try:
            check_counts(microdata.colour_counts, microdata.sensitive_values, terms.m, terms.max_class_size)
        except InfeasibleError as error:
            fault = error
    return Checked(figures, microdata.warnings, fault)


def check_for_series(source: Source, path: Path, terms: Terms) -> Checked:
    """Check a table as the next release of a series.

    Raises
    ------
    DataError, UsageError
        The table or the series cannot be used, or the terms are not those of the series.
    InfeasibleError
        An update would be given away.
    LimitError
        The least number of counterfeits could not be proved.
    """
    series = Series.open(path, terms)
    plan = series.plan(source)
    settings = series.settings
    microdata = plan.microdata
    found = feasibility(microdata.colour_counts)
    figures = check_figures(microdata, found, settings.m)
    figures |= table_figures(microdata, settings.roles, settings.missing) | plan_figures(plan)
    fault = None
    try:
        figures["counterfeits"] = plan_editions(plan.instance, Policy(), len(plan.colours)).counterfeits
    except InfeasibleError as error:
        figures["counterfeits"], fault = None, error
    return Checked(figures, microdata.warnings, fault)
