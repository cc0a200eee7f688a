"""Configuration of the documentation build (`tox run -e docs`)."""

project = "minv"
author = "the minv authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # signatures name types of libraries that have no inventory here
html_theme = "furo"
html_title = "minv"
