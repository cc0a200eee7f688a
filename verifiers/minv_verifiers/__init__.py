"""Judge published series of microdata; shares no code with the publisher."""

__version__ = "0.1.0"
