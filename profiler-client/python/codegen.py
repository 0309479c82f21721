"""Generates the Python bindings of the protos and writes them over the committed ones.

The proto packages begin with `swiftsolve`, the name of the controller's own Python package. So the
bindings are in a private package and import each other from there.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTOS = HERE.parents[1] / "proto"
COMMITTED = HERE / "src" / "swiftsolve_profiler" / "_gen"

_PACKAGE = "swiftsolve.profiler.v1"
_PRIVATE = "swiftsolve_profiler._gen"


def generate(protos: Path = PROTOS) -> dict[str, str]:
    """Returns the text of every generated file by its name."""
    from grpc_tools import protoc

    folder = _PACKAGE.replace(".", "/")
    names = sorted(str(proto.relative_to(protos)) for proto in (protos / folder).glob("*.proto"))
    include = Path(protoc.__file__).parent / "_proto"
    with tempfile.TemporaryDirectory() as out:
        arguments = [f"-I{protos}", f"-I{include}", f"--python_out={out}", f"--mypy_out={out}"]
        # The stubs of protoc itself confuse a field with the name `bytes` with the type.
        arguments.append(
            f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}"
        )
        if protoc.main(["protoc", *arguments, *names]) != 0:
            raise SystemExit("protoc failed")
        generated = sorted((Path(out) / folder).glob("*_pb2.py*"))
        return {file.name: _moved(file.read_text(encoding="utf-8")) for file in generated}


def _moved(text: str) -> str:
    text = text.replace(f"from {_PACKAGE} import", f"from {_PRIVATE} import")
    # The module of the classes, in which pickle looks for them.
    return re.sub(rf"'{re.escape(_PACKAGE)}\.(\w+_pb2)'", rf"'{_PRIVATE}.\1'", text)


def drift(generated: dict[str, str], committed: Path = COMMITTED) -> list[str]:
    """Returns the names of the files that differ from the committed ones."""
    found = {file.name: file.read_text(encoding="utf-8") for file in committed.glob("*_pb2.py*")}
    names = generated.keys() | found.keys()
    return sorted(name for name in names if generated.get(name) != found.get(name))


def main() -> None:
    """Writes the bindings. With `--check`, fails if the committed ones are stale."""
    generated = generate()
    stale = drift(generated)
    if "--check" in sys.argv[1:]:
        if stale:
            raise SystemExit(f"stale bindings, run codegen.py: {', '.join(stale)}")
        return
    for name in stale:
        if name in generated:
            (COMMITTED / name).write_text(generated[name], encoding="utf-8")
        else:
            (COMMITTED / name).unlink()
    print("\n".join(stale) or "nothing changed")


if __name__ == "__main__":
    main()
