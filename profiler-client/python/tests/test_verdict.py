"""What a report says of its program: test cases and constraints."""

from __future__ import annotations

import math

import pytest
from figures import (
    LATE,
    LINEAR,
    NOT_JUDGED,
    NOT_RUN,
    QUADRATIC,
    RIGHT,
    WRONG,
    based,
    grown,
    two_candidates,
    with_tests,
)

from swiftsolve_profiler import FullReport, Judgement, TaskMetadata
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import SHAPES
from swiftsolve_profiler.report.verdict.order import order
from swiftsolve_profiler.testing import FakeProfiler


@pytest.mark.parametrize(
    ("results", "first"),
    [
        (
            (WRONG, RIGHT, LATE, RIGHT, RIGHT),
            "wrong on 2 of 5 tests; first: test 1 printed 4, expected 3.",
        ),
        ((RIGHT, RIGHT), "correct on 2 of 2 tests."),
        ((RIGHT,), "correct on 1 of 1 test."),
        (
            (RIGHT, LATE, NOT_RUN),
            "wrong on 1 of 3 tests (1 not run); first: test 2 ended with TIME_LIMIT.",
        ),
        (
            (RIGHT, NOT_RUN, NOT_RUN),
            "no verdict: 1 of 3 tests ran, and their answers are correct.",
        ),
        ((NOT_RUN,), "no verdict: 0 of 1 test ran."),
        (
            (pb.TestCaseResult(outcome=pb.OUTCOME_NOT_RUN, reason="the run ended before"),),
            "no verdict: 0 of 1 test ran, because the run ended before.",
        ),
        (
            (RIGHT, NOT_JUDGED, NOT_RUN),
            "no verdict: test 2 is not judged, because its answer is too long.",
        ),
        (
            (WRONG, NOT_JUDGED, NOT_RUN),
            "wrong on 1 of 3 tests (1 not run, 1 not judged); first: test 1 printed 4, expected 3.",
        ),
    ],
)
def test_the_first_sentence_is_the_verdict(
    results: tuple[pb.TestCaseResult, ...], first: str
) -> None:
    assert str(with_tests(*results)).split("\n") == [first, "1 of 1 size ended OK"]
    assert first[:-1] in with_tests(*results)._repr_html_()


@pytest.mark.parametrize(
    ("last", "met", "said"),
    [
        (RIGHT, True, "correct on 2 of 2 tests."),
        (WRONG, False, "wrong on 1 of 2 tests; first: test 2 printed 4, expected 3."),
        (NOT_RUN, None, "no verdict: 1 of 2 tests ran, and their answers are correct."),
    ],
)
def test_the_verdict_alone_is_a_report(
    last: pb.TestCaseResult, met: bool | None, said: str
) -> None:
    report = with_tests(RIGHT, last, sizes=0)
    assert str(report) == said
    assert (report.meets({}).met, report.meets({}).reason) == (met, said[:-1])
    feedback = report.feedback(constraints={"runtime_limit": 1000})
    assert feedback.startswith(said)
    assert not feedback.endswith("\n")
    assert "unknown" not in feedback
    assert "<table>" not in report._repr_html_()
    # Nobody knows how long it takes at a size.
    assert not report.meets({"runtime_limit": 1000})


def test_a_counted_test_case_has_its_instructions() -> None:
    counted = pb.TestCaseResult(
        outcome=pb.OUTCOME_OK,
        correct=True,
        instructions=1 << 60,
        own_instructions=7,
        net_instructions=9,
    )
    threads = pb.TestCaseResult(
        outcome=pb.OUTCOME_OK, correct=True, uncounted_reason="it makes a thread"
    )
    cases = with_tests(counted, threads, sizes=0).test_cases
    counts = [(it.instructions, it.own_instructions, it.net_instructions) for it in cases]
    assert counts == [(1 << 60, 7, 9), (None, None, None)]
    assert [case.uncounted_reason for case in cases] == ["", "it makes a thread"]


