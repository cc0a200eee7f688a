"""A good series folder written by hand from docs/format.md, small and slow on purpose: one loop per sentence."""

import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

QI = (("age", "numeric"), ("sex", "nominal"))


@dataclass
class Row:
    """A tuple: `group` is the class it is published in (any label), None where it is not published."""

    person: str
    values: tuple[str | None, ...]
    sensitive: str | None
    group: str | None
    status: str = "published"


@dataclass
class Plan:
    """One release: tuples, and counterfeits as (class, value)."""

    rows: list[Row]
    counterfeits: list[tuple[str, str]] = field(default_factory=list)


def escape(value: str | None) -> str:
    """As a QI cell."""
    if value is None:
        return "\\N"
    return "".join("\\" + letter if letter in "\\{}[]," else letter for letter in value)


def cell(kind: str, levels: tuple[str, ...], values: list[str | None]) -> str:
    """The published cell of a class."""
    if len(set(values)) == 1:
        return escape(values[0])
    if kind == "nominal":
        ordered = sorted(set(values), key=lambda value: (value is not None, value or ""))
        return "{" + ",".join(escape(value) for value in ordered) + "}"
    known = [value for value in values if value is not None]
    place = levels.index if levels else float
    low, high = min(known, key=place), max(known, key=place)
    return f"[{escape(low)}, {escape(high)}]" + (" or \\N" if None in values else "")


