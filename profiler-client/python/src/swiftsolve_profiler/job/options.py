"""Converts the arguments of a call to a `Job` message."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import BaseModel, ValidationError

from swiftsolve_profiler._gen import code_pb2, job_pb2
from swiftsolve_profiler.errors import InvalidRequest, Violation
from swiftsolve_profiler.job.declared import NAMES, DeclaredOptions
from swiftsolve_profiler.job.spec import input_specs
from swiftsolve_profiler.job.task import TaskMetadata, invalid, task_metadata
from swiftsolve_profiler.schemas import CodeMessage

if TYPE_CHECKING:
    from google.protobuf.descriptor import EnumDescriptor

    from swiftsolve_profiler.job.spec import Spec
    from swiftsolve_profiler.job.task import Task

    Code = str | bytes | CodeMessage | BaseModel | Mapping[str, object]
    """A program: C++ source, a compiled program's bytes, a `CodeMessage` (also SwiftSolve's), or a
    mapping with its fields."""

TASK_ID: Final = "program"
"""The task id of a program that is only a source or a compiled program."""
_SOURCE_FILES: Final = (".cpp", ".cc", ".cxx")
"""The ends of the names of files with C++ source."""
_log = logging.getLogger("swiftsolve_profiler")


class Options(DeclaredOptions, total=False):
    """The options of a job. None, or an absent option, means the server's default."""

    files: Mapping[str, str] | None
    """Further headers and sources of the program: the text of each by its path, such as
    `{"lib/graph.h": text}`."""
    input_bounds: Mapping[str, int] | None
    """The bounds of the task's variables in the plan, such as `{"n": 100000}`."""
    constraints: Mapping[str, Any] | None
    """The limits in the plan: `runtime_limit` in milliseconds, `memory_limit` in MiB. Its
    `expected_complexity` is only for `FullReport.meets`."""
    sizes: Sequence[int] | None
    """The exact sizes, strictly ascending, each from 0 to 10^18."""
    input_scales: Sequence[int] | None
    """Sizes in place of 1000, 5000, 10000, 50000 and 100000, up to the bound of n."""
    extra_corner_cases: Sequence[int] | None
    """Sizes in place of 0 and 1, which come first. An empty list leaves them out."""
    inputs: Mapping[int, bytes | str] | None
    """The exact input of each size. Without `sizes`, the keys are the sizes."""
    input_specs: Spec | Sequence[Spec] | None
    """The declaration of the inputs. Several specs are candidates for the worst case."""
    interactor: str | None
    """The C++ source of the interactor of an interactive task."""
    checker_program: str | None
    """The C++ source of a checker for test cases and `check_sizes`, with testlib's arguments."""
    validator_program: str | None
    """The C++ source of a validator for the inputs."""
    testlib_h: str | None
    """The text of `testlib.h`, if one of these programs includes it."""
    task: Task | None
    """A task of SwiftSolve: its bounds, limits and `input_spec`. Other options override it."""
    run_tests: bool | None
    """Whether to run the task's test cases. If so, the default of `test_order` is "first": a
    program that is wrong is not measured."""
    timeout_ms: float | None
    """The time limit of one run in milliseconds. Default: `runtime_limit` + 250, or 2000."""
    address_space_mb: int | None
    """The limit of the address space (`ulimit -v`), in MiB."""
    worst: bool | int | Mapping[str, object] | None
    """Whether to search for the worst input that `input_specs` allow, or the size of that input.
    The default size is 1000. Takes up to a minute; the result is `report.worst`. A mapping has
    fields of `WorstSearch` in `job.proto`, such as `{"size": 500, "goal": "memory"}`."""
    stress: Code | Mapping[str, object] | None
    """A right program to test this one against, in place of measuring; or fields of `StressTest`,
    such as `{"reference": code, "seconds": 5}`. The result is `report.message.stress`."""
    against: Code | None
    """A program to compare with this one: both are measured in turns on one host. The result is
    `report.turns`; the other options apply to both."""
    reference: Code | None
    """A program whose output at a size is the expected one, if `check_sizes` is set. Default: the
    program itself."""


def build(code: Code, options: Options) -> job_pb2.Job:
    """Returns the job. It has a request id, so submitting it twice gives one run.

    Raises `InvalidRequest`, and `TypeError` for an unknown option.
    """
    check(options)
    try:
        said = cast(Options, {k: v for k, v in options.items() if v is not None})
        return _job(code, said)
    except InvalidRequest:
        raise
    except (TypeError, ValueError) as error:
        # protobuf refuses a value that does not fit its field.
        raise InvalidRequest(f"invalid request: {error}") from error


