"""The command line: parses arguments, prints; no logic."""

from minv.cli.entry import main

__all__ = ["main"]
