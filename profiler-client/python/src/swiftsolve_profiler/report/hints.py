"""Hints in the texts of a report: the server names fields of the wire, a reader wants options."""

from __future__ import annotations

import re
from typing import Final

from swiftsolve_profiler._gen import job_pb2

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
