"""How far a floating-point run can be from the exact one, from the unit roundoff, the lengths of sums and the proof."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from separation.models import Head, Model
from separation.proving import Proof
from separation.tasks.shape import Shape


def rounding(operations: int, unit: Fraction) -> Fraction:
    """γ_k = k·u / (1 − k·u): the relative error of a sum or product of k roundings."""
    return operations * unit / (1 - operations * unit)


def logit_error_bound(model: Model, proof: Proof, shape: Shape, unit: Fraction) -> Fraction | None:
    """A bound on |float logit − exact logit| at the last token, or None where the clip cannot absorb the error.

    In exact arithmetic the clip makes a bit exact from anything within 1/2 of it. With unit roundoff u a look-up is
    off by the leak of the proof plus the rounding of softmax; the MLP then leaves the new pointer off by the rounding
    of its own sums only; that moves the next scores, hence weights by a factor, hence the next look-up.
    """
    limit = model.precision.limit
    width, tokens = model.width, shape.length
    mlps = [mlp for layer in model.layers for mlp in layer.mlps]
    hidden = max(mlp.w_1.shape[0] for mlp in mlps)
    heaviest = max(_largest_row_sum(mlp.w_2.numerators, mlp.w_2.denominator) for mlp in mlps)
    # A hidden unit is a sum of width + 1 terms, all within the limit; the stream adds `heaviest` of them and itself.
    pointer = heaviest * limit * (rounding(width + 2, unit) + rounding(hidden + 3, unit)) + limit * rounding(3, unit)
    for look_up in (step for step in proof.look_ups if step.kind == shape.answer_kind.name):
        head = model.layers[look_up.layer - 1].heads[look_up.head]
        assert isinstance(head, Head)
        # Scores: products of d_k terms of size at most the shift, moved by the pointer's error and by rounding.
        moved = 2 * (abs(head.shift) * (pointer + rounding(width + head.w_q.shape[0] + 4, unit)))
        if moved >= Fraction(1, 4):
            return None
        leak = look_up.match.leak * (1 + 2 * moved)  # e^x ≤ 1 + 2x below 1
        softmax = 2 * rounding(tokens + 12, unit) * (1 + leak)
        if 2 * leak / (1 + leak) + softmax + pointer > Fraction(1, 2):
            return None
    answer_bits = sum(variable.bits for group in shape.outputs for variable in group.address)
    return answer_bits * (pointer + (1 + pointer) * rounding(width + 1, unit))


def _largest_row_sum(numerators: object, denominator: int) -> Fraction:
    return Fraction(int(np.abs(np.asarray(numerators)).sum(axis=1).max()), denominator)
