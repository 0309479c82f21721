"""What can come instead of a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from swiftsolve_profiler.report import FullReport


class ProfilerError(Exception):
    """Why there is no report."""


class SandboxError(ProfilerError):
    """The run ended early; what was measured until then is in `partial`.

    `code` is "compile", "memory", "parse", "internal", "cancelled", "deadline" or "interrupted".
    """

    def __init__(self, code: str, message: str, partial: FullReport | None = None) -> None:
        super().__init__(code, message, partial)
        self.code = code
        self.message = message
        self.partial = partial

    def __str__(self) -> str:
        return self.message


class ParseError(SandboxError):
    """What GNU time wrote lacks a field; the code is "parse"."""

    def __init__(self, message: str, partial: FullReport | None = None) -> None:
        super().__init__("parse", message, partial)
        # What pickle makes it anew with.
        self.args = (message, partial)


@dataclass(frozen=True)
class Violation:
    """A field of a request that is wrong."""

    field: str
    """Its path in the job."""
    problem: str
    """What is wrong, and what is allowed."""


class InvalidRequest(ProfilerError, ValueError):
    """Fields of the request are wrong; every one is named in `violations`."""

    def __init__(self, message: str, violations: tuple[Violation, ...] = ()) -> None:
        super().__init__(message, violations)
        self.message = message
        self.violations = violations

    def __str__(self) -> str:
        return self.message


class Unavailable(ProfilerError):
    """No profiler answers, or it cannot take the job now.

    `retry_after` is in how many seconds it is worth trying again, where the profiler says so.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message, retry_after)
        self.message = message
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.message


class Overloaded(Unavailable):
    """The profiler has too much to do, or the message is larger than it takes."""


class Lost(Unavailable):
    """A run's stream broke and could not be taken up again while the profiler waits for its caller.

    What became of the run is what `get_run` says.
    """


class StartError(Unavailable):
    """No local profiler could be started."""


class DeadlineExceeded(ProfilerError, TimeoutError):
    """The run's timeout passed before the run ended."""


class StatusError(ProfilerError):
    """Anything else that the profiler or the transport says; `code` is gRPC's, such as "NOT_FOUND"."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class ContractError(ProfilerError):
    """The profiler's answer lacks what the contract promises."""
