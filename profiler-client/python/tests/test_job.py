"""Arguments become a job."""

import json
import logging
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from swiftsolve_profiler import CodeMessage, InvalidRequest, TaskMetadata, task_metadata
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler.job.options import Options, build

CODE = CodeMessage(task_id="t", iteration=3, code_cpp="int main() {}", seed=5)
TASK: dict[str, Any] = {
    "task_id": "BIGOBENCH_003",
    "title": "Bubble Sort",
    "input_bounds": {"n": 1000},
    "time_limit_ms": 2000,
    "memory_limit_mb": 256,
    "expected_complexity": "O(n^2)",
    "test_cases": [{"input": "3\n3 1 2", "output": "1 2 3", "explanation": "Test case 1"}],
    "source_url": None,
    "tags": ["on^2"],
}
SPEC = {"vars": [{"name": "a", "array": {"len": "n"}}]}


class MessageType(str, Enum):
    CODE = "code"


class TheirCode(BaseModel):
    """The controller's own model, as far as it matters."""

    model_config = ConfigDict(protected_namespaces=())

    type: Literal[MessageType.CODE] = MessageType.CODE
    task_id: str
    iteration: int
    timestamp_utc: datetime = Field(default_factory=lambda: datetime.now(tz=timezone.utc))
    schema_version: Literal["1.0.0"] = "1.0.0"
    code_cpp: str
    compiler_flags: list[str] = ["-O2"]
    model_version: str | None = None
    seed: int | None = None


def test_the_code_is_copied_field_for_field() -> None:
    job = build(CODE, {})
    assert job.code.task_id == "t"
    assert job.code.iteration == 3
    assert job.code.code_cpp == "int main() {}"
    assert list(job.code.compiler_flags) == ["-O2", "-std=c++17"]
    assert job.code.seed == 5
    assert not job.code.HasField("model_version")
    assert job.code.timestamp_utc.ToDatetime(timezone.utc) == CODE.timestamp_utc


def test_the_controllers_own_message_and_a_mapping_will_do() -> None:
    theirs = TheirCode(task_id="t", iteration=3, code_cpp="int main() {}", seed=5)
    assert list(build(theirs, {}).code.compiler_flags) == ["-O2"]
    mapping = {"task_id": "t", "iteration": 3, "code_cpp": "int main() {}"}
    assert build(mapping, {}).code.code_cpp == "int main() {}"


def test_a_source_is_a_program() -> None:
    job = build("int main() {}", {"against": "int f();"})
    assert (job.code.task_id, job.code.iteration) == ("program", 0)
    assert (job.code.code_cpp, job.against.code_cpp) == ("int main() {}", "int f();")
    flags = list(build(CODE, {}).code.compiler_flags)
    assert list(job.code.compiler_flags) == list(job.against.compiler_flags) == flags


def test_bytes_are_a_compiled_program() -> None:
    code = build(b"\x7fELF", {}).code
    assert (code.task_id, code.program, code.code_cpp) == ("program", b"\x7fELF", "")
    assert not code.compiler_flags
    with pytest.raises(InvalidRequest, match="against: must be a source"):
        build("int main() {}", {"against": b"\x7fELF"})
    with pytest.raises(InvalidRequest, match="stress: must be a source"):
        build("int main() {}", {"stress": {"reference": b"\x7fELF"}})


def test_what_is_no_code_is_said() -> None:
    with pytest.raises(InvalidRequest) as error:
        build({"task_id": "t", "iteration": -1}, {})
    assert {v.field for v in error.value.violations} == {"code.iteration", "code.code_cpp"}


def test_a_job_can_be_submitted_twice_and_its_stream_may_break() -> None:
    first, second = build(CODE, {}), build(CODE, {})
    assert first.request_id
    assert first.request_id != second.request_id
    assert first.on_disconnect == job_pb2.ON_DISCONNECT_GRACE
    said = build(CODE, {"request_id": "mine", "on_disconnect": "detach"})
    assert (said.request_id, said.on_disconnect) == ("mine", job_pb2.ON_DISCONNECT_DETACH)


