"""Certificates of releases after the first, written by `minv publish`, judged by the table and the format alone."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import minv
import minv_datasets
from minv_verifiers.certificate.checking import CertificateReport, check_certificate
from minv_verifiers.certificate.claim import read_claim
from minv_verifiers.reading.tables import read_table


def tables(people: int, releases: int) -> list[pd.DataFrame]:
    """A changing part of Adult; values leave signatures too."""
    frame = minv_datasets.load_adult().astype(str)
    frame = frame[~(frame == "?").any(axis=1)].head(2 * people)
    scenario = minv_datasets.Scenario(
        id_column="person",
        sensitive="occupation",
        releases=releases,
        rates=minv_datasets.Rates(
            insert=0.1, delete=0.1, reinsert=0.05, update_qi=0.05, update_sensitive=0.05
        ),
        initial=people,
        updatable=["age"],
    )
    changing = minv_datasets.simulate_releases(minv_datasets.with_ids(frame, "person"), scenario, 5)
    return [simulated.table for simulated in changing]


def publish(
    folder: Path, people: int, releases: int, m: int, *, effort: int = 3
) -> tuple[Path, Path, minv.Release]:
    """Publish a series; return table, certificate and figures of the last release."""
    series = minv.Series.create(
        folder / "series",
        id="person",
        quasi_identifiers=["age", "sex:nominal", "education-num"],
        sensitive="occupation",
        m=m,
    )
    for number, frame in enumerate(tables(people, releases), 1):
        table, certificate = folder / f"table-{number}.csv", folder / f"certificate-{number}.json"
        frame.to_csv(table, index=False)
        release = series.publish(table, budget=minv.Budget(effort=effort), certificate=certificate)
    return table, certificate, release


def judge(certificate: Path, table: Path, changed: dict[str, Any] | None = None) -> CertificateReport:
    """Check a certificate, or another content in its place."""
    if changed is not None:
        certificate = certificate.with_name("forged.json")
        certificate.write_text(json.dumps(changed))
    return check_certificate(read_claim(certificate), read_table(table))


def test_the_certificate_of_a_later_release_is_accepted_and_forgeries_are_not(tmp_path: Path) -> None:
    """Suppressed persons, counterfeits, fillers and new classes; then every part of the proof is changed."""
    table, certificate, release = publish(tmp_path, 150, 3, 3)
    assert release.figures["suppressed"] > 0
    assert release.counterfeits > 0
    report = judge(certificate, table)
    assert report.verdict == "accepted", report.reasons
    assert report.proved_il == pytest.approx(release.partition.certified_bound_il, rel=1e-6)
    assert report.proved_il is not None
    assert report.proved_il <= release.partition.il * (1 + 1e-9)
    content = json.loads(certificate.read_text())
    remembered = content["remembered"]
    assert remembered["counterfeits"] == release.counterfeits
    for changed in (
        {"duals": [dual + 10 * (place == 3) for place, dual in enumerate(content["duals"])]},
        {"bound_sse": content["bound_sse"] * 1.01},
        {"left_out": content["left_out"][1:]},
        {"remembered": remembered | {"price": remembered["price"] / 2 - 1e-3}},
        {"remembered": remembered | {"counterfeits": remembered["counterfeits"] + 1}},
        {"remembered": remembered | {"required": [-1] * len(remembered["required"])}},
        {"remembered": remembered | {"required": remembered["required"][1:]}},
        {"remembered": remembered | {"signatures": remembered["signatures"][:1]}},
    ):
        if "price" in changed.get("remembered", {}) and changed["remembered"]["price"] < 0:
            continue
        assert judge(certificate, table, content | changed).verdict == "rejected", changed.keys()


@pytest.mark.slow
def test_the_certificates_of_1500_people_are_accepted(tmp_path: Path) -> None:
    """Four releases of Adult, m = 4; three iterations of column generation prove nothing of so many."""
    table, certificate, release = publish(tmp_path, 1500, 4, 4, effort=15)
    report = judge(certificate, table)
    assert report.verdict == "accepted", report.reasons
    assert report.proved_il == pytest.approx(release.partition.certified_bound_il, rel=1e-6)
