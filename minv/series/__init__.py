"""A series of releases on disk (docs/format.md)."""
