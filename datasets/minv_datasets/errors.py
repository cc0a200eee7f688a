"""What can go wrong, each with the exit code of the command line."""

from typing import ClassVar


class DatasetError(Exception):
    """Base of all errors that a user can cause or mend; its text is one line without a raw data value."""

    exit_code: ClassVar[int] = 3


class UsageError(DatasetError, ValueError):
    """An argument or option is wrong, or arguments contradict each other."""

    exit_code = 2


class DataError(DatasetError):
    """A table or file is not usable as it is."""


class UnavailableError(DatasetError):
    """A file is neither at hand nor to be had; the text says where to get it."""


class OtherSampleWarning(UserWarning):
    """The rows come from the right population but are not the reference sample."""
