"""Certificates written by `minv partition`, judged by their table and the text of the format alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv.pricing.box import BoxPricer
from minv.pricing.cuts import CutPenalties, rank_one_cuts
from minv.stopping import Stop
from minv_datasets import load_adult
from minv_verifiers.certificate.checking import check_certificate
from minv_verifiers.certificate.claim import read_claim
from minv_verifiers.reading.tables import read_table

COLUMNS = ["age", "sex", "education-num", "occupation"]
QI = ("--qi", "age", "--qi", "sex:nominal", "--qi", "education-num", "--sensitive", "occupation")


def adult(rows: int) -> pd.DataFrame:
    """The first complete rows of Adult."""
    frame = load_adult().astype(str)
    return frame[~(frame == "?").any(axis=1)].head(rows)[COLUMNS]


def certify(folder: Path, table: pd.DataFrame, m: int, *options: str) -> tuple[Path, Path, dict[str, Any]]:
    """Let minv partition a table; returns table, certificate and what minv says."""
    table.to_csv(folder / "table.csv", index=False)
    command = [sys.executable, "-c", "from minv.cli import main; main()", "partition", "table.csv", *QI]
    command += [
        "--m",
        str(m),
        "--certificate",
        "certificate.json",
        "--labels-out",
        "labels.csv",
        "--json",
        "--quiet",
        *options,
    ]
    result = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert result.stdout, result.stderr
    # Without a bound in time there is none; a busy machine may need more of it.
    assert (folder / "certificate.json").exists(), result.stdout
    return folder / "table.csv", folder / "certificate.json", json.loads(result.stdout)


def assert_judged_rightly(folder: Path, rows: int, m: int, seconds: str) -> float:
    """The certificate is accepted with minv's own figure; its forgeries, and it on another table, are rejected.

    Returns the seconds of pricing.
    """
    table, certificate, said = certify(folder, adult(rows), m, "--time-limit", seconds)
    read = read_table(table)
    report = check_certificate(read_claim(certificate), read)
    assert report.verdict == "accepted", report.reasons
    assert report.proved_il == pytest.approx(said["certified_bound_il"], rel=1e-6)
    assert report.proved_il is not None
    assert report.proved_il <= said["il"] * (1 + 1e-9)
    labels = pd.read_csv(folder / "labels.csv")["class"].to_numpy()
    content = json.loads(certificate.read_text())
    within, beyond = _raised_duals(content, adult(rows), labels)
    for changed, verdict, reason in (
        (within, "accepted", ""),
        (beyond, "rejected", "reduced cost"),
        (_higher_claim(content), "rejected", "bound_sse is claimed"),
        (_lost_dual(content), "rejected", "a type without a dual"),
    ):
        path = certificate.with_name("changed.json")
        path.write_text(json.dumps(changed))
        judged = check_certificate(read_claim(path), read)
        assert judged.verdict == verdict
        assert not reason or any(reason in one for one in judged.reasons)
    another = table.with_name("another.csv")
    adult(rows + 1).iloc[1:].to_csv(another, index=False)
    assert check_certificate(read_claim(certificate), read_table(another)).verdict == "rejected"
    return report.seconds


def test_a_small_certificate_of_minv_is_accepted(tmp_path: Path) -> None:
    """90 rows of Adult."""
    assert_judged_rightly(tmp_path, 90, 3, "5")


@pytest.mark.slow
@pytest.mark.parametrize("m", [3, 5, 7])
def test_certificates_of_adult_are_accepted(tmp_path: Path, m: int) -> None:
    """1500 rows of Adult, priced within 120 s."""
    assert assert_judged_rightly(tmp_path, 1500, m, "60") < 120


def _raised_duals(
    content: dict[str, Any], table: pd.DataFrame, labels: np.ndarray
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Raise a dual just within, and just beyond, what all clusters of its type leave, and claim the new sum.

    Every cluster of the type that leaves no more than its published class is listed, so that the slack is exact.
    """
    points = np.column_stack(
        [table["age"].astype(float), table["sex"] == "Male", table["education-num"].astype(float)]
    ).astype(float)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    types, duals, slack = np.array(content["types"]), np.array(content["duals"]), content["slack"]
    first = np.unique(types, return_index=True)[1]
    cuts = content["cuts"]

    def room_of(rows: np.ndarray) -> float:
        """What a cluster leaves above minus the slack."""
        own = set(types[rows].tolist())
        sums = [
            sum(u for t, u in zip(cut["types"], cut["numerators"], strict=True) if t in own) for cut in cuts
        ]
        penalty = sum(cut["penalty"] * (s // cut["denominator"]) for cut, s in zip(cuts, sums, strict=True))
        squares = float(((points[rows] - points[rows].mean(axis=0)) ** 2).sum())
        return squares - float(duals[list(own)].sum()) + penalty + slack

    classes = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    most, chosen = min((room_of(rows), int(types[rows[0]])) for rows in classes)
    # So much more for the type that no cluster without it comes below the threshold.
    bonus = most + 1e-3
    raised = duals.copy()
    raised[chosen] += bonus
    pricer = BoxPricer(
        points[first],
        pd.factorize(table["occupation"].to_numpy()[first])[0],
        content["m"],
        content["max_size"],
        tolerance=1e-9,
    )
    listed = pricer.columns_below(
        raised,
        most - slack - bonus + 1e-9,
        100_000,
        Stop(),
        CutPenalties(
            rank_one_cuts(
                [(np.array(cut["types"]), np.array(cut["numerators"])) for cut in cuts],
                [cut["denominator"] for cut in cuts],
                np.bincount(types),
            ),
            np.array([cut["penalty"] for cut in cuts], np.float64),
        ),
    )
    assert listed is not None
    found = [first[rows] for rows in np.split(listed.members, listed.starts[1:-1])]
    room = min(room_of(rows) for rows in found if chosen in types[rows])
    assert 0 <= room <= most + 1e-12

    def rise_by(rise: float) -> dict[str, Any]:
        own = duals.copy()
        own[chosen] += rise
        bound = content["bound_sse"] + rise * int((types == chosen).sum())
        total = float((points**2).sum())
        return {**content, "duals": own.tolist(), "bound_sse": bound, "bound_il": 100 * bound / total}

    return rise_by(0.99 * room), rise_by(room + 1e-6)


def _higher_claim(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "bound_sse": content["bound_sse"] + 1e-3}


def _lost_dual(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "duals": content["duals"][:-1]}
