"""Tasks of SwiftSolve's data sets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from swiftsolve_profiler.errors import InvalidRequest, Violation
from swiftsolve_profiler.job.spec import read

if TYPE_CHECKING:
    from os import PathLike

    Task = BaseModel | Mapping[str, object] | str | PathLike[str]
    """A task: its fields, a model of this package or of SwiftSolve, or the path of a task file."""


class TaskTest(BaseModel):
    """A test case: an input, and the expected output or `output_words_sha256`."""

    model_config = ConfigDict(frozen=True)

    input: str
    output: str | None = None
    output_words_sha256: str | None = Field(default=None, pattern=r"^[0-9a-fA-F]{64}$")
    """The SHA-256, in hexadecimal, of the words of the expected output, each with a line feed after
    it."""
    explanation: str | None = None

    @model_validator(mode="after")
    def _has_one_output(self) -> TaskTest:
        if (self.output is None) is (self.output_words_sha256 is None):
            raise ValueError("must have either output or output_words_sha256")
        return self


class TaskMetadata(BaseModel):
    """The parts of a task that concern the profiler. Other keys are ignored."""

    model_config = ConfigDict(frozen=True)

    task_id: str
    input_format: str | None = None
    input_bounds: dict[str, int] = {}
    time_limit_ms: float | None = None
    memory_limit_mb: int | None = None
    test_cases: tuple[TaskTest, ...] = Field(
        default=(), validation_alias=AliasChoices("test_cases", "unit_tests")
    )
    """The test cases. SwiftSolve's `ProblemInput` calls them `unit_tests`."""
    expected_complexity: str | None = None
    input_spec: dict[str, Any] | list[dict[str, Any]] | None = None
    """The declaration of the inputs: one spec or a list of candidates. See `input_specs`."""


def task_metadata(source: Task) -> TaskMetadata:
    """Reads a task. Raises `InvalidRequest`."""
    if isinstance(source, TaskMetadata):
        return source
    tree: object
    if isinstance(source, BaseModel):
        tree = source.model_dump(mode="json")
    else:
        tree = source if isinstance(source, Mapping) else read(Path(source), "task")
    try:
        return TaskMetadata.model_validate(tree)
    except ValidationError as error:
        raise invalid("task", error) from error


def invalid(prefix: str, error: ValidationError) -> InvalidRequest:
    """Converts an error of pydantic to an `InvalidRequest` with the same violations."""
    violations = tuple(
        Violation(".".join((prefix, *map(str, found["loc"]))), found["msg"])
        for found in error.errors(include_url=False)
    )
    named = "; ".join(f"{found.field}: {found.problem}" for found in violations)
    return InvalidRequest(f"invalid request: {named}", violations)
