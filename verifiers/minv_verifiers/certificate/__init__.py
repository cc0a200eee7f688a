"""Check a proof of optimality: price out every cluster anew (docs/certificate.md)."""
