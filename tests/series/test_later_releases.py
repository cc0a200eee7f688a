"""Changing tables at each level of dynamicity, published by the engine and judged as a whole."""

from pathlib import Path

import pytest

from minv.publish.series import Series
from minv.tables.roles import quasi_identifiers
from minv_datasets import complete_rows, load_adult, simulate, with_ids
from minv_verifiers import verify

pytestmark = pytest.mark.usefixtures("real_engine")

RELEASES = 4


@pytest.mark.parametrize("preset", ["incremental", "external-dynamic", "fully-dynamic"])
@pytest.mark.parametrize("method", ["tau", "optimise"])
def test_every_level_of_dynamicity_passes_the_judge(tmp_path: Path, preset: str, method: str) -> None:
    people = with_ids(complete_rows(load_adult()), "person").head(1200)
    tables = simulate(
        people,
        id_column="person",
        sensitive="occupation",
        releases=RELEASES,
        seed=3,
        initial=300,
        preset=preset,
        updatable=["age", "education-num"],
    )
    series = Series.create(
        tmp_path / "series",
        id="person",
        quasi_identifiers=quasi_identifiers(["age", "sex:nominal", "education-num"]),
        sensitive="occupation",
        m=3,
    )
    columns = ["person", "age", "sex", "education-num", "occupation"]
    for table in tables:
        series.publish(table[columns], method=method, effort=1, workers=1)
    report = verify(series.path)
    assert report.violated == ()
    assert report.unjudged == ()
    assert len(report.measures) == RELEASES
