"""The controller's loop, as far as it uses its profiler."""

from __future__ import annotations

import logging
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from swiftsolve_profiler import Profiler, ProfileReport

log = logging.getLogger("SolveLoop")
profiler = Profiler(backend="native")


class MessageType(str, Enum):
    """The controller's."""

    CODE = "code"


class Problem(BaseModel):
    """The controller's `ProblemInput`."""

    task_id: str
    constraints: dict[str, int]


class CodeMessage(BaseModel):
    """The controller's, and no class of ours."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    type: Literal[MessageType.CODE] = MessageType.CODE
    task_id: str
    iteration: int = Field(ge=0)
    timestamp_utc: datetime = Field(default_factory=lambda: datetime.now(tz=timezone.utc))
    schema_version: Literal["1.0.0"] = "1.0.0"
    code_cpp: str
    compiler_flags: list[str] = Field(default_factory=lambda: ["-O2", "-std=c++17"])
    model_version: str | None = None
    seed: int | None = None


def analyst(profile: ProfileReport, constraints: dict[str, int]) -> bool:
    """Whether it was fast enough."""
    return all(ms <= constraints["runtime_limit"] for ms in profile.runtime_ms)


def run_pipeline(problem: Problem, source: str) -> dict[str, Any]:
    """One iteration."""
    code = CodeMessage(task_id=problem.task_id, iteration=0, code_cpp=source)
    try:
        profile = profiler.run(code)
        text = profile.model_dump_json(indent=2)
        log.info("Profile: %s", text)
    except Exception as e:
        return {"status": "agent_failure", "details": str(e)}
    current_time = profile.runtime_ms[-1] if profile.runtime_ms else float("inf")
    status = "success" if analyst(profile, problem.constraints) else "failed"
    return {"status": status, "current_time": current_time, "profile_json": text}
