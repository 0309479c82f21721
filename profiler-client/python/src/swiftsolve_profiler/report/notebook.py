"""The full report in a notebook: its sentence, a table, and the plot if matplotlib is installed."""

from __future__ import annotations

import base64
import io
import math
from html import escape

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.names import candidate
from swiftsolve_profiler.report.size import Size, size, warning

_HEADS = ("n", "outcome", "runtime ms", "net ms", "peak MiB")


def html(report: pb.ProfileReport, summary: str) -> str:
    """Returns a summary and the report below it as HTML, which loads nothing from elsewhere."""
    sizes = [size(message) for message in report.sizes]
    named = any(s.candidate for s in sizes)
    heads = (*_HEADS, "input") if named else _HEADS
    rows = [[*_cells(s), *([candidate(report, s.candidate)] if named else [])] for s in sizes]
    warnings = [str(warning(message)) for message in report.warnings]
    body = "".join(_row("td", row) for row in rows)
    table = f"<table><thead>{_row('th', heads)}</thead><tbody>{body}</tbody></table>"
    return "".join(
        [
            f"<p><b>{escape(report.task_id)}</b>: {escape(summary)}</p>",
            table if sizes else "",
            *(f"<p>Warning: {escape(text)}</p>" for text in warnings),
            _plot(report) if sizes else "",
        ]
    )


def _cells(one: Size) -> list[str]:
    figures = [_figure(f) for f in (one.runtime_ms, one.net_runtime_ms, one.peak_memory_mb)]
    return [str(one.n), one.outcome, *figures]


def _figure(value: float | None) -> str:
    if value is None:
        return "-"
    return "∞" if math.isinf(value) else f"{value:.3f}"


def _row(tag: str, cells: tuple[str, ...] | list[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _plot(report: pb.ProfileReport) -> str:
    try:
        from swiftsolve_profiler.report.picture import draw
    except ImportError:
        return ""
    picture = io.BytesIO()
    draw(report, None, None).savefig(picture, format="png", dpi=110)
    data = base64.b64encode(picture.getvalue()).decode()
    return f'<img alt="time and memory over n" src="data:image/png;base64,{data}">'
