"""Constructive algorithms from the literature: assignment into buckets, then partitioning."""