def check(options: Options, concurrency: int = 1) -> None:
    """Refuses options that are wrong for any program. Raises as `build` does."""
    if unknown := options.keys() - Options.__annotations__.keys():
        raise TypeError(f"unknown options: {', '.join(sorted(unknown))}")
    if concurrency < 1:
        raise _invalid("concurrency", "must be at least 1")


def several(codes: Iterable[Code]) -> Iterable[Code]:
    """Refuses one program in place of several: its characters or keys would be the programs."""
    if isinstance(codes, (str, bytes, Mapping, BaseModel)):
        raise _invalid("codes", "must be a list of programs, not one program")
    return codes


def _job(code: Code, options: Options) -> job_pb2.Job:
    source = options.get("task")
    task = None if source is None else task_metadata(source)
    job = job_pb2.Job(
        code=_code("code", code),
        input_bounds={**(task.input_bounds if task else {}), **(options.get("input_bounds") or {})},
        limits=_limits(options, task),
        on_disconnect=job_pb2.ON_DISCONNECT_GRACE,
        fault_location=True,
        count_questions=True,
        time_shares=True,
    )
    for name, value in options.items():
        if name in DeclaredOptions.__annotations__:
            _set(job, name, value)
    for path, text in (options.get("files") or {}).items():
        job.code.files.add(path=path, text=text)
    job.request_id = job.request_id or str(uuid.uuid4())
    _others(job, options)
    _inputs(job, options, task)
    worst = options.get("worst")
    if worst:
        job.worst.CopyFrom(_worst(worst))
    interactor = options.get("interactor")
    if interactor is not None:
        # An empty source is sent too, because the profiler refuses it.
        job.interactor.CopyFrom(job_pb2.Interactor(code_cpp=_text("interactor", interactor)))
    _judges(job, options)
    if options.get("run_tests"):
        _tests(job, task)
    return job


def _others(job: job_pb2.Job, options: Options) -> None:
    """Sets the program to compare with, the one whose outputs are right, and the stress test."""
    if against := options.get("against"):
        job.against.CopyFrom(_other("against", against))
    if reference := options.get("reference"):
        job.reference.CopyFrom(_other("reference", reference))
    if stress := options.get("stress"):
        job.stress.CopyFrom(_stress(stress))


def _other(field: str, source: Code) -> job_pb2.OtherProgram:
    """Returns a program that a job has besides its own. It must be a source."""
    if isinstance(source, bytes):
        raise _invalid(field, "must be a source, not a compiled program")
    code = _code(field, source)
    return job_pb2.OtherProgram(code_cpp=code.code_cpp, compiler_flags=code.compiler_flags)


def _judges(job: job_pb2.Job, options: Options) -> None:
    """Sets the checker and the validator."""
    checker, validator = options.get("checker_program"), options.get("validator_program")
    header = options.get("testlib_h")
    if header is not None and checker is None and validator is None:
        problem = "requires checker_program or validator_program; a spec has its own testlib_h"
        raise _invalid("testlib_h", problem)
    for name, source, field in (
        ("checker_program", checker, job.checker_program),
        ("validator_program", validator, job.validator_program),
    ):
        if source is not None:
            source = _text(name, source)
            field.CopyFrom(job_pb2.CheckerProgram(code_cpp=source, testlib_h=header or ""))


def _set(job: job_pb2.Job, name: str, value: object) -> None:
    """Sets the field of an option that is a plain value."""
    field = job.DESCRIPTOR.fields_by_name[NAMES[name][0]]
    if field.enum_type is not None:
        value = _choice(name, field.enum_type, value)
    elif field.type == field.TYPE_BOOL:
        value = bool(value)
    setattr(job, field.name, value)


def _worst(search: int | Mapping[str, object]) -> job_pb2.WorstSearch:
    if not isinstance(search, Mapping):
        return job_pb2.WorstSearch(size=None if search is True else search)
    fields: dict[str, Any] = dict(search)
    if (goal := fields.get("goal")) is not None:
        fields["goal"] = _choice("worst_goal", job_pb2.WorstGoal.DESCRIPTOR, goal)
    try:
        return job_pb2.WorstSearch(**fields)
    except (TypeError, ValueError) as error:
        raise _invalid("worst", str(error)) from None


