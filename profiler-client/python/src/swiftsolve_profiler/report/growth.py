"""The growth of time or memory with n."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler._gen.figure_pb2 import growth_shape
from swiftsolve_profiler.report.hints import why_undecided
from swiftsolve_profiler.report.names import signal_name

_DECLARED: Final = pb.GrowthClass.DESCRIPTOR.values_by_number
SHAPES: Final = {
    value: shape
    for value in pb.GrowthClass.values()
    if (shape := _DECLARED[value].GetOptions().Extensions[growth_shape]).name
}
"""The function of each class except the powers, as the .proto file declares it."""
FUNCTIONS: Final = {value: shape.name for value, shape in SHAPES.items()}
"""The name of each of these functions, such as "n log n". `phi` is the golden ratio."""
SUBLINEAR: Final = frozenset(
    shape.name
    for shape in SHAPES.values()
    if shape.power < 1 and not shape.base and not shape.factorial
)
"""The functions in `FUNCTIONS` that grow more slowly than n."""
NOT_CLASSIFIED = "growth was not classified: the task is interactive or no size was measured"
"""The reason why a report has no growth."""


@dataclass(frozen=True)
class Growth:
    """The growth of time or memory with n."""

    complexity: str | None
    """The class, such as "O(n log n)" or "O(n^2)". None if it is undecided."""
    confidence: float | None
    """The probability that `complexity` is right, from 0 to 1. None if it is undecided."""
    why: str
    """The evidence for the class. If it is undecided, the reason, and what would decide it."""
    ranking: tuple[tuple[str, float], ...]
    """The likeliest classes and their probabilities, even if the class is undecided."""
    message: pb.GrowthClassification = field(repr=False)
    """The message, with exponent, signals, curve and prediction."""


def growth(message: pb.GrowthClassification) -> Growth:
    """Converts a classification from the wire."""
    decided = complexity(message.function)
    second = complexity(message.runner_up)
    ranking = [(decided, message.confidence), (second, message.runner_up_confidence)]
    return Growth(
        complexity=decided,
        confidence=message.confidence if decided else None,
        why=_evidence(message) if decided else why_undecided(message) or NOT_CLASSIFIED,
        ranking=tuple((name, chance) for name, chance in ranking if name is not None),
        message=message,
    )


def complexity(function: pb.GrowthFunction) -> str | None:
    """Returns "O(f)". None if there is no class, or if only a newer version knows it."""
    if function.growth_class == pb.GROWTH_CLASS_POWER:
        return f"O(n^{function.exponent:.2f})"
    if function.HasField("base"):
        return f"O({round(function.base, 2):g}^n)"
    name = FUNCTIONS.get(function.growth_class)
    return None if name is None else f"O({name})"


def _evidence(message: pb.GrowthClassification) -> str:
    """Names the class of each kind of figure, such as "instructions: O(n) (0.99)"."""
    found = ((signal, complexity(signal.function)) for signal in message.signals)
    return "; ".join(f"{signal_name(s)}: {name} ({s.confidence:.2f})" for s, name in found if name)
