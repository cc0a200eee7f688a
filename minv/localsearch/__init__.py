"""Improve a partition: swaps, relocations, annealing, per-colour assignment."""
