"""An ended run as a document: for people, for spreadsheets, for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import InvalidRequest

ExportFormat = Literal[
    "json",
    "swiftsolve",
    "csv",
    "text",
    "html",
    "folded",
    "flame_graph",
    "perun_time",
    "perun_mixed",
    "perun_memory",
]
"""What a document can look like; stacks need `debug`, a memory profile needs `allocations`."""


@dataclass(frozen=True)
class Exported:
    """A document."""

    file_name: str
    """A name for its file, without any folder."""
    media_type: str
    content: bytes

    @property
    def text(self) -> str:
        """The content; every format is text."""
        return self.content.decode()


def request(run_id: str, name: ExportFormat) -> pb.ExportRunRequest:
    """Returns what asks for the document."""
    if name not in get_args(ExportFormat):
        raise InvalidRequest(f"{name!r} is no format: {', '.join(get_args(ExportFormat))}")
    value = pb.ExportFormat.Value(f"EXPORT_FORMAT_{name.upper()}")
    return pb.ExportRunRequest(run_id=run_id, format=value)


def exported(answer: pb.ExportRunResponse) -> Exported:
    """Returns the document in the profiler's answer."""
    return Exported(answer.file_name, answer.media_type, answer.content)
