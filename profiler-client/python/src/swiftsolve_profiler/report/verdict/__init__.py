"""The verdict of a report on its program, in words."""
