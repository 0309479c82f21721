"""Runs a local server for as long as its parent lives: a program of its own, which imports little.

It holds the reading end of a pipe whose writing end is its parent's. However that one ends, by SIGKILL
too, the pipe is closed, and the server is asked to end and its folder removed. If the guard itself is
killed, the kernel asks the server to end, and only the folder remains.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading

STOP_S = 10.0
"""How long a server may take to end before it is killed."""
# From linux/prctl.h.
_PR_SET_PDEATHSIG = 1


def main(lifeline: int, folder: str, *command: str) -> int:
    """Runs the command until it ends or the pipe `lifeline` does; returns its exit status."""
    # There is one thread yet, so that what runs between fork and exec finds no lock held.
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent)

    def watch() -> None:
        # A buffered read would hold a lock that the interpreter wants at its exit, and abort it.
        while os.read(lifeline, 1):
            pass
        server.terminate()
        try:
            server.wait(STOP_S)
        except subprocess.TimeoutExpired:
            server.kill()

    threading.Thread(target=watch, daemon=True).start()
    status = server.wait()
    shutil.rmtree(folder, ignore_errors=True)
    return status


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.stdin.fileno(), *sys.argv[1:]))
