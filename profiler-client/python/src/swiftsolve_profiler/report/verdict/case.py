"""The results of test cases, and the words of judges for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.compiler import does_not_compile
from swiftsolve_profiler.report.names import optional, outcome, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swiftsolve_profiler._gen import job_pb2

_CUT: Final = 4096
"""The length in bytes from which on a wrong answer may have been cut off."""
_WORDS: Final = {
    "accepted": "AC",
    "wrong_answer": "WA",
    "presentation_error": "PE",
    "time_limit": "TLE",
    "memory_limit": "MLE",
    "runtime_error": "RE",
    "not_run": "NOT_RUN",
}
"""The word of judges for each verdict of the wire."""
_OUTCOMES: Final = {
    "TIME_LIMIT": "TLE",
    "MEMORY_LIMIT": "MLE",
    "OUTPUT_LIMIT": "RE",
    "RUNTIME_ERROR": "RE",
    "PROTOCOL_ERROR": "WA",
    "COMPILE_ERROR": "CE",
}
"""The word of judges for each outcome but "OK". Outcomes that are not listed are "NOT_RUN"."""


@dataclass(frozen=True)
class CaseResult:
    """The result of one test case."""

    number: int
    """The number of the test case, from 1."""
    outcome: str
    """The outcome of the program: "OK", "TIME_LIMIT", "RUNTIME_ERROR", "NOT_RUN", ...;
    "COMPILE_ERROR" if the program does not compile."""
    correct: bool | None
    """Whether the answer is right. None unless the program ended OK and the checker could judge the
    answer."""
    answer: str
    """The first 4 KiB of a wrong answer, for the first 100 of them; otherwise empty."""
    input: str | None
    """The input. None if another client submitted the job."""
    expected: str | None
    """The expected output. None as for `input`, or if the job has only its digest."""
    verdict: str
    """The word of online judges: "AC", "WA", "PE", "TLE", "MLE", "RE", "CE" or "NOT_RUN".

    "PE" is a wrong answer whose form alone the checker rejects.
    """
    reason: str
    """Why the verdict is "NOT_RUN"; otherwise empty."""
    runtime_ms: float | None
    """The time in milliseconds, on the clock of the time limit. None if unknown."""
    peak_memory_mb: float | None
    """The peak of memory in MiB. None if unknown."""
    instructions: int | None
    """The exact number of instructions, if they were counted."""
    own_instructions: int | None
    """The instructions outside libraries. None for static programs."""
    net_instructions: int | None
    """The instructions minus those of an empty program. None if unknown."""
    uncounted_reason: str
    """Reason for a right answer without instructions, if the job asks for them; otherwise empty."""
    message: str
    """The first line of the checker program."""
    points: float | None
    """The points of the checker program. None if it gave none."""


def case_results(
    report: pb.ProfileReport, tests: Sequence[job_pb2.TestCase] = ()
) -> list[CaseResult]:
    """Converts the results of test cases from the wire.

    `tests` are the test cases of the job, if they are known. A test case without a result did not
    run.
    """
    missing = "COMPILE_ERROR" if does_not_compile(report) else "NOT_RUN"
    found = []
    for at in range(max(len(report.test_cases), len(tests))):
        given = at < len(report.test_cases)
        result = report.test_cases[at] if given else pb.TestCaseResult()
        ended = outcome(result) if given else missing
        answered = ended == "OK" and result.HasField("correct")
        correct = result.correct if answered else None
        test = tests[at] if at < len(tests) else None
        expected = None if test is None or test.output_words_sha256 else test.output
        told = word(pb.TestVerdict, result.verdict)
        answer = result.answer.decode(errors="replace")
        found.append(
            CaseResult(
                number=at + 1,
                outcome=ended,
                correct=correct,
                answer=answer,
                input=None if test is None else test.input,
                expected=expected,
                verdict=_WORDS.get(told or "") or _implied(ended, correct, answer, expected),
                reason=result.reason,
                runtime_ms=optional(result, "runtime_ms"),
                peak_memory_mb=optional(result, "peak_memory_mb"),
                instructions=optional(result, "instructions"),
                own_instructions=optional(result, "own_instructions"),
                net_instructions=optional(result, "net_instructions"),
                uncounted_reason=result.uncounted_reason,
                message=result.checker_message,
                points=optional(result, "points"),
            )
        )
    return found


def _implied(ended: str, correct: bool | None, answer: str, expected: str | None) -> str:
    """Returns the word that follows from the other fields: older servers do not send it."""
    if ended != "OK":
        return _OUTCOMES.get(ended, "NOT_RUN")
    if correct is None:
        return "NOT_RUN"
    if correct:
        return "AC"
    if expected is None or len(answer.encode()) >= _CUT:
        return "WA"
    return "PE" if expected.split() == answer.split() else "WA"