def coordinates(kind: str, levels: tuple[str, ...], values: list[str | None]) -> np.ndarray:
    """The coordinates of docs/format.md, section 4."""
    if kind == "nominal":
        distinct = sorted({value or "\\N" for value in values})
        axes = np.array([[float((value or "\\N") == one) for one in distinct] for value in values])
        total = axes.var(axis=0).sum()
        return axes / np.sqrt(total) if total > 0 else axes * 0
    numbers = np.array(
        [np.nan if value is None else (levels.index if levels else float)(value) for value in values]
    )
    columns = [np.where(np.isnan(numbers), np.nanmean(numbers), numbers)]
    if np.isnan(numbers).any():
        columns.append(np.isnan(numbers).astype(float))
    axes = np.column_stack(columns).astype(float)
    deviation = axes.std(axis=0)
    return (axes - axes.mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def loss(points: np.ndarray, labels: list[Any]) -> tuple[float, float]:
    """SSE and SST."""
    sse = 0.0
    for label in set(labels):
        members = points[[own == label for own in labels]]
        sse += float(((members - members.mean(axis=0)) ** 2).sum())
    return sse, float(((points - points.mean(axis=0)) ** 2).sum())


def build(
    root: Path,
    plans: list[Plan],
    *,
    m: int = 2,
    quasi_identifiers: tuple[tuple[str, str], ...] = QI,
    levels: dict[str, tuple[str, ...]] | None = None,
    release_format: str = "parquet",
    model: str = "tau-safe",
    on_update: str = "suppress",
    weights: dict[str, float] | None = None,
    domain: list[str | None] | None = None,
    missing: dict[str, str] | None = None,
) -> Path:
    """Write the folder and return it."""
    levels = levels or {}
    weights = weights or {}
    public, private = root / "public", root / "private"
    public.mkdir(parents=True)
    private.mkdir(mode=0o700)
    names = [name for name, _ in quasi_identifiers]
    history: dict[tuple[str, str], list[int]] = {}
    resources = []
    seen: set[str | None] = set()
    for number, plan in enumerate(plans, start=1):
        groups: dict[str, list[Row]] = defaultdict(list)
        for row in plan.rows:
            if row.group is not None:
                groups[row.group].append(row)
        extra: dict[str, list[str]] = defaultdict(list)
        for group, value in plan.counterfeits:
            extra[group].append(value)
        published = []
        for group, members in groups.items():
            cells = tuple(
                cell(kind, levels.get(name, ()), [row.values[place] for row in members])
                for place, (name, kind) in enumerate(quasi_identifiers)
            )
            values = [sensitive_cell(row.sensitive) for row in members] + [
                sensitive_cell(v) for v in extra[group]
            ]
            published.append((cells, tuple(sorted(values)), len(extra[group]), group))
        published.sort()
        rank = {group: place for place, (*_, group) in enumerate(published, start=1)}
        columns: dict[str, list[Any]] = {"class": [], **{name: [] for name in names}, "disease": []}
        for cells, values, _, group in published:
            for value in values:
                columns["class"].append(rank[group])
                columns["disease"].append(value)
                for name, text in zip(names, cells, strict=True):
                    columns[name].append(text)
        write_release(public / f"release-{number:04d}.{release_format}", columns)
        write_private(private / f"release-{number:04d}.parquet", plan, rank, names)
        real = [row for row in plan.rows if row.group is not None]
        points = np.hstack(
            [
                coordinates(kind, levels.get(name, ()), [row.values[place] for row in real])
                * np.sqrt(weights.get(name, 1.0))
                for place, (name, kind) in enumerate(quasi_identifiers)
            ]
        )
        sse, sst = loss(points, [row.group for row in real])
        quality = {
            "schema_version": 1,
            "rows": len(plan.rows),
            "classes": len(published),
            "counterfeits": len(plan.counterfeits),
            "suppressed": sum(row.status == "suppressed" for row in plan.rows),
            "m": m,
            "sse": sse,
            "sst": sst,
            "il": 100 * sse / sst if sst else 0.0,
        }
        write_text(private / f"quality-{number:04d}.json", json.dumps(quality))
        signatures = {}
        for group, members in groups.items():
            values = {row.sensitive for row in members} | set(extra[group])
            signatures[group] = json.dumps(sorted(values, key=lambda v: (v is not None, v or "")))
            seen |= values
        for row in real:
            span = history.setdefault((row.person, signatures[row.group or ""]), [number, number])
            span[1] = number
        resources.append(
            resource(
                public, number, release_format, names, {str(rank[g]): len(v) for g, v in extra.items() if v}
            )
        )
    write_history(private / f"history-{len(plans):04d}.parquet", history)
    settings = {
        "format": 1,
        "id": "person",
        "model": model,
        "on_update": on_update,
        "missing": missing or {},
        "missing_codes": {},
        "weights": weights,
        "hierarchies": {},
        "domain": sorted(seen, key=lambda v: (v is not None, v or "")) if domain is None else domain,
        "columns": {},
        "release_format": release_format,
        "max_class_size": None,
    }
    write_text(private / "settings.json", json.dumps(settings))
    write_bytes(private / "key", bytes(32))
    write_bytes(private / "lock", b"")
    manifest = {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "minv-series",
        "minv": {
            "format": 1,
            "software": "minv 0.1.0",
            "m": m,
            "quasi_identifiers": [
                {"name": name, "kind": kind, **({"levels": list(levels[name])} if name in levels else {})}
                for name, kind in quasi_identifiers
            ],
            "sensitive": {"name": "disease"},
            "other": [],
        },
        "resources": resources,
    }
    write_manifest(root, manifest)
    return root


def sensitive_cell(value: str | None) -> str:
    """The text of a sensitive cell."""
    return "\\N" if value is None else value.replace("\\", "\\\\")


def write_release(path: Path, columns: dict[str, list[Any]]) -> None:
    """A public file, plain."""
    arrays = {
        name: pa.array(values, pa.int64() if name == "class" else pa.string())
        for name, values in columns.items()
    }
    fields = [pa.field(name, array.type, nullable=False) for name, array in arrays.items()]
    table = pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))
    if path.suffix == ".csv":
        pyarrow.csv.write_csv(table, path)
    else:
        pq.write_table(table, path, use_dictionary=False, store_schema=False, compression="zstd")


def write_private(path: Path, plan: Plan, rank: dict[str, int], names: list[str]) -> None:
    """A private file."""
    rows: list[dict[str, Any]] = [
        {
            "id": row.person,
            "class": None if row.group is None else rank[row.group],
            "counterfeit": False,
            "status": row.status,
            **dict(zip(names, map(private_text, row.values), strict=True)),
            "disease": private_text(row.sensitive),
        }
        for row in plan.rows
    ] + [
        {
            "id": None,
            "class": rank[group],
            "counterfeit": True,
            "status": "published",
            **dict.fromkeys(names),
            "disease": private_text(value),
        }
        for group, value in plan.counterfeits
    ]
    schema = pa.schema(
        [("id", pa.string()), ("class", pa.int64()), ("counterfeit", pa.bool_()), ("status", pa.string())]
        + [(name, pa.string()) for name in [*names, "disease"]]
    )
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    path.chmod(0o600)


def private_text(value: str | None) -> str:
    """A true value in the private file."""
    return "\\N" if value is None else value.replace("\\", "\\\\")


def write_history(path: Path, history: dict[tuple[str, str], list[int]]) -> None:
    """The history file."""
    rows = [
        {"id": person, "signature": signature, "first": first, "last": last}
        for (person, signature), (first, last) in history.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows), path)
    path.chmod(0o600)


