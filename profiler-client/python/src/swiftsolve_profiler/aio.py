"""The client that awaits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, Any, TypeVar, cast

import grpc
import grpc.aio
from typing_extensions import Self, Unpack

from swiftsolve_profiler import document
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.client import Place
from swiftsolve_profiler.errors import ContractError
from swiftsolve_profiler.job import Options, build
from swiftsolve_profiler.session import (
    Call,
    Open,
    Read,
    Session,
    Silent,
    Sleep,
    Step,
    Steps,
    ending,
)
from swiftsolve_profiler.wire import (
    CANCEL_RUN,
    CHANNEL_OPTIONS,
    EXPORT_RUN,
    GET_CAPABILITIES,
    GET_RUN,
    LIST_RUNS,
)

if TYPE_CHECKING:
    from os import PathLike

    from swiftsolve_profiler.client import Backend
    from swiftsolve_profiler.document import Exported, ExportFormat
    from swiftsolve_profiler.events import Event
    from swiftsolve_profiler.job import Code
    from swiftsolve_profiler.report import FullReport
    from swiftsolve_profiler.schemas import ProfileReport
    from swiftsolve_profiler.session import Watch

T = TypeVar("T")


class AsyncProfiler:
    """`Profiler` for asyncio: the same methods, to be awaited. It belongs to one event loop."""

    def __init__(
        self,
        endpoint: str | None = None,
        *,
        binary: str | PathLike[str] | None = None,
        backend: Backend | None = None,
        caller: str | None = None,
    ) -> None:
        self.name = "Profiler"
        self.log = logging.getLogger(self.name)
        self._place = Place(endpoint, binary, backend, caller)
        self._session = Session()
        self._lock = asyncio.Lock()
        self._channel: grpc.aio.Channel | None = None

    async def run(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> ProfileReport:
        """Profiles a program and returns the strict report: see `Profiler.run`."""
        return (await self.profile(code, debug=debug, timeout=timeout, **options)).strict()

    async def profile(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> FullReport:
        """Profiles a program and returns everything that was measured."""
        async with await self.submit(code, debug=debug, timeout=timeout, **options) as run:
            return await run.wait()

    async def submit(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> AsyncRun:
        """Submits a program; the run is accepted when this returns: see `Profiler.submit`."""
        # Files may be read.
        job = await asyncio.to_thread(build, code, options, debug=debug)
        owned = options.get("on_disconnect") != "detach"
        return AsyncRun(self, await self._drive(self._session.submit(job, timeout)), owned)

    async def attach(
        self,
        run_id: str,
        after: int = 0,
        *,
        timeout: float | None = None,
    ) -> AsyncRun:
        """Watches a run again, or for the first time, from behind the event with this number."""
        watch = await self._drive(self._session.attach(run_id, after, timeout))
        return AsyncRun(self, watch, owned=False)

    async def cancel(self, run_id: str) -> None:
        """Ends a run, the program in the sandbox included."""
        await self._drive(self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=run_id)))

    async def get_run(self, run_id: str) -> pb.GetRunResponse:
        """Returns what is known of a run, and its ending if it has ended."""
        return await self._drive(self._session.call(GET_RUN, pb.GetRunRequest(run_id=run_id)))

    async def export(self, run_id: str, format: ExportFormat) -> Exported:  # noqa: A002
        """Returns an ended run as a document: see `Profiler.export`."""
        asked = document.request(run_id, format)
        return document.exported(await self._drive(self._session.call(EXPORT_RUN, asked)))

    async def list_runs(self, page_token: str = "", page_size: int = 0) -> pb.ListRunsResponse:
        """Returns a page of the retained runs, the newest first; it names the next."""
        request = pb.ListRunsRequest(page_size=page_size, page_token=page_token)
        return await self._drive(self._session.call(LIST_RUNS, request))

    async def capabilities(self) -> pb.GetCapabilitiesResponse:
        """Returns what the profiler can measure and enforce, and its limits."""
        return await self._drive(self._session.call(GET_CAPABILITIES, pb.GetCapabilitiesRequest()))

    async def close(self) -> None:
        """Closes the connection, and ends the local server if nobody else uses it."""
        async with self._lock:
            await self._disconnect()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _connected(self) -> grpc.aio.Channel:
        async with self._lock:
            if self._channel is None or self._place.stale:
                await self._disconnect()
                found = await asyncio.to_thread(self._place.find)
                self._channel = grpc.aio.insecure_channel(found, options=CHANNEL_OPTIONS)
            return self._channel

    async def _disconnect(self) -> None:
        if self._channel is not None:
            await self._channel.close()
        self._channel = None
        self._session.reached = False
        await asyncio.to_thread(self._place.leave)

    async def _drive(self, steps: Steps[T]) -> T:
        """Takes the steps, one after the other."""
        with contextlib.closing(steps):
            try:
                step = next(steps)
                while True:
                    try:
                        answer = await self._take(step)
                    except (grpc.RpcError, Silent) as error:
                        step = steps.throw(error)
                    else:
                        step = steps.send(answer)
            except StopIteration as done:
                return cast(T, done.value)

    async def _take(self, step: Step) -> Any:
        metadata = self._place.metadata
        if isinstance(step, Sleep):
            return await asyncio.sleep(step.seconds)
        if isinstance(step, Read):
            message = await _within(step.timeout, step.stream.read())
            return None if message is grpc.aio.EOF else message
        method, channel = step.method, await self._connected()
        if isinstance(step, Call):
            call = channel.unary_unary(method.path, method.encode, method.decode)
            return await call(step.request, timeout=step.timeout, metadata=metadata)
        assert isinstance(step, Open)
        opens = channel.unary_stream(method.path, method.encode, method.decode)
        stream = opens(step.request, timeout=step.timeout, metadata=metadata)
        await _within(step.opening, stream.initial_metadata())
        return stream


class AsyncRun:
    """A run under way: `Run` for asyncio, an asynchronous iterator of its events."""

    def __init__(self, profiler: AsyncProfiler, watch: Watch, owned: bool) -> None:
        self._profiler = profiler
        self._watch = watch
        self._owned = owned

    @property
    def id(self) -> str:
        """The run's name."""
        return self._watch.run_id

    @property
    def sequence(self) -> int:
        """The last event's number: where `attach` goes on."""
        return self._watch.sequence

    @property
    def sizes(self) -> list[report_pb2.SizeResult]:
        """The sizes measured so far; a `Restarted` event drops those before it."""
        return list(self._watch.sizes)

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        event = await self._profiler._drive(self._watch.next())
        if event is None:
            raise StopAsyncIteration
        return event

    async def wait(self) -> FullReport:
        """Waits for the report, and passes over the events before it."""
        report = None
        async for event in self:
            report = ending(event)
        if report is None:
            raise ContractError("the run's ending has been read already")
        return report

    async def cancel(self) -> None:
        """Ends the run. Its last event, with what was measured until then, is still to be read."""
        await self._profiler._drive(self._watch.cancel())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._owned and not self._watch.ended:
            with contextlib.suppress(Exception):
                await self.cancel()


async def _within(seconds: float, answer: Awaitable[T]) -> T:
    """Waits for an answer; its stream ends with the waiting."""
    try:
        return await asyncio.wait_for(answer, seconds)
    except asyncio.TimeoutError:
        raise Silent from None
