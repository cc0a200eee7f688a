"""What was fixed when a series was created: the public and the private part of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from minv.errors import UsageError
from minv.hierarchy import Hierarchy
from minv.hierarchy.building import Path, tree_from_paths
from minv.series.layout import Format
from minv.tables.columns import Family
from minv.tables.missing import MissingPolicy, MissingRules
from minv.tables.roles import Kind, QuasiIdentifier, Roles

FORMAT_VERSION = 1
RESERVED = ("id", "class", "counterfeit", "status")  # columns of our own in the private files


class Model(StrEnum):
    """What the series guarantees for a person who returns."""

    TAU_SAFE = "tau-safe"  # the person returns to the remembered signature
    M_INVARIANT = "m-invariant"  # the person may not return


class OnUpdate(StrEnum):
    """What happens to a person whose new sensitive value lies outside the remembered signature."""

    SUPPRESS = "suppress"  # left out of the release; the signature stays remembered
    DISJOINT = "disjoint"  # published under a signature disjoint from all earlier ones


@dataclass(frozen=True, eq=False)
class Settings:
    """The terms of a series, the same for all its releases.

    Attributes
    ----------
    roles
        With an id column; orders and hierarchies read from their files.
    domain
        Sensitive values declared, or else seen in the first release.
    columns
        The family of each column of the first input that has a role; "other" for those without.
    max_class_size
        Largest class of new persons, or None for 2m-1.

    Raises
    ------
    UsageError
        No id column, a column with a reserved name, m below 2, or a size cap outside m..2m-1.
    """

    roles: Roles
    m: int
    model: Model = Model.TAU_SAFE
    on_update: OnUpdate = OnUpdate.SUPPRESS
    missing: MissingRules = field(default_factory=MissingRules)
    domain: tuple[str | None, ...] = ()
    columns: Mapping[str, Family] = field(default_factory=dict)
    release_format: Format = "parquet"
    max_class_size: int | None = None

    def __post_init__(self) -> None:
        if self.roles.id is None:
            raise UsageError("a series needs an id column (--id COLUMN), to know persons again")
        for name in self.roles.columns:
            if name in RESERVED and name != self.roles.id:
                raise UsageError(f"column {name!r} has a name that the series uses itself; rename it")
        if self.m < 2:
            raise UsageError(f"m must be at least 2 to protect anybody, not {self.m}")
        if self.max_class_size is not None and not self.m <= self.max_class_size <= 2 * self.m - 1:
            raise UsageError(f"the largest class size must lie in m..2m-1 = {self.m}..{2 * self.m - 1}")

    @property
    def id_column(self) -> str:
        """Name of the id column of the input."""
        assert self.roles.id is not None
        return self.roles.id

    def public_part(self) -> dict[str, Any]:
        """Return the members of the manifest's `minv` object that the settings fix."""
        return {
            "format": FORMAT_VERSION,
            "m": self.m,
            "quasi_identifiers": [_public(column) for column in self.roles.quasi_identifiers],
            "sensitive": {"name": self.roles.sensitive},
            "other": list(self.roles.other),
        }

    def private_part(self) -> dict[str, Any]:
        """Return the content of `settings.json`."""
        columns = [name for name in self.roles.columns if name != self.id_column]
        quasi_identifiers = self.roles.quasi_identifiers
        policies = {name: self.missing.policy(name) for name in columns}
        codes = {name: sorted(self.missing.codes_of(name)) for name in columns}
        return {
            "format": FORMAT_VERSION,
            "id": self.id_column,
            "model": str(self.model),
            "on_update": str(self.on_update),
            "missing": {n: str(p) for n, p in policies.items() if p is not MissingPolicy.ERROR},
            "missing_codes": {name: texts for name, texts in codes.items() if texts},
            "weights": {c.name: c.weight for c in quasi_identifiers if c.weight != 1},
            "hierarchies": {c.name: _paths(c.hierarchy) for c in quasi_identifiers if c.hierarchy},
            "domain": list(self.domain),
            "columns": {name: str(family) for name, family in self.columns.items()},
            "release_format": self.release_format,
            "max_class_size": self.max_class_size,
        }

    @classmethod
    def from_parts(cls, public: Mapping[str, Any], private: Mapping[str, Any]) -> "Settings":
        """Return the settings from the two parts, both valid by their schemas.

        Raises
        ------
        DataError
            A hierarchy that is no tree.
        """
        quasi_identifiers = tuple(
            QuasiIdentifier(
                name=column["name"],
                kind=Kind(column["kind"]),
                levels=tuple(column.get("levels", ())),
                hierarchy=_tree(private["hierarchies"].get(column["name"])),
                weight=private["weights"].get(column["name"], 1.0),
            )
            for column in public["quasi_identifiers"]
        )
        missing = MissingRules(
            columns={name: MissingPolicy(policy) for name, policy in private["missing"].items()},
            column_codes={name: frozenset(texts) for name, texts in private["missing_codes"].items()},
        )
        return cls(
            roles=Roles(
                quasi_identifiers, public["sensitive"]["name"], private["id"], tuple(public["other"])
            ),
            m=public["m"],
            model=Model(private["model"]),
            on_update=OnUpdate(private["on_update"]),
            missing=missing,
            domain=tuple(private["domain"]),
            columns={name: Family(family) for name, family in private["columns"].items()},
            release_format=private["release_format"],
            max_class_size=private["max_class_size"],
        )


def _public(column: QuasiIdentifier) -> dict[str, Any]:
    described: dict[str, Any] = {"name": column.name, "kind": str(column.kind)}
    return {**described, "levels": list(column.levels)} if column.levels else described


def _paths(hierarchy: Hierarchy) -> dict[str, list[str]]:
    """Return the ancestors of each leaf, nearest first."""
    labels = hierarchy.labels
    return {
        labels[leaf]: [labels[node] for node in hierarchy.path(leaf)[1:]] for leaf in range(hierarchy.leaves)
    }


def _tree(paths: Mapping[str, list[str]] | None) -> Hierarchy | None:
    if paths is None:
        return None
    return tree_from_paths((Path([leaf, *up], "the settings") for leaf, up in paths.items()), "settings.json")
