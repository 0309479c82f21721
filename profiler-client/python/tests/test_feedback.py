"""What a report says to the coder for the next attempt."""

from __future__ import annotations

import pytest
from figures import LINEAR, QUADRATIC, WRONG, grown, two_candidates, with_tests

from swiftsolve_profiler import FullReport
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import report_pb2 as pb


def test_feedback_has_what_the_report_has() -> None:
    report = with_tests(WRONG)
    message = report.message
    message.code_cpp = "int main() {\n  slow();\n}\n"
    message.hotspots_method = pb.HOTSPOTS_METHOD_INSTRUCTIONS
    message.hotspot_lines.add(file="main.cpp", line=2, function="main", self_share=0.9)
    message.warnings.add(code=pb.WARNING_CODE_RUNTIME_FAILURE, size=5, message="it died")
    finding = pb.SanitizerFinding(
        sanitizer="AddressSanitizer", kind="SEGV", detail="read", line=2, function="main"
    )
    message.sanitizer.MergeFrom(pb.SanitizerRun(size=5, finding=finding))
    message.worst.MergeFrom(
        pb.WorstInput(
            searched_size=100,
            instructions=3000,
            random=pb.RandomInstructions(median=1000),
            looks=["a: falling"],
            line=pb.SlowLine(line=2),
            input=b"100\n5 4",
        )
    )
    speedup = pb.Speedup(times=2.0)
    message.advice.given.add(
        found="`endl`", remedy="`'\\n'`", line=2, before=" endl", after="'\\n'", speedup=speedup
    )
    message.advice.given.add(
        found="a copy", remedy="a reference", before="v", after="w", speedup=speedup
    )
    message.advice.together.times = 3.5
    message.advice.refused.add(found="a map", remedy="a hash", why_not="not faster")
    assert report.feedback().split("\n") == [
        "wrong on 1 of 1 test; first: test 1 printed 4, expected 3.",
        'input of test 1: "1 2\\n"',
        "1 of 1 size ended OK",
        "at n = 5 it died",
        "with AddressSanitizer at n = 5: SEGV, read in line 2 (main)",
        "hottest line 2, 90% of the instructions: slow();",
        "tried: `endl` (line 2): `'\\n'` makes it 2.00 times as fast, with the same output",
        "  endl -> '\\n'",
        "tried: a copy: a reference makes it 2.00 times as fast, with the same output",
        "  v -> w",
        "tried: all 2 changes together make it 3.50 times as fast",
        "tried without success: a map: a hash: not faster",
        "worst input found at n = 100 (a: falling): its cost is 3000, 3 times that of a random one",
        "it is slow on line 2: slow();",
        'it begins with "100\\n5 4"',
    ]


def test_feedback_names_the_file_of_a_crash_and_its_error_once() -> None:
    report = with_tests()
    message = report.message
    message.code_cpp = "int main() {\n  f();\n}\n"
    message.files.add(path="util.cpp", text="int* p;\n  *p = 1;\n")
    message.fault.calls.add(function="f()", file="util.cpp", line=2)
    finding = pb.SanitizerFinding(
        sanitizer="AddressSanitizer", kind="SEGV", file="util.cpp", line=2
    )
    message.sanitizer.MergeFrom(pb.SanitizerRun(size=5, finding=finding))
    told = "it crashes in line 2 of util.cpp (with AddressSanitizer at n = 5: SEGV): *p = 1;"
    assert report.feedback().split("\n")[1:] == [told]
    message.sanitizer.finding.line = 1
    assert report.feedback().split("\n")[1:] == [
        "with AddressSanitizer at n = 5: SEGV in line 1 of util.cpp",
        "it crashes in line 2 of util.cpp: *p = 1;",
    ]


def test_feedback_quotes_the_line_that_the_compiler_counts() -> None:
    report = with_tests()
    report.message.code_cpp = "int a;\n// \f \v \x85 \u2028\nint main() {}\r\n"
    report.message.hotspots_method = pb.HOTSPOTS_METHOD_GPROF
    hotspot = report.message.hotspot_lines.add(line=3, function="f(int)", self_share=0.9)
    for file, told in (
        ("main.cpp", "int main() {}"),
        ("/box/main.cpp", "int main() {}"),
        ("domain.cpp", "f(int)"),
    ):
        hotspot.file = file
        assert report.feedback().endswith(f"of the samples: {told}")
    report.message.files.add(path="lib/a.h", text="\n\n  return n;\n")
    hotspot.file = "lib/a.h"
    assert report.feedback().endswith("line 3 of lib/a.h, 90% of the samples: return n;")


def test_feedback_names_a_line_that_takes_more_time_than_its_instructions_tell() -> None:
    report = with_tests()
    message = report.message
    message.code_cpp = "int a;\nint b;\nint c;\n"
    message.hotspots_method = pb.HOTSPOTS_METHOD_INSTRUCTIONS
    shares = ((1, 0.61, 0.12, True), (2, 0.3, 0.28, False), (3, 0.09, 0.6, True))
    for line, share, time, differs in shares:
        hotspot = message.hotspot_lines.add(file="main.cpp", line=line, self_share=share)
        hotspot.time_share, hotspot.time_differs = time, differs
    assert report.feedback().split("\n")[-2:] == [
        "hottest line 1, 61% of the instructions, 12% of the time (sampled): int a;",
        "slowest line 3, 9% of the instructions, 60% of the time (sampled): int c;",
    ]
    for hotspot in message.hotspot_lines:
        hotspot.time_differs = False
    assert report.feedback().endswith("\nhottest line 1, 61% of the instructions: int a;")


