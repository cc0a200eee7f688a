"""The private part: files, permissions, history."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from planted_faults.planting import Builder, edit_json, edit_private, fault, good


@fault("private-readable", file="key")
def the_key_is_lost(b, root):
    good(b, root)
    (root / "private" / "key").unlink()


@fault("private-readable", file="settings.json")
def the_settings_name_an_unknown_model(b, root):
    good(b, root)
    edit_json(root / "private" / "settings.json", lambda settings: settings.update(model="safe"))


@fault("private-readable", file="history-0003.parquet")
def the_history_is_lost(b, root):
    good(b, root)
    (root / "private" / "history-0003.parquet").unlink()


@fault("private-readable", file="release-0002.parquet")
def a_private_row_has_an_impossible_status(b, root):
    good(b, root)
    edit_private(b, root, 2, lambda rows: rows[0].update(status="lost"))


@fault("private-permissions", file="private/key")
def everybody_may_read_the_key(b, root):
    good(b, root)
    (root / "private" / "key").chmod(0o644)


@fault("private-permissions", file="private")
def everybody_may_list_the_private_folder(b, root):
    good(b, root)
    (root / "private").chmod(0o755)


@fault("private-permissions", file="private/certificate-0001.json")
def a_certificate_is_readable_by_the_group(b, root):
    good(b, root)
    path = root / "private" / "certificate-0001.json"
    path.write_text("{}")
    path.chmod(0o640)


def edit_history(change: Callable[[list[dict[str, Any]]], Any], name: str) -> Callable[[Builder, Path], None]:
    """A series with a changed history."""

    def make(b, root):
        good(b, root)
        path = root / "private" / "history-0003.parquet"
        rows = pq.read_table(path).to_pylist()
        change(rows)
        pq.write_table(pa.Table.from_pylist(rows), path)
        path.chmod(0o600)

    make.__name__ = name
    return make


for name, change in (
    ("someone_is_forgotten", lambda rows: rows.pop()),
    ("a_last_release_is_wrong", lambda rows: rows[0].update(last=2)),
    ("a_first_release_is_wrong", lambda rows: rows[0].update(first=2)),
    ("a_signature_is_wrong", lambda rows: rows[0].update(signature='["flu", "rash"]')),
    ("a_stranger_is_remembered", lambda rows: rows.append({**rows[0], "id": "99"})),
):
    fault("history-recorded")(edit_history(change, name))
