"""A scripted server, over a real socket."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.client import wire

RUN = "the run"


@dataclass
class Refuses:
    """A status: of the server, with details, or of the transport, without."""

    code: grpc.StatusCode
    details: str = "no"
    violations: tuple[tuple[str, str], ...] = ()
    retry_after: int | None = None
    by_transport: bool = False

    @property
    def trailing_metadata(self) -> tuple[tuple[str, bytes], ...]:
        """The details of the status."""
        if self.by_transport:
            return ()
        status = status_pb2.Status()
        info = error_details_pb2.ErrorInfo(reason="TEST", domain="tests", metadata={"fact": "1"})
        status.details.add().Pack(info)
        if self.violations:
            bad = error_details_pb2.BadRequest()
            for field, problem in self.violations:
                bad.field_violations.add(field=field, description=problem)
            status.details.add().Pack(bad)
        if self.retry_after is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromSeconds(self.retry_after)
            status.details.add().Pack(retry)
        return (("grpc-status-details-bin", status.SerializeToString()),)


class Hangs:
    """The server sends nothing more until it ends."""


class Dies:
    """The server dies. The one that replaces it knows none of its runs."""


BREAKS = Refuses(grpc.StatusCode.UNAVAILABLE, "socket closed", by_transport=True)
FORGOTTEN = Refuses(grpc.StatusCode.NOT_FOUND, "no run has this id")
Line = Message | Refuses | Hangs | Dies


def event(sequence: int, **kind: Any) -> pb.Event:
    """An event of the run."""
    found = pb.Event(run_id=RUN, sequence=sequence, **kind)
    found.time.FromSeconds(1_700_000_000 + sequence)
    return found


def accepted(sequence: int = 1) -> pb.Event:
    return event(sequence, accepted=pb.Accepted(queue_position=3))


def size(sequence: int, n: int = 10) -> pb.Event:
    result = report_pb2.SizeResult(size=n, outcome=report_pb2.OUTCOME_OK, runtime_ms=1.5)
    return event(sequence, size_measured=result)


def finished(sequence: int) -> pb.Event:
    report = report_pb2.ProfileReport(
        task_id="t",
        iteration=2,
        input_sizes=[10],
        runtime_ms=[1.5],
        peak_memory_mb=[2.5],
        run_id=RUN,
    )
    report.timestamp_utc.FromSeconds(1_700_000_000)
    return event(sequence, finished=report)


def failed(sequence: int, code: str) -> pb.Event:
    error = report_pb2.SandboxError(
        code=report_pb2.ErrorCode.Value(f"ERROR_CODE_{code.upper()}"), message=f"it was {code}"
    )
    return event(sequence, failed=error)


def beat(sequence: int) -> pb.Event:
    return event(sequence, heartbeat=pb.Heartbeat(queue_position=1))


class Fake(grpc.GenericRpcHandler):
    """The server: each call takes the next script of its method."""

    def __init__(self, tls: grpc.ServerCredentials | None = None) -> None:
        self._tls = tls
        self.calls: list[tuple[str, Message]] = []
        self.metadata: list[dict[str, str | bytes]] = []
        self.port = 0
        self.deaths = 0
        self._knows_run = False
        self._scripts: dict[str, deque[list[Line]]] = {}
        self._over = threading.Event()
        self._server: grpc.Server | None = None

    def says(self, method: wire.Method[Any, Any], *lines: Line) -> None:
        """Adds the script of the next call of a method."""
        self._scripts.setdefault(method.name, deque()).append(list(lines))

    def start(self) -> None:
        """Listens, on the same port as before."""
        self._over.clear()
        self._server = grpc.server(ThreadPoolExecutor(max_workers=8), handlers=[self])
        address = f"127.0.0.1:{self.port}"
        if self._tls is None:
            self.port = self._server.add_insecure_port(address)
        else:
            self.port = self._server.add_secure_port(address, self._tls)
        self._server.start()

    def stop(self) -> None:
        """Breaks every connection."""
        assert self._server is not None
        stopped = self._server.stop(None)
        self._over.set()
        stopped.wait()

    def names(self) -> list[str]:
        """The calls that were received."""
        return [name for name, _ in self.calls]

    def service(self, call: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        """Returns the handler of a call."""
        name = call.method.rpartition("/")[2]
        method = next(
            m for m in vars(wire).values() if isinstance(m, wire.Method) and m.name == name
        )
        streams = method in (wire.PROFILE_STREAM, wire.WATCH_RUN)

        def lines(request: Message, context: grpc.ServicerContext) -> Iterator[Message]:
            self.calls.append((name, request))
            self.metadata.append(dict(context.invocation_metadata()))
            if method is wire.PROFILE_STREAM:
                self._knows_run = True
            is_forgotten = self.deaths > 0 and not self._knows_run
            for line in [FORGOTTEN] if is_forgotten else self._scripts[name].popleft():
                if isinstance(line, Hangs):
                    self._over.wait()
                elif isinstance(line, Dies):
                    self.deaths += 1
                    self._knows_run = False
                    context.abort_with_status(cast(grpc.Status, BREAKS))
                elif isinstance(line, Refuses):
                    context.abort_with_status(cast(grpc.Status, line))
                else:
                    yield method.answer(event=line) if streams else line

        def line(request: Message, context: grpc.ServicerContext) -> Message:
            return next(lines(request, context))

        handle = (
            grpc.unary_stream_rpc_method_handler if streams else grpc.unary_unary_rpc_method_handler
        )
        behaviour: Any = lines if streams else line
        return handle(behaviour, method.request.FromString, method.answer.SerializeToString)


class PrivateFake:
    """A scripted server in place of a `LocalServer`, until it dies."""

    def __init__(self, fake: Fake) -> None:
        self.endpoint = f"127.0.0.1:{fake.port}"
        self._fake = fake
        self._born = fake.deaths

    @property
    def alive(self) -> bool:
        return self._fake.deaths == self._born
