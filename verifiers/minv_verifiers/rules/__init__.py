"""The rules, one finder each, registered by importing their modules; `RULES` holds them by name."""

from minv_verifiers.rules import (
    counterfeits,
    custodian,
    diversity,
    intervals,
    invariance,
    loss,
    manifest,
    order,
    private,
    shape,
    tightness,
    uniqueness,
    updates,
    whitelist,
)
from minv_verifiers.rules.registry import Group, Rule, registered

# The model first, the private part last; within a group by module.
RULES = dict(sorted(registered().items(), key=lambda item: list(Group).index(item[1].group)))

__all__ = [
    "RULES",
    "Group",
    "Rule",
    "counterfeits",
    "custodian",
    "diversity",
    "intervals",
    "invariance",
    "loss",
    "manifest",
    "order",
    "private",
    "shape",
    "tightness",
    "uniqueness",
    "updates",
    "whitelist",
]
