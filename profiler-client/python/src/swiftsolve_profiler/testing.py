"""A profiler for the tests of other programs: no sandbox, no server, and the same report each time.

    fake = FakeProfiler("O(n^2)", "O(n log n)")
    fake.run(first).full.time.complexity     # "O(n^2)"
    fake.run(second).full.time.complexity    # "O(n log n)", as for every program after it

It checks and converts requests, events and reports with the code of `Profiler`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any, Final

from swiftsolve_profiler._gen import job_pb2, report_pb2
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client.sync import Profiler
from swiftsolve_profiler.client.wire import (
    CANCEL_RUN,
    GET_RUN,
    PROFILE_STREAM,
    WATCH_RUN,
    Call,
    Open,
    Read,
    Step,
)
from swiftsolve_profiler.errors import ProfilerError, SandboxError, StatusError
from swiftsolve_profiler.report.growth import FUNCTIONS, SHAPES

STEP_MS: Final = 1e-7
"""The time of one step of the function, so that n^2 steps take 1 s at n = 100000."""
START_UP_MS: Final = 1.0
"""The time of an empty program."""
START_UP_MB: Final = 3.0
"""The memory of an empty program. Every program takes 8 bytes for each n in addition."""
BINARY_BYTES: Final = 16 << 10
"""The size of every binary."""
INSTRUCTIONS: Final = 2_000_000
"""The instructions of every program on a test case."""
CONFIDENCE: Final = 0.99
"""The confidence of every class."""
EPOCH_S: Final = 946_684_800
"""The time of every report and event: the start of the year 2000."""
_CORNER_CASES = (0, 1)
_SCALES = (1000, 5000, 10000, 50000, 100000)
_GRACE_MS = 250.0
_TIMEOUT_MS = 2000.0


class FakeProfiler(Profiler):
    """A `Profiler` whose programs behave as they are declared.

    Each ending is for one program, in order; the last one is for all further programs. An ending is
    a complexity such as "O(n log n)" or "O(n^1.58)", or an exception. Without endings, every
    program is O(n), and its answers to test cases are correct. `jobs` has the submitted jobs.
    """

    def __init__(self, *endings: str | ProfilerError) -> None:
        super().__init__("unix:fake")
        self.jobs: list[job_pb2.Job] = []
        self._endings = endings or ("O(n)",)
        for ending in self._endings:
            if isinstance(ending, str):
                _function(ending)
        self._events: dict[str, list[pb.Event]] = {}

    def _take(self, step: Step) -> Any:
        if isinstance(step, Read):
            return next(step.stream, None)
        if isinstance(step, Open) and step.method is PROFILE_STREAM:
            events = self._submit(step.request.job)  # type: ignore[attr-defined]
            return iter([pb.ProfileStreamResponse(event=event) for event in events])
        if isinstance(step, (Open, Call)):
            return self._answer(step.method.name, step.request)
        return None

    def _submit(self, job: job_pb2.Job) -> list[pb.Event]:
        with self._lock:
            self.jobs.append(job)
            number = len(self.jobs)
        ending = self._endings[min(number, len(self._endings)) - 1]
        if isinstance(ending, ProfilerError) and not isinstance(ending, SandboxError):
            raise ending
        run_id = f"fake-{number}"
        self._events[run_id] = list(_events(run_id, job, ending))
        return self._events[run_id]

    def _answer(self, method: str, request: Any) -> Any:
        events = self._events.get(getattr(request, "run_id", ""))
        if method == WATCH_RUN.name and events is not None:
            later = (event for event in events if event.sequence > request.after_sequence)
            return iter([pb.WatchRunResponse(event=event) for event in later])
        if method == GET_RUN.name and events is not None:
            last = events[-1]
            run = pb.Run(run_id=request.run_id, last_sequence=last.sequence)
            if last.HasField("finished"):
                return pb.GetRunResponse(run=run, report=last.finished)
            return pb.GetRunResponse(run=run, error=last.failed)
        if method == CANCEL_RUN.name and events is not None:
            return pb.CancelRunResponse()
        if method in (WATCH_RUN.name, GET_RUN.name, CANCEL_RUN.name):
            raise StatusError("NOT_FOUND", "there is no such run")
        raise StatusError("UNIMPLEMENTED", f"FakeProfiler does not answer {method}")


def _events(run_id: str, job: job_pb2.Job, ending: str | SandboxError) -> Iterator[pb.Event]:
    kinds: list[dict[str, Any]] = [{"accepted": pb.Accepted()}]
    if isinstance(ending, SandboxError):
        partial = ending.partial.message if ending.partial else None
        code = report_pb2.ErrorCode.Value(f"ERROR_CODE_{ending.code.upper()}")
        failed = report_pb2.SandboxError(code=code, message=ending.message, partial=partial)
        kinds.append({"failed": failed})
    else:
        report = _report(run_id, job, ending)
        kinds.append({"compiled": report.compile})
        kinds += [{"size_measured": size} for size in report.sizes]
        kinds.append({"finished": report})
    for number, kind in enumerate(kinds, start=1):
        event = pb.Event(run_id=run_id, sequence=number, **kind)
        event.time.FromSeconds(EPOCH_S)
        yield event


def _report(run_id: str, job: job_pb2.Job, complexity: str) -> report_pb2.ProfileReport:
    function = _function(complexity)
    sizes = [_size(job, n, function) for n in _sizes(job)]
    report = report_pb2.ProfileReport(
        type="profile_report",
        task_id=job.code.task_id,
        iteration=job.code.iteration,
        schema_version="1.0.0",
        input_sizes=[size.size for size in sizes],
        runtime_ms=[size.runtime_ms for size in sizes],
        peak_memory_mb=[size.peak_memory_mb for size in sizes],
        run_id=run_id,
        sizes=sizes,
        host=report_pb2.Host(backend="fake"),
        code_cpp=job.code.code_cpp,
    )
    report.timestamp_utc.FromSeconds(EPOCH_S)
    report.compile.binary_bytes = BINARY_BYTES
    for _ in job.test_cases:
        report.test_cases.add(
            outcome=report_pb2.OUTCOME_OK,
            correct=True,
            verdict=report_pb2.TEST_VERDICT_ACCEPTED,
            runtime_ms=START_UP_MS,
            peak_memory_mb=START_UP_MB,
            instructions=INSTRUCTIONS if job.reward else None,
        )
    if any(size.outcome != report_pb2.OUTCOME_OK for size in sizes):
        report.hotspots["_crash"] = "TIME_LIMIT"
    if any(size.outcome == report_pb2.OUTCOME_OK for size in sizes):
        linear = report_pb2.GrowthFunction(growth_class=report_pb2.GROWTH_CLASS_LINEAR)
        for growth, found in ((report.growth.time, function), (report.growth.memory, linear)):
            growth.function.CopyFrom(found)
            growth.confidence = CONFIDENCE
    return report


def _sizes(job: job_pb2.Job) -> list[int]:
    """Returns the listed sizes, or else the default ones up to the bound, and the bound.

    The service does not add the bound, and with `fit_sizes` it spreads the default sizes.
    """
    if job.reward:
        return []
    if job.input_sizes:
        return list(job.input_sizes)
    bounds = job.input_bounds
    bound = bounds.get(job.size_variable or "n", max(bounds.values(), default=_SCALES[-1]))
    scales = job.input_scales.values if job.HasField("input_scales") else _SCALES
    corners = job.extra_corner_cases.values if job.HasField("extra_corner_cases") else _CORNER_CASES
    below = [n for n in scales if n <= bound]
    asked = bound if bounds else 0
    return sorted({*corners, *below, *([asked] if asked > max(below, default=0) else [])})


def _size(job: job_pb2.Job, n: int, function: report_pb2.GrowthFunction) -> report_pb2.SizeResult:
    limits = job.limits
    limit = (
        limits.runtime_limit_ms + _GRACE_MS if limits.HasField("runtime_limit_ms") else _TIMEOUT_MS
    )
    limit = limits.timeout_ms if limits.HasField("timeout_ms") else limit
    net = STEP_MS * _steps(function, n)
    if START_UP_MS + net >= limit:
        evidence = report_pb2.Evidence(
            limit=report_pb2.LIMIT_KIND_TIME,
            limit_value=limit,
            met_value=limit,
            unit=report_pb2.UNIT_MS,
            killed_by=report_pb2.KILLED_BY_PROFILER,
            signal="SIGKILL",
        )
        return report_pb2.SizeResult(
            size=n,
            candidates=1,
            outcome=report_pb2.OUTCOME_TIME_LIMIT,
            evidence=evidence,
            runtime_ms=math.inf,
            peak_memory_mb=math.inf,
        )
    return report_pb2.SizeResult(
        size=n,
        candidates=1,
        outcome=report_pb2.OUTCOME_OK,
        evidence=report_pb2.Evidence(exit_code=0),
        runtime_ms=START_UP_MS + net,
        net_runtime_ms=net,
        peak_memory_mb=START_UP_MB + 8 * n / (1 << 20),
    )


def _steps(function: report_pb2.GrowthFunction, n: int) -> float:
    try:
        if function.growth_class == report_pb2.GROWTH_CLASS_POWER:
            return float(n**function.exponent)
        if function.HasField("base"):
            return float(function.base**n)
        shape = SHAPES[function.growth_class]
        # Logarithms need n above 1, and a small n makes no difference to a time.
        n = max(n, 2)
        steep = (shape.base or 1.0) ** n * (math.gamma(n + 1) if shape.factorial else 1.0)
        return float(n**shape.power * math.log2(n) ** shape.logs * steep)
    except OverflowError:
        return math.inf


def _function(complexity: str) -> report_pb2.GrowthFunction:
    """Reads a complexity. Raises `ValueError`."""
    inside = re.fullmatch(r"O\((.+)\)", complexity)
    name = inside[1] if inside else ""
    if base := re.fullmatch(r"(\d+(?:\.\d+)?)\^n", name):
        # 2.0^n is 2^n, whose class has no base.
        name = f"{float(base[1]):g}^n"
    for growth_class, known in FUNCTIONS.items():
        if name == known:
            return report_pb2.GrowthFunction(growth_class=growth_class)
    if power := re.fullmatch(r"n\^(\d+(?:\.\d+)?)", name):
        growth_class = report_pb2.GROWTH_CLASS_POWER
        return report_pb2.GrowthFunction(growth_class=growth_class, exponent=float(power[1]))
    if base and float(base[1]) > 1:
        growth_class = report_pb2.GROWTH_CLASS_EXPONENTIAL
        return report_pb2.GrowthFunction(growth_class=growth_class, base=float(base[1]))
    allowed = ", ".join(f"O({name})" for name in FUNCTIONS.values())
    raise ValueError(
        f"{complexity!r} is unknown; use one of {allowed}, a power such as O(n^1.58), or an "
        "exponential such as O(3.7^n)"
    )
