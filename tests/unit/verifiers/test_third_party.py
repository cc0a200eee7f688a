"""Files of anybody: roles, links, pairs of tables, packages; what is refused and in which words."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from minv_verifiers import InputError, Status, TextFormat, UsageError, verify

ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": "disease", "person": "id", "m": 2}


@pytest.fixture
def tables() -> list[pd.DataFrame]:
    """The paper's Tables 1, 2 and 3."""
    first = pd.DataFrame({"id": [1, 2], "age": "[18-20]", "disease": ["HIV", "Flu"]})
    second = pd.DataFrame(
        {"id": [1, 3, 2, 4], "age": ["18-19"] * 2 + ["20-21"] * 2, "disease": ["HIV", "Acne", "Flu", "Cough"]}
    )
    third = pd.DataFrame(
        {"id": [1, 2, 3, 4], "age": ["18-20"] * 2 + ["19-21"] * 2, "disease": ["HIV", "Flu", "Acne", "Cough"]}
    )
    return [first, second, third]


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


@pytest.mark.parametrize(
    ("encoding", "delimiter", "newline"),
    [("utf-8", ",", "\n"), ("utf-8-sig", ",", "\r\n"), ("latin-1", ";", "\n"), ("utf-16", "\t", "\n")],
)
def test_encodings_and_delimiters(tmp_path: Path, encoding: str, delimiter: str, newline: str) -> None:
    """Text files in any declared encoding; a byte-order mark of UTF-8 needs no declaration."""
    path = tmp_path / "release.csv"
    lines = ["id,age,disease", "1,20-30,Rh\u00e9ume", "2,20-30,Fi\u00e8vre"]
    path.write_text(newline.join(line.replace(",", delimiter) for line in lines) + newline, encoding=encoding)
    declared = "utf-8" if encoding == "utf-8-sig" else encoding
    report = verify(path, text_format=TextFormat(encoding=declared, delimiter=delimiter), **ROLES)
    assert report.passed


def test_quoted_delimiters_and_newlines(tmp_path: Path) -> None:
    """A quoted comma or line end belongs to its field."""
    path = tmp_path / "release.csv"
    path.write_text('id,age,disease\n1,"[20, 30]","flu, or so"\n2,"[20, 30]","two\nlines"\n')
    report = verify(path, **ROLES)
    assert report.passed
    assert report.measures[0].rows == 2


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


def test_links_by_row_and_by_class(tables: list[pd.DataFrame]) -> None:
    """Ids in files of their own tell the same as ids in the release."""
    bare = [frame.drop(columns="id").assign(group=[1] * 2 + [2] * (len(frame) - 2)) for frame in tables[:2]]
    rows = [pd.DataFrame({"id": frame["id"], "row": range(1, len(frame) + 1)}) for frame in tables[:2]]
    groups = [
        pd.DataFrame({"id": frame["id"], "group": own["group"]})
        for frame, own in zip(tables, bare, strict=False)
    ]
    for links in (rows, groups):
        report = verify(bare, links=links, class_id="group", **ROLES)
        assert set(report.violated) == {"m-invariance", "tau-safety"}
        assert {witness.raw["id"] for witness in report.outcome("tau-safety").witnesses} == {"1", "2"}


def test_links_go_with_original_tables() -> None:
    """The release names nobody; the link file and the original do."""
    original = pd.DataFrame({"id": [1, 2], "age": [18, 20], "disease": ["HIV", "Flu"]})
    release = pd.DataFrame({"age": ["18-20"] * 2, "disease": ["HIV", "Flu"]})
    straight, crossed = (pd.DataFrame({"id": ids, "row": [1, 2]}) for ids in ([1, 2], [2, 1]))
    assert verify(release, links=[straight], tables=[original], **ROLES).violated == ()
    found = verify(release, links=[crossed], tables=[original], **ROLES).violated
    assert found == ("sensitive-truthful",)


def test_links_that_point_nowhere(tables: list[pd.DataFrame]) -> None:
    """A link to a row or class that is not there is refused, without its value."""
    bare = tables[0].drop(columns="id")
    with pytest.raises(InputError, match="column row: 1 value is no row"):
        verify(bare, links=[pd.DataFrame({"id": [1, 2], "row": [1, 3]})], **ROLES)
    with pytest.raises(InputError, match="1 row is linked twice"):
        verify(bare, links=[pd.DataFrame({"id": [1, 2], "row": [1, 1]})], **ROLES)
    with pytest.raises(InputError, match="needs a column row"):
        verify(bare, links=[pd.DataFrame({"id": [1, 2]})], **ROLES)


