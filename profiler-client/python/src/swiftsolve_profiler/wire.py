"""The service as it goes over the wire: its methods, and what its statuses mean."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import (
    DeadlineExceeded,
    InvalidRequest,
    Overloaded,
    ProfilerError,
    StatusError,
    Unavailable,
    Violation,
)

log = logging.getLogger("Profiler")

Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A method of the service; `path`, `encode` and `decode` are what a channel wants to know."""

    name: str
    request: type[Q]
    answer: type[A]

    @property
    def path(self) -> str:
        """Where it is called."""
        return f"/swiftsolve.profiler.v1.ProfilerService/{self.name}"

    @property
    def encode(self) -> Callable[[Q], bytes]:
        """From a request to bytes."""
        return self.request.SerializeToString

    @property
    def decode(self) -> Callable[[bytes], A]:
        """From bytes to an answer."""
        return self.answer.FromString


PROFILE_STREAM: Final = Method("ProfileStream", pb.ProfileStreamRequest, pb.ProfileStreamResponse)
WATCH_RUN: Final = Method("WatchRun", pb.WatchRunRequest, pb.WatchRunResponse)
GET_RUN: Final = Method("GetRun", pb.GetRunRequest, pb.GetRunResponse)
LIST_RUNS: Final = Method("ListRuns", pb.ListRunsRequest, pb.ListRunsResponse)
CANCEL_RUN: Final = Method("CancelRun", pb.CancelRunRequest, pb.CancelRunResponse)
EXPORT_RUN: Final = Method("ExportRun", pb.ExportRunRequest, pb.ExportRunResponse)
GET_CAPABILITIES: Final = Method("GetCapabilities", pb.GetCapabilitiesRequest, pb.GetCapabilitiesResponse)

CHANNEL_OPTIONS: Final = (
    # gRPC would name a socket's path, percent-encoded, and the profiler's HTTP/2 takes that for no name.
    ("grpc.default_authority", "localhost"),
    # A report with all its samples and diagnostics stays far below.
    ("grpc.max_receive_message_length", 64 << 20),
    # A connection on which nothing happens is probed, or a cut network goes unnoticed.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # A lost connection is made again as often as we ask; gRPC's own waits grow to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # How long connecting may take.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # A profiler is reached directly.
    ("grpc.enable_http_proxy", 0),
    # Each client has a connection of its own.
    ("grpc.use_local_subchannel_pool", 1),
)

_DETAILS = "grpc-status-details-bin"
# What the transport says without the profiler when a connection or a stream breaks.
_BROKEN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}


def target(endpoint: str) -> str:
    """What gRPC calls `http://HOST:PORT`, `HOST:PORT` or `unix:PATH`."""
    if endpoint.startswith("unix:"):
        return endpoint
    bare = endpoint.removeprefix("http://").rstrip("/")
    if not bare or "/" in bare:
        raise InvalidRequest(f"{endpoint!r} is no endpoint: http://HOST:PORT or unix:PATH")
    return bare


@dataclass(eq=False)
class Failure(Exception):
    """What an attempt failed with, and what a further one may do about it."""

    error: ProfilerError
    again: float | None = None
    """How many seconds to wait at least before the next attempt; None where that mends nothing."""
    lost: bool = False
    """Whether the transport says so, and not the profiler."""

    @classmethod
    def gone(cls, message: str) -> Failure:
        """The profiler, or the way to it, is gone."""
        return cls(Unavailable(message), again=0.0, lost=True)


def failure(error: grpc.RpcError) -> Failure:
    """Reads a status."""
    code, message = error.code(), error.details() or ""
    details = _details(error)
    told = details.retry_after
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Failure(DeadlineExceeded("the deadline passed before the run ended"))
    if code is grpc.StatusCode.INVALID_ARGUMENT:
        return Failure(InvalidRequest(message, details.violations))
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        # Without a time it is a limit that will be met again, such as that of a message's size.
        return Failure(Overloaded(message, told), again=told)
    if code in _BROKEN and not details.present:
        return Failure.gone(message)
    if code is grpc.StatusCode.UNAVAILABLE or code is grpc.StatusCode.ABORTED:
        return Failure(Unavailable(message, told), again=told or 0.0)
    return Failure(StatusError(code.name, message))


@dataclass
class _Details:
    present: bool = False
    violations: tuple[Violation, ...] = ()
    retry_after: float | None = None


def _details(error: grpc.RpcError) -> _Details:
    """What the profiler adds to a status; nothing where the transport made it."""
    found = _Details()
    metadata = cast("Iterable[tuple[str, str | bytes]]", error.trailing_metadata() or ())
    for key, value in metadata:
        if key != _DETAILS or not isinstance(value, bytes):
            continue
        found.present = True
        bad, retry = error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
        for detail in status_pb2.Status.FromString(value).details:
            if detail.Unpack(bad):
                fields = bad.field_violations
                found.violations = tuple(Violation(v.field, v.description) for v in fields)
            elif detail.Unpack(retry):
                found.retry_after = retry.retry_delay.ToTimedelta().total_seconds()
    return found
