"""The temperature of attention heads: the factor of W_Q that a paper takes out of the matrix."""

from __future__ import annotations

from fractions import Fraction

from separation.models import AnyHead, Head, Model, SparseHead
from separation.verbs.show.coefficients import TAU


def temperatures(model: Model) -> dict[Fraction, str]:
    """Value → symbol: τ if all heads with a temperature have the same, else τ1, τ2, … in order of layers."""
    found = (temperature(head) for layer in model.layers for head in layer.heads)
    values = list(dict.fromkeys(value for value in found if value is not None))
    return {value: TAU if len(values) == 1 else f"{TAU}{number}" for number, value in enumerate(values, start=1)}


def temperature(head: AnyHead) -> Fraction | None:
    """shift / d_k, the score of a match if all key coordinates are ±1, when it divides all entries of W_Q."""
    if not isinstance(head, (Head, SparseHead)):
        return None
    rows = head.w_q.shape[0]
    if not rows or head.shift <= 0:
        return None
    value = head.shift / rows
    entries = {abs(number) for _, _, number in head.w_q.entries()}
    return value if entries and all((number / value).denominator == 1 for number in entries) else None
