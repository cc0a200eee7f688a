"""The three levels of dynamicity, each with what it allows and with customary rates."""

from dataclasses import asdict
from enum import StrEnum

from minv_datasets.errors import UsageError
from minv_datasets.simulation.rates import Rates


class Dynamicity(StrEnum):
    """Which changes a table may undergo (Tobar Nicolau, Castro, Gentile 2025, section 1)."""

    INCREMENTAL = "incremental"
    """Persons are added."""
    EXTERNAL_DYNAMIC = "external-dynamic"
    """Persons are added and leave for good."""
    FULLY_DYNAMIC = "fully-dynamic"
    """Persons are added, leave and return, and their values change."""

    @property
    def rates(self) -> Rates:
        """The customary rates of the level.

        The two latter replace a tenth of the rows in each release and so keep their number; fully dynamic
        tables have three updates per hundred persons who stay.
        """
        return _CUSTOMARY[self]


_CUSTOMARY = {
    Dynamicity.INCREMENTAL: Rates(insert=0.10),
    Dynamicity.EXTERNAL_DYNAMIC: Rates(insert=0.10, delete=0.10),
    Dynamicity.FULLY_DYNAMIC: Rates(
        insert=0.07, delete=0.10, reinsert=0.03, update_qi=0.02, update_sensitive=0.01
    ),
}


def rates_at(level: Dynamicity | str | None, *, ageing: bool = False, **given: float | None) -> Rates:
    """Return the rates of a level, replaced where one is given (not None); without a level the rest is 0.

    Parameters
    ----------
    level
        A level or its name.
    ageing
        Whether ages shall grow, which is a change of values.
    given
        By name of the rate.

    Raises
    ------
    UsageError
        There is no such level, or a change is asked for that the level excludes.
    """
    chosen = {name: rate for name, rate in given.items() if rate is not None}
    if level is None:
        return Rates(**chosen)
    try:
        level = Dynamicity(level)
    except ValueError:
        raise UsageError(f"no level of that name; choose one of: {', '.join(Dynamicity)}") from None
    customary = asdict(level.rates)
    excluded = [name for name, rate in chosen.items() if rate > 0 and customary[name] == 0]
    if ageing and level is not Dynamicity.FULLY_DYNAMIC:
        excluded.append("ageing")
    if excluded:
        raise UsageError(
            f"{level} tables have no {' and no '.join(excluded)}: drop it or take another preset"
        )
    return Rates(**(customary | chosen))
