"""Certificates: pricing against brute force, true ones accepted, forged ones rejected."""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from minv_verifiers import InputError
from minv_verifiers.certificate.checking import CertificateReport, check_certificate
from minv_verifiers.certificate.claim import read_claim
from minv_verifiers.certificate.pricing import prove
from minv_verifiers.certificate.problem import Cut, PricingProblem
from minv_verifiers.cli import main
from minv_verifiers.reading.tables import read_table


def clusters(problem: PricingProblem) -> list[tuple[int, ...]]:
    """Every cluster."""
    return [
        rows
        for size in range(problem.m, problem.max_size + 1)
        for rows in itertools.combinations(range(len(problem.points)), size)
        if len(set(problem.colours[list(rows)])) == size and problem.allowed(rows)
    ]


def random_cut(rng: np.random.Generator, n: int, scale: float) -> Cut:
    """A cut on any rows, with any fractions."""
    rows = rng.choice(n, rng.integers(1, n + 1), replace=False)
    below = int(rng.integers(1, 6))
    return Cut(
        tuple(rows.tolist()),
        tuple(rng.integers(1, below + 1, len(rows)).tolist()),
        below,
        rng.random() * scale,
    )


def random_problem(seed: int) -> PricingProblem:
    """A small problem with a few cuts and pairs to keep apart."""
    rng = np.random.default_rng(seed)
    n, m, d = 9, int(rng.integers(1, 4)), int(rng.integers(1, 4))
    cuts = int(rng.integers(0, 4))
    points = rng.normal(size=(n, d)) * rng.choice([1e-3, 1.0, 1e3])
    points[:2] = points[2]  # coinciding points
    scale = float((points**2).sum()) / n
    return PricingProblem(
        points=points,
        colours=rng.integers(0, 5, n),
        duals=rng.normal(0.3, 0.5, n) * scale,
        m=m,
        max_size=max(m, 2 * m - 1 - int(rng.integers(0, 2))),
        cuts=tuple(random_cut(rng, n, scale) for _ in range(cuts)),
        apart=frozenset({(0, 5), (3, 4)}) if rng.random() < 0.3 else frozenset(),
    )


@pytest.mark.parametrize("seed", range(80))
def test_pricing_decides_like_brute_force(seed: int) -> None:
    """Just above the least reduced cost the proof holds, just below a true counterexample is found."""
    problem = random_problem(seed)
    costs = [problem.reduced_cost(rows) for rows in clusters(problem)]
    if not costs:
        assert prove(problem, 0.0).holds
        return
    least, scale = min(costs), max(1.0, max(map(abs, costs)))
    assert prove(problem, max(0.0, -least + 1e-7 * scale)).holds
    if least < -1e-6 * scale:
        proof = prove(problem, -least - 1e-7 * scale)
        assert not proof.holds
        found = proof.counterexample
        assert found is not None
        assert found.rows in clusters(problem)
        assert found.reduced_cost == pytest.approx(problem.reduced_cost(found.rows))
        assert found.reduced_cost < least + 1e-7 * scale + 1e-12


def test_a_search_that_runs_out_of_time_decides_nothing() -> None:
    """No time, no proof."""
    rng = np.random.default_rng(0)
    problem = PricingProblem(
        points=rng.normal(size=(200, 3)), colours=np.arange(200) % 7, duals=np.full(200, 0.2), m=3, max_size=5
    )
    proof = prove(problem, 10.0, time_limit=-1.0)
    assert not proof.complete
    assert not proof.holds


