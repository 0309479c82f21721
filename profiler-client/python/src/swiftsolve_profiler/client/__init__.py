"""The clients, and their connections to a server."""
