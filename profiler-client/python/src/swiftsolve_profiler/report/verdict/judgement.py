"""The answer to a question that may be undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Judgement:
    """Whether a program meets constraints. It is true only if `met` is."""

    met: bool | None
    """The answer. None if it is not known."""
    reason: str
    """Why, in one sentence."""

    def __bool__(self) -> bool:
        return self.met is True

    def __str__(self) -> str:
        return self.reason


def all_of(parts: Sequence[Judgement]) -> Judgement:
    """Combines judgements: one that is not met decides, and then one that is not known.

    The reason is that of the parts which decide.
    """
    met: bool | None = True
    if any(part.met is None for part in parts):
        met = None
    if any(part.met is False for part in parts):
        met = False
    return Judgement(met, "; ".join(part.reason for part in parts if part.met is met))
