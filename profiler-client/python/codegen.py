"""Writes the Python bindings of the profiler's protos anew, where the committed ones lie.

The packages of the protos begin with `swiftsolve`, which is the name of the controller's own package. So
the bindings live in a private package, and import each other from there.
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
        # protoc's own stubs mistake a field that is called `bytes` for the type.
        arguments.append(f"--plugin=protoc-gen-mypy={Path(sys.executable).parent / 'protoc-gen-mypy'}")
        if protoc.main(["protoc", *arguments, *names]) != 0:
            raise SystemExit("protoc failed")
        generated = sorted((Path(out) / folder).glob("*_pb2.py*"))
        return {file.name: _moved(file.read_text(encoding="utf-8")) for file in generated}


def _moved(text: str) -> str:
    text = text.replace(f"from {_PACKAGE} import", f"from {_PRIVATE} import")
    # Where the classes say that they live: pickle looks for them there.
    return re.sub(rf"'{re.escape(_PACKAGE)}\.(\w+_pb2)'", rf"'{_PRIVATE}.\1'", text)


def drift(generated: dict[str, str], committed: Path = COMMITTED) -> list[str]:
    """Names the files that are committed otherwise than they are generated."""
    found = {file.name: file.read_text(encoding="utf-8") for file in committed.glob("*_pb2.py*")}
    names = generated.keys() | found.keys()
    return sorted(name for name in names if generated.get(name) != found.get(name))


def main() -> None:
    """Writes the bindings; with `--check` it only says whether they are as they should be."""
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
