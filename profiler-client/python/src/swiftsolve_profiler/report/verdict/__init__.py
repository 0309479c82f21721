"""What a report says of its program, in words."""
