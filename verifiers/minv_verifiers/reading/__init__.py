"""From files and frames to evidence."""
