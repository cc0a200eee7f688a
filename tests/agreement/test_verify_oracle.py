"""The rules against definitions spelled out in plain Python, on random frames; and against pyCANON."""

import itertools
import math
from collections import defaultdict
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv_verifiers import verify

FRAMES = 300


def random_series(seed: int) -> list[pd.DataFrame]:
    """One to three small releases with shuffled or duplicated indices and some luck at being safe."""
    rng = np.random.default_rng(seed)
    values = list("abcdef")[: rng.integers(2, 7)]
    frames = []
    for _ in range(rng.integers(1, 4)):
        n = int(rng.integers(2, 13))
        persons = rng.choice(15, n, replace=bool(rng.random() < 0.05))
        classes = np.arange(n) // int(rng.integers(2, 4))
        frame = pd.DataFrame(
            {
                "id": persons,
                "age": [f"[{c}0, {c}9]" for c in classes],
                "sex": rng.choice(["m", "f", None], n, p=[0.8, 0.1, 0.1]) if rng.random() < 0.3 else "*",
                "disease": rng.choice(values, n)
                if rng.random() < 0.5
                else [values[i % len(values)] for i in range(n)],
            }
        )
        frames.append(frame.set_axis(rng.choice(n, n, replace=bool(rng.random() < 0.5)), axis=0))
    if rng.random() < 0.4:  # the same people in the same classes again
        frames.append(frames[0].sample(frac=1, random_state=int(seed)))
    return frames


def classes_of(frame: pd.DataFrame) -> dict[tuple[Any, ...], list[tuple[Any, Any]]]:
    """(id, value) of each row by quasi-identifiers, a missing one being a value."""
    classes = defaultdict(list)
    for person, age, sex, disease in frame.itertuples(index=False):
        classes[age, None if pd.isna(sex) else sex].append((person, disease))
    return classes


def oracle(frames: list[pd.DataFrame], m: int) -> set[str]:
    """Return the violated rules, by their definitions."""
    violated = set()
    history = defaultdict(list)
    for number, frame in enumerate(frames):
        if frame["id"].duplicated().any():
            violated.add("ids-unique")
        for members in classes_of(frame).values():
            values = [value for _, value in members]
            if len(members) < m or len(set(values)) < len(values):
                violated.add("m-unique")
            for person, _ in members:
                history[person].append((number, frozenset(values)))
    for career in history.values():
        for (one, first), (other, second) in itertools.combinations(career, 2):
            if first == second:
                continue
            violated.add("tau-safety")
            numbers = {number for number, _ in career}
            if all(number in numbers for number in range(one, other + 1)):
                violated.add("m-invariance")
    return violated


@pytest.mark.parametrize("block", range(6))
def test_random_frames_against_the_definitions(block: int) -> None:
    """The same violated rules as brute force on 300 random series with shuffled indices, every time."""
    seen = set()
    for seed in range(block * FRAMES // 6, (block + 1) * FRAMES // 6):
        frames = random_series(seed)
        m = int(np.random.default_rng(seed).integers(1, 4))
        report = verify(
            frames, quasi_identifiers=["age", "sex"], sensitive="disease", person="id", m=m, model="tau-safe"
        )
        assert set(report.violated) == oracle(frames, m), seed
        seen.add(report.verdict)
        for frame, measures in zip(frames, report.measures, strict=True):
            classes = classes_of(frame).values()
            assert measures.smallest_class == min(map(len, classes))
            assert measures.distinct_l == min(len({value for _, value in members}) for members in classes)
    assert seen == {"passed", "violated"}


def test_k_anonymity_against_the_definition() -> None:
    """k-anonymous exactly up to the smallest class; entropy l as its formula says."""
    for seed in range(40):
        frame = random_series(seed)[0]
        classes = classes_of(frame).values()
        smallest = min(map(len, classes))
        roles = {"quasi_identifiers": ["age", "sex"], "sensitive": "disease", "model": "k-anonymous"}
        assert verify(frame, m=smallest, **roles).passed
        assert not verify(frame, m=smallest + 1, **roles).passed
        entropies = []
        for members in classes:
            values = [value for _, value in members]
            shares = [values.count(value) / len(values) for value in set(values)]
            entropies.append(-sum(share * math.log(share) for share in shares))
        measured = verify(frame, m=smallest, **roles).measures[0].entropy_l
        assert measured == pytest.approx(math.exp(min(entropies)))


def test_plain_frames_agree_with_pycanon() -> None:
    """On frames with the index 0..n-1 and no missing value, k and distinct l are those of pyCANON."""
    anonymity = pytest.importorskip(
        "pycanon.anonymity", reason="pyCANON is not installed (a test dependency)"
    )
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(4, 40))
        frame = pd.DataFrame(
            {
                "age": rng.integers(20, 23, n),
                "sex": rng.choice(["m", "f"], n),
                "disease": rng.choice(list("abcd"), n),
            }
        )
        report = verify(
            frame, quasi_identifiers=["age", "sex"], sensitive="disease", m=1, model="k-anonymous"
        )
        measures = report.measures[0]
        assert measures.smallest_class == anonymity.k_anonymity(frame, ["age", "sex"])
        assert measures.distinct_l == anonymity.l_diversity(frame, ["age", "sex"], ["disease"])


def test_a_shuffled_index_is_where_pycanon_disagrees() -> None:
    """On a shuffled index pyCANON mixes labels with positions; ours still follows the definition."""
    anonymity = pytest.importorskip(
        "pycanon.anonymity", reason="pyCANON is not installed (a test dependency)"
    )
    disagreements = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        frame = pd.DataFrame(
            {"age": np.arange(12) // 4, "sex": "m", "disease": rng.choice(list("abc"), 12)}
        ).sample(frac=1, random_state=seed)
        classes = classes_of(frame.assign(id=0)[["id", "age", "sex", "disease"]]).values()
        true_l = min(len({value for _, value in members}) for members in classes)
        report = verify(
            frame, quasi_identifiers=["age", "sex"], sensitive="disease", m=1, model="k-anonymous"
        )
        assert report.measures[0].distinct_l == true_l
        disagreements += anonymity.l_diversity(frame, ["age", "sex"], ["disease"]) != true_l
    assert disagreements > 0
