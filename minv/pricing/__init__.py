"""Pricers: given duals, find columns of negative reduced cost, or prove that there are none."""
