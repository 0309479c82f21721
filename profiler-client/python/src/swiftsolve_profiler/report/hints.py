"""Remedies in a report, as options of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from swiftsolve_profiler._gen import report_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Iterable

_REMEDIES: Final = {
    pb.REMEDY_KIND_LARGER_SIZES: "larger sizes",
    pb.REMEDY_KIND_SMALLER_SIZES: "smaller sizes",
    pb.REMEDY_KIND_MORE_SIZES: "more sizes",
    pb.REMEDY_KIND_AUTO_SCHEDULE: 'schedule="auto"',
    pb.REMEDY_KIND_COUNTED_GROWTH: 'growth="counted"',
    pb.REMEDY_KIND_FULL_GROWTH: 'growth="full"',
    pb.REMEDY_KIND_INPUT_SPEC: "input_specs=",
    pb.REMEDY_KIND_INTERACTOR: "interactor= if it talks to a judge",
    pb.REMEDY_KIND_STANDARD: '"-std={}" in compiler_flags',
}
"""The options; "{}" stands for the argument of the remedy."""
_NEWER: Final = "a newer swiftsolve-profiler"
"""The text for a remedy that only a newer version of this package knows."""


def why_undecided(message: pb.GrowthClassification) -> str:
    """Returns why a class is undecided, and the options that would decide it.

    A report of version 0.2 has no remedies, and its own text is returned.
    """
    if not message.undecided_reason:
        return message.undecided
    return message.undecided_reason + _listed(". To decide, use ", message.remedies)


def explain_warning(message: pb.Warning) -> str:
    """Returns the text of a warning, and the options that help.

    A report of version 0.2 has no remedies, and its own text is returned.
    """
    if not message.reason:
        return message.message
    return message.reason + _listed("; use ", message.remedies)


def _listed(lead: str, remedies: Iterable[pb.Remedy]) -> str:
    """Returns the options after the text `lead`; empty if there are no options."""
    named = [_REMEDIES.get(remedy.kind, _NEWER).format(remedy.argument) for remedy in remedies]
    return lead + " or ".join(named) if named else ""
