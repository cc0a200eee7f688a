"""What a class publishes for each quasi-identifier."""
