"""The local server: one `swiftprof serve` for each process, shared by its clients.

It listens on a socket in a private temporary folder. It ends with its last client, at the exit of
the process, or when the process dies (see `guard`). A forked child keeps its parent's server alive.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import grpc

from swiftsolve_profiler.client import guard
from swiftsolve_profiler.client.wire import CHANNEL_OPTIONS
from swiftsolve_profiler.errors import StartError

if TYPE_CHECKING:
    from os import PathLike

START_S: Final = 300.0
"""Seconds that a server may take until it can start sandboxes: an image may have to be built."""
SERVING: Final = b"\x08\x01"
"""`grpc.health.v1.HealthCheckResponse` with the status SERVING."""
LOG_BYTES: Final = 2_000
"""Number of bytes from the end of a server's log that an error shows."""
PREFIX: Final = "swiftprof: "
"""Prefix of a server's messages. An error names swiftprof itself, and leaves the prefix out."""
CARRIED: Final = Path(__file__).parents[1] / "bin" / "swiftprof"
"""Path of swiftprof in a wheel that includes it."""
INSTALL: Final = (
    "This installation does not have it, because it is not from a wheel for this platform. Build "
    "it in a checkout of its repository (`cargo build --release`), "
    "then set SWIFTPROF=/PATH/TO/target/release/swiftprof or pass binary=. "
    'Or use a server: Profiler("http://HOST:50051").'
)
"""Instructions for when swiftprof is missing."""


class LocalServer:
    """A server process and its guard."""

    def __init__(self, binary: str, backend: str) -> None:
        folder = Path(tempfile.mkdtemp(prefix="swiftprof-"))
        self.endpoint = f"unix:{folder / 'socket'}"
        command = [binary, "serve", "--listen", self.endpoint, "--backend", backend]
        command += ["--state-dir", str(folder / "state")]
        self.clients = 0
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._guard = subprocess.Popen(
            [sys.executable, "-I", "-S", guard.__file__, str(folder), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            # When the server is asked to end, nobody waits for a run any more.
            env={"PROFILER_DRAIN_SEC": "0", **os.environ},
            # Ctrl-C in a terminal is for this process. The server must not receive it too.
            start_new_session=True,
        )
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise

    @property
    def alive(self) -> bool:
        """Whether the server is still running."""
        return self._guard.poll() is None

    def stop(self) -> None:
        """Ends the server and waits for its end."""
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        self._guard.wait()
        self._log.close()

    def _wait(self) -> None:
        """Waits until the server can start sandboxes. Raises `StartError`."""
        with grpc.insecure_channel(self.endpoint, options=CHANNEL_OPTIONS) as channel:
            watch = channel.unary_stream(
                "/grpc.health.v1.Health/Watch",
                request_serializer=bytes,
                response_deserializer=bytes,
            )
            statuses = watch(b"", timeout=START_S, wait_for_ready=True)
            threading.Thread(target=self._cancel_at_end, args=[statuses], daemon=True).start()
            try:
                for status in statuses:
                    if status == SERVING:
                        statuses.cancel()
                        return
            except grpc.RpcError as error:
                raise StartError(f"swiftprof serve did not start: {self._said()}") from error
        raise StartError(f"swiftprof serve ended: {self._said()}")

    def _cancel_at_end(self, waiting: grpc.Future[bytes]) -> None:
        """Cancels the wait when the server ends, because nothing would answer it."""
        self._guard.wait()
        waiting.cancel()

    def _said(self) -> str:
        self._log.seek(0)
        lines = self._log.read()[-LOG_BYTES:].decode(errors="replace").strip().splitlines()
        return "\n".join(line.removeprefix(PREFIX) for line in lines) or "it said nothing"


_lock = threading.Lock()
_servers: dict[tuple[int, str, str], LocalServer] = {}


def acquire(binary: str | PathLike[str] | None, backend: str | None) -> LocalServer:
    """Returns this process's server. Starts it if none is running. Raises `StartError`."""
    key = (os.getpid(), find(binary), backend or "auto")
    with _lock:
        server = _servers.get(key)
        if server is None or not server.alive:
            if server is not None:
                server.stop()
            server = _servers[key] = LocalServer(*key[1:])
        server.clients += 1
        return server


def release(server: LocalServer) -> None:
    """Releases a server. The last release ends it."""
    with _lock:
        server.clients -= 1
        if server.clients == 0:
            server.stop()
            for key in [key for key, value in _servers.items() if value is server]:
                del _servers[key]


def find(binary: str | PathLike[str] | None) -> str:
    """Returns the path of swiftprof: from `binary`, the variable SWIFTPROF, the wheel, or PATH.

    Raises `StartError` if there is no such program.
    """
    named = binary or os.environ.get("SWIFTPROF")
    wanted = os.fspath(named or (CARRIED if CARRIED.exists() else "swiftprof"))
    found = shutil.which(wanted)
    if found is None:
        source = "binary=" if binary else "SWIFTPROF" if named else "PATH"
        raise StartError(f"{source}: there is no program {wanted}. {INSTALL}")
    return found


@atexit.register
def _stop_all() -> None:
    with _lock:
        for server in _servers.values():
            server.stop()
        _servers.clear()
