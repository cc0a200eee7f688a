"""The four forms of a report: schema, escaping, what is hidden without --show-values."""

import io
import json
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pytest
from rich.console import Console

from minv_verifiers import Report, verify
from minv_verifiers.report.as_html import html_page
from minv_verifiers.report.as_json import report_object
from minv_verifiers.report.as_junit import junit_xml
from minv_verifiers.report.as_text import print_report

HOSTILE = [
    "<script>alert(1)</script>",
    '=cmd|"/c calc"!A1',
    "../../etc/passwd",
    "two\nlines",
    "\x1b[31mred\u202e",
]


@pytest.fixture
def hostile() -> Report:
    """A report whose witnesses carry hostile ids and values."""
    first = pd.DataFrame({"id": HOSTILE[:2], "age": "20", "disease": HOSTILE[:2]})
    second = pd.DataFrame({"id": HOSTILE[:2], "age": ["20", "30"], "disease": HOSTILE[2:4]})
    return verify([first, second], quasi_identifiers=["age"], sensitive="disease", person="id", m=2)


def text_of(report: Report, **options: Any) -> str:
    """The report for people."""
    console = Console(file=io.StringIO(), width=10_000)
    print_report(report, console, **options)
    return console.file.getvalue()


def schema(package: str, name: str) -> Any:
    """A schema that ships."""
    return json.loads(resources.files(package).joinpath(name).read_text("utf-8"))


@pytest.mark.parametrize("show_values", [False, True])
def test_json_follows_its_schema(hostile: Report, good_series: Path, show_values: bool) -> None:
    """Whatever is reported follows the schema, and is plain JSON."""
    validator = jsonschema.Draft202012Validator(schema("minv_verifiers.report", "report.schema.json"))
    for report in (hostile, verify(good_series), verify(good_series, public_only=True)):
        content = json.loads(json.dumps(report_object(report, show_values=show_values), allow_nan=False))
        validator.validate(content)
        assert content["verdict"] == report.verdict


def test_no_raw_value_is_shown_unasked(hostile: Report) -> None:
    """Ids, sensitive values and cells appear only on request, in every form."""
    forms = [text_of(hostile), json.dumps(report_object(hostile)), junit_xml(hostile), html_page(hostile)]
    for form in forms:
        assert not any(piece in form for piece in ("alert", "calc", "passwd"))
    shown = [
        text_of(hostile, show_values=True),
        json.dumps(report_object(hostile, show_values=True)),
        junit_xml(hostile, show_values=True),
        html_page(hostile, show_values=True),
    ]
    assert all("alert" in form and "passwd" in form for form in shown)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.add(tag)
        assert not any(name in ("src", "href", "onload", "onerror") for name, _ in attrs)


def test_html_is_one_safe_file(hostile: Report) -> None:
    """No script, nothing loaded from elsewhere, values escaped."""
    page = html_page(hostile, show_values=True)
    tags = _Tags()
    tags.feed(page)
    assert "script" not in tags.found
    assert "&lt;script&gt;" in page
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page


def test_junit_counts_and_parses(hostile: Report) -> None:
    """One case a rule; failures are the violated rules; control characters do not break the XML."""
    suite = ElementTree.fromstring(junit_xml(hostile, show_values=True)).find("testsuite")
    assert suite is not None
    failed = {case.get("name") for case in suite if case.find("failure") is not None}
    assert failed == set(hostile.violated)
    assert suite.get("failures") == str(len(hostile.violated))
    assert suite.get("tests") == str(len(hostile.outcomes))


def test_junit_tells_a_claim_that_cannot_be_checked() -> None:
    """A model asked for by name that cannot be judged is an error, not a skip."""
    frame = pd.DataFrame({"age": "20", "disease": ["a", "b"]})
    roles = {"quasi_identifiers": ["age"], "sensitive": "disease", "m": 2}
    suite = ElementTree.fromstring(junit_xml(verify([frame, frame], model="tau-safe", **roles))).find(
        "testsuite"
    )
    assert suite is not None
    assert {case.get("name") for case in suite if case.find("error") is not None} == {
        "m-invariance",
        "tau-safety",
    }


def test_the_terminal_gets_no_control_characters(hostile: Report) -> None:
    """Escape sequences, line ends and direction marks in values are shown, not sent."""
    text = text_of(hostile, show_values=True)
    assert "two\\u000alines" in text
    assert not any(ord(letter) < 32 and letter != "\n" for letter in text)


def test_many_witnesses_are_cut_in_text_only() -> None:
    """The text shows twenty witnesses of a rule and says how many more; the JSON has all."""
    frame = pd.DataFrame({"age": range(100), "disease": "a"})
    report = verify(frame, quasi_identifiers=["age"], sensitive="disease", m=2)
    assert "... and 80 more" in text_of(report)
    content = report_object(report)
    rule = next(rule for rule in content["rules"] if rule["name"] == "m-unique")
    assert len(rule["witnesses"]) == 100


def test_public_mode_tells_no_quality(good_series: Path) -> None:
    """Without the private part no figure of loss appears."""
    report = verify(good_series, public_only=True)
    assert all(measures.il is None and measures.ncp is None for measures in report.measures)
    assert "IL" not in text_of(report)


def test_every_rule_is_documented_where_it_is_registered() -> None:
    """Names are stable words, definitions whole sentences, sources given."""
    from minv_verifiers.rules import RULES

    for rule in RULES.values():
        assert rule.name == rule.name.lower()
        assert rule.definition.endswith(".")
        assert rule.source


def test_the_documentation_lists_every_rule() -> None:
    """docs/rules.md has each rule with its definition and source, and no other."""
    from minv_verifiers.rules import RULES

    text = (Path(__file__).parents[3] / "docs" / "rules.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert len(rows) == len(RULES)
    for rule in RULES.values():
        warning = " (warning)" if rule.advisory else ""
        assert f"| `{rule.name}`{warning} | {rule.definition} | {rule.source} |" in rows
