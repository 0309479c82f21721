"""The growth of time or memory with n."""

from __future__ import annotations

from dataclasses import dataclass, field

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.hints import with_options
from swiftsolve_profiler.report.names import signal_name

FUNCTIONS = {
    pb.GROWTH_CLASS_CONSTANT: "1",
    pb.GROWTH_CLASS_LOGARITHMIC: "log n",
    pb.GROWTH_CLASS_LOG_SQUARED: "log^2 n",
    pb.GROWTH_CLASS_SQUARE_ROOT: "sqrt n",
    pb.GROWTH_CLASS_LINEAR: "n",
    pb.GROWTH_CLASS_LINEARITHMIC: "n log n",
    pb.GROWTH_CLASS_LINEAR_LOG_SQUARED: "n log^2 n",
    pb.GROWTH_CLASS_N_SQRT_N: "n sqrt n",
    pb.GROWTH_CLASS_QUADRATIC: "n^2",
    pb.GROWTH_CLASS_QUADRATIC_LOG: "n^2 log n",
    pb.GROWTH_CLASS_CUBIC: "n^3",
    pb.GROWTH_CLASS_GOLDEN_EXPONENTIAL: "phi^n",
    pb.GROWTH_CLASS_EXPONENTIAL: "2^n",
    pb.GROWTH_CLASS_EXPONENTIAL_TIMES_N: "n 2^n",
    pb.GROWTH_CLASS_TRIPLE_EXPONENTIAL: "3^n",
    pb.GROWTH_CLASS_FACTORIAL: "n!",
}
"""The functions of all classes except POWER, in ASCII."""
SUBLINEAR = frozenset({"1", "log n", "log^2 n", "sqrt n"})
"""The functions in `FUNCTIONS` that grow more slowly than n."""

NOT_CLASSIFIED = "growth was not classified: the task is interactive or no size was measured"
"""Why a report has no growth."""


@dataclass(frozen=True)
class Growth:
    """How time or memory grows with n."""

    complexity: str | None
    """The class, such as "O(n log n)" or "O(n^2)". None if it is undecided."""
    confidence: float | None
    """The probability that `complexity` is right, from 0 to 1. None if it is undecided."""
    why: str
    """The evidence for the class. If the class is undecided: why, and what would decide it."""
    ranking: tuple[tuple[str, float], ...]
    """The likeliest classes and their probabilities, also if the class is undecided."""
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
        why=_evidence(message) if decided else with_options(message.undecided) or NOT_CLASSIFIED,
        ranking=tuple((name, chance) for name, chance in ranking if name is not None),
        message=message,
    )


def complexity(function: pb.GrowthFunction) -> str | None:
    """Returns "O(f)". None if there is no class, or if a newer server has a new one."""
    if function.growth_class == pb.GROWTH_CLASS_POWER:
        return f"O(n^{function.exponent:.2f})"
    name = FUNCTIONS.get(function.growth_class)
    return None if name is None else f"O({name})"


def _evidence(message: pb.GrowthClassification) -> str:
    """Names the class of each kind of figure, such as "instructions: O(n) (0.99)"."""
    found = ((signal, complexity(signal.function)) for signal in message.signals)
    return "; ".join(f"{signal_name(s)}: {name} ({s.confidence:.2f})" for s, name in found if name)
