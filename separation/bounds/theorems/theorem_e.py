"""Theorem E: how often a hybrid with too few full layers composes L ≥ 2 random tables rightly, for every L."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Any

from separation.bounds.theorem import block_bits, checked_sizes, checked_state_bits, table_sizes
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.files import InputError
from separation.tasks.checks import require_integer

# How the last step is paid: in full; late states where they are used; no R after or beside the last full layer; or all
# steps with the one-layer delay.
LAST_STEPS = {"A": ("full", "late", "quiet", "delayed"), "B": ("full", "late", "quiet")}
DELAYED = "E delayed"
"""The part of Theorem E that is proved in Coq: kind A, paid delayed, no state before the first full layer."""


def theorem_e(
    kind: str, payment: str, m: int, n: Sequence[int], x: Sequence[int], beta: int, state_bits: Sequence[int]
) -> Ceiling:
    """accuracy ≤ ⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}·t_{ℓ-1})⟩ + ⟨1/N_{L-1};
    D_L/(n_{L-1}·t_{L-1})⟩

    where t_0 = x_0 ≤ m, t_ℓ = x_ℓ·n_{ℓ-1}·t_{ℓ-1} (n_0 = 1), a term with t_ℓ = 1 is 0, and D_ℓ are those of
    `known_bits`.
    Kind "A": L−1 full layers, ``state_bits`` = (Λ_0..Λ_{L-1}). Kind "B": L full layers, no R layer before the second,
    ``state_bits`` = (0, Λ_1..Λ_L). Payment "quiet" is true only of words without R after or beside the last full layer,
    so the last two Λ must be equal; that alone does not make a word quiet when the bits given are an upper bound.
    """
    n = checked_sizes(m, n, 2)
    L = len(n) + 1
    state_bits = checked_state_bits(state_bits, L if kind == "A" else L + 1)
    require_integer("beta", beta, 0)
    if payment not in LAST_STEPS[kind]:
        raise InputError(f"kind {kind} of Theorem E is paid as one of {', '.join(LAST_STEPS[kind])}")
    if payment == "quiet" and state_bits[-1] != state_bits[-2]:
        raise InputError("a quiet word has no R after or beside its last full layer: the last two Lambda are equal")
    if kind == "B" and state_bits[0] != 0:
        raise InputError("kind B is about words without an R layer before the second full layer: Lambda_0 is 0")
    if len(x) != L:
        raise InputError(f"L = {L} needs x_0..x_{L - 1}, got {len(x)}")
    for level, factor in enumerate(x):
        require_integer(f"x_{level}", factor, 1, m if level == 0 else None)
    terms = tuple(
        Term.of(Fraction(above, below), Fraction(bits, entries))
        for above, below, bits, entries in term_numbers(kind, payment, m, n, x, beta, state_bits)
    )
    parameters: tuple[tuple[str, str | int | Fraction], ...]
    parameters = (("kind", kind), ("payment", payment), *((f"x_{level}", factor) for level, factor in enumerate(x)))
    return Ceiling.from_terms("E", parameters, terms)


def term_numbers(
    kind: str, payment: str, m: Any, n: Sequence[Any], x: Sequence[Any], beta: Any, state_bits: Sequence[Any]
) -> list[tuple[Any, Any, Any, Any]]:
    """(numerator of q, denominator of q, numerator of κ, denominator of κ) of every term: integers, or arrays of
    floats.

    The term of level ℓ < L has q = (t_ℓ−1)/2N_{ℓ-1}; the last has q = 1/N_{L-1}.
    """
    N, L = table_sizes(m, n), len(n) + 1
    bits = known_bits(kind, payment, m, n, x, beta, state_bits)
    reached, entries = x[0], m
    numbers = []
    for level in range(1, L):
        tries = x[level] * (n[level - 2] if level > 1 else 1) * reached
        numbers.append((tries - 1, 2 * N[level - 1], bits[level - 1], entries))
        reached, entries = tries, n[level - 1] * tries
    numbers.append((1, N[-1], bits[-1], entries))
    return numbers


def known_bits(
    kind: str, payment: str, m: Any, n: Sequence[Any], x: Sequence[Any], beta: Any, state_bits: Sequence[Any]
) -> list[Any]:
    """[D_1, …, D_L] with D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ, D_1 = Λ_0 (A) or β·W + Λ_1 (B).

    With X_ℓ = x_0⋯x_{ℓ-1}, S_ℓ = Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}, and V_ℓ = W·X_ℓ (in A V_1 = W if Λ_0 = 0: then
    w knows
    nothing but itself before layer 1), c_ℓ is that of `_cost_a`, `_cost_b`, `_cost_delayed`.
    """
    N, W, L = table_sizes(m, n), prod(n), len(n) + 1
    bits = [state_bits[0] if kind == "A" else beta * W + state_bits[1]]
    copies, below = x[0], 0  # X_ℓ and S_ℓ
    for level in range(1, L):
        asking = W if kind == "A" and level == 1 and state_bits[0] == 0 else W * copies
        own = x[level] * N[level - 1]
        pays = payment if level == L - 1 or payment == "delayed" else "full"
        if pays == "delayed":
            cost = _cost_delayed(level, x, beta, state_bits, own, copies, below, asking)
        elif kind == "A":
            cost = _cost_a(pays, level, x, beta, state_bits, own, copies, below, asking)
        else:
            cost = _cost_b(pays, level, x, beta, state_bits, own, copies, below, asking)
        bits.append(x[level] * bits[-1] + cost)
        copies, below = copies * x[level], x[level] * (below + N[level - 1])
    return bits


def _cost_a(
    pays: str,
    level: int,
    x: Sequence[Any],
    beta: Any,
    state_bits: Sequence[Any],
    own: Any,
    copies: Any,
    below: Any,
    asking: Any,
) -> Any:
    """Λ_ℓ + β(ℓ·x_ℓ·N_{ℓ-1} + V_ℓ + X_ℓ + S_ℓ); late: Λ_{ℓ-1} + x_ℓ·λ_ℓ + β((ℓ−1)·x_ℓ·N_{ℓ-1} + V_ℓ + X_ℓ + S_ℓ);
    quiet: Λ_{ℓ-1} + β((ℓ−1)·x_ℓ·N_{ℓ-1} + V_ℓ)."""
    if pays == "full":
        return state_bits[level] + beta * (level * own + asking + copies + below)
    if pays == "late":
        late = x[level] * block_bits(state_bits)[level]
        return state_bits[level - 1] + late + beta * ((level - 1) * own + asking + copies + below)
    return state_bits[level - 1] + beta * ((level - 1) * own + asking)


def _cost_delayed(
    level: int, x: Sequence[Any], beta: Any, state_bits: Sequence[Any], own: Any, copies: Any, below: Any, asking: Any
) -> Any:
    """Λ_0 + β·V_1 + x_0·x_1·λ_1 at ℓ = 1; then Λ_{ℓ-1} + x_0⋯x_ℓ·λ_ℓ + β((ℓ−1)·x_ℓ·N_{ℓ-1} + y_ℓ + S_ℓ + V_ℓ), y_2
    = x_0, else X_ℓ."""
    late = copies * x[level] * block_bits(state_bits)[level]
    if level == 1:
        return state_bits[0] + beta * asking + late
    told = x[0] if level == 2 else copies
    return state_bits[level - 1] + late + beta * ((level - 1) * own + told + below + asking)


def _cost_b(
    pays: str,
    level: int,
    x: Sequence[Any],
    beta: Any,
    state_bits: Sequence[Any],
    own: Any,
    copies: Any,
    below: Any,
    asking: Any,
) -> Any:
    """ℓ = 1: Λ_2 + β(2·x_1·m + V_1 + x_0 + x_0·x_1); late: Λ_1 + x_1·λ_2 + β(x_1·m + V_1 + x_0 + x_0·x_1);
    quiet: Λ_1 + β(x_1·m + V_1 + x_0). ℓ ≥ 2: Λ_{ℓ+1} + β((ℓ+1)·x_ℓ·N_{ℓ-1} + V_ℓ + X_ℓ + S_ℓ);
    late: Λ_ℓ + x_ℓ·λ_{ℓ+1} + β(ℓ·x_ℓ·N_{ℓ-1} + V_ℓ + X_ℓ + S_ℓ); quiet: Λ_ℓ + β(ℓ·x_ℓ·N_{ℓ-1} + V_ℓ)."""
    first = level == 1
    heard = copies + copies * x[level] if first else copies + below
    if pays == "full":
        return state_bits[level + 1] + beta * ((level + 1) * own + asking + heard)
    if pays == "late":
        return state_bits[level] + x[level] * block_bits(state_bits)[level + 1] + beta * (level * own + asking + heard)
    return state_bits[level] + beta * (level * own + asking + (copies if first else 0))
