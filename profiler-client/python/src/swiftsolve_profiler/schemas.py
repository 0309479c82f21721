"""SwiftSolve's messages, as its controller defines them: the same names, types and strictness.

Nothing here may differ from the controller's own models; what the profiler knows beyond them is in
`FullReport`.
"""

from __future__ import annotations

from datetime import datetime, timezone
from enum import Enum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

SCHEMA_VERSION: Literal["1.0.0"] = "1.0.0"
"""The version of both messages."""


class MessageType(str, Enum):
    """What a message is."""

    CODE = "code"
    PROFILE_REPORT = "profile_report"


class _Message(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        # JSON has no infinity: "Infinity" is what pydantic reads back, where null would be refused.
        ser_json_inf_nan="strings",
        # `model_version` is the contract's name; pydantic before 2.10 warns of its beginning.
        protected_namespaces=(),
    )

    type: MessageType
    task_id: Annotated[str, StringConstraints(strip_whitespace=True)]
    iteration: int = Field(ge=0)
    timestamp_utc: datetime = Field(default_factory=lambda: datetime.now(tz=timezone.utc))
    schema_version: Literal["1.0.0"] = SCHEMA_VERSION


class CodeMessage(_Message):
    """A C++17 program as the coder hands it over."""

    type: Literal[MessageType.CODE] = MessageType.CODE
    code_cpp: str
    compiler_flags: list[str] = Field(default_factory=lambda: ["-O2", "-std=c++17"])
    model_version: str | None = None
    seed: int | None = None


class ProfileReport(_Message):
    """What was measured, in the strict form: times in milliseconds, peak memory in MiB."""

    type: Literal[MessageType.PROFILE_REPORT] = MessageType.PROFILE_REPORT
    input_sizes: list[int]
    runtime_ms: list[float]
    peak_memory_mb: list[float]
    hotspots: dict[str, str] = Field(default_factory=dict)