def test_feedback_is_cut_between_sentences() -> None:
    report = with_tests(WRONG)
    report.message.advice.given.add(found="x" * 30, before="y", after="z" * 30)
    report.message.warnings.add(code=pb.WARNING_CODE_RUNTIME_FAILURE, size=5, message="it died")
    whole = report.feedback()
    wholes = {whole[:at] for at in range(len(whole) + 1) if whole[at : at + 1] in ("\n", "")}
    change = "\n  y -> "
    wholes.discard(whole[: whole.index(change)])
    first = whole.index("\n")
    for most in range(first, len(whole) + 2):
        cut = report.feedback(max_chars=most)
        assert cut == max((text for text in wholes if len(text) <= most), key=len)


def test_a_first_part_that_is_too_long_is_cut() -> None:
    report = with_tests(WRONG)
    first = "wrong on 1 of 1 test; first: test 1 printed 4, expected 3."
    told = [report.feedback(max_chars=most) for most in (-1, 0, 1, 6, 7, len(first) - 2)]
    assert told == ["", "", "…", "wrong…", "wrong…", f"{first[:-3].rstrip()}…"]


def test_a_compilers_output_is_cut_between_lines() -> None:
    said = "main.cpp:1:1: error: odd\n    1 | odd\n      | ^~~"
    report = FullReport(pb.ProfileReport(compile=pb.CompileStep(error_text=f"{said}\n")))
    assert report.feedback() == f"the program does not compile:\n{said}"
    assert report.feedback(60) == "the program does not compile:\nmain.cpp:1:1: error: odd"
    assert report.feedback(40) == "the program does not compile:\nmain.cpp:…"
    assert report.feedback(30) == "the program does not compile:…"


LATE_AT_BOUND = grown(
    QUADRATIC,
    prediction=pb.GrowthPrediction(
        size=200_000, value=40_000, interval=pb.Interval(low=38_000, high=42_000)
    ),
)


@pytest.mark.parametrize(
    ("report", "constraints", "told"),
    [
        (
            LATE_AT_BOUND,
            {"runtime_limit": 2000},
            "time grows like n^2 (confidence 0.90); takes about 40 s at n = 200000, over the limit "
            "of 2 s",
        ),
        (
            LATE_AT_BOUND,
            {"runtime_limit": 2000, "memory_limit": 9, "expected_complexity": "O(n)"},
            "takes about 40 s at n = 200000, over the limit of 2 s; time grows like n^2, faster "
            "than the expected O(n)",
        ),
        (
            LATE_AT_BOUND,
            {"task_id": "t", "time_limit_ms": 50_000},
            "time grows like n^2 (confidence 0.90); takes about 40 s at n = 200000, within the "
            "limit of 50 s",
        ),
        (
            grown(QUADRATIC, reach=pb.GrowthReach(size=4472, low=4400, high=4500, limit=2000)),
            {"runtime_limit": 0.5},
            "time grows like n^2 (confidence 0.90); takes 1 ms at n = 10, over the limit of "
            "0.5 ms; largest n within 2 s: about 4470",
        ),
        (two_candidates(), {"runtime_limit": 2000}, "TIME_LIMIT at n = 100"),
    ],
)
def test_feedback_compares_the_growth_with_constraints(
    report: FullReport, constraints: dict[str, object], told: str
) -> None:
    assert report.feedback(constraints=constraints).split("\n")[-1] == told
    assert report.feedback(constraints={}) == report.feedback()


def test_feedback_without_figures_has_no_constraints() -> None:
    endless = pb.ProfileReport(sizes=[pb.SizeResult(size=0, outcome=pb.OUTCOME_TIME_LIMIT)])
    starved = grown(LINEAR).message
    starved.input_check.input_use = pb.INPUT_USE_STARVED
    wrong = with_tests(WRONG, sizes=0)
    wrong.message.sizes.add(size=10, outcome=pb.OUTCOME_NOT_RUN)
    for report in (FullReport(endless), FullReport(starved), wrong):
        assert report.feedback(constraints={"runtime_limit": 0.5}) == report.feedback()


def test_feedback_knows_the_bound_of_the_job() -> None:
    report = FullReport(grown(LINEAR).message, (), 1000)
    told = "how much it takes at n = 1000 was neither measured nor predicted"
    assert told in report.feedback(constraints={"runtime_limit": 2})


def test_a_search_that_found_nothing_is_no_feedback() -> None:
    report = with_tests()
    report.message.worst.SetInParent()
    assert report.feedback() == "1 of 1 size ended OK"
    report.message.worst.goal = job_pb2.WORST_GOAL_MEMORY
    report.message.worst.cost = 7
    assert "(its seed alone makes it the worst): its cost is 7" in report.feedback()


def test_a_search_without_a_costlier_input_names_none() -> None:
    report = with_tests()
    found = report.message.worst
    found.measured_size, found.instructions, found.searched_executions = 100, 1050, 24_004
    found.random.median = 1000
    assert "costs clearly more than random (24,004 tried); that proves nothing" in report.feedback()
    found.instructions = 1200
    assert "its cost is 1200" in report.feedback()


def test_a_costlier_input_is_told_net_of_the_start_up() -> None:
    report = with_tests()
    found = report.message.worst
    found.measured_size, found.instructions, found.random.median = 100, 1050, 1000
    found.ratio, found.start_up_instructions = 6.0, 990
    told = "its cost is 1050, 6 times that of a random one, both without the start-up of 990"
    assert told in report.feedback()