def test_anatomy_pairs() -> None:
    """Exact quasi-identifiers in one table, sensitive counts in another; signatures change as in Tables 1 and 2."""
    people = [
        pd.DataFrame({"id": [1, 2], "age": [18, 20], "group": [1, 1]}),
        pd.DataFrame({"id": [1, 3, 2, 4], "age": [18, 19, 20, 21], "group": [1, 1, 2, 2]}),
    ]
    values = [
        pd.DataFrame({"group": [1, 1], "disease": ["HIV", "Flu"], "count": [1, 1]}),
        pd.DataFrame({"group": [1, 1, 2, 2], "disease": ["HIV", "Acne", "Flu", "Cough"], "count": 1}),
    ]
    report = verify(people, sensitive_tables=values, class_id="group", **ROLES)
    assert set(report.violated) == {"m-invariance", "tau-safety"}
    assert "anatomy" in report.notes[0]
    repeated = [values[0].assign(disease="HIV", count=[1, 1])]
    assert verify(people[:1], sensitive_tables=repeated, class_id="group", **ROLES).violated == ("m-unique",)
    with pytest.raises(InputError, match="1 row finds no sensitive value"):
        verify(people[:1], sensitive_tables=[values[0].head(1)], class_id="group", **ROLES)


def test_published_counts_of_counterfeits() -> None:
    """Rows without an original are allowed as far as counterfeits are declared."""
    frame = pd.DataFrame({"id": ["1", "x"], "group": 1, "age": "20", "disease": ["a", "b"]})
    original = pd.DataFrame({"id": ["1"], "age": [20], "disease": ["a"]})
    options = {**ROLES, "class_id": "group", "tables": [original]}
    declared = pd.DataFrame({"group": [1], "count": [1]})
    assert verify(frame, counterfeit_counts=[declared], **options).passed
    assert verify(frame, **options).violated == ("nobody-invented",)
    unknown = pd.DataFrame({"group": [2], "count": [1]})
    assert "counterfeit-counts" in verify(frame, counterfeit_counts=[unknown], **options).violated


def test_the_original_table_is_compared() -> None:
    """Someone lost, someone invented, a changed value and a cell beside the truth, each by its rule."""
    frame = pd.DataFrame(
        {"id": [1, 2, 3, 9], "age": ["18-20", "18-20", "30-40", "30-40"], "disease": ["a", "b", "a", "c"]}
    )
    original = pd.DataFrame({"id": [1, 2, 3, 4], "age": [18, 21, 35, 50], "disease": ["a", "b", "b", "c"]})
    report = verify(frame, tables=[original], **ROLES)
    assert set(report.violated) == {
        "nobody-lost",
        "nobody-invented",
        "sensitive-truthful",
        "cells-contain-truth",
    }
    assert report.mode == "custodian"
    assert report.outcome("nobody-lost").witnesses[0].message == "row 4 of original 1 is not published"
    assert report.outcome("nobody-invented").witnesses[0].rows == (4,)
    assert report.outcome("sensitive-truthful").witnesses[0].rows == (3,)
    assert report.outcome("cells-contain-truth").witnesses[0].raw == {"published": "18-20", "true": "21"}


def with_values(*published: str) -> pd.DataFrame:
    """A release of one class with these sensitive values."""
    rows = range(len(published))
    return pd.DataFrame({"age": "[1, 9]", "illness": published, "person": [f"p{row}" for row in rows]})