def table_of(seed: int, rows: int = 11) -> pd.DataFrame:
    """A small table with a numeric, a two-valued and a many-valued nominal column."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.integers(20, 40, rows),
            "sex": rng.choice(["m", "f"], rows),
            "job": rng.choice(["a", "b", "c"], rows),
            "disease": rng.choice(list("vwxyz"), rows),
        }
    )


def distances(table: pd.DataFrame) -> np.ndarray:
    """Squared distances of docs/format.md, section 4, pair by pair."""
    n = len(table)
    ages = table["age"].to_numpy(float)
    total = (ages[:, None] - ages[None, :]) ** 2 / ages.var() if ages.var() > 0 else np.zeros((n, n))
    for name in ("sex", "job"):
        different = (table[name].to_numpy()[:, None] != table[name].to_numpy()[None, :]).astype(float)
        variance = different.sum() / (2 * n * n)  # of coordinates at these distances
        total = total + (different / variance if variance > 0 else 0.0)
    return total


def squares(distance: np.ndarray, rows: tuple[int, ...]) -> float:
    """The SSE of a cluster by its pairwise distances."""
    return float(distance[np.ix_(rows, rows)].sum()) / (2 * len(rows))


def paid(chosen: tuple[int, ...]) -> float:
    """What a cluster of these types pays for the two cuts of `certificate_of`."""
    sums = [len(set(chosen) & {0, 1, 2}), sum({0: 2, 3: 1, 4: 3}.get(one, 0) for one in chosen)]
    return 0.05 * (sums[0] // 2) + 0.02 * (sums[1] // 4)


def certificate_of(table: pd.DataFrame, m: int, seed: int) -> dict[str, Any]:
    """A true certificate with arbitrary duals: the slack is what brute force finds."""
    rng = np.random.default_rng(seed)
    types = table.groupby(list(table.columns), sort=False).ngroup().to_numpy()
    first = [int(np.flatnonzero(types == one)[0]) for one in range(types.max() + 1)]
    distance = distances(table)
    duals = rng.uniform(0.0, 1.0, len(first))
    worst = 0.0
    for size in range(m, 2 * m):
        for chosen in itertools.combinations(range(len(first)), size):
            rows = tuple(first[one] for one in chosen)
            if len(set(table["disease"].iloc[list(rows)])) == size:
                worst = min(worst, squares(distance, rows) - duals[list(chosen)].sum() + paid(chosen))
    counts = np.bincount(types)
    slack = -worst + 1e-9
    bound = counts @ duals - 0.05 * (counts[:3].sum() // 2) - len(table) // m * slack
    bound -= 0.02 * ((2 * counts[0] + counts[3] + 3 * counts[4]) // 4)
    lines = "".join("\x1f".join(map(str, row)) + "\n" for row in table.itertuples(index=False))
    total = squares(distance, tuple(range(len(table))))
    return {
        "format": 1,
        "kind": "minv-bound",
        "software": "minv 0.1.0",
        "table": {"rows": len(table), "checksum": "sha256:" + hashlib.sha256(lines.encode()).hexdigest()},
        "quasi_identifiers": [
            {"name": "age", "kind": "numeric"},
            {"name": "sex", "kind": "nominal"},
            {"name": "job", "kind": "nominal"},
        ],
        "sensitive": "disease",
        "m": m,
        "max_size": 2 * m - 1,
        "types": types.tolist(),
        "duals": duals.tolist(),
        "cuts": [
            {"types": [0, 1, 2], "numerators": [1, 1, 1], "denominator": 2, "penalty": 0.05},
            {"types": [0, 3, 4], "numerators": [2, 1, 3], "denominator": 4, "penalty": 0.02},
        ],
        "slack": slack,
        "bound_sse": bound,
        "bound_il": 100 * bound / total,
    }


def check(folder: Path, certificate: dict[str, Any], table: pd.DataFrame) -> CertificateReport:
    """Check a certificate from files."""
    (folder / "certificate.json").write_text(json.dumps(certificate))
    table.to_csv(folder / "table.csv", index=False)
    return check_certificate(read_claim(folder / "certificate.json"), read_table(folder / "table.csv"))


@pytest.mark.parametrize("seed", range(12))
def test_true_certificates_are_accepted(tmp_path: Path, seed: int) -> None:
    """Distances, checksum, sum and pricing all agree with brute force from the text of the format."""
    report = check(tmp_path, certificate_of(table_of(seed), 2 + seed % 2, seed), table_of(seed))
    assert report.verdict == "accepted"
    assert report.proved_il == pytest.approx(report.claimed_il)


def raise_dual(certificate: dict[str, Any]) -> None:
    """Raise a dual and claim the new sum."""
    certificate["duals"][0] += 0.5
    certificate["bound_sse"] += 0.5 * certificate["types"].count(0)
    certificate["bound_il"] *= 1.0


def lower_slack(certificate: dict[str, Any]) -> None:
    """Claim that nothing lies below a smaller slack."""
    certificate["bound_sse"] += certificate["table"]["rows"] // certificate["m"] * certificate["slack"] / 2
    certificate["slack"] /= 2


def claim_more(certificate: dict[str, Any]) -> None:
    """Claim a bound that the sum does not give."""
    certificate["bound_sse"] += 0.01


def claim_more_percent(certificate: dict[str, Any]) -> None:
    """Claim an IL that the sum does not give."""
    certificate["bound_il"] += 0.01


def truncate_duals(certificate: dict[str, Any]) -> None:
    """Lose a dual."""
    certificate["duals"].pop()


def truncate_types(certificate: dict[str, Any]) -> None:
    """Lose a type."""
    certificate["types"].pop()


def merge_types(certificate: dict[str, Any]) -> None:
    """Call two different rows one type."""
    certificate["types"][-1] = certificate["types"][0]


def forget_penalty(certificate: dict[str, Any]) -> None:
    """Use a cut that costs nothing on the right side."""
    certificate["cuts"][0]["penalty"] = 5.0


def lower_denominator(certificate: dict[str, Any]) -> None:
    """Round a cut's right side as if its numerators were greater fractions than those the duals allow for."""
    certificate["cuts"][1]["denominator"] = 1