@pytest.mark.parametrize(
    ("last", "met", "why"),
    [(WRONG, False, "the program is wrong"), (NOT_RUN, None, "not every test has a verdict")],
)
def test_a_program_that_is_not_known_to_be_right_was_not_measured(
    last: pb.TestCaseResult, met: bool | None, why: str
) -> None:
    report = with_tests(RIGHT, last, sizes=0)
    report.message.sizes.add(size=10, outcome=pb.OUTCOME_NOT_RUN)
    assert str(report).endswith(f".\nno size was measured, because {why}")
    assert report.meets({}).met is met


def test_what_did_not_run_is_never_correct() -> None:
    lying = pb.TestCaseResult(outcome=pb.OUTCOME_NOT_RUN, correct=True)
    assert [case.correct for case in with_tests(lying).test_cases] == [None]
    # A server that ends early, or an older one, leaves out the results of what did not run.
    test = job_pb2.TestCase(input="1", output="1")
    short = FullReport(pb.ProfileReport(test_cases=[RIGHT]), (test,) * 3)
    assert [case.verdict for case in short.test_cases] == ["AC", "NOT_RUN", "NOT_RUN"]
    assert str(short).startswith("no verdict: 1 of 3 tests ran")
    assert short.meets({}).met is None


def test_a_report_of_another_clients_job_has_no_expected_output() -> None:
    report = with_tests(WRONG, expected=None)
    (case,) = report.test_cases
    assert (case.input, case.expected, case.answer, case.verdict) == (None, None, "4\n", "WA")
    assert str(report).startswith("wrong on 1 of 1 test; first: test 1 printed 4.\n")


def test_a_digest_does_not_tell_the_expected_output() -> None:
    test = job_pb2.TestCase(input="1", output_words_sha256=b"\n" * 32)
    report = FullReport(with_tests(WRONG).message, (test,))
    (case,) = report.test_cases
    assert (case.expected, case.verdict) == (None, "WA")
    assert str(report).startswith("wrong on 1 of 1 test; first: test 1 printed 4.\n")


WORDS = {
    pb.OUTCOME_UNSPECIFIED: "NOT_RUN",
    pb.OUTCOME_OK: "NOT_RUN",
    pb.OUTCOME_TIME_LIMIT: "TLE",
    pb.OUTCOME_MEMORY_LIMIT: "MLE",
    pb.OUTCOME_OUTPUT_LIMIT: "RE",
    pb.OUTCOME_RUNTIME_ERROR: "RE",
    pb.OUTCOME_PROTOCOL_ERROR: "WA",
    pb.OUTCOME_INTERACTOR_FAILED: "NOT_RUN",
    pb.OUTCOME_NOT_RUN: "NOT_RUN",
}


@pytest.mark.parametrize("outcome", pb.Outcome.values())
def test_an_outcome_has_the_word_of_judges(outcome: pb.Outcome.ValueType) -> None:
    report = with_tests(pb.TestCaseResult(outcome=outcome))
    (case,) = report.test_cases
    assert (case.verdict, case.correct) == (WORDS[outcome], None)
    # The program is not to blame for a case that did not run or has no verdict.
    not_run = case.verdict == "NOT_RUN"
    assert report.meets({}).met is (None if not_run else False)
    assert str(report).startswith("no verdict: " if not_run else "wrong on 1 of 1")
    assert ("input of test 1" in report.feedback()) is not not_run


def test_an_answer_has_the_word_of_judges() -> None:
    other_blanks = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=False, answer=b"3")
    report = with_tests(RIGHT, WRONG, other_blanks)
    assert [case.verdict for case in report.test_cases] == ["AC", "WA", "PE"]
    assert 'test 1 printed 3, expected "3\\n"' in str(with_tests(other_blanks))


