"""Whether a table has the columns that the series began with."""

from collections.abc import Mapping, Sequence

from minv.errors import DataError
from minv.series.settings import Settings
from minv.tables.columns import Family


def column_families(names: Sequence[str], families: Mapping[str, Family]) -> dict[str, Family]:
    """Return the family of every column of an input, `other` for those without a role."""
    return {name: families.get(name, Family.OTHER) for name in names}


def check_schema(settings: Settings, names: Sequence[str], families: Mapping[str, Family]) -> None:
    """Refuse a table with columns that are new, missing or of another type than in the first release.

    Their order is free. Numerals in a text column count as numbers; text may become numerals, since it may
    happen to hold no other values.

    Raises
    ------
    DataError
        Naming the columns.
    """
    before = settings.columns
    changes = {
        "new": [name for name in names if name not in before],
        "missing": [name for name in before if name not in names],
        "of another type": [
            f"{name} (was {before[name]}, now {family})"
            for name, family in families.items()
            if _differs(before.get(name, Family.OTHER), family)
        ],
    }
    found = "; ".join(f"{what}: {', '.join(which)}" for what, which in changes.items() if which)
    if found:
        raise DataError(
            f"the columns are not those of the first release ({found}); restore them, or accept the change for this "
            "release (--accept-schema-change)"
        )


def _differs(before: Family, now: Family) -> bool:
    known = Family.OTHER not in (before, now)
    return known and before is not now and (before, now) != (Family.TEXT, Family.NUMBER)
