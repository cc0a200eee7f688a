"""Configuration of the documentation build (`tox run -e docs`)."""

project = "minv"
author = "the minv authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["README.md"]
html_theme = "furo"
html_title = "minv"
nitpicky = True
