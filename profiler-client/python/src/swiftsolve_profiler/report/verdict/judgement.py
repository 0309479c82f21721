"""The answer to a question that may be undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from swiftsolve_profiler.report.names import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Judgement:
    """The answer whether a program meets constraints. It is truthy only if `met` is True."""

    met: bool | None
    """The answer. None if it is not known."""
    reason: str
    """The reason, in one sentence."""

    def __bool__(self) -> bool:
        return self.met is True

    def __str__(self) -> str:
        return shown(self.reason)


def all_of(parts: Sequence[Judgement]) -> Judgement:
    """Combines judgements: False if any is False, else None if any is None, else True.

    The reason consists of the reasons of the judgements with this answer.
    """
    met: bool | None = True
    if any(part.met is None for part in parts):
        met = None
    if any(part.met is False for part in parts):
        met = False
    return Judgement(met, "; ".join(part.reason for part in parts if part.met is met))
