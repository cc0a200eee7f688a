"""The memory of a series."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import DataError
from minv.series.columns import write_parquet
from minv.series.history import History, Signature, signature_text, sorted_signature

signatures = st.sets(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=4).map(sorted_signature)
releases = st.lists(st.dictionaries(st.sampled_from("abcdef"), signatures), max_size=5)


def rows(history: History) -> list[tuple[str, Signature, int, int]]:
    return [
        (person, history.signatures[code], first, last)
        for person, code, first, last in zip(
            history.ids.tolist(),
            history.codes.tolist(),
            history.first.tolist(),
            history.last.tolist(),
            strict=True,
        )
    ]


@given(releases)
def test_first_and_last_release_of_each_signature(published: list[dict[str, Signature]]) -> None:
    history = History.empty()
    for number, persons in enumerate(published, start=1):
        history = history.after(number, persons)
    expected: dict[tuple[str, Signature], list[int]] = {}
    for number, persons in enumerate(published, start=1):
        for person, signature in persons.items():
            expected.setdefault((person, signature), []).append(number)
    assert {(p, s): (first, last) for p, s, first, last in rows(history)} == {
        key: (min(numbers), max(numbers)) for key, numbers in expected.items()
    }
    order = [(person, first) for person, _, first, _ in rows(history)]
    assert order == sorted(order)


@given(releases)
def test_file_reads_back(
    tmp_path_factory: pytest.TempPathFactory, published: list[dict[str, Signature]]
) -> None:
    history = History.empty()
    for number, persons in enumerate(published, start=1):
        history = history.after(number, persons)
    path = tmp_path_factory.mktemp("history") / "history.parquet"
    with path.open("wb") as file:
        write_parquet(history.to_table(), file)
    assert rows(History.read(path)) == rows(history)


def test_nobody_is_forgotten() -> None:
    history = History.empty().after(1, {"a": ("x", "y")}).after(2, {}).after(3, {"b": ("x", "y")})
    assert rows(history) == [("a", ("x", "y"), 1, 1), ("b", ("x", "y"), 3, 3)]
    assert history.signatures_of(["b", "c", "a"]) == {"b": (("x", "y"),), "a": (("x", "y"),)}


def test_signatures_of_a_person_come_oldest_first() -> None:
    history = History.empty().after(1, {"b": ("y", "z")}).after(2, {"a": ("p",), "b": ("a", "x")})
    history = history.after(3, {"b": ("y", "z"), "c": ("p",)})
    assert history.signatures_of(["b"]) == {"b": (("y", "z"), ("a", "x"))}


def test_rows_in_any_order_are_read(tmp_path: Path) -> None:
    """Searching relies on the order, which the format does not ask for."""
    history = History.empty().after(1, {"b": ("x",), "a": ("y",)}).after(2, {"b": ("z",), "c": ("x",)})
    path = tmp_path / "history.parquet"
    with path.open("wb") as file:
        write_parquet(history.to_table().take([3, 2, 0, 1]), file)
    assert rows(History.read(path)) == rows(history)


def test_text_of_a_signature_is_json_with_missing_first() -> None:
    assert signature_text(sorted_signature(["b", None, 'a "q"'])) == '[null,"a \\"q\\"","b"]'


def test_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "history.parquet"
    path.write_bytes(b"PAR1")
    with pytest.raises(DataError, match="damaged"):
        History.read(path)
    with pytest.raises(DataError, match="No such file"):
        History.read(tmp_path / "absent.parquet")