def test_the_word_of_the_server_comes_first() -> None:
    told = pb.TestCaseResult(
        outcome=pb.OUTCOME_OK,
        correct=False,
        answer=b"4",
        verdict=pb.TEST_VERDICT_PRESENTATION_ERROR,
        runtime_ms=1.5,
        peak_memory_mb=3.25,
    )
    not_run = pb.TestCaseResult(
        outcome=pb.OUTCOME_NOT_RUN, verdict=pb.TEST_VERDICT_NOT_RUN, reason="an earlier one failed"
    )
    first, second, third = with_tests(told, not_run, WRONG).test_cases
    assert (first.verdict, first.runtime_ms, first.peak_memory_mb) == ("PE", 1.5, 3.25)
    assert (second.verdict, second.reason) == ("NOT_RUN", "an earlier one failed")
    # An older server sends none of this.
    assert (third.verdict, third.reason) == ("WA", "")
    assert (third.runtime_ms, third.peak_memory_mb) == (None, None)


@pytest.mark.parametrize("verdict", pb.TestVerdict.values()[1:])
def test_every_verdict_has_its_word(verdict: pb.TestVerdict.ValueType) -> None:
    result = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=True, verdict=verdict)
    (case,) = with_tests(result).test_cases
    words = ["AC", "WA", "PE", "TLE", "MLE", "RE", "NOT_RUN"]
    assert case.verdict == words[verdict - 1]


def test_the_checkers_message_is_told() -> None:
    said = "wrong answer 1st numbers differ"
    refused = pb.TestCaseResult(
        outcome=pb.OUTCOME_OK, correct=False, answer=b"4", checker_message=said
    )
    report = with_tests(refused)
    assert str(report).startswith(f"wrong on 1 of 1 test; first: test 1 printed 4: {said}.\n")
    half = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=True, points=0.5)
    (case,) = with_tests(half).test_cases
    assert (case.verdict, case.points, case.message) == ("AC", 0.5, "")


def test_an_output_that_the_checker_rejects_at_a_size_is_wrong() -> None:
    report = with_tests(RIGHT)
    check = report.message.sizes[0].output_check
    check.correct, check.checker_message = False, "the sum is 6"
    assert str(report).startswith("wrong at n = 10: the sum is 6.\n")
    assert report.meets({}).met is False
    check.correct = True
    assert str(report).startswith("correct on 1 of 1 test.\n")


def test_a_checker_that_failed_gives_no_verdict() -> None:
    failed = pb.TestCaseResult(outcome=pb.OUTCOME_OK, reason="the checker ended with SIGSEGV")
    report = with_tests(RIGHT, failed)
    assert [case.verdict for case in report.test_cases] == ["AC", "NOT_RUN"]
    why = "test 2 is not judged, because the checker ended with SIGSEGV"
    assert str(report).startswith(f"no verdict: {why}.\n")
    assert report.meets({}).met is None
    others = "wrong on 1 of 2 tests (1 not judged); first: "
    assert str(with_tests(WRONG, failed)).startswith(others)


def test_an_invalid_input_is_told() -> None:
    why = "its input is invalid: FAIL Expected integer"
    invalid = pb.TestCaseResult(outcome=pb.OUTCOME_NOT_RUN, reason=why)
    report = with_tests(RIGHT, invalid, NOT_RUN)
    told = f"1 of 3 tests ran, and their answers are correct; test 2 was not run, because {why}"
    assert str(report).startswith(f"no verdict: {told}.\n")


def test_an_answer_that_was_cut_has_no_words_to_compare() -> None:
    answers = (b"3" + b" " * 4094, b"3" + b" " * 4095)
    cut = [pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=False, answer=a) for a in answers]
    assert [case.verdict for case in with_tests(*cut).test_cases] == ["PE", "WA"]


def test_a_program_that_does_not_compile_fails_every_test() -> None:
    report = with_tests(expected=None, sizes=0)
    report.message.compile.error_text = "main.cpp:1:1: error: odd"
    report = FullReport(report.message, (job_pb2.TestCase(input="1", output="1"),) * 2)
    assert [case.verdict for case in report.test_cases] == ["CE", "CE"]
    assert str(report) == "the program does not compile.\nno size was measured"
    assert report.feedback() == "the program does not compile:\nmain.cpp:1:1: error: odd"
    assert report.meets({}).met is False
    untested = FullReport(report.message)
    assert str(untested) == str(report)
    assert untested.meets({}) == Judgement(False, "the program does not compile")


