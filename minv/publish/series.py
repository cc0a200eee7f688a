"""A series from Python: create or open it, publish the next release."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from minv import __version__
from minv.errors import CancelledError, DataError
from minv.instance import FREE
from minv.publish.comparison import comparison_figures
from minv.publish.engine import Budget, Policy, Solution
from minv.publish.feasibility import check_counts
from minv.publish.figures import release_figures
from minv.publish.proof import certified, check_certificate_place
from minv.publish.release import ReleasePlan, plan_release, release_seed
from minv.publish.result import Partition
from minv.publish.schema import check_schema, column_families
from minv.publish.solving import solve
from minv.publish.terms import Terms
from minv.series import folder
from minv.series.contents import make_contents
from minv.series.folder import State
from minv.series.layout import Layout
from minv.series.lock import locked
from minv.series.manifest import Entry
from minv.series.settings import Settings
from minv.tables.opening import open_table
from minv.tables.source import Source
from minv.tables.validation import read_microdata

SOFTWARE = f"minv {__version__}"
_WRITING = 5e-5  # seconds a row to write and re-read the files of a release
_LARGEST_RESERVE = 0.3  # of the time limit
Table = str | Path | pd.DataFrame | pa.Table


@dataclass(frozen=True, eq=False)
class Release:
    """A published release.

    Attributes
    ----------
    number
        1, 2, 3, ...
    path
        The public file.
    partition
        What is known about its classes; private.
    counterfeits
        Number of counterfeits.
    figures
        Everything that `minv publish --json` prints; private.
    warnings
        Sentences about what looks wrong in the table.
    """

    number: int
    path: Path
    partition: Partition
    counterfeits: int
    figures: dict[str, Any]
    warnings: tuple[str, ...]


class Series:
    """A series of releases in a folder; see `create` and `open`."""

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self._layout = Layout(Path(path))
        self._settings = settings

    @classmethod
    def create(cls, path: str | Path, **terms: Any) -> "Series":
        """Begin a series; the folder appears with its first release.

        Parameters
        ----------
        path
            A folder that is empty or does not exist.
        terms
            The fields of `minv.publish.terms.Terms`: `id`, `quasi_identifiers`, `sensitive`, `m` and what
            shall differ from its default.

        Raises
        ------
        UsageError
            Terms that make no sense.
        DataError
            There is a series already, or an order or hierarchy cannot be read.
        """
        if folder.exists(Layout(Path(path))):
            raise DataError(f"{path}: there is a series already; open it, or name another folder")
        return cls(path, Terms(**terms).settings())

    @classmethod
    def open(cls, path: str | Path, terms: Terms | None = None) -> "Series":
        """Open an existing series.

        Parameters
        ----------
        terms
            What the caller believes the terms to be.

        Raises
        ------
        DataError
            There is no series, its private part is missing, or a file is damaged.
        UsageError
            The series has other terms.
        """
        settings, _ = folder.read_settings(Layout(Path(path)))
        if terms is not None:
            terms.check(settings)
        return cls(path, settings)

    @property
    def path(self) -> Path:
        """The folder."""
        return self._layout.root

    @property
    def settings(self) -> Settings:
        """The terms of the series."""
        return self._settings

    @property
    def releases(self) -> tuple[Entry, ...]:
        """The releases so far."""
        return folder.read_settings(self._layout)[1] if folder.exists(self._layout) else ()

    def plan(self, source: Source, *, accept_schema_change: bool = False) -> ReleasePlan:
        """Return the next release as an optimisation problem, without solving it; nothing is written.

        Raises
        ------
        DataError, UsageError, InfeasibleError
            As `publish`.
        """
        with self._state() as state:
            return _plan(state, source, accept_schema_change)[1]

    def publish(
        self,
        table: Table,
        *,
        budget: Budget | None = None,
        policy: Policy | None = None,
        encoding: str = "utf-8",
        delimiter: str = ",",
        publish_quality: bool = False,
        accept_schema_change: bool = False,
        compare_staged: bool = False,
        certificate: Path | None = None,
        **options: Any,
    ) -> Release:
        """Publish the next release; whatever goes wrong, the series is as it was.

        Parameters
        ----------
        table
            A pandas frame of any index and backend, an Arrow table, or the path of a CSV or Parquet file.
        budget, policy
            How hard to try, and what may be added or left out.
        encoding, delimiter
            Of a CSV file.
        publish_quality
            Whether the manifest tells the loss, to two significant digits.
        accept_schema_change
            Whether columns may be new, missing or of another type than in the first release.
        compare_staged
            Whether the figures tell what the published algorithms would have made of this release.
        certificate
            File for the proof of the bound; for the custodian.
        options
            Single fields of `budget`, such as `time_limit=60` or `seed=1`.

        Raises
        ------
        DataError
            The table cannot be used, or the certificate cannot be written: its text tells whether the release
            is published all the same.
        InfeasibleError
            No admissible partition exists.
        LimitError
            No partition or no bound to certify was found within the limits, or another publisher holds the series.
        CancelledError
            Interrupted.
        """
        started = time.monotonic()
        budget = replace(budget or Budget(), **options)
        policy = policy or Policy()
        source = open_table(table, encoding=encoding, delimiter=delimiter)
        check_certificate_place(certificate)
        with self._state() as state:
            state, plan = _plan(state, source, accept_schema_change)
            _check_feasible(plan, policy)
            elapsed = time.monotonic() - started
            left = _remaining(budget, elapsed, plan.instance.size)
            seed_of_release = release_seed(state, budget.seed)
            solution = solve(plan, policy, replace(left, seed=seed_of_release))
            if budget.cancel.cancelled:
                raise CancelledError("interrupted; nothing was published")
            figures = release_figures(state, plan, solution, seed=budget.seed)
            if compare_staged:
                figures["staged"] = comparison_figures(plan.instance, seed_of_release)
            figures["seconds"] = time.monotonic() - started
            with certified(certificate, plan, solution.partition):
                return self._write(state, plan, solution, figures, publish_quality)

    @contextmanager
    def _state(self) -> Iterator[State]:
        """Give the state of the series; an existing one is locked meanwhile."""
        if not folder.exists(self._layout):
            folder.check_place(self._layout)
            yield State(self._settings)
            return
        with locked(self._layout):
            yield folder.read_state(self._layout)

    def _write(
        self,
        state: State,
        plan: ReleasePlan,
        solution: Solution,
        figures: dict[str, Any],
        publish_quality: bool,
    ) -> Release:
        assignment = plan.assignment(solution.partition.labels, solution.counterfeits, solution.deleted)
        contents = make_contents(state.settings, assignment)
        il = float(f"{solution.partition.il:.2g}") if publish_quality else None
        with self._folder_for(state):
            entry = folder.add_release(self._layout, state, contents, figures, software=SOFTWARE, il=il)
        self._settings = state.settings
        return Release(
            number=entry.number,
            path=self._layout.public_release(entry.number, entry.file_format),
            partition=solution.partition,
            counterfeits=len(solution.counterfeits),
            figures=figures,
            warnings=plan.microdata.warnings,
        )

    @contextmanager
    def _folder_for(self, state: State) -> Iterator[None]:
        """Make and lock the folder of a new series; take it away again if its first release fails."""
        if state.entries:
            yield
            return
        self._check_unborn()
        folder.prepare_folder(self._layout)
        with locked(self._layout):
            self._check_unborn()
            try:
                yield
            except BaseException:
                folder.remove_empty_folder(self._layout)
                raise

    def _check_unborn(self) -> None:
        if folder.exists(self._layout):
            raise DataError(f"{self.path}: another publisher began this series meanwhile; publish again")


def open_or_create(path: str | Path, terms: Terms) -> Series:
    """Open the series in a folder, which must have these terms, or begin one.

    Raises
    ------
    DataError, UsageError
        As `Series.open` and `Series.create`.
    """
    if folder.exists(Layout(Path(path))):
        return Series.open(path, terms)
    return Series(path, terms.settings())


def _plan(state: State, source: Source, accept_schema_change: bool) -> tuple[State, ReleasePlan]:
    """Read the table; the first one completes the settings."""
    settings = state.settings
    microdata = read_microdata(source, settings.roles, settings.missing)
    if not state.entries:
        settings = replace(
            settings,
            domain=settings.domain or microdata.sensitive_values,
            columns=column_families(source.names, microdata.families),
        )
        state = replace(state, settings=settings)
    elif not accept_schema_change:
        check_schema(settings, source.names, microdata.families)
    return state, plan_release(state, microdata)


def _check_feasible(plan: ReleasePlan, policy: Policy) -> None:
    """Refuse at once what has no partition, where that shows without solving."""
    instance = plan.instance
    assert instance.required is not None
    if (instance.required == FREE).all() and policy.counterfeits != "eligibility" and not policy.deletions:
        check_counts(plan.colour_counts, plan.colours, instance.m, instance.max_size)


def _remaining(budget: Budget, elapsed: float, rows: int) -> Budget:
    """Take from the time limit what is spent, and what writing and checking will take."""
    if budget.time_limit is None:
        return budget
    reserve = min(_WRITING * rows, _LARGEST_RESERVE * budget.time_limit)
    return replace(budget, time_limit=max(0.0, budget.time_limit - elapsed - reserve))
