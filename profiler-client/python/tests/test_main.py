"""`python -m swiftsolve_profiler`, and what a person reads who lacks swiftprof."""

from __future__ import annotations

import logging
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from swiftsolve_profiler import Profiler, StartError
from swiftsolve_profiler.__main__ import main


def test_arguments_and_the_exit_code_are_swiftprofs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "swiftprof"
    program.write_text('#!/bin/sh\necho "$@"\nexit 7\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("SWIFTPROF", str(program))
    assert main(["doctor", "--backend", "native"]) == 7
    assert capfd.readouterr().out == "doctor --backend native\n"


@pytest.mark.parametrize("arguments", [[], ["run"], ["--help"]])
def test_only_two_commands_exist(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert "doctor|serve" in capsys.readouterr().err


def test_a_missing_program_is_named_with_the_remedy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SWIFTPROF", "/no/swiftprof")
    with Profiler() as profiler, pytest.raises(StartError) as error:
        profiler.capabilities()
    text = str(error.value)
    assert text.startswith("SWIFTPROF: there is no program /no/swiftprof.")
    for remedy in ("cargo build --release", "binary=", 'Profiler("http://'):
        assert remedy in text
    assert main(["serve"]) == 3
    assert capsys.readouterr().err.strip() == f"swiftprof: {text}"
    with Profiler(binary="/none") as profiler, pytest.raises(StartError, match="binary=: there"):
        profiler.capabilities()


def test_the_package_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "swiftsolve_profiler"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2


def test_nothing_is_printed_without_logging_set_up() -> None:
    handlers = logging.getLogger("swiftsolve_profiler").handlers
    assert [type(handler) for handler in handlers] == [logging.NullHandler]
    assert Profiler("unix:none").log.name == "swiftsolve_profiler"
