"""A machine without data: no MINV_DATA, an empty cache; and a small web server on the loopback address."""

import functools
import http.server
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        pass


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The (empty) cache of a machine that has no data."""
    monkeypatch.delenv("MINV_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "minv-datasets"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which a web server on this machine shows it."""
    folder = tmp_path / "served"
    folder.mkdir()
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def data_folder() -> Path:
    """The folder with the reference files, where this machine has one."""
    folder = os.environ.get("MINV_DATA")
    if not folder:
        pytest.skip("MINV_DATA is not set: the reference files are not at hand")
    return Path(folder)
