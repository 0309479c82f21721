"""SwiftSolve's messages as its controller defines them: the same names, types and strictness.

Invariant: these models accept and produce exactly what the controller's models do. Everything else
that the profiler measures is in `FullReport`.
"""

from __future__ import annotations

from datetime import datetime, timezone
from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"
"""The version of all messages."""


class MessageType(str, Enum):
    """The kinds of messages."""

    CODE = "code"
    PROFILE_REPORT = "profile_report"


class _Message(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        # JSON has no infinity. pydantic reads "Infinity" back, but refuses null.
        ser_json_inf_nan="strings",
        # pydantic before 2.10 warns about the prefix of the field `model_version`.
        protected_namespaces=(),
    )

    type: MessageType
    task_id: Annotated[str, StringConstraints(strip_whitespace=True)]
    iteration: int = Field(ge=0)
    timestamp_utc: datetime = Field(default_factory=lambda: datetime.now(tz=timezone.utc))
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION


class CodeMessage(_Message):
    """A C++ program as the Coder submits it."""

    type: Literal[MessageType.CODE] = MessageType.CODE
    code_cpp: str
    compiler_flags: list[str] = Field(default_factory=lambda: ["-O2", "-std=c++17"])
    model_version: str | None = None
    seed: int | None = None


class ProfileReport(_Message):
    """The strict report: times in milliseconds and peak memory in MiB, one figure for each size."""

    type: Literal[MessageType.PROFILE_REPORT] = MessageType.PROFILE_REPORT
    input_sizes: list[int]
    runtime_ms: list[float]
    peak_memory_mb: list[float]
    hotspots: dict[str, str] = Field(default_factory=dict)
