"""Complexities as people write them, and the order of their growth."""

from __future__ import annotations

import math
import re
from typing import Final

_WORDS: Final = re.compile(r"log_?2?|ln|lg|sqrt|phi")
_SIGNS: Final = {"**": "^", "ⁿ": "^n", "√": "sqrt ", "φ": "phi", "·": " ", "⋅": " ", "\u00d7": " "}
_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_POWER_OF_LOG: Final = re.compile(r"(?:\( *log *n *\)|log *\( *n *\)) *\^ *(\d+)")
_ARGUMENT: Final = re.compile(r"(sqrt|log(?:\^\d+)?) *\( *n *\)")
_OTHER_ARGUMENT: Final = re.compile(r"(sqrt|log(?:\^\d+)?) *[(*]")
"""A function of another argument, as in sqrt(n log n), or the iterated logarithm, log* n."""
_FACTOR: Final = re.compile(
    r"(?P<factorial>n!)|(?P<base>phi|\d+(?:\.\d+)?)\^n|sqrt *(?P<root>n)"
    r"|log(?:\^(?P<logs>\d+))? *n|(?P<size>n)(?:\^(?P<power>\d+(?:\.\d+)?))?|\d+"
)
_GOLDEN_RATIO: Final = (1 + math.sqrt(5)) / 2

_NEAR: Final = 0.05
"""The maximum difference of near powers, and of near bases as a share."""

Order = tuple[float, float, float]
"""The base of the exponential, the power of n and the power of log n. A larger one grows faster."""


def is_faster(one: Order, other: Order) -> bool:
    """Returns whether one grows faster than the other, and is not near it.

    Powers of n with near exponents are near, and so are exponentials with near bases.
    """
    if one <= other:
        return False
    (base, power, logs), (other_base, other_power, other_logs) = one, other
    if logs or other_logs:
        return True
    if base == other_base == 1:
        return other_power == 0 or power - other_power > _NEAR
    return bool(power or other_power) or other_base == 1 or base / other_base - 1 > _NEAR


def order(text: str) -> Order | None:
    """Reads a complexity such as "O(n log n)", "O(N*sqrt(N))" or "O(n²)".

    Its variable can be any letter. None if the text has another form, or several variables.
    """
    inside = re.fullmatch(r"\s*[OΘ]\s*\((.*)\)\s*", text)
    if inside is None:
        return None
    plain = inside[1].lower()
    for sign, meaning in _SIGNS.items():
        plain = plain.replace(sign, meaning)
    plain = re.sub(f"([{_SUPERSCRIPTS}]+)", r"^\1", plain)
    plain = plain.translate(str.maketrans(_SUPERSCRIPTS, "0123456789"))
    plain = re.sub(r"log_?2|ln|lg", "log", plain)
    variables = set(re.findall("[a-z]", _WORDS.sub(" ", plain)))
    if len(variables) > 1:
        return None
    for variable in variables - {"n"}:
        plain = re.sub(rf"(log|sqrt|phi)|{variable}", lambda found: found[1] or "n", plain)
    plain = _POWER_OF_LOG.sub(r"log^\1 n ", plain)
    plain = re.sub(r" *\^ *", "^", plain)
    if ")^" in plain:
        return None
    plain = _ARGUMENT.sub(r"\1 n ", plain)
    if _OTHER_ARGUMENT.search(plain):
        return None
    return _product(re.sub(r"[*() ]+", " ", plain).strip())


def _product(text: str) -> Order | None:
    """Reads the factors of a product."""
    base, power, logs = 1.0, 0.0, 0.0
    at = 0
    while at < len(text):
        found = _FACTOR.match(text, at)
        if found is None or (at > 0 and found[0].isdigit()):
            # A number is a constant factor only at the beginning: "n2" may mean anything.
            return None
        if found["factorial"]:
            base = math.inf
        elif found["base"]:
            given = found["base"]
            base = max(base, _GOLDEN_RATIO if given == "phi" else float(given))
        elif found["root"]:
            power += 0.5
        elif found["size"]:
            power += float(found["power"] or 1)
        elif found[0].startswith("log"):
            logs += float(found["logs"] or 1)
        at = found.end()
        at += text[at : at + 1] == " "
    return (base, power, logs) if text else None
