"""Reads input specs: a mapping, a JSON or YAML file, or a list of these.

A spec is the proto3 JSON of the message `InputSpec`, with two additions. An expression may be a
whole number (`len: 5`, `max: 1e9`). The value of an enum may be short, lower-case and hyphenated
(`order: anti-quicksort`). The command line reads the same files with the same meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor

from swiftsolve_profiler._gen.input_pb2 import InputSpec
from swiftsolve_profiler.errors import InvalidRequest, Violation
from swiftsolve_profiler.job.inferred import InferredSpec

if TYPE_CHECKING:
    from os import PathLike

    from google.protobuf.descriptor import Descriptor, EnumDescriptor

INT64_MAX = (1 << 63) - 1
UNSIGNED_MAX = {
    FieldDescriptor.TYPE_UINT32: (1 << 32) - 1,
    FieldDescriptor.TYPE_UINT64: INT64_MAX,
}
"""The largest value of each kind of number field."""
TEXTS = frozenset(
    {
        *("alphabet", "diagonal", "format", "generator", "grid", "literal", "marks", "name"),
        *("of", "raw", "rule", "testlib_h"),
    }
)
"""The string fields that contain text. All other string fields contain expressions."""
_HEADER = "testlib.h"
_MAX_YAML_VALUES = 100_000
"""The most values in a YAML file. A value that an alias repeats counts each time."""
# YAML libraries read `1e18` as text.
_SCIENTIFIC = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?[eE][-+]?[0-9]{1,3}")


if TYPE_CHECKING:
    Spec = InferredSpec | InputSpec | Mapping[str, object] | str | PathLike[str]
    """A spec, or the path of a file with a spec or a list of specs."""


def input_specs(source: Spec | Sequence[Spec], field: str = "input_specs") -> list[InputSpec]:
    """Reads specs. Raises one `InvalidRequest` with every wrong field, as paths below `field`."""
    reader = _Reader()
    specs = reader.specs(source, field)
    if reader.faults:
        named = "; ".join(f"{fault.field}: {fault.problem}" for fault in reader.faults)
        raise InvalidRequest(f"invalid request: {named}", tuple(reader.faults))
    return specs


def read(file: Path, field: str) -> Any:
    """Reads a `.json` file as JSON and every other file as YAML. Raises `InvalidRequest`."""
    try:
        # Programs on Windows write a byte order mark at the beginning.
        text = file.read_text(encoding="utf-8-sig")
        return json.loads(text) if file.suffix.lower() == ".json" else _yaml(text)
    except (OSError, ValueError, RecursionError) as error:
        problem = f"{file}: {error}"
        raise InvalidRequest(
            f"invalid request: {field}: {problem}", (Violation(field, problem),)
        ) from error


def _yaml(text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise ValueError("reading YAML requires the extra swiftsolve-profiler[yaml]") from error

    class Loader(yaml.SafeLoader):
        """Loads the scalars of YAML 1.2, in which `no` is text and 010 is ten."""

        def flatten_mapping(self, node: yaml.MappingNode) -> None:
            """Merges nothing: YAML 1.2 has no merge keys, which can repeat values without end."""

    Loader.yaml_implicit_resolvers = {}
    for tag, pattern, first in (
        ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
        ("null", r"~|null|Null|NULL|", "~nN\0"),
        ("float", r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?", "-+.0123456789"),
    ):
        anchored = re.compile(rf"^(?:{pattern})$")
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", anchored, list(first))

    def number(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int | float:
        digits = str(loader.construct_scalar(node))
        return int(digits) if re.fullmatch(r"[-+]?\d+", digits) else float(digits)

    Loader.add_constructor("tag:yaml.org,2002:float", number)
    try:
        return _bounded(yaml.load(text, Loader))
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


def _bounded(tree: Any) -> Any:
    """Returns the tree, whose aliases may repeat values. Raises `ValueError` if it is too large."""
    open_values = [tree]
    for _ in range(_MAX_YAML_VALUES):
        if not open_values:
            return tree
        value = open_values.pop()
        if isinstance(value, Mapping):
            open_values.extend(value.values())
        elif isinstance(value, list):
            open_values.extend(value)
    raise ValueError(f"must have at most {_MAX_YAML_VALUES} values, each repeated one included")


class _Reader:
    """Converts a tree to strict proto3 JSON and collects all faults."""

    def __init__(self) -> None:
        self.faults: list[Violation] = []

    def specs(self, source: object, path: str) -> list[InputSpec]:
        """Returns the specs of a value, a file, or a list of these."""
        if isinstance(source, InferredSpec):
            return [source.spec]
        if isinstance(source, InputSpec):
            return [source]
        if isinstance(source, (list, tuple)):
            if not source:
                self._refuse(path, "must not be an empty list")
            return [
                spec for i, one in enumerate(source) for spec in self.specs(one, f"{path}[{i}]")
            ]
        if isinstance(source, Mapping) or not (
            isinstance(source, str) or hasattr(source, "__fspath__")
        ):
            return [self._spec(source, path, None)]
        tree, folder = read(Path(source), path), Path(source).parent
        if isinstance(tree, list):
            if not tree:
                self._refuse(path, f"{source}: must not be an empty list")
            return [self._spec(one, f"{path}[{i}]", folder) for i, one in enumerate(tree)]
        return [self._spec(tree, path, folder)]

    def _spec(self, tree: object, path: str, folder: Path | None) -> InputSpec:
        before = len(self.faults)
        strict = self._message(tree, InputSpec.DESCRIPTOR, path)
        if len(self.faults) > before or not isinstance(strict, dict):
            return InputSpec()
        spec = json_format.ParseDict(strict, InputSpec())
        self._read_sources(spec, path, folder)
        return spec

    def _read_sources(self, spec: InputSpec, path: str, folder: Path | None) -> None:
        """Replaces the names of files below `folder` by their texts. A text has several lines."""
        beside: Path | None = None
        for field in ("generator", "testlib_h"):
            name: str = getattr(spec, field)
            if not name or "\n" in name:
                continue
            if folder is None:
                problem = "must be the text itself, because this spec is not in a file"
                self._refuse(f"{path}.{field}", problem)
                continue
            file = (folder / name).resolve()
            if not file.is_relative_to(folder.resolve()):
                self._refuse(f"{path}.{field}", f"{name} must be below the folder of the spec")
            elif not file.is_file():
                self._refuse(f"{path}.{field}", f"{name} must be a regular file")
            else:
                setattr(spec, field, file.read_text(encoding="utf-8", errors="replace"))
                beside = beside or file.with_name(_HEADER)
        if beside and folder and not spec.testlib_h and _includes_header(spec.generator):
            header = beside.resolve()
            if header.is_relative_to(folder.resolve()) and header.is_file():
                spec.testlib_h = header.read_text(encoding="utf-8", errors="replace")

    def _refuse(self, path: str, problem: str) -> object:
        self.faults.append(Violation(path, problem))
        return None

    def _message(self, tree: object, kind: Descriptor, path: str) -> object:
        if not isinstance(tree, Mapping):
            return self._refuse(path, f"must be a mapping with fields of {kind.name}")
        known = {name: field for field in kind.fields for name in (field.name, field.json_name)}
        fields: dict[str, object] = {}
        for key, value in tree.items():
            where, field = f"{path}.{key}", known.get(key)
            if field is None:
                names = ", ".join(field.name for field in kind.fields)
                self._refuse(where, f"is not a field of {kind.name}; its fields are {names}")
                continue
            group = field.containing_oneof.fields if field.containing_oneof else []
            if others := [
                other.name for other in group if other.name in fields and other is not field
            ]:
                self._refuse(where, f"cannot be used with {others[0]}")
                continue
            fields[field.name] = self._field(value, field, where)
        return fields

    def _field(self, value: object, field: FieldDescriptor, path: str) -> object:
        if value is None or not field.is_repeated:
            return None if value is None else self._one(value, field, path)
        if not isinstance(value, (list, tuple)):
            return self._refuse(path, "must be a list")
        return [self._one(one, field, f"{path}[{i}]") for i, one in enumerate(value)]

    def _one(self, value: object, field: FieldDescriptor, path: str) -> object:
        if field.message_type is not None:
            return self._message(value, field.message_type, path)
        if field.enum_type is not None:
            return self._enum(value, field.enum_type, path)
        if field.type == field.TYPE_STRING:
            return self._text(value, path) if field.name in TEXTS else self._expression(value, path)
        if field.type == field.TYPE_BOOL:
            return value if isinstance(value, bool) else self._refuse(path, "must be true or false")
        largest = UNSIGNED_MAX[field.type]
        number = _whole(value)
        if number is not None and 0 <= number <= largest:
            return number
        return self._refuse(path, f"must be a whole number from 0 to {largest}")

    def _text(self, value: object, path: str) -> object:
        if isinstance(value, str):
            return value
        if _is_number(value):
            # The text as it was written is lost: 01 has become 1.
            return self._refuse(path, "must be text; put it in quotes")
        return self._refuse(path, "must be text")

    def _expression(self, value: object, path: str) -> object:
        if isinstance(value, str):
            written = value.strip()
            number = _whole(Decimal(written)) if _SCIENTIFIC.fullmatch(written) else None
            # The server refuses a number above 64 bits, as it checks every expression.
            return value if number is None else str(number)
        if not _is_number(value):
            return self._refuse(path, "must be an expression or a number")
        number = _whole(value)
        if number is None:
            return self._refuse(path, "must be a whole number within 64 bits")
        return str(number)

    def _enum(self, value: object, kind: EnumDescriptor, path: str) -> object:
        prefix = kind.values[0].name.removesuffix("UNSPECIFIED")
        short = {v.name.removeprefix(prefix).lower().replace("_", "-"): v.name for v in kind.values}
        if isinstance(value, str) and (value in short or value in kind.values_by_name):
            return short.get(value, value)
        return self._refuse(path, f"must be one of {', '.join(list(short)[1:])}, not {value}")


def _includes_header(source: str) -> bool:
    lines = (line.lstrip() for line in source.splitlines())
    return any(line.startswith("#") and _HEADER in line for line in lines)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _whole(value: object) -> int | None:
    """Returns a value such as 1e5 as an int; None if it is not whole or exceeds 64 bits."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    # The comparison is false for infinity and NaN.
    return int(value) if -INT64_MAX <= value <= INT64_MAX and value == int(value) else None
