"""The command line: parses arguments, prints; no logic."""
