"""Composition roots: choose solver, pricer and search; return a result."""
