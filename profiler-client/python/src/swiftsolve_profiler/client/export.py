"""Documents of ended runs: for people, for spreadsheets and for other tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from swiftsolve_profiler._gen import formats
from swiftsolve_profiler._gen import profiler_pb2 as pb
from swiftsolve_profiler.errors import InvalidRequest

ExportFormat = formats.ExportFormat
"""The formats of documents.

"folded" and "flame_graph" need `debug`; "perun_memory" needs `allocations`.
"""


@dataclass(frozen=True)
class Exported:
    """A document made from a run."""

    file_name: str
    """A suitable file name, without a folder."""
    media_type: str
    content: bytes

    @property
    def text(self) -> str:
        """The content as text. Every format is text in UTF-8."""
        return self.content.decode()


def request(run_id: str, name: ExportFormat) -> pb.ExportRunRequest:
    """Returns the request for a document.

    Raises `InvalidRequest` for an unknown format.
    """
    if name not in get_args(ExportFormat):
        raise InvalidRequest(
            f"format: must be one of {', '.join(get_args(ExportFormat))}, not {name!r}"
        )
    value = pb.ExportFormat.Value(f"EXPORT_FORMAT_{name.upper()}")
    return pb.ExportRunRequest(run_id=run_id, format=value)


def exported(answer: pb.ExportRunResponse) -> Exported:
    """Returns the document of an answer."""
    return Exported(answer.file_name, answer.media_type, answer.content)
