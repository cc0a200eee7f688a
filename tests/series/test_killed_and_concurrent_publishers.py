"""Publishers that are killed at random instants, and two publishers at once."""

import os
import signal
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from minv.errors import MinvError
from minv.publish.series import Series, open_or_create
from minv.publish.terms import Terms
from minv_verifiers import verify

from .conftest import TERMS, people

CLEAN_REFUSAL = 3


def publish_in_a_child(folder: Path, table: pd.DataFrame) -> int:
    """Return the id of a process that publishes; it ends with 0, or with 3 if it was refused."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of libraries, none of which is at work
        child = os.fork()
    if child == 0:
        code = 70
        try:
            open_or_create(folder, Terms(**TERMS)).publish(table)
            code = 0
        except MinvError:
            code = CLEAN_REFUSAL
        finally:
            os._exit(code)
    return child


def assert_whole(folder: Path, releases: int) -> None:
    report = verify(folder)
    assert report.violated == ()
    assert len(report.measures) == releases


@pytest.mark.slow
def test_two_hundred_kills_at_random_instants(tmp_path: Path) -> None:
    """After each kill the series is the old one or the new one, and verifies; the next publication works."""
    random = np.random.default_rng(0)
    folder = tmp_path / "series"
    table = people(400)
    started = time.monotonic()
    # A child, as those that are killed: slower than this warm process.
    first = publish_in_a_child(folder, table)
    assert os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) == 0
    longest = time.monotonic() - started
    known = 1
    outcomes = set()
    for _ in range(200):
        child = publish_in_a_child(folder, table)
        time.sleep(float(random.uniform(0, 1.3 * longest)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = len(Series.open(folder).releases)
        assert found in (known, known + 1)
        outcomes.add(found - known)
        known = found
        if known > 20:
            folder = tmp_path / f"series-{random.integers(2**40)}"
            open_or_create(folder, Terms(**TERMS)).publish(table)
            known = 1
        else:
            assert_whole(folder, known)
    assert outcomes == {0, 1}
    assert open_or_create(folder, Terms(**TERMS)).publish(table).number == known + 1
    assert not list((folder / "private").glob("staging-*"))


@pytest.mark.parametrize("earlier", [0, 1])
def test_two_publishers_at_once(tmp_path: Path, earlier: int) -> None:
    """Each makes its release, one after the other, or is refused; the series is whole."""
    folder = tmp_path / "series"
    table = people(400)
    for _ in range(earlier):
        open_or_create(folder, Terms(**TERMS)).publish(table)
    children = [publish_in_a_child(folder, table) for _ in range(2)]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert set(codes) <= {0, CLEAN_REFUSAL}
    published = codes.count(0)
    assert published >= 1
    if earlier:
        assert published == 2
    assert_whole(folder, earlier + published)


def test_publisher_in_another_process_waits_its_turn(
    new_series: Callable[..., Series], table: pd.DataFrame
) -> None:
    series = new_series()
    series.publish(table)
    with series._state() as state:
        child = publish_in_a_child(series.path, table)
        time.sleep(0.3)
        assert os.waitpid(child, os.WNOHANG) == (0, 0)
        assert len(Series.open(series.path).releases) == len(state.entries)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(series.releases) == 2
