"""A stand-in for SwiftSolve's controller: messages, an analyst and a loop of the same shape.

Its imports of `Profiler` and `complexity`, its call of `complexity`, and what `solve_tested` does
with the unit tests are the lines that the README of the package tells SwiftSolve to write.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from swiftsolve_profiler import Profiler, complexity

EFFICIENT = frozenset({"O(1)", "O(log n)", "O(n)", "O(n log n)"})
ATTEMPTS = 3


class Kind(str, Enum):
    """The kinds of messages."""

    CODE = "code"
    PROFILE_REPORT = "profile_report"


class Message(BaseModel):
    """What all messages have."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    task_id: str
    iteration: int = Field(ge=0)
    timestamp_utc: datetime = Field(default_factory=lambda: datetime.now(tz=timezone.utc))
    schema_version: Literal["1.0.0"] = "1.0.0"


class CodeMessage(Message):
    """A program. It is a class of the controller, not of the package."""

    type: Literal[Kind.CODE] = Kind.CODE
    code_cpp: str
    compiler_flags: list[str] = Field(default_factory=lambda: ["-O2", "-std=c++17"])
    model_version: str | None = None
    seed: int | None = None


class ProfileReport(Message):
    """The strict report. It is a class of the controller, not of the package."""

    type: Literal[Kind.PROFILE_REPORT] = Kind.PROFILE_REPORT
    input_sizes: list[int]
    runtime_ms: list[float]
    peak_memory_mb: list[float]
    hotspots: dict[str, str] = Field(default_factory=dict)


class ProblemInput(BaseModel):
    """A problem, with SwiftSolve's names."""

    task_id: str
    prompt: str
    constraints: dict[str, Any]
    unit_tests: list[dict[str, str]]


class RunResult(BaseModel):
    """What the loop returns."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    status: Literal["success", "failed"]
    code_cpp: str | None = None
    profile: ProfileReport | None = None
    notes: list[str]


def fit(report: ProfileReport) -> str:
    """The analyst's own guess, for reports that do not come from the profiler."""
    return "O(n)" if max(report.runtime_ms) < 1000 else "O(?)"


def analyse(report: ProfileReport) -> str:
    """Returns the complexity of a program."""
    return complexity(report) or fit(report)


def solve(profiler: Profiler, coder: Callable[[list[str]], str]) -> RunResult:
    """Asks the coder for programs until one is efficient. `notes` go into the coder's prompt."""
    notes: list[str] = []
    for iteration in range(ATTEMPTS):
        code = CodeMessage(task_id="T1", iteration=iteration, code_cpp=coder(notes))
        try:
            profile = profiler.run(code)
        except Exception as error:
            notes.append(str(error))
            continue
        assert isinstance(profile, ProfileReport)
        found = analyse(profile)
        if found in EFFICIENT:
            return RunResult(status="success", code_cpp=code.code_cpp, profile=profile, notes=notes)
        notes.append(f"{found} is too slow")
    return RunResult(status="failed", notes=notes)


def solve_tested(
    profiler: Profiler,
    problem: ProblemInput,
    bounds: dict[str, int],
    coder: Callable[[list[str]], str],
) -> RunResult:
    """Asks the coder for programs until one is right and efficient."""
    notes: list[str] = []
    specs = profiler.infer_inputs([test["input"] for test in problem.unit_tests])
    for iteration in range(ATTEMPTS):
        code = CodeMessage(task_id=problem.task_id, iteration=iteration, code_cpp=coder(notes))
        profile = profiler.run(
            code,
            task=problem,
            run_tests=True,
            input_specs=specs,
            input_bounds=bounds,
            constraints=problem.constraints,
        )
        judged = profile.full.meets(problem.constraints)
        assert isinstance(profile, ProfileReport)
        if analyse(profile) in EFFICIENT and judged:
            return RunResult(status="success", code_cpp=code.code_cpp, profile=profile, notes=notes)
        notes.append(profile.full.feedback(2000, problem.constraints))
    return RunResult(status="failed", notes=notes)
