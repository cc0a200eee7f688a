"""A staged release keeps the signatures and counts its counterfeits."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minv.heuristics.halving import split_by_halving
from minv.heuristics.staged import staged
from minv.instance import FREE, Instance


@given(st.integers(0, 10_000))
def test_a_staged_release_keeps_signatures_and_counts_its_counterfeits(seed):
    rng = np.random.default_rng(seed)
    signatures = ((0, 1, 2), (1, 3))
    old = [(s, colour) for s in range(2) for colour in signatures[s] for _ in range(rng.integers(0, 3))]
    fresh = np.tile(np.arange(4), rng.integers(0, 3))
    colours = np.array([colour for _, colour in old] + fresh.tolist(), dtype=np.int64)
    required = np.array([s for s, _ in old] + [FREE] * len(fresh), dtype=np.int64)
    instance = Instance(
        rng.normal(size=(len(colours), 2)), colours, 2, required=required, signatures=signatures
    )
    release = staged(instance, seed, split_by_halving)
    lacking = 0
    for label, kind in enumerate(release.signature_of_class.tolist()):
        members = np.flatnonzero(release.labels == label)
        held = colours[members].tolist()
        assert len(set(held)) == len(held)
        if kind == FREE:
            assert len(held) >= 2
            assert (required[members] == FREE).all()
        else:
            assert set(held) <= set(signatures[kind])
            assert set(required[members].tolist()) <= {FREE, kind}
            assert kind in required[members]
            lacking += len(signatures[kind]) - len(held)
    assert lacking == release.counterfeits
