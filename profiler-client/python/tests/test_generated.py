"""The committed bindings match the protos and do not clash with other packages."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import codegen
from swiftsolve_profiler import ErrorInfo, InputSpec, ParseError, SandboxError, StatusError


def test_nothing_has_drifted() -> None:
    assert codegen.drift(codegen.generate()) == []


def test_drift_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a_pb2.py").write_text("old")
    (tmp_path / "b_pb2.py").write_text("same")
    generated = {"a_pb2.py": "new", "b_pb2.py": "same", "c_pb2.py": "more"}
    assert codegen.drift(generated, tmp_path) == ["a_pb2.py", "c_pb2.py"]


def test_the_oldest_protobuf_is_that_of_the_bindings() -> None:
    texts = [file.read_text(encoding="utf-8") for file in codegen.COMMITTED.glob("*_pb2.py")]
    found = {re.findall(r"^# Protobuf Python Version: (.+)$", text, re.M)[0] for text in texts}
    declared = (codegen.HERE / "pyproject.toml").read_text(encoding="utf-8")
    assert re.findall(r'"protobuf>=(.+),<\d+"', declared) == list(found)


def test_the_controllers_package_is_left_alone() -> None:
    """Its name is `swiftsolve`, which the protos' package begins with."""
    program = "import swiftsolve_profiler, sys; sys.exit('swiftsolve' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_messages_and_errors_go_to_other_processes() -> None:
    spec = InputSpec(name="a")
    assert pickle.loads(pickle.dumps(spec)) == spec
    for error in (SandboxError("memory", "too much"), ParseError("no field")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), copy.code, str(copy)) == (type(error), error.code, str(error))
    refused = StatusError("NOT_FOUND", "no run")
    refused.info = ErrorInfo("UNKNOWN_RUN", "tests", {})
    assert pickle.loads(pickle.dumps(refused)).info == refused.info
