"""Time and memory of the judge on five releases of a million rows: `python -m benchmarks.judge_scale`.

The series is made by vectorised code from docs/format.md in a temporary folder: 3 quasi-identifiers, 300
sensitive values, classes of four; a twentieth of the people are replaced in every release.
"""

import argparse
import hashlib
import json
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import minv_verifiers

_CLASS_SIZE = 4
_VALUES = 300
_COLUMNS = ("age", "education", "hours")


def write_series(root: Path, rows: int, releases: int, seed: int) -> None:
    """Write a good series of so many rows a release."""
    rng = np.random.default_rng(seed)
    (root / "public").mkdir(parents=True)
    (root / "private").mkdir(mode=0o700)
    classes = rows // _CLASS_SIZE
    first = rng.integers(0, _VALUES, classes)
    signatures = (first[:, None] + np.arange(_CLASS_SIZE) * 7) % _VALUES
    persons = np.arange(classes * _CLASS_SIZE).reshape(classes, _CLASS_SIZE)
    history: dict[str, list[NDArray[np.int64]]] = {"id": [], "class": [], "release": []}
    resources = []
    for number in range(1, releases + 1):
        if number > 1:
            replaced = rng.random(classes) < 0.05
            persons[replaced] = (
                persons.max() + 1 + np.arange(replaced.sum() * _CLASS_SIZE).reshape(-1, _CLASS_SIZE)
            )
        centre = rng.integers(17, 80, (classes, 1, len(_COLUMNS)))
        truth = centre + rng.integers(0, 8, (classes, _CLASS_SIZE, len(_COLUMNS)))
        resources.append(_write_release(root, number, truth, signatures, persons))
        history["id"].append(persons.reshape(-1).copy())
        history["class"].append(np.repeat(np.arange(classes), _CLASS_SIZE))
        history["release"].append(np.full(rows, number))
    _write_history(
        root, {name: np.concatenate(parts) for name, parts in history.items()}, signatures, releases
    )
    _write_settings(root, resources)


def _value_texts() -> NDArray[np.object_]:
    return np.array([f"value {code:03d}" for code in range(_VALUES)], dtype=object)


def _write_release(
    root: Path,
    number: int,
    truth: NDArray[np.int64],
    signatures: NDArray[np.int64],
    persons: NDArray[np.int64],
) -> dict[str, object]:
    cells = pd.DataFrame(
        {
            name: [f"[{low}, {high}]" if low < high else str(low) for low, high in zip(a, b, strict=True)]
            for name, a, b in zip(
                _COLUMNS, truth.min(axis=1).T.tolist(), truth.max(axis=1).T.tolist(), strict=True
            )
        }
    )
    ordered = np.sort(signatures, axis=1)
    keys = cells.assign(**{f"value {place}": ordered[:, place] for place in range(_CLASS_SIZE)})
    order = keys.sort_values(list(keys.columns), kind="stable").index.to_numpy()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(1, len(order) + 1)
    texts = _value_texts()
    columns = {"class": pa.array(np.repeat(np.arange(1, len(order) + 1), _CLASS_SIZE))}
    for name in _COLUMNS:
        columns[name] = pa.array(
            np.repeat(cells[name].to_numpy(dtype=object)[order], _CLASS_SIZE), pa.string()
        )
    columns["disease"] = pa.array(texts[ordered[order].reshape(-1)], pa.string())
    path = root / "public" / f"release-{number:04d}.parquet"
    schema = pa.schema([pa.field(name, array.type, nullable=False) for name, array in columns.items()])
    table = pa.Table.from_arrays(list(columns.values()), schema=schema)
    pq.write_table(
        table,
        path,
        use_dictionary=False,
        store_schema=False,
        compression="zstd",
        row_group_size=table.num_rows,
    )
    _write_private(root, number, truth, signatures, persons, rank)
    content = path.read_bytes()
    fields = [{"name": name, "type": "integer" if name == "class" else "string"} for name in columns]
    return {
        "name": path.stem,
        "path": path.name,
        "format": "parquet",
        "mediatype": "application/vnd.apache.parquet",
        "bytes": len(content),
        "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "schema": {"fields": fields},
        "minv": {"release": number, "counterfeits": {}},
    }


