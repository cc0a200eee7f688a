"""Numbers in sentences: one row is, two rows are."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number and what it counts.

    Parameters
    ----------
    one, many
        What follows the number 1 and any other, a verb included where there is one; by default `one` with an s.
    """
    return f"{number} {form(number, one, many or f'{one}s')}"


def form(number: int, one: str, many: str) -> str:
    """Return the form of a word that agrees with a number."""
    return one if number == 1 else many
