"""The dashboard in a real browser: `tox run -e dashboard` builds the pages and then runs this."""

import functools
import os
import shutil
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

PAGES = os.environ.get("MINV_DASHBOARD")
PATIENCE = 30  # seconds for a page to draw itself

pytestmark = pytest.mark.skipif(not PAGES, reason="MINV_DASHBOARD names no folder with the pages")


class SilentHandler(SimpleHTTPRequestHandler):
    """Serves files without a line a request on stderr."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The pages, served on this machine."""
    assert PAGES is not None
    handler = functools.partial(SilentHandler, directory=Path(PAGES))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium that records what the pages log."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    programs = [shutil.which(name) for name in ("chromium", "chromedriver")]
    if None in programs:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = programs[0]
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1400,1000"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(programs[1]))
    yield driver
    driver.quit()


def wait_for(browser: Any, script: str) -> Any:
    """Wait until a script in the page returns something that counts as true, and return it."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, PATIENCE).until(lambda page: page.execute_script(f"return {script};"))


def errors(browser: Any) -> list[str]:
    """What went wrong in the page since this was last asked.

    asv asks in vain for the graphs of benchmarks that have no result, such as those of missing data.
    """
    logged = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    return [message for message in logged if "/graphs/" not in message]


def show(browser: Any, address: str, fragment: str) -> None:
    """Load a page from scratch: a mere change of the fragment would keep the old graph."""
    browser.get("about:blank")
    browser.get(address + fragment)


POINTS = """(() => {
    const plot = $("#main-graph").data("plot");
    return plot ? plot.getData().map(s => [s.label, s.data.filter(p => p && p[1] !== null).length]) : null;
})()"""


def test_the_overview_draws_a_graph_for_every_benchmark(browser: Any, address: str) -> None:
    """Thumbnails appear, among them those of the loss, and nothing fails to load."""
    show(browser, address, "#/")
    texts = "$('.benchmark-text').toArray().map(element => element.textContent)"
    names = wait_for(browser, f"{texts}.length && {texts}")
    assert any("track_il" in name for name in names)
    assert any("time_" in name for name in names)
    assert not errors(browser)


@pytest.mark.parametrize("benchmark", ["quality.Optimise.track_il", "quality.Optimise.track_gap"])
def test_the_page_of_a_quality_track_shows_its_series(browser: Any, address: str, benchmark: str) -> None:
    """One line an instance, each with at least one measured commit."""
    show(browser, address, f"#{benchmark}")
    series = wait_for(browser, POINTS)
    assert series
    assert all(points >= 1 for _, points in series)
    assert not errors(browser)
