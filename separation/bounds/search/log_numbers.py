"""Positive numbers of any size by their logarithms: sums and products of a formula for integers, in floats or jets."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from separation.bounds.search.jets import Jet, log_of_sum


@dataclass(frozen=True)
class LogNumber:
    """2^``log``, where ``log`` is a float, an array of floats or a jet; −∞ is the number 0."""

    log: Any

    def __add__(self, other: LogNumber | int) -> LogNumber:
        return LogNumber(log_sum(self.log, log_of(other)))

    def __mul__(self, other: LogNumber | int) -> LogNumber:
        if isinstance(other, int) and other == 0:
            return LogNumber(-math.inf)
        return LogNumber(self.log + log_of(other))

    __radd__ = __add__
    __rmul__ = __mul__


def log_sum(*logs: Any) -> Any:
    """log2 Σ 2^x."""
    if any(isinstance(term, Jet) for term in logs):
        return log_of_sum(*logs)
    total = logs[0]
    for term in logs[1:]:
        total = np.logaddexp2(total, term)
    return total


def log_of(number: LogNumber | int) -> Any:
    """log2 of a number; −∞ for 0."""
    if isinstance(number, LogNumber):
        return number.log
    return math.log2(number) if number > 0 else -math.inf


def integer(logarithm: float) -> int:
    """⌊2^logarithm⌉, with the precision of a float; at least 1."""
    whole = max(0, math.floor(logarithm) - 52)
    mantissa: int = round(2.0 ** (logarithm - whole))
    return max(1, mantissa) << whole
