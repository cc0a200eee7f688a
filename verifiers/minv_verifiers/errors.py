"""What can go wrong before anything is judged, each with the exit code of the command line.

A violated property is not an error but a finding: see `minv_verifiers.outcome`.
"""

from typing import ClassVar


class VerifierError(Exception):
    """Base of all errors that a user can mend; its text is one line without a raw data value."""

    exit_code: ClassVar[int] = 3


class UsageError(VerifierError):
    """An option or argument is wrong, or options contradict each other."""

    exit_code = 2


class InputError(VerifierError):
    """A file, table or setting cannot be read as it is, so nothing can be judged."""

    exit_code = 3
