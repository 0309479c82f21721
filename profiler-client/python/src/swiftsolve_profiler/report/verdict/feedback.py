"""Feedback to a coder for the next attempt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.compiler import FILE, failed_step
from swiftsolve_profiler.report.growth import growth
from swiftsolve_profiler.report.hints import explain_warning
from swiftsolve_profiler.report.names import optional, shown
from swiftsolve_profiler.report.verdict.answers import (
    first_failure,
    judge_answers,
    judge_compilation,
    quoted,
)
from swiftsolve_profiler.report.verdict.constraints import judge_figures
from swiftsolve_profiler.report.verdict.reach import largest_size
from swiftsolve_profiler.report.verdict.sentence import (
    clause,
    figures,
    nothing_measured,
    objection,
    objection_if_starved,
)

if TYPE_CHECKING:
    from swiftsolve_profiler.report.verdict.case import CaseResult
    from swiftsolve_profiler.report.verdict.constraints import Constraints
    from swiftsolve_profiler.report.verdict.judgement import Judgement

_INPUT: Final = 400
"""The maximum length of a quoted input, in characters."""
_SOURCE: Final = 120
"""The maximum length of a quoted line of source, in characters."""
_CLEARLY_WORSE: Final = 1.1
"""The cost from which on the worst input is clearly worse, as a multiple of a random input's."""
_SHARES: Final = {
    pb.HOTSPOTS_METHOD_INSTRUCTIONS: " of the instructions",
    pb.HOTSPOTS_METHOD_GPROF: " of the samples",
}
"""What the share of a line is a part of, for each method that finds hotspots."""


def feedback(
    report: pb.ProfileReport,
    cases: Sequence[CaseResult],
    max_chars: int,
    constraints: Constraints | None = None,
    bound: int | None = None,
) -> str:
    """Returns the parts that the report has, the most important ones first, as long as they fit.

    If not even the first part fits, its beginning is returned.

    `bound` is the bound of n in the job, if it is known.
    """
    text = ""
    for part in map(shown, _parts(report, cases, constraints, bound)):
        longer = f"{text}\n{part}" if text else part
        if len(longer) > max_chars:
            return text or _cut(part, max_chars)
        text = longer
    return text


def _cut(text: str, most: int) -> str:
    return text[: most - 1].rstrip() + "…" if most > 0 else ""


def _parts(
    report: pb.ProfileReport,
    cases: Sequence[CaseResult],
    constraints: Constraints | None,
    bound: int | None,
) -> Iterator[str]:
    if (compiled := judge_compilation(report)) is not None:
        step = failed_step(report)
        first, *others = (step.error_text or step.output).rstrip().split("\n")
        yield f"{compiled.reason}:\n{first}"
        yield from others
        return
    answers = judge_answers(report, cases)
    if answers is not None:
        yield f"{answers.reason}."
    failed = first_failure(cases)
    if failed is not None and failed.input is not None:
        yield f"input of test {failed.number}: {quoted(failed.input, _INPUT)}"
    if objected := objection(report).rstrip():
        yield objected
    yield from filter(None, _measured(report, answers, constraints, bound).split("\n"))
    yield from _failures(report)
    yield from _hottest(report)
    if report.HasField("advice"):
        yield from _advice(report.advice)
    if report.HasField("worst"):
        yield from _worst(report, report.worst)


def _hottest(report: pb.ProfileReport) -> Iterator[str]:
    """Names the line with most instructions, and another one that clearly takes more time."""
    hotspots = report.hotspot_lines
    if not hotspots:
        return
    yield f"hottest {_line_share(report, hotspots[0])}"
    differing = [hotspot for hotspot in hotspots if hotspot.time_differs]
    slowest = max(differing, key=lambda hotspot: hotspot.time_share, default=hotspots[0])
    if slowest.time_share > hotspots[0].time_share:
        yield f"slowest {_line_share(report, slowest)}"


def _line_share(report: pb.ProfileReport, hotspot: pb.Hotspot) -> str:
    """Describes the cost of a line; its time only if its instructions do not tell it."""
    source = _source(report, hotspot.line, hotspot.file) or hotspot.function
    of_what = _SHARES.get(report.hotspots_method, "")
    time = f", {hotspot.time_share:.0%} of the time (sampled)" if hotspot.time_differs else ""
    line = f"{hotspot.line}{_of_file(report, hotspot.file)}"
    return f"line {line}, {hotspot.self_share:.0%}{of_what}{time}: {source}"


def _failures(report: pb.ProfileReport) -> Iterator[str]:
    """Says where and why the program fails."""
    for warning in report.warnings:
        if warning.code == pb.WARNING_CODE_RUNTIME_FAILURE:
            yield f"at n = {warning.size} {explain_warning(warning)}"
            break
    if report.sanitizer.HasField("finding") and not _is_found_at_fault(report):
        yield _sanitized(report)
    if report.fault.calls:
        yield _failed(report)


