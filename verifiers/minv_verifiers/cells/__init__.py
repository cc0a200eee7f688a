"""What a published quasi-identifier cell says, in our format and in the dialects of others."""