@pytest.mark.parametrize(
    ("published", "true", "passes"),
    [
        (("a\\b", "c"), ("a\\b", "c"), True),  # as it stands
        (("a\\\\b", "c"), ("a\\b", "c"), True),  # as our format writes it
        (("a\\\\b", "a\\b"), ("a\\\\b", "a\\b"), True),
        (("a\\\\b", "a\\b"), ("a\\b", "a\\\\b"), False),  # swapped
        (("a\\\\b", "a\\\\c"), ("a\\b", "a\\\\c"), False),  # in two ways of writing
        (("a\\\\b", "c"), ("a\\c", "c"), False),
        (("a\\b", "c"), ("ab", "c"), False),  # a stray backslash is no escape
        (("a\\\\b", "c"), ("a\\b", "d"), False),
        (("\\\\N", "c"), ("", "c"), False),
        (("\\\\N", "c"), ("\\N", "c"), True),  # the text, as our format writes it
        (("\\N", "c"), ("\\N", "c"), True),  # as it stands, whatever it means
        (("\\\\N", "\\N"), ("\\N", ""), True),
        (("\\\\N", "\\N"), ("", "\\N"), False),
        (("\\\\N", "\\N"), ("\\\\N", "\\N"), True),
        (("\\\\\\\\N", "\\\\N"), ("\\\\N", "\\N"), True),
        (("\\\\\\\\N", "c"), ("\\N", "c"), False),
        (("flu", "c"), ("\\N", "c"), False),
        (("\\N", "c"), ("flu", "c"), False),
    ],
)
@pytest.mark.parametrize("as_value", [True, False])
def test_backslashes_of_sensitive_values(
    published: tuple[str, ...], true: tuple[str, ...], passes: bool, as_value: bool
) -> None:
    roles = {"quasi_identifiers": ["age"], "sensitive": "illness", "person": "person"}
    original = with_values(*true).assign(age=["3", "4"])
    report = verify(
        [with_values(*published)],
        m=2,
        model="k-anonymous",
        tables=[original],
        missing_is_value=as_value,
        **roles,
    )
    assert (report.violated == ()) is passes
    assert passes or report.violated == ("sensitive-truthful",)


@pytest.mark.parametrize("as_value", [True, False])
def test_a_missing_sensitive_value_as_our_format_writes_it(as_value: bool) -> None:
    roles = {"quasi_identifiers": ["age"], "sensitive": "illness", "person": "person"}
    original = with_values("flu", "cold").assign(age=["3", "4"], illness=["flu", None])
    report = verify(
        [with_values("flu", "\\N")],
        m=2,
        model="k-anonymous",
        tables=[original],
        missing_is_value=as_value,
        **roles,
    )
    assert report.violated == ()


def test_marked_counterfeits_need_no_original() -> None:
    """Rows marked as counterfeits have no id and no original."""
    frame = pd.DataFrame({"id": ["1", None], "age": "20", "disease": ["a", "b"], "fake": [False, True]})
    original = pd.DataFrame({"id": ["1"], "age": ["20"], "disease": ["a"]})
    assert verify(frame, counterfeit="fake", tables=[original], **ROLES).passed
    with pytest.raises(InputError, match="1 row has no id"):
        verify(frame, **ROLES)
    with pytest.raises(InputError, match="neither true nor false"):
        verify(frame.assign(fake="maybe"), counterfeit="fake", **ROLES)


def test_a_class_of_marked_counterfeits_alone() -> None:
    """Every class needs a real tuple, by the marks where there are some."""
    frame = pd.DataFrame({"id": [None, None], "age": "20", "disease": ["a", "b"], "fake": ["yes", "yes"]})
    assert verify(frame, counterfeit="fake", **ROLES).violated == ("real-tuple",)


def test_ids_spelled_differently_are_refused(tables: list[pd.DataFrame]) -> None:
    """`1` and `001` would pass for two people, hiding every violation."""
    text = tables[1].assign(id=["001", "003", "002", "004"])
    with pytest.raises(InputError, match=r"2 ids are the same as another id in a different spelling"):
        verify([tables[0], text], **ROLES)


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


@pytest.mark.parametrize("as_folder", [True, False])
def test_a_data_package(tmp_path: Path, tables: list[pd.DataFrame], as_folder: bool) -> None:
    """A package, by its folder or its file, stands for its resources in order, with their dialects."""
    for number, frame in enumerate(tables[:2], start=1):
        frame.to_csv(tmp_path / f"table-{number}.csv", index=False, sep=";", encoding="latin-1")
    listed = [
        {"path": f"table-{number}.csv", "encoding": "latin-1", "dialect": {"delimiter": ";"}}
        for number in (1, 2)
    ]
    (tmp_path / "datapackage.json").write_text(json.dumps({"resources": listed}))
    report = verify(tmp_path if as_folder else tmp_path / "datapackage.json", **ROLES)
    assert set(report.violated) == {"m-invariance", "tau-safety"}


