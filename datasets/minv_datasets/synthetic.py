"""Made-up persons that look like a sample of IPUMS USA: sex, age, education and one of 281 occupations.

The model, with figures measured on persons with an occupation in the American Community Survey 2024:

1. *Occupation.* The share of the r-th most frequent of 281 occupations is proportional to exp(-0.45 r^0.4):
   3.1 % for the first, 0.07 % for the last, as in the survey's 281 most frequent ones.
2. *Occupations differ.* Each has a fixed share of women (2 % to 97 %), a standing in education and one in
   age. They are spread evenly over the occupations by an additive recurrence, the same for every seed: seeds
   draw persons, not labour markets.
3. *Age and education.* A Gaussian copula: a person's rank in age and in education is the occupation's
   standing plus own deviation, put through the population's distribution. Occupation explains about 30 % of
   the variance of sex, 30 % of education and 11 % of age.
4. *Schooling takes time.* Under 26 nobody has more education than that age allows.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from minv_datasets.errors import UsageError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

OCCUPATIONS = 281
SHARE_RATE = 0.45
SHARE_EXPONENT = 0.4
LEAST_WOMEN, MOST_WOMEN = 0.02, 0.97
EDUCATION_WEIGHT = 0.60  # correlation of a person's latent education with the occupation's standing
AGE_WEIGHT = 0.34
STANDING_CORRELATION = 0.15  # between an occupation's standing in education and the two others
MALE, FEMALE = 1, 2

AGE_EDGES = np.array([16, 21, 26, 31, 36, 41, 46, 51, 56, 61, 66, 71, 76, 81, 86, 96])
OLDEST = 95
AGE_PERCENT = np.array([6.8, 8.2, 8.6, 9.6, 9.2, 8.7, 8.2, 9.0, 9.4, 9.5, 6.9, 3.5, 1.6, 0.6, 0.2])
EDUCATION_PERCENT = np.array(
    [
        *(1.20, 0.03, 0.02, 0.01, 0.03, 0.03, 0.04, 0.09, 0.24, 0.10, 0.49, 0.65, 1.32, 2.08, 1.75),
        *(21.37, 3.40, 7.00, 12.63, 9.30, 23.17, 10.71, 2.45, 1.91),
    ]
)
"""Levels 1 to 24 of the survey's item on schooling: 16 is a school diploma, 21 a bachelor, 24 a doctorate."""
MOST_EDUCATION = {16: 13, 17: 14, 18: 16, 19: 19, 20: 19, 21: 19, 22: 21, 23: 21, 24: 22, 25: 22}


class _Occupations(NamedTuple):
    """What distinguishes the occupations, the most frequent first; standings are standard normal."""

    share: FloatArray
    women: FloatArray
    education: FloatArray
    age: FloatArray


def ipums_like(n: int, seed: int) -> pd.DataFrame:
    """Return n made-up persons with a sex, an age, an education and one of 281 occupations.

    The same n and seed give the same persons. A sample of 1,000 is 7-eligible, as samples of the real data
    are: the most frequent occupation has about 3 %. The module's text describes the model.

    Parameters
    ----------
    n
        Number of persons, 0 or more.
    seed
        Seed of the draw.

    Returns
    -------
    DataFrame
        sex (1 male, 2 female), age (16 to 95) and educ (1 to 24, see `EDUCATION_PERCENT`) as integers,
        occupation as text ("O001", the most frequent one, to "O281").

    Raises
    ------
    UsageError
        n is negative.
    """
    if n < 0:
        raise UsageError(f"the number of persons must be 0 or more, not {n}")
    random = np.random.default_rng(seed)
    market = _occupations()
    occupation = random.choice(OCCUPATIONS, size=n, p=market.share)
    sex = np.where(random.random(n) < market.women[occupation], FEMALE, MALE)
    age = _ages(_person_rank(market.age[occupation], AGE_WEIGHT, random))
    education = _education(_person_rank(market.education[occupation], EDUCATION_WEIGHT, random), age)
    names = np.array([f"O{rank:03d}" for rank in range(1, OCCUPATIONS + 1)], dtype=object)
    return pd.DataFrame(
        {
            "sex": sex.astype(np.int64),
            "age": age,
            "educ": education,
            "occupation": pd.Series(names[occupation], dtype="str"),
        }
    )


def _occupations() -> _Occupations:
    """Return the fixed labour market."""
    rank = np.arange(1, OCCUPATIONS + 1)
    weight = np.exp(-SHARE_RATE * rank**SHARE_EXPONENT)
    # The generalised golden ratio gives the evenest additive recurrence in three dimensions (Roberts 2018).
    ratio = 1.2207440846057596
    spread = (0.5 + rank[:, None] * ratio ** -np.arange(1.0, 4.0)) % 1.0
    normal = np.vectorize(NormalDist().inv_cdf)(spread)
    education = normal[:, 0]
    own = math.sqrt(1.0 - STANDING_CORRELATION**2)
    age = STANDING_CORRELATION * education + own * normal[:, 1]
    women = STANDING_CORRELATION * education + own * normal[:, 2]
    return _Occupations(
        share=weight / weight.sum(),
        women=LEAST_WOMEN + (MOST_WOMEN - LEAST_WOMEN) * _normal_rank(women),
        education=education,
        age=age,
    )


def _normal_rank(values: FloatArray) -> FloatArray:
    """Return the standard normal distribution function."""
    return np.array([0.5 + 0.5 * math.erf(value / math.sqrt(2.0)) for value in values.tolist()])


def _person_rank(standing: FloatArray, weight: float, random: np.random.Generator) -> FloatArray:
    """Return each person's rank in the population, in [0, 1], given the standing of the occupation."""
    own = random.standard_normal(len(standing))
    return _normal_rank(weight * standing + math.sqrt(1.0 - weight**2) * own)


def _ages(rank: FloatArray) -> IntArray:
    """Return the age at each rank of the population: linear within the bands."""
    cumulative = np.concatenate([[0.0], np.cumsum(AGE_PERCENT)]) / AGE_PERCENT.sum()
    ages: IntArray = np.floor(np.interp(rank, cumulative, AGE_EDGES)).astype(np.int64)
    return np.minimum(ages, OLDEST)


def _education(rank: FloatArray, age: IntArray) -> IntArray:
    """Return the level of education at each rank, as far as the age allows."""
    cumulative = np.cumsum(EDUCATION_PERCENT) / EDUCATION_PERCENT.sum()
    level = 1 + np.searchsorted(cumulative[:-1], rank, side="right").astype(np.int64)
    cap = np.full(OLDEST + 1, len(EDUCATION_PERCENT))
    cap[list(MOST_EDUCATION)] = list(MOST_EDUCATION.values())
    allowed: IntArray = np.minimum(level, cap[age])
    return allowed