def _write_private(
    root: Path,
    number: int,
    truth: NDArray[np.int64],
    signatures: NDArray[np.int64],
    persons: NDArray[np.int64],
    rank: NDArray[np.int64],
) -> None:
    rows = persons.size
    columns = {
        "id": pa.array(persons.reshape(-1)).cast(pa.string()),
        "class": pa.array(np.repeat(rank, _CLASS_SIZE)),
        "counterfeit": pa.array(np.zeros(rows, dtype=bool)),
        "status": pa.array(np.full(rows, "published", dtype=object), pa.string()),
    }
    flat = truth.reshape(rows, -1)
    for place, name in enumerate(_COLUMNS):
        columns[name] = pa.array(flat[:, place]).cast(pa.string())
    columns["disease"] = pa.array(_value_texts()[signatures.reshape(-1)], pa.string())
    _private(root / "private" / f"release-{number:04d}.parquet", pa.table(columns))
    points = (flat - flat.mean(axis=0)) / flat.std(axis=0)
    grouped = points.reshape(*truth.shape)
    sse = float(((grouped - grouped.mean(axis=1, keepdims=True)) ** 2).sum())
    sst = float((points**2).sum())
    quality = {"rows": rows, "classes": len(rank), "counterfeits": 0, "suppressed": 0, "m": _CLASS_SIZE}
    _text(
        root / "private" / f"quality-{number:04d}.json",
        json.dumps({**quality, "sse": sse, "sst": sst, "il": 100 * sse / sst}),
    )


def _write_history(
    root: Path, history: dict[str, NDArray[np.int64]], signatures: NDArray[np.int64], releases: int
) -> None:
    frame = (
        pd.DataFrame(history)
        .groupby(["id", "class"], sort=False)["release"]
        .agg(["min", "max"])
        .reset_index()
    )
    texts = _value_texts()
    written = np.array([json.dumps(texts[row].tolist()) for row in np.sort(signatures, axis=1)], dtype=object)
    table = pa.table(
        {
            "id": pa.array(frame["id"].to_numpy()).cast(pa.string()),
            "signature": pa.array(written[frame["class"].to_numpy()], pa.string()),
            "first": pa.array(frame["min"].to_numpy()),
            "last": pa.array(frame["max"].to_numpy()),
        }
    )
    _private(root / "private" / f"history-{releases:04d}.parquet", table)


def _write_settings(root: Path, resources: list[dict[str, object]]) -> None:
    settings = {
        "format": 1,
        "id": "person",
        "model": "tau-safe",
        "on_update": "suppress",
        "missing": {},
        "missing_codes": {},
        "weights": {},
        "hierarchies": {},
        "domain": _value_texts().tolist(),
        "columns": {},
        "release_format": "parquet",
        "max_class_size": None,
    }
    _text(root / "private" / "settings.json", json.dumps(settings))
    (root / "private" / "key").write_bytes(bytes(32))
    (root / "private" / "key").chmod(0o600)
    manifest = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "minv-series",
        "minv": {
            "format": 1,
            "software": "minv 0.1.0",
            "m": _CLASS_SIZE,
            "quasi_identifiers": [{"name": name, "kind": "numeric"} for name in _COLUMNS],
            "sensitive": {"name": "disease"},
            "other": [],
        },
        "resources": resources,
    }
    (root / "public" / "datapackage.json").write_text(json.dumps(manifest, sort_keys=True))


def _private(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path)
    path.chmod(0o600)


def _text(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o600)


def main() -> None:
    """Make the series, judge it in custodian mode, print seconds and memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--releases", type=int, default=5)
    parser.add_argument("--series", type=Path, help="keep the series there, or judge the one that is there")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.series or Path(temporary) / "series"
        if not root.exists():
            write_series(root, arguments.rows, arguments.releases, seed=1)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started, worked = time.perf_counter(), time.process_time()
        report = minv_verifiers.verify(root)
        seconds, processor = time.perf_counter() - started, time.process_time() - worked
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    violated = ", ".join(report.violated) or "nothing"
    print(f"{report.verdict} ({report.mode} mode, violated: {violated}) in {seconds:.1f} s")  # noqa: T201
    print(f"{processor:.1f} s of processor time")  # noqa: T201
    print(f"peak memory {peak / 2**20:.2f} GiB, {before / 2**20:.2f} GiB of it before judging")  # noqa: T201


if __name__ == "__main__":
    main()
