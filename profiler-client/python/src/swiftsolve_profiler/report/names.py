"""The names that people read for candidates and for values of enums."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from swiftsolve_profiler._gen import report_pb2

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper


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


def outcome(size: report_pb2.SizeResult) -> str:
    """Returns the name of a size's outcome: "OK", "TIME_LIMIT", ..."""
    return report_pb2.Outcome.Name(size.outcome).removeprefix("OUTCOME_")
