"""The baselines reproduce the loss levels measured on random eligible samples of Adult."""

import math
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from minv.heuristics import classic, random_bucket, tau
from minv.loss import information_loss, sum_of_squared_errors, total_sum_of_squares

SAMPLES = 20
SIZE = 1500
# Mean and standard deviation of IL over 20 eligible samples, for m = 3, 5, 7.
LEVELS = {
    random_bucket: [(65.56, 2.35), (80.84, 1.36), (87.68, 0.59)],
    tau: [(38.91, 2.77), (52.31, 3.08), (60.13, 3.69)],
    classic: [(28.74, 2.49), (40.15, 1.81), (46.41, 1.40)],
}


@pytest.fixture(scope="module")
def samples():
    """Points and colours of 20 samples of 1500 complete rows whose top occupation has at most 1/7."""
    folder = os.environ.get("MINV_DATA")
    if not folder:
        pytest.skip("MINV_DATA is not set")
    frame = pd.read_csv(Path(folder) / "adult.csv.gz", dtype=str)
    frame = frame[~(frame == "?").any(axis=1)].reset_index(drop=True)
    eligible = []
    seed = 0
    while len(eligible) < SAMPLES:
        seed += 1
        sample = frame.sample(SIZE, random_state=seed)
        if sample["occupation"].value_counts().max() * 7 <= SIZE:
            eligible.append(encode(sample))
    return eligible


def encode(sample):
    columns = [
        sample["age"].astype(float),
        (sample["sex"] == "Male").astype(float),
        sample["education-num"].astype(float),
    ]
    points = np.column_stack([(column - column.mean()) / column.std(ddof=0) for column in columns])
    return points, pd.factorize(sample["occupation"])[0].astype(np.int64)


@pytest.mark.parametrize("method", LEVELS, ids=lambda method: method.__name__)
@pytest.mark.parametrize("place", range(3), ids=lambda place: f"m{3 + 2 * place}")
def test_mean_loss_is_the_published_level(samples, method, place):
    """Both means are over 20 samples: their difference has standard deviation sd sqrt(2/20)."""
    m = 3 + 2 * place
    mean, deviation = LEVELS[method][place]
    losses = [
        information_loss(
            sum_of_squared_errors(points, method(points, colours, m, seed)), total_sum_of_squares(points)
        )
        for seed, (points, colours) in enumerate(samples)
    ]
    assert abs(np.mean(losses) - mean) <= 3 * math.sqrt(2) * deviation / math.sqrt(SAMPLES)
