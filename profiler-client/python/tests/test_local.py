"""The local server: its start, its end, and that nothing remains."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from swiftsolve_profiler import AsyncProfiler, Profiler, StartError
from swiftsolve_profiler.client import local

SLEEPER = "import time, sys; print('here', flush=True); time.sleep(60)"


def script(folder: Path, text: str) -> Path:
    """A script in place of swiftprof."""
    file = folder / "swiftprof"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return file


def test_a_binary_is_found_by_argument_environment_and_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = script(tmp_path, "exit 0")
    monkeypatch.delenv("SWIFTPROF", raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(StartError, match="PATH: there is no program swiftprof"):
        local.find(None)
    assert local.find(file) == str(file)
    monkeypatch.setenv("SWIFTPROF", str(file))
    assert local.find(None) == str(file)
    monkeypatch.delenv("SWIFTPROF")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert local.find(None) == str(file)


def test_a_carried_binary_comes_before_the_path_and_after_a_named_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [tmp_path / name for name in ("carried", "path", "named")]
    for folder in folders:
        folder.mkdir()
    carried, on_path, named = (script(folder, "exit 0") for folder in folders)
    monkeypatch.setattr(local, "CARRIED", carried)
    monkeypatch.setenv("PATH", str(on_path.parent))
    monkeypatch.delenv("SWIFTPROF", raising=False)
    assert local.find(None) == str(carried)
    monkeypatch.setenv("SWIFTPROF", str(named))
    assert local.find(None) == str(named)
    monkeypatch.delenv("SWIFTPROF")
    carried.unlink()
    assert local.find(None) == str(on_path)


def test_a_server_that_does_not_start_is_said_at_once(tmp_path: Path) -> None:
    file = script(tmp_path, "echo swiftprof: no sandbox today >&2; exit 3")
    with Profiler(binary=file) as profiler, pytest.raises(StartError) as error:
        profiler.capabilities()
    assert str(error.value) in {
        f"swiftprof serve {how}: no sandbox today" for how in ("did not start", "ended")
    }


@pytest.mark.parametrize("binary", ["/bin/true", "/bin/false"])
def test_the_guard_of_a_server_that_ends_by_itself_says_nothing(binary: str) -> None:
    with (
        Profiler(binary=binary) as profiler,
        pytest.raises(StartError, match="it said nothing") as error,
    ):
        profiler.capabilities()
    assert "Fatal" not in str(error.value)


def test_a_server_that_never_serves_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local, "START_S", 0.3)
    file = script(tmp_path, "exec sleep 60")
    with Profiler(binary=file) as profiler, pytest.raises(StartError, match="did not start"):
        profiler.capabilities()


GUARD = """
import sys
from swiftsolve_profiler.client import guard
guard.STOP_S = 0.1
print(guard.main(0, *sys.argv[1:]))
"""


def guarded(lifeline: int, folder: Path, *command: str) -> int:
    """Runs the guard as clients do: in a process with one thread, where forking is safe.

    In this process, gRPC's threads of earlier tests can abort a fork.
    """
    done = subprocess.run(
        [sys.executable, "-c", GUARD, str(folder), *command],
        stdin=lifeline,
        stdout=subprocess.PIPE,
        check=True,
    )
    return int(done.stdout.splitlines()[-1])


def test_the_guard_ends_with_its_server(tmp_path: Path) -> None:
    folder = tmp_path / "private"
    folder.mkdir()
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as lifeline, os.fdopen(writing, "wb"):
        assert guarded(lifeline.fileno(), folder, "/bin/sh", "-c", "exit 7") == 7
    assert not folder.exists()


@pytest.mark.parametrize(
    "ignore", ["", "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "]
)
def test_the_guard_ends_its_server_with_its_parent(tmp_path: Path, ignore: str) -> None:
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as lifeline:
        status = guarded(
            lifeline.fileno(), tmp_path / "none", sys.executable, "-c", ignore + SLEEPER
        )
    assert status in (-signal.SIGTERM, -signal.SIGKILL)


def test_clients_share_one_server_and_the_last_ends_it(server: str) -> None:
    del server
    first, second = local.acquire(None, "native"), local.acquire(None, "native")
    assert first is second
    local.release(second)
    assert first.alive
    local.release(first)
    other = local.LocalServer(local.find(None), "native")
    folder = Path(other.endpoint.removeprefix("unix:")).parent
    assert folder.stat().st_mode & 0o077 == 0
    other.stop()
    assert not other.alive
    assert not folder.exists()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.mark.parametrize("victim", ["server", "guard"])
def test_a_dead_server_is_replaced_and_nothing_of_it_lives(
    server: str, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    del server
    monkeypatch.setattr(local, "_servers", {})
    with Profiler(backend="native") as profiler:
        assert profiler.capabilities().serving
        (dead,) = local._servers.values()
        (served,) = children(dead._guard.pid)
        folder = Path(dead.endpoint.removeprefix("unix:")).parent
        descriptor = os.pidfd_open(served)
        os.kill(served if victim == "server" else dead._guard.pid, signal.SIGKILL)
        dead._guard.wait()
        has_ended(descriptor)
        assert folder.exists() is (victim == "guard")
        shutil.rmtree(folder, ignore_errors=True)
        assert profiler.capabilities().serving
        (alive,) = local._servers.values()
        assert alive is not dead
    assert local._servers == {}


PARENT = """
import os, signal, sys
from swiftsolve_profiler import Profiler
from swiftsolve_profiler.client import local
profiler = Profiler(backend="native")
profiler.capabilities()
(server,) = local._servers.values()
print(server.endpoint, server._guard.pid, flush=True)
{end}
"""


@pytest.mark.parametrize("end", ["sys.exit(0)", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_nothing_is_left_of_a_process_that_ended(server: str, end: str) -> None:
    del server
    parent = subprocess.run(
        [sys.executable, "-c", PARENT.format(end=end)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    endpoint, pid = parent.stdout.split()
    with contextlib.suppress(ProcessLookupError):
        # It is nobody's child that we could wait for.
        has_ended(os.pidfd_open(int(pid)))
    assert not Path(endpoint.removeprefix("unix:")).parent.exists()


def has_ended(descriptor: int) -> None:
    """Waits for the end of a process that is not our child."""
    try:
        ended, _, _ = select.select([descriptor], [], [], 20)
    finally:
        os.close(descriptor)
    assert ended


def test_the_awaiting_client_starts_one_too(server: str) -> None:
    async def main() -> str:
        async with AsyncProfiler(backend="native") as profiler:
            return (await profiler.capabilities()).backend

    assert asyncio.run(main()) == "native"
    assert Path(server.removeprefix("unix:")).exists()
