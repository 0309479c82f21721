"""The service on the wire: its methods, the steps of a call, and the meaning of its statuses."""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import (
    DeadlineExceeded,
    ErrorInfo,
    InvalidRequest,
    Overloaded,
    PermissionDenied,
    ProfilerError,
    StatusError,
    Unauthenticated,
    Unavailable,
    Untrusted,
    Violation,
)

log = logging.getLogger("swiftsolve_profiler")

T = TypeVar("T")
Q = TypeVar("Q", bound=Message)
A = TypeVar("A", bound=Message)


@dataclass(frozen=True)
class Method(Generic[Q, A]):
    """A method of the service. A channel needs its `path`, `encode` and `decode`."""

    name: str
    request: type[Q]
    answer: type[A]

    @property
    def path(self) -> str:
        """The path of the method in HTTP/2."""
        return f"/swiftsolve.profiler.v1.ProfilerService/{self.name}"

    @property
    def encode(self) -> Callable[[Q], bytes]:
        """Serializes a request."""
        return self.request.SerializeToString

    @property
    def decode(self) -> Callable[[bytes], A]:
        """Parses an answer."""
        return self.answer.FromString


PROFILE_STREAM: Final = Method("ProfileStream", pb.ProfileStreamRequest, pb.ProfileStreamResponse)
WATCH_RUN: Final = Method("WatchRun", pb.WatchRunRequest, pb.WatchRunResponse)
GET_RUN: Final = Method("GetRun", pb.GetRunRequest, pb.GetRunResponse)
LIST_RUNS: Final = Method("ListRuns", pb.ListRunsRequest, pb.ListRunsResponse)
CANCEL_RUN: Final = Method("CancelRun", pb.CancelRunRequest, pb.CancelRunResponse)
DELETE_RUN: Final = Method("DeleteRun", pb.DeleteRunRequest, pb.DeleteRunResponse)
EXPORT_RUN: Final = Method("ExportRun", pb.ExportRunRequest, pb.ExportRunResponse)
INFER_INPUTS: Final = Method("InferInputs", pb.InferInputsRequest, pb.InferInputsResponse)
GET_CAPABILITIES: Final = Method(
    "GetCapabilities", pb.GetCapabilitiesRequest, pb.GetCapabilitiesResponse
)


@dataclass(frozen=True)
class Call:
    """Make a call. The result is its answer."""

    method: Method[Any, Any]
    request: Message
    timeout: float


@dataclass(frozen=True)
class Open:
    """Open a stream within `opening` seconds. The result is the stream."""

    method: Method[Any, Any]
    request: Message
    opening: float
    timeout: float | None
    """The deadline of the whole stream, in seconds from now."""


@dataclass(frozen=True)
class Read:
    """Read a stream's next message within `timeout` seconds. The result is None at the end."""

    stream: Any
    timeout: float


@dataclass(frozen=True)
class Sleep:
    """Sleep."""

    seconds: float


Step: TypeAlias = Call | Open | Read | Sleep


class Silent(Exception):
    """Thrown into a generator when its step took too long."""


Steps: TypeAlias = Generator[Step, Any, T]


TLS_OPTIONS: Final = (
    # Far above the size of a report with all samples and diagnostics.
    ("grpc.max_receive_message_length", 64 << 20),
    # Idle connections are probed, so that a cut network is noticed.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # We decide when to reconnect. The default backoff of gRPC grows to two minutes.
    ("grpc.initial_reconnect_backoff_ms", 100),
    # The time limit of one connection attempt.
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    # The server is reached directly, without an HTTP proxy.
    ("grpc.enable_http_proxy", 0),
    # Each client has a connection of its own.
    ("grpc.use_local_subchannel_pool", 1),
)
"""The options of an encrypted channel. Its server's name is compared with the certificate."""
CHANNEL_OPTIONS: Final = (
    # For a Unix socket, gRPC would send the percent-encoded path as `:authority`, which the
    # server's HTTP/2 library rejects.
    ("grpc.default_authority", "localhost"),
    *TLS_OPTIONS,
)
"""The options of a channel in plain text."""

