"""The client that blocks."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import grpc
from typing_extensions import Self, Unpack

from swiftsolve_profiler import document, local
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.errors import ContractError, InvalidRequest
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
    target,
)

if TYPE_CHECKING:
    from os import PathLike

    from swiftsolve_profiler.document import Exported, ExportFormat
    from swiftsolve_profiler.events import Event
    from swiftsolve_profiler.job import Code
    from swiftsolve_profiler.report import FullReport
    from swiftsolve_profiler.schemas import ProfileReport
    from swiftsolve_profiler.session import Watch

    Backend = Literal["auto", "docker", "native"]

T = TypeVar("T")


class Place:
    """Where a client's profiler is: at an endpoint, or a local server, which is started when needed."""

    def __init__(
        self,
        endpoint: str | None,
        binary: str | PathLike[str] | None,
        backend: Backend | None,
        caller: str | None,
    ) -> None:
        if caller is not None and not (caller.isascii() and caller.isprintable()):
            raise InvalidRequest(f"{caller!r} cannot name a caller: it needs printable ASCII")
        self.metadata = () if caller is None else (("x-caller", caller),)
        self._endpoint = None if endpoint is None else target(endpoint)
        self._binary, self._backend = binary, backend
        self._server: local.LocalServer | None = None

    @property
    def stale(self) -> bool:
        """Whether a connection would lead nowhere."""
        return self._endpoint is None and not (self._server is not None and self._server.alive)

    def find(self) -> str:
        """Returns what to connect to."""
        if self._endpoint is not None:
            return self._endpoint
        self.leave()
        self._server = local.acquire(self._binary, self._backend)
        return self._server.endpoint

    def leave(self) -> None:
        """Gives the local server back."""
        server, self._server = self._server, None
        if server is not None:
            local.release(server)


class Profiler:
    """Profiles C++ programs; SwiftSolve's `Profiler` with more to ask for.

    Without an endpoint (`http://HOST:PORT`, `unix:PATH`) it starts a local `swiftprof serve` when it is
    first used: `binary`, else the environment's SWIFTPROF, else what is on the PATH. Threads may share it.
    """

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
        self._lock = threading.Lock()
        self._channel: grpc.Channel | None = None

    def run(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> ProfileReport:
        """Profiles a program and returns the strict report.

        Raises `SandboxError` when the run ends early; what the program itself does is in the report.
        """
        return self.profile(code, debug=debug, timeout=timeout, **options).strict()

    def profile(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> FullReport:
        """Profiles a program and returns everything that was measured."""
        with self.submit(code, debug=debug, timeout=timeout, **options) as run:
            return run.wait()

    def submit(
        self,
        code: Code,
        *,
        debug: bool = False,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> Run:
        """Submits a program; the run is accepted when this returns.

        `timeout` is how many seconds the run may take, its waiting in the queue included.
        """
        job = build(code, options, debug=debug)
        # A run that goes on by itself is not its caller's to end by going away.
        owned = options.get("on_disconnect") != "detach"
        return Run(self, self._drive(self._session.submit(job, timeout)), owned)

    def attach(self, run_id: str, after: int = 0, *, timeout: float | None = None) -> Run:
        """Watches a run again, or for the first time, from behind the event with this number."""
        return Run(self, self._drive(self._session.attach(run_id, after, timeout)), owned=False)

    def cancel(self, run_id: str) -> None:
        """Ends a run, the program in the sandbox included."""
        self._drive(self._session.call(CANCEL_RUN, pb.CancelRunRequest(run_id=run_id)))

    def get_run(self, run_id: str) -> pb.GetRunResponse:
        """Returns what is known of a run, and its ending if it has ended."""
        return self._drive(self._session.call(GET_RUN, pb.GetRunRequest(run_id=run_id)))

    def export(self, run_id: str, format: ExportFormat) -> Exported:  # noqa: A002
        """Returns an ended run as a document.

        Raises `StatusError` with what the run lacks where it has not ended, or has not what the format needs.
        """
        asked = document.request(run_id, format)
        return document.exported(self._drive(self._session.call(EXPORT_RUN, asked)))

    def list_runs(self, page_token: str = "", page_size: int = 0) -> pb.ListRunsResponse:
        """Returns a page of the retained runs, the newest first; it names the next."""
        request = pb.ListRunsRequest(page_size=page_size, page_token=page_token)
        return self._drive(self._session.call(LIST_RUNS, request))

    def capabilities(self) -> pb.GetCapabilitiesResponse:
        """Returns what the profiler can measure and enforce, and its limits."""
        return self._drive(self._session.call(GET_CAPABILITIES, pb.GetCapabilitiesRequest()))

    def close(self) -> None:
        """Closes the connection, and ends the local server if nobody else uses it."""
        with self._lock:
            self._disconnect()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _connected(self) -> grpc.Channel:
        with self._lock:
            if self._channel is None or self._place.stale:
                self._disconnect()
                self._channel = grpc.insecure_channel(self._place.find(), options=CHANNEL_OPTIONS)
            return self._channel

    def _disconnect(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._channel = None
        self._session.reached = False
        self._place.leave()

    def _drive(self, steps: Steps[T]) -> T:
        """Takes the steps, one after the other."""
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
        metadata = self._place.metadata
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
    """A run under way: an iterator of its events, each once and in order, over streams that break.

    As a context manager it ends the run that is left before its end, unless its job said "detach" or it
    was attached to. One that is just dropped is ended by its profiler when it has waited long enough.
    """

    def __init__(self, profiler: Profiler, watch: Watch, owned: bool) -> None:
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

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self._profiler._drive(self._watch.next())
        if event is None:
            raise StopIteration
        return event

    def wait(self) -> FullReport:
        """Waits for the report, and passes over the events before it."""
        report = None
        for event in self:
            report = ending(event)
        if report is None:
            raise ContractError("the run's ending has been read already")
        return report

    def cancel(self) -> None:
        """Ends the run. Its last event, with what was measured until then, is still to be read."""
        self._profiler._drive(self._watch.cancel())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._owned and not self._watch.ended:
            # One that cannot be reached ends when its profiler has waited long enough.
            with contextlib.suppress(Exception):
                self.cancel()


@contextlib.contextmanager
def _within(seconds: float, stream: grpc.Call) -> Iterator[None]:
    """Ends a stream that takes longer."""
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