def _measured(
    report: pb.ProfileReport,
    answers: Judgement | None,
    constraints: Constraints | None,
    bound: int | None,
) -> str:
    """Returns the growth, compared with the constraints if there are any that can be compared."""
    is_unknown = nothing_measured(report, answers) or objection_if_starved(report)
    is_judged = report.sizes and not is_unknown
    judged = judge_figures(report, constraints, bound) if constraints and is_judged else None
    if judged is None or not judged.reason:
        return figures(report, answers)
    time = report.growth.time
    known = growth(time)
    is_told = known.complexity is None or "time grows" in judged.reason
    parts = [] if is_told else [clause("time", known)]
    return "; ".join([*parts, judged.reason, *largest_size(report)])


def _of_file(report: pb.ProfileReport, file: str) -> str:
    """Names the file after the number of a line, unless it is the submitted source."""
    return f" of {file}" if any(other.path == file for other in report.files) else ""


def _source(report: pb.ProfileReport, line: int, file: str) -> str:
    """Returns a line of a file of the program, counted from 1; empty if there is no such line."""
    texts = {other.path: other.text for other in report.files}
    main = report.code_cpp if PurePosixPath(file).name in ("", FILE) else ""
    # A compiler ends lines at "\n" alone, unlike `str.splitlines`.
    lines = texts.get(file, main).split("\n")
    return lines[line - 1].strip()[:_SOURCE] if 0 < line <= len(lines) else ""


def _failed(report: pb.ProfileReport) -> str:
    """Names the line of the crash, and what a sanitizer found there, or that of an endless loop."""
    fault = report.fault
    call = fault.calls[0]
    failed = "it takes too long" if fault.HasField("stopped_ms") else "it crashes"
    line = f"{call.line}{_of_file(report, call.file)}"
    found = f" ({_found(report.sanitizer)})" if _is_found_at_fault(report) else ""
    return f"{failed} in line {line}{found}: {_source(report, call.line, call.file)}"


def _is_found_at_fault(report: pb.ProfileReport) -> bool:
    """Returns whether a sanitizer found an error on the line of the crash."""
    if not report.fault.calls or report.fault.HasField("stopped_ms"):
        return False
    call, found = report.fault.calls[0], report.sanitizer.finding
    is_there = (call.line, call.file) == (found.line, found.file)
    return is_there and report.sanitizer.HasField("finding")


def _sanitized(report: pb.ProfileReport) -> str:
    found = report.sanitizer.finding
    function = f" ({found.function})" if found.function else ""
    line = f" in line {found.line}{_of_file(report, found.file)}{function}" if found.line else ""
    return f"{_found(report.sanitizer)}{line}"


def _found(run: pb.SanitizerRun) -> str:
    found = run.finding
    detail = f", {found.detail}" if found.detail else ""
    return f"with {found.sanitizer} at n = {run.size}: {found.kind}{detail}"


def _worst(report: pb.ProfileReport, found: pb.WorstInput) -> Iterator[str]:
    counted = found.goal in (job_pb2.WORST_GOAL_UNSPECIFIED, job_pb2.WORST_GOAL_INSTRUCTIONS)
    cost, random = found.instructions, found.random.median
    if not counted:
        cost, random = found.cost, found.random_cost.median
    if not cost:
        return
    ratio = optional(found, "ratio")
    if ratio is None and random:
        ratio = cost / random
    if found.HasField("measured_size") and ratio is not None and ratio < _CLEARLY_WORSE:
        tried = f"{found.searched_executions:,} tried"
        yield f"no input found that costs clearly more than random ({tried}); that proves nothing"
        return
    size = found.measured_size or found.searched_size
    times = "" if ratio is None else f", {ratio:.3g} times that of a random one"
    if found.HasField("start_up_instructions"):
        times += f", both without the start-up of {found.start_up_instructions}"
    looks = "; ".join(found.looks) or "its seed alone makes it the worst"
    yield f"worst input found at n = {size} ({looks}): its cost is {cost}{times}"
    if found.HasField("line"):
        slow = found.line
        line = f"{slow.line}{_of_file(report, slow.file)}"
        yield f"it is slow on line {line}: {_source(report, slow.line, slow.file)}"
    if found.input:
        yield f"it begins with {quoted(found.input.decode(errors='replace'), _INPUT)}"


def _advice(found: pb.Advice) -> Iterator[str]:
    for change in found.given:
        line = f" (line {change.line})" if change.HasField("line") else ""
        yield (
            f"tried: {change.found}{line}: {change.remedy} makes it "
            f"{change.speedup.times:.2f} times as fast, with the same output\n"
            f"  {change.before.strip()[:_SOURCE]} -> {change.after.strip()[:_SOURCE]}"
        )
    if found.HasField("together"):
        all_given = f"all {len(found.given)} changes together make it"
        yield f"tried: {all_given} {found.together.times:.2f} times as fast"
    for change in found.refused:
        yield f"tried without success: {change.found}: {change.remedy}: {change.why_not}"
