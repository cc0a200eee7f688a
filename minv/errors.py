"""What can go wrong, each with the exit code of the command line (0 is success, 1 a violated property)."""

from typing import ClassVar


class MinvError(Exception):
    """Base of all errors that a user can cause or mend; its text is one line without a raw data value."""

    exit_code: ClassVar[int] = 1


class UsageError(MinvError):
    """An option or argument is wrong, or options contradict each other."""

    exit_code = 2


class DataError(MinvError):
    """The table, its schema, a hierarchy or a file is not usable as it is."""

    exit_code = 3


class InfeasibleError(MinvError):
    """No admissible partition exists: proved, with the blocking counts in the text."""

    exit_code = 4


class LimitError(MinvError):
    """A limit was reached before any valid result existed."""

    exit_code = 5


class CancelledError(MinvError):
    """The caller or the user interrupted the work; nothing half-done is left behind."""

    exit_code = 130
