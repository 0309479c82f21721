"""`FakeProfiler`, and the data frame of several programs."""

from __future__ import annotations

import asyncio
import math
import re
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import opened
from fake import Fake, Hangs, accepted, failed, finished

from swiftsolve_profiler import (
    AsyncProfiler,
    CodeMessage,
    DeadlineExceeded,
    Failed,
    FullReport,
    InvalidRequest,
    ProfileReport,
    Run,
    SandboxError,
    StatusError,
    Unavailable,
)
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.client.wire import CANCEL_RUN, PROFILE_STREAM
from swiftsolve_profiler.report import programs
from swiftsolve_profiler.report.growth import FUNCTIONS
from swiftsolve_profiler.testing import INSTRUCTIONS, FakeProfiler

CODE: dict[str, object] = {"task_id": "t", "iteration": 0, "code_cpp": "int main() {}"}
BROKEN = SandboxError("compile", "line 1: no")


@pytest.mark.parametrize("name", [*FUNCTIONS.values(), "n^1.58", "3.7^n"])
def test_every_class_can_be_faked(name: str) -> None:
    report = FakeProfiler(f"O({name})").profile(CODE, sizes=[2, 4, 8])
    assert report.time.complexity == f"O({name})"
    runtimes = [size.runtime_ms for size in report.sizes]
    assert runtimes == sorted(runtimes, key=lambda ms: ms or 0)
    assert (runtimes[0] == runtimes[-1]) == (name == "1")


def test_a_class_with_a_name_has_no_base() -> None:
    for name, expected in (("2.0^n", "2^n"), ("4.00^n", "4^n")):
        report = FakeProfiler(f"O({name})").profile(CODE, sizes=[2, 4, 8])
        assert report.time.complexity == f"O({expected})"
        assert not report.message.growth.time.function.HasField("base")


def test_the_same_programs_get_the_same_reports() -> None:
    first, second = FakeProfiler("O(n^2)"), FakeProfiler("O(n^2)")
    assert first.profile(CODE) == second.profile(CODE)


def test_the_last_ending_is_for_all_further_programs() -> None:
    fake = FakeProfiler("O(n^2)", BROKEN, Unavailable("it is away"), "O(1)")
    assert fake.profile(CODE).time.complexity == "O(n^2)"
    with pytest.raises(SandboxError, match="Compilation failed: line 1: no"):
        fake.profile(CODE)
    with pytest.raises(Unavailable, match="away"):
        fake.profile(CODE)
    assert [fake.profile(CODE).time.complexity for _ in range(2)] == ["O(1)"] * 2
    assert [job.code.task_id for job in fake.jobs] == ["t"] * 5


def test_a_request_is_checked() -> None:
    with pytest.raises(InvalidRequest, match="code_cpp"):
        FakeProfiler().run({"task_id": "t", "iteration": 0})
    with pytest.raises(TypeError, match="sizs"):
        FakeProfiler().run(CODE, sizs=[1])  # type: ignore[call-arg]
    for unknown in ("n", "O(n^)", "O(log m)"):
        with pytest.raises(ValueError, match=re.escape("use one of O(1), ")):
            FakeProfiler(unknown)


def test_sizes_follow_the_options() -> None:
    fake = FakeProfiler()
    assert fake.run(CODE).input_sizes == [0, 1, 1000, 5000, 10000, 50000, 100000]
    assert fake.run(CODE, input_bounds={"n": 7000}).input_sizes == [0, 1, 1000, 5000, 7000]
    options = {"n": 100, "m": 7}
    assert fake.run(CODE, input_bounds=options, size_variable="m").input_sizes == [0, 1, 7]
    own = fake.run(CODE, input_scales=[10, 20], extra_corner_cases=[])
    assert own.input_sizes == [10, 20]


def test_a_program_over_its_limit_is_infinite() -> None:
    report = FakeProfiler("O(n^2)").run(CODE, constraints={"runtime_limit": 500})
    assert report.runtime_ms[-1] == report.peak_memory_mb[-1] == math.inf
    assert report.runtime_ms[-2] < math.inf
    assert report.hotspots == {"_crash": "TIME_LIMIT"}
    assert FakeProfiler("O(2^n)").run(CODE, timeout_ms=10).runtime_ms[2:] == [math.inf] * 5
    hopeless = FakeProfiler("O(n!)").profile(CODE, sizes=[1000])
    assert str(hopeless) == "0 of 1 size ended OK; TIME_LIMIT at n = 1000"


