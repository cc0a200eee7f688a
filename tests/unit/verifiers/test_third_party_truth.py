"""Files of anybody against what is known beside them: links, pairs of tables, counterfeits, originals, losses."""

import numpy as np
import pandas as pd
import pytest
from third_party import ROLES

from minv_verifiers import InputError, Status, TextFormat, UsageError, verify


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


def test_intervals_of_pandas() -> None:
    """Cells made by pandas.cut are read as the intervals that they are."""
    ages = pd.Series([21, 25, 31, 38])
    frame = pd.DataFrame({"id": range(4), "age": pd.cut(ages, [20, 30, 40]), "disease": list("abab")})
    original = pd.DataFrame({"id": range(4), "age": ages, "disease": list("abab")})
    assert verify(frame, tables=[original], **ROLES).passed
    moved = original.assign(age=[20, 25, 31, 38])
    assert verify(frame, tables=[moved], **ROLES).violated == ("cells-contain-truth",)
