"""The judge as Python functions."""

import math
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import TypedDict, Unpack, get_args

import pandas as pd
import pyarrow as pa

from minv_verifiers.attacks import attacker
from minv_verifiers.attacks.attacker import AttackReport, Knowledge
from minv_verifiers.errors import UsageError
from minv_verifiers.judge import judge
from minv_verifiers.model import Claims, Evidence, Model, QuasiIdentifier
from minv_verifiers.reading.files import FileSet, read_files
from minv_verifiers.reading.packages import is_series, release_tables
from minv_verifiers.reading.roles import Roles, parse_quasi_identifier
from minv_verifiers.reading.series_folder import read_series
from minv_verifiers.reading.tables import PLAIN, Table, TextFormat, read_table
from minv_verifiers.report.report import Report
from minv_verifiers.wording import counted

Source = str | Path | pd.DataFrame | pa.Table


class Options(TypedDict, total=False):
    """What may be said about releases, all optional; a series folder brings its own roles, m and model.

    Attributes
    ----------
    quasi_identifiers
        Columns, each `name`, `name:kind` as on the command line, or a `QuasiIdentifier`.
    sensitive, person, class_id, counterfeit, count
        The columns of the sensitive value, the id, the class id, the mark of counterfeits and the number of
        tuples that a row stands for. Without a class id rows with equal quasi-identifiers are one class.
    missing_is_value
        A missing, empty or suppressed (`*`) sensitive value is a value like any other. By default it may be
        any and protects nobody.
    m
        The parameter of the model (k for `k-anonymous`).
    model
        What is claimed. By default `tau-safe` where ids are known and there are several releases, else
        `m-unique`.
    l_distinct, l_entropy
        Least l-diversity, if that is claimed too.
    claimed_il, claimed_ncp
        The loss that is claimed for each release (percent; in [0, 1]); needs `tables`.
    tables
        The original table of each release, for the rules that compare with the truth.
    links
        The ids of each release in a table of their own: the id column, and `row` (from 1) or the class id.
    sensitive_tables
        The second table of each anatomy-style pair.
    counterfeit_counts
        The published numbers of counterfeits of each release: the class id and `count`.
    text_format
        Encoding, delimiter and missing codes of files.
    public_only
        Leave the private part of a series folder aside.
    """

    quasi_identifiers: Sequence[str | QuasiIdentifier]
    sensitive: str | None
    person: str | None
    class_id: str | None
    counterfeit: str | None
    count: str | None
    missing_is_value: bool
    m: int | None
    model: Model | None
    l_distinct: int | None
    l_entropy: float | None
    claimed_il: Sequence[float]
    claimed_ncp: Sequence[float]
    tables: Sequence[Source]
    links: Sequence[Source]
    sensitive_tables: Sequence[Source]
    counterfeit_counts: Sequence[Source]
    text_format: TextFormat
    public_only: bool


