"""The full report, and how it is shown."""
