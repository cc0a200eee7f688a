"""`minv kanon`: what it prints and writes, its exit codes, and its refusals."""

import json
import stat
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from kanon_files import roles, small_table, write_files

from minv.publish.engine import Budget
from minv.publish.kanon import anonymise
from minv.tables.roles import Roles

from .conftest import Run, everything

METHODS = ("coaa", "kaca", "gaa-cp", "mdav", "v-mdav", "optimise")
QUICK = ("--effort", "200")


@pytest.mark.parametrize("method", METHODS)
def test_every_class_has_k_rows_that_look_alike(run: Run, work: Path, method: str) -> None:
    table = write_files(work, small_table())
    outcome = run(
        *("kanon", table, *roles(work), "--k", "4", "--method", method, *QUICK),
        *("--sensitive", "illness", "--out", "public.csv", "--labels-out", "labels.csv", "--json"),
    )
    assert outcome.code == 0, outcome.stderr
    figures = json.loads(outcome.stdout)
    public = pd.read_csv("public.csv", dtype=str)
    assert list(public.columns) == ["class", "age", "place", "job", "grade", "illness"]
    groups = public.groupby("class")
    assert groups.size().min() >= 4
    assert len(public.drop_duplicates(["class", "age", "place", "job", "grade"])) == groups.ngroups
    assert figures["classes"] == groups.ngroups
    assert figures["l_diversity"]["distinct"] == groups["illness"].nunique().min()
    assert 0 < figures["ncp"] <= 1
    assert 0 < figures["il"] < 100.001
    assert figures["objective"] == ("sse" if "mdav" in method else "ncp")
    labels = pd.read_csv("labels.csv")
    assert labels["row"].tolist() == list(range(60))
    assert labels["class"].nunique() == figures["classes"]


def test_the_order_of_the_rows_plays_no_part(run: Run, work: Path) -> None:
    frame = small_table()
    for name, rows in (("a", frame), ("b", frame.sample(frac=1, random_state=1))):
        table = write_files(work, rows)
        assert run("kanon", table, *roles(work), "--k", "3", *QUICK, "--out", f"{name}.csv").code == 0
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()


def test_parquet_holds_the_same_cells(run: Run, work: Path) -> None:
    table = write_files(work, small_table())
    for name in ("a.csv", "a.parquet"):
        assert run("kanon", table, *roles(work), "--k", "3", "--method", "mdav", "--out", name).code == 0
    csv = pd.read_csv("a.csv", dtype=str)
    assert pd.read_parquet("a.parquet").astype(str).equals(csv)


def test_links_name_the_row_of_every_person_and_are_their_owners_alone(run: Run, work: Path) -> None:
    frame = small_table()
    table = write_files(work, frame)
    outcome = run(
        *("kanon", table, *roles(work), "--k", "3", "--method", "coaa", "--id", "person"),
        *("--sensitive", "illness", "--out", "public.csv", "--link-out", "links.csv"),
    )
    assert outcome.code == 0, outcome.stderr
    assert stat.S_IMODE(Path("links.csv").stat().st_mode) == 0o600
    links, public = pd.read_csv("links.csv"), pd.read_csv("public.csv")
    assert "person" not in public
    joined = public.assign(row=range(1, 61)).merge(links, on=["row", "class"]).merge(frame, on="person")
    assert len(joined) == 60
    assert (joined["illness_x"] == joined["illness_y"]).all()


def test_people_are_told_the_losses_and_the_diversity(run: Run, work: Path) -> None:
    table = write_files(work, small_table())
    outcome = run("kanon", table, *roles(work), "--k", "3", "--method", "kaca", "--sensitive", "illness")
    assert "k = 3" in outcome.stdout
    assert "normalised certainty penalty 0." in outcome.stdout
    assert "at least 1 sensitive value (" in outcome.stdout


def test_one_number_is_partitioned_optimally(run: Run, work: Path) -> None:
    """The gap is then 0, so that any `--gap` is met; the even pairs of the COAA paper lose four times as much."""
    Path("six.csv").write_text("x\n1\n2\n3\n13\n14\n15\n")
    outcome = run("kanon", "six.csv", "--qi", "x", "--k", "2", "--gap", "0", "--json")
    assert outcome.code == 0
    figures = json.loads(outcome.stdout)
    assert figures["status"] == "optimal"
    assert figures["classes"] == 2
    assert figures["lower_bound_il"] == pytest.approx(figures["il"])
    assert figures["il"] == pytest.approx(100 * 4 / (4 + 6 * 36))


