"""Names of candidates and of enum values, foreign text for people, and optional fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from swiftsolve_profiler._gen import report_pb2

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper
    from google.protobuf.message import Message


def shown(text: str, layout: str = "\n\t") -> str:
    """Escapes what could act on a terminal, be invisible, or change the direction of text.

    These are all characters that are not printable, except those of `layout`. Foreign text that is
    printed or logged goes through this function.
    """
    return "".join(c if c.isprintable() or c in layout else json.dumps(c)[1:-1] for c in text)


def optional(message: Message, field: str) -> Any:
    """Returns the value of a field. None if it is absent."""
    return getattr(message, field) if message.HasField(field) else None


def candidate(report: report_pb2.ProfileReport, index: int) -> str:
    """Returns the name of a candidate input, or its number if its spec has no name.

    The only input of a run without specs has an empty name.
    """
    names = report.candidates
    return (names[index] if index < len(names) else "") or (str(index) if index else "")


def word(enum: _EnumTypeWrapper[Any], value: int) -> str | None:
    """Returns the lower-case word of an enum's value, such as "noisy"; None for `UNSPECIFIED`.

    A value of a newer profiler that this version does not know is also None.
    """
    if value == 0 or value not in enum.values():
        return None
    name: str = enum.Name(value)
    return name.removeprefix(enum.Name(0).removesuffix("UNSPECIFIED")).lower()


def signal_name(signal: report_pb2.GrowthSignal) -> str:
    """Returns the name of a signal of growth: "runtime", "instructions", "line_12", ..."""
    name = word(report_pb2.SignalKind, signal.kind) or "unknown"
    return f"{name}_{signal.line}" if signal.HasField("line") else name


def outcome(result: report_pb2.SizeResult | report_pb2.TestCaseResult) -> str:
    """Returns the name of the outcome of a size or a test case: "OK", "TIME_LIMIT", ..."""
    return report_pb2.Outcome.Name(result.outcome).removeprefix("OUTCOME_")


def size_bound(bounds: Mapping[str, int], variable: str = "") -> int | None:
    """Returns the bound of the variable that is the size: by default the only variable, else n."""
    name = variable or (next(iter(bounds)) if len(bounds) == 1 else "n")
    return bounds.get(name)
