"""Whether a program meets the constraints of its task."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import complexity, growth
from swiftsolve_profiler.report.names import outcome, size_bound
from swiftsolve_profiler.report.verdict.amounts import MEMORIES, TIMES, quantity
from swiftsolve_profiler.report.verdict.answers import judge_answers, judge_compilation
from swiftsolve_profiler.report.verdict.judgement import Judgement, all_of
from swiftsolve_profiler.report.verdict.order import is_faster, order
from swiftsolve_profiler.report.verdict.sentence import is_failure, objection_if_starved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swiftsolve_profiler.report.verdict.case import CaseResult

    Constraints = Mapping[str, Any] | BaseModel
    """The constraints of a plan, or a task: its fields, or a model of this package or SwiftSolve.

    A plan has `runtime_limit` in milliseconds and `memory_limit` in MiB, a task `time_limit_ms` and
    `memory_limit_mb`. Both may have `expected_complexity`, such as "O(n log n)".
    """

_log = logging.getLogger("swiftsolve_profiler")

_RUNTIME: Final = ("runtime_limit", "time_limit_ms")
_MEMORY: Final = ("memory_limit", "memory_limit_mb")
_COMPLEXITY: Final = ("expected_complexity",)
_TESTS: Final = ("test_cases", "unit_tests")
_NO_VERDICT: Final = frozenset({"UNSPECIFIED", "NOT_RUN", "INTERACTOR_FAILED"})
"""The outcomes that say nothing about the program."""


def meets(
    report: pb.ProfileReport,
    cases: Sequence[CaseResult],
    constraints: Constraints,
    bound: int | None = None,
) -> Judgement:
    """Judges a report by its test cases, and then by its figures.

    `bound` is the bound of n in the job, if it is known.
    """
    given = _fields(constraints)
    if (compiled := judge_compilation(report)) is not None:
        return compiled
    answers = judge_answers(report, cases)
    parts = [] if answers is None else [answers]
    if starved := objection_if_starved(report):
        parts.append(Judgement(None, starved.rstrip(".")))
    parts += _figures(report, given, bound)
    if answers is None and "task_id" in given and _first(given, _TESTS):
        parts.append(Judgement(None, "no test case was run"))
    found = all_of(parts)
    if found and answers is None:
        return Judgement(True, "; ".join(filter(None, (found.reason, "no test case was run"))))
    return found


def judge_figures(
    report: pb.ProfileReport, constraints: Constraints, bound: int | None = None
) -> Judgement:
    """Judges a report as `meets` does, but by its figures alone."""
    return all_of(_figures(report, _fields(constraints), bound))


def _fields(constraints: Constraints) -> dict[str, Any]:
    """Returns the fields, those of a problem's `constraints` included."""
    given = dict(constraints if isinstance(constraints, Mapping) else constraints.model_dump())
    if "task_id" in given:
        return given | (given.get("constraints") or {})
    if unknown := given.keys() - {*_RUNTIME, *_MEMORY, *_COMPLEXITY}:
        _log.warning("unknown constraints are ignored: %s", ", ".join(sorted(unknown)))
    return given


def _figures(
    report: pb.ProfileReport, given: Mapping[str, Any], bound: int | None
) -> list[Judgement]:
    """Judges whether every size ended OK, and then each constraint."""
    if bound is None and "task_id" in given:
        bound = size_bound(given.get("input_bounds") or {})
    runtime, memory = _first(given, _RUNTIME), _first(given, _MEMORY)
    parts = list(_measured(report, runtime, memory))
    if runtime is not None:
        parts.append(_time(report, float(runtime), bound))
    if memory is not None:
        parts.append(_space(report, float(memory), bound))
    if expected := _first(given, _COMPLEXITY):
        parts.append(_class(report.growth.time, str(expected)))
    return parts


