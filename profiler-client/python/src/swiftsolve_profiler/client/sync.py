"""The blocking client."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Generator, Iterator
from concurrent import futures
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

import grpc
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


class Profiler:
    """Profiles C++ programs. It replaces SwiftSolve's own `Profiler`.

    `endpoint` is a server: `https://HOST:PORT`, `http://HOST:PORT` or `unix:PATH`. `credentials`
    are those that it is shown, and the authorities that are trusted. Without an endpoint, the first
    call starts a private `swiftprof serve`, shared by all clients of the process. Its program is
    `binary`, or else comes from the variable SWIFTPROF, the wheel or the PATH; `backend` is its
    kind of sandbox. `caller` names this client in the server's queue, where callers take turns.

    Threads may share a client. A forked process must make a client of its own.
    """

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
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None

    def run(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> StrictReport:
        """Profiles a program and returns the strict report.

        Its class is the `ProfileReport` in the module of the class of `code`, so SwiftSolve's own
        code gives SwiftSolve's own report. Its attribute `full` is the full report.

        The report says how the program behaved; a crash is not an exception. Raises `SandboxError`
        if the run ended early, for example because the program does not compile. Raises
        `InvalidRequest`, `Unavailable` or `DeadlineExceeded` if there is no run.
        """
        full = self.profile(code, timeout=timeout, **options)
        return strict_report(full, code)

    def profile(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> FullReport:
        """Profiles a program and returns the full report. Raises as `run` does."""
        with self.submit(code, timeout=timeout, **options) as run:
            return run.wait()

    def profile_many(
        self,
        codes: Iterable[Code],
        *,
        timeout: float | None = None,
        concurrency: int = 1,
        **options: Unpack[Options],
    ) -> pd.DataFrame:
        """Profiles programs and returns a data frame with a row for each, in their order.

        A program without a report has an `error` in its row, whatever happened to it. `timeout`
        applies to each program, and at most `concurrency` of them are submitted at a time.
        `help(swiftsolve_profiler.report.programs)` lists the columns. Needs the extra `pandas`.
        """
        # Fails before anything is profiled if pandas is missing.
        import pandas  # noqa: F401

        from swiftsolve_profiler.report import programs

        given = list(several(codes))
        each = self.profile_each(given, timeout=timeout, concurrency=concurrency, **options)
        endings = dict(each)
        return programs.dataframe([programs.row(c, endings[i]) for i, c in enumerate(given)])

    def profile_each(
        self,
        codes: Iterable[Code],
        *,
        timeout: float | None = None,
        concurrency: int = 1,
        **options: Unpack[Options],
    ) -> Generator[tuple[int, FullReport | Exception], None, None]:
        """Profiles programs and yields a pair `(number, ending)` for each program, as they end.

        Programs are numbered from 0. An ending is a report, or whatever `profile` would raise.
        `timeout` and `concurrency` are as in `profile_many`. Closing the iterator early cancels the
        runs that have not ended, and waits until they have.
        """
        check(options, concurrency)
        return self._each(enumerate(several(codes)), timeout, concurrency, options)

    def _each(
        self,
        codes: Iterator[tuple[int, Code]],
        timeout: float | None,
        concurrency: int,
        options: Options,
    ) -> Generator[tuple[int, FullReport | Exception], None, None]:
        closed = threading.Event()
        live: set[Run] = set()

        def ending(code: Code) -> FullReport | Exception:
            try:
                with self.submit(code, timeout=timeout, **options) as run:
                    live.add(run)
                    if closed.is_set():
                        run.cancel()
                    try:
                        return run.wait()
                    finally:
                        live.discard(run)
            except Exception as error:
                return error

        with futures.ThreadPoolExecutor(concurrency) as pool:
            try:
                waiting: dict[futures.Future[FullReport | Exception], int] = {}
                while True:
                    for number, code in islice(codes, concurrency - len(waiting)):
                        waiting[pool.submit(ending, code)] = number
                    if not waiting:
                        return
                    ended, _ = futures.wait(waiting, return_when=futures.FIRST_COMPLETED)
                    first = ended.pop()
                    yield waiting.pop(first), first.result()
            finally:
                closed.set()
                if runs := list(live):
                    # All at once, so that a run whose cancellation gets no answer does not delay
                    # the others.
                    with futures.ThreadPoolExecutor(len(runs)) as cancels:
                        for run in runs:
                            cancels.submit(run.cancel)

    def submit(
        self,
        code: Code,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> Run:
        """Submits a program and returns its accepted run.

        `timeout` bounds the whole run in seconds, its time in the queue included.
        """
        job = build(code, options)
        # A detached run continues without its caller, so leaving it must not end it.
        owned = options.get("on_disconnect") != "detach"
        return Run(self, self._drive(self._session.submit(job, timeout)), owned)

    def attach(self, run_id: str, after: int = 0, *, timeout: float | None = None) -> Run:
        """Watches a run from the event after number `after`. 0 means from the first event."""
        return Run(self, self._drive(self._session.attach(run_id, after, timeout)), owned=False)

    def cancel(self, run_id: str) -> None:
        """Cancels a run and ends its program."""
        self._drive(self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=run_id)))

    def delete(self, run_id: str) -> None:
        """Deletes an ended run and all its events. Raises `StatusError` if the run is live."""
        self._drive(self._session.call(DELETE_RUN, pb.DeleteRunRequest(run_id=run_id)))

    def get_run(self, run_id: str) -> pb.GetRunResponse:
        """Returns the state of a run, and its report or error if it has ended."""
        return self._drive(self._session.call(GET_RUN, pb.GetRunRequest(run_id=run_id)))

    def export(self, run_id: str, format: ExportFormat) -> Exported:  # noqa: A002
        """Returns an ended run as a document.

        Raises `StatusError` if the run has not ended or lacks what the format needs.
        """
        asked = export.request(run_id, format)
        return export.exported(self._drive(self._session.call(EXPORT_RUN, asked)))

    def list_runs(self, page_token: str = "", page_size: int = 0) -> pb.ListRunsResponse:
        """Returns a page of the retained runs, newest first, and the token of the next page."""
        request = pb.ListRunsRequest(page_size=page_size, page_token=page_token)
        return self._drive(self._session.call(LIST_RUNS, request))

    def infer_inputs(self, samples: str | Iterable[str]) -> InferredSpec:
        """Proposes the spec of a task's inputs from one sample input, or from several.

        The result is the likeliest reading, and can be passed as `input_specs`.
        `report.message.input_check` of a job with it says whether the program reads its inputs
        exactly to their end. Raises `NotInferred` if the samples have no reading.
        """
        asked = infer.request(samples)
        return infer.inferred(self._drive(self._session.call(INFER_INPUTS, asked)))

    def capabilities(self) -> pb.GetCapabilitiesResponse:
        """Returns what the server can measure and enforce, and its limits."""
        return self._drive(self._session.call(GET_CAPABILITIES, pb.GetCapabilitiesRequest()))

    def close(self) -> None:
        """Closes the connection, and ends the local server if no other client uses it."""
        with self._lock:
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self) -> grpc.Channel:
        with self._lock:
            if self._channel is None or self._endpoint.stale:
                if self._channel is not None:
                    self._session.deaths += 1
                self._disconnect()
                found, tls = self._endpoint.acquire(), self._endpoint.tls
                if tls is None:
                    self._channel = grpc.insecure_channel(found, options=CHANNEL_OPTIONS)
                else:
                    self._channel = grpc.secure_channel(found, tls, options=TLS_OPTIONS)
            return self._channel

    def _disconnect(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._channel = None
        self._session.reached = False
        self._endpoint.release()

    def _drive(self, steps: Steps[T]) -> T:
        """Performs the steps of a generator and returns its result."""
        with contextlib.closing(steps):
            try:
                step = next(steps)
                while True:
                    try:
                        answer = self._take(step)
                    except (grpc.RpcError, Silent) as error:
                        step = steps.throw(error)
                    else:
                        step = steps.send(answer)
            except StopIteration as done:
                return cast(T, done.value)

    def _take(self, step: Step) -> Any:
        metadata = self._endpoint.metadata
        if isinstance(step, Sleep):
            return time.sleep(step.seconds)
        if isinstance(step, Read):
            with _within(step.timeout, step.stream):
                return next(step.stream, None)
        method, channel = step.method, self._connected()
        if isinstance(step, Call):
            call = channel.unary_unary(method.path, method.encode, method.decode)
            return call(step.request, timeout=step.timeout, metadata=metadata)
        assert isinstance(step, Open)
        opens = channel.unary_stream(method.path, method.encode, method.decode)
        stream = opens(step.request, timeout=step.timeout, metadata=metadata)
        with _within(step.opening, stream):
            stream.initial_metadata()
        return stream


class Run:
    """A run: an iterator over its events, each once and in order, even if connections break.

    Leaving a run as a context manager before its end cancels it, unless the job said
    `on_disconnect="detach"` or the run comes from `attach`. Without a context manager, the server
    ends an abandoned run after its grace period of 30 s.
    """

    def __init__(self, profiler: Profiler, watch: Watch, owned: bool) -> None:
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

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self._profiler._drive(self._watch.next())
        if event is None:
            raise StopIteration
        return event

    def wait(self) -> FullReport:
        """Waits for the report and skips the events before it. Raises `SandboxError`."""
        report = None
        for event in self:
            report = ending(event)
        if report is None:
            raise ContractError("the last event of this run was already read; use get_run")
        return report

    def cancel(self) -> None:
        """Cancels the run. Its last event follows, with a report of what was measured."""
        self._profiler._drive(self._watch.cancel())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._owned and not self._watch.ended:
            # If the server cannot be reached, it ends the run after the grace period.
            with contextlib.suppress(Exception):
                self.cancel()


@contextlib.contextmanager
def _within(seconds: float, stream: grpc.Call) -> Iterator[None]:
    """Cancels the stream after this many seconds and raises `Silent`."""
    late = threading.Event()

    def end() -> None:
        late.set()
        stream.cancel()

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    except grpc.RpcError:
        if late.is_set():
            raise Silent from None
        raise
    finally:
        timer.cancel()
    if late.is_set():
        raise Silent
