"""Numbers in sentences agree with what follows them, in all three distributions."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

import minv.wording
import minv_datasets.wording
import minv_verifiers.wording

ROOT = Path(__file__).parents[2]
PACKAGES = ("minv", "verifiers/minv_verifiers", "datasets/minv_datasets")
FIXED = re.compile(  # a number that counts, before a noun in the plural
    r"\x00 (?:[a-z]+ )?(?:rows|ids|values|columns|cells|persons|people|releases|fields|records|counterfeits) "
    r"(?:are|were|have|do|occur|look|lie|need|return|differ|find)\b"
)


@pytest.mark.parametrize("wording", [minv.wording, minv_verifiers.wording, minv_datasets.wording])
def test_one_and_many(wording: Any) -> None:
    assert [wording.counted(number, "row") for number in (0, 1, 2)] == ["0 rows", "1 row", "2 rows"]
    assert wording.counted(1, "class is", "classes are") == "1 class is"
    assert wording.counted(11, "class is", "classes are") == "11 classes are"
    assert [wording.form(number, "it", "them") for number in (1, 21)] == ["it", "them"]


def fixed_plurals(source: str) -> list[str]:
    """Return the f-strings in which a number stands before a plural and its verb."""
    strings = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr))
    texts = (
        "".join(str(part.value) if isinstance(part, ast.Constant) else "\x00" for part in string.values)
        for string in strings
    )
    return [text for text in texts if FIXED.search(text)]


def test_fixed_plurals_are_found() -> None:
    """The check below can fail."""
    assert fixed_plurals('f"column {name}: {len(wrong)} ids are missing"')
    assert not fixed_plurals("f\"column {name}: {counted(wrong, 'id is', 'ids are')} missing\"")


@pytest.mark.parametrize("package", PACKAGES)
def test_no_message_has_a_plural_for_every_number(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): texts
        for path in sorted((ROOT / package).rglob("*.py"))
        if (texts := fixed_plurals(path.read_text(encoding="utf-8")))
    }
    assert not found
