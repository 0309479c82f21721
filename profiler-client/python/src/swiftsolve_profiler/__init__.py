"""Profiles C++ programs: time and memory over growing inputs, measured in a sandbox.

    from swiftsolve_profiler import Profiler

    report = Profiler().profile(source)
    print(report)                   # time grows like n log n (confidence 0.97); ...
    report.time.complexity          # "O(n log n)"

`Profiler.run` returns SwiftSolve's strict report. `Profiler.submit` returns a run, an iterator over
its events. `AsyncProfiler` has the same methods for asyncio.

The package logs to the logger `swiftsolve_profiler`.
"""

import logging

from swiftsolve_profiler._gen.input_pb2 import InputSpec
from swiftsolve_profiler.client.aio import AsyncProfiler, AsyncRun
from swiftsolve_profiler.client.credentials import Credentials
from swiftsolve_profiler.client.events import (
    Accepted,
    Compiled,
    CoreAwaited,
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
    ErrorInfo,
    InvalidRequest,
    Lost,
    NotInferred,
    Overloaded,
    ParseError,
    PermissionDenied,
    ProfilerError,
    SandboxError,
    StartError,
    StatusError,
    Unauthenticated,
    Unavailable,
    Untrusted,
    Violation,
)
from swiftsolve_profiler.job.inferred import InferredSpec
from swiftsolve_profiler.job.options import Options
from swiftsolve_profiler.job.spec import input_specs
from swiftsolve_profiler.job.task import TaskMetadata, TaskTest, task_metadata
from swiftsolve_profiler.report.compiler import Diagnostic
from swiftsolve_profiler.report.full import FullReport
from swiftsolve_profiler.report.growth import Growth
from swiftsolve_profiler.report.size import ReportWarning, Size
from swiftsolve_profiler.report.verdict.case import CaseResult
from swiftsolve_profiler.report.verdict.judgement import Judgement
from swiftsolve_profiler.schemas import SCHEMA_VERSION, CodeMessage, MessageType, ProfileReport
from swiftsolve_profiler.swiftsolve import complexity

__all__ = [
    "SCHEMA_VERSION",
    "Accepted",
    "AsyncProfiler",
    "AsyncRun",
    "CaseResult",
    "CodeMessage",
    "Compiled",
    "ContractError",
    "CoreAwaited",
    "Credentials",
    "DeadlineExceeded",
    "Diagnostic",
    "ErrorInfo",
    "Event",
    "ExportFormat",
    "Exported",
    "Failed",
    "Finished",
    "FullReport",
    "Growth",
    "Heartbeat",
    "InferredSpec",
    "InputSpec",
    "InvalidRequest",
    "Judgement",
    "Lost",
    "MessageType",
    "NotInferred",
    "Options",
    "Overloaded",
    "ParseError",
    "PermissionDenied",
    "ProfileReport",
    "Profiler",
    "ProfilerError",
    "ReportWarning",
    "Restarted",
    "Run",
    "SandboxError",
    "Size",
    "SizeMeasured",
    "StartError",
    "Started",
    "StatusError",
    "TaskMetadata",
    "TaskTest",
    "Unauthenticated",
    "Unavailable",
    "Untrusted",
    "Violation",
    "complexity",
    "input_specs",
    "task_metadata",
]

logging.getLogger(__name__).addHandler(logging.NullHandler())
