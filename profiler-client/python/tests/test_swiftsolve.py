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
from swiftsolve_profiler.report.growth import SUBLINEAR
from swiftsolve_profiler.swiftsolve import strict_report
from swiftsolve_profiler.testing import KNOWN, FakeProfiler

EXAMPLES = Path(__file__).parents[3] / "examples"
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
    for name in KNOWN.values():
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
    broken = SandboxError("compile", "1 error, the first in line 2: undeclared")
    fake = FakeProfiler(broken, "O(n^2)", "O(n log n)")
    result = controller.solve(fake, programs("bad", "slow", "fast"))
    assert (result.status, result.code_cpp) == ("success", "fast")
    assert "ompilation failed: 1 error, the first in line 2" in result.notes[0]
    assert result.notes[1:] == ["O(n^2) is too slow"]


def test_the_loop_succeeds_on_a_real_server(either: Profiler) -> None:
    # At the largest default size, the example runs for seconds. An eighth of n is as quadratic.
    quadratic = (EXAMPLES / "quadratic.cpp").read_text(encoding="utf-8")
    quadratic = quadratic.replace("std::cin >> n;", "std::cin >> n;\n    n /= 8;")
    sort = (EXAMPLES / "sort.cpp").read_text(encoding="utf-8")
    result = controller.solve(either, programs(BAD, quadratic, sort))
    assert result.status == "success", result.notes
    assert result.code_cpp == sort
    first = result.notes[0]
    assert first.startswith("Compilation failed: 1 error")
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
