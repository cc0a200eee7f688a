"""Column generation: the master, its bound, rounding, cuts, certificates."""
