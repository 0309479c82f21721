"""End to end: a real server, real programs."""

from __future__ import annotations

import asyncio
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from conftest import opened

from swiftsolve_profiler import (
    Accepted,
    AsyncProfiler,
    CodeMessage,
    Compiled,
    CoreAwaited,
    Finished,
    FullReport,
    Heartbeat,
    InvalidRequest,
    NotInferred,
    Profiler,
    SandboxError,
    SizeMeasured,
    StatusError,
)
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler._gen import report_pb2

ROOT = Path(__file__).parents[3]
TASK = {
    "task_id": "CF1285A",
    "title": "Mezo Playing Zoma",
    "input_bounds": {"n": 5000},
    "time_limit_ms": 2000,
    "memory_limit_mb": 256,
    "test_cases": [
        {"input": "3\n1 2 3", "output": "6", "explanation": "Sample case"},
        {"input": "1\n5", "output": "7", "explanation": "Expects what is wrong"},
    ],
    "input_spec": {
        "vars": [{"name": "a", "array": {"len": "n", "min": 1, "max": 9, "width": 1}}],
        "layout": [{"line": {"items": ["n"]}}, {"line": {"items": ["a"]}}],
    },
}
SUM = """
#include <iostream>
int main() {
    long long n = 0, sum = 0, number = 0;
    std::cin >> n;
    while (std::cin >> number) sum += number;
    std::cout << sum << '\\n';
}
"""


ARRAY_SUM = """
#include <iostream>
int main() {
    long long n = 0, sum = 0, number = 0;
    std::cin >> n;
    while (n-- && std::cin >> number) sum += number;
    std::cout << sum << '\\n';
}
"""


