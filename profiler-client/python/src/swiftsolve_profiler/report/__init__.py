"""The full report, and the forms in which it is shown."""
