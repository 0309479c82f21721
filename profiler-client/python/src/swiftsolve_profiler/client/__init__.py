"""The clients, and how they reach a server."""
