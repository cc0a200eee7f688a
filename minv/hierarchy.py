"""Trees of ever more general values."""
