"""What every published method promises, whatever the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_tables import SEEDS, assert_k_anonymous, random_attributes

from minv.errors import InfeasibleError, UsageError
from minv.kanonymity import coaa, gaa_cp, kaca, mdav, v_mdav
from minv.loss import CertaintyPenalty, MixedRecords, Numbers

METHODS = {
    "mdav": lambda attributes, k: mdav(MixedRecords(attributes).values, k),
    "v-mdav": lambda attributes, k: v_mdav(MixedRecords(attributes).values, k, gain=1.1),
    "coaa": lambda attributes, k: coaa(MixedRecords(attributes), k),
    "coaa strict": lambda attributes, k: coaa(MixedRecords(attributes), k, strict=True),
    "coaa approximate": lambda attributes, k: coaa(MixedRecords(attributes), k, exact_below=4),
    "kaca": lambda attributes, k: kaca(attributes, k, seed=3),
    "kaca by height": lambda attributes, k: kaca(attributes, k, seed=3, beta=1.0),
    "gaa-cp": lambda attributes, k: gaa_cp(MixedRecords(attributes), k, seed=3),
}
methods = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


@methods
@given(seed=SEEDS, k=st.integers(1, 6), extra=st.integers(0, 40))
def test_every_class_has_k_records_and_every_record_a_class(method, seed, k, extra):
    attributes = random_attributes(np.random.default_rng(seed), k + extra)
    assert_k_anonymous(method(attributes, k), k + extra, k)


@methods
@pytest.mark.parametrize("n", [0, 5, 9])
def test_no_records_and_equal_records(method, n):
    assert_k_anonymous(method([Numbers(np.ones(n))], 5), n, 5)


@methods
def test_the_same_input_gives_the_same_classes_and_stays_as_it_was(method):
    attributes = random_attributes(np.random.default_rng(0), 60)
    before = [
        (attribute.values if isinstance(attribute, Numbers) else attribute.codes).copy()
        for attribute in attributes
    ]
    first, second = method(attributes, 4), method(attributes, 4)
    after = [
        attribute.values if isinstance(attribute, Numbers) else attribute.codes for attribute in attributes
    ]
    assert first.tolist() == second.tolist()
    assert all((one == other).all() for one, other in zip(before, after, strict=True))


@methods
def test_too_few_records_and_a_k_of_nothing_are_refused(method):
    with pytest.raises(InfeasibleError, match="no class of 5 in a table of 4 rows"):
        method([Numbers(np.arange(4.0))], 5)
    with pytest.raises(UsageError, match="at least 1, not 0"):
        method([Numbers(np.arange(4.0))], 0)


def test_sizes_that_the_methods_promise():
    """MDAV: k, the last up to 2k-1. V-MDAV: up to 2k-1 but for left-overs. GAA-CP: k but for left-overs."""
    attributes = random_attributes(np.random.default_rng(1), 103)
    records = MixedRecords(attributes)
    sizes = np.sort(np.bincount(mdav(records.values, 5)))
    assert (sizes[:-1] == 5).all()
    assert sizes[-1] == 103 - 5 * 19
    assert np.bincount(gaa_cp(records, 5, seed=0)).size == 103 // 5
    points = np.repeat(np.arange(20.0), 6)[:, None]  # six equal points each: a class takes the sixth
    assert (np.bincount(v_mdav(points, 5, gain=1.1)) == 6).all()
    assert (np.bincount(v_mdav(points, 5, gain=0.0))[:-1] == 5).all()


def test_bad_parameters_of_the_methods():
    attributes = [Numbers(np.arange(9.0))]
    with pytest.raises(UsageError, match="gain"):
        v_mdav(np.zeros((9, 1)), 3, gain=float("nan"))
    with pytest.raises(UsageError, match="beta"):
        kaca(attributes, 3, seed=0, beta=-1.0)


def test_coaa_leaves_an_uneven_set_whole():
    """The paper's optimality theorem does not hold: one outlier keeps COAA from splitting at all.

    Ten records at 0, ten at 1 and one at 100: the only bisection tried cuts off the outlier alone.
    """
    values = np.array([0.0] * 10 + [1.0] * 10 + [100.0])
    records = MixedRecords([Numbers(values)])
    better = (values > 0).astype(np.int64)
    assert coaa(records, 5).max() == 0
    assert CertaintyPenalty(records).total(better) < CertaintyPenalty(records).total(coaa(records, 5))


def test_strict_coaa_needs_more_than_k_records_a_part():
    records = MixedRecords([Numbers(np.array([0.0, 0.0, 0.0, 9.0, 9.0, 9.0]))])
    assert coaa(records, 3).tolist() == [0, 0, 0, 1, 1, 1]
    assert coaa(records, 3, strict=True).max() == 0


def test_the_approximate_far_pair_is_at_least_half_as_far():
    """Seen from outside: with two far groups, any pair half as far apart separates them."""
    generator = np.random.default_rng(5)
    values = np.concatenate([generator.uniform(0, 1, 50), generator.uniform(9, 10, 50)])
    records = MixedRecords([Numbers(generator.permutation(values))])
    exact, approximate = coaa(records, 50), coaa(records, 50, exact_below=2)
    assert exact.max() == 1
    assert exact.tolist() == approximate.tolist()
