"""Results as the JSON objects that scripts rely on (docs/command-line.md)."""

from typing import Any

from minv.publish.engine import Solution
from minv.publish.feasibility import Feasibility
from minv.publish.release import ReleasePlan
from minv.publish.result import Partition
from minv.series.folder import State
from minv.series.overview import Overview
from minv.tables.microdata import Microdata
from minv.tables.missing import MissingRules
from minv.tables.roles import Roles

SCHEMA_VERSION = 1


def partition_figures(found: Partition, *, seed: int) -> dict[str, Any]:
    """Return what is known about a partition, by the names of the command line's contract.

    Parameters
    ----------
    seed
        The user's seed, which may differ from the one that the engine was given.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "rows": len(found.labels),
        "classes": found.classes,
        "m": found.m,
        "sse": found.sse,
        "sst": found.sst,
        "il": found.il,
        "lower_bound_il": 0.0 if found.il <= 0 else found.lower_bound_il,
        "lp_bound_il": found.lp_bound_il,
        "certified_bound_il": found.certified_bound_il,
        "gap": found.gap,
        "seconds": found.seconds,
        "seed": seed,
        "method": found.method,
        "status": found.status,
        "solver": found.solver,
        "steps": [{"name": step.name, "il": step.il, "seconds": step.seconds} for step in found.steps],
    }


def release_figures(state: State, plan: ReleasePlan, solution: Solution, *, seed: int) -> dict[str, Any]:
    """Return what is known about a release that is about to be written, but for the seconds it took.

    Parameters
    ----------
    seed
        The user's.
    """
    settings = state.settings
    return {
        **partition_figures(solution.partition, seed=seed),
        **table_figures(plan.microdata, settings.roles, settings.missing),
        "release": state.next_release,
        "rows": len(plan.rows) - len(solution.deleted),
        "counterfeits": len(solution.counterfeits),
        "suppressed": len(plan.suppressed),
        "deleted": len(solution.deleted),
        "remembered": plan.remembered,
        "disjoint": plan.disjoint,
    }


def table_figures(microdata: Microdata, roles: Roles, missing: MissingRules) -> dict[str, Any]:
    """Return what was read, what was dropped, and by which rules."""
    return {
        "input_rows": microdata.input_rows,
        "dropped": dict(microdata.dropped),
        "missing": missing_policies(roles, missing),
        "missing_values": dict(microdata.missing),
        "warnings": list(microdata.warnings),
    }


def missing_policies(roles: Roles, missing: MissingRules) -> dict[str, str]:
    """Return the policy for missing values of every column that may have some."""
    return {name: str(missing.policy(name)) for name in roles.columns if name != roles.id}


def check_figures(microdata: Microdata, found: Feasibility, m: int | None) -> dict[str, Any]:
    """Return what `minv check` tells: roles, frequencies, and what m they allow."""
    figures: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "rows": found.rows,
        "quasi_identifiers": [
            {"name": a.name, "kind": str(a.kind), "distinct": len(set(a.texts().tolist()))}
            for a in microdata.attributes
        ],
        "sensitive": {
            "name": microdata.sensitive,
            "distinct": found.distinct,
            "most_frequent": found.most_frequent,
        },
        "largest_m": found.largest_m,
    }
    if m is not None:
        figures |= {
            "m": m,
            "eligible": m <= found.largest_m,
            "counterfeits_for_eligibility": found.counterfeits(m),
        }
    return figures


def plan_figures(plan: ReleasePlan) -> dict[str, Any]:
    """Return how a table continues a series."""
    return {
        "new": plan.microdata.size - plan.remembered,
        "remembered": plan.remembered,
        "suppressed": len(plan.suppressed),
        "disjoint": plan.disjoint,
    }


def series_figures(path: str, found: Overview) -> dict[str, Any]:
    """Return what `minv series` tells."""
    settings = found.settings
    return {
        "schema_version": SCHEMA_VERSION,
        "path": path,
        "model": str(settings.model),
        "on_update": str(settings.on_update),
        "m": settings.m,
        "releases": [
            {
                "release": release.number,
                "rows": release.rows,
                "classes": release.classes,
                "counterfeits": release.counterfeits,
                "suppressed": release.suppressed,
                "deleted": release.deleted,
                "signatures": release.signatures,
                "bytes": release.public_bytes + release.private_bytes,
            }
            for release in found.releases
        ],
        "persons": found.persons,
        "lifespans": {str(number): persons for number, persons in found.lifespans.items()},
        "signatures": found.signatures,
        "bytes": found.bytes,
    }
