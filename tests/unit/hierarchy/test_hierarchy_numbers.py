"""Trees that list numbers: in number order, with the widths that their nodes span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minv.errors import DataError
from minv.hierarchy import number_tree
from minv.hierarchy.building import Path, tree_from_paths


def tree_of(*lines):
    return tree_from_paths(
        [Path(line.split(";"), f"line {place}") for place, line in enumerate(lines, 1)], "a.csv"
    )


def test_leaves_stand_in_number_order_and_shares_are_widths():
    tree = number_tree(tree_of("10;big;*", "9.0;small;*", "1;small;*", "21;big;*"), "a.csv")
    assert tree.labels[: tree.leaves] == ("1", "9", "10", "21")
    assert dict(zip(tree.labels, tree.penalties, strict=True)) == pytest.approx(
        {"1": 0, "9": 0, "10": 0, "21": 0, "small": 8 / 20, "big": 11 / 20, "*": 1}
    )


def test_one_number_loses_nothing():
    assert number_tree(tree_of("7;*"), "a.csv").penalties.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("1;a;*", "Secret;a;*", "1e999;a;*"), "a.csv: 2 of 3 values are no finite numbers"),
        (("1;a;*", "01;a;*", "1.0;a;*"), "a.csv: 2 numbers are listed again"),
        (("1;a;*", "2;b;*", "3;a;*"), "a.csv: 1 labels have a number of another label between"),
        (("1;a;*", "2;b;*", "3;a;*", "4;b;*"), "a.csv: 2 labels have a number of another label between"),
        (("01;1;*", "2;1;*"), "both a leaf and an inner node"),
    ],
)
def test_what_is_no_tree_of_numbers(lines, message):
    with pytest.raises(DataError, match=message) as caught:
        number_tree(tree_of(*lines), "a.csv")
    assert "Secret" not in str(caught.value)


@given(
    st.lists(
        st.tuples(st.integers(0, 12), st.sampled_from("abc")), min_size=1, unique_by=lambda pair: pair[0]
    )
)
def test_labels_overlap_where_their_numbers_are_no_runs(pairs):
    """Against the definition: between two numbers of a label stands none of another."""
    pairs = sorted(pairs)
    owners = [label for _, label in pairs]
    runs = [label for place, label in enumerate(owners) if place == 0 or owners[place - 1] != label]
    tree = tree_of(*(f"{number};{label};*" for number, label in reversed(pairs)))
    if len(runs) > len(set(runs)):
        with pytest.raises(DataError, match="must not overlap"):
            number_tree(tree, "a.csv")
        return
    found = number_tree(tree, "a.csv")
    assert [float(label) for label in found.labels[: found.leaves]] == [number for number, _ in pairs]
