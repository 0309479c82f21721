"""Profiles C++ programs: time and memory over growing inputs, measured in a sandbox.

    from swiftsolve_profiler import Profiler

    report = Profiler().run(code)            # SwiftSolve's CodeMessage in, its ProfileReport out

`Profiler.profile` returns everything that was measured, `Profiler.submit` a run whose events can be
iterated, and `AsyncProfiler` is the same for asyncio.
"""

from swiftsolve_profiler._gen.input_pb2 import InputSpec
from swiftsolve_profiler.client.aio import AsyncProfiler, AsyncRun
from swiftsolve_profiler.client.events import (
    Accepted,
    Compiled,
    Event,
    Failed,
    Finished,
    Heartbeat,
    Restarted,
    SizeMeasured,
    Started,
)
from swiftsolve_profiler.client.export import Exported, ExportFormat
from swiftsolve_profiler.client.sync import Profiler, Run
from swiftsolve_profiler.errors import (
    ContractError,
    DeadlineExceeded,
    InvalidRequest,
    Lost,
    Overloaded,
    ParseError,
    ProfilerError,
    SandboxError,
    StartError,
    StatusError,
    Unavailable,
    Violation,
)
from swiftsolve_profiler.job.options import Options
from swiftsolve_profiler.job.spec import input_specs
from swiftsolve_profiler.job.task import TaskMetadata, TaskTest, task_metadata
from swiftsolve_profiler.report.full import FullReport
from swiftsolve_profiler.schemas import SCHEMA_VERSION, CodeMessage, MessageType, ProfileReport

__all__ = [
    "SCHEMA_VERSION",
    "Accepted",
    "AsyncProfiler",
    "AsyncRun",
    "CodeMessage",
    "Compiled",
    "ContractError",
    "DeadlineExceeded",
    "Event",
    "ExportFormat",
    "Exported",
    "Failed",
    "Finished",
    "FullReport",
    "Heartbeat",
    "InputSpec",
    "InvalidRequest",
    "Lost",
    "MessageType",
    "Options",
    "Overloaded",
    "ParseError",
    "ProfileReport",
    "Profiler",
    "ProfilerError",
    "Restarted",
    "Run",
    "SandboxError",
    "SizeMeasured",
    "StartError",
    "Started",
    "StatusError",
    "TaskMetadata",
    "TaskTest",
    "Unavailable",
    "Violation",
    "input_specs",
    "task_metadata",
]
