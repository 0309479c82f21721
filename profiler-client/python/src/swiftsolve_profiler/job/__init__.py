"""The request: from Python arguments and files to the `Job` message."""