_DETAILS = "grpc-status-details-bin"
# The codes that the transport itself gives when a connection or a stream breaks.
_BROKEN = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}

# Parts of the transport's messages if the two ends do not agree on TLS. Another attempt cannot
# help.
_UNTRUSTED = ("CERTIFICATE_VERIFY_FAILED", "WRONG_VERSION_NUMBER", "Hostname Verification Check")


def target(endpoint: str) -> tuple[str, bool]:
    """Returns the gRPC target of an endpoint, and whether its channel is encrypted.

    An endpoint is `https://HOST:PORT`, `http://HOST:PORT`, `HOST:PORT` or `unix:PATH`.
    """
    if endpoint.startswith("unix:"):
        return endpoint, False
    scheme, separator, rest = endpoint.partition("://")
    bare = (rest if separator else endpoint).rstrip("/")
    if not bare or "/" in bare or (separator and scheme.lower() not in ("http", "https")):
        raise InvalidRequest(
            f"endpoint: must be https://HOST:PORT, http://HOST:PORT or unix:PATH, not {endpoint!r}"
        )
    return bare, bool(separator) and scheme.lower() == "https"


@dataclass(eq=False)
class Failure(Exception):
    """The error of a failed attempt, and whether another attempt can succeed."""

    error: ProfilerError
    again: float | None = None
    """Minimum number of seconds before the next attempt. None if another attempt cannot succeed."""
    lost: bool = False
    """Whether the transport failed, as opposed to an answer of the server."""

    @classmethod
    def gone(cls, message: str) -> Failure:
        """Returns the failure for a server or a connection that is gone."""
        return cls(Unavailable(message), again=0.0, lost=True)


def failure(error: grpc.RpcError) -> Failure:
    """Converts a gRPC status to a failure."""
    details = _details(error)
    failed = _failure(error.code(), error.details() or "", details)
    failed.error.info = details.info
    return failed


def _failure(code: grpc.StatusCode, message: str, details: _Details) -> Failure:
    retry_after = details.retry_after
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Failure(DeadlineExceeded("the deadline passed before the run ended"))
    if code is grpc.StatusCode.INVALID_ARGUMENT:
        return Failure(InvalidRequest(message, details.violations))
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        # Without a retry delay it is a fixed limit, such as the size of a message.
        return Failure(Overloaded(message, retry_after), again=retry_after)
    if code is grpc.StatusCode.UNAUTHENTICATED:
        return Failure(Unauthenticated(message))
    if code is grpc.StatusCode.PERMISSION_DENIED:
        return Failure(PermissionDenied(message))
    if code in _BROKEN and any(sign in message for sign in _UNTRUSTED):
        return Failure(Untrusted(message))
    if code in _BROKEN and not details.present:
        return Failure.gone(message)
    if code is grpc.StatusCode.UNAVAILABLE or code is grpc.StatusCode.ABORTED:
        return Failure(Unavailable(message, retry_after), again=retry_after or 0.0)
    return Failure(StatusError(code.name, message))


@dataclass
class _Details:
    present: bool = False
    violations: tuple[Violation, ...] = ()
    retry_after: float | None = None
    info: ErrorInfo | None = None


def _details(error: grpc.RpcError) -> _Details:
    """Reads the details that the server adds to a status. The transport adds no details."""
    found = _Details()
    metadata = cast("Iterable[tuple[str, str | bytes]]", error.trailing_metadata() or ())
    for key, value in metadata:
        if key != _DETAILS or not isinstance(value, bytes):
            continue
        found.present = True
        bad, retry = error_details_pb2.BadRequest(), error_details_pb2.RetryInfo()
        info = error_details_pb2.ErrorInfo()
        for detail in status_pb2.Status.FromString(value).details:
            if detail.Unpack(bad):
                fields = bad.field_violations
                found.violations = tuple(Violation(v.field, v.description) for v in fields)
            elif detail.Unpack(retry):
                found.retry_after = retry.retry_delay.ToTimedelta().total_seconds()
            elif detail.Unpack(info):
                found.info = ErrorInfo(info.reason, info.domain, dict(info.metadata))
    return found
