"""The parts of the search, each against its definition, and what the whole promises."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_tables import SEEDS, assert_k_anonymous, random_attributes

from minv.errors import InfeasibleError, UsageError
from minv.kanonymity import SearchSettings, minimise_certainty_penalty, minimise_squared_errors
from minv.kanonymity.search.agglomeration import agglomerate
from minv.kanonymity.search.annealing import anneal
from minv.kanonymity.search.blocks import blocks
from minv.kanonymity.search.classes import add, empty_classes, refresh, remove
from minv.kanonymity.search.descent import best_move, descend
from minv.kanonymity.search.draws import draw, draw_below, start_draws
from minv.kanonymity.search.journal import begin, empty_journal, enter, rise, take_back
from minv.kanonymity.search.neighbours import nearest_records
from minv.kanonymity.search.objective import (
    certainty_penalty,
    join,
    joined_cost,
    merged_cost,
    squared_errors,
    summarise,
    summarise_rests,
)
from minv.kanonymity.search.start import start_classes
from minv.loss import CertaintyPenalty, MixedRecords, Numbers, SquaredErrors
from minv.progress import Progress
from minv.stopping import CancelToken, Stop

OBJECTIVES = ("sse", "ncp")
objectives = pytest.mark.parametrize("name", OBJECTIVES)


class Table:
    """A random table with one objective, and that objective by another route."""

    def __init__(self, name: str, seed: int, n: int) -> None:
        generator = np.random.default_rng(seed)
        records = MixedRecords(random_attributes(generator, n))
        points = np.round(generator.normal(size=(n, 3)), 1)
        self.n = n
        self.objective = squared_errors(points) if name == "sse" else certainty_penalty(records)
        self.loss = SquaredErrors(points) if name == "sse" else CertaintyPenalty(records)
        self.empty = np.empty(4 if name == "sse" else 8)

    def cost(self, members) -> float:
        labels = np.arange(1, self.n + 1)
        labels[list(members)] = 0
        return self.loss.total(labels)

    def summary(self, members):
        """The summary and the cost that the kernels give a class."""
        values, layout, penalties = self.objective
        summary = self.empty.copy()
        return summary, summarise(values, np.array(members), summary, layout, penalties)


def consistent(classes, table: Table, k: int) -> None:
    """Every array of the state says what the members say."""
    assert classes.sizes.sum() == table.n
    for row in range(len(classes.sizes)):
        members = classes.members[row, : classes.sizes[row]]
        assert sorted(members) == np.flatnonzero(classes.labels == row).tolist()
        assert (classes.slots[members] == np.arange(len(members))).all()
        assert len(members) == 0 or k <= len(members) <= classes.members.shape[1]
        assert classes.costs[row] == pytest.approx(table.cost(members), abs=1e-9)
        for member in members[: len(members) if len(members) > 1 else 0]:
            rest = table.cost([other for other in members if other != member])
            assert classes.rest_costs[member] == pytest.approx(rest, abs=1e-9)


@objectives
@given(seed=SEEDS, size=st.integers(1, 9), other_size=st.integers(1, 9))
def test_costs_of_classes_joined_and_merged(name, seed, size, other_size):
    table = Table(name, seed, 20)
    values, layout, penalties = table.objective
    order = np.random.default_rng(seed).permutation(20)
    members, others, record = order[:size], order[size : size + other_size], order[-1]
    summary, cost = table.summary(members)
    other, _ = table.summary(others)
    assert cost == pytest.approx(table.cost(members), abs=1e-9)
    both = [*members, *others]
    merged = merged_cost(summary, size, other, other_size, layout, penalties)
    assert merged == pytest.approx(table.cost(both), abs=1e-9)
    joined = table.cost([*members, record])
    assert joined_cost(summary, size, values[record], layout, penalties) == pytest.approx(joined, abs=1e-9)
    join(summary, size, values[record], layout)
    assert summary == pytest.approx(table.summary([*members, record])[0], abs=1e-9)


@objectives
@given(seed=SEEDS, size=st.integers(2, 9))
def test_rests_of_a_class(name, seed, size):
    table = Table(name, seed, 20)
    values, layout, penalties = table.objective
    members = np.random.default_rng(seed).permutation(20)[:size]
    summary, _ = table.summary(members)
    rests, costs = np.empty((20, len(summary))), np.empty(20)
    summarise_rests(values, members, summary, rests, costs, layout, penalties)
    for member in members:
        expected, cost = table.summary([other for other in members if other != member])
        assert rests[member] == pytest.approx(expected, abs=1e-9)
        assert costs[member] == pytest.approx(cost, abs=1e-9)


@objectives
@given(seed=SEEDS, k=st.integers(2, 4), extra=st.integers(0, 30))
def test_the_start_is_feasible_and_consistent(name, seed, k, extra):
    table = Table(name, seed, 2 * k + extra)
    neighbours = nearest_records(table.objective, 3)
    sizes = np.unique(agglomerate(*table.objective, neighbours, k), return_counts=True)[1]
    assert sizes.min() >= k
    consistent(start_classes(table.objective, neighbours, k, start_draws(seed)), table, k)


@objectives
@given(seed=SEEDS, k=st.integers(2, 4), extra=st.integers(0, 20))
def test_a_move_gains_what_it_says_and_a_descent_ends_where_none_gains(name, seed, k, extra):
    table = Table(name, seed, 2 * k + extra)
    neighbours = nearest_records(table.objective, 4)
    classes = start_classes(table.objective, neighbours, k, start_draws(seed))
    journal = empty_journal(*classes.members.shape)
    begin(journal)
    for record in range(table.n):
        gain, row, partner = best_move(classes, neighbours[record], k, record)
        labels, before = classes.labels.copy(), table.loss.total(classes.labels)
        if row >= 0:
            if partner >= 0:
                labels[partner] = labels[record]
            labels[record] = row
            assert before - table.loss.total(labels) == pytest.approx(gain, abs=1e-9)
    before, cost = classes.costs.sum(), np.inf
    while classes.costs.sum() < cost - 1e-9:  # a descent looks again only at records that it has touched
        cost = classes.costs.sum()
        descend(classes, journal, neighbours, k, 1e-9, np.arange(table.n), np.zeros(table.n, np.int64))
    consistent(classes, table, k)
    assert rise(journal, classes) == pytest.approx(classes.costs.sum() - before, abs=1e-9)
    assert classes.costs.sum() <= before + 1e-9
    assert max(best_move(classes, neighbours[i], k, i)[0] for i in range(table.n)) <= 1e-9


@objectives
@given(seed=SEEDS, k=st.integers(2, 4), extra=st.integers(0, 30), temperature=st.sampled_from([1e-9, 1.0]))
def test_annealing_keeps_the_state_consistent(name, seed, k, extra, temperature):
    table = Table(name, seed, 2 * k + extra)
    neighbours = nearest_records(table.objective, 4)
    state = start_draws(seed)
    classes = start_classes(table.objective, neighbours, k, state)
    before = classes.costs.sum()
    journal = empty_journal(*classes.members.shape)
    anneal(classes, journal, neighbours, k, 30, temperature, 1.0, 4, 1e-9, state)
    consistent(classes, table, k)
    if temperature < 1e-6:
        assert classes.costs.sum() <= before + 1e-6


@objectives
def test_a_step_is_taken_back_whole(name):
    table = Table(name, 3, 12)
    classes = empty_classes(table.objective, 3, 6)
    for record in range(12):
        add(classes, record // 4, record)
    for row in range(3):
        refresh(classes, row)
    labels, costs = classes.labels.copy(), classes.costs.copy()
    journal = empty_journal(3, 6)
    begin(journal)
    for row in (0, 2, 0):
        enter(journal, classes, row)
    for record in (1, 2):
        remove(classes, record)
        add(classes, 2, record)
    refresh(classes, 0)
    refresh(classes, 2)
    assert rise(journal, classes) == pytest.approx(classes.costs.sum() - costs.sum())
    take_back(journal, classes)
    consistent(classes, table, 2)
    assert classes.labels.tolist() == labels.tolist()
    assert classes.costs == pytest.approx(costs, abs=1e-12)


@given(seed=SEEDS, n=st.integers(1, 300), largest=st.integers(1, 40), cut=st.sampled_from([1 / 2, 1 / 3]))
def test_blocks_are_small_and_share_out_all_records(seed, n, largest, cut):
    objective = Table("ncp", seed, n).objective
    found = list(blocks(objective, largest, cut))
    assert max(len(block) for block in found) <= largest
    assert sorted(np.concatenate(found).tolist()) == list(range(n))


@objectives
def test_neighbours_of_few_records_are_the_nearest_distinct_ones(name):
    table = Table(name, 1, 40)
    values = table.objective.values
    neighbours = nearest_records(table.objective, 5)
    distinct = np.unique(values, axis=0)
    for record in range(40):
        costs = {tuple(values[j]): table.cost([record, j]) for j in range(40) if j != record}
        costs.pop(tuple(values[record]), None)
        wanted = sorted(costs.values())[: min(5, len(distinct) - 1)]
        listed = [j for j in neighbours[record] if tuple(values[j]) != tuple(values[record])]
        assert sorted(costs[tuple(values[j])] for j in listed) == pytest.approx(wanted)


def test_equal_records_are_given_different_partners():
    values = np.repeat(np.arange(3.0), 50)[:, None]
    neighbours = nearest_records(squared_errors(values), 2)
    partners = {int(j) for j in neighbours[:50, -1]}
    assert len(partners) == 50


def test_neighbours_in_blocks_are_nearly_the_nearest():
    """Beyond the size for all pairs: most true neighbours are still found."""
    points = np.random.default_rng(0).normal(size=(2500, 2))
    neighbours = nearest_records(squared_errors(points), 5)
    distances = ((points[:200, None] - points[None]) ** 2).sum(axis=2)
    true = np.argsort(distances, axis=1)[:, 1:6]
    shared = [len(set(a) & set(b)) for a, b in zip(true, neighbours[:200], strict=True)]
    assert np.mean(shared) > 4.5


def test_draws_are_uniform_and_repeatable():
    first, second = start_draws(7), start_draws(7)
    numbers = np.array([draw(first) for _ in range(4000)])
    assert numbers.tolist() == [draw(second) for _ in range(4000)]
    assert numbers.min() >= 0
    assert numbers.max() < 1
    counts = np.bincount([draw_below(first, 8) for _ in range(8000)], minlength=8)
    assert counts.size == 8
    assert ((counts - 1000) ** 2 / 1000).sum() < 24.3  # chi-squared, 7 degrees of freedom, 0.1 %


def search(name, table_or_values, k, **options):
    if name == "sse":
        return minimise_squared_errors(table_or_values, k, **options)
    return minimise_certainty_penalty(MixedRecords([Numbers(table_or_values[:, 0])]), k, **options)


@objectives
@pytest.mark.parametrize(("n", "k"), [(0, 3), (3, 3), (5, 3), (6, 3), (7, 1), (40, 20), (41, 3)])
@pytest.mark.parametrize("equal", [False, True])
def test_classes_have_k_to_2k_minus_1_records(name, n, k, equal):
    points = np.zeros((n, 1)) if equal else np.arange(float(n))[:, None]
    labels = search(name, points, k, seed=0, stop=Stop(effort=50))
    assert_k_anonymous(labels, n, k)
    assert n == 0 or np.bincount(labels).max() <= 2 * k - 1


@objectives
def test_refusals(name):
    with pytest.raises(InfeasibleError, match="no class of 4"):
        search(name, np.zeros((3, 1)), 4, seed=0, stop=Stop())
    with pytest.raises(UsageError):
        search(name, np.zeros((3, 1)), 0, seed=0, stop=Stop())


@pytest.mark.parametrize(
    "bad", [{"neighbours": 0}, {"most_ruined": 1}, {"end_temperature": 0.0}, {"end_temperature": 1.0}]
)
def test_bad_settings_are_refused(bad):
    with pytest.raises(UsageError):
        SearchSettings(**bad)


def test_effort_alone_determines_the_result():
    points = np.random.default_rng(0).normal(size=(200, 2))
    first = minimise_squared_errors(points, 3, seed=5, stop=Stop(effort=400))
    assert first.tolist() == minimise_squared_errors(points, 3, seed=5, stop=Stop(effort=400)).tolist()
    assert first.tolist() != minimise_squared_errors(points, 3, seed=6, stop=Stop(effort=400)).tolist()


def test_more_effort_finds_less_loss_and_the_input_stays():
    points = np.random.default_rng(0).normal(size=(300, 2))
    before = points.copy()
    losses = [
        SquaredErrors(points).total(minimise_squared_errors(points, 4, seed=0, stop=Stop(effort=effort)))
        for effort in (0, 200, 4000)
    ]
    assert losses[0] > losses[1] > losses[2]
    assert (points == before).all()


def test_a_deadline_holds_and_progress_never_rises():
    points = np.random.default_rng(0).normal(size=(3000, 4))
    minimise_squared_errors(points[:50], 5, seed=0, stop=Stop(effort=1))  # compiled before the clock starts
    reports: list[Progress] = []
    started = time.monotonic()
    labels = minimise_squared_errors(points, 5, seed=0, stop=Stop(time_limit=1.0), progress=reports.append)
    assert time.monotonic() - started < 1.0 * 1.1 + 1.0
    assert_k_anonymous(labels, 3000, 5)
    losses = [report.incumbent_il for report in reports]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] == pytest.approx(100 * SquaredErrors(points).normalised(labels))


def test_a_cancelled_search_returns_its_best():
    points = np.random.default_rng(0).normal(size=(500, 2))
    token = CancelToken()
    threading.Timer(0.3, token.cancel).start()
    labels = minimise_squared_errors(points, 5, seed=0, stop=Stop(time_limit=60.0, cancel=token))
    assert_k_anonymous(labels, 500, 5)


def test_tables_with_hierarchies_and_many_copies():
    """Few distinct records: equal ones end in one class wherever k of them exist."""
    generator = np.random.default_rng(2)
    rows = generator.integers(0, 8, 400)
    attributes = [
        replace(attribute, codes=attribute.codes[rows]) for attribute in random_attributes(generator, 8)[1:]
    ]
    records = MixedRecords(attributes)
    counts = np.unique(records.values, axis=0, return_counts=True)[1]
    labels = minimise_certainty_penalty(records, 5, seed=0, stop=Stop(effort=500))
    assert counts.min() >= 5
    assert CertaintyPenalty(records).total(labels) == 0
