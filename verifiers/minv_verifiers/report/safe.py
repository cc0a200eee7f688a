"""Texts from files made safe to show."""

import unicodedata


def printable(text: str) -> str:
    """Replace control, format and other invisible characters, so that no text steers a terminal or hides in one."""
    return "".join(
        f"\\u{ord(character):04x}" if unicodedata.category(character)[0] == "C" else character
        for character in text
    )


def show(value: object) -> str:
    """One raw value, nested or not, as one printable line."""
    if isinstance(value, dict):
        return "; ".join(f"{printable(str(key))}: {show(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(show(inner) for inner in value) + "}"
    return printable(str(value))
