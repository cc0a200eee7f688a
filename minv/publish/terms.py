"""The terms of a series as a user gives them: all for a new series, any for an old one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from minv.errors import UsageError
from minv.series.layout import Format
from minv.series.settings import Model, OnUpdate, Settings
from minv.tables.levels import resolve
from minv.tables.missing import MissingRules, parse_missing
from minv.tables.roles import QuasiIdentifier, Roles
from minv.tables.roles import quasi_identifiers as read_quasi_identifiers

Columns = Iterable[str | QuasiIdentifier] | Mapping[str, str]
_Choice = TypeVar("_Choice", Model, OnUpdate)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What is fixed when a series is created; None stands for what the user did not say.

    Attributes
    ----------
    id
        Name of the column that tells persons apart.
    quasi_identifiers
        Texts such as `age` or `sex:nominal`, a mapping from name to kind, or records.
    sensitive
        Name of the column to protect.
    m
        Least number of different sensitive values in a class, 2 or more.
    model, on_update
        See `minv.series.settings`. By default `tau-safe` and `suppress`.
    missing, missing_codes
        Policies (`drop`, `age=category`) and texts that stand for a missing value (`?`, `age=-9`).
    weights
        Factors of the squared distances, by quasi-identifier.
    other
        Columns to publish unchanged, constant within every class.
    domain
        All sensitive values that can occur; by default those of the first release.
    release_format
        `parquet` (default) or `csv`.
    max_class_size
        Largest class of new persons, m..2m-1; by default 2m-1.
    """

    id: str | None = None
    quasi_identifiers: Columns | None = None
    sensitive: str | None = None
    m: int | None = None
    model: str | None = None
    on_update: str | None = None
    missing: Iterable[str] | Mapping[str, str] | None = None
    missing_codes: Iterable[str] | None = None
    weights: Mapping[str, float] | None = None
    other: Iterable[str] | None = None
    domain: Iterable[str | None] | None = None
    release_format: str | None = None
    max_class_size: int | None = None

    def settings(self) -> Settings:
        """Return the settings of a new series; files of orders and hierarchies are read.

        Raises
        ------
        UsageError
            Something that a series needs was not said, or makes no sense.
        DataError
            A file of an order or a hierarchy cannot be used.
        """
        if not self.sensitive:
            raise UsageError("a new series needs a sensitive column (--sensitive COLUMN)")
        if self.m is None:
            raise UsageError("a new series needs m, the least number of values in a class (--m NUMBER)")
        columns = read_quasi_identifiers(self.quasi_identifiers or (), self.weights)
        roles = Roles(tuple(map(resolve, columns)), self.sensitive, self.id, tuple(self.other or ()))
        return Settings(
            roles=roles,
            m=self.m,
            model=_member(Model, self.model, Model.TAU_SAFE, "model"),
            on_update=_member(OnUpdate, self.on_update, OnUpdate.SUPPRESS, "policy for updates"),
            missing=_missing(self, roles.columns),
            domain=tuple(self.domain or ()),
            release_format=_format(self.release_format),
            max_class_size=self.max_class_size,
        )

    def check(self, settings: Settings) -> None:
        """Refuse terms that are not those of an existing series.

        Raises
        ------
        UsageError
            Naming the first difference.
        """
        for name, given, fixed in self._compare(settings):
            if given is not None and given != fixed:
                raise UsageError(
                    f"{name} is fixed when a series is created and differs here; leave the option out, or start "
                    "a new series"
                )

    def _compare(self, settings: Settings) -> Iterable[tuple[str, Any, Any]]:
        roles = settings.roles
        yield "the id column", self.id, roles.id
        yield "the sensitive column", self.sensitive, roles.sensitive
        yield "m", self.m, settings.m
        yield "the model", self.model, str(settings.model)
        yield "the policy for updates", self.on_update, str(settings.on_update)
        yield "the format", self.release_format, settings.release_format
        yield "the largest class size", self.max_class_size, settings.max_class_size
        yield "the list of other columns", _tuple(self.other), roles.other
        yield "the domain", _tuple(self.domain), settings.domain
        if self.quasi_identifiers is not None:
            columns = map(resolve, read_quasi_identifiers(self.quasi_identifiers, self.weights))
            given = [_description(column) for column in columns]
            yield "the list of quasi-identifiers", given, [_description(c) for c in roles.quasi_identifiers]
        if self.missing or self.missing_codes:
            yield (
                "the treatment of missing values",
                _rules(_missing(self, roles.columns), roles),
                _rules(settings.missing, roles),
            )


def _missing(terms: Terms, columns: Iterable[str]) -> MissingRules:
    rules = parse_missing(terms.missing or (), terms.missing_codes or (), columns)
    rules.check_columns(columns)
    return rules


def _member(kind: type[_Choice], text: str | None, default: _Choice, what: str) -> _Choice:
    try:
        return default if text is None else kind(text)
    except ValueError:
        raise UsageError(f"unknown {what} {text!r}; choose one of {', '.join(kind)}") from None


def _format(text: str | None) -> Format:
    for known in get_args(Format):
        if text in (None, known):
            chosen: Format = known
            return chosen
    raise UsageError(f"unknown format {text!r}; choose one of {', '.join(get_args(Format))}")


def _tuple(values: Iterable[Any] | None) -> tuple[Any, ...] | None:
    return None if values is None else tuple(values)


def _description(column: QuasiIdentifier) -> tuple[Any, ...]:
    hierarchy = column.hierarchy
    tree = None if hierarchy is None else (hierarchy.labels, hierarchy.parents.tolist())
    return column.name, column.kind, column.levels, column.weight, tree


def _rules(rules: MissingRules, roles: Roles) -> list[tuple[Any, ...]]:
    return [(rules.policy(name), rules.codes_of(name)) for name in roles.columns]
