"""Files of anybody: the privacy models, whatever index, types and roles frames come with."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from third_party import ROLES

from minv_verifiers import InputError, Status, verify


def test_tables_1_and_2_fail_for_tuples_1_and_2(tables: list[pd.DataFrame]) -> None:
    """The m-invariance paper: the signatures of tuples 1 and 2 change between Tables 1 and 2."""
    report = verify(tables[:2], **ROLES)
    assert set(report.violated) == {"m-invariance", "tau-safety"}
    found = {
        witness.raw["id"]: witness.raw["signatures"] for witness in report.outcome("m-invariance").witnesses
    }
    assert found == {
        "1": {"release 1": ("Flu", "HIV"), "release 2": ("Acne", "HIV")},
        "2": {"release 1": ("Flu", "HIV"), "release 2": ("Cough", "Flu")},
    }


def test_tables_1_and_3_pass(tables: list[pd.DataFrame]) -> None:
    """The m-invariance paper: Tables 1 and 3 are 2-invariant, and tau-safe."""
    report = verify([tables[0], tables[2]], **ROLES)
    assert report.passed
    assert report.outcome("tau-safety").status is Status.PASSED


def test_without_ids_invariance_is_not_passed(tables: list[pd.DataFrame]) -> None:
    """What needs ids is not checkable without; asked for by name it is no success."""
    roles = {**ROLES, "person": None}
    asked = verify([tables[0], tables[2]], model="tau-safe", **roles)
    assert asked.outcome("m-invariance").status is Status.NOT_CHECKABLE
    assert (asked.verdict, asked.exit_code) == ("not checkable", 3)
    assert verify([tables[0], tables[2]], **roles).claims.model == "m-unique"


@pytest.mark.parametrize(
    "reindex", [lambda n: range(10, 10 + n), lambda n: [0] * n, lambda n: list(range(n))[::-1]]
)
def test_the_index_does_not_matter(tables: list[pd.DataFrame], reindex: Any) -> None:
    """Shifted, duplicated and reversed indices give the same report."""
    changed = [frame.set_axis(reindex(len(frame)), axis=0) for frame in tables[:2]]
    assert verify(changed, **ROLES) == verify(tables[:2], **ROLES)


def test_a_multiindex_does_not_matter(tables: list[pd.DataFrame]) -> None:
    """So does a MultiIndex with names like columns."""
    changed = [frame.set_index(["id", "age"], drop=False) for frame in tables[:2]]
    assert verify(changed, **ROLES) == verify(tables[:2], **ROLES)


def _as_objects(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.astype(object)


def _as_categories(frame: pd.DataFrame) -> pd.DataFrame:
    unused = frame.astype(str).apply(
        lambda column: column.astype("category").cat.add_categories(["never used"])
    )
    return pd.DataFrame(unused)


def _as_arrow(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.convert_dtypes(dtype_backend="pyarrow")


def _as_nullable(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.convert_dtypes(dtype_backend="numpy_nullable")


def _as_floats(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(id=frame["id"].astype(float))


def _as_table(frame: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame)


def _as_dictionary_table(frame: pd.DataFrame) -> pa.Table:
    table = pa.Table.from_pandas(frame, preserve_index=False)
    return pa.table({name: table[name].cast(pa.string()).dictionary_encode() for name in table.column_names})


@pytest.mark.parametrize(
    "convert",
    [_as_objects, _as_categories, _as_arrow, _as_nullable, _as_floats, _as_table, _as_dictionary_table],
    ids=lambda convert: convert.__name__,
)
def test_dtypes_and_backends_do_not_matter(tables: list[pd.DataFrame], convert: Any) -> None:
    """The same values in any backend, and in different ones per release, give the same answers."""
    expected = verify(tables[:2], **ROLES)
    assert verify([convert(tables[0]), tables[1]], **ROLES).outcomes == expected.outcomes
    assert verify([convert(frame) for frame in tables[:2]], **ROLES).outcomes == expected.outcomes


def test_the_input_is_not_changed(tables: list[pd.DataFrame]) -> None:
    """Frames come back as they were given."""
    before = [frame.copy(deep=True) for frame in tables]
    verify(tables, **ROLES)
    for frame, copy in zip(tables, before, strict=True):
        pd.testing.assert_frame_equal(frame, copy)


def test_rows_in_another_order_give_the_same_verdict(tables: list[pd.DataFrame]) -> None:
    """The order of rows decides row numbers and nothing else."""
    shuffled = [frame.sample(frac=1, random_state=1) for frame in tables]
    assert verify(shuffled, **ROLES).violated == verify(tables, **ROLES).violated


def test_a_class_column_tells_equal_cells_apart() -> None:
    """With a class column two classes may have equal cells, with a warning; without it they are one."""
    frame = pd.DataFrame({"id": range(4), "class": [1, 1, 2, 2], "age": "20", "disease": list("abab")})
    apart = verify(frame, class_id="class", **ROLES)
    assert apart.passed
    assert apart.outcome("class-cells-distinct").status is Status.WARNING
    assert verify(frame, **ROLES).violated == ("m-unique",)


def test_a_class_with_unequal_cells_is_reported() -> None:
    """Rows of one class with different cells are a violation, with the row."""
    frame = pd.DataFrame({"id": range(2), "class": [1, 1], "age": ["20", "21"], "disease": list("ab")})
    report = verify(frame, class_id="class", **ROLES)
    assert report.violated == ("quasi-identifiers-equal",)
    assert report.outcome("quasi-identifiers-equal").witnesses[0].rows == (2,)


def test_a_missing_quasi_identifier_is_a_value_of_its_own() -> None:
    """Rows with a missing cell form a class; dropping them would overstate k."""
    frame = pd.DataFrame({"id": range(5), "age": ["20"] * 4 + [None], "disease": list("abcda")})
    report = verify(frame, **{**ROLES, "m": 2, "model": "k-anonymous"})
    assert report.violated == ("k-anonymity",)
    assert report.outcome("k-anonymity").witnesses[0].rows == (5,)


def test_suppressed_rows_are_judged_and_named() -> None:
    """Rows `*,*` that still tell a value are one class, with a warning; those that tell nothing are left out."""
    frame = pd.DataFrame(
        {
            "id": range(6),
            "age": ["20", "20", "*", "*", "*", "*"],
            "sex": ["m", "m", "*", "*", "*", "*"],
            "disease": ["a", "b", "a", "b", "*", "*"],
        }
    )
    report = verify(frame, **{**ROLES, "quasi_identifiers": ["age", "sex"]})
    assert report.passed
    assert report.outcome("suppressed-rows").witnesses[0].rows == (3, 4)
    assert report.measures[0].rows == 4
    assert any("2 rows, suppressed altogether, were left out" in note for note in report.notes)


def test_a_count_column_stands_for_several_tuples() -> None:
    """An aggregated row counts as often as it says, and repeats its sensitive value."""
    frame = pd.DataFrame({"age": ["20", "20", "30"], "disease": ["a", "b", "c"], "count": [1, 1, 2]})
    roles = {"quasi_identifiers": ["age"], "sensitive": "disease", "count": "count", "m": 2}
    report = verify(frame, **roles)
    assert report.violated == ("m-unique",)
    assert report.outcome("m-unique").witnesses[0].rows == (3,)
    assert verify(frame, **{**roles, "model": "k-anonymous"}).passed
    with pytest.raises(InputError, match="1 count is no whole number of"):
        verify(frame.assign(count=[1, 1, 0]), **roles)


def test_k_anonymity_and_l_diversity() -> None:
    """k counts rows, distinct l values, entropy l their evenness."""
    frame = pd.DataFrame({"age": ["20"] * 4 + ["30"] * 3, "disease": list("aaab") + list("abc")})
    roles = {"quasi_identifiers": ["age"], "sensitive": "disease", "model": "k-anonymous"}
    assert verify(frame, m=3, **roles).passed
    broken = verify(frame, m=4, l_distinct=3, l_entropy=2.0, **roles)
    assert set(broken.violated) == {"k-anonymity", "distinct-l-diversity", "entropy-l-diversity"}
    witness = broken.outcome("distinct-l-diversity").witnesses
    assert [(one.class_id, one.size) for one in witness] == [("1", 1)]
    measures = broken.measures[0]
    entropy = -(0.75 * np.log(0.75) + 0.25 * np.log(0.25))
    assert measures.distinct_l == 2
    assert measures.entropy_l == pytest.approx(np.exp(entropy))
    assert verify(frame.drop(columns="disease"), m=3, quasi_identifiers=["age"], model="k-anonymous").passed


def test_entropy_at_the_limit_passes() -> None:
    """l equally frequent values have entropy log l, rounding aside."""
    frame = pd.DataFrame({"age": "20", "disease": list("abcdefg")})
    roles = {"quasi_identifiers": ["age"], "sensitive": "disease", "m": 2}
    assert verify(frame, l_entropy=7.0, **roles).passed
    assert verify(frame, l_entropy=7.001, **roles).violated == ("entropy-l-diversity",)
