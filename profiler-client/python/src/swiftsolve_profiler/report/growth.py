"""The growth of time or memory with n."""

from __future__ import annotations

from dataclasses import dataclass, field

from swiftsolve_profiler._gen import report_pb2 as pb
from swiftsolve_profiler.report.hints import why_undecided
from swiftsolve_profiler.report.names import signal_name, word

FUNCTIONS = {
    "constant": "1",
    "logarithmic": "log n",
    "log_squared": "log^2 n",
    "square_root": "sqrt n",
    "linear": "n",
    "linearithmic": "n log n",
    "linear_log_squared": "n log^2 n",
    "n_sqrt_n": "n sqrt n",
    "quadratic": "n^2",
    "quadratic_log": "n^2 log n",
    "cubic": "n^3",
    "golden_exponential": "phi^n",
    "exponential": "2^n",
    "exponential_times_n": "n 2^n",
    "triple_exponential": "3^n",
    "factorial": "n!",
}
"""The function of each class except "power", in ASCII. `phi` is the golden ratio.

A name can be newer than the server, so it need not be a class of the contract yet.
"""
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
        why=_evidence(message) if decided else why_undecided(message) or NOT_CLASSIFIED,
        ranking=tuple((name, chance) for name, chance in ranking if name is not None),
        message=message,
    )


def complexity(function: pb.GrowthFunction) -> str | None:
    """Returns "O(f)". None if there is no class, or if a newer server has a new one."""
    if function.growth_class == pb.GROWTH_CLASS_POWER:
        return f"O(n^{function.exponent:.2f})"
    name = FUNCTIONS.get(word(pb.GrowthClass, function.growth_class) or "")
    return None if name is None else f"O({name})"


def _evidence(message: pb.GrowthClassification) -> str:
    """Names the class of each kind of figure, such as "instructions: O(n) (0.99)"."""
    found = ((signal, complexity(signal.function)) for signal in message.signals)
    return "; ".join(f"{signal_name(s)}: {name} ({s.confidence:.2f})" for s, name in found if name)
