"""The full report as a data frame: a row for each size and candidate, in the report's order.

Every figure that `SizeResult` and `Figures` declare has a column. The times `wall_ms` to
`blocked_ms` are medians over the repetitions. A figure that was not measured is missing (NaN, None
or `<NA>`), never 0.

| column | unit | meaning |
|---|---|---|
| `verdict` | | "wrong on 2 of 5 tests; ...", the same in all rows; missing if nothing was judged |
| `size` | | n |
| `candidate`, `name` | | the number and the name of the candidate input |
| `outcome` | | "OK", "TIME_LIMIT", "MEMORY_LIMIT", ... |
| `runtime_low_ms`, `runtime_high_ms` | ms | the confidence interval of `runtime_ms` |
| `peak_memory_low_mb`, `peak_memory_high_mb` | MiB | the confidence interval of the median peak |
| `repetitions` | | the number of repetitions that ended OK |
| `stdout_bytes` | B | the length of the output |
| `signal`, `exit_code`, `limit` | | how the program ended, and the limit that it reached |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from google.protobuf.descriptor import FieldDescriptor

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler._gen.figures import FIGURES
from swiftsolve_profiler.report.names import candidate, optional, outcome, word
from swiftsolve_profiler.report.verdict.answers import judge_answers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from swiftsolve_profiler.report.verdict.case import CaseResult

_OF_SIZE = [
    field
    for field in report_pb2.SizeResult.DESCRIPTOR.fields
    if f"SizeResult.{field.name}" in FIGURES
]
_MEDIANS = [
    field.name
    for field in report_pb2.Figures.DESCRIPTOR.fields
    if f"Figures.{field.name}" in FIGURES
    and field.name not in report_pb2.SizeResult.DESCRIPTOR.fields_by_name
]
"""The statistics without a figure of the size itself."""
_NULLABLE = {FieldDescriptor.TYPE_BOOL: "boolean", FieldDescriptor.TYPE_UINT64: "UInt64"}
_DTYPES = {
    **{field.name: _NULLABLE[field.type] for field in _OF_SIZE if field.type in _NULLABLE},
    "stdout_bytes": "UInt64",
    "exit_code": "Int32",
}
_DECLARED = (
    *(f"SizeResult.{field.name}" for field in _OF_SIZE),
    *(f"Figures.{name}" for name in _MEDIANS),
)
__doc__ = (__doc__ or "") + "".join(
    f"| `{name.partition('.')[2]}` | {' | '.join(FIGURES[name])} |\n" for name in _DECLARED
)


def dataframe(report: report_pb2.ProfileReport, cases: Sequence[CaseResult]) -> pd.DataFrame:
    """Returns the data frame of a report. `cases` are the results of its test cases."""
    answers = judge_answers(report, cases)
    verdict = None if answers is None else answers.reason
    rows = [{"verdict": verdict, **row(report, size)} for size in report.sizes]
    columns = ["verdict", *row(report, report_pb2.SizeResult())]
    frame: pd.DataFrame = pd.DataFrame(rows, columns=columns).astype(_DTYPES)
    return frame


def row(report: report_pb2.ProfileReport, size: report_pb2.SizeResult) -> dict[str, object]:
    """Returns the columns of one size with one candidate, without the verdict."""
    figures = size.figures
    return {
        "size": size.size,
        "candidate": size.candidate,
        "name": candidate(report, size.candidate),
        "outcome": outcome(size),
        **{field.name: optional(size, field.name) for field in _OF_SIZE},
        "runtime_low_ms": _interval(figures.headline, "low"),
        "runtime_high_ms": _interval(figures.headline, "high"),
        **{name: getattr(optional(figures, name), "median", None) for name in _MEDIANS},
        "peak_memory_low_mb": _interval(figures.peak_memory_mb, "low"),
        "peak_memory_high_mb": _interval(figures.peak_memory_mb, "high"),
        "repetitions": figures.wall_ms.count,
        "stdout_bytes": size.stdout.bytes if size.HasField("stdout") else None,
        "signal": optional(size.evidence, "signal"),
        "exit_code": optional(size.evidence, "exit_code"),
        "limit": word(report_pb2.LimitKind, size.evidence.limit),
    }


def _interval(message: report_pb2.Headline | report_pb2.Statistics, end: str) -> float | None:
    return getattr(message.interval, end) if message.HasField("interval") else None
