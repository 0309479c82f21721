"""Runs `swiftprof doctor` or `swiftprof serve`: `python -m swiftsolve_profiler doctor`.

Further arguments go to swiftprof. The exit code is swiftprof's, 2 for wrong usage, or 3 if
swiftprof is missing.
"""

from __future__ import annotations

import subprocess
import sys

from swiftsolve_profiler.client import local
from swiftsolve_profiler.errors import StartError

COMMANDS = ("doctor", "serve")


def main(arguments: list[str]) -> int:
    """Runs the command and returns its exit code."""
    if not arguments or arguments[0] not in COMMANDS:
        print("usage: python -m swiftsolve_profiler {doctor|serve} [OPTION...]", file=sys.stderr)
        return 2
    try:
        program = local.find(None)
    except StartError as error:
        print(f"swiftprof: {error}", file=sys.stderr)
        return 3
    return subprocess.call([program, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
