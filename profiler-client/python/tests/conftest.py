"""Fixtures: a real server, a scripted one, and both clients."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, cast

import pytest
from awaited import Awaited
from fake import Fake, PrivateFake
from world import World

from swiftsolve_profiler import Profiler
from swiftsolve_profiler.client import local, session


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests that run swiftprof."""
    for item in items:
        if "program" in getattr(item, "fixturenames", ()):
            item.add_marker("service")


@pytest.fixture(scope="session")
def program() -> str:
    """The path of swiftprof, from the variable SWIFTPROF."""
    if "SWIFTPROF" not in os.environ:
        pytest.skip("SWIFTPROF names no binary")
    return os.environ["SWIFTPROF"]


@pytest.fixture(scope="session")
def server(program: str) -> Iterator[str]:
    """The endpoint of a real server."""
    started = local.acquire(program, "native")
    yield started.endpoint
    local.release(started)


@pytest.fixture
def fake() -> Iterator[Fake]:
    """A scripted server."""
    fake = Fake()
    fake.start()
    yield fake
    fake.stop()


def opened(kind: str, endpoint: str | None, **options: Any) -> Profiler:
    """A client of either kind."""
    return cast(Profiler, {"sync": Profiler, "async": Awaited}[kind](endpoint, **options))


@pytest.fixture(params=["sync", "async"])
def client(
    request: pytest.FixtureRequest, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Profiler]:
    """Both clients, one after the other, connected to the scripted server, with short waits.

    Only the waits between attempts: with a short limit, such as SILENCE_S, a machine that stalls
    would break streams that no script breaks.
    """
    monkeypatch.setattr(session, "FIRST_DELAY_S", 0.01)
    with opened(request.param, f"http://127.0.0.1:{fake.port}", caller="a test") as client:
        yield client


@pytest.fixture(params=["sync", "async"])
def private(
    request: pytest.FixtureRequest, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Profiler]:
    """Both clients, one after the other; the scripted server is their private one."""
    monkeypatch.setattr(session, "FIRST_DELAY_S", 0.01)
    monkeypatch.setattr(local, "acquire", lambda *_: PrivateFake(fake))
    monkeypatch.setattr(local, "release", lambda _: None)
    with opened(request.param, None) as client:
        yield client


@pytest.fixture
def world() -> World:
    """A client's protocol without a server."""
    return World()
