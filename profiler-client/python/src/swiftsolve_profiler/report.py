"""Everything that was measured."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timezone
from typing import TYPE_CHECKING

from google.protobuf import json_format

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.names import candidate
from swiftsolve_profiler.schemas import ProfileReport

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class FullReport:
    """The full report: the contract's message, which is typed, and what Python makes of it."""

    message: report_pb2.ProfileReport
    """`swiftsolve.profiler.v1.ProfileReport`, whose fields `report.proto` explains."""

    def strict(self) -> ProfileReport:
        """Returns the controller's form: exactly the sizes that were asked for, infinite where one failed."""
        message = self.message
        return ProfileReport(
            task_id=message.task_id,
            iteration=message.iteration,
            timestamp_utc=message.timestamp_utc.ToDatetime(timezone.utc),
            input_sizes=list(message.input_sizes),
            runtime_ms=list(message.runtime_ms),
            peak_memory_mb=list(message.peak_memory_mb),
            hotspots=dict(message.hotspots),
        )

    def to_json(self) -> str:
        """Returns the proto3 JSON, names in snake_case, as `swiftprof run --format json` prints it."""
        return json_format.MessageToJson(
            self.message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )

    def candidate(self, index: int) -> str:
        """Returns what the report calls a candidate input, as "input 1" where its spec has no name.

        It is empty for the only input of a run without specs.
        """
        return candidate(self.message, index)

    def to_dataframe(self) -> pd.DataFrame:
        """Returns a row per size and candidate; see `swiftsolve_profiler.table` for the columns."""
        from swiftsolve_profiler.table import dataframe

        return dataframe(self.message)

    def plot(self, path: str | PathLike[str] | None = None, ax: tuple[Axes, Axes] | None = None) -> Figure:
        """Draws time and peak memory over n, on logarithmic axes, a series per candidate.

        `path` is where the picture is written, `ax` are the two axes to draw on.
        """
        from swiftsolve_profiler.picture import draw

        return draw(self.message, path, ax)
