"""Whatever changes between releases, and whatever the publisher allows, the judge finds nothing after any of them."""

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import event
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from minv.errors import DataError, InfeasibleError, LimitError
from minv.publish.engine import Policy
from minv.publish.series import Series
from minv_verifiers import verify

from . import naive

VALUES = ["flu", "gout", "cold", "HIV", "mumps", "lupus", "angina", "asthma"]
NAMES = [f"p{number}" for number in range(14)]
SCHEMAS = (["age", "sex:nominal"], ["age"], ["sex:nominal"], ["age:ordinal", "height", "sex:nominal"])
STEPS = 8


class ChangingSeries(RuleBasedStateMachine):
    """A plain engine under the default policy: what is tested is the history and the format."""

    policies: st.SearchStrategy[Policy] = st.just(Policy())
    efforts: st.SearchStrategy[dict[str, Any]] = st.just({})

    @initialize(
        m=st.integers(2, 4),
        spare=st.one_of(st.none(), st.integers(0, 3)),
        model=st.sampled_from(["tau-safe", "m-invariant"]),
        on_update=st.sampled_from(["suppress", "disjoint"]),
        release_format=st.sampled_from(["parquet", "csv"]),
        schema=st.sampled_from(SCHEMAS),
        persons=st.integers(4, 14),
    )
    def begin(
        self,
        m: int,
        spare: int | None,
        model: str,
        on_update: str,
        release_format: str,
        schema: list[str],
        persons: int,
    ) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.series = Series.create(
            self.folder / "series",
            id="person",
            quasi_identifiers=schema,
            sensitive="illness",
            m=m,
            model=model,
            on_update=on_update,
            release_format=release_format,
            domain=VALUES,
            max_class_size=None if spare is None else min(m + spare, 2 * m - 1),
            missing=["category"],
        )
        self.present = {name: VALUES[place % len(VALUES)] for place, name in enumerate(NAMES[:persons])}
        self.changed = False

    @rule(
        changes=st.dictionaries(
            st.sampled_from(NAMES), st.one_of(st.none(), st.sampled_from(VALUES)), max_size=6
        ),
        ages=st.lists(st.one_of(st.none(), st.integers(0, 99)), min_size=len(NAMES), max_size=len(NAMES)),
        data=st.data(),
    )
    def publish(self, changes: dict[str, str | None], ages: list[int | None], data: st.DataObject) -> None:
        """Some persons come, return, leave or change; if the release is refused, they do not."""
        wanted = {**self.present, **changes}
        present = {person: value for person, value in wanted.items() if value is not None}
        if not present:
            return
        before = len(self.series.releases)
        policy = data.draw(self.policies)
        try:
            release = self.series.publish(self.table(present, ages), policy=policy, **data.draw(self.efforts))
        except (InfeasibleError, DataError, LimitError) as error:
            event(f"refused: {type(error).__name__}")
            assert len(self.series.releases) == before
            return
        event("published")
        assert len(self.series.releases) == before + 1
        assert release.figures["deleted"] <= policy.deletions
        assert policy.counterfeits != "forbid" or release.counterfeits == 0
        self.present = present
        self.changed = True

    def table(self, present: dict[str, str], ages: list[int | None]) -> pd.DataFrame:
        """Return the table of a release; quasi-identifiers change freely, some are unknown."""
        of_person = dict(zip(NAMES, ages, strict=True))
        frame = pd.DataFrame({"person": list(present), "illness": list(present.values())})
        frame["age"] = pd.array([of_person[person] for person in present], dtype="Int64")
        frame["sex"] = [None if age is None else "fm"[age % 2] for age in map(of_person.get, present)]
        frame["height"] = [1.5 + (age or 0) % 7 / 10 for age in map(of_person.get, present)]
        return frame

    @invariant()
    def judged(self) -> None:
        if not getattr(self, "changed", False):
            return
        self.changed = False
        assert verify(self.series.path).violated == ()
        assert verify(self.series.path, public_only=True).violated == ()

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


class OptimisedSeries(ChangingSeries):
    """The engine itself under every policy, with next to no time or effort."""

    policies = st.builds(
        Policy,
        counterfeits=st.sampled_from(["balance", "balance", "eligibility", "eligibility", "forbid"]),
        price=st.sampled_from([None, None, 0.0, 0.5, 10.0]),
        deletions=st.sampled_from([0, 0, 1, 4]),
    )
    efforts = st.sampled_from(
        [
            {"method": "two-swap"},
            {"method": "classic"},
            {"method": "tau", "compare_staged": True},
            {"method": "random-bucket"},
            {"time_limit": 0.05, "workers": 1},
            {"time_limit": 0.0, "workers": 1},
            {"effort": 1, "workers": 1},
        ]
    )


@pytest.fixture(params=[ChangingSeries, OptimisedSeries])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> type[ChangingSeries]:
    """Give a machine with its engine, which does not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    if request.param is ChangingSeries:
        monkeypatch.setattr("minv.publish.series.solve", naive.solve)
    return request.param


@pytest.mark.usefixtures("real_engine")
def test_some_steps(machine: type[ChangingSeries]) -> None:
    """A moment of each machine."""
    run_state_machine_as_test(
        machine, settings=hypothesis_settings(max_examples=8, stateful_step_count=STEPS, deadline=None)
    )


@pytest.mark.slow
@pytest.mark.usefixtures("real_engine")
def test_two_thousand_steps(machine: type[ChangingSeries]) -> None:
    """Each machine for 2,000 steps."""
    run_state_machine_as_test(
        machine,
        settings=hypothesis_settings(max_examples=2000 // STEPS, stateful_step_count=STEPS, deadline=None),
    )
