"""The events of a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, TypeAlias

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.errors import ContractError, ParseError, SandboxError
from swiftsolve_profiler.report.full import FullReport
from swiftsolve_profiler.report.names import word

if TYPE_CHECKING:
    from swiftsolve_profiler._gen import job_pb2
    from swiftsolve_profiler._gen import profiler_pb2 as pb


@dataclass(frozen=True)
class _Event:
    run_id: str
    """The id of the run."""
    sequence: int
    """The number of the event, from 1 without gaps. A heartbeat repeats the last number."""
    time: datetime
    """The time of the event on the server's clock, in UTC."""


@dataclass(frozen=True)
class Accepted(_Event):
    """The run was accepted. `queue_position` runs are ahead of it."""

    queue_position: int


@dataclass(frozen=True)
class Started(_Event):
    """The run began on a worker of a fleet. A server without a fleet never sends it."""

    attempt: int
    """The number of the attempt: 1."""
    worker: str = ""
    """The name of the worker."""
    pool: str = ""
    """The pool of the worker: the fingerprint of its host. Times of one pool are comparable."""


@dataclass(frozen=True)
class Restarted(_Event):
    """The run began again, so the sizes before this event are void.

    A fleet sends it if a worker is lost. If a private server dies, the client submits the job once
    more: this event is the first of a run with another `run_id`.
    """

    attempt: int
    """The number of the attempt, from 2."""
    reason: str
    """The reason why the previous attempt ended."""
    worker: str = ""
    """The name of the worker of this attempt."""
    pool: str = ""
    """The pool of the worker: the fingerprint of its host."""


@dataclass(frozen=True)
class CoreAwaited(_Event):
    """The run waits for a processor to measure on. If one is free at once, this is not sent."""

    core: int
    """The number of the processor that is tried first."""
    holder: str = ""
    """The process that holds it, as a text for people: "swiftprof, process 4711"."""


@dataclass(frozen=True)
class Compiled(_Event):
    """The program was compiled."""

    step: report_pb2.CompileStep


@dataclass(frozen=True)
class SizeMeasured(_Event):
    """A size was measured with one candidate. The report adds `memory`."""

    result: report_pb2.SizeResult


@dataclass(frozen=True)
class Heartbeat(_Event):
    """The run is alive and nothing else happened. `queue_position` runs are ahead of it."""

    queue_position: int


@dataclass(frozen=True)
class Finished(_Event):
    """The last event of a run that has a report."""

    report: FullReport


@dataclass(frozen=True)
class Failed(_Event):
    """The last event of a run that ended early."""

    error: SandboxError


Event: TypeAlias = (
    Accepted
    | Started
    | Restarted
    | CoreAwaited
    | Compiled
    | SizeMeasured
    | Heartbeat
    | Finished
    | Failed
)
"""Any event of a run. Each has `run_id`, `sequence` and `time`."""


def event(
    message: pb.Event, tests: tuple[job_pb2.TestCase, ...] = (), bound: int | None = None
) -> Event | None:
    """Converts an event from the wire. None if only a later version knows this kind of event.

    `tests` are the test cases of the job and `bound` is its bound of n, if they are known.
    """
    kind = message.WhichOneof("kind")
    if kind is None:
        return None
    if not message.HasField("time"):
        raise ContractError("the server sent an event without a time")
    at = message.time.ToDatetime(timezone.utc)
    base = (message.run_id, message.sequence, at)
    if kind == "accepted":
        return Accepted(*base, message.accepted.queue_position)
    if kind in {"started", "restarted", "core_awaited"}:
        return _place(message, base)
    if kind == "compiled":
        return Compiled(*base, message.compiled)
    if kind == "size_measured":
        return SizeMeasured(*base, message.size_measured)
    if kind == "heartbeat":
        return Heartbeat(*base, message.heartbeat.queue_position)
    if kind == "finished":
        return Finished(*base, FullReport(message.finished, tests, bound))
    return Failed(*base, sandbox_error(message.failed, tests, bound))


def _place(message: pb.Event, base: tuple[str, int, datetime]) -> Started | Restarted | CoreAwaited:
    """Converts an event about the host or the core of the run."""
    if message.HasField("started"):
        began = message.started
        return Started(*base, began.attempt, began.worker, began.pool)
    if message.HasField("restarted"):
        again = message.restarted
        return Restarted(*base, again.attempt, again.reason, again.worker, again.pool)
    return CoreAwaited(*base, message.core_awaited.core, message.core_awaited.holder)


def sandbox_error(
    message: report_pb2.SandboxError,
    tests: tuple[job_pb2.TestCase, ...] = (),
    bound: int | None = None,
) -> SandboxError:
    """Converts the error of a run that ended early from the wire."""
    has_partial = message.HasField("partial")
    partial = FullReport(message.partial, tests, bound) if has_partial else None
    if message.code == report_pb2.ERROR_CODE_PARSE:
        return ParseError(message.message, partial)
    return SandboxError(
        word(report_pb2.ErrorCode, message.code) or "unknown", message.message, partial
    )
