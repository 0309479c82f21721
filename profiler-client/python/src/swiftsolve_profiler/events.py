"""What happens to a run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, TypeAlias

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.errors import ContractError, ParseError, SandboxError
from swiftsolve_profiler.names import word
from swiftsolve_profiler.report import FullReport

if TYPE_CHECKING:
    from swiftsolve_profiler._gen import profiler_pb2 as pb


@dataclass(frozen=True)
class _Event:
    run_id: str
    """The run."""
    sequence: int
    """Rises by one from event to event, from 1; a heartbeat repeats the number before it."""
    time: datetime
    """When it happened, by the profiler's clock."""


@dataclass(frozen=True)
class Accepted(_Event):
    """The run was accepted; `queue_position` runs are in front of it."""

    queue_position: int


@dataclass(frozen=True)
class Started(_Event):
    """The run began on a worker of a fleet. Reserved: no server sends it yet."""

    attempt: int


@dataclass(frozen=True)
class Restarted(_Event):
    """The run began again on another worker, so the sizes before this event are void.

    Reserved: no server sends it yet.
    """

    attempt: int
    reason: str


@dataclass(frozen=True)
class Compiled(_Event):
    """The program was compiled."""

    step: report_pb2.CompileStep


@dataclass(frozen=True)
class SizeMeasured(_Event):
    """A size was measured, with one candidate."""

    result: report_pb2.SizeResult


@dataclass(frozen=True)
class Heartbeat(_Event):
    """Nothing happened, and the run is alive; `queue_position` runs are in front of it."""

    queue_position: int


@dataclass(frozen=True)
class Finished(_Event):
    """The last event: the report."""

    report: FullReport


@dataclass(frozen=True)
class Failed(_Event):
    """The last event: what ended the run early."""

    error: SandboxError


Event: TypeAlias = Accepted | Started | Restarted | Compiled | SizeMeasured | Heartbeat | Finished | Failed
"""Something that happened to a run."""


def event(message: pb.Event) -> Event:
    """Reads an event."""
    kind = message.WhichOneof("kind")
    if kind is None or not message.HasField("time"):
        raise ContractError("the profiler's event has no kind or no time")
    at = message.time.ToDatetime(timezone.utc)
    base = (message.run_id, message.sequence, at)
    if kind == "accepted":
        return Accepted(*base, message.accepted.queue_position)
    if kind == "started":
        return Started(*base, message.started.attempt)
    if kind == "restarted":
        return Restarted(*base, message.restarted.attempt, message.restarted.reason)
    if kind == "compiled":
        return Compiled(*base, message.compiled)
    if kind == "size_measured":
        return SizeMeasured(*base, message.size_measured)
    if kind == "heartbeat":
        return Heartbeat(*base, message.heartbeat.queue_position)
    if kind == "finished":
        return Finished(*base, FullReport(message.finished))
    return Failed(*base, sandbox_error(message.failed))


def sandbox_error(message: report_pb2.SandboxError) -> SandboxError:
    """Reads what ended a run early."""
    partial = FullReport(message.partial) if message.HasField("partial") else None
    if message.code == report_pb2.ERROR_CODE_PARSE:
        return ParseError(message.message, partial)
    return SandboxError(word(report_pb2.ErrorCode, message.code) or "unknown", message.message, partial)
