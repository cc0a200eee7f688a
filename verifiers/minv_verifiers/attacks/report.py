"""The attack's findings as text and as JSON."""

from typing import Any

import numpy as np
from rich.console import Console
from rich.text import Text

from minv_verifiers.attacks.attacker import GUARANTEED, AttackReport, exceeds
from minv_verifiers.attacks.inference import Inference
from minv_verifiers.report.safe import printable, show
from minv_verifiers.wording import counted

SCHEMA_VERSION = 1
_SHOWN = 20


def print_attack(report: AttackReport, console: Console, *, show_values: bool = False) -> None:
    """Write the findings for people; ids and values only where wanted."""
    for inference in report.inferences:
        style = "bold red" if inference.level in report.breached else ""
        exact = "" if inference.exact else " at least"
        head = (
            f"level {inference.level}: worst confidence{exact} {inference.worst:.4g}, mean {inference.mean:.4g}, "
            f"{counted(len(inference.persons), 'person', 'people')}; 1/m = {1 / report.m:.4g}"
        )
        console.print(Text(head, style=style), soft_wrap=True)
        console.print(Text(f"  {inference.assumption}", style="dim"), soft_wrap=True)
        if inference.remark:
            console.print(Text(f"  {inference.remark}", style="dim"), soft_wrap=True)
        shares = ", ".join(
            f"{count} at {confidence:g}" for confidence, count in inference.distribution()[:_SHOWN]
        )
        if shares:
            console.print(Text(f"  confidence: {shares}"), soft_wrap=True)
        if show_values:
            for place in _at_risk(report, inference)[:_SHOWN]:
                console.print(Text(f"  {show(_person(report, inference, int(place)))}"), soft_wrap=True)
    for level, reason in report.not_run.items():
        console.print(Text(f"level {level}: not run: {printable(reason)}", style="dim"), soft_wrap=True)
    console.print(Text(_verdict(report), style="bold"), soft_wrap=True)


def _verdict(report: AttackReport) -> str:
    if report.breached:
        levels = ", ".join(map(str, report.breached))
        return f"BREACHED: more than 1/m at level {levels}, which m-invariance rules out"
    ran = [inference.level for inference in report.inferences if inference.level in GUARANTEED]
    if ran:
        return f"HELD: at most 1/m at level {', '.join(map(str, ran))}"
    return "no level within the guarantee was run"


def _at_risk(report: AttackReport, inference: Inference) -> np.ndarray:
    """Return the places of those above 1/m, the most exposed first."""
    order = np.argsort(-inference.confidence, kind="stable")
    above = [place for place in order if exceeds(float(inference.confidence[place]), report.m)]
    return np.array(above, dtype=np.int64)


def _person(report: AttackReport, inference: Inference, place: int) -> dict[str, object]:
    return {
        "id": report.dossier.person(int(inference.persons[place])),
        "confidence": round(float(inference.confidence[place]), 9),
        "candidates": [report.value(inference, int(code)) for code in inference.candidates(place)],
    }


def attack_object(report: AttackReport, *, show_values: bool = False) -> dict[str, Any]:
    """Return the findings as plain objects (schema: `attack.schema.json`).

    With `show_values` every person is listed with the candidates that remain.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "model": report.model,
        "m": report.m,
        "breached": list(report.breached),
        "levels": [_level(report, inference, show_values) for inference in report.inferences],
        "not_run": [{"level": level, "reason": reason} for level, reason in report.not_run.items()],
    }


def _level(report: AttackReport, inference: Inference, show_values: bool) -> dict[str, Any]:
    result: dict[str, Any] = {
        "level": inference.level,
        "assumption": inference.assumption,
        "remark": inference.remark,
        "exact": inference.exact,
        "people": len(inference.persons),
        "worst": inference.worst,
        "mean": inference.mean,
        "above": len(_at_risk(report, inference)),
        "distribution": [
            {"confidence": confidence, "people": count} for confidence, count in inference.distribution()
        ],
    }
    if show_values:
        result["persons"] = [_person(report, inference, place) for place in range(len(inference.persons))]
    return result
