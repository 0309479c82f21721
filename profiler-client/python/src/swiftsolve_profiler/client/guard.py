"""The guard process: it runs a local server for as long as its parent lives.

The guard holds the reading end of a pipe, and its parent holds the writing end. The pipe closes
however the parent ends, SIGKILL included. Then the guard ends the server and removes its folder.
If the guard itself is killed, the kernel ends the server (PR_SET_PDEATHSIG) and the folder remains.

This file runs as a program of its own, so it imports nothing but the standard library.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import threading

STOP_S = 10.0
"""Seconds that a server may take to end before it is killed."""
# From linux/prctl.h.
_PR_SET_PDEATHSIG = 1


def main(lifeline: int, folder: str, *command: str) -> int:
    """Runs the command until it ends or the pipe `lifeline` closes. Returns its exit status."""
    # preexec_fn is safe here, because this process still has one thread.
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent)

    def watch() -> None:
        # A buffered read would hold a lock that the interpreter needs at exit, and would abort it.
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
