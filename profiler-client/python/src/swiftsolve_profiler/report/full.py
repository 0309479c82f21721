"""The full report."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from datetime import timezone
from typing import TYPE_CHECKING, Any

from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import FieldOptions

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler.report.growth import Growth, growth
from swiftsolve_profiler.report.names import candidate, shown
from swiftsolve_profiler.report.size import ReportWarning, Size, size, warning
from swiftsolve_profiler.report.verdict.case import CaseResult, case_results
from swiftsolve_profiler.report.verdict.constraints import meets
from swiftsolve_profiler.report.verdict.feedback import feedback
from swiftsolve_profiler.report.verdict.sentence import sentence
from swiftsolve_profiler.schemas import ProfileReport

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    from google.protobuf.descriptor import Descriptor
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from swiftsolve_profiler._gen import job_pb2
    from swiftsolve_profiler.report.verdict.constraints import Constraints
    from swiftsolve_profiler.report.verdict.judgement import Judgement


@dataclass(frozen=True, repr=False)
class FullReport:
    """The full report of a run: everything that was measured.

    `str(report)` sums the report up, and begins with the verdict of the test cases. A notebook
    shows the report as a table and a plot.
    """

    message: report_pb2.ProfileReport
    """The message `swiftsolve.profiler.v1.ProfileReport`. `report.proto` documents its fields."""
    _tests: tuple[job_pb2.TestCase, ...] = dataclasses.field(default=(), compare=False)
    _bound: int | None = dataclasses.field(default=None, compare=False)

    @property
    def time(self) -> Growth:
        """The growth of time with n."""
        return growth(self.message.growth.time)

    @property
    def memory(self) -> Growth:
        """The growth of memory with n."""
        return growth(self.message.growth.memory)

    @property
    def sizes(self) -> list[Size]:
        """The results by size, and then by candidate."""
        return [size(message) for message in self.message.sizes]

    @property
    def input_seed(self) -> int:
        """The number that was added to the seed of each input spec: `input_seed` of the job."""
        return self.message.input_seed

    @property
    def schedule_end(self) -> str | None:
        """Why a growing schedule ended, or why default sizes were left out. None for others."""
        return self.message.schedule_end if self.message.HasField("schedule_end") else None

    @property
    def test_cases(self) -> list[CaseResult]:
        """The results of the test cases. Empty if the job has none."""
        return case_results(self.message, self._tests)

    @property
    def worst(self) -> report_pb2.WorstInput | None:
        """The worst input, if the job asks for it with `worst`: `report.proto` documents it."""
        return self.message.worst if self.message.HasField("worst") else None

    @property
    def fault(self) -> report_pb2.Fault | None:
        """The place at which the program fails, if the job asks for it: see `report.proto`."""
        return self.message.fault if self.message.HasField("fault") else None

    @property
    def advice(self) -> report_pb2.Advice | None:
        """The changes that were tried, if the job asks for `advice`: see `report.proto`."""
        return self.message.advice if self.message.HasField("advice") else None

    @property
    def turns(self) -> list[FullReport]:
        """The further turns of a comparison: `report.proto` documents `turns`."""
        return [FullReport(turn) for turn in self.message.turns]

    @property
    def warnings(self) -> list[ReportWarning]:
        """Facts that a reader must know before trusting the figures."""
        return [warning(message) for message in self.message.warnings]

    def __str__(self) -> str:
        return shown(sentence(self.message, self.test_cases))

    def __repr__(self) -> str:
        time = self.time
        known = [f"{time.complexity} {time.confidence:.2f}"] if time.complexity else []
        count = len(self.message.sizes)
        sizes = f"{count} size{'' if count == 1 else 's'}"
        parts = [repr(self.message.task_id), sizes, *known]
        return f"FullReport({', '.join(parts)})"

    def _repr_html_(self) -> str:
        from swiftsolve_profiler.report.notebook import html

        return html(self.message, str(self))

    def meets(self, constraints: Constraints) -> Judgement:
        """Judges whether the program is right and within the constraints; `reason` says why.

        It must compile, be correct on every test case, end OK at every size, be within the limits,
        even at the bound of n, and grow no faster than expected. If any of this is unknown, `met`
        is None. If no test case was run, this counts as unknown only if the constraints are a task
        with test cases; otherwise, `reason` says it.
        """
        return meets(self.message, self.test_cases, constraints, self._bound)

    def feedback(self, max_chars: int = 2000, constraints: Constraints | None = None) -> str:
        """Returns the facts that the next attempt needs, the most important first.

        If the report has them, these are the verdict with the first failed test case, the growth,
        against the constraints as in `meets`, the hottest line, the advice tried, and the worst
        input. The text quotes the program and its output. It has at most `max_chars` characters:
        whole sentences, or the beginning of the first.
        """
        return feedback(self.message, self.test_cases, max_chars, constraints, self._bound)

    def strict(self) -> ProfileReport:
        """Returns the strict report: figures of requested sizes, infinite where a size failed."""
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
        """Returns the report as proto3 JSON with the names of the .proto files.

        Sizes are numbers, and other 64-bit numbers are strings. `swiftprof run --format json`
        writes other 64-bit numbers below 2^53 as numbers.
        """
        tree = json_format.MessageToDict(
            self.message,
            preserving_proto_field_name=True,
            always_print_fields_with_no_presence=True,
        )
        _make_sizes_numbers(tree, self.message.DESCRIPTOR)
        return json.dumps(tree, indent=2)

    def candidate(self, index: int) -> str:
        """Returns the name of a candidate input, or its number if its spec has no name.

        The only input of a run without specs has an empty name.
        """
        return candidate(self.message, index)

    def to_dataframe(self) -> pd.DataFrame:
        """Returns a data frame with a row for each size and candidate.

        `help(swiftsolve_profiler.report.table)` lists the columns. Needs the extra `pandas`.
        """
        from swiftsolve_profiler.report.table import dataframe

        return dataframe(self.message, self.test_cases)

    def plot(
        self, path: str | PathLike[str] | None = None, ax: tuple[Axes, Axes] | None = None
    ) -> Figure:
        """Draws time and peak memory over n on logarithmic axes, with a series for each candidate.

        Writes the picture to `path` if it is given. `ax` are the axes for time and for memory.
        Needs the extra `plot`.
        """
        from swiftsolve_profiler.report.picture import draw

        return draw(self.message, path, ax)


def _make_sizes_numbers(tree: Any, kind: Descriptor) -> None:
    """Converts the sizes in a message to numbers, because proto3 JSON writes them as strings."""
    if not isinstance(tree, dict):
        return
    for field in kind.fields:
        if field.name not in tree:
            continue
        value = tree[field.name]
        if field.message_type is not None:
            for one in value if isinstance(value, list) else [value]:
                _make_sizes_numbers(one, field.message_type)
        elif field.GetOptions().jstype == FieldOptions.JS_NUMBER:
            tree[field.name] = [int(n) for n in value] if isinstance(value, list) else int(value)
