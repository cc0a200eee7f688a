"""The command `minv-verify`."""

from minv_verifiers.cli.entry import main

__all__ = ["main"]
