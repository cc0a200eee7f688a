"""Tables by path and by name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from minv.errors import DataError, UsageError
from minv.reproduce import sources


@dataclass
class Offer:
    """Stands for an entry point."""

    name: str
    function: Callable[[], pd.DataFrame]

    def load(self) -> Callable[[], pd.DataFrame]:
        """Return the function that is offered."""
        return self.function


def unavailable() -> pd.DataFrame:
    """A table that cannot be had."""
    raise FileNotFoundError("get it from its publisher")


@pytest.fixture
def _offers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two offers: one that works, one that does not."""
    made = [Offer("toy", lambda: pd.DataFrame({"age": [1, 2]})), Offer("absent", unavailable)]
    monkeypatch.setattr(sources, "entry_points", lambda group: made if group == "minv.tables" else [])


@pytest.mark.usefixtures("_offers")
def test_an_offered_table_is_found_by_name() -> None:
    """Without importing the package that offers it by name."""
    assert sources.find_table("toy").names == ["age"]


@pytest.mark.usefixtures("_offers")
def test_a_file_goes_before_an_offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path says more than a name."""
    monkeypatch.chdir(tmp_path)
    Path("toy").write_text("height,weight\n1,2\n", encoding="utf-8")
    assert sources.find_table("toy").names == ["height", "weight"]


@pytest.mark.usefixtures("_offers")
def test_an_unknown_name_lists_what_is_offered() -> None:
    """A usage error in one line."""
    with pytest.raises(UsageError, match=r"no file other.*offered: absent, toy"):
        sources.find_table("other")


@pytest.mark.usefixtures("_offers")
def test_an_offer_that_fails_says_why() -> None:
    """Whatever the offering package raises."""
    with pytest.raises(DataError, match="table absent: get it from its publisher"):
        sources.find_table("absent")
