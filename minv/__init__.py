"""Publish a changing table m-invariant and tau-safe, at the least information loss, with a proved bound."""

__version__ = "0.1.0"
