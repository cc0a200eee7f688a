"""Choose the rules that a claim calls for, and ask each."""

from minv_verifiers.dossier import Dossier
from minv_verifiers.measures import ReleaseMeasures, measure
from minv_verifiers.model import Evidence, Model
from minv_verifiers.report.report import Report
from minv_verifiers.rules import RULES, Group, Rule

_MODEL_RULES: dict[Model, tuple[str, ...]] = {
    "m-unique": ("m-unique",),
    "m-invariant": ("m-unique", "m-invariance", "no-return"),
    "tau-safe": ("m-unique", "m-invariance", "tau-safety"),
    "equal-or-disjoint": ("m-unique", "equal-or-disjoint"),
    "k-anonymous": ("k-anonymity",),
}


def model_rules(evidence: Evidence) -> tuple[str, ...]:
    """Names of the rules that make up what is claimed."""
    names = _MODEL_RULES[evidence.claims.model]
    if evidence.claims.l_distinct is not None:
        names += ("distinct-l-diversity",)
    if evidence.claims.l_entropy is not None:
        names += ("entropy-l-diversity",)
    return names


def applicable_rules(evidence: Evidence) -> list[Rule]:
    """Return the rules of the claimed model, of every release, and of the series format where the input is one."""
    groups = {Group.SHAPE, Group.CUSTODIAN}
    if any(column.intervals is not None for column in evidence.quasi_identifiers):
        groups.add(Group.INTERVALS)
    if evidence.folder is not None:
        groups |= {Group.FORMAT, Group.PRIVATE}
    claimed = model_rules(evidence)
    return [rule for rule in RULES.values() if rule.name in claimed or rule.group in groups]


def judge(evidence: Evidence) -> Report:
    """Ask every applicable rule; the rules never depend on each other's answers."""
    dossier = Dossier(evidence)
    outcomes = tuple(rule.check(dossier) for rule in applicable_rules(evidence))
    measures: tuple[ReleaseMeasures, ...] = ()
    if not evidence.defect:
        measures = tuple(measure(dossier, release) for release in evidence.tables)
    return Report(
        claims=evidence.claims,
        claimed=model_rules(evidence),
        mode=_mode(evidence),
        outcomes=outcomes,
        measures=measures,
        notes=evidence.notes,
    )


def _mode(evidence: Evidence) -> str:
    if evidence.folder is not None:
        return "custodian" if evidence.folder.private is not None else "public"
    return "custodian" if any(release.truth is not None for release in evidence.tables) else "public"
