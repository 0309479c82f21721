"""Amounts in readable units."""

from __future__ import annotations

from typing import Final

_DAY_MS: Final = 24 * 3_600_000.0
_YEAR_MS: Final = 365.25 * _DAY_MS
TIMES: Final = (
    (_YEAR_MS, "years"),
    (_DAY_MS, "days"),
    (3_600_000.0, "h"),
    (60_000.0, "min"),
    (1000.0, "s"),
    (1.0, "ms"),
)
"""The units of time, each with its length in milliseconds."""
MEMORIES: Final = ((1024.0, "GiB"), (1.0, "MiB"))
"""The units of memory, each with its size in MiB."""
BYTES: Final = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (1024.0, "KiB"), (1.0, "B"))
"""The units of memory, each with its size in bytes."""
_LONGEST_MS: Final = 1000 * _YEAR_MS
"""The longest time that is written as a number."""
_DIGITS: Final = 3
"""The number of significant digits. Digits before the decimal point are kept."""


def quantity(value: float, units: tuple[tuple[float, str], ...]) -> str:
    """Writes a figure with the largest unit that fits."""
    if units is TIMES and value > _LONGEST_MS:
        return "more than 1000 years"
    factor, unit = next((unit for unit in units if value >= unit[0]), units[-1])
    amount = value / factor
    number = f"{amount:.0f}" if amount >= 10**_DIGITS else f"{amount:.{_DIGITS}g}"
    return f"{number} {unit}"


def rounded(count: int) -> int:
    """Rounds to three significant digits, and halves up."""
    unit: int = 10 ** max(len(str(count)) - _DIGITS, 0)
    return (count + unit // 2) // unit * unit
