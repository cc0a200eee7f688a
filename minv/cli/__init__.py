"""The command line: parses arguments, prints; no logic."""

from minv.cli.app import main

__all__ = ["main"]
