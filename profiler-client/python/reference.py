"""Generates `docs/python.md`, the API reference, from the docstrings of the package.

It parses the sources, because the docstrings of attributes do not exist at run time.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from swiftsolve_profiler.job.declared import NAMES

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "src" / "swiftsolve_profiler"
PAGE = HERE.parents[1] / "docs" / "python.md"
WIDTH = 100

INTRODUCTION = """\
# The Python API

This page lists the public names of the package `swiftsolve_profiler`. To install and use it, see
its [README](../profiler-client/python/README.md).

| to | see |
|---|---|
| connect to a server, and submit programs | [Clients](#clients) |
| choose what is measured | [Options](#options) |
| read a report | [Reports](#reports) |
| use the messages of SwiftSolve | [SwiftSolve](#swiftsolve) |
| follow a run | [Events](#events) |
| handle an exception | [Errors](#errors) |
| test your code without a server | [Tests](#tests) |
"""
SECTIONS = {
    "Clients": ("Profiler", "Run", "AsyncProfiler", "AsyncRun", "Credentials"),
    "Options": (
        *("Options", "Code", "Spec", "InferredSpec", "Task", "Backend"),
        *("input_specs", "task_metadata"),
    ),
    "Reports": (
        *("FullReport", "Growth", "Size", "CaseResult", "Judgement", "Constraints"),
        *("ReportWarning", "ExportFormat", "Exported"),
    ),
    "SwiftSolve": (
        *("CodeMessage", "ProfileReport", "StrictReport", "complexity"),
        *("MessageType", "SCHEMA_VERSION", "TaskMetadata", "TaskTest"),
    ),
    "Events": (
        *("Event", "Accepted", "Started", "Restarted", "CoreAwaited"),
        *("Compiled", "SizeMeasured", "Heartbeat", "Finished", "Failed"),
    ),
    "Errors": (
        *("ProfilerError", "ErrorInfo", "SandboxError", "Diagnostic", "ParseError"),
        *("InvalidRequest", "Violation", "NotInferred"),
        *("Unavailable", "Overloaded", "Lost", "StartError"),
        *("Untrusted", "Unauthenticated", "PermissionDenied"),
        *("DeadlineExceeded", "StatusError", "ContractError"),
    ),
    "Tests": ("FakeProfiler",),
}
"""The names of each section, in order."""
ALIKE = frozenset({"AsyncProfiler", "AsyncRun"})
"""Classes whose methods are those of another class."""
RETURNED = frozenset({"Run", "AsyncRun"})
"""Classes that callers do not construct."""
GENERATED = frozenset({"DeclaredOptions"})
"""Base classes that are generated, and that callers do not name."""

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.AnnAssign | ast.Assign


def generate() -> str:
    """Returns the text of the page."""
    known = dict(_definitions())
    parts = [INTRODUCTION]
    for section, names in SECTIONS.items():
        parts.append(f"## {section}\n")
        for name in names:
            parts += [f"### {name}\n", *_entry(name, known)]
        if section == "Options":
            parts += ["### The same options elsewhere\n", _options()]
    return "\n".join(parts).rstrip() + "\n"


def _definitions() -> Iterator[tuple[str, tuple[Definition, str]]]:
    """Finds every class, function and documented value at the top of a module."""
    for file in sorted(SOURCES.rglob("*.py")):
        if "_gen" not in file.parts:
            yield from _documented(ast.parse(file.read_text(encoding="utf-8")).body)


def _documented(body: list[ast.stmt]) -> Iterator[tuple[str, tuple[Definition, str]]]:
    for statement, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.If):
            # Names for type checkers alone.
            yield from _documented(statement.body)
        elif isinstance(statement, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield statement.name, (statement, ast.get_docstring(statement) or "")
        elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
            target = (
                statement.target if isinstance(statement, ast.AnnAssign) else statement.targets[0]
            )
            if isinstance(target, ast.Name):
                yield target.id, (statement, _text(after))


def _text(statement: ast.stmt | None) -> str:
    """Returns the docstring that follows an attribute."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return str(statement.value.value)
    return ""


def _entry(name: str, known: dict[str, tuple[Definition, str]]) -> Iterator[str]:
    found, doc = known[name]
    if isinstance(found, ast.ClassDef):
        declared = [body for base in found.bases for body in _generated(base, known)]
        members = dict(_documented(found.body + declared))
        if "__init__" in members and name not in RETURNED:
            yield f"`{name}{_arguments(members['__init__'][0])}`\n"
        yield _paragraphs(doc)
        if name not in ALIKE:
            yield from _members(members)
    elif isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)):
        yield f"`{name}{_arguments(found)}`\n"
        yield _paragraphs(doc)
    else:
        yield _paragraphs(doc or f"`{ast.unparse(found)}`")


def _generated(base: ast.expr, known: dict[str, tuple[Definition, str]]) -> list[ast.stmt]:
    """Returns the body of a generated base class, whose members belong to the class itself."""
    name = ast.unparse(base)
    found = known[name][0] if name in GENERATED else None
    return found.body if isinstance(found, ast.ClassDef) else []


def _members(members: dict[str, tuple[Definition, str]]) -> Iterator[str]:
    lines = []
    for name, (found, doc) in members.items():
        if name.startswith("_") or not doc:
            continue
        call = ""
        if isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef)) and not found.decorator_list:
            call = _arguments(found)
        lines.append(_wrapped(f"- `{name}{call}`: {doc}{_choices(found)}", "  "))
    if lines:
        yield "\n".join(lines) + "\n"


def _choices(found: Definition) -> str:
    """Returns the values that an attribute may have, if it is declared as a choice."""
    annotation = found.annotation if isinstance(found, ast.AnnAssign) else None
    for part in ast.walk(annotation) if annotation else ():
        if isinstance(part, ast.Subscript) and ast.unparse(part.value) == "Literal":
            return f" One of {ast.unparse(part.slice).strip('()')}.".replace("'", '"')
    return ""


def _arguments(found: Definition) -> str:
    """Returns the arguments as in a call, without their types."""
    assert isinstance(found, (ast.FunctionDef, ast.AsyncFunctionDef))
    bare = ast.parse(ast.unparse(found.args).join(("def f(", "): pass"))).body[0]
    assert isinstance(bare, ast.FunctionDef)
    for argument in ast.walk(bare.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    text = ast.unparse(bare.args)
    return f"({text.removeprefix('self').removeprefix(', ')})"


def _paragraphs(doc: str) -> str:
    """Returns the paragraphs with lines of the page's width."""
    return "\n".join(_wrapped(part, "") + "\n" for part in doc.split("\n\n"))


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _options() -> str:
    """Returns the table of the options whose field or flag has another name, or no flag."""

    def cell(name: str) -> str:
        return f"`{name}`" if name else ""

    rows = [
        f"| `{name}` | {cell(field)} | {cell(flag and f'--{flag}')} |"
        for name, (field, flag) in NAMES.items()
        if (field, flag) != (name, name.replace("_", "-"))
    ]
    head = _paragraphs(
        "`code` contains the source and `compiler_flags` (`--flags` on the command line). "
        "`task`, like `--task`, sets `input_bounds`, `limits` and `input_specs`. Other options "
        "have the names of their fields and flags, except these:"
    )
    head += "\n| option | field of `Job` | flag of `swiftprof run` |\n|---|---|---|\n"
    return head + "\n".join(rows) + "\n"


def main() -> None:
    """Writes the page. With `--check`, fails if the committed page is stale."""
    page = generate()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page, encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page:
        raise SystemExit(f"stale page, run reference.py: {PAGE}")


if __name__ == "__main__":
    main()