def drop_numerator(certificate: dict[str, Any]) -> None:
    """Leave a type of a cut without its numerator."""
    certificate["cuts"][1]["numerators"].pop()


def name_unknown_type(certificate: dict[str, Any]) -> None:
    """Let a cut name a type that does not exist."""
    certificate["cuts"][1]["types"][0] = len(certificate["duals"])


def raise_m(certificate: dict[str, Any]) -> None:
    """Let max_size fall below m."""
    certificate["max_size"] = certificate["m"] - 1


@pytest.mark.parametrize(
    ("forge", "reason"),
    [
        (raise_dual, "reduced cost"),
        (lower_slack, "reduced cost"),
        (claim_more, "bound_sse is claimed"),
        (claim_more_percent, "bound_il is claimed"),
        (truncate_duals, "a type without a dual"),
        (truncate_types, "types for 11 rows"),
        (merge_types, "rows of one type differ"),
        (forget_penalty, "bound_sse is claimed"),
        (lower_denominator, "bound_sse is claimed"),
        (drop_numerator, "another number of numerators"),
        (name_unknown_type, "a type without a dual"),
        (raise_m, "max_size is below m"),
    ],
)
def test_forged_certificates_are_rejected(tmp_path: Path, forge: Any, reason: str) -> None:
    """Each forgery is rejected for its own reason."""
    table = table_of(3)
    certificate = certificate_of(table, 2, 3)
    forge(certificate)
    report = check(tmp_path, certificate, table)
    assert report.verdict == "rejected"
    assert any(reason in one for one in report.reasons)
    assert report.exit_code == 1


def test_a_dual_may_rise_within_its_slack_only(tmp_path: Path) -> None:
    """Up to the exactly computed slack of its clusters a raised dual is still a proof; beyond it is none."""
    table = table_of(5)
    certificate = certificate_of(table, 2, 5)
    distance, types = distances(table), np.array(certificate["types"])
    first = [int(np.flatnonzero(types == one)[0]) for one in range(types.max() + 1)]
    duals = np.array(certificate["duals"])
    room = np.full(len(first), np.inf)
    for size in (2, 3):
        for chosen in itertools.combinations(range(len(first)), size):
            rows = tuple(first[one] for one in chosen)
            if len(set(table["disease"].iloc[list(rows)])) == size:
                cost = (
                    squares(distance, rows) - duals[list(chosen)].sum() + paid(chosen) + certificate["slack"]
                )
                room[list(chosen)] = np.minimum(room[list(chosen)], cost)
    loose = int(np.argmax(np.where(np.isfinite(room), room, -1)))
    for factor, verdict in ((0.999, "accepted"), (1.001, "rejected")):
        raised = json.loads(json.dumps(certificate))
        raised["duals"][loose] += factor * room[loose]
        raised["bound_sse"] += factor * room[loose] * (types == loose).sum()
        raised["bound_il"] *= raised["bound_sse"] / certificate["bound_sse"]
        assert check(tmp_path, raised, table).verdict == verdict


