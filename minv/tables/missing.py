"""What to do with missing values, column by column."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from minv.errors import UsageError


class MissingPolicy(StrEnum):
    """What a missing value in a column means."""

    ERROR = "error"  # the table is refused
    CATEGORY = "category"  # it is a value of its own, published as \N
    DROP = "drop"  # the row is left out


@dataclass(frozen=True, slots=True)
class MissingRules:
    """The policy of each column, and the texts that stand for a missing value.

    Attributes
    ----------
    default
        Policy of the columns that `columns` does not name.
    codes, column_codes
        Texts such as `?` or `-9` that mean "missing" in every column, and in single columns.
    """

    default: MissingPolicy = MissingPolicy.ERROR
    columns: Mapping[str, MissingPolicy] = field(default_factory=dict)
    codes: frozenset[str] = frozenset()
    column_codes: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def policy(self, column: str) -> MissingPolicy:
        """Return the policy of a column."""
        return self.columns.get(column, self.default)

    def codes_of(self, column: str) -> frozenset[str]:
        """Return the texts that stand for a missing value in a column."""
        return self.codes | self.column_codes.get(column, frozenset())

    def check_columns(self, columns: Iterable[str]) -> None:
        """Refuse a policy or code for a column that is not among `columns`.

        Raises
        ------
        UsageError
            Naming the column.
        """
        unknown = sorted((self.columns.keys() | self.column_codes.keys()) - set(columns))
        if unknown:
            raise UsageError(
                f"a rule for missing values names {unknown[0]!r}, which has no role in this table"
            )


def parse_missing(
    policies: Iterable[str] | Mapping[str, str] = (), codes: Iterable[str] = (), columns: Iterable[str] = ()
) -> MissingRules:
    """Read `POLICY` or `COLUMN=POLICY`, and `CODE` or `COLUMN=CODE`, as often as given.

    Parameters
    ----------
    columns
        The columns with a role.

    Raises
    ------
    UsageError
        An unknown policy, or a code for a column without a role: taken as a text it would match nothing.
    """
    if isinstance(policies, str):
        policies = [policies]
    default = MissingPolicy.ERROR
    by_column: dict[str, MissingPolicy] = {}
    pairs = policies.items() if isinstance(policies, Mapping) else map(_split_policy, policies)
    for column, policy in pairs:
        if column:
            by_column[column] = _policy(policy)
        else:
            default = _policy(policy)
    known = set(columns)
    general: set[str] = set()
    special: dict[str, frozenset[str]] = {}
    for text in [codes] if isinstance(codes, str) else codes:
        column, equals, code = text.partition("=")
        if equals and column and column not in known:
            raise UsageError(
                f"--missing-code names {column!r}, which has no role in this table; a code that itself holds an "
                "equals sign is written COLUMN=CODE"
            )
        if equals and column:
            special[column] = special.get(column, frozenset()) | {code}
        else:
            general.add(text)
    return MissingRules(default, by_column, frozenset(general), special)


def _split_policy(text: str) -> tuple[str, str]:
    column, _, policy = text.rpartition("=")
    return column, policy


def _policy(text: str) -> MissingPolicy:
    try:
        return MissingPolicy(text)
    except ValueError:
        policies = ", ".join(MissingPolicy)
        raise UsageError(f"unknown policy for missing values {text!r}; the policies are {policies}") from None
