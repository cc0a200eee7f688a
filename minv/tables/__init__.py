"""Tables in: files and frames of any kind become validated microdata, or one clear error."""
