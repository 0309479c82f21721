"""Hints in the texts of a report: the server names fields of the wire, a reader wants options."""

from __future__ import annotations

import re
from typing import Final

from swiftsolve_profiler._gen import job_pb2
from swiftsolve_profiler._gen import report_pb2 as pb

_REMEDIES: Final = {
    pb.REMEDY_KIND_LARGER_SIZES: "larger sizes",
    pb.REMEDY_KIND_SMALLER_SIZES: "smaller sizes",
    pb.REMEDY_KIND_MORE_SIZES: "more sizes",
    pb.REMEDY_KIND_AUTO_SCHEDULE: 'schedule="auto"',
    pb.REMEDY_KIND_COUNTED_GROWTH: 'growth="counted"',
    pb.REMEDY_KIND_FULL_GROWTH: 'growth="full"',
    pb.REMEDY_KIND_INPUT_SPEC: "input_specs=",
}
_NEWER: Final = "a newer swiftsolve-profiler"
"""Names a remedy that this package does not know yet."""

_SPEC: Final = "an InputSpec"


def _choices() -> dict[str, str]:
    """Maps "growth FULL" to `growth="full"`, for every enum field of a job."""
    found = {}
    for field in job_pb2.Job.DESCRIPTOR.fields:
        for value in field.enum_type.values if field.enum_type else ():
            short = value.name.removeprefix(f"{field.name.upper()}_")
            found[f"{field.name} {short}"] = f'{field.name}="{short.lower()}"'
    return found


_OPTIONS: Final = {_SPEC: "input_specs=", **_choices()}
_PATTERN: Final = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in _OPTIONS))


def with_options(text: str) -> str:
    """Returns a text of the server with the options of this package in place of fields."""
    return _PATTERN.sub(lambda found: _OPTIONS[found[0]], text)


def why_undecided(message: pb.GrowthClassification) -> str:
    """Returns why a class is undecided, and the options that would decide it.

    A report of version 0.2 has no remedies, and a sentence that names fields.
    """
    if not message.undecided_reason:
        return with_options(message.undecided)
    remedies = [_REMEDIES.get(remedy.kind, _NEWER) for remedy in message.remedies]
    decide = f". To decide: {' or '.join(remedies)}" if remedies else ""
    return f"{message.undecided_reason}{decide}"
