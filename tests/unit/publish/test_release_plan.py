"""What the history makes of a table: who is free, who keeps a signature, who is left out."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv.errors import DataError, InfeasibleError
from minv.instance import FREE
from minv.publish.release import ReleasePlan, plan_release, release_seed
from minv.series.contents import NO_CLASS, Status
from minv.series.folder import State
from minv.series.history import History, Signature
from minv.series.settings import Model, OnUpdate, Settings
from minv.tables.missing import parse_missing
from minv.tables.opening import open_table
from minv.tables.roles import Roles, quasi_identifiers
from minv.tables.validation import read_microdata

ROLES = Roles(quasi_identifiers(["age"]), "illness", "person")
DOMAIN = ("cold", "flu", "gout", "HIV")


def state(remembered: dict[str, list[Signature]] | None = None, present: str = "", **changes: Any) -> State:
    """Return the state after releases in which persons had these signatures, one a release."""
    history = History.empty()
    remembered = remembered or {}
    last = max((len(signatures) for signatures in remembered.values()), default=0)
    for number in range(last):
        found = {
            person: signatures[number]
            for person, signatures in remembered.items()
            if number < len(signatures)
        }
        history = history.after(number + 1, found)
    participants = frozenset(present.split()) if present else frozenset(remembered)
    settings = replace(Settings(ROLES, m=2, domain=DOMAIN, missing=parse_missing(["category"])), **changes)
    return State(settings, key=b"k" * 32, history=history, participants=participants)


def plan(before: State, **persons: str | None) -> ReleasePlan:
    frame = pd.DataFrame(
        {"person": list(persons), "age": np.arange(len(persons)) * 10.0, "illness": list(persons.values())}
    )
    return plan_release(before, read_microdata(open_table(frame), ROLES, before.settings.missing))


def duties(found: ReleasePlan) -> dict[str, set[str | None] | None]:
    """Return the required signature of each person that takes part, None for the free."""
    assert found.microdata.ids is not None
    assert found.instance.required is not None
    signatures = [{found.colours[colour] for colour in signature} for signature in found.instance.signatures]
    persons = found.microdata.ids[found.rows]
    return {
        person: None if required == FREE else signatures[required]
        for person, required in zip(persons.tolist(), found.instance.required.tolist(), strict=True)
    }


def left_out(found: ReleasePlan) -> set[str]:
    assert found.microdata.ids is not None
    return set(found.microdata.ids[found.suppressed].tolist())


def test_without_history_everybody_is_free() -> None:
    found = plan(state(), a="flu", b="gout", c=None)
    assert duties(found) == {"a": None, "b": None, "c": None}
    assert found.colours == (None, "HIV", "cold", "flu", "gout")  # the whole domain
    assert found.remembered == found.kept == 0


def test_points_colours_and_rows_belong_together() -> None:
    found = plan(state(), a="flu", b="gout", c="flu")
    ages = found.microdata.take(found.rows).attributes[0].values  # noqa: PD011
    np.testing.assert_allclose(found.instance.points[:, 0], (ages - ages.mean()) / ages.std())
    texts = [found.colours[colour] for colour in found.instance.colours]
    assert texts == found.microdata.sensitive_texts()[found.rows].tolist()


def test_remembered_persons_keep_their_signature() -> None:
    found = plan(state({"a": [("flu", "gout")], "b": [("HIV", "cold")]}), a="gout", b="HIV", c="flu")
    assert duties(found) == {"a": {"flu", "gout"}, "b": {"HIV", "cold"}, "c": None}
    assert set(found.colours) == {"flu", "gout", "HIV", "cold"}
    assert found.kept == 2


def test_signatures_are_ascending_colours_and_each_once() -> None:
    found = plan(state({"a": [("flu", "gout")], "b": [("flu", "gout")]}), a="gout", b="flu")
    assert len(found.instance.signatures) == 1
    assert list(found.instance.signatures[0]) == sorted(found.instance.signatures[0])


def test_update_outside_the_signature_is_suppressed_by_default() -> None:
    found = plan(state({"a": [("flu", "gout")], "b": [("flu", "gout")]}), a="HIV", b="flu")
    assert left_out(found) == {"a"}
    assert duties(found) == {"b": {"flu", "gout"}}
    assert found.instance.size == 1


def test_suppressed_rows_play_no_part_in_the_encoding() -> None:
    with_update = plan(state({"a": [("flu", "gout")]}), a="HIV", b="flu", c="gout")
    without = plan(state(), b="flu", c="gout")
    assert sorted(with_update.instance.points[:, 0]) == sorted(without.instance.points[:, 0])


def test_disjoint_signature_avoids_all_values_of_earlier_ones() -> None:
    before = state({"a": [("flu", "gout"), ("measles", "mumps")]}, on_update=OnUpdate.DISJOINT)
    found = plan(before, a="HIV", b="flu", c="mumps", d="cold")
    assert left_out(found) == set()
    assert duties(found) == {"a": {"HIV", "cold"}, "b": None, "c": None, "d": {"HIV", "cold"}}
    assert found.disjoint == 1


def test_disjoint_signature_without_companions_is_infeasible() -> None:
    before = state({"a": [("flu", "gout")]}, on_update=OnUpdate.DISJOINT)
    with pytest.raises(InfeasibleError, match="1 person needs a class"):
        plan(before, a="HIV", b="flu", c="gout")


def test_value_that_returns_goes_back_to_its_old_signature() -> None:
    before = state({"a": [("flu", "gout"), ("HIV", "cold")]}, on_update=OnUpdate.DISJOINT)
    assert duties(plan(before, a="flu")) == {"a": {"flu", "gout"}}
    assert duties(plan(before, a="cold")) == {"a": {"HIV", "cold"}}


@pytest.mark.parametrize("policy", list(OnUpdate))
def test_update_that_its_absence_would_give_away_is_refused(policy: OnUpdate) -> None:
    """With two values outside the signature and m = 2 absence tells nothing certain; with one it does."""
    remembered: dict[str, list[Signature]] = {"a": [("flu", "gout")]}
    plan(state(remembered, on_update=policy), a="HIV", b="cold", c="flu")
    with pytest.raises(InfeasibleError, match=r"1 person .* fewer than m = 2 of the 3 values"):
        plan(state(remembered, on_update=policy, domain=("cold", "flu", "gout")), a="cold")


def test_returning_person_goes_back_under_tau_safety() -> None:
    before = state({"a": [("flu", "gout")], "b": [("HIV", "cold")]}, present="b")
    assert duties(plan(before, a="flu", b="cold"))["a"] == {"flu", "gout"}


def test_returning_person_is_refused_under_m_invariance() -> None:
    before = state({"a": [("flu", "gout")], "b": [("HIV", "cold")]}, present="b", model=Model.M_INVARIANT)
    with pytest.raises(DataError, match="'person': 1 person returns"):
        plan(before, a="flu", b="cold")
    assert set(duties(plan(before, b="cold", c="flu"))) == {"b", "c"}


@pytest.mark.parametrize(("old", "new"), [("7", "007"), ("007", "7"), ("7", "7.0")])
def test_id_written_in_another_way_is_refused(old: str, new: str) -> None:
    with pytest.raises(DataError, match=r"'person': 1 id .* leading zeros"):
        plan(state({old: [("flu", "gout")]}), **{new: "flu"})


def test_sensitive_value_written_in_another_way_is_refused() -> None:
    with pytest.raises(DataError, match="'illness': 1 value "):
        plan(state({"a": [("1", "2")]}, domain=("1", "2", "3")), a="1", b="03")


def test_order_depends_on_persons_and_key_alone() -> None:
    one = plan(state(), a="flu", b="gout", c="cold")
    other = plan(state(), c="cold", a="flu", b="gout")
    assert one.microdata.ids is not None
    assert other.microdata.ids is not None
    assert one.microdata.ids.tolist() == other.microdata.ids.tolist()


def test_order_changes_with_the_key() -> None:
    persons = {f"p{number}": "flu" for number in range(30)}
    one = plan(state(), **persons)
    other = plan(replace(state(), key=b"x" * 32), **persons)
    assert one.microdata.ids is not None
    assert other.microdata.ids is not None
    assert one.microdata.ids.tolist() != other.microdata.ids.tolist()


def test_seed_of_the_engine_depends_on_seed_and_key() -> None:
    before = state()
    seeds = {
        release_seed(before, 0),
        release_seed(before, 1),
        release_seed(replace(before, key=b"x" * 32), 0),
    }
    assert len(seeds) == 3
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert release_seed(before, 0) == release_seed(state(), 0)


def test_assignment_speaks_of_rows_again() -> None:
    found = plan(
        state({"a": [("flu", "gout")], "z": [("flu", "gout")]}), a="HIV", b="flu", c="gout", d="cold", z="flu"
    )
    assert found.microdata.ids is not None
    persons = found.microdata.ids.tolist()
    points = found.microdata.ids[found.rows].tolist()
    label_of = {"b": 0, "c": 0, "d": NO_CLASS, "z": 1}
    labels = np.array([label_of[person] for person in points])
    gout = found.colours.index("gout")
    assignment = found.assignment(labels, [(1, gout)], np.array([points.index("d")]))
    assert dict(zip(persons, assignment.labels.tolist(), strict=True)) == {"a": NO_CLASS, **label_of}
    assert {persons[row]: status for row, status in assignment.unpublished.items()} == {
        "a": Status.SUPPRESSED,
        "d": Status.DELETED,
    }
    assert assignment.counterfeit_labels.tolist() == [1]
    assert assignment.counterfeit_values == ("gout",)