def test_a_run_can_be_followed() -> None:
    fake = FakeProfiler("O(n)", BROKEN)
    with fake.submit(CODE, sizes=[1, 2]) as run:
        kinds = [type(event).__name__ for event in run]
    assert kinds == ["Accepted", "Compiled", "SizeMeasured", "SizeMeasured", "Finished"]
    assert [event.sequence for event in fake.attach(run.id, after=3)] == [4, 5]
    assert fake.get_run(run.id).report.task_id == "t"
    with fake.submit(CODE) as broken:
        pass
    assert isinstance(list(fake.attach(broken.id))[-1], Failed)
    assert fake.get_run(broken.id).error.message == BROKEN.message
    for unknown in (fake.get_run, fake.cancel, fake.attach):
        with pytest.raises(StatusError, match="NOT_FOUND"):
            unknown("nobody")
    with pytest.raises(StatusError, match="does not answer ListRuns"):
        fake.list_runs()


def test_many_programs_are_a_frame() -> None:
    partial = FakeProfiler().profile(CODE, sizes=[5])
    full = SandboxError("memory", "size 9 exceeded the memory limit", partial)
    fake = FakeProfiler("O(n^2)", BROKEN, full)
    codes: list[dict[str, object]] = [CODE, CODE, CODE, {"task_id": "bad"}]
    frame = fake.profile_many(codes, constraints={"runtime_limit": 500})
    assert list(frame.columns) == list(programs.COLUMNS)
    assert list(frame["task_id"]) == ["t", "t", "t", "bad"]
    good, broken, ended, bad = (frame.iloc[i] for i in range(4))
    assert (good["complexity"], good["sizes"], good["sizes_ok"]) == ("O(n^2)", 7, 6)
    assert (good["size"], good["runtime_ms"]) == (50000, pytest.approx(251.0))
    assert good[["error"]].isna().all()
    assert broken["error"].startswith("Compilation failed")
    assert broken[["complexity", "sizes", "runtime_ms", "report"]].isna().all()
    assert (ended["complexity"], ended["size"], ended["error"]) == ("O(n)", 5, full.message)
    assert "code_cpp" in bad["error"]


def test_the_frame_has_the_verdict() -> None:
    task = {"task_id": "t", "test_cases": [{"input": "1", "output": "1"}] * 2}
    frame = FakeProfiler("O(n)", BROKEN).profile_many([CODE, CODE], task=task, run_tests=True)
    assert list(frame["verdict"][:1]) == ["correct on 2 of 2 tests"]
    assert (frame["tests"][0], frame["tests_correct"][0]) == (2, 2)
    assert frame["verdict"].isna()[1]


def test_the_verdict_alone_is_a_report() -> None:
    task = {"task_id": "t", "test_cases": [{"input": "1", "output": "1"}]}
    fake = FakeProfiler()
    report = fake.run(CODE, task=task, run_tests=True, reward=True)
    assert (report.input_sizes, str(report.full)) == ([], "correct on 1 of 1 test.")
    assert report.full.test_cases[0].instructions == INSTRUCTIONS
    frame = fake.profile_many([CODE], task=task, run_tests=True, reward=True)
    assert (frame["tests_correct"][0], frame["sizes"][0]) == (1, 0)


def test_every_request_has_a_row_whatever_happened_to_it() -> None:
    late, odd = DeadlineExceeded("too late"), Unavailable("")
    fake = FakeProfiler("O(n)", late, odd, "O(n)")
    frame = fake.profile_many([CODE] * 4, concurrency=1)
    assert frame["error"].isna().tolist() == [True, False, False, True]
    assert list(frame["error"][1:3]) == ["too late", "Unavailable"]
    assert dict(fake.profile_each([None]))[0].__class__ is InvalidRequest  # type: ignore[list-item]
    assert len(fake.profile_many([None])) == 1  # type: ignore[list-item]


def test_what_is_wrong_for_every_request_is_raised() -> None:
    fake = FakeProfiler()
    with pytest.raises(TypeError, match="unknown options: colour"):
        fake.profile_many([CODE], colour="red")  # type: ignore[call-arg]
    with pytest.raises(InvalidRequest, match="concurrency: must be at least 1"):
        fake.profile_each([CODE], concurrency=0)


def test_sources_are_programs() -> None:
    fake = FakeProfiler(BROKEN, "O(n)")
    frame = fake.profile_many(["int main() {", "int main() {}"])
    assert frame["task_id"].tolist() == ["program", "program"]
    assert frame["iteration"].tolist() == [0, 0]
    assert frame["error"].isna().tolist() == [False, True]
    assert type(fake.run("int main() {}")).__mro__[1] is ProfileReport


