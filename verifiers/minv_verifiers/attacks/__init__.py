"""What an attacker infers from a series, by how much the attacker knows (docs/attacks.md)."""