def test_an_interactor_that_does_not_compile_is_not_the_programs_fault() -> None:
    message = pb.ProfileReport(compile=pb.CompileStep(binary_bytes=9))
    message.interactor_compile.error_text = "interactor.cpp:1:1: error: odd"
    report = FullReport(message, (job_pb2.TestCase(input="1", output="1"),) * 2)
    assert [case.verdict for case in report.test_cases] == ["NOT_RUN", "NOT_RUN"]
    assert str(report) == "the interactor does not compile.\nno size was measured"
    told = "the interactor does not compile:\ninteractor.cpp:1:1: error: odd"
    assert report.feedback() == told
    assert report.meets({}) == Judgement(None, "the interactor does not compile")


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"\n", "printed nothing,"),
        (b"1 2\n", 'printed "1 2",'),
        ("é ñ".encode(), 'printed "é ñ",'),
        ("да".encode(), "printed да,"),
        (b"\x1b[31m", 'printed "\\u001b[31m",'),
        ("\u202e\x9b".encode(), 'printed "\\u202e\\u009b",'),
        (b"-4.5", "printed -4.5,"),
        (b"x" * 100, f'printed "{"x" * 60}"…,'),
    ],
)
def test_answers_are_quoted(answer: bytes, told: str) -> None:
    wrong = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=False, answer=answer)
    assert told in str(with_tests(wrong))


def test_foreign_text_does_not_act_on_a_terminal() -> None:
    report = with_tests(RIGHT, WRONG)
    said = "test 2 printed \x1b[2J\u200b\u202e"
    report.message.warnings.add(code=pb.WARNING_CODE_WRONG_ANSWER, message=said)
    escaped = "test 2 printed \\u001b[2J\\u200b\\u202e"
    judged = report.meets({})
    for told in (str(report), report.feedback(), str(judged), str(report.warnings[-1])):
        assert escaped in told
        assert "\x1b" not in told


def test_the_first_failure_is_told_in_the_servers_words() -> None:
    report = with_tests(RIGHT, WRONG, WRONG)
    said = "test 2 printed 4, which the checker rejects"
    for code, text in (
        (pb.WARNING_CODE_NOT_JUDGED, "test 2 is another warning"),
        (pb.WARNING_CODE_WRONG_ANSWER, "test 21 printed 5"),
        (pb.WARNING_CODE_WRONG_ANSWER, said),
        (pb.WARNING_CODE_WRONG_ANSWER, "test 3 printed 4"),
    ):
        report.message.warnings.add(code=code, message=text)
    assert str(report).startswith(f"wrong on 2 of 3 tests; first: {said}.\n")
    assert said in report.meets({}).reason
    assert said in report.feedback()


def test_an_answer_that_was_left_out_is_not_called_empty() -> None:
    left_out = pb.TestCaseResult(outcome=pb.OUTCOME_OK, correct=False)
    report = with_tests(left_out)
    assert str(report).startswith("wrong on 1 of 1 test; first: test 1 gave a wrong answer, exp")


