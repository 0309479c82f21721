"""The results of one size, and the warnings of a report."""

from __future__ import annotations

from dataclasses import dataclass, field

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.hints import explain_warning
from swiftsolve_profiler.report.names import optional, outcome, shown, word


@dataclass(frozen=True)
class Size:
    """The results of one size with one candidate input."""

    n: int
    """The size."""
    candidate: int
    """The number of the candidate input; 0 if there is only one."""
    outcome: str
    """The outcome of the program: "OK", "TIME_LIMIT", "MEMORY_LIMIT", "RUNTIME_ERROR", ..."""
    runtime_ms: float | None
    """The headline runtime in milliseconds; infinite if the size did not end OK."""
    runtime_interval_ms: tuple[float, float] | None
    """The confidence interval of `runtime_ms`."""
    net_runtime_ms: float | None
    """The headline runtime minus the time of the start-up, in milliseconds."""
    peak_memory_mb: float | None
    """The peak of memory in MiB; infinite if the size did not end OK."""
    instructions: int | None
    """The exact number of instructions, if they were counted."""
    message: pb.SizeResult = field(repr=False)
    """The message, with every other figure."""


@dataclass(frozen=True)
class ReportWarning:
    """A fact that a reader must know before trusting the figures."""

    code: str
    """The kind of warning, such as "noisy"; "unknown" if a newer server has a new kind."""
    message: str
    """The text."""
    size: int | None
    """The size that the warning is about. None if it is about the whole report."""
    candidate: int | None
    """The candidate that the warning is about. None if it is about all candidates."""

    def __str__(self) -> str:
        return shown(self.message)


def size(message: pb.SizeResult) -> Size:
    """Converts the results of a size from the wire."""
    headline = message.figures.headline
    interval = headline.interval
    return Size(
        n=message.size,
        candidate=message.candidate,
        outcome=outcome(message),
        runtime_ms=optional(message, "runtime_ms"),
        runtime_interval_ms=(
            (interval.low, interval.high) if headline.HasField("interval") else None
        ),
        net_runtime_ms=optional(message, "net_runtime_ms"),
        peak_memory_mb=optional(message, "peak_memory_mb"),
        instructions=optional(message, "instructions"),
        message=message,
    )


def warning(message: pb.Warning) -> ReportWarning:
    """Converts a warning from the wire."""
    return ReportWarning(
        code=word(pb.WarningCode, message.code) or "unknown",
        message=explain_warning(message),
        size=optional(message, "size"),
        candidate=optional(message, "candidate"),
    )
