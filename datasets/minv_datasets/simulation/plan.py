"""How many persons come, go, return and change: a matter of rates alone, without chance.

Fractions of a person are carried over from release to release: after any number of releases the total of a kind is
the sum of rate times rows, rounded down. Only who is concerned is drawn at random.
"""

from dataclasses import dataclass
from fractions import Fraction

from minv_datasets.errors import UsageError
from minv_datasets.simulation.rates import Rates
from minv_datasets.wording import counted


@dataclass(frozen=True, slots=True)
class Step:
    """The rows of one release, and the numbers of persons concerned on the way to it."""

    release: int
    rows: int
    inserted: int
    deleted: int = 0
    reinserted: int = 0
    updated_qi: int = 0
    updated_sensitive: int = 0


class _Account:
    """Adds up shares of persons exactly and pays them out in whole persons."""

    def __init__(self, rate: float) -> None:
        self._share = Fraction(str(float(rate)))  # 0.1 means a tenth, not its binary neighbour
        self._owed = 0  # in units of 1/denominator person

    def pay(self, persons: int) -> int:
        """Add the share of so many persons, and return the whole persons that are due."""
        due, self._owed = divmod(self._owed + self._share.numerator * persons, self._share.denominator)
        return due


def plan(initial: int, rates: Rates, releases: int) -> list[Step]:
    """Return the steps to releases 1, 2, ...; the first one inserts the initial persons.

    Those who leave on the way to a release can return in the next one at the earliest. Returns that are due
    while nobody is away do not take place later.

    Parameters
    ----------
    initial
        Rows of the first release.
    rates, releases
        As in `Scenario`.
    """
    insert, delete, reinsert = _Account(rates.insert), _Account(rates.delete), _Account(rates.reinsert)
    update_qi, update_sensitive = _Account(rates.update_qi), _Account(rates.update_sensitive)
    steps = [Step(1, rows=initial, inserted=initial)]
    rows, away = initial, 0
    for release in range(2, releases + 1):
        deleted = min(delete.pay(rows), rows)
        staying = rows - deleted
        inserted = insert.pay(rows)
        reinserted = min(reinsert.pay(rows), away)
        rows = staying + inserted + reinserted
        away += deleted - reinserted
        steps.append(
            Step(
                release,
                rows,
                inserted,
                deleted,
                reinserted,
                updated_qi=min(update_qi.pay(staying), staying),
                updated_sensitive=min(update_sensitive.pay(staying), staying),
            )
        )
    return steps


def persons_needed(initial: int, rates: Rates, releases: int) -> int:
    """Return how many persons appear in any release."""
    return sum(step.inserted for step in plan(initial, rates, releases))


def largest_start(persons: int, rates: Rates, releases: int) -> int:
    """Return the rows of a first release after which `persons` suffice for all insertions.

    Raises
    ------
    UsageError
        Not even a first release of one row leaves enough.
    """
    if persons_needed(1, rates, releases) > persons:
        raise UsageError(
            f"{counted(persons, 'person does', 'persons do')} not suffice for "
            f"{counted(releases, 'release')} with {rates.insert:g} insertions a row: "
            "lower the rate or make fewer releases"
        )
    enough, too_many = 1, persons + 1
    while too_many - enough > 1:
        middle = (enough + too_many) // 2
        if persons_needed(middle, rates, releases) <= persons:
            enough = middle
        else:
            too_many = middle
    return enough


def check_reservoir(initial: int, persons: int, rates: Rates, releases: int) -> None:
    """Refuse a first release that leaves too few persons for the insertions.

    Raises
    ------
    UsageError
        With the numbers, and the largest first release that works.
    """
    needed = persons_needed(initial, rates, releases) - initial
    if needed > persons - initial:
        possible = largest_start(persons, rates, releases)
        raise UsageError(
            f"{counted(needed, 'person is', 'persons are')} to be inserted in "
            f"{counted(releases, 'release')}, but the first release of "
            f"{counted(initial, 'row')} "
            f"leaves {persons - initial} of {persons}: start with at most {counted(possible, 'row')}, or lower the rate"
        )
