"""The results of test cases, and the words of judges for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.compiler import does_not_compile
from swiftsolve_profiler.report.names import outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swiftsolve_profiler._gen import job_pb2

_CUT: Final = 4096
"""The length in bytes from which on a wrong answer may have been cut off."""
_VERDICTS: Final = {
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
    """Whether the answer is right. None unless the program ended OK, so a test case that did not
    run is never correct. None also if the checker failed."""
    answer: str
    """The first 4 KiB of a wrong answer. Empty if the answer is right, or if there is none."""
    input: str | None
    """The input. None if another client submitted the job."""
    expected: str | None
    """The expected output. None if another client submitted the job."""
    message: str = ""
    """The first line of the checker program, or its fault."""
    points: float | None = None
    """The points of the checker program, if it gave any."""

    @property
    def verdict(self) -> str:
        """The word of online judges: "AC", "WA", "PE", "TLE", "MLE", "RE", "CE" or "NOT_RUN".

        "PE" is a wrong answer that has the expected words, which only the checker "exact" refuses.
        A wrong answer that is too long to be known whole is "WA", and so is an interaction that the
        interactor rejected. Too much output is "RE". If the interactor or the checker failed, the
        verdict is "NOT_RUN".
        """
        if self.outcome != "OK":
            return _VERDICTS.get(self.outcome, "NOT_RUN")
        if self.correct is None:
            return "NOT_RUN"
        if self.correct:
            return "AC"
        if self.expected is None or len(self.answer.encode()) >= _CUT:
            return "WA"
        return "PE" if self.expected.split() == self.answer.split() else "WA"


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
        result = report.test_cases[at] if at < len(report.test_cases) else None
        ended = missing if result is None else outcome(result)
        answered = result is not None and ended == "OK" and result.HasField("correct")
        found.append(
            CaseResult(
                number=at + 1,
                outcome=ended,
                correct=result.correct if result is not None and answered else None,
                answer="" if result is None else result.answer.decode(errors="replace"),
                input=tests[at].input if at < len(tests) else None,
                expected=tests[at].output if at < len(tests) else None,
                message="" if result is None else result.checker_message,
                points=result.points if result is not None and result.HasField("points") else None,
            )
        )
    return found
