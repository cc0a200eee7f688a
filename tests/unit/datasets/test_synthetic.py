"""The made-up persons against figures of real ones: marginals, skew, dependence, eligibility.

Expected figures are those of 50,000 persons with an occupation in the American Community Survey 2024; with
the file at hand they are computed from it.
"""

import numpy as np
import pandas as pd
import pytest

from minv_datasets import UsageError, ipums_like, is_eligible, load_acs_pums

PERSONS = 40_000


@pytest.fixture(scope="module")
def persons():
    return ipums_like(PERSONS, seed=5)


def explained(frame, column, group):
    """Share of the variance of a column that the groups explain, corrected for their number (omega^2)."""
    values = frame[column].astype(float)
    groups = frame.groupby(group)[column]
    total = ((values - values.mean()) ** 2).sum()
    between = ((groups.transform("mean") - values.mean()) ** 2).sum()
    within = (total - between) / (len(frame) - groups.ngroups)
    return (between - (groups.ngroups - 1) * within) / (total + within)


def test_columns_and_codes(persons):
    assert list(persons.columns) == ["sex", "age", "educ", "occupation"]
    assert set(persons["sex"]) == {1, 2}
    assert persons["age"].between(16, 95).all()
    assert set(persons["educ"]) == set(range(1, 25))
    assert persons["occupation"].nunique() == 281
    assert persons["occupation"].str.fullmatch(r"O\d{3}").all()


def test_the_seed_decides_everything():
    pd.testing.assert_frame_equal(ipums_like(500, 1), ipums_like(500, 1))
    assert not ipums_like(500, 1).equals(ipums_like(500, 2))


def test_sizes_at_the_edge():
    assert ipums_like(0, 1).dtypes.equals(ipums_like(3, 1).dtypes)
    assert len(ipums_like(1, 1)) == 1
    with pytest.raises(UsageError, match="0 or more"):
        ipums_like(-1, 1)


def test_skew_of_the_occupations(persons):
    """2.9 % for the first, 20 % for ten, 52 % for fifty of 528 occupations; ours are 281, so a bit more."""
    shares = persons["occupation"].value_counts(normalize=True)
    assert 0.027 < shares.iloc[0] < 0.036
    assert 0.19 < shares.iloc[:10].sum() < 0.23
    assert 0.51 < shares.iloc[:50].sum() < 0.59
    assert shares.iloc[-1] < 0.002


def test_marginals(persons):
    """Women 49 %, age 45.2 (sd 16.7), education 18.7 (sd 3.4, long tail to the left)."""
    assert abs((persons["sex"] == 2).mean() - 0.488) < 0.03
    assert abs(persons["age"].mean() - 45.2) < 1.5
    assert abs(persons["age"].std() - 16.7) < 1.0
    assert abs(persons["educ"].mean() - 18.7) < 0.5
    assert abs(persons["educ"].std() - 3.4) < 0.4
    assert -2.4 < persons["educ"].skew() < -1.4


@pytest.mark.parametrize(("column", "expected"), [("sex", 0.31), ("age", 0.11), ("educ", 0.30)])
def test_occupation_explains_as_much_as_in_the_survey(column, expected, persons):
    assert explained(persons, column, "occupation") == pytest.approx(expected, abs=0.04)


def test_dependence_is_real(persons):
    """Shuffled occupations would explain nothing: the measure can fail."""
    order = np.random.default_rng(0).permutation(PERSONS)
    shuffled = persons.assign(occupation=persons["occupation"].to_numpy()[order])
    for column in ("sex", "age", "educ"):
        assert abs(explained(shuffled, column, "occupation")) < 0.01


def test_the_young_are_still_at_school(persons):
    """Nobody of 16 has a diploma, nobody under 22 a degree, and older persons do."""
    highest = persons.groupby("age")["educ"].max()
    assert highest[16] < 16
    assert highest.loc[:21].max() < 20
    assert highest[30] >= 23


def test_seeds_share_one_labour_market():
    """An occupation keeps its share of women from seed to seed."""
    first, second = (
        ipums_like(PERSONS, seed).groupby("occupation")["sex"].agg(["mean", "size"]) for seed in (1, 2)
    )
    frequent = first.index[first["size"] > 200].intersection(second.index[second["size"] > 200])
    assert len(frequent) > 30
    shares = pd.DataFrame({"first": first["mean"], "second": second["mean"]}).loc[frequent]
    assert (shares["first"] - shares["second"]).abs().max() < 0.2
    assert shares.corr().iloc[0, 1] > 0.95


@pytest.mark.parametrize("seed", range(1, 21))
def test_a_thousand_persons_are_7_eligible(seed):
    """No value has more than a seventh; about as many different persons as in the survey (597 to 611)."""
    drawn = ipums_like(1000, seed)
    assert is_eligible(drawn["occupation"], 7)
    assert 550 < len(drawn[["sex", "age", "educ"]].drop_duplicates()) < 660


def test_agrees_with_the_survey_itself(data_folder, persons):
    """The expected figures above, from the file."""
    survey = load_acs_pums(data_folder / "acs_pums.csv.gz")
    shares = survey["occ"].value_counts(normalize=True)
    ours = persons["occupation"].value_counts(normalize=True)
    assert ours.iloc[0] == pytest.approx(shares.iloc[0], rel=0.15)
    for column in ("sex", "age", "educ"):
        assert explained(persons, column, "occupation") == pytest.approx(
            explained(survey, column, "occ"), abs=0.04
        )
        assert persons[column].mean() == pytest.approx(survey[column].mean(), rel=0.03)
        assert persons[column].std() == pytest.approx(survey[column].std(), rel=0.05)
