"""The coverage report counts values and rows, and says what nearly matched."""

import pytest

from minv.errors import DataError
from minv.hierarchy import cover, flat_hierarchy

PLACES = flat_hierarchy(["Bern", "Basel", "7"])


def test_a_complete_column():
    coverage = cover(PLACES, ["Bern", "7", "Bern"])
    assert coverage.complete
    assert (coverage.rows, coverage.distinct, coverage.unused) == (3, 2, 1)
    coverage.require_complete("place", "places.csv")


def test_missing_values_are_counted_not_quoted():
    coverage = cover(PLACES, ["Bern", "secret", "secret", " Basel", "7.0", "bern"])
    assert coverage.missing == {"secret": 2, " Basel": 1, "7.0": 1, "bern": 1}
    assert coverage.near == 3
    with pytest.raises(DataError) as caught:
        coverage.require_complete("place", "places.csv")
    message = str(caught.value)
    assert "column 'place': 4 of 5 values, in 5 of 6 rows, have no leaf in places.csv" in message
    assert "3 of them differ from a leaf only in blanks, case or number format" in message
    assert "secret" not in message


def test_values_are_quoted_only_on_request():
    with pytest.raises(DataError, match=r"value \('secret'\), in 1 of 1 row, has no"):
        cover(PLACES, ["secret"]).require_complete("place", "places.csv", show_values=True)


def test_an_empty_column_is_covered():
    assert cover(PLACES, []).complete
