"""Assertions on series for the test suites of others.

Each takes what `verify` takes and raises AssertionError with every witness of the violated rules. With the
distribution installed, pytest also offers them as fixtures of the same names.
"""

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from rich.console import Console

from minv_verifiers.api import Options, Source, attack, read, verify
from minv_verifiers.attacks.report import print_attack
from minv_verifiers.judge import judge
from minv_verifiers.model import Model
from minv_verifiers.reading.packages import is_series
from minv_verifiers.report.as_text import print_report
from minv_verifiers.report.report import Report


def assert_verified(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Assert that no rule is violated and every claimed one is established; returns the report.

    Raises
    ------
    AssertionError
        A rule is violated, or a claimed one cannot be checked.
    """
    return _assert_passed(verify(releases, **options))


def assert_m_unique(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Assert that every class has at least m tuples with different sensitive values."""
    return _assert_model("m-unique", releases, options)


def assert_m_invariant(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Assert m-invariance: m-unique, one signature in each lifespan, nobody returns."""
    return _assert_model("m-invariant", releases, options)


def assert_tau_safe(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Assert tau-safety: m-invariant, and one signature a person over the whole series."""
    return _assert_model("tau-safe", releases, options)


def assert_k_anonymous(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Assert that every class has at least k rows (give k as `m`)."""
    return _assert_model("k-anonymous", releases, options)


def assert_withstands_attack(releases: Source | Sequence[Source], **options: Unpack[Options]) -> None:
    """Assert that nobody's value is inferred with more than 1/m by an attacker who knows all classes.

    Raises
    ------
    AssertionError
        Somebody's is, or the attack could not be run.
    """
    report = attack(releases, **options)
    if report.exit_code:
        console = Console(file=io.StringIO(), width=200)
        print_attack(report, console)
        raise AssertionError(console.file.getvalue())  # type: ignore[attr-defined]


def _assert_model(model: Model, releases: Source | Sequence[Source], options: Options) -> Report:
    # A series folder states a model of its own; what is asserted here has the last word.
    evidence = read(releases, **(options if _is_folder(releases) else {**options, "model": model}))
    return _assert_passed(
        judge(replace(evidence, claims=replace(evidence.claims, model=model, explicit=True)))
    )


def _is_folder(releases: Source | Sequence[Source]) -> bool:
    listed = releases if isinstance(releases, list | tuple) else [releases]
    return len(listed) == 1 and isinstance(listed[0], str | Path) and is_series(Path(listed[0]))


def _assert_passed(report: Report) -> Report:
    if report.violated or report.unjudged:
        console = Console(file=io.StringIO(), width=200)
        print_report(report, console)
        raise AssertionError(console.file.getvalue())  # type: ignore[attr-defined]
    return report
