"""Two-swap on the made-up persons ends where it ends on the real ones.

The paper's Table 7 (Tobar Nicolau, Castro, Gentile 2025) gives the information loss of two-swap on 1,000
persons of IPUMS USA: 0.74, 1.34, 2.41 for m = 3, 5, 7. A plain first-improvement two-swap is enough for that.
"""

import numpy as np
import pandas as pd
import pytest

from minv.compiled import kernel
from minv_datasets import IPUMS_SAMPLE_SIZE, ipums_like


@kernel
def two_swap(points, colours, labels, clusters):
    """Swap, in `labels`, the first pair of points that lowers the loss, until none does."""
    n, d = points.shape
    sums = np.zeros((clusters, d))
    sizes = np.zeros(clusters)
    holds = np.zeros((clusters, colours.max() + 1), np.bool_)
    for i in range(n):
        for t in range(d):
            sums[labels[i], t] += points[i, t]
        sizes[labels[i]] += 1
        holds[labels[i], colours[i]] = True
    improved = True
    while improved:
        improved = False
        for i in range(n):
            for j in range(i):
                a, b = labels[i], labels[j]
                same = colours[i] == colours[j]
                if a == b or (not same and (holds[a, colours[j]] or holds[b, colours[i]])):
                    continue
                gain = 0.0
                for t in range(d):
                    move = points[j, t] - points[i, t]
                    gain += (
                        move * (2 * sums[a, t] + move) / sizes[a] - move * (2 * sums[b, t] - move) / sizes[b]
                    )
                if gain > 1e-9:
                    for t in range(d):
                        sums[a, t] += points[j, t] - points[i, t]
                        sums[b, t] -= points[j, t] - points[i, t]
                    holds[a, colours[i]] = holds[b, colours[j]] = False
                    holds[a, colours[j]] = holds[b, colours[i]] = True
                    labels[i], labels[j] = b, a
                    improved = True


def loss_after_two_swap(frame: pd.DataFrame, m: int) -> float:
    """IL in percent from the start that deals the persons, sorted by occupation, to n/m clusters in turn."""
    values = frame[["sex", "age", "educ"]].to_numpy(dtype=float)
    points = (values - values.mean(axis=0)) / values.std(axis=0)
    colours = pd.factorize(frame["occupation"])[0].astype(np.int64)
    clusters = len(frame) // m
    labels = np.empty(len(frame), np.int64)
    labels[np.argsort(colours, kind="stable")] = np.arange(len(frame)) % clusters
    two_swap(points, colours, labels, clusters)
    squares = 0.0
    for members in np.split(np.argsort(labels, kind="stable"), np.cumsum(np.bincount(labels))[:-1]):
        assert len(members) >= m
        assert len(set(colours[members])) == len(members)
        squares += ((points[members] - points[members].mean(axis=0)) ** 2).sum()
    return 100 * squares / points.size


@pytest.mark.parametrize(("m", "published"), [(3, 0.74), (5, 1.34), (7, 2.41)])
def test_level_of_two_swap(m, published):
    """The mean of two samples lies within a factor 1.6 of the paper's figure (Adult: 2.23, 9.76, 22.78)."""
    losses = [loss_after_two_swap(ipums_like(IPUMS_SAMPLE_SIZE, seed), m) for seed in (1, 2)]
    assert published / 1.6 < np.mean(losses) < published * 1.6
