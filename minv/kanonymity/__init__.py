"""k-anonymity by clustering: COAA, KACA, GAA-CP, MDAV, V-MDAV."""
