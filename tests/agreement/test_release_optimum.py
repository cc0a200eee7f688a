"""Releases after the first against brute force: the fewest counterfeits, and with so few the least loss."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_releases import least_release, random_release

from minv.errors import InfeasibleError
from minv.instance import FREE, Instance
from minv.loss import information_loss, sum_of_squared_errors
from minv.publish.engine import Budget, Policy
from minv.publish.later import solve_later
from minv.publish.result import Partition
from minv.publish.solving import completing_counterfeits


@st.composite
def releases(draw: st.DrawFn) -> Instance:
    """Up to nine points, at least one of them old."""
    instance = random_release(
        draw(st.integers(0, 2**32 - 1)),
        draw(st.integers(2, 9)),
        m=draw(st.integers(2, 3)),
        dimension=draw(st.integers(1, 2)),
        grid=draw(st.booleans()),
    )
    assume(instance.continues)
    return instance


def assert_feasible(instance: Instance, found: Partition) -> int:
    """Check every class by the definition; return the number of counterfeits."""
    assert instance.required is not None
    counterfeits = completing_counterfeits(instance, found)
    for label in range(found.classes):
        members = np.flatnonzero(found.labels == label)
        colours = instance.colours[members].tolist() + [c for k, c in counterfeits if k == label]
        assert len(set(colours)) == len(colours) >= instance.m
        required = set(instance.required[members].tolist()) - {FREE}
        assert len(required) <= 1
        for index in required:
            assert set(colours) == set(instance.signatures[index])
    return len(counterfeits)


@settings(max_examples=150, deadline=None)
@given(releases())
def test_counterfeits_are_fewest_and_the_bound_holds(instance: Instance) -> None:
    """The loss lies between the least one and the start; every bound is below the least one."""
    fewest, least = least_release(instance)
    if not np.isfinite(fewest):
        with pytest.raises(InfeasibleError):
            solve_later(instance, Policy(), Budget(effort=1))
        return
    try:
        found = solve_later(instance, Policy(), Budget(effort=1))
    except InfeasibleError:
        assume(False)  # old buckets in more classes than they need would take all free points: not offered
    assert assert_feasible(instance, found) == fewest
    assert found.sse == pytest.approx(sum_of_squared_errors(instance.points, found.labels), abs=1e-9)
    assert found.sse >= least - 1e-9
    il = information_loss(least, found.sst)
    for bound in (found.lp_bound_il, found.lower_bound_il, found.certified_bound_il):
        assert bound is None or bound <= il + 1e-7
    if found.il > 0 and found.lower_bound_il is not None:
        assert found.gap == pytest.approx((found.il - found.lower_bound_il) / found.il, abs=1e-12)
