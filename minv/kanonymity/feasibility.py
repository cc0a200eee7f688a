"""When k-anonymous classes exist at all."""

from minv.errors import InfeasibleError, UsageError
from minv.wording import counted


def check_k(records: int, k: int) -> None:
    """Refuse a k that no partition of so many records meets. No records make no class: always possible.

    Raises
    ------
    UsageError
        k below 1.
    InfeasibleError
        Fewer records than k.
    """
    if k < 1:
        raise UsageError(f"k must be at least 1, not {k}")
    if 0 < records < k:
        raise InfeasibleError(f"no class of {k} in a table of {counted(records, 'row')}; lower k or add rows")