def test_every_class_has_its_place_in_the_order() -> None:
    for shape in SHAPES.values():
        base = math.inf if shape.factorial else shape.base or 1
        assert order(f"O({shape.name})") == (base, shape.power, shape.logs)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("O(N*log(N))", "O(n log n)"),
        ("O(nlogn)", "O(n log n)"),
        ("O(m log2 m)", "O(n log n)"),
        ("Θ(n²)", "O(n^2)"),
        ("O(n √n)", "O(n sqrt n)"),
        ("O(2^N)", "O(2^n)"),
        ("O(n^1.50)", "O(n sqrt n)"),
        ("O(n**2)", "O(n^2)"),
        ("O(n ** 2)", "O(n^2)"),
        ("O(2**n)", "O(2^n)"),
        ("O(log(n)**2)", "O(log^2 n)"),
        ("O(n (log n)^2)", "O(n log^2 n)"),
        ("O(n log²(n))", "O(n log^2 n)"),
        ("O(n log2(n))", "O(n log n)"),
        ("O(n⁴)", "O(n^4)"),
        ("O(m⁹)", "O(n^9)"),
        ("O(n¹⁰)", "O(n^10)"),
        ("O(n \u00d7 log n)", "O(n log n)"),
        ("O(n⋅log(n))", "O(n log n)"),
        ("O(n·√n)", "O(n sqrt n)"),
        ("O(3n log n)", "O(n log n)"),
        ("O(2*2^n)", "O(2^n)"),
        ("O(n2^n)", "O(n 2^n)"),
    ],
)
def test_complexities_are_read_as_people_write_them(text: str, same: str) -> None:
    assert order(text) == order(same) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("O(n*m)", "O(n + m)", "fast", "O()", "O((n log n)^2)", "O(k^n)"),
        *("O(n2)", "O(n*2)", "O(n 2 n)", "O(log n 2)", "O(2^n2)", "O(n^n)", "O(2 3 n)"),
        *("O(sqrt(n log n))", "O(√(n log n))", "O(log(n*n))", "O(log(n log n))", "O(log(n**2))"),
        *(
            "O(log^2(n log n))",
            "O(sqrt(n)^2)",
            "O(log(log(n)))",
            "O(n^-1)",
            "O(2^(n/2))",
            "O(n log* n)",
        ),
    ],
)
def test_other_complexities_are_not_read(text: str) -> None:
    assert order(text) is None


def predicted(low: float, high: float) -> pb.GrowthPrediction:
    interval = pb.Interval(low=low, high=high)
    return pb.GrowthPrediction(size=1000, value=(low + high) / 2, interval=interval, limit=1)


AHEAD = grown(LINEAR, prediction=predicted(3, 5))


@pytest.mark.parametrize(
    ("report", "constraints", "met", "reason"),
    [
        (grown(LINEAR), {}, True, "correct on 1 of 1 test"),
        (
            grown(LINEAR),
            {"runtime_limit": 2},
            True,
            "takes 1 ms at n = 10, within the limit",
        ),
        (grown(LINEAR), {"runtime_limit": 0.5}, False, "takes 1 ms at n = 10, over the limit"),
        (
            grown(LINEAR),
            {"memory_limit": 2},
            False,
            "holds 3 MiB at n = 10, over the limit",
        ),
        (grown(LINEAR), {"expected_complexity": "O(n)"}, True, "time grows like n, within"),
        (grown(QUADRATIC), {"expected_complexity": "O(n)"}, False, "time grows like n^2, faster"),
        (grown(based(3.72)), {"expected_complexity": "O(3.7^n)"}, True, "within the expected"),
        (grown(based(1.65)), {"expected_complexity": "O(phi^n)"}, True, "within the expected"),
        (
            grown(based(3.72)),
            {"expected_complexity": "O(3.5^n)"},
            False,
            "faster than the expected",
        ),
        (grown(based(3.72)), {"expected_complexity": "O(n^9)"}, False, "faster than the"),
        (grown(QUADRATIC), {"expected_complexity": "O(n^1.97)"}, True, "within the expected"),
        (grown(QUADRATIC), {"expected_complexity": "O(n*m)"}, None, "O(n*m) cannot be compared"),
        (grown(QUADRATIC), {"expected_complexity": "O(n**2)"}, True, "within the expected O(n**2)"),
        (
            grown(LINEAR, prediction=predicted(3, 5)),
            {"runtime_limit": 6},
            True,
            "about 4 ms at n = 1000",
        ),
        (
            grown(LINEAR, prediction=predicted(3, 5)),
            {"runtime_limit": 4},
            None,
            "cannot tell whether",
        ),
        (
            grown(LINEAR, prediction=predicted(3, 5)),
            {"runtime_limit": 2},
            False,
            "over the limit of 2 ms",
        ),
        (two_candidates(), {"runtime_limit": 2000}, False, "TIME_LIMIT at n = 100"),
        (two_candidates(), {"runtime_limit": 5000}, None, "was stopped at 2 s at n = 100, before"),
        (
            with_tests(WRONG),
            {"runtime_limit": 2},
            False,
            "wrong on 1 of 1 test; first: test 1 printed 4",
        ),
        (with_tests(sizes=0), {}, None, "no size was measured"),
        (
            with_tests(),
            {"runtime_limit": 2},
            True,
            "within the limit of 2 ms; no test case was run",
        ),
        (with_tests(), {"expected_complexity": "O(n)"}, None, "cannot tell how time grows"),
    ],
)
def test_a_report_meets_constraints(
    report: FullReport, constraints: dict[str, object], met: bool | None, reason: str
) -> None:
    judged = report.meets(constraints)
    assert (judged.met, bool(judged)) == (met, met is True)
    assert reason in judged.reason
    assert str(judged) == judged.reason


