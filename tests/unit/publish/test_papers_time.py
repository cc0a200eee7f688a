"""How the method `paper` divides its time."""

import pytest

from minv.publish.paper import seconds_each


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("subsets", [1, 2, 5, 10, 40])
def test_all_subsets_end_before_the_limit(subsets: int, workers: int) -> None:
    """Each worker solves its subsets one after another, and the last two-swap still has time."""
    loads = [len(range(worker, subsets, workers)) for worker in range(workers)]
    assert max(loads) * seconds_each(5.0, subsets, workers) < 5.0


def test_without_a_limit_no_subset_has_one() -> None:
    """Infinite time stays infinite."""
    assert seconds_each(float("inf"), 40, 1) == float("inf")
