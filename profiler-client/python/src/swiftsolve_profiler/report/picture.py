"""Draws a full report: time and peak memory over n, on logarithmic axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from swiftsolve_profiler.report.names import candidate, outcome

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.axes import Axes

    from swiftsolve_profiler._gen import report_pb2

# The palette of Okabe and Ito, which colour-blind people can tell apart.
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
_GREY = "#666666"
# One series can cover another, so they also differ in line style and marker.
_LINES = ("-", "--", "-.", ":")
_MARKERS = "os^Dv*Pd"
# The height of the marks of failed sizes, and the maximum height of other points, as shares of the
# axis.
_TOP, _BELOW = 0.95, 0.85
# The smallest ratio of an axis's ends, so that a difference of 1 % does not look like a cliff.
_SPAN = 5.0


def draw(
    report: report_pb2.ProfileReport,
    path: str | PathLike[str] | None,
    axes: tuple[Axes, Axes] | None,
) -> Figure:
    """Draws a series for each candidate. A logarithmic axis cannot show n = 0."""
    if axes is None:
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = (figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2))
    time, memory = axes
    candidates = sorted({size.candidate for size in report.sizes})
    for index in candidates:
        sizes = [s for s in report.sizes if s.candidate == index and s.size > 0]
        label = candidate(report, index) or report.task_id
        _series(time, [(s, s.runtime_ms, _headline(s)) for s in sizes], index, label)
        _series(memory, [(s, s.peak_memory_mb, _peak(s)) for s in sizes], index, label)
    _finish(time, "Time", "ms")
    _finish(memory, "Peak memory", "MiB")
    if len(candidates) > 1:
        for name in time.legend(frameon=False, loc="upper left").get_texts():
            # A foreign name is no formula.
            name.set_parse_math(False)
    found = time.get_figure(root=True)
    assert isinstance(found, Figure)
    if path is not None:
        found.savefig(path, dpi=110)
    return found


Point = tuple["report_pb2.SizeResult", float, "report_pb2.Interval | None"]


def _series(axes: Axes, points: list[Point], index: int, label: str) -> None:
    """Draws a line with its intervals, and a cross at the top for each size that did not end OK."""
    colour = _COLOURS[index % len(_COLOURS)]
    good = [(s.size, y, interval) for s, y, interval in points if 0 < y < math.inf]
    lows = [0.0 if i is None else max(0.0, y - i.low) for _, y, i in good]
    highs = [0.0 if i is None else max(0.0, i.high - y) for _, y, i in good]
    axes.errorbar(
        [n for n, _, _ in good],
        [y for _, y, _ in good],
        yerr=(lows, highs),
        color=colour,
        label=label,
        marker=_MARKERS[index % len(_MARKERS)],
        linestyle=_LINES[index % len(_LINES)],
        markersize=4,
        linewidth=1.5,
        capsize=2.5,
    )
    for size, _, _ in points:
        if outcome(size) == "OK":
            continue
        across = axes.get_xaxis_transform()
        axes.plot([size.size], [_TOP], "x", color=colour, transform=across, clip_on=False)
        axes.annotate(
            outcome(size).lower().replace("_", " "),
            (size.size, _TOP),
            xycoords=across,
            xytext=(-6, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize="x-small",
            color=colour,
        )


def _headline(size: report_pb2.SizeResult) -> report_pb2.Interval | None:
    headline = size.figures.headline
    return headline.interval if headline.HasField("interval") else None


def _peak(size: report_pb2.SizeResult) -> report_pb2.Interval | None:
    peak = size.figures.peak_memory_mb
    return peak.interval if peak.HasField("interval") else None


def _finish(axes: Axes, title: str, unit: str) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("n")
    axes.set_title(f"{title} ({unit})", loc="left", fontsize="medium")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(visible=True, which="major", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=_GREY, which="both")
    low, high = axes.get_ylim()
    if low <= 0:
        # No point was drawn.
        low, high = 0.1, 10.0
    if high / low < _SPAN:
        middle = math.sqrt(low * high)
        low, high = middle / math.sqrt(_SPAN), middle * math.sqrt(_SPAN)
    if axes.texts:
        high *= (high / low) ** (1 / _BELOW - 1)
    axes.set_ylim(low, high)
    if high / low < 20:
        # An axis with so few decades has hardly any power of ten to label.
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.yaxis.set_minor_formatter(NullFormatter())
