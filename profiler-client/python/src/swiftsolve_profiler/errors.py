"""The exceptions of this package. All of them are `ProfilerError`s."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.report.compiler import Diagnostic, diagnostics, failed_step
from swiftsolve_profiler.report.names import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from swiftsolve_profiler.job.inferred import InferredSpec
    from swiftsolve_profiler.report.full import FullReport

OUTPUT_LINES: Final = 20
"""Maximum number of lines of compiler output in the text of an error without known messages."""


@dataclass(frozen=True)
class ErrorInfo:
    """The machine-readable reason of an error, as the server sends it."""

    reason: str
    """The reason, such as "QUEUE_FULL"."""
    domain: str
    """The namespace of `reason`: "profiler.swiftsolve"."""
    metadata: Mapping[str, str] = field(hash=False)
    """More facts, such as the `scope` that a token lacks."""


class ProfilerError(Exception):
    """The base of all exceptions that this package raises instead of a report."""

    info: ErrorInfo | None = None
    """The machine-readable reason. None if the error is not the server's answer to a call."""

    def __str__(self) -> str:
        return shown(str(self.args[0])) if self.args else ""


class SandboxError(ProfilerError):
    """The run ended early. `partial` is a report of what was measured until then.

    `code` is "compile", "memory", "parse", "internal", "cancelled", "deadline", "interrupted" or
    "invalid_input".
    """

    def __init__(self, code: str, message: str, partial: FullReport | None = None) -> None:
        super().__init__(code, message, partial)
        self.code = code
        self.message = message
        self.partial = partial

    @property
    def output(self) -> str:
        """The output of the compiler, if the program does not compile."""
        return self._step.output

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The messages of the compiler, if the program does not compile."""
        return diagnostics(self._step)

    @property
    def _step(self) -> report_pb2.CompileStep:
        if self.code != "compile" or self.partial is None:
            return report_pb2.CompileStep()
        return failed_step(self.partial.message)

    def __str__(self) -> str:
        if self.code != "compile":
            return shown(self.message)
        # SwiftSolve's Coder repairs its program from this text alone.
        step = self._step
        output = step.error_text or "\n".join(step.output.splitlines()[:OUTPUT_LINES])
        return shown(f"Compilation failed: {self.message}\n{output}".rstrip())


class ParseError(SandboxError):
    """The output of GNU time lacks a field. The code is "parse"."""

    def __init__(self, message: str, partial: FullReport | None = None) -> None:
        super().__init__("parse", message, partial)
        # pickle calls the class with these arguments.
        self.args = (message, partial)


@dataclass(frozen=True)
class Violation:
    """A wrong field of a request."""

    field: str
    """The path of the field in the job, such as `input_sizes[1]`."""
    problem: str
    """The problem, and the values that are allowed."""


class InvalidRequest(ProfilerError, ValueError):
    """The request is wrong. `violations` has every wrong field."""

    def __init__(self, message: str, violations: tuple[Violation, ...] = ()) -> None:
        super().__init__(message, violations)
        self.message = message
        self.violations = violations


class NotInferred(ProfilerError):
    """Sample inputs can be read as no spec.

    A server of 0.2 also raises it for several: `readings` has up to 6 values of `input_specs`.
    """

    def __init__(self, message: str, readings: tuple[InferredSpec, ...] = ()) -> None:
        super().__init__(message, readings)
        self.message = message
        self.readings = readings


class Unavailable(ProfilerError):
    """No server answers, or the server cannot accept the job now.

    `retry_after` is the number of seconds after which the server suggests another attempt, if any.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message, retry_after)
        self.message = message
        self.retry_after = retry_after


class Overloaded(Unavailable):
    """The server's queue is full, or the message is larger than the server accepts."""


class Lost(Unavailable):
    """The stream of a run broke and could not be resumed for as long as the server keeps the run.

    `get_run` says how the run ended. A run of a private server is lost if the server dies twice.
    """


class StartError(Unavailable):
    """The local server could not be started."""


class Untrusted(ProfilerError):
    """The server's certificate is not trusted, or the server does not speak TLS.

    `Credentials.ca` names the authorities that are trusted.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unauthenticated(ProfilerError):
    """The server does not know the caller: the token or the certificate is missing or wrong."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class PermissionDenied(ProfilerError):
    """The server knows the caller, but does not permit this call."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class DeadlineExceeded(ProfilerError, TimeoutError):
    """The timeout of the run passed before the run ended."""


class StatusError(ProfilerError):
    """Any other error of server or transport. `code` is the gRPC code, such as "NOT_FOUND"."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return shown(f"{self.code}: {self.message}")


class ContractError(ProfilerError):
    """The server's answer violates the contract of the service."""