@pytest.mark.parametrize("path", ["../x.csv", "/etc/x.csv", None, ["a.csv"]])
def test_a_package_may_not_point_outside(tmp_path: Path, path: Any) -> None:
    """Resources lie inside the package."""
    (tmp_path / "datapackage.json").write_text(json.dumps({"resources": [{"path": path}]}))
    with pytest.raises(InputError, match="inside the package"):
        verify(tmp_path, **ROLES)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"id;age;disease\n1;2;a\n", "try --delimiter ';'"),
        (b"id\tage\tdisease\n", r"try --delimiter '\t'"),
        (b"id,age,disease\n1,2,Fi\xe8vre\n", "not utf-8 at byte 21; try --encoding latin-1"),
        (b"id,age,disease,\n1,2,a,\n", "the header ends with a delimiter"),
        (b"id,age,age,disease\n", "column age occurs twice"),
        (b"id,age,disease\n1,2\n", "different numbers of fields"),
        (b"id,age\n1,2\n", "no column disease; it has id, age"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, content: bytes, message: str) -> None:
    """Each fault of a file has one line that says what to do, and no data."""
    path = tmp_path / "release.csv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        verify(path, **ROLES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "frame",
    [
        pa.table({"id": [1], "age": [[1]], "disease": ["a"]}),
        pa.table({"id": [1], "age": [b"x"], "disease": ["a"]}),
        pa.table({"id": [1], "age": [{"a": 1}], "disease": ["a"]}),
    ],
    ids=["list", "bytes", "struct"],
)
def test_nested_columns_are_refused(frame: pa.Table) -> None:
    """Nested and binary values have no text."""
    with pytest.raises(InputError, match=r"column age: values of type .* are not supported"):
        verify(frame, **ROLES)


