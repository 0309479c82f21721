"""`AsyncProfiler` with the interface of `Profiler`, so that one test covers both."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from typing_extensions import Self

from swiftsolve_profiler import AsyncProfiler, AsyncRun, Event, FullReport, Size


class AwaitedRun:
    """The interface of `Run`."""

    def __init__(self, run: AsyncRun, runner: asyncio.AbstractEventLoop) -> None:
        self.run, self._loop = run, runner

    @property
    def id(self) -> str:
        return self.run.id

    @property
    def sequence(self) -> int:
        return self.run.sequence

    @property
    def sizes(self) -> list[Size]:
        return self.run.sizes

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        async def following() -> Event | None:
            async for event in self.run:
                return event
            return None

        event = self._loop.run_until_complete(following())
        if event is None:
            raise StopIteration
        return event

    def wait(self) -> FullReport:
        return self._loop.run_until_complete(self.run.wait())

    def cancel(self) -> None:
        self._loop.run_until_complete(self.run.cancel())

    def __enter__(self) -> Self:
        self._loop.run_until_complete(self.run.__aenter__())
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.run_until_complete(self.run.__aexit__(*error))


class Awaited:
    """The interface of `Profiler`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._loop = asyncio.new_event_loop()
        self._profiler = AsyncProfiler(*args, **options)

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            method = getattr(self._profiler, name)
            answer = self._loop.run_until_complete(method(*args, **options))
            return AwaitedRun(answer, self._loop) if isinstance(answer, AsyncRun) else answer

        return call

    def __enter__(self) -> Self:
        self._loop.run_until_complete(self._profiler.__aenter__())
        return self

    def __exit__(self, *error: object) -> None:
        self._loop.run_until_complete(self._profiler.__aexit__(*error))
        self._loop.close()