def test_the_plans_knowledge_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    constraints = {"runtime_limit": 1500, "memory_limit": 64, "wit": 3}
    with caplog.at_level(logging.WARNING, "Profiler"):
        job = build(CODE, {"input_bounds": {"n": 10, "m": 5}, "constraints": constraints})
    assert dict(job.input_bounds) == {"n": 10, "m": 5}
    assert job.limits.runtime_limit_ms == 1500
    assert job.limits.memory_mb == 64
    assert "wit" in caplog.text


def test_what_meets_asks_of_the_constraints_is_no_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    build(CODE, {"constraints": {"runtime_limit": 1, "expected_complexity": "O(n)"}})
    assert caplog.messages == []


def test_an_empty_interactor_is_not_dropped() -> None:
    assert build(CODE, {"interactor": ""}).HasField("interactor")
    assert not build(CODE, {"interactor": None}).HasField("interactor")


def test_a_checker_takes_its_header_along() -> None:
    job = build(CODE, {"checker_program": "int main() {}", "testlib_h": "int f();"})
    sent = job.checker_program
    assert (sent.code_cpp, sent.testlib_h) == ("int main() {}", "int f();")
    assert build(CODE, {"checker_program": ""}).HasField("checker_program")
    with pytest.raises(InvalidRequest, match="testlib_h: requires checker_program or validator"):
        build(CODE, {"testlib_h": "int f();"})


def test_a_reference_gives_the_expected_outputs_of_sizes() -> None:
    job = build(CODE, {"checker_program": "int main() {}", "check_sizes": True, "reference": CODE})
    assert job.check_sizes
    assert job.reference.code_cpp == CODE.code_cpp
    assert not job.HasField("against")


def test_a_validator_takes_its_header_along() -> None:
    job = build(CODE, {"validator_program": "int main() {}", "testlib_h": "int f();"})
    sent = job.validator_program
    assert (sent.code_cpp, sent.testlib_h) == ("int main() {}", "int f();")
    assert not job.HasField("checker_program")


@pytest.mark.parametrize("name", ["sort.cpp", "my tasks/sort.CC\n", "sort.cxx"])
def test_the_name_of_a_file_is_no_source(name: str) -> None:
    told = r"is the name of a file: pass its text, Path\('.*'\)\.read_text\(\)"
    message = CODE.model_copy(update={"code_cpp": name})
    for code in (name, message, dict(message)):
        with pytest.raises(InvalidRequest, match=f"code: {told}"):
            build(code, {})
    others: list[Options] = [{"against": name}, {"interactor": name}, {"checker_program": name}]
    others.append({"validator_program": name})
    for options in others:
        with pytest.raises(InvalidRequest, match=f"{next(iter(options))}: {told}"):
            build(CODE, options)
    path: Any = Path(name.strip())
    with pytest.raises(InvalidRequest, match=f"checker_program: {told}"):
        build(CODE, {"checker_program": path})


def test_a_source_may_end_like_the_name_of_a_file() -> None:
    for source in ("int main() {} // sort.cpp", "int main()\n{} // sort.cpp", "sort"):
        assert build(source, {}).code.code_cpp == source