def verify(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Report:
    """Judge a series.

    Parameters
    ----------
    releases
        The folder of a series; or the releases in order, each a CSV or Parquet file, a Data Package, a pandas
        frame (any index, any dtype backend) or a pyarrow table.
    **options
        See `Options`.

    Raises
    ------
    UsageError
        The arguments contradict each other.
    InputError
        A file or frame cannot be read as it is.
    """
    return judge(read(releases, **options))


def attack(
    releases: Source | Sequence[Source], knowledge: Knowledge | None = None, **options: Unpack[Options]
) -> AttackReport:
    """Infer what an attacker can.

    Parameters
    ----------
    releases, **options
        As for `verify`.
    knowledge
        What the attacker knows; by default levels 0 and 1 with all releases.

    Raises
    ------
    UsageError
        The arguments contradict each other.
    InputError
        A file or frame cannot be read as it is.
    """
    return attacker.attack(read(releases, **options), knowledge or Knowledge())


def read(releases: Source | Sequence[Source], **options: Unpack[Options]) -> Evidence:
    """Read what `verify` judges and `attack` attacks; the same arguments and errors."""
    _refuse_unknown(options)
    listed: Sequence[Source] = (
        [releases] if isinstance(releases, (str, Path, pd.DataFrame, pa.Table)) else releases
    )
    text_format = options.get("text_format", PLAIN)
    originals = _tables(options.get("tables", ()), text_format, "original")
    if len(listed) == 1 and isinstance(listed[0], (str, Path)) and is_series(Path(listed[0])):
        _refuse_roles(options)
        return read_series(Path(listed[0]), public_only=options.get("public_only", False), tables=originals)
    if options.get("public_only"):
        raise UsageError("--public-only is for a series folder")
    releases_read = release_tables(listed, text_format)
    roles = _roles(options)
    files = FileSet(
        releases=releases_read,
        links=_tables(options.get("links", ()), text_format, "link"),
        sensitive_tables=_tables(options.get("sensitive_tables", ()), text_format, "sensitive table"),
        counterfeits=_tables(options.get("counterfeit_counts", ()), text_format, "counterfeits"),
        originals=originals,
    )
    return read_files(files, roles, _claims(options, roles, len(files.releases)))


def _refuse_unknown(options: Options) -> None:
    # A claim under a misspelt name would count as judged although nobody looked at it.
    unknown = sorted(set(options) - set(Options.__annotations__))
    if unknown:
        raise UsageError(f"unknown option {unknown[0]}; known are {', '.join(Options.__annotations__)}")


def _tables(sources: Sequence[Source], text_format: TextFormat, what: str) -> list[Table]:
    return [
        read_table(source, text_format, f"{what} {number}")
        for number, source in enumerate(sources or (), start=1)
    ]


def _refuse_roles(options: Options) -> None:
    allowed = ("tables", "text_format", "public_only")
    given = [
        name for name, value in options.items() if name not in allowed and value not in (None, False, (), [])
    ]
    if given:
        raise UsageError(f"a series folder states its own roles and claims: leave out {', '.join(given)}")


def _roles(options: Options) -> Roles:
    columns = options.get("quasi_identifiers", ())
    return Roles(
        quasi_identifiers=tuple(
            parse_quasi_identifier(column) if isinstance(column, str) else column for column in columns
        ),
        sensitive=options.get("sensitive"),
        person=options.get("person"),
        class_id=options.get("class_id"),
        counterfeit=options.get("counterfeit"),
        count=options.get("count"),
        missing_is_value=options.get("missing_is_value", False),
    )


def _claims(options: Options, roles: Roles, releases: int) -> Claims:
    m = options.get("m")
    if m is None:
        raise UsageError("say what is claimed: the parameter m is missing (--m; k for --model k-anonymous)")
    _require_whole(m, "m")
    model = options.get("model")
    if model is not None and model not in get_args(Model):
        raise UsageError(f"unknown model; known are {', '.join(get_args(Model))}")
    l_distinct, l_entropy = options.get("l_distinct"), options.get("l_entropy")
    if l_distinct is not None:
        _require_whole(l_distinct, "l")
    if l_entropy is not None and not 1 <= l_entropy < math.inf:
        raise UsageError(f"the l of entropy l-diversity must be a number of at least 1, not {l_entropy}")
    if roles.sensitive is None and model != "k-anonymous":
        raise UsageError("name the sensitive column (--sensitive); only --model k-anonymous does without")
    il, ncp = tuple(options.get("claimed_il", ())), tuple(options.get("claimed_ncp", ()))
    if any(loss and len(loss) != releases for loss in (il, ncp)):
        raise UsageError(f"claim the loss of each of {counted(releases, 'release')}, in order")
    default: Model = "tau-safe" if roles.person is not None and releases > 1 else "m-unique"
    return Claims(
        model=model or default,
        m=m,
        l_distinct=l_distinct,
        l_entropy=l_entropy,
        il=il,
        ncp=ncp,
        explicit=True,
    )


def _require_whole(value: object, letter: str) -> None:
    # NaN is less than nothing, so that every class would pass; a boolean is a slip of the caller's.
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise UsageError(f"{letter} must be a whole number of at least 1, not {value}")