@pytest.mark.parametrize("one", ["int main() {}", CODE, CodeMessage.model_validate(CODE)])
def test_one_program_is_not_several(one: Any) -> None:
    fake = FakeProfiler()
    for several in (fake.profile_many, fake.profile_each, AsyncProfiler("unix:none").profile_each):
        with pytest.raises(InvalidRequest, match="codes: must be a list of programs"):
            several(one)
    assert fake.jobs == []


def test_endings_are_yielded_as_they_come() -> None:
    fake = FakeProfiler()
    asked = []

    def codes() -> Iterator[dict[str, object]]:
        for iteration in range(100):
            asked.append(iteration)
            yield {**CODE, "iteration": iteration}

    each = fake.profile_each(codes(), concurrency=3)
    number, ending = next(each)
    assert isinstance(ending, FullReport)
    assert ending.message.iteration == number
    each.close()
    assert len(asked) == 3
    found = dict(fake.profile_each(codes(), concurrency=8))
    assert sorted(found) == list(range(100))


def test_no_program_is_an_empty_frame() -> None:
    assert list(FakeProfiler().profile_many([]).columns) == list(programs.COLUMNS)


def test_every_column_of_the_frame_is_documented() -> None:
    rows = [line for line in (programs.__doc__ or "").splitlines() if line.startswith("| `")]
    documented = [name for row in rows for name in re.findall(r"`([a-z_]+)`", row.split("|")[1])]
    assert documented == list(programs.COLUMNS)


def test_both_clients_profile_many(fake: Fake) -> None:
    for kind in ("sync", "async"):
        fake.says(PROFILE_STREAM, accepted(), finished(2))
        fake.says(PROFILE_STREAM, accepted(), failed(2, "cancelled"))
        with opened(kind, f"http://127.0.0.1:{fake.port}") as profiler:
            frame = profiler.profile_many([CODE, CODE])
        assert [str(report) for report in frame["report"][:1]] == ["0 of 0 sizes ended OK"]
        assert frame["error"][1] == "it was cancelled"


def test_a_late_program_costs_no_other_its_row(fake: Fake) -> None:
    for kind in ("sync", "async"):
        fake.says(PROFILE_STREAM, accepted(), Hangs())
        fake.says(PROFILE_STREAM, accepted(), finished(2))
        fake.says(CANCEL_RUN, pb.CancelRunResponse())
        with opened(kind, f"http://127.0.0.1:{fake.port}") as profiler:
            frame = profiler.profile_many([CODE, CODE], timeout=0.5)
        assert frame["error"][0] == "the deadline passed before the run ended"
        assert frame["error"].isna()[1]


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_without_pandas_nothing_is_submitted(
    fake: Fake, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    address = f"http://127.0.0.1:{fake.port}"
    with opened(kind, address) as profiler, pytest.raises(ImportError, match="pandas"):
        profiler.profile_many([CODE])
    assert fake.names() == []


def test_leaving_early_cancels_all_runs_at_once(
    fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.says(PROFILE_STREAM, accepted(), finished(2))
    for _ in range(2):
        fake.says(PROFILE_STREAM, accepted(), Hangs())
    met = threading.Barrier(2)
    together = []

    def cancel(_: Run) -> None:
        met.wait(1)
        together.append(True)

    monkeypatch.setattr(Run, "cancel", cancel)
    with opened("sync", f"http://127.0.0.1:{fake.port}") as profiler:
        each = profiler.profile_each([CODE] * 3, concurrency=3, timeout=3)
        assert isinstance(next(each)[1], FullReport)
        # The others must be accepted, or there is nothing to cancel.
        time.sleep(0.3)
        each.close()
    assert together[:2] == [True, True]


def test_leaving_early_cancels_the_runs(fake: Fake) -> None:
    address = f"http://127.0.0.1:{fake.port}"

    def script() -> None:
        fake.says(PROFILE_STREAM, accepted(), finished(2))
        fake.says(PROFILE_STREAM, accepted(), Hangs())
        for _ in range(2):
            fake.says(CANCEL_RUN, pb.CancelRunResponse())

    async def leave() -> int:
        async with AsyncProfiler(address) as profiler:
            each = profiler.profile_each([CODE, CODE], concurrency=2, timeout=2)
            number, ending = await each.__anext__()
            assert isinstance(ending, FullReport)
            # The other run must be accepted, or there is nothing to cancel.
            await asyncio.sleep(0.3)
            await each.aclose()
            return number

    script()
    with opened("sync", address) as profiler:
        each = profiler.profile_each([CODE, CODE], concurrency=2, timeout=2)
        number, ending = next(each)
        assert isinstance(ending, FullReport)
        each.close()
    script()
    assert {number, asyncio.run(leave())} <= {0, 1}
    # This server ignores it, so the blocking client asks again when its time is over.
    assert fake.names().count(CANCEL_RUN.name) == 3