def resource(
    public: Path, number: int, release_format: str, names: list[str], counterfeits: dict[str, int]
) -> dict[str, Any]:
    """The manifest's entry of a release, with the checksum of the file as it lies there."""
    path = public / f"release-{number:04d}.{release_format}"
    content = path.read_bytes()
    media = {"parquet": "application/vnd.apache.parquet", "csv": "text/csv"}
    return {
        "name": f"release-{number:04d}",
        "path": path.name,
        "format": release_format,
        "mediatype": media[release_format],
        "bytes": len(content),
        "hash": "sha256:" + hashlib.sha256(content).hexdigest(),
        "schema": {
            "fields": [
                {"name": name, "type": "integer" if name == "class" else "string"}
                for name in ["class", *names, "disease"]
            ]
        },
        "minv": {"release": number, "counterfeits": counterfeits},
    }


def write_text(path: Path, text: str) -> None:
    """A private text file."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """A private file."""
    path.write_bytes(content)
    path.chmod(0o600)


def read_manifest(root: Path) -> dict[str, Any]:
    """The manifest."""
    return json.loads((root / "public" / "datapackage.json").read_text())


def write_manifest(root: Path, manifest: dict[str, Any]) -> None:
    """The manifest, keys sorted."""
    (root / "public" / "datapackage.json").write_text(json.dumps(manifest, sort_keys=True, indent=1))


def read_release(root: Path, number: int) -> dict[str, list[Any]]:
    """The columns of a public Parquet release."""
    return pq.read_table(root / "public" / f"release-{number:04d}.parquet").to_pydict()


def replace_release(root: Path, number: int, columns: dict[str, list[Any]]) -> None:
    """Write a public release anew, and its checksum into the manifest, as a faulty publisher would."""
    path = next((root / "public").glob(f"release-{number:04d}.*"))
    write_release(path, columns)
    restamp(root, number)


def restamp(root: Path, number: int) -> None:
    """Give a changed public file its checksum in the manifest."""
    manifest = read_manifest(root)
    entry = manifest["resources"][number - 1]
    content = (root / "public" / entry["path"]).read_bytes()
    entry["bytes"], entry["hash"] = len(content), "sha256:" + hashlib.sha256(content).hexdigest()
    write_manifest(root, manifest)


def read_private(root: Path, number: int) -> list[dict[str, Any]]:
    """The rows of a private release."""
    return pq.read_table(root / "private" / f"release-{number:04d}.parquet").to_pylist()


def replace_private(root: Path, number: int, rows: list[dict[str, Any]]) -> None:
    """Write a private release anew."""
    path = root / "private" / f"release-{number:04d}.parquet"
    schema = pq.read_schema(path)
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), path)
    path.chmod(0o600)


def good_plans() -> list[Plan]:
    """Three releases with a departure, a return, a counterfeit, a suppression and its end, and a QI update."""
    first = Plan(
        [
            Row("1", ("20", "m"), "flu", "a"),
            Row("2", ("24", "f"), "gout", "a"),
            Row("3", ("31", "m"), "flu", "b"),
            Row("4", ("31", "m"), "cold", "b"),
            Row("5", ("55", "f"), "gout", "c"),
            Row("6", ("60", "f"), "cold", "c"),
            Row("7", ("47", "f"), "ache", "c"),
        ]
    )
    second = Plan(
        [
            Row("1", ("21", "m"), "flu", "a"),
            Row("3", ("31", "m"), "flu", "b"),
            Row("4", ("32", "m"), "cold", "b"),
            Row("5", ("55", "f"), "cold", "c"),
            Row("6", ("61", "f"), "gout", "c"),
            Row("7", ("47", "f"), "flu", None, "suppressed"),
            Row("8", ("18", "f"), "rash", "d"),
            Row("9", ("19", "m"), "flu", "d"),
        ],
        [("a", "gout"), ("c", "ache")],
    )
    third = Plan(
        [
            Row("1", ("22", "m"), "flu", "a"),
            Row("2", ("26", "f"), "gout", "a"),
            Row("4", ("33", "m"), "flu", "b"),
            Row("3", ("31", "f"), "cold", "b"),
            Row("5", ("55", "f"), "cold", "c"),
            Row("6", ("61", "f"), "gout", "c"),
            Row("7", ("48", "f"), "ache", "c"),
            Row("8", ("18", "f"), "rash", "d"),
            Row("9", ("19", "m"), "flu", "d"),
        ]
    )
    return [first, second, third]
