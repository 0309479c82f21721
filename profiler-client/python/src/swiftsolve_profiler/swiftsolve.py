"""Fits the profiler into SwiftSolve: strict reports of SwiftSolve's own class, and its notation.

A strict report of `Profiler.run` is an instance of the `ProfileReport` in the module of the
submitted `CodeMessage`. So SwiftSolve gets reports that its other models accept.
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any, cast

from pydantic import BaseModel, PrivateAttr

from swiftsolve_profiler.report.growth import SUBLINEAR
from swiftsolve_profiler.schemas import ProfileReport

if TYPE_CHECKING:
    from swiftsolve_profiler.report.full import FullReport

    class StrictReport(ProfileReport):
        """The strict report that `Profiler.run` returns, with the full report as an attribute."""

        @property
        def full(self) -> FullReport:
            """The full report. JSON does not contain it."""


_KNOWN = frozenset({"O(1)", "O(log n)"})
"""The classes below O(n) that the Analyst knows."""


def complexity(report: object) -> str | None:
    """Returns the growth of time as SwiftSolve's Analyst writes it, such as "O(n log n)".

    `report` is what `Profiler.run` returned. If the class is undecided, the result is the likeliest
    class. A class below O(n) that the Analyst does not know is rounded up to "O(n)".

    The result is None if nothing is known about the growth: the report comes from elsewhere, no
    size was measured, or the program's input was not enough.
    """
    full: FullReport | None = getattr(report, "full", None)
    if full is None or not full.time.ranking:
        return None
    likeliest, _ = full.time.ranking[0]
    if likeliest[2:-1] in SUBLINEAR and likeliest not in _KNOWN:
        return "O(n)"
    return likeliest


def strict_report(full: FullReport, code: object) -> StrictReport:
    """Returns the strict report in the class that belongs to `code`, with the attribute `full`."""
    module = sys.modules.get(type(code).__module__)
    found = getattr(module, "ProfileReport", None)
    base = found if isinstance(found, type) and issubclass(found, BaseModel) else ProfileReport
    return _rebuild(base, full)


def _rebuild(base: type[BaseModel], full: FullReport) -> StrictReport:
    report: Any = _class(base).model_validate(full.strict().model_dump())
    report._full = full
    return cast("StrictReport", report)


@functools.cache
def _class(base: type[BaseModel]) -> type[BaseModel]:
    """Returns a subclass with the same fields, and a property `full`."""

    def equal(self: BaseModel, other: object) -> bool:
        # A report that was read back from JSON is of the class `base`.
        return isinstance(other, base) and self.model_dump() == other.model_dump()

    content: dict[str, object] = {
        "__module__": __name__,
        "__doc__": base.__doc__,
        "__eq__": equal,
        "__reduce__": lambda self: (_rebuild, (base, self._full)),
        "_full": PrivateAttr(),
        "full": property(lambda self: self._full),
    }
    make: Any = type(base)
    return cast("type[BaseModel]", make(base.__name__, (base,), content))