def test_every_option_reaches_its_field() -> None:
    job = build(
        CODE,
        {
            "size_variable": "m",
            "sizes": [1, 2],
            "schedule": "auto",
            "input_specs": [SPEC, {"name": "other"}],
            "interactor": "int main() { return 0; }",
            "timeout_ms": 10.5,
            "address_space_mb": 4096,
            "on_memory_limit": "record",
            "runtime_clock": "cpu",
            "repetitions": 30,
            "instructions": True,
            "growth": "full",
            "allocations": True,
            "worst": 500,
            "advice": True,
            "against": CODE.model_copy(update={"code_cpp": "int f();", "compiler_flags": ["-O3"]}),
            "same_pool_as": "a run",
            "skip_after_limits": True,
            "fit_sizes": True,
            "fault_location": True,
            "count_questions": True,
            "time_shares": True,
            "input_file": "input.txt",
            "output_file": "output.txt",
            "raw_samples": True,
            "stdout_bytes": 9,
            "debug": True,
        },
    )
    assert (job.size_variable, list(job.input_sizes)) == ("m", [1, 2])
    assert job.schedule == job_pb2.SCHEDULE_AUTO
    assert [spec.name for spec in job.input_specs] == ["", "other"]
    assert job.interactor.code_cpp == "int main() { return 0; }"
    assert (job.limits.timeout_ms, job.limits.address_space_mb) == (10.5, 4096)
    assert job.on_memory_limit == job_pb2.ON_MEMORY_LIMIT_RECORD
    assert job.runtime_clock == job_pb2.RUNTIME_CLOCK_CPU
    assert job.repetitions == 30
    assert job.debug
    assert job.instructions
    assert job.growth == job_pb2.GROWTH_FULL
    assert job.allocations
    assert job.worst.size == 500
    assert job.advice
    assert (job.against.code_cpp, list(job.against.compiler_flags)) == ("int f();", ["-O3"])
    assert job.same_pool_as == "a run"
    assert job.skip_after_limits
    files = build(CODE, {"files": {"lib/a.h": "int f();", "a.cpp": ""}}).code.files
    assert [(file.path, file.text) for file in files] == [("lib/a.h", "int f();"), ("a.cpp", "")]
    assert not build(CODE, {}).skip_after_limits
    assert job.fit_sizes
    assert not build(CODE, {}).fit_sizes
    assert job.fault_location
    assert build(CODE, {}).fault_location
    assert not build(CODE, {"fault_location": False}).fault_location
    assert build(CODE, {}).count_questions
    assert not build(CODE, {"count_questions": False}).count_questions
    assert job.time_shares
    assert build(CODE, {}).time_shares
    assert not build(CODE, {"time_shares": False}).time_shares
    assert (job.input_file, job.output_file) == ("input.txt", "output.txt")
    assert not build(CODE, {"worst": True}).worst.HasField("size")
    assert not build(CODE, {"worst": False}).HasField("worst")
    line = build(CODE, {"worst": {"goal": "line", "line": 3, "seconds": 5}}).worst
    assert line == job_pb2.WorstSearch(goal=job_pb2.WORST_GOAL_LINE, line=3, seconds=5)
    for wrong in ({"goal": "time"}, {"sise": 5}, {"size": "many"}):
        with pytest.raises(InvalidRequest, match="worst"):
            build(CODE, {"worst": wrong})
    assert job.raw_samples
    assert job.stdout_bytes == 9


def test_a_stress_test_has_a_reference_and_limits() -> None:
    assert build(CODE, {"stress": "int f();"}).stress.reference.code_cpp == "int f();"
    limited = build(CODE, {"stress": {"reference": CODE, "seconds": 5}}).stress
    assert (limited.reference.code_cpp, limited.seconds) == (CODE.code_cpp, 5)
    with pytest.raises(InvalidRequest, match="stress"):
        build(CODE, {"stress": {"reference": CODE, "second": 5}})


def test_none_is_as_if_it_were_left_out() -> None:
    job = build(
        CODE,
        {"sizes": None, "request_id": "r", "input_bounds": None, "task": None, "schedule": None},
    )
    assert job == build(CODE, {"request_id": "r"})


def test_explicit_inputs_are_bytes_and_name_the_sizes() -> None:
    job = build(CODE, {"inputs": {20: b"\xff", 3: "3\n"}})
    assert list(job.input_sizes) == [3, 20]
    assert [(given.size, given.data) for given in job.inputs] == [(3, b"3\n"), (20, b"\xff")]


def test_a_size_may_be_a_value_of_64_bits() -> None:
    options = {"sizes": [10**18], "input_bounds": {"n": 10**18}, "input_scales": [10**12]}
    job = build(CODE, options)  # type: ignore[arg-type]
    assert (list(job.input_sizes), job.input_bounds["n"]) == ([10**18], 10**18)
    assert list(job.input_scales.values) == [10**12]
    assert build(CODE, {"inputs": {10**18: ""}}).inputs[0].size == 10**18


def test_an_option_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(TypeError, match="input_bound"):
        build(CODE, {"input_bound": {"n": 3}})  # type: ignore[typeddict-unknown-key]


