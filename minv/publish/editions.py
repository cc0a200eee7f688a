"""From a publisher's policy to the counterfeits and deletions of one release."""

import numpy as np

from minv.compiled import IntArray
from minv.errors import InfeasibleError
from minv.heuristics.balancing import classify, least_editions
from minv.heuristics.editions import Allowance, Editions
from minv.instance import FREE, Instance
from minv.publish.engine import Policy
from minv.wording import counted


def allowance(policy: Policy) -> Allowance:
    """Return what a policy allows."""
    return Allowance(
        completing=policy.counterfeits != "forbid",
        adding=policy.counterfeits == "eligibility",
        deletions=policy.deletions,
    )


def plan_editions(instance: Instance, policy: Policy, values: int) -> Editions:
    """Return the fewest counterfeits and deletions that a policy allows.

    Parameters
    ----------
    values
        Number of values of the domain, of which the counterfeits of new classes are drawn.

    Raises
    ------
    InfeasibleError
        They do not suffice, or the domain is too small.
    """
    found = least_editions(instance, list(classify(instance).values()), allowance(policy))
    if found.adding and values < instance.m:
        raise InfeasibleError(
            f"classes of new rows need {instance.m} different sensitive values, and the domain has {values}; "
            "declare it with --domain when the series is created"
        )
    if instance.size and int(found.deleted.sum()) == instance.size:
        raise InfeasibleError(
            f"all {counted(instance.size, 'row')} would have to be left out; wait for more rows, or "
            "allow counterfeits "
            "(--counterfeits eligibility)"
        )
    return found


def choose_deleted(instance: Instance, counts: IntArray) -> IntArray:
    """Return the free points to leave out: of each colour those farthest from the mean of all points.

    Parameters
    ----------
    counts
        (L,) how many of each colour.
    """
    assert instance.required is not None
    free = np.flatnonzero(instance.required == FREE)
    distances = ((instance.points - instance.points.mean(axis=0)) ** 2).sum(axis=1)
    chosen = []
    for colour in np.flatnonzero(counts).tolist():
        candidates = free[instance.colours[free] == colour]
        order = np.argsort(-distances[candidates], kind="stable")
        chosen.append(candidates[order[: int(counts[colour])]])
    return np.sort(np.concatenate([np.zeros(0, np.int64), *chosen]))


def adding_counterfeits(
    instance: Instance, labels: IntArray, values: int, seed: int
) -> tuple[tuple[int, int], ...]:
    """Return class and colour of the counterfeits that new classes need to have m different values.

    The colours are drawn from the whole domain, evenly and whatever the members have: so which of the values
    of a class is a counterfeit does not show in the values themselves.

    Parameters
    ----------
    labels
        (n,) class of each point.
    values
        Number of colours of the domain.
    seed
        Of the draw.
    """
    assert instance.required is not None
    rng = np.random.default_rng(seed)
    old = set(labels[instance.required != FREE].tolist())
    sizes = np.bincount(labels)
    found = []
    for label in np.flatnonzero(sizes < instance.m).tolist():
        if label not in old:
            absent = np.setdiff1d(np.arange(values), instance.colours[labels == label])
            drawn = rng.choice(absent, instance.m - int(sizes[label]), replace=False)
            found += [(label, int(colour)) for colour in np.sort(drawn)]
    return tuple(found)
