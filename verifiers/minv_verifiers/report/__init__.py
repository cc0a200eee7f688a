"""What the judge says, for people, scripts and continuous integration."""
