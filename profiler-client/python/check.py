"""Runs all checks of this package on one interpreter: `python3.10 check.py [OPTION]`.

It makes an environment with the pinned versions below `target/python/`, unless there is one. The
checks are the lints (the bindings, the API reference, the style and the types) and the tests. An
option limits them to `--lints`, to `--tests`, or to `--units`, the tests that do not run swiftprof.
The variable SWIFTPROF is the path of swiftprof. Without it, tests that need it are skipped; with
PROFILER_TEST_REQUIRE=python the check fails.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "target" / "python"
EXAMPLE = "../../examples/profile.py"
COVERAGE_PERCENT = 90
WORKERS = 2
"""Processes that run tests. Each starts a server; servers on one host measure in turn."""


def requirements() -> Path:
    """Returns the pinned versions for this interpreter, or for the next older one."""

    def version(file: Path) -> tuple[int, ...]:
        return tuple(map(int, file.stem.split(".")))

    files = sorted((HERE / "requirements").glob("*.txt"), key=version)
    fitting = [file for file in files if version(file) <= sys.version_info[:2]]
    if not fitting:
        raise SystemExit(f"needs Python {files[0].stem} or later")
    return fitting[-1]


def environment() -> Path:
    """Returns the folder of the environment's programs, after installing what is missing."""
    pins = requirements()
    content = pins.read_bytes() + (HERE / "pyproject.toml").read_bytes() + sys.version.encode()
    stamp = hashlib.sha256(content + str(HERE).encode()).hexdigest()
    folder = TARGET / ".".join(map(str, sys.version_info[:3]))
    programs, stamped = folder / "bin", folder / "stamp"
    if stamped.is_file() and stamped.read_text() == stamp:
        return programs
    venv.create(folder, clear=True, with_pip=True)
    # Most modules are never imported. Compiling all of them takes longer than installing them.
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    pip = [str(programs / "pip"), "install", *options]
    run(*pip, "--requirement", str(pins))
    run(*pip, "--no-deps", "--no-build-isolation", "--editable", str(HERE))
    run(str(programs / "pip"), "check")
    stamped.write_text(stamp)
    return programs


def run(*command: str) -> None:
    """Runs a command. Exits with its status if it fails."""
    print("+", Path(command[0]).name, *command[1:], flush=True)
    status = subprocess.run(command, cwd=HERE, check=False).returncode
    if status != 0:
        raise SystemExit(status)


def lint(programs: Path) -> None:
    """Checks the bindings, the API reference, the style and the types."""
    run(str(programs / "python"), "codegen.py", "--check")
    run(str(programs / "python"), "reference.py", "--check")
    style = ["--quiet", "--config", "pyproject.toml", ".", EXAMPLE]
    run(str(programs / "ruff"), "format", "--check", *style)
    run(str(programs / "ruff"), "check", *style)
    run(str(programs / "mypy"), "--cache-dir", str(programs.parent / "mypy"))


def selection(units: bool) -> list[str]:
    """Returns the options of pytest: the tests, their processes, and the coverage."""
    if units:
        return ["-m", "not service"]
    if "SWIFTPROF" in os.environ:
        report = "--cov-report=term-missing:skip-covered"
        covered = ["--cov", f"--cov-fail-under={COVERAGE_PERCENT}", report]
        return ["-n", str(WORKERS), *covered]
    if "python" in os.environ.get("PROFILER_TEST_REQUIRE", "").split(","):
        raise SystemExit("SWIFTPROF must be the path of swiftprof")
    return []


def main() -> None:
    """Runs the lints and then the tests, as far as they are asked for."""
    parser = argparse.ArgumentParser()
    only = parser.add_mutually_exclusive_group()
    for option in ("--lints", "--tests", "--units"):
        only.add_argument(option, action="store_true")
    asked = parser.parse_args()
    selected = [] if asked.lints else selection(asked.units)
    programs = environment()
    if not (asked.units or asked.tests):
        lint(programs)
    if not asked.lints:
        run(str(programs / "pytest"), "-q", *selected)


if __name__ == "__main__":
    main()
