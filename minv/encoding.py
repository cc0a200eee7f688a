"""Quasi-identifiers become coordinates."""