def test_numbers_alone_are_partitioned_by_squared_errors_and_ncp_on_request(run: Run, work: Path) -> None:
    small_table().assign(height=range(60)).to_csv("table.csv", index=False)
    start = ("kanon", "table.csv", "--qi", "age", "--qi", "height", "--k", "3", *QUICK, "--json")
    by_squares = json.loads(run(*start).stdout)
    by_penalty = json.loads(run(*start, "--objective", "ncp").stdout)
    assert (by_squares["objective"], by_penalty["objective"]) == ("sse", "ncp")
    assert by_squares["il"] < by_penalty["il"]
    assert by_penalty["ncp"] < by_squares["ncp"]


def test_a_bound_is_proved_under_a_time_limit(run: Run, work: Path) -> None:
    small_table(14).assign(height=range(14)).to_csv("table.csv", index=False)
    start = ("kanon", "table.csv", "--qi", "age", "--qi", "height", "--k", "3", "--json")
    outcome = run(*start, "--time-limit", "60", "--gap", "0.1")
    assert outcome.code == 0, outcome.stderr
    figures = json.loads(outcome.stdout)
    assert 0 < figures["lower_bound_il"] <= figures["il"]
    assert json.loads(run(*start, *QUICK).stdout)["lower_bound_il"] is None


def test_a_gap_without_a_bound_ends_with_6(run: Run, work: Path) -> None:
    table = write_files(work, small_table())
    outcome = run("kanon", table, *roles(work), "--k", "3", *QUICK, "--gap", "0.5", "--out", "a.csv")
    assert outcome.code == 6
    assert Path("a.csv").exists()


@pytest.mark.parametrize(
    ("extra", "code", "message"),
    [
        ((), 2, "--k is missing"),
        (("--k", "0"), 2, "k must be at least 1"),
        (("--k", "61"), 4, "no class of 61 in a table of 60 rows"),
        (("--k", "3", "--sensitive", "age"), 2, "two roles"),
        (("--k", "3", "--sensitive", "nothing"), 3, "nothing"),
        (("--k", "3", "--method", "coaa", "--objective", "sse"), 2, "looks at ncp only"),
        (("--k", "3", "--method", "mdav", "--objective", "ncp"), 2, "looks at sse only"),
        (("--k", "3", "--method", "mondrian"), 2, "mondrian"),
        (("--k", "3", "--link-out", "links.csv"), 2, "--id is missing"),
        (("--k", "3", "--missing", "height=drop"), 2, "height"),
    ],
)
def test_refusals_write_nothing(
    run: Run, work: Path, extra: tuple[str, ...], code: int, message: str
) -> None:
    table = write_files(work, small_table())
    outcome = run("kanon", table, *roles(work), *extra, "--out", "a.csv")
    assert outcome.code == code
    assert message in outcome.stderr
    assert not Path("a.csv").exists()
    assert not Path("links.csv").exists()


def test_a_value_without_a_leaf_is_refused_without_telling_it(run: Run, work: Path) -> None:
    frame = small_table()
    frame.loc[5, "place"] = "Atlantis"
    table = write_files(work, frame)
    outcome = run("kanon", table, *roles(work), "--k", "3", "--out", "a.csv")
    assert outcome.code == 3
    assert "'place'" in outcome.stderr
    assert "Atlantis" not in outcome.stderr


def test_missing_values_are_dropped_or_a_category_where_they_have_a_measure(run: Run, work: Path) -> None:
    frame = small_table()
    frame.loc[:3, "age"] = None
    frame.loc[4:9, "job"] = None
    frame.loc[10:11, "place"] = None
    table = write_files(work, frame)
    start = ("kanon", table, *roles(work), "--k", "3", "--method", "coaa", "--out", "a.csv")
    assert run(*start).code == 3
    refused = run(*start, "--missing", "category")
    assert refused.code == 2
    assert "'place'" in refused.stderr
    rest = ("--missing", "job=category", "--missing", "place=drop")
    refused = run(*start, *rest, "--missing", "age=category")
    assert refused.code == 2
    assert "'age'" in refused.stderr
    assert not Path("a.csv").exists()
    accepted = run(*start, *rest, "--missing", "age=drop", "--json")
    assert accepted.code == 0
    assert json.loads(accepted.stdout)["rows"] == 54
    assert "\\N" in Path("a.csv").read_text()


