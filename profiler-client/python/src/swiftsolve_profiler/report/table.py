"""The full report as a data frame: a row for each size and candidate, in the report's order.

The times `wall_ms` to `blocked_ms` are medians over the repetitions. A figure that was not measured
is missing (NaN, None or `<NA>`), never 0.

| column | unit | meaning |
|---|---|---|
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

from typing import TYPE_CHECKING, Literal, get_args

import pandas as pd

from swiftsolve_profiler._gen import report_pb2
from swiftsolve_profiler._gen.figures import FIGURES
from swiftsolve_profiler.report.names import candidate, outcome, word

if TYPE_CHECKING:
    from google.protobuf.message import Message

_Median = Literal["wall_ms", "cpu_ms", "user_ms", "sys_ms", "run_delay_ms", "blocked_ms"]
_DTYPES = {
    "below_noise_floor": "boolean",
    "instructions": "UInt64",
    "input_bytes": "UInt64",
    "stdout_bytes": "UInt64",
    "exit_code": "Int32",
}
_DECLARED = (
    *("SizeResult.runtime_ms", "SizeResult.net_runtime_ms", "SizeResult.below_noise_floor"),
    *(f"Figures.{name}" for name in get_args(_Median)),
    *("SizeResult.peak_memory_mb", "SizeResult.instructions", "SizeResult.input_bytes"),
)
"""The report's figures whose columns are named like their fields."""
__doc__ = (__doc__ or "") + "".join(
    f"| `{name.partition('.')[2]}` | {' | '.join(FIGURES[name])} |\n" for name in _DECLARED
)


def dataframe(report: report_pb2.ProfileReport) -> pd.DataFrame:
    """Returns the data frame of a report."""
    rows = [row(report, size) for size in report.sizes]
    columns = list(row(report, report_pb2.SizeResult()))
    frame: pd.DataFrame = pd.DataFrame(rows, columns=columns).astype(_DTYPES)
    return frame


def row(report: report_pb2.ProfileReport, size: report_pb2.SizeResult) -> dict[str, object]:
    """Returns the columns of one size with one candidate."""
    figures = size.figures
    return {
        "size": size.size,
        "candidate": size.candidate,
        "name": candidate(report, size.candidate),
        "outcome": outcome(size),
        "runtime_ms": _optional(size, "runtime_ms"),
        "runtime_low_ms": _interval(figures.headline, "low"),
        "runtime_high_ms": _interval(figures.headline, "high"),
        "net_runtime_ms": _optional(size, "net_runtime_ms"),
        "below_noise_floor": _optional(size, "below_noise_floor"),
        **{name: _median(figures, name) for name in get_args(_Median)},
        "peak_memory_mb": _optional(size, "peak_memory_mb"),
        "peak_memory_low_mb": _interval(figures.peak_memory_mb, "low"),
        "peak_memory_high_mb": _interval(figures.peak_memory_mb, "high"),
        "repetitions": figures.wall_ms.count,
        "instructions": _optional(size, "instructions"),
        "input_bytes": _optional(size, "input_bytes"),
        "stdout_bytes": size.stdout.bytes if size.HasField("stdout") else None,
        "signal": _optional(size.evidence, "signal"),
        "exit_code": _optional(size.evidence, "exit_code"),
        "limit": word(report_pb2.LimitKind, size.evidence.limit),
    }


def _optional(message: Message, field: str) -> object:
    return getattr(message, field) if message.HasField(field) else None


def _median(figures: report_pb2.Figures, name: _Median) -> float | None:
    if not figures.HasField(name):
        return None
    statistics: report_pb2.Statistics = getattr(figures, name)
    return statistics.median


def _interval(message: report_pb2.Headline | report_pb2.Statistics, end: str) -> float | None:
    return getattr(message.interval, end) if message.HasField("interval") else None
