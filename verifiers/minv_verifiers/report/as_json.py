"""The report as one JSON object (schema: `report.schema.json`)."""

import math
from dataclasses import asdict
from typing import Any

from minv_verifiers.outcome import RuleOutcome, Witness
from minv_verifiers.report.report import Report
from minv_verifiers.rules import RULES

SCHEMA_VERSION = 1


def report_object(report: Report, *, show_values: bool = False) -> dict[str, Any]:
    """Return the report as plain objects.

    Parameters
    ----------
    report
        The report.
    show_values
        Include the raw values of witnesses.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "verdict": report.verdict,
        "mode": report.mode,
        "model": report.claims.model,
        "m": report.claims.m,
        "claimed": list(report.claimed),
        "notes": list(report.notes),
        "releases": [asdict(measures) for measures in report.measures],
        "rules": [_rule(outcome, show_values) for outcome in report.outcomes],
    }


def _rule(outcome: RuleOutcome, show_values: bool) -> dict[str, Any]:
    rule = RULES[outcome.rule]
    return {
        "name": rule.name,
        "group": rule.group.value,
        "definition": rule.definition,
        "source": rule.source,
        "status": outcome.status.value,
        "reason": outcome.reason,
        "witnesses": [_witness(witness, show_values) for witness in outcome.witnesses],
    }


def _witness(witness: Witness, show_values: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "message": witness.message,
        "size": witness.size if math.isfinite(witness.size) else None,
        "release": witness.release,
        "class": witness.class_id,
        "rows": list(witness.rows),
        "column": witness.column,
        "file": witness.file,
    }
    if show_values:
        result["values"] = dict(witness.raw)
    return result
