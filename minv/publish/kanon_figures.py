"""k-anonymous classes as the JSON object that scripts rely on (docs/command-line.md)."""

from typing import Any

from minv.publish.diversity import diversity
from minv.publish.figures import SCHEMA_VERSION, table_figures
from minv.publish.kanon import Anonymisation
from minv.tables.missing import MissingRules
from minv.tables.roles import NO_COLUMN, Roles


def kanon_figures(found: Anonymisation, roles: Roles, missing: MissingRules) -> dict[str, Any]:
    """Return what is known about k-anonymous classes; l-diversity where there is a sensitive column."""
    figures: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "rows": len(found.labels),
        "classes": found.classes,
        "k": found.k,
        "sse": found.sse,
        "sst": found.sst,
        "il": found.il,
        "ncp": found.ncp,
        "discernibility": found.discernibility,
        "average_class_size": found.average_class_size,
        "objective": found.objective,
        "lower_bound_il": found.lower_bound_il,
        "gap": found.gap,
        "status": found.status,
        "method": found.method,
        "seed": found.seed,
        "solver": found.solver,
        "seconds": found.seconds,
    }
    if roles.sensitive != NO_COLUMN:
        least = diversity(found.labels, found.microdata.colours)
        figures["l_diversity"] = {"distinct": least.distinct, "entropy": least.entropy}
    figures |= table_figures(found.microdata, roles, missing)
    return figures | {"warnings": [*figures["warnings"], *found.warnings]}
