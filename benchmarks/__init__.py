"""The asv suite: what is measured, per commit. See README.md in this folder."""
