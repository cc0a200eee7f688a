"""Certificates written by `minv partition`, judged by their table and the text of the format alone."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

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
    for forged in (_raised_dual(content, adult(rows), labels), _higher_claim(content), _lost_dual(content)):
        path = certificate.with_name("forged.json")
        path.write_text(json.dumps(forged))
        assert check_certificate(read_claim(path), read).verdict == "rejected"
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


def _raised_dual(content: dict[str, Any], table: pd.DataFrame, labels: np.ndarray) -> dict[str, Any]:
    """Raise a dual just beyond what the class of its first row leaves, and claim the new sum."""
    points = np.column_stack(
        [table["age"].astype(float), table["sex"] == "Male", table["education-num"].astype(float)]
    ).astype(float)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    types, duals = np.array(content["types"]), list(content["duals"])
    members = np.flatnonzero(labels == labels[0])
    own = set(types[members].tolist())
    penalty = sum(cut["penalty"] for cut in content["cuts"] if len(own & set(cut["types"])) >= 2)
    squares = float(((points[members] - points[members].mean(axis=0)) ** 2).sum())
    room = squares - sum(duals[one] for one in own) + penalty + content["slack"]
    rise = room + 1e-6
    duals[types[0]] += rise
    bound = content["bound_sse"] + rise * int((types == types[0]).sum())
    return {**content, "duals": duals, "bound_sse": bound}


def _higher_claim(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "bound_sse": content["bound_sse"] + 1e-3}


def _lost_dual(content: dict[str, Any]) -> dict[str, Any]:
    return {**content, "duals": content["duals"][:-1]}
