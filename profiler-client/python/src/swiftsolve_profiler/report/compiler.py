"""The compiler's messages about a program that does not compile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.names import optional, word

FILE: Final = "main.cpp"
"""The file of the program, as the compiler names it."""


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler."""

    severity: str
    """Its kind: "note", "warning", "error" or "fatal_error"; "unknown" if a newer server has
    another kind."""
    file: str
    """The file, as the compiler names it. The program is `main.cpp`."""
    line: int | None
    """The line, from 1. None for messages of the linker."""
    column: int | None
    """The column, from 1."""
    message: str
    """The text."""


def diagnostics(step: pb.CompileStep) -> list[Diagnostic]:
    """Returns the messages of a compile step."""
    return [
        Diagnostic(
            severity=word(pb.Severity, found.severity) or "unknown",
            file=found.file,
            line=optional(found, "line"),
            column=optional(found, "column"),
            message=found.message,
        )
        for found in step.diagnostics
    ]


def failed_step(report: pb.ProfileReport) -> pb.CompileStep:
    """Returns the compile step of the program or the interactor that does not compile."""
    return report.interactor_compile if interactor_does_not_compile(report) else report.compile


def does_not_compile(report: pb.ProfileReport) -> bool:
    """Returns whether compiling the program was tried and made no binary."""
    return report.HasField("compile") and not report.compile.HasField("binary_bytes")


def interactor_does_not_compile(report: pb.ProfileReport) -> bool:
    """Returns whether compiling the interactor was tried and made no binary."""
    step = report.interactor_compile
    return report.HasField("interactor_compile") and not step.HasField("binary_bytes")