def test_a_value_that_cannot_be_is_an_error() -> None:
    with pytest.raises(InvalidRequest, match="schedule"):
        build(CODE, {"schedule": "fast"})  # type: ignore[typeddict-item]
    with pytest.raises(InvalidRequest):
        build(CODE, {"sizes": [-1]})


def test_a_task_gives_bounds_and_limits(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps(TASK))
    for task in (TASK, file, str(file), task_metadata(TASK)):
        job = build(CODE, {"task": task})
        assert dict(job.input_bounds) == {"n": 1000}
        assert (job.limits.runtime_limit_ms, job.limits.memory_mb) == (2000, 256)
        assert not job.test_cases
        assert not job.input_specs


def test_a_model_of_a_task_will_do() -> None:
    class Theirs(BaseModel):
        task_id: str = "t"
        input_bounds: dict[str, int] = {"n": 7}
        difficulty: MessageType = MessageType.CODE

    assert dict(build(CODE, {"task": Theirs()}).input_bounds) == {"n": 7}


def test_what_is_said_goes_before_the_task() -> None:
    said = {
        "task": TASK | {"input_spec": SPEC},
        "input_bounds": {"m": 2},
        "input_specs": {"name": "other"},
    }
    job = build(CODE, {**said, "constraints": {"memory_limit": 9}})  # type: ignore[typeddict-item]
    assert dict(job.input_bounds) == {"n": 1000, "m": 2}
    assert (job.limits.runtime_limit_ms, job.limits.memory_mb) == (2000, 9)
    assert [spec.name for spec in job.input_specs] == ["other"]


def test_no_specs_are_not_an_empty_list() -> None:
    with pytest.raises(InvalidRequest, match="input_specs: must not be an empty list"):
        build(CODE, {"input_specs": []})
    with pytest.raises(InvalidRequest, match=r"task\.input_spec: must not be an empty list"):
        build(CODE, {"task": TASK | {"input_spec": []}})


def test_a_task_declares_its_inputs() -> None:
    task = TASK | {"input_spec": SPEC}
    assert build(CODE, {"task": task}).input_specs[0].vars[0].name == "a"
    assert len(build(CODE, {"task": TASK | {"input_spec": [SPEC, SPEC]}}).input_specs) == 2
    assert not build(CODE, {"task": task, "inputs": {1: "1"}}).input_specs


def test_the_tests_of_a_task_are_run_when_asked_for() -> None:
    job = build(CODE, {"task": TASK, "run_tests": True})
    assert [(test.input, test.output) for test in job.test_cases] == [("3\n3 1 2", "1 2 3")]
    with pytest.raises(InvalidRequest, match="run_tests"):
        build(CODE, {"run_tests": True})


def test_the_output_of_a_test_may_be_a_digest() -> None:
    tests = [{"input": "1", "output_words_sha256": "0A" * 32}]
    job = build(CODE, {"task": TASK | {"test_cases": tests}, "run_tests": True})
    assert (job.test_cases[0].output, job.test_cases[0].output_words_sha256) == ("", b"\n" * 32)
    for bad in (
        {"input": "1"},
        {"input": "1", "output": "1", "output_words_sha256": "0a" * 32},
        {"input": "1", "output_words_sha256": "0a"},
    ):
        with pytest.raises(InvalidRequest, match=r"task\.test_cases\.0"):
            task_metadata(TASK | {"test_cases": [bad]})


def test_what_is_no_task_is_said(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest) as error:
        task_metadata({"title": "none", "input_bounds": {"n": "many"}})
    assert {v.field for v in error.value.violations} == {"task.task_id", "task.input_bounds.n"}
    with pytest.raises(InvalidRequest, match=r"gone\.json"):
        task_metadata(tmp_path / "gone.json")


def test_a_task_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "task.json"
    file.write_text(json.dumps(TASK), encoding="utf-8-sig")
    assert task_metadata(file) == TaskMetadata.model_validate(TASK)


def test_a_task_reads_what_concerns_it() -> None:
    task = TaskMetadata.model_validate(TASK)
    assert task.expected_complexity == "O(n^2)"
    assert task.test_cases[0].output == "1 2 3"
