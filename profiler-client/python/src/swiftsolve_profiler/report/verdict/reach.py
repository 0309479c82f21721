"""The largest n within the time limit."""

from __future__ import annotations

from typing import Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.names import outcome
from swiftsolve_profiler.report.verdict.amounts import TIMES, quantity, rounded

_VAGUE: Final = 1.5
"""Ratio of an interval's ends above which the sentence names both ends instead of the middle."""


def largest_size(report: pb.ProfileReport) -> list[str]:
    """Names the largest n within the time limit, unless the bound of n is within the limit.

    If the class of time is undecided, names the measured sizes on both sides of the limit.
    """
    time = report.growth.time
    if time.prediction.HasField("fits") and time.prediction.fits:
        return []
    reach = time.reach if time.HasField("reach") else _bracket(report)
    if reach is None:
        return []
    low, size, high = (rounded(n) for n in (reach.low, reach.size, reach.high))
    vague = reach.high > _VAGUE * reach.low
    at = f"between {low} and {high}" if vague else f"about {size}"
    return [f"largest n within {quantity(reach.limit, TIMES)}: {at}"]


def _bracket(report: pb.ProfileReport) -> pb.GrowthReach | None:
    """Returns the measured sizes between which the time exceeds its limit."""
    time = report.growth.time
    if not report.growth.HasField("time") or time.HasField("function"):
        return None
    limit = time.prediction.limit or _limit(report)
    if limit <= 0:
        return None
    ended_ok = [size for size in report.sizes if outcome(size) == "OK"]
    over = [size.size for size in ended_ok if size.runtime_ms > limit]
    over += [size.size for size in report.sizes if outcome(size) == "TIME_LIMIT"]
    within = [size.size for size in ended_ok if over and size.size < min(over)]
    if not within:
        return None
    low = max(within)
    return pb.GrowthReach(size=low, low=low, high=min(over), limit=limit)


def _limit(report: pb.ProfileReport) -> float:
    """Returns the time limit that a size exceeded; 0 if none did."""
    for size in report.sizes:
        if size.evidence.limit == pb.LIMIT_KIND_TIME and size.evidence.HasField("limit_value"):
            return size.evidence.limit_value - size.evidence.grace
    return 0.0