def test_a_table_of_numbers_with_missing_ones_has_squared_errors_only(run: Run, work: Path) -> None:
    frame = small_table()
    frame.loc[:3, "age"] = None
    frame.to_csv("table.csv", index=False)
    outcome = run("kanon", "table.csv", "--qi", "age", "--k", "3", "--missing", "category", "--json")
    assert outcome.code == 0, outcome.stderr
    assert json.loads(outcome.stdout)["ncp"] is None


def test_a_column_called_class_is_refused(run: Run, work: Path) -> None:
    small_table().rename(columns={"age": "class"}).to_csv("table.csv", index=False)
    outcome = run("kanon", "table.csv", "--qi", "class", "--k", "3")
    assert outcome.code == 2
    assert "'class'" in outcome.stderr


def uneven_table() -> pd.DataFrame:
    """Five numbers far away and 40 nearby in two heaps: the one bisection that COAA tries is uneven."""
    ages = [20.0 + place % 2 for place in range(20)] + [40.0 + place % 2 for place in range(20)]
    return pd.DataFrame({"age": [*ages, 1000.0]})


@pytest.mark.parametrize("as_json", [False, True])
def test_a_single_class_is_warned_of(run: Run, work: Path, as_json: bool) -> None:
    """COAA that does not divide is 41-anonymous and useless; ours divides the same table and is silent."""
    uneven_table().to_csv("t.csv", index=False)
    common = ("kanon", "t.csv", "--qi", "age", "--k", "4", *(["--json"] if as_json else []))
    outcome = run(*common, "--method", "coaa")
    assert outcome.code == 0
    told = "coaa left all 41 rows in one class"
    assert f"warning: {told}" in outcome.stderr
    if as_json:
        (warning,) = json.loads(outcome.stdout)["warnings"]
        assert told in warning
        assert "--method optimise" in warning
    assert "warning" not in run(*common, "--method", "optimise").stderr


def test_a_class_with_most_rows_is_warned_of(run: Run, work: Path) -> None:
    """One far heap of four is split off; the rest stays together because of one outlier in it."""
    frame = uneven_table()
    frame = pd.concat([frame, pd.DataFrame({"age": [5000.0, 5000.0, 5001.0, 5001.0]})])
    frame.to_csv("t.csv", index=False)
    outcome = run("kanon", "t.csv", "--qi", "age", "--k", "4", "--method", "coaa")
    assert "warning: coaa left 41 of 45 rows in one class, 10 times k" in outcome.stderr


def test_too_few_rows_for_two_classes_are_warned_of(run: Run, work: Path) -> None:
    """With fewer than 2k rows every method makes one class."""
    uneven_table().head(7).to_csv("t.csv", index=False)
    outcome = run("kanon", "t.csv", "--qi", "age", "--k", "4")
    assert "warning: 7 rows are fewer than 2k = 8: only one class is possible" in outcome.stderr
    equal = pd.DataFrame({"age": [1] * 30})
    equal.to_csv("t.csv", index=False)
    assert "warning" not in run("kanon", "t.csv", "--qi", "age", "--k", "3", "--method", "coaa").stderr


@pytest.mark.parametrize("kind", ["numeric", "nominal"])
def test_large_classes_of_equal_rows_are_not_warned_of(run: Run, work: Path, kind: str) -> None:
    """A thousand equal rows of three fifths of the table lose nothing, whatever rounding makes of their SSE."""
    pd.DataFrame({"sex": [1] * 2001 + [0] * 1000}).to_csv("t.csv", index=False)
    outcome = run("kanon", "t.csv", "--qi", f"sex:{kind}", "--k", "4", "--method", "coaa")
    assert outcome.code == 0
    assert "2 classes" in outcome.stdout
    assert "warning" not in outcome.stderr


@pytest.mark.parametrize("as_json", [False, True])
def test_an_interrupted_search_writes_nothing_and_says_so(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool
) -> None:
    def interrupted(table: Any, roles: Roles, k: int, *, budget: Budget, **rest: Any) -> Any:
        assert budget.cancel is not None
        budget.cancel.cancel()
        return anonymise(table, roles, k, budget=budget, **rest)

    table = write_files(work, small_table())
    arguments = ("kanon", table, *roles(work), "--k", "4", "--out", "public.csv", *["--json"] * as_json)
    before = everything(work)
    monkeypatch.setattr("minv.publish.kanon.anonymise", interrupted)
    outcome = run(*arguments)
    assert (outcome.code, outcome.stderr) == (130, "error: interrupted; nothing was written\n")
    if as_json:
        assert json.loads(outcome.stdout)["exit_code"] == 130
    assert everything(work) == before
