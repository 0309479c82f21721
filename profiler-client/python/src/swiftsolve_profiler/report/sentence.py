"""The summary of a report: one sentence, and one more for each class that is undecided."""

from __future__ import annotations

import json
import math

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.growth import Growth, growth
from swiftsolve_profiler.report.names import outcome

_TIMES = ((3_600_000.0, "h"), (60_000.0, "min"), (1000.0, "s"), (1.0, "ms"))
_TRIVIAL = 1
"""The largest n that no program may find too much."""
_VAGUE = 1.5
"""Ratio of the ends of an interval from which on it is told instead of its middle."""
_MEMORIES = ((1024.0, "GiB"), (1.0, "MiB"))


def sentence(report: pb.ProfileReport) -> str:
    """Returns the summary, with the parts that the report has.

    For example: "time grows like n log n (confidence 0.93); memory grows like n (confidence 0.77)".
    An undecided class is a sentence of its own, which ends its line. If the program lacked its
    input, or reads to the end of an input that nobody declared, a line that says so comes first.
    """
    if _is_endless(report):
        return _objection(report) + (
            f"even n = {report.sizes[0].size} does not end within the time limit: an endless loop, "
            "or a loop that waits for more input"
        )
    parts = _growth(report.growth) if report.HasField("growth") else []
    failed = [size for size in report.sizes if outcome(size) != "OK"]
    if failed or not parts:
        ok = len(report.sizes) - len(failed)
        parts.append(
            f"{ok} of {len(report.sizes)} size{'' if len(report.sizes) == 1 else 's'} ended OK"
        )
    if failed:
        parts.append(f"{outcome(failed[0])} at n = {failed[0].size}")
    return _objection(report) + "; ".join(parts).replace(".; ", ".\n")


def _is_endless(report: pb.ProfileReport) -> bool:
    """Returns whether no size ended OK, and a trivial one met the time limit."""
    sizes = report.sizes
    nothing_ok = sizes and all(outcome(size) != "OK" for size in sizes)
    return bool(nothing_ok) and sizes[0].size <= _TRIVIAL and outcome(sizes[0]) == "TIME_LIMIT"


def _objection(report: pb.ProfileReport) -> str:
    """Returns what must be read before anything else; empty if the program had its input."""
    check = report.input_check
    if not check.HasField("default_input"):
        return ""
    fed = json.dumps(check.default_input)
    if check.input_use == pb.INPUT_USE_STARVED:
        return (
            f"The program was not measured on its task: it was fed only {fed} and asked for more. "
            "Declare its input with input_specs=, or give interactor= if it talks to a judge.\n"
        )
    if check.input_use == pb.INPUT_USE_READS_TO_END:
        return (
            f"note: the program reads its input to the end, and was fed only {fed}. "
            "If its task has more input, declare it with input_specs=.\n"
        )
    return ""


def _growth(found: pb.GrowthReport) -> list[str]:
    """Returns what is known of both; one reason why nothing is known is said once."""
    time, memory = growth(found.time), growth(found.memory)
    predicted = found.time.HasField("prediction") or found.memory.HasField("prediction")
    if time.complexity is memory.complexity is None and time.why == memory.why and not predicted:
        return [_unknown("time and memory grow", time)]
    parts = []
    for what, message, known, units in (
        ("time", found.time, time, _TIMES),
        ("memory", found.memory, memory, _MEMORIES),
    ):
        parts.append(_clause(what, known))
        if message.HasField("prediction") and not math.isnan(message.prediction.value):
            # After a sentence, nothing else says what is predicted.
            subject = f"{what} " if known.complexity is None else ""
            parts.append(subject + _prediction(message.prediction, units))
        if what == "time":
            parts += _largest_size(message)
    return parts


def _unknown(what_grows: str, found: Growth) -> str:
    return f"cannot tell how {what_grows}: {found.why}."


def _clause(what: str, found: Growth) -> str:
    if found.complexity is None:
        return _unknown(f"{what} grows", found)
    confidence = f" (confidence {found.confidence:.2f})"
    if found.complexity == "O(1)":
        return f"{what} does not grow with n{confidence}"
    return f"{what} grows like {found.complexity[2:-1]}{confidence}"


def _prediction(found: pb.GrowthPrediction, units: tuple[tuple[float, str], ...]) -> str:
    """Names the figure at the bound of n, and whether it is within the limit."""
    at = f"at n = {found.size} about {_quantity(found.value, units)}"
    if found.limit <= 0:
        return at
    limit = f"the limit of {_quantity(found.limit, units)}"
    if not found.HasField("fits"):
        return f"{at}: cannot tell whether within {limit}"
    return f"{at}: {'within' if found.fits else 'over'} {limit}"


def _largest_size(time: pb.GrowthClassification) -> list[str]:
    """Names the largest n within the time limit; superfluous if the bound of n is within it."""
    is_bound_within = time.prediction.HasField("fits") and time.prediction.fits
    if not time.HasField("reach") or is_bound_within:
        return []
    low, size, high = (_count(n) for n in (time.reach.low, time.reach.size, time.reach.high))
    vague = time.reach.high > _VAGUE * time.reach.low
    at = f"between {low} and {high}" if vague else f"about {size}"
    return [f"largest n within {_quantity(time.reach.limit, _TIMES)}: {at}"]


def _count(count: int) -> int:
    """Rounds to three significant digits."""
    return int(round(count, 3 - len(str(count)))) if count > 0 else count


def _quantity(value: float, units: tuple[tuple[float, str], ...]) -> str:
    factor, unit = next((unit for unit in units if value >= unit[0]), units[-1])
    return f"{value / factor:.3g} {unit}"
