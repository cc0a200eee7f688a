"""How much of a table changes from one release to the next."""

import math
from dataclasses import asdict, dataclass

from minv_datasets.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Shares per release.

    Parameters
    ----------
    insert
        New persons, as a share of the previous release's rows; may exceed 1.
    delete
        Persons who leave, as a share of the previous release's rows.
    reinsert
        Persons who return, as a share of the previous release's rows; never more than are away.
    update_qi
        Persons with one new quasi-identifier value, as a share of those who stay.
    update_sensitive
        Persons with a new sensitive value, as a share of those who stay.

    Raises
    ------
    UsageError
        A rate is negative, not finite, or above 1 where it is a share of existing persons.
    """

    insert: float = 0.0
    delete: float = 0.0
    reinsert: float = 0.0
    update_qi: float = 0.0
    update_sensitive: float = 0.0

    def __post_init__(self) -> None:
        for name, rate in asdict(self).items():
            if not (math.isfinite(rate) and rate >= 0):
                raise UsageError(f"the rate {name} must be a number that is 0 or more, not {rate}")
            if name != "insert" and rate > 1:
                raise UsageError(f"the rate {name} is a share of persons, at most 1, not {rate}")
