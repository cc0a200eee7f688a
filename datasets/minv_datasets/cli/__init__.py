"""The commands `minv-simulate` and `minv-datasets`."""

from minv_datasets.cli.entry import export, main

__all__ = ["export", "main"]
