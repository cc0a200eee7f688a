"""Judge published series of microdata; shares no code with the publisher."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from minv_verifiers.api import attack as attack
    from minv_verifiers.api import read as read
    from minv_verifiers.api import verify as verify
    from minv_verifiers.attacks.attacker import AttackReport as AttackReport
    from minv_verifiers.attacks.attacker import Knowledge as Knowledge
    from minv_verifiers.errors import InputError as InputError
    from minv_verifiers.errors import UsageError as UsageError
    from minv_verifiers.errors import VerifierError as VerifierError
    from minv_verifiers.outcome import RuleOutcome as RuleOutcome
    from minv_verifiers.outcome import Status as Status
    from minv_verifiers.outcome import Witness as Witness
    from minv_verifiers.reading.tables import TextFormat as TextFormat
    from minv_verifiers.report.report import Report as Report

_HOMES = {
    "AttackReport": "minv_verifiers.attacks.attacker",
    "InputError": "minv_verifiers.errors",
    "Report": "minv_verifiers.report.report",
    "RuleOutcome": "minv_verifiers.outcome",
    "Status": "minv_verifiers.outcome",
    "TextFormat": "minv_verifiers.reading.tables",
    "UsageError": "minv_verifiers.errors",
    "VerifierError": "minv_verifiers.errors",
    "Witness": "minv_verifiers.outcome",
    "Knowledge": "minv_verifiers.attacks.attacker",
    "attack": "minv_verifiers.api",
    "read": "minv_verifiers.api",
    "verify": "minv_verifiers.api",
}

__all__ = sorted(["__version__", *_HOMES])


def __getattr__(name: str) -> Any:
    """Import on first use: the names above cost nothing until then."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