def _stress(test: Code | Mapping[str, object]) -> job_pb2.StressTest:
    has_fields = isinstance(test, Mapping) and "reference" in test
    fields: dict[str, Any] = dict(cast(Mapping[str, object], test)) if has_fields else {}
    reference = _other("stress", fields.pop("reference", test))
    try:
        return job_pb2.StressTest(reference=reference, **fields)
    except (TypeError, ValueError) as error:
        raise _invalid("stress", str(error)) from None


def _text(field: str, source: str) -> str:
    """Returns a C++ source. Refuses the name of a file in its place."""
    name = str(source).strip()
    if name.lower().endswith(_SOURCE_FILES) and "\n" not in name and "{" not in name:
        raise _invalid(field, f"is the name of a file: pass its text, Path({name!r}).read_text()")
    return source


def _code(field: str, source: Code) -> code_pb2.CodeMessage:
    if isinstance(source, bytes):
        return code_pb2.CodeMessage(task_id=TASK_ID, program=source)
    try:
        if isinstance(source, CodeMessage):
            code = source
        elif isinstance(source, str):
            code = CodeMessage(task_id=TASK_ID, iteration=0, code_cpp=source)
        elif isinstance(source, BaseModel):
            code = CodeMessage.model_validate(source.model_dump(mode="json"))
        else:
            code = CodeMessage.model_validate(source)
    except ValidationError as error:
        raise invalid(field, error) from error
    message = code_pb2.CodeMessage(
        type=code.type.value,
        task_id=code.task_id,
        iteration=code.iteration,
        schema_version=code.schema_version,
        code_cpp=_text(field, code.code_cpp),
        compiler_flags=code.compiler_flags,
        model_version=code.model_version,
        seed=code.seed,
    )
    message.timestamp_utc.FromDatetime(code.timestamp_utc)
    return message


def _limits(options: Options, task: TaskMetadata | None) -> job_pb2.RunLimits:
    """Returns the limits. `constraints` take precedence over the task."""
    constraints = dict(options.get("constraints") or {})
    runtime = constraints.pop("runtime_limit", task.time_limit_ms if task else None)
    memory = constraints.pop("memory_limit", task.memory_limit_mb if task else None)
    # Only `FullReport.meets` uses it.
    constraints.pop("expected_complexity", None)
    if constraints:
        _log.warning("unknown constraints are ignored: %s", ", ".join(constraints))
    return job_pb2.RunLimits(
        timeout_ms=options.get("timeout_ms"),
        runtime_limit_ms=runtime,
        memory_mb=None if memory is None else int(memory),
        address_space_mb=options.get("address_space_mb"),
    )


def _choice(name: str, kind: EnumDescriptor, chosen: object) -> int:
    """Returns the value of an enum whose name is `name` followed by `chosen`, in upper case."""
    value = kind.values_by_name.get(f"{name}_{chosen}".upper())
    if value is None:
        words = [one.name.removeprefix(f"{name}_".upper()).lower() for one in kind.values[1:]]
        raise _invalid(name, f"must be one of {', '.join(words)}, not {chosen!r}")
    return int(value.number)


def _inputs(job: job_pb2.Job, options: Options, task: TaskMetadata | None) -> None:
    inputs = options.get("inputs") or {}
    sizes = options.get("sizes") or (sorted(inputs) if inputs else [])
    job.input_sizes.extend(sizes)
    for name, values in (
        ("input_scales", options.get("input_scales")),
        ("extra_corner_cases", options.get("extra_corner_cases")),
    ):
        if values is not None:
            getattr(job, name).CopyFrom(job_pb2.SizeList(values=values))
    for size in sorted(inputs):
        data = inputs[size]
        job.inputs.add(size=size, data=data.encode() if isinstance(data, str) else data)
    specs = options.get("input_specs")
    if specs is not None:
        job.input_specs.extend(input_specs(specs))
    elif task is not None and task.input_spec is not None and not inputs:
        job.input_specs.extend(input_specs(task.input_spec, "task.input_spec"))


def _tests(job: job_pb2.Job, task: TaskMetadata | None) -> None:
    if task is None or not task.test_cases:
        raise _invalid("run_tests", "requires a task with test cases")
    job.test_order = job.test_order or job_pb2.TEST_ORDER_FIRST
    for test in task.test_cases:
        digest = bytes.fromhex(test.output_words_sha256 or "")
        job.test_cases.add(input=test.input, output=test.output or "", output_words_sha256=digest)


def _invalid(field: str, problem: str) -> InvalidRequest:
    return InvalidRequest(f"invalid request: {field}: {problem}", (Violation(field, problem),))