@pytest.mark.parametrize(
    ("bound", "constraints", "met"),
    [
        (10, {"runtime_limit": 2}, True),
        (1000, {}, True),
        (1000, {"runtime_limit": 2}, None),
        (1000, {"memory_limit": 4}, None),
        (1000, {"runtime_limit": 0.5}, False),
        (10, {"task_id": "t", "input_bounds": {"n": 1000}, "time_limit_ms": 2}, True),
        (None, {"task_id": "t", "input_bounds": {"n": 1000}, "time_limit_ms": 2}, None),
        (None, {"task_id": "t", "input_bounds": {"m": 1000}, "time_limit_ms": 2}, None),
        (None, {"task_id": "t", "input_bounds": {"m": 10, "q": 9}, "time_limit_ms": 2}, True),
    ],
)
def test_a_bound_that_was_not_reached_is_not_known(
    bound: int | None, constraints: dict[str, object], met: bool | None
) -> None:
    judged = FullReport(grown(LINEAR).message, (), bound).meets(constraints)
    assert judged.met is met
    assert ("at n = 1000 was neither measured nor predicted" in judged.reason) is (met is None)


def test_a_report_knows_the_bound_of_its_job() -> None:
    code = {"task_id": "t", "iteration": 0, "code_cpp": "int main() {}"}
    for bounds, variable in (({"n": 1000}, None), ({"n": 1, "m": 1000}, "m")):
        options = {"sizes": [10], "input_bounds": bounds, "size_variable": variable}
        report = FakeProfiler("O(n)").profile(code, **options)  # type: ignore[arg-type]
        assert report.meets({}).met
        assert report.meets({"runtime_limit": 1000}).met is None


def test_a_task_with_tests_needs_their_verdict() -> None:
    tests = [{"input": "1", "output": "1"}]
    for task in (
        {"task_id": "t", "unit_tests": tests},
        TaskMetadata.model_validate({"task_id": "t", "test_cases": tests}),
    ):
        assert with_tests().meets(task) == Judgement(None, "no test case was run")
        assert with_tests(RIGHT).meets(task).met
    assert with_tests().meets({"task_id": "t"}) == Judgement(True, "no test case was run")


def test_rivals_within_the_expected_class_need_no_decision() -> None:
    report = grown(LINEAR)
    time = report.message.growth.time
    time.ClearField("function")
    for function in (LINEAR, QUADRATIC):
        time.rivals.add(curve=pb.GrowthCurve(function=function), confidence=0.5)
    told = {c: report.meets({"expected_complexity": c}).met for c in ("O(n^2)", "O(n)", "O(1)")}
    assert told == {"O(n^2)": True, "O(n)": None, "O(1)": False}


def test_a_task_and_a_problem_are_constraints(caplog: pytest.LogCaptureFixture) -> None:
    report = grown(LINEAR)
    assert not report.meets(TaskMetadata(task_id="t", time_limit_ms=0.5))
    assert not report.meets({"task_id": "t", "prompt": "", "constraints": {"runtime_limit": 0.5}})
    assert caplog.messages == []
    assert report.meets({"time_limit": 0.5})
    assert caplog.messages == ["unknown constraints are ignored: time_limit"]