def code(file: str) -> CodeMessage:
    """A program of the repository."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return CodeMessage(task_id=Path(file).stem, iteration=1, code_cpp=text)


@pytest.fixture(params=["sync", "async"])
def either(request: pytest.FixtureRequest, server: str) -> Iterator[Profiler]:
    """Both clients, one after the other."""
    with opened(request.param, server) as profiler:
        yield profiler


@pytest.fixture
def profiler(server: str) -> Iterator[Profiler]:
    with Profiler(server) as profiler:
        yield profiler


def test_a_program_gets_a_report(either: Profiler) -> None:
    report = either.run(code("examples/sort.cpp"), sizes=[1000, 50000])
    assert (report.task_id, report.iteration, report.input_sizes) == ("sort", 1, [1000, 50000])
    assert 0 < report.runtime_ms[0] < report.runtime_ms[1] < math.inf
    assert all(1 < mb < 100 for mb in report.peak_memory_mb)


def test_events_tell_what_the_report_says(either: Profiler) -> None:
    run = either.submit(code("examples/sort.cpp"), input_bounds={"n": 1000})
    events = [event for event in run if not isinstance(event, Heartbeat)]
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    assert {event.run_id for event in events} == {run.id}
    # Whether a run waits for a core depends on other tests.
    kinds = [type(event) for event in events if not isinstance(event, CoreAwaited)]
    assert kinds == [Accepted, Compiled, SizeMeasured, SizeMeasured, SizeMeasured, Finished]
    last = events[-1]
    assert isinstance(last, Finished)
    measured = [event.result.size for event in events if isinstance(event, SizeMeasured)]
    assert measured == last.report.strict().input_sizes == [0, 1, 1000]
    kept = either.get_run(run.id)
    assert kept.run.state == pb.RUN_STATE_FINISHED
    assert FullReport(kept.report) == last.report
    assert run.id in [found.run_id for found in either.list_runs().runs]
    assert "1000" in either.export(run.id, "text").text
    with pytest.raises(StatusError, match="debug"):
        either.export(run.id, "folded")
    again = either.attach(run.id, after=2)
    assert [event.sequence for event in again] == list(range(3, len(events) + 1))


def test_what_does_not_compile_is_a_sandbox_error(either: Profiler) -> None:
    with pytest.raises(SandboxError, match="error") as error:
        either.run({"task_id": "t", "iteration": 0, "code_cpp": "int main( {"})
    assert error.value.code == "compile"
    assert error.value.partial is not None
    first = error.value.diagnostics[0]
    assert (first.severity, first.file, first.line) == ("error", "main.cpp", 1)
    assert "main.cpp:1:" in error.value.output


def test_a_crash_is_infinite_and_the_run_goes_on(profiler: Profiler) -> None:
    full = profiler.profile(code("examples/crash.cpp"), sizes=[1000, 10000, 20000])
    report = full.strict()
    assert report.runtime_ms[0] < math.inf
    assert report.runtime_ms[1:] == report.peak_memory_mb[1:] == [math.inf, math.inf]
    assert report.hotspots["_crash"] == "SIGSEGV"
    assert list(full.to_dataframe()["signal"])[1:] == ["SIGSEGV", "SIGSEGV"]


def test_too_much_memory_ends_the_run_with_what_it_has(profiler: Profiler) -> None:
    greedy = code("tests/programs/eats_memory.cpp")
    with pytest.raises(SandboxError) as error:
        profiler.run(greedy, constraints={"memory_limit": 64}, sizes=[1, 10])
    assert error.value.code == "memory"
    assert error.value.partial is not None
    assert error.value.partial.strict().runtime_ms[-1] == math.inf


def test_debug_names_lines(profiler: Profiler) -> None:
    report = profiler.run(code("examples/hot.cpp"), debug=True, sizes=[100000])
    assert any(name.startswith("line_") for name in report.hotspots)


def test_every_bad_field_is_named(either: Profiler) -> None:
    with pytest.raises(InvalidRequest) as error:
        either.run({"task_id": " ", "iteration": 0, "code_cpp": "int main() {}"}, sizes=[3, 2])
    assert {v.field for v in error.value.violations} == {"code.task_id", "input_sizes[1]"}


def test_the_same_request_is_the_same_run(profiler: Profiler) -> None:
    message, options = code("examples/sort.cpp"), {"n": 1}
    with profiler.submit(message, request_id="python twice", input_bounds=options) as first:
        first.wait()
    # A script that starts again makes its message again.
    later = message.timestamp_utc + timedelta(hours=1)
    unused = {"timestamp_utc": later, "model_version": "another", "seed": 7}
    again = message.model_copy(update=unused)
    with profiler.submit(again, request_id="python twice", input_bounds=options) as second:
        assert second.id == first.id
        second.wait()
    with pytest.raises(StatusError, match="ALREADY_EXISTS"):
        profiler.submit(message, request_id="python twice", debug=True)


def test_a_run_that_is_left_ends(profiler: Profiler) -> None:
    with profiler.submit(code("tests/programs/endless_loop.cpp")) as run:
        while not isinstance(next(run), Compiled):
            pass
    with pytest.raises(SandboxError) as error:
        profiler.attach(run.id).wait()
    assert error.value.code == "cancelled"


def test_explicit_inputs_are_read(profiler: Profiler) -> None:
    message = CodeMessage(task_id="sum", iteration=0, code_cpp=SUM)
    full = profiler.profile(message, inputs={3: "3\n1 2 3", 4: b"4\n1 1 1 1"}, stdout_bytes=10)
    assert [size.stdout.head for size in full.message.sizes] == [b"6\n", b"4\n"]


def test_a_program_confirms_the_spec_of_a_sample(either: Profiler) -> None:
    message = CodeMessage(task_id="sum", iteration=0, code_cpp=ARRAY_SUM)
    spec = either.infer_inputs(["5\n3 1 4 1 5\n"])
    assert any("1 to 5" in said for said in spec.assumptions)
    check = either.profile(message, input_specs=spec, sizes=[24]).message.input_check
    assert (check.input_use, check.unread_bytes) == (report_pb2.INPUT_USE_ENOUGH, 0)
    assert len(either.infer_inputs("3 3\n4 9 4\n").others) >= 1
    with pytest.raises(NotInferred, match="line 2"):
        either.infer_inputs("3\n1 2 x y z 4 5\n")
    with pytest.raises(InvalidRequest, match="samples"):
        either.infer_inputs([])


def test_many_runs_at_once(server: str) -> None:
    async def main() -> list[list[int]]:
        async with AsyncProfiler(server) as profiler:
            runs = [profiler.run(code("examples/sort.cpp"), sizes=[n]) for n in (10, 20, 30)]
            return [report.input_sizes for report in await asyncio.gather(*runs)]

    assert asyncio.run(main()) == [[10], [20], [30]]


def needs(profiler: Profiler, field: str) -> None:
    """Skips where the server does not support a field of the job yet."""
    if field in profiler.capabilities().unsupported_fields:
        pytest.skip(f"this server takes no {field}")


def test_a_task_declares_inputs_and_its_tests_are_run(profiler: Profiler) -> None:
    needs(profiler, "input_specs")
    needs(profiler, "test_cases")
    message = CodeMessage(task_id="CF1285A", iteration=0, code_cpp=SUM)
    wrong = profiler.profile(message, task=TASK, run_tests=True)
    assert wrong.message.sizes[-1].outcome == report_pb2.OUTCOME_NOT_RUN
    full = profiler.profile(message, task=TASK, run_tests=True, test_order="after")
    assert full.strict().input_sizes == [0, 1, 1000, 5000]
    assert [test.correct for test in full.message.test_cases] == [True, False]
    assert report_pb2.WARNING_CODE_WRONG_ANSWER in [
        warning.code for warning in full.message.warnings
    ]
    assert full.message.sizes[-1].input_bytes == len("5000\n") + 2 * 5000
    alone = profiler.profile(message, task=TASK, run_tests=True, reward=True)
    assert (alone.sizes, str(alone).split(";")[0]) == ([], "wrong on 1 of 2 tests")
    assert [bool(case.instructions) for case in alone.test_cases] == [True, False]


def test_several_candidates_are_series(profiler: Profiler) -> None:
    needs(profiler, "input_specs")
    array = {"len": "n", "min": 1, "max": "n"}
    specs = [
        {
            "name": order,
            "vars": [{"name": "a", "array": {**array, "order": order}}],
            "layout": [{"line": {"items": ["n"]}}, {"line": {"items": ["a"]}}],
        }
        for order in ("random", "sorted")
    ]
    message = CodeMessage(task_id="sum", iteration=0, code_cpp=SUM)
    full = profiler.profile(message, input_specs=specs, sizes=[10, 1000])
    frame = full.to_dataframe()
    assert list(frame["name"]) == ["random", "sorted", "random", "sorted"]
    worst = full.message.worst_cases[1]
    slowest = frame[frame["size"] == 1000]["runtime_ms"].max()
    assert full.strict().runtime_ms[1] == slowest
    assert full.message.sizes[2 + worst.slowest_candidate].runtime_ms == slowest


def test_sizes_grow_until_the_clock_sees_enough(profiler: Profiler) -> None:
    needs(profiler, "schedule")
    full = profiler.profile(
        code("examples/quadratic.cpp"), schedule="auto", input_bounds={"n": 20000}
    )
    sizes = full.strict().input_sizes
    assert sizes == sorted(set(sizes))
    assert len(sizes) > 5
    assert full.message.schedule_end


ASKER = """
#include <fstream>
#include <iostream>
int main(int, char** argv) {
    std::ifstream input(argv[1]);
    long long secret = 0, guess = 0;
    input >> secret;
    while (std::cin >> guess) {
        if (guess == secret) { std::cout << "=" << std::endl; return 0; }
        std::cout << (guess < secret ? "<" : ">") << std::endl;
    }
    return 1;
}
"""
GUESSER = """
#include <iostream>
int main() {
    long long low = 0, high = 1 << 30;
    for (char answer = 0; answer != '=';) {
        long long middle = (low + high) / 2;
        std::cout << middle << std::endl;
        if (!(std::cin >> answer)) return 2;
        (answer == '<' ? low : high) = middle;
    }
}
"""


def test_an_interactor_is_talked_with(profiler: Profiler) -> None:
    needs(profiler, "interactor")
    message = CodeMessage(task_id="guess", iteration=0, code_cpp=GUESSER)
    full = profiler.profile(message, interactor=ASKER, sizes=[1000])
    assert full.strict().runtime_ms[0] < math.inf
    assert full.message.sizes[0].HasField("interactor")


def test_the_example_profiles_prints_and_draws(server: str, tmp_path: Path) -> None:
    text = (ROOT / "examples/profile.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 15
    short = re.sub(r"sizes = \[.*\]", "sizes = [10, 1000]", text).replace(
        "Profiler()", f"Profiler({server!r})"
    )
    (tmp_path / "profile.py").write_text(short)
    (tmp_path / "tasks").symlink_to(ROOT / "examples/tasks")
    command = [sys.executable, str(tmp_path / "profile.py"), str(tmp_path / "picture.png")]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "anti-quicksort" in printed
    assert "how time and memory grow" in printed
    assert printed.count("OK") == 4
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")


def test_an_endless_program_costs_no_other_its_row(either: Profiler) -> None:
    quick = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n; }"
    sources = [
        quick,
        "int main() { for (volatile int i = 0;; i = i + 1) {} }",
        "int main() {",
        quick,
    ]
    codes = [{"task_id": "t", "iteration": 0, "code_cpp": source} for source in sources]
    frame = either.profile_many(codes, sizes=[1], timeout_ms=60_000, timeout=8)
    assert frame["error"].isna().tolist() == [True, False, False, True]
    assert frame["error"][2].startswith("Compilation failed")
    assert frame["sizes_ok"][0] == frame["sizes_ok"][3] == 1
