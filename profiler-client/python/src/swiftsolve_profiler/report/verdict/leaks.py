"""The blocks that a program lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.compiler import FILE
from swiftsolve_profiler.report.verdict.amounts import BYTES, quantity

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINES: Final = 3
"""The maximum number of lines that are named."""


def lost(report: pb.ProfileReport) -> list[str]:
    """Names the lost blocks, and the lines that requested them, if there are any."""
    found = report.allocations
    left = next((left for left in found.left if left.kind == pb.LEFT_KIND_LOST), None)
    if left is None or not left.blocks:
        return []
    blocks = f"{left.blocks} block{'' if left.blocks == 1 else 's'}"
    return [f"{blocks} ({quantity(left.bytes, BYTES)}) lost{_in_lines(found)}"]


def _in_lines(found: pb.AllocationReport) -> str:
    lines = list(dict.fromkeys(_lines(found)))
    if not lines:
        return ""
    named = ", ".join(str(line) for line in lines[:_LINES])
    more = f" and {len(lines) - _LINES} more" if len(lines) > _LINES else ""
    return f" in line{'' if len(lines) == 1 else 's'} {named}{more}"


def _lines(found: pb.AllocationReport) -> Iterator[int]:
    """Returns the innermost line of the program for each site that lost a block."""
    for site in found.sites:
        if any(left.kind == pb.LEFT_KIND_LOST for left in site.left):
            own = (frame.line for frame in site.trace if frame.file == FILE and frame.line)
            yield from [line for line in [next(own, 0)] if line]
