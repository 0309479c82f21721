"""The summary of a report: one sentence, and one more for each class that is undecided."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import Growth, growth
from swiftsolve_profiler.report.names import outcome
from swiftsolve_profiler.report.verdict.amounts import MEMORIES, TIMES, quantity
from swiftsolve_profiler.report.verdict.answers import judge_answers, judge_compilation
from swiftsolve_profiler.report.verdict.case import CaseResult
from swiftsolve_profiler.report.verdict.judgement import Judgement
from swiftsolve_profiler.report.verdict.leaks import lost
from swiftsolve_profiler.report.verdict.reach import largest_size

_TRIVIAL = 1
"""The largest n that should be no effort for any program."""


def sentence(report: pb.ProfileReport, cases: Sequence[CaseResult] = ()) -> str:
    """Returns the summary, with the parts that the report has.

    For example: "time grows like n log n (confidence 0.93); memory grows like n (confidence 0.77)".
    An undecided class is a sentence of its own, which ends its line. The verdict of the test cases
    comes first. If the program lacked its input, or reads to the end of an input that nobody
    declared, the next line says so. For a program that does not compile, the summary says only
    that. If only the verdict counts, no size is measured, and the verdict is the summary.
    """
    compiled = judge_compilation(report)
    if compiled is not None:
        return f"{compiled.reason}.\nno size was measured"
    answers = judge_answers(report, cases)
    verdict = "" if answers is None else f"{answers.reason}.\n"
    return (verdict + objection(report) + figures(report, answers)).removesuffix("\n")


def figures(report: pb.ProfileReport, answers: Judgement | None) -> str:
    """Returns the part about the measured sizes and the growth."""
    if nothing := nothing_measured(report, answers):
        return nothing
    sizes = report.sizes
    if not sizes and answers is not None:
        return ""
    parts = _growth(report) if report.HasField("growth") else []
    failed = [size for size in sizes if is_failure(report, size)]
    is_unclassified = not parts
    parts += lost(report)
    if failed or is_unclassified:
        ok = sum(outcome(size) == "OK" for size in sizes)
        parts.append(f"{ok} of {len(sizes)} size{'' if len(sizes) == 1 else 's'} ended OK")
    if failed:
        parts.append(f"{outcome(failed[0])} at n = {failed[0].size}")
    return "; ".join(parts).replace(".; ", ".\n") + _question_of_zero(report)


def is_failure(report: pb.ProfileReport, size: pb.SizeResult) -> bool:
    """Returns whether a size did not end OK. A failure at n = 0 alone does not count.

    Many tasks do not allow n = 0. The failure counts if the next size of its candidate failed too.
    """
    if outcome(size) == "OK":
        return False
    if size.size > 0 or outcome(size) == "NOT_RUN":
        return True
    larger = (it for it in report.sizes if it.candidate == size.candidate and it.size > 0)
    following = min(larger, key=lambda it: it.size, default=None)
    return following is None or outcome(following) != "OK"


def _question_of_zero(report: pb.ProfileReport) -> str:
    """Returns a line that asks about n = 0 if the program fails there alone; else nothing."""
    for size in report.sizes:
        if outcome(size) != "OK" and not is_failure(report, size):
            return f"\nDoes the task allow n = 0? The program fails there: {outcome(size)}."
    return ""


def nothing_measured(report: pb.ProfileReport, answers: Judgement | None) -> str:
    """Explains why no size ended OK, if the test cases or an endless loop are the reason."""
    sizes = report.sizes
    is_right = answers is None or answers.met is True
    if not is_right and sizes and all(outcome(size) == "NOT_RUN" for size in sizes):
        is_wrong = answers is not None and answers.met is False
        why = "the program is wrong" if is_wrong else "not every test has a verdict"
        return f"no size was measured, because {why}"
    if _is_endless(report):
        is_declared = not report.input_check.HasField("default_input")
        return (
            f"even n = {sizes[0].size} does not end within the time limit: an endless loop, "
            "or a loop that waits for more input; correct the loop"
            + ("" if is_declared else ", or declare the input with input_specs=")
        )
    return ""


def _is_endless(report: pb.ProfileReport) -> bool:
    """Returns whether no size ended OK, and a trivial size reached the time limit."""
    sizes = report.sizes
    nothing_ok = sizes and all(outcome(size) != "OK" for size in sizes)
    return bool(nothing_ok) and sizes[0].size <= _TRIVIAL and outcome(sizes[0]) == "TIME_LIMIT"


def objection(report: pb.ProfileReport) -> str:
    """Returns the objection to read before any figure; empty if the program had its input."""
    check = report.input_check
    if not check.HasField("default_input") and not check.HasField("opened_file"):
        return ""
    if check.input_use == pb.INPUT_USE_STARVED:
        return f"{objection_if_starved(report)}\n"
    fed = json.dumps(check.default_input)
    if check.input_use == pb.INPUT_USE_READS_TO_END:
        return (
            f"note: the program reads its input to the end, and was fed only {fed}. "
            "If its task has more input, declare it with input_specs=.\n"
        )
    return ""


def objection_if_starved(report: pb.ProfileReport) -> str:
    """Returns the objection that the program lacked input; empty if it had its input."""
    check = report.input_check
    if check.input_use != pb.INPUT_USE_STARVED:
        return ""
    if check.HasField("opened_file"):
        written = f" and output_file={check.written_file!r}" if check.written_file else ""
        return (
            "The program was not measured on its task: it reads nothing of its input, and opens "
            f"{check.opened_file}. Name the file with input_file={check.opened_file!r}{written}."
        )
    if not check.HasField("default_input"):
        return f"At n = {check.size} the program asked for more input than it was fed."
    return (
        "The program was not measured on its task: it was fed only "
        f"{json.dumps(check.default_input)} and asked for more. "
        "Declare its input with input_specs=, or use interactor= if it talks to a judge."
    )


def _growth(report: pb.ProfileReport) -> list[str]:
    """Returns the clauses about time and memory. A reason that both share is said once."""
    found = report.growth
    time, memory = growth(found.time), growth(found.memory)
    predicted = found.time.HasField("prediction") or found.memory.HasField("prediction")
    if time.complexity is memory.complexity is None and time.why == memory.why and not predicted:
        return [_unknown("time and memory grow", time), *largest_size(report)]
    parts = []
    for what, message, known, units in (
        ("time", found.time, time, TIMES),
        ("memory", found.memory, memory, MEMORIES),
    ):
        parts.append(clause(what, known))
        if message.HasField("prediction") and not math.isnan(message.prediction.value):
            # The clause of an undecided class ends as a sentence, so this one must name its
            # subject.
            subject = f"{what} " if known.complexity is None else ""
            parts.append(subject + _prediction(message.prediction, units))
        if what == "time":
            parts += largest_size(report)
    return parts


def _unknown(what_grows: str, found: Growth) -> str:
    return f"cannot tell how {what_grows}: {found.why}."


def clause(what: str, found: Growth) -> str:
    """Returns the clause about the growth of time or memory."""
    if found.complexity is None:
        return _unknown(f"{what} grows", found)
    confidence = f" (confidence {found.confidence:.2f})"
    if found.complexity == "O(1)":
        return f"{what} does not grow with n{confidence}"
    function = found.message.function
    if function.HasField("base"):
        return f"{what} grows exponentially, with a base of about {function.base:.1f}{confidence}"
    return f"{what} grows like {found.complexity[2:-1]}{confidence}"


def _prediction(found: pb.GrowthPrediction, units: tuple[tuple[float, str], ...]) -> str:
    """Names the figure at the bound of n, and whether it is within the limit."""
    at = f"at n = {found.size} about {quantity(found.value, units)}"
    if found.limit <= 0:
        return at
    limit = f"the limit of {quantity(found.limit, units)}"
    if not found.HasField("fits"):
        return f"{at}: cannot tell whether it is within {limit}"
    return f"{at}: {'within' if found.fits else 'over'} {limit}"
