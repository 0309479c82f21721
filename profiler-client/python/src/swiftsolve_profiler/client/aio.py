"""The client for asyncio."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

import grpc
import grpc.aio
from typing_extensions import Self, Unpack

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client import export, infer
from swiftsolve_profiler.client.endpoint import Endpoint
from swiftsolve_profiler.client.session import Session, ending
from swiftsolve_profiler.client.wire import (
    CANCEL_RUN,
    CHANNEL_OPTIONS,
    DELETE_RUN,
    EXPORT_RUN,
    GET_CAPABILITIES,
    GET_RUN,
    INFER_INPUTS,
    LIST_RUNS,
    TLS_OPTIONS,
    Call,
    Open,
    Read,
    Silent,
    Sleep,
    Step,
    Steps,
    log,
)
from swiftsolve_profiler.errors import ContractError
from swiftsolve_profiler.job.options import Options, build, check, several
from swiftsolve_profiler.report.size import Size, size
from swiftsolve_profiler.swiftsolve import strict_report

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    import pandas as pd

    from swiftsolve_profiler.client.credentials import Credentials
    from swiftsolve_profiler.client.endpoint import Backend
    from swiftsolve_profiler.client.events import Event
    from swiftsolve_profiler.client.export import Exported, ExportFormat
    from swiftsolve_profiler.client.session import Watch
    from swiftsolve_profiler.job.inferred import InferredSpec
    from swiftsolve_profiler.job.options import Code
    from swiftsolve_profiler.report.full import FullReport
    from swiftsolve_profiler.swiftsolve import StrictReport

T = TypeVar("T")


class AsyncProfiler:
    """`Profiler` for asyncio, with the same methods. It belongs to one event loop."""

    def __init__(
        self,
        endpoint: str | None = None,
        *,
        binary: str | PathLike[str] | None = None,
        backend: Backend | None = None,
        caller: str | None = None,
        credentials: Credentials | None = None,
    ) -> None:
        self.name = "Profiler"
        self.log = log
        self._endpoint = Endpoint(endpoint, binary, backend, caller, credentials)
        self._session = Session()
        self._lock = asyncio.Lock()
        self._channel: grpc.aio.Channel | None = None

    async def run(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> StrictReport:
        """Profiles a program and returns the strict report. See `Profiler.run`."""
        full = await self.profile(code, timeout=timeout, **options)
        return strict_report(full, code)

    async def profile(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> FullReport:
        """Profiles a program and returns the full report. Raises as `run` does."""
        async with await self.submit(code, timeout=timeout, **options) as run:
            return await run.wait()

    async def profile_many(
        self,
        codes: Iterable[Code],
        *,
        timeout: float | None = None,
        concurrency: int = 1,
        **options: Unpack[Options],
    ) -> pd.DataFrame:
        """Profiles programs. See `Profiler.profile_many`."""
        # Fails before anything is profiled if pandas is missing.
        import pandas  # noqa: F401

        from swiftsolve_profiler.report import programs

        given = list(several(codes))
        each = self.profile_each(given, timeout=timeout, concurrency=concurrency, **options)
        endings = {number: ending async for number, ending in each}
        return programs.dataframe([programs.row(c, endings[i]) for i, c in enumerate(given)])

    def profile_each(
        self,
        codes: Iterable[Code],
        *,
        timeout: float | None = None,
        concurrency: int = 1,
        **options: Unpack[Options],
    ) -> AsyncGenerator[tuple[int, FullReport | Exception], None]:
        """Profiles programs and yields each ending. See `Profiler.profile_each`."""
        check(options, concurrency)
        return self._each(enumerate(several(codes)), timeout, concurrency, options)

    async def _each(
        self,
        codes: Iterator[tuple[int, Code]],
        timeout: float | None,
        concurrency: int,
        options: Options,
    ) -> AsyncGenerator[tuple[int, FullReport | Exception], None]:
        async def ending(code: Code) -> FullReport | Exception:
            try:
                return await self.profile(code, timeout=timeout, **options)
            except Exception as error:
                return error

        waiting: dict[asyncio.Task[FullReport | Exception], int] = {}
        try:
            while True:
                for number, code in islice(codes, concurrency - len(waiting)):
                    waiting[asyncio.create_task(ending(code))] = number
                if not waiting:
                    return
                ended, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                first = ended.pop()
                yield waiting.pop(first), first.result()
        finally:
            # Leaving a run cancels it.
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    async def submit(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> AsyncRun:
        """Submits a program and returns its accepted run. See `Profiler.submit`."""
        # Building a job may read files.
        job = await asyncio.to_thread(build, code, options)
        owned = options.get("on_disconnect") != "detach"
        return AsyncRun(self, await self._drive(self._session.submit(job, timeout)), owned)

    async def attach(
        self,
        run_id: str,
        after: int = 0,
        *,
        timeout: float | None = None,
    ) -> AsyncRun:
        """Watches a run from the event after number `after`. 0 means from the first event."""
        watch = await self._drive(self._session.attach(run_id, after, timeout))
        return AsyncRun(self, watch, owned=False)

    async def cancel(self, run_id: str) -> None:
        """Cancels a run and ends its program."""
        await self._drive(self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=run_id)))

    async def delete(self, run_id: str) -> None:
        """Deletes an ended run and all its events. Raises `StatusError` if the run is live."""
        await self._drive(self._session.call(DELETE_RUN, pb.DeleteRunRequest(run_id=run_id)))

    async def get_run(self, run_id: str) -> pb.GetRunResponse:
        """Returns the state of a run, and its report or error if it has ended."""
        return await self._drive(self._session.call(GET_RUN, pb.GetRunRequest(run_id=run_id)))

    async def export(self, run_id: str, format: ExportFormat) -> Exported:  # noqa: A002
        """Returns an ended run as a document. See `Profiler.export`."""
        asked = export.request(run_id, format)
        return export.exported(await self._drive(self._session.call(EXPORT_RUN, asked)))

    async def list_runs(self, page_token: str = "", page_size: int = 0) -> pb.ListRunsResponse:
        """Returns a page of the retained runs, newest first, and the token of the next page."""
        request = pb.ListRunsRequest(page_size=page_size, page_token=page_token)
        return await self._drive(self._session.call(LIST_RUNS, request))

    async def infer_inputs(self, samples: str | Iterable[str]) -> InferredSpec:
        """Proposes a spec from sample inputs. See `Profiler.infer_inputs`."""
        asked = infer.request(samples)
        return infer.inferred(await self._drive(self._session.call(INFER_INPUTS, asked)))

    async def capabilities(self) -> pb.GetCapabilitiesResponse:
        """Returns what the server can measure and enforce, and its limits."""
        return await self._drive(self._session.call(GET_CAPABILITIES, pb.GetCapabilitiesRequest()))

    async def close(self) -> None:
        """Closes the connection, and ends the local server if no other client uses it."""
        async with self._lock:
            await self._disconnect()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _connected(self) -> grpc.aio.Channel:
        async with self._lock:
            if self._channel is None or self._endpoint.stale:
                if self._channel is not None:
                    self._session.deaths += 1
                await self._disconnect()
                found = await asyncio.to_thread(self._endpoint.acquire)
                tls = self._endpoint.tls
                if tls is None:
                    self._channel = grpc.aio.insecure_channel(found, options=CHANNEL_OPTIONS)
                else:
                    self._channel = grpc.aio.secure_channel(found, tls, options=TLS_OPTIONS)
            return self._channel

    async def _disconnect(self) -> None:
        if self._channel is not None:
            await self._channel.close()
        self._channel = None
        self._session.reached = False
        await asyncio.to_thread(self._endpoint.release)

    async def _drive(self, steps: Steps[T]) -> T:
        """Performs the steps of a generator and returns its result."""
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
        metadata = self._endpoint.metadata
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
    """`Run` for asyncio: an asynchronous iterator over the events of a run."""

    def __init__(self, profiler: AsyncProfiler, watch: Watch, owned: bool) -> None:
        self._profiler = profiler
        self._watch = watch
        self._owned = owned

    @property
    def id(self) -> str:
        """The id of the run."""
        return self._watch.run_id

    @property
    def sequence(self) -> int:
        """The number of the last event. `attach(id, after=sequence)` continues from it."""
        return self._watch.sequence

    @property
    def sizes(self) -> list[Size]:
        """The sizes measured so far. A `Restarted` event clears them."""
        return [size(message) for message in self._watch.sizes]

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        event = await self._profiler._drive(self._watch.next())
        if event is None:
            raise StopAsyncIteration
        return event

    async def wait(self) -> FullReport:
        """Waits for the report and skips the events before it. Raises `SandboxError`."""
        report = None
        async for event in self:
            report = ending(event)
        if report is None:
            raise ContractError("the last event of this run was already read; use get_run")
        return report

    async def cancel(self) -> None:
        """Cancels the run. Its last event follows, with a report of what was measured."""
        await self._profiler._drive(self._watch.cancel())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._owned and not self._watch.ended:
            with contextlib.suppress(Exception):
                await self.cancel()


async def _within(seconds: float, answer: Awaitable[T]) -> T:
    """Awaits an answer for at most this many seconds, or raises `Silent`."""
    try:
        return await asyncio.wait_for(answer, seconds)
    except asyncio.TimeoutError:
        raise Silent from None
