"""The package in SwiftSolve's loop: a stand-in of the controller, with a fake and a real server."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import controller
import pytest
from conftest import opened
from figures import classified, two_candidates

from swiftsolve_profiler import CodeMessage, Profiler, ProfileReport, SandboxError, complexity
from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import FUNCTIONS, SUBLINEAR
from swiftsolve_profiler.swiftsolve import strict_report
from swiftsolve_profiler.testing import FakeProfiler

EXAMPLES = Path(__file__).parents[3] / "examples"
# Runs of the loop on a real server, each of which measures three programs.
TRIES = 3
BAD = "#include <iostream>\nint main() { undeclared_name(); }\n"
THEIRS = controller.CodeMessage(task_id="t", iteration=1, code_cpp="int main() {}")
OURS = CodeMessage(task_id="t", iteration=1, code_cpp="int main() {}")


def programs(*sources: str) -> Callable[[list[str]], str]:
    """A coder that submits these programs, whatever the notes say."""
    given = iter(sources)
    return lambda _: next(given)


@pytest.fixture(params=["sync", "async"])
def either(request: pytest.FixtureRequest, server: str) -> Iterator[Profiler]:
    """Both clients, one after the other."""
    with opened(request.param, server) as profiler:
        yield profiler


def test_the_controllers_code_gets_the_controllers_report() -> None:
    report = FakeProfiler().run(THEIRS)
    assert isinstance(report, controller.ProfileReport)
    result = controller.RunResult(status="success", profile=report, notes=[])
    assert result.profile is report
    again = controller.RunResult.model_validate_json(result.model_dump_json())
    assert type(again.profile) is controller.ProfileReport
    assert again == result
    assert report.full.message.task_id == "t"


@pytest.mark.parametrize("code", [OURS, OURS.model_dump()])
def test_other_code_gets_the_packages_report(code: object) -> None:
    report = strict_report(two_candidates(), code)
    assert isinstance(report, ProfileReport)
    assert report.model_dump() == two_candidates().strict().model_dump()
    assert repr(report) == repr(two_candidates().strict())


def test_a_report_is_pickled_with_its_full_report() -> None:
    report = pickle.loads(pickle.dumps(strict_report(two_candidates(), THEIRS)))
    assert report.full == two_candidates()
    assert isinstance(report, controller.ProfileReport)


def test_reports_differ_by_their_fields() -> None:
    other = two_candidates()
    other.message.iteration = 7
    assert strict_report(two_candidates(), OURS) != strict_report(other, OURS)
    assert strict_report(two_candidates(), OURS) != strict_report(two_candidates(), THEIRS)


@pytest.mark.parametrize(
    ("growth_class", "expected"),
    [
        (pb.GROWTH_CLASS_CONSTANT, "O(1)"),
        (pb.GROWTH_CLASS_LOGARITHMIC, "O(log n)"),
        (pb.GROWTH_CLASS_SQUARE_ROOT, "O(n)"),
        (pb.GROWTH_CLASS_LINEARITHMIC, "O(n log n)"),
        (pb.GROWTH_CLASS_QUADRATIC, "O(n^2)"),
    ],
)
def test_complexity_has_the_analysts_notation(
    growth_class: pb.GrowthClass.ValueType, expected: str
) -> None:
    function = pb.GrowthFunction(growth_class=growth_class)
    decided = classified(pb.GrowthClassification(function=function, confidence=0.9))
    assert complexity(strict_report(decided, OURS)) == expected
    likeliest = pb.GrowthClassification(runner_up=function, runner_up_confidence=0.5)
    assert complexity(strict_report(classified(likeliest), OURS)) == expected


def test_every_class_below_n_is_efficient_for_the_analyst() -> None:
    for name in FUNCTIONS.values():
        fake = FakeProfiler(f"O({name})")
        small = fake.run(OURS, sizes=[10])
        assert (complexity(small) in controller.EFFICIENT) == (
            name in SUBLINEAR or name in ("n", "n log n")
        )


def test_nothing_known_is_none() -> None:
    assert complexity(two_candidates().strict()) is None
    assert complexity(strict_report(two_candidates(), OURS)) is None
    newer = pb.GrowthFunction(growth_class=99)  # type: ignore[arg-type]
    report = classified(pb.GrowthClassification(function=newer))
    assert complexity(strict_report(report, OURS)) is None


def test_the_loop_sends_back_what_is_slow() -> None:
    broken = SandboxError("compile", "line 2: undeclared")
    fake = FakeProfiler(broken, "O(n^2)", "O(n log n)")
    result = controller.solve(fake, programs("bad", "slow", "fast"))
    assert (result.status, result.code_cpp) == ("success", "fast")
    assert "ompilation failed: line 2" in result.notes[0]
    assert result.notes[1:] == ["O(n^2) is too slow"]


def test_the_loop_succeeds_on_a_real_server(either: Profiler) -> None:
    # At the largest default size, the example runs for seconds. An eighth of n is as quadratic.
    quadratic = (EXAMPLES / "quadratic.cpp").read_text(encoding="utf-8")
    quadratic = quadratic.replace("std::cin >> n;", "std::cin >> n;\n    n /= 8;")
    sort = (EXAMPLES / "sort.cpp").read_text(encoding="utf-8")
    # On a busy host, the likeliest class may be another one.
    for _ in range(TRIES):
        result = controller.solve(either, programs(BAD, quadratic, sort))
        if result.code_cpp == sort:
            break
    assert result.status == "success", result.notes
    assert result.code_cpp == sort
    first = result.notes[0]
    assert first.startswith("Compilation failed: line 2: 'undeclared_name'")
    assert "undeclared_name" in first
    assert "main.cpp:2:" in first
    assert result.notes[1:] == ["O(n^2) is too slow"]
    assert result.profile is not None
    assert len(result.profile.input_sizes) == 7


SIMPLE = """
#include <iostream>
#include <vector>
int main() {
    int n = 0;
    std::cin >> n;
    std::vector<int> squares(n);
    for (int i = 0; i < n; i++) squares[i] = i * i;
    std::cout << (n > 0 ? squares.back() : 0);
}
"""
CRASH = (
    "#include <iostream>\nint main() { int n; std::cin >> n; if (n > 0) *(volatile int*)0 = 1; }"
)


def test_the_controllers_five_checks_pass(server: str) -> None:
    with Profiler(server) as profiler:

        def run(source: str, debug: bool = False) -> controller.ProfileReport:
            code = controller.CodeMessage(task_id="check", iteration=0, code_cpp=source)
            report = profiler.run(code, debug=debug)
            assert isinstance(report, controller.ProfileReport)
            return report

        simple = run(SIMPLE)
        assert len(simple.runtime_ms) == len(simple.input_sizes)
        assert all(0 < ms < math.inf for ms in simple.runtime_ms)
        with pytest.raises(SandboxError, match="Compilation"):
            run(BAD)
        assert run(CRASH).runtime_ms[1:] == [math.inf] * 6
        sort = run((EXAMPLES / "sort.cpp").read_text(encoding="utf-8")).runtime_ms
        # The first sizes take as long as starting does, and that differs by a fifth.
        rises = sum(later >= 0.8 * earlier for earlier, later in pairwise(sort))
        assert rises >= 0.6 * (len(sort) - 1)
        assert run(SIMPLE, debug=True).input_sizes == simple.input_sizes


LARGEST = """
#include <algorithm>
#include <iostream>
#include <vector>
int main() {
    int n = 0;
    std::cin >> n;
    std::vector<int> a(n);
    for (int &x : a) std::cin >> x;
    SEARCH
}
"""
RIGHT = LARGEST.replace("SEARCH", "std::cout << (n ? *std::max_element(a.begin(), a.end()) : 0);")
SLOW = LARGEST.replace(
    "SEARCH",
    """int best = n ? a[0] : 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            int other = *(volatile int *)&a[j];
            best = std::max(best, std::min(a[i], other));
        }
    }
    std::cout << best;""",
)
ZERO = "#include <iostream>\nint main() { std::cout << 0; }"


def test_unit_tests_are_the_inputs_and_the_verdict(either: Profiler) -> None:
    problem = controller.ProblemInput(
        task_id="largest",
        prompt="Print the largest number.",
        constraints={"runtime_limit": 500, "memory_limit": 256},
        unit_tests=[
            {"input": "5\n1 90000 2 7 90000\n", "output": "90000\n"},
            {"input": "2\n7 1\n", "output": "7\n"},
            {"input": "1\n-4\n", "output": "-4\n"},
        ],
    )
    bounds = {"n": 100_000}
    result = controller.solve_tested(either, problem, bounds, programs(ZERO, SLOW, RIGHT))
    assert result.status == "success", result.notes
    assert result.code_cpp == RIGHT
    wrong, slow = result.notes
    verdict = "wrong on 1 of 3 tests (2 not run); first: test 1 printed 0, expected 90000"
    first = 'input of test 1: "5\\n1 90000 2 7 90000\\n"'
    assert wrong.startswith(f"{verdict}.\n{first}\nno size was measured")
    assert slow.startswith("correct on 3 of 3 tests.\ntime grows like n^2 (confidence "), slow
    assert "; TIME_LIMIT at n = " in slow, slow
    again = controller.solve_tested(either, problem, bounds, lambda _: ZERO)
    assert again.status == "failed"


def test_a_starved_program_is_a_warning_in_the_log(
    either: Profiler, caplog: pytest.LogCaptureFixture
) -> None:
    code = controller.CodeMessage(task_id="largest", iteration=0, code_cpp=RIGHT)
    report = either.run(code, sizes=[100, 1000])
    (record,) = [record for record in caplog.records if record.levelname == "WARNING"]
    assert record.name == "swiftsolve_profiler"
    assert record.getMessage().startswith("largest: The program was not measured on its task")
    judged = report.full.meets({"runtime_limit": 1000})
    assert (judged.met, bool(judged)) == (None, False)
    assert judged.reason.startswith("The program was not measured on its task")
