"""The verdict of the test cases, and of a checker on the outputs at the sizes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.compiler import does_not_compile, interactor_does_not_compile
from swiftsolve_profiler.report.names import shown
from swiftsolve_profiler.report.verdict.judgement import Judgement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swiftsolve_profiler.report.verdict.case import CaseResult

_QUOTED: Final = 60
"""The longest text that is quoted, in characters."""


def judge_compilation(report: pb.ProfileReport) -> Judgement | None:
    """Returns the judgement after a failed compilation. None if no compilation failed."""
    if does_not_compile(report):
        return Judgement(False, "the program does not compile")
    if interactor_does_not_compile(report):
        return Judgement(None, "the interactor does not compile")
    return None


def judge_answers(report: pb.ProfileReport, cases: Sequence[CaseResult]) -> Judgement | None:
    """Returns whether every test case has its expected answer, and no size has a rejected output.

    None if there is neither a test case nor such a size.
    """
    of_cases = _judge_cases(report, cases)
    if of_cases is not None and of_cases.met is False:
        return of_cases
    of_size = _wrong_size(report)
    return of_cases if of_size is None else of_size


def _wrong_size(report: pb.ProfileReport) -> Judgement | None:
    """Returns the judgement of the smallest size at which the checker rejects the output."""
    for size in report.sizes:
        check = size.output_check
        if check.HasField("correct") and not check.correct:
            said = check.checker_message or "the checker rejects the output"
            return Judgement(False, f"wrong at n = {size.size}: {said}")
    return None


def _judge_cases(report: pb.ProfileReport, cases: Sequence[CaseResult]) -> Judgement | None:
    if not cases:
        return None
    ran = [case for case in cases if case.verdict != "NOT_RUN"]
    wrong = [case for case in ran if not case.correct]
    if cases[0].outcome == "COMPILE_ERROR":
        return Judgement(False, "the program does not compile")
    of_all = f"of {len(cases)} test{'' if len(cases) == 1 else 's'}"
    not_judged = [case for case in cases if case.outcome == "OK" and case.correct is None]
    if wrong:
        not_run = len(cases) - len(ran) - len(not_judged)
        others = [(not_run, "not run"), (len(not_judged), "not judged")]
        left = ", ".join(f"{count} {what}" for count, what in others if count)
        first = _failure(report, wrong[0])
        left = f" ({left})" if left else ""
        return Judgement(False, f"wrong on {len(wrong)} {of_all}{left}; first: {first}")
    if not_judged:
        case = not_judged[0]
        why = f", because {case.reason}" if case.reason else ""
        return Judgement(None, f"no verdict: test {case.number} is not judged{why}")
    if len(ran) < len(cases):
        skipped = next((case for case in cases if case.reason), None)
        rest = f", because {skipped.reason}" if skipped else ""
        if ran:
            told = f"; test {skipped.number} was not run{rest}" if skipped else ""
            rest = f", and their answers are correct{told}"
        return Judgement(None, f"no verdict: {len(ran)} {of_all} ran{rest}")
    return Judgement(True, f"correct on {len(ran)} {of_all}")


def first_failure(cases: Sequence[CaseResult]) -> CaseResult | None:
    """Returns the first test case that ran and is not correct."""
    return next((c for c in cases if not c.correct and c.verdict != "NOT_RUN"), None)


def quoted(text: str, most: int = _QUOTED) -> str:
    """Quotes the beginning of a program's text on one line; leaves a single word as it is."""
    begin = shown(json.dumps(text[:most], ensure_ascii=False))
    begin += "…" if len(text) > most else ""
    return text if begin == f'"{text}"' and text.split() == [text] else begin


def _failure(report: pb.ProfileReport, case: CaseResult) -> str:
    """Describes a wrong answer, in the server's words if the report has them."""
    test = f"test {case.number} "
    for warning in report.warnings:
        if warning.code == pb.WARNING_CODE_WRONG_ANSWER and warning.message.startswith(test):
            return warning.message.rstrip()
    return test + _composed(case)


def _composed(case: CaseResult) -> str:
    if case.outcome != "OK":
        return f"ended with {case.outcome}"
    answer, expected = case.answer, case.expected
    if case.verdict != "PE" or case.message:
        # Blanks around an answer make no difference, unless the checker "exact" refuses them.
        answer, expected = answer.strip(), None if expected is None else expected.strip()
    gave = f"printed {quoted(answer) if answer else 'nothing'}"
    if not case.answer:
        # The program printed nothing, or the report left its answer out.
        gave = "gave a wrong answer"
    if case.message:
        return f"{gave}: {case.message}"
    if expected is None:
        return gave
    return f"{gave}, expected {quoted(expected) if expected else 'nothing'}"
