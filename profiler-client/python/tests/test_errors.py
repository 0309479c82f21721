"""What the error of a program that does not compile tells a Coder."""

from __future__ import annotations

import pytest

from swiftsolve_profiler import (
    Diagnostic,
    FullReport,
    InvalidRequest,
    ProfilerError,
    SandboxError,
    StatusError,
    Unauthenticated,
    Unavailable,
)
from swiftsolve_profiler._gen import report_pb2 as pb


def step() -> pb.CompileStep:
    note = pb.Diagnostic(severity=pb.SEVERITY_NOTE, file="main.cpp", message="so")
    return pb.CompileStep(
        diagnostics=[note], output="one\ntwo", error_text="main.cpp:1:2: error: no"
    )


def compile_error(partial: pb.ProfileReport) -> SandboxError:
    return SandboxError("compile", "1 error", FullReport(partial))


def test_the_text_has_the_errors_of_what_does_not_compile() -> None:
    built = pb.CompileStep(binary_bytes=9)
    for partial in (
        pb.ProfileReport(compile=step()),
        pb.ProfileReport(compile=built, interactor_compile=step()),
    ):
        error = compile_error(partial)
        assert str(error) == "Compilation failed: 1 error\nmain.cpp:1:2: error: no"
        assert error.output == "one\ntwo"
        assert error.diagnostics == [Diagnostic("note", "main.cpp", None, None, "so")]


def test_without_errors_the_text_has_the_beginning_of_the_output() -> None:
    died = step()
    died.ClearField("error_text")
    assert str(compile_error(pb.ProfileReport(compile=died))) == (
        "Compilation failed: 1 error\none\ntwo"
    )


def test_other_errors_have_no_output() -> None:
    error = SandboxError("memory", "over", FullReport(pb.ProfileReport(compile=step())))
    assert (str(error), error.output, error.diagnostics) == ("over", "", [])


@pytest.mark.parametrize(
    "error",
    [
        InvalidRequest("\x1b[2J"),
        Unavailable("\x1b[2J", 1.0),
        Unauthenticated("\x1b[2J"),
        StatusError("UNKNOWN", "\x1b[2J"),
        SandboxError("memory", "\x1b[2J"),
    ],
)
def test_the_text_of_an_error_does_not_act_on_a_terminal(error: ProfilerError) -> None:
    assert str(error).endswith("\\u001b[2J")
