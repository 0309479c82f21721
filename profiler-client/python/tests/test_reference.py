"""The API reference is complete, and its table of options is true."""

from __future__ import annotations

import re
import subprocess

import reference
import swiftsolve_profiler
from swiftsolve_profiler import InputSpec, Options
from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler.job.declared import NAMES


def test_the_committed_page_is_the_generated_one() -> None:
    assert reference.PAGE.read_text(encoding="utf-8") == reference.generate()


def test_every_public_name_is_in_the_reference() -> None:
    named = {name for names in reference.SECTIONS.values() for name in names}
    # A generated message, which the protos document.
    assert set(swiftsolve_profiler.__all__) - named == {InputSpec.__name__}
    page = " ".join(reference.generate().split())
    for name in ("`profile_many(codes, *", "`complexity`: The class", 'One of "list", "auto".'):
        assert name in page


def test_every_option_names_a_field_of_the_job() -> None:
    # A task is no field: it sets several.
    assert set(NAMES) == Options.__annotations__.keys() - {"task"}
    for path, _ in NAMES.values():
        first, _, second = path.partition(".")
        field = job_pb2.Job.DESCRIPTOR.fields_by_name[first]
        inner = field.message_type
        assert not second or (inner is not None and second in inner.fields_by_name)


def test_the_table_has_the_options_with_another_name() -> None:
    page = reference.generate()
    for row in ("| `debug` | `debug` | `--hotspots` |", "| `stdout_bytes` | `stdout_bytes` |  |"):
        assert row in page
    assert "| `raw_samples` |" not in page


def test_every_flag_exists(program: str) -> None:
    command = [program, "run", "--help"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    known = set(re.findall(r"--[a-z-]+", text))
    flags = {f"--{flag}" for _, flag in NAMES.values() if flag}
    assert flags <= known