def _first(given: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((given[name] for name in names if given.get(name) is not None), None)


def _measured(
    report: pb.ProfileReport, runtime: float | None, memory: float | None
) -> Iterator[Judgement]:
    """Judges the first size that did not end OK, and whether anything was tried."""
    failed = next((size for size in report.sizes if is_failure(report, size)), None)
    if failed is None:
        if not report.sizes and not report.test_cases:
            yield Judgement(None, "no size was measured")
        return
    ended, at = outcome(failed), f"at n = {failed.size}"
    if ended in _NO_VERDICT:
        yield Judgement(None, f"{ended} {at}")
        return
    evidence = failed.evidence
    limit, units = (runtime, TIMES) if ended == "TIME_LIMIT" else (memory, MEMORIES)
    is_limit = ended in ("TIME_LIMIT", "MEMORY_LIMIT") and limit is not None
    if is_limit and evidence.HasField("limit_value") and evidence.limit_value < float(limit or 0):
        stopped = f"was stopped at {quantity(evidence.limit_value, units)} {at}"
        yield Judgement(
            None, f"{stopped}, before the limit of {quantity(float(limit or 0), units)}"
        )
        return
    yield Judgement(False, f"{ended} {at}")


def _time(report: pb.ProfileReport, limit: float, bound: int | None) -> Judgement:
    figures = [(size.runtime_ms, size.size) for size in report.sizes if size.HasField("runtime_ms")]
    return _figure("takes", figures, report.growth.time, (limit, TIMES), bound)


def _space(report: pb.ProfileReport, limit: float, bound: int | None) -> Judgement:
    sizes = [size for size in report.sizes if size.HasField("peak_memory_mb")]
    figures = [(size.peak_memory_mb, size.size) for size in sizes]
    return _figure("holds", figures, report.growth.memory, (limit, MEMORIES), bound)


def _figure(
    does: str,
    figures: list[tuple[float, int]],
    grows: pb.GrowthClassification,
    within: tuple[float, tuple[tuple[float, str], ...]],
    bound: int | None,
) -> Judgement:
    """Compares the largest figure with a limit, and then the one predicted at the bound of n."""
    limit, units = within
    most = f"the limit of {quantity(limit, units)}"
    known = [figure for figure in figures if math.isfinite(figure[0])]
    if not known:
        return Judgement(None, f"how much it {does} is unknown")
    value, size = max(known)
    told = f"{does} {quantity(value, units)} at n = {size}"
    if value > limit:
        return Judgement(False, f"{told}, over {most}")
    if grows.HasField("prediction") and not math.isnan(grows.prediction.value):
        found = grows.prediction
        told = f"{does} about {quantity(found.value, units)} at n = {found.size}"
        low, high = found.interval.low, found.interval.high
        if not found.HasField("interval"):
            low = high = found.value
        if low > limit:
            return Judgement(False, f"{told}, over {most}")
        if high > limit:
            return Judgement(None, f"{told}: cannot tell whether it is within {most}")
    elif bound is not None and bound > max(size for _, size in known):
        amount = f"how much it {does} at n = {bound}"
        return Judgement(None, f"{amount} was neither measured nor predicted")
    return Judgement(True, f"{told}, within {most}")


def _class(time: pb.GrowthClassification, expected: str) -> Judgement:
    """Compares the likely classes of the time with the expected one."""
    allowed = order(expected)
    if allowed is None:
        return Judgement(None, f"the expected {expected} cannot be compared")
    found = growth(time)
    rivals = [complexity(rival.curve.function) for rival in time.rivals]
    names = [found.complexity] if found.complexity else rivals or [n for n, _ in found.ranking]
    orders = [order(name) for name in names if name]
    if not orders or None in orders:
        return Judgement(None, f"cannot tell how time grows: {found.why.rstrip('.')}")
    faster = [is_faster(one, allowed) for one in orders if one is not None]
    told = f"time grows like {' or '.join(name[2:-1] for name in names if name)}"
    if not any(faster):
        return Judgement(True, f"{told}, within the expected {expected}")
    if all(faster):
        return Judgement(False, f"{told}, faster than the expected {expected}")
    return Judgement(None, f"{told}: cannot tell whether it is within the expected {expected}")
