"""The rule of the house for folders and imports, in this package."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src"
PACKAGE = ROOT / "swiftsolve_profiler"
MOST_NAMES = 12


def imports(root: Path) -> dict[str, set[str]]:
    """Returns the files of a package that each file imports, for type checkers included."""
    files = [file for file in root.rglob("*.py") if "_gen" not in file.parts]
    modules = {
        ".".join(file.with_suffix("").relative_to(root.parent).parts): file for file in files
    }
    found: dict[str, set[str]] = {}
    for module, file in modules.items():
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        named = [
            (node.module or "", f"{node.module}.{alias.name}")
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        ]
        found[module] = {full if full in modules else base for base, full in named} & set(modules)
    return found


def test_files_do_not_import_in_circles() -> None:
    graph = imports(PACKAGE)
    assert "swiftsolve_profiler.client.wire" in graph["swiftsolve_profiler.client.sync"]
    TopologicalSorter(graph).prepare()


def test_a_circle_is_found(tmp_path: Path) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "one.py").write_text("from package import two\n")
    (package / "two.py").write_text("from package.one import name\n")
    with pytest.raises(CycleError):
        TopologicalSorter(imports(package)).prepare()


def test_folders_show_few_names() -> None:
    folders = [PACKAGE, *(entry for entry in PACKAGE.iterdir() if entry.is_dir())]
    shown = {
        folder.name: [entry.name for entry in folder.iterdir() if entry.name != "__pycache__"]
        for folder in folders
        if folder.name not in ("_gen", "__pycache__")
    }
    assert len(shown) >= 4
    assert {name: names for name, names in shown.items() if len(names) > MOST_NAMES} == {}
