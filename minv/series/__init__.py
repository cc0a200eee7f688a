"""The series on disk: its folder, its files, and how a release gets into it (docs/format.md)."""