def test_another_table_is_rejected(tmp_path: Path) -> None:
    """A changed value, another order and a missing row are another table."""
    table = table_of(4)
    certificate = certificate_of(table, 2, 4)
    changed = table.assign(age=table["age"].where(table.index > 0, table["age"] + 1))
    for other in (changed, table.iloc[::-1], table.iloc[1:]):
        assert check(tmp_path, certificate, other).verdict == "rejected"


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"format": 1}', '{"slack": NaN}'])
def test_what_is_no_certificate_is_refused(tmp_path: Path, content: str) -> None:
    """Broken JSON and other documents are bad data, not a rejection."""
    path = tmp_path / "certificate.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"certificate\.json"):
        read_claim(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"software": "minv 0.1.0"', '"software": ' + "[" * 100_000, "nested too deeply"),
        ('"software": "minv 0.1.0"', '"software": ' + "[" * 400 + "]" * 400, "not as a certificate"),
        ('"m": 2', '"m": 1' + "0" * 5000, "too many digits"),
        ('"m": 2', '"m": 1' + "0" * 30, "at $.m: the number is too large"),
        ('"m": 2', '"m": 1e30', "at $.m: the number is too large"),
        ('"max_size": 3', '"max_size": 1' + "0" * 31, "at $.max_size: the number is too large"),
        ('"types": [0', '"types": [1' + "0" * 30, "at $.types[0]: the number is too large"),
        ('"duals": [', '"duals": [1' + "0" * 400 + ", ", "at $.duals[0]: the number is too large"),
        ('"duals": [', '"duals": [-1e400, ', "at $.duals[0]: not as a certificate"),
        ('"slack": ', '"slack": 9' + "0" * 400 + ', "other": ', "at $.slack: the number is too large"),
        ('"bound_sse": ', '"bound_sse": 1' + "0" * 400 + ', "other": ', "at $.bound_sse: the number is too"),
        ('"bound_il": ', '"bound_il": NaN, "other": ', "a number is not finite"),
    ],
)
def test_numbers_and_nesting_without_measure_are_bad_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, message: str
) -> None:
    """Exit code 3 and one line that says where or what."""
    table = table_of(3)
    text = json.dumps(certificate_of(table, 2, 3))
    assert old in text
    (tmp_path / "certificate.json").write_text(text.replace(old, new, 1))
    table.to_csv(tmp_path / "table.csv", index=False)
    with pytest.raises(SystemExit) as ended:
        main(["certificate", str(tmp_path / "certificate.json"), str(tmp_path / "table.csv")])
    told = capsys.readouterr().err
    assert ended.value.code == 3
    assert told.count("\n") == 1
    assert message in told


def test_whole_numbers_may_have_a_point(tmp_path: Path) -> None:
    """JSON knows one kind of number: 2.0 is as whole as 2."""
    table = table_of(3)
    certificate = certificate_of(table, 2, 3)
    for name in ("m", "max_size"):
        certificate[name] = float(certificate[name])
    certificate["cuts"][0] = {key: _pointed(value) for key, value in certificate["cuts"][0].items()}
    assert check(tmp_path, certificate, table).verdict == "accepted"


def _pointed(value: Any) -> Any:
    return [float(one) for one in value] if isinstance(value, list) else float(value)


def test_numerators_do_not_wrap_round(tmp_path: Path) -> None:
    """Four of 2^62 are 2^64, in 64 bits 0: the bound would be the one without the cut."""
    table = table_of(3)
    certificate = certificate_of(table, 2, 3)
    single = np.flatnonzero(np.bincount(certificate["types"]) == 1)[:4].tolist()
    certificate["cuts"].append(
        {"types": single, "numerators": [2**62] * 4, "denominator": 2**62, "penalty": 0.1}
    )
    report = check(tmp_path, certificate, table)
    assert any("bound_sse is claimed" in reason for reason in report.reasons)


def mild_table() -> pd.DataFrame:
    """Eleven rows with five sensitive values."""
    return table_of(3).assign(disease=list("vwxyzvwxyzv"))


