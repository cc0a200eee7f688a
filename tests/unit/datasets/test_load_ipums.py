"""An IPUMS extract is read by its variables; there is nothing to download."""

import pytest

from minv_datasets import DataError, UnavailableError, load_ipums

EXTRACT = """YEAR,SERIAL,SEX,AGE,EDUC,EDUCD,OCC
2022,1,1,40,6,63,2310
2022,1,2,38,10,101,0
2022,2,2,51,11,116,20
2022,3,9,22,7,71,4110
2022,3,2,22,99,999,4110
"""


def test_reads_codes_and_leaves_out_persons_without_an_occupation(tmp_path):
    """Code 0 is no occupation; 9 and 99 are a missing sex and education."""
    path = tmp_path / "usa_00001.csv"
    path.write_text(EXTRACT)
    frame = load_ipums(path)
    assert frame.to_dict("list") == {
        "sex": [1, 2],
        "age": [40, 51],
        "educ": [6, 11],
        "occupation": ["2310", "0020"],
    }


def test_lower_case_and_an_older_occupation_variable(tmp_path):
    """Extracts name their variables in either case, and carry one of several classifications."""
    path = tmp_path / "usa.csv"
    path.write_text("sex,age,educ,occ2010\n1,30,6,430\n")
    assert load_ipums(path)["occupation"].tolist() == ["0430"]


def test_found_in_the_data_folder(tmp_path, monkeypatch):
    """Without a path: ipums.csv in MINV_DATA."""
    (tmp_path / "ipums.csv").write_text(EXTRACT)
    monkeypatch.setenv("MINV_DATA", str(tmp_path))
    assert len(load_ipums()) == 2


def test_without_a_file(no_data):
    """The message says to register, what to extract and where to put it."""
    with pytest.raises(UnavailableError) as caught:
        load_ipums()
    for wanted in ("usa.ipums.org", "SEX, AGE, EDUC and OCC", "MINV_DATA", "ipums.csv.gz"):
        assert wanted in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("SEX,AGE,OCC\n1,30,10\n", "lacks EDUC"),
        ("SEX,AGE,EDUC\n1,30,6\n", "lacks OCC"),
        ("SEX,AGE,EDUC,OCC\nMale,30,6,10\n", "SEX must hold whole-number codes"),
        ("SEX,AGE,EDUC,OCC\n1,,6,10\n", "AGE must hold whole-number codes"),
        ("", "not a readable CSV extract"),
        ("2022010001234567890\n", "lacks SEX, AGE, EDUC, OCC"),
    ],
)
def test_unusable_extracts(text, reason, tmp_path):
    """One line each, without a value of the data."""
    path = tmp_path / "extract.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=reason) as caught:
        load_ipums(path)
    assert "Male" not in str(caught.value)
