"""Reports for the tests."""

from __future__ import annotations

import math

from swiftsolve_profiler import FullReport
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import report_pb2 as pb

WRONG = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=False, answer=b"4\n")
RIGHT = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=True)
NOT_RUN = pb.TestCaseResult(outcome=pb.OUTCOME_NOT_RUN)
NOT_JUDGED = pb.TestCaseResult(
    outcome=pb.OUTCOME_OK, verdict=pb.TEST_VERDICT_NOT_RUN, reason="its answer is too long"
)
LATE = pb.TestCaseResult(outcome=pb.OUTCOME_TIME_LIMIT)
LINEAR = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_LINEAR)
QUADRATIC = pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_QUADRATIC)


def statistics(median: float) -> pb.Statistics:
    interval = pb.Interval(low=median * 0.9, high=median * 1.1, level=0.95)
    return pb.Statistics(median=median, count=5, interval=interval)


def ok(n: int, candidate: int, ms: float, mb: float) -> pb.SizeResult:
    headline = pb.Headline(ms=ms, interval=pb.Interval(low=ms * 0.9, high=ms * 1.2, level=0.95))
    figures = pb.Figures(
        wall_ms=statistics(ms + 1),
        cpu_ms=statistics(ms),
        peak_memory_mb=statistics(mb),
        headline=headline,
    )
    return pb.SizeResult(
        size=n,
        candidate=candidate,
        outcome=pb.OUTCOME_OK,
        evidence=pb.Evidence(exit_code=0),
        runtime_ms=ms,
        peak_memory_mb=mb,
        figures=figures,
        net_runtime_ms=ms - 0.5,
        below_noise_floor=False,
        instructions=1 << 60,
        stdout=pb.Output(bytes=7),
    )


def two_candidates() -> FullReport:
    """Sizes 0, 10 and 100; the second candidate reaches its time limit at 100."""
    sizes = [ok(n, c, 0.1 * n * (c + 1), 3.0 + n / 10) for n in (0, 10) for c in (0, 1)]
    sizes.append(ok(100, 0, 10.0, 13.0))
    late = pb.Evidence(
        limit=pb.LIMIT_KIND_TIME,
        limit_value=2000,
        met_value=2001,
        unit=pb.UNIT_MS,
        signal="SIGKILL",
    )
    sizes.append(
        pb.SizeResult(
            size=100,
            candidate=1,
            outcome=pb.OUTCOME_TIME_LIMIT,
            evidence=late,
            runtime_ms=math.inf,
            peak_memory_mb=math.inf,
        )
    )
    report = pb.ProfileReport(
        task_id="t",
        iteration=1,
        input_sizes=[0, 10, 100],
        runtime_ms=[0.0, 2.0, math.inf],
        peak_memory_mb=[3.0, 4.0, math.inf],
        hotspots={"_crash": "TIME_LIMIT"},
        sizes=sizes,
        candidates=["random", "worst"],
    )
    report.timestamp_utc.FromSeconds(1_700_000_000)
    return FullReport(report)


def classified(
    time: pb.GrowthClassification, memory: pb.GrowthClassification | None = None
) -> FullReport:
    """One size, and how time and memory grow."""
    growth = pb.GrowthReport(time=time, memory=memory or pb.GrowthClassification())
    report = pb.ProfileReport(task_id="t", sizes=[ok(10, 0, 1.0, 3.0)], growth=growth)
    return FullReport(report)


def based(base: float) -> pb.GrowthFunction:
    """An exponential with this base."""
    return pb.GrowthFunction(growth_class=pb.GROWTH_CLASS_EXPONENTIAL, base=base)


def grown(function: pb.GrowthFunction, **more: object) -> FullReport:
    time = pb.GrowthClassification(function=function, confidence=0.9, **more)  # type: ignore[arg-type]
    report = classified(time)
    report.message.test_cases.append(RIGHT)
    return report


def with_tests(
    *results: pb.TestCaseResult, expected: str | None = "3\n", sizes: int = 1
) -> FullReport:
    """A report of test cases, each with the same input and expected output, and of sizes."""
    report = pb.ProfileReport(test_cases=results, sizes=[ok(10, 0, 1.0, 3.0)] * sizes)
    test = job_pb2.TestCase(input="1 2\n", output=expected or "")
    return FullReport(report, (test,) * len(results) if expected is not None else ())