def test_a_file_that_is_no_parquet(tmp_path: Path) -> None:
    """A broken Parquet file is named."""
    path = tmp_path / "release.parquet"
    path.write_bytes(b"PAR1 not really")
    with pytest.raises(InputError, match=r"release.parquet: not a readable Parquet file"):
        verify(path, **ROLES)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "release.parquet",
            b"age,secret\n1,2\n",
            "not a readable Parquet file; save it again, or name a CSV",
        ),
        ("RELEASE.PARQUET", b"age,secret\n1,2\n", "not a readable Parquet file"),
        (
            "release.csv.gz",
            b"age,secret\n1,2\n",
            "not gzip-compressed, though its name ends in .gz; name a CSV",
        ),
        (
            "release.csv.gz",
            gzip.compress(b"age,secret\n" * 500, mtime=0)[:-20],
            "damaged or cut short; get or save it again",
        ),
        ("release.csv", gzip.compress(b"age,secret\n", mtime=0), "this is gzip-compressed; name it .csv.gz"),
        ("release.csv", b"PAR1 secret PAR1", "this is a Parquet file; name it .parquet"),
    ],
)
def test_a_name_that_promises_another_content(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    """One line with the file and what to do."""
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: .*{message}") as caught:
        verify(path, **ROLES)
    assert "secret" not in str(caught.value)


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    """Whatever the case of its name."""
    content = b"age,illness\n1,a\n1,b\n"
    (tmp_path / "release.CSV.GZ").write_bytes(gzip.compress(content))
    (tmp_path / "release.csv").write_bytes(content)
    compressed, plain = (
        verify(tmp_path / name, quasi_identifiers=["age"], sensitive="illness", m=2)
        for name in ("release.CSV.GZ", "release.csv")
    )
    assert compressed.passed
    assert plain.passed


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A path that is not there, and a folder without a manifest."""
    with pytest.raises(InputError, match="no such file"):
        verify(tmp_path / "nowhere.csv", **ROLES)
    with pytest.raises(InputError, match=r"a folder without datapackage\.json"):
        verify(tmp_path, **ROLES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"m": None}, "the parameter m is missing"),
        ({"m": 0}, "m must be a whole number of at least 1"),
        ({"m": float("nan")}, "m must be a whole number of at least 1"),
        ({"m": 1.5}, "m must be a whole number of at least 1"),
        ({"m": True}, "m must be a whole number of at least 1"),
        ({"l_distinct": 0}, "l must be a whole number of at least 1"),
        ({"l_entropy": float("nan")}, "must be a number of at least 1"),
        ({"l_entropy": 0.5}, "must be a number of at least 1"),
        ({"l_entropy": float("inf")}, "must be a number of at least 1"),
        ({"model": "tau_safe"}, "unknown model; known are m-unique"),
        ({"l_diversity": 3}, "unknown option l_diversity; known are quasi_identifiers"),
        ({"sensitive": None}, "name the sensitive column"),
        ({"quasi_identifiers": []}, "name the quasi-identifiers"),
        ({"person": "age"}, "column age has two roles"),
        ({"quasi_identifiers": ["age:any=a,b"]}, "only an ordinal column has levels"),
        ({"quasi_identifiers": ["age:fuzzy=a,b"]}, "the kind is one of"),
        ({"public_only": True}, "--public-only is for a series folder"),
        ({"tables": ["a", "b"]}, "no such file"),
        ({"tables": [pd.DataFrame()] * 2}, "2 originals for 1 release;"),
        (
            {"person": None, "tables": [pd.DataFrame({"id": [1, 2], "age": 1, "disease": "a"})]},
            "name the id column",
        ),
    ],
)
def test_contradictory_arguments(tables: list[pd.DataFrame], change: dict[str, Any], message: str) -> None:
    """Usage errors name the option that mends them."""
    with pytest.raises((UsageError, InputError), match=re.escape(message)):
        verify(tables[0], **{**ROLES, **change})


def test_missing_codes_are_declared() -> None:
    """A declared code is a missing value; undeclared it is a value like any other, as is the empty text."""
    frame = pd.DataFrame({"id": range(4), "age": ["?", "?", "20", "20"], "disease": list("abab")})
    original = pd.DataFrame({"id": range(4), "age": [None, None, "20", "20"], "disease": list("abab")})
    options = {**ROLES, "tables": [original]}
    assert verify(frame, **options).violated == ("cells-contain-truth",)
    assert verify(frame, text_format=TextFormat(missing_codes=("?",)), **options).passed


def test_a_claimed_loss_is_recomputed() -> None:
    """IL by pairwise distances, NCP by shares of the domain, by hand; a wrong claim is a violation."""
    ages, jobs = np.array([20.0, 24, 40, 60]), ["a", "b", "c", "c"]
    frame = pd.DataFrame(
        {
            "id": range(4),
            "age": ["20-24", "20-24", "40-60", "40-60"],
            "job": ["{a,b}"] * 2 + ["c"] * 2,
            "disease": list("xyxy"),
        }
    )
    original = pd.DataFrame({"id": range(4), "age": ages, "job": jobs, "disease": list("xyxy")})
    scaled = (ages - ages.mean()) / ages.std()
    within = ((scaled[:2] - scaled[:2].mean()) ** 2).sum() + ((scaled[2:] - scaled[2:].mean()) ** 2).sum()
    unlike = 5 / 16  # pairs of different jobs, as a share of all ordered pairs: 10 of 32 halves
    il = 100 * (within + (1 / 2) / unlike) / (4 + 4)
    ncp = np.mean([2 * (4 / 40) + 2 * (20 / 40), 2 * (2 / 3)]) / 4
    options = {
        **ROLES,
        "quasi_identifiers": ["age:numeric", "job:nominal"],
        "tables": [original],
        "model": "m-unique",
    }
    good = verify(frame, claimed_il=[il], claimed_ncp=[ncp], **options)
    assert good.outcome("loss-as-claimed").status is Status.PASSED
    assert good.measures[0].il == pytest.approx(il)
    assert good.measures[0].ncp == pytest.approx(ncp)
    assert verify(frame, claimed_il=[il * 1.001], **options).violated == ("loss-as-claimed",)
    assert verify(frame, claimed_ncp=[ncp * 0.999], **options).violated == ("loss-as-claimed",)
    with pytest.raises(UsageError, match="each of 1 release,"):
        verify(frame, claimed_il=[il, il], **options)


def test_likely_missing_codes_are_proposed() -> None:
    """What looks like a missing value is named with its count and the option, and still judged as a value."""
    frame = pd.DataFrame({"id": range(4), "age": ["?", "?", "20", "20"], "disease": ["a", "NA", "a", "b"]})
    report = verify(frame, **ROLES)
    assert any(
        "column age: 2 cells are '?'" in note and "--missing-code '?'" in note for note in report.notes
    )
    assert any("column disease: 1 cell is 'NA'" in note for note in report.notes)
    assert report.passed


def test_hostile_column_names() -> None:
    """Column names that look like markup or like our own are columns like any other."""
    frame = pd.DataFrame({"<script>": range(2), "class": "20", "counterfeit": list("ab"), ("t", 1): 1})
    report = verify(frame, quasi_identifiers=["class"], sensitive="counterfeit", person="<script>", m=2)
    assert report.passed


def test_intervals_of_pandas() -> None:
    """Cells made by pandas.cut are read as the intervals that they are."""
    ages = pd.Series([21, 25, 31, 38])
    frame = pd.DataFrame({"id": range(4), "age": pd.cut(ages, [20, 30, 40]), "disease": list("abab")})
    original = pd.DataFrame({"id": range(4), "age": ages, "disease": list("abab")})
    assert verify(frame, tables=[original], **ROLES).passed
    moved = original.assign(age=[20, 25, 31, 38])
    assert verify(frame, tables=[moved], **ROLES).violated == ("cells-contain-truth",)
