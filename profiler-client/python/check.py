"""Runs all checks of this package on one interpreter: `python3.10 check.py [--prepare]`.

It makes an environment with the pinned versions below `target/python/`, unless there is one. With
`--prepare`, that is all. The variable SWIFTPROF is the path of swiftprof. Without it, tests that
need a server are skipped; with PROFILER_TEST_REQUIRE=python they fail.
"""

from __future__ import annotations

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
    pip = [str(programs / "pip"), "install", "--quiet", "--disable-pip-version-check"]
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


def main() -> None:
    """Checks the bindings, the API reference, the style, the types and the tests, in this order."""
    if sys.argv[1:] == ["--prepare"]:
        environment()
        return
    required = "python" in os.environ.get("PROFILER_TEST_REQUIRE", "").split(",")
    if required and "SWIFTPROF" not in os.environ:
        raise SystemExit("SWIFTPROF must be the path of swiftprof")
    programs = environment()
    run(str(programs / "python"), "codegen.py", "--check")
    run(str(programs / "python"), "reference.py", "--check")
    style = ["--quiet", "--config", "pyproject.toml", ".", EXAMPLE]
    run(str(programs / "ruff"), "format", "--check", *style)
    run(str(programs / "ruff"), "check", *style)
    run(str(programs / "mypy"), "--cache-dir", str(programs.parent / "mypy"))
    covered = [
        "--cov",
        f"--cov-fail-under={COVERAGE_PERCENT}",
        "--cov-report=term-missing:skip-covered",
    ]
    run(str(programs / "pytest"), "-q", *(covered if "SWIFTPROF" in os.environ else []))


if __name__ == "__main__":
    main()