@pytest.mark.parametrize(
    ("m", "reason"),
    [(12, "it has 11 rows"), (10**18, "it has 11 rows"), (6, "it has 5 different sensitive values")],
)
def test_a_table_without_partitions_has_no_bound(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], m: int, reason: str
) -> None:
    """Where a class needs more members than there are rows or values: a proof about no cluster is none."""
    certificate = certificate_of(mild_table(), 3, 3)
    assert check(tmp_path, certificate, mild_table()).verdict == "accepted"
    certificate |= {"m": m, "max_size": 2 * m - 1}
    check(tmp_path, certificate, mild_table())
    with pytest.raises(SystemExit) as ended:
        main(["certificate", str(tmp_path / "certificate.json"), str(tmp_path / "table.csv")])
    told = capsys.readouterr().err
    assert ended.value.code == 1
    assert f"no {m}-unique partition at all" in told
    assert reason in told
    assert "REJECTED" in told


def huge_duals(certificate: dict[str, Any]) -> None:
    """Let the duals sum to infinity."""
    certificate["duals"] = [1e308] * len(certificate["duals"])


def opposite_duals(certificate: dict[str, Any]) -> None:
    """Let the duals sum to infinity less infinity."""
    certificate["duals"] = [
        1.7e308 if place % 2 else -1.7e308 for place, _ in enumerate(certificate["duals"])
    ]


def huge_penalties(certificate: dict[str, Any]) -> None:
    """Pay infinity back."""
    huge_duals(certificate)
    for cut in certificate["cuts"]:
        cut["penalty"] = 1.7e308


def huge_slack(certificate: dict[str, Any]) -> None:
    """Allow for every reduced cost."""
    certificate["slack"] = 1.7976931348623157e308


def huge_weight(certificate: dict[str, Any]) -> None:
    """Let distances, hence all reduced costs, be infinite; their SST too, so that 0 % are claimed."""
    certificate["quasi_identifiers"][0]["weight"] = 1.7e308
    certificate["bound_il"] = 0.0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("forge", [huge_duals, opposite_duals, huge_penalties, huge_slack, huge_weight])
def test_what_sums_to_no_number_is_rejected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], forge: Any
) -> None:
    """For that reason, with no word of a library, and with JSON that is JSON."""
    table = table_of(3)
    certificate = certificate_of(table, 2, 3)
    forge(certificate)
    report = check(tmp_path, certificate, table)
    assert report.verdict == "rejected"
    with pytest.raises(SystemExit) as ended:
        main(["certificate", str(tmp_path / "certificate.json"), str(tmp_path / "table.csv"), "--json"])
    streams = capsys.readouterr()
    assert ended.value.code == 1
    assert "too large: their sum is not finite" in streams.err
    assert streams.err.count("\n") == 2
    assert json.loads(streams.out)["proved_il"] is None


@pytest.mark.filterwarnings("error")
def test_a_table_without_distances_is_bad_data(tmp_path: Path) -> None:
    """Its mean is infinite, so that all distances were no numbers and no cluster cost too little."""
    table = table_of(3).assign(age=["1.7e+308", "1.6e+308", *map(str, range(9))])
    certificate = certificate_of(table_of(3), 2, 3)
    lines = "".join("\x1f".join(map(str, row)) + "\n" for row in table.itertuples(index=False))
    certificate["table"]["checksum"] = "sha256:" + hashlib.sha256(lines.encode()).hexdigest()
    certificate["types"] = list(range(len(table)))
    certificate["duals"] = [1.0] * len(table)
    with pytest.raises(InputError, match="too large to be summed"):
        check(tmp_path, certificate, table)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit codes and streams of `minv-verify certificate`."""
    table = table_of(6)
    certificate = certificate_of(table, 2, 6)
    check(tmp_path, certificate, table)
    paths = [str(tmp_path / "certificate.json"), str(tmp_path / "table.csv")]
    with pytest.raises(SystemExit) as ended:
        main(["certificate", *paths, "--json"])
    streams = capsys.readouterr()
    assert ended.value.code in (0, None)
    assert json.loads(streams.out)["verdict"] == "accepted"
    certificate["bound_sse"] += 1
    check(tmp_path, certificate, table)
    with pytest.raises(SystemExit) as ended:
        main(["certificate", *paths])
    assert ended.value.code == 1
    assert "REJECTED" in capsys.readouterr().err
