"""Theorem E: how often a hybrid with too few full layers composes L ≥ 2 random tables rightly, for every L."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, prod
from typing import Any

from separation.bounds.theorem import block_bits, checked_sizes, checked_state_bits, table_sizes
from separation.bounds.theorems.ceiling import Ceiling, Term
from separation.files import InputError
from separation.tasks.checks import require_integer

DELAYED, LATE = "delayed", "late"
"""How the steps are paid: all with one layer of delay; or in full, but the last one's states where they are used."""


def payment(kind: str, tables: int) -> str:
    """Of kind A with three tables or more delayed charges are the least, else late ones."""
    return DELAYED if kind == "A" and tables > 2 else LATE


def form_in_coq(kind: str, m: int, x: Sequence[int], state_bits: Sequence[int], parts: int = 1) -> str:
    """The name of the part of Theorem E that is proved in Coq and has these numbers; "E" if none has.

    The delayed charges are those of T_E_A and T_E_A_spread where x_0 divides m, or the first share, in 1/``parts``, has
    room for as many bits if ⌊m/x_0⌋·x_0 stands for m. T_E_two has the late charge of two tables, Λ_0 = 0 and x_0·x_1 ≤
    m.
    """
    if payment(kind, len(x)) == DELAYED:
        told = parts * state_bits[0]
        return "E delayed" if ceil(Fraction(told, m)) == ceil(Fraction(told, m - m % x[0])) else "E"
    return "E late" if kind == "A" and state_bits[0] == 0 and x[0] * x[1] <= m else "E"


def theorem_e(
    kind: str,
    m: int,
    n: Sequence[int],
    x: Sequence[int],
    beta: int,
    state_bits: Sequence[int],
) -> Ceiling:
    """accuracy ≤ ⟨(t_1−1)/2m; D_1/m⟩ + Σ_{ℓ=2..L-1} ⟨(t_ℓ−1)/2N_{ℓ-1}; D_ℓ/(n_{ℓ-1}·t_{ℓ-1})⟩ + ⟨1/N_{L-1};
    D_L/(n_{L-1}·t_{L-1})⟩

    where t_0 = x_0 ≤ m, t_ℓ = x_ℓ·n_{ℓ-1}·t_{ℓ-1} (n_0 = 1), a term with t_ℓ = 1 is 0, and D_ℓ are those of
    `known_bits`.
    Kind "A": L−1 full layers, ``state_bits`` = (Λ_0..Λ_{L-1}). Kind "B": L full layers, no R layer before the second,
    ``state_bits`` = (0, Λ_1..Λ_L).
    """
    n = checked_sizes(m, n, 2)
    L = len(n) + 1
    state_bits = checked_state_bits(state_bits, L if kind == "A" else L + 1)
    require_integer("beta", beta, 0)
    if kind == "B" and state_bits[0] != 0:
        raise InputError("kind B is about words without an R layer before the second full layer: Lambda_0 is 0")
    if len(x) != L:
        raise InputError(f"L = {L} needs x_0..x_{L - 1}, got {len(x)}")
    for level, factor in enumerate(x):
        require_integer(f"x_{level}", factor, 1, m if level == 0 else None)
    terms = tuple(
        Term.of(Fraction(above, below), Fraction(bits, entries))
        for above, below, bits, entries in term_numbers(kind, m, n, x, beta, state_bits)
    )
    chosen = ((f"x_{level}", factor) for level, factor in enumerate(x))
    parameters: tuple[tuple[str, str | int | Fraction], ...]
    parameters = (("kind", kind), ("payment", payment(kind, L)), *chosen)
    return Ceiling.from_terms(form_in_coq(kind, m, x, state_bits, terms[0].share.denominator), parameters, terms)


def term_numbers(
    kind: str, m: Any, n: Sequence[Any], x: Sequence[Any], beta: Any, state_bits: Sequence[Any]
) -> list[tuple[Any, Any, Any, Any]]:
    """(numerator of q, denominator of q, numerator of κ, denominator of κ) of every term, over any kind of number.

    The term of level ℓ < L has q = (t_ℓ−1)/2N_{ℓ-1}; the last has q = 1/N_{L-1}.
    """
    N, L = table_sizes(m, n), len(n) + 1
    bits = known_bits(kind, m, n, x, beta, state_bits)
    reached, entries = x[0], m
    numbers = []
    for level in range(1, L):
        tries = x[level] * (n[level - 2] if level > 1 else 1) * reached
        numbers.append((tries - 1, 2 * N[level - 1], bits[level - 1], entries))
        reached, entries = tries, n[level - 1] * tries
    numbers.append((1, N[-1], bits[-1], entries))
    return numbers


def known_bits(
    kind: str, m: Any, n: Sequence[Any], x: Sequence[Any], beta: Any, state_bits: Sequence[Any]
) -> list[Any]:
    """[D_1, …, D_L] with D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ, D_1 = Λ_0 (A) or β·W + Λ_1 (B).

    where X_ℓ = x_0⋯x_{ℓ-1}, S_ℓ = Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}, and V_ℓ = W·X_ℓ (in A V_1 = W if Λ_0 = 0: then w
    knows nothing but itself before layer 1). With j = ℓ (A) or ℓ+1 (B), Z = X_ℓ + S_ℓ, but x_0 + x_0·x_1 in B at ℓ = 1,

    - delayed, c_1 = Λ_0 + x_0·x_1·λ_1 + β·V_1, then c_ℓ = Λ_{ℓ-1} + X_{ℓ+1}·λ_ℓ + β((ℓ−1)·x_ℓ·N_{ℓ-1} + y_ℓ + S_ℓ +
      V_ℓ), y_2 = x_0, else X_ℓ;
    - late, c_{L-1} = Λ_{j-1} + x_ℓ·λ_j + β((j−1)·x_ℓ·N_{ℓ-1} + V_ℓ + Z), before that c_ℓ = Λ_j + β(j·x_ℓ·N_{ℓ-1} + V_ℓ
      + Z).
    """
    N, W, L, states = table_sizes(m, n), prod(n), len(n) + 1, block_bits(state_bits)
    more = 1 if kind == "B" else 0
    bits = [beta * W + state_bits[1] if more else state_bits[0]]
    copies, below = x[0], 0  # X_ℓ and S_ℓ
    for level in range(1, L):
        j, own = level + more, x[level] * N[level - 1]
        asking = W if not more and level == 1 and state_bits[0] == 0 else W * copies
        heard = copies * (1 + x[level]) if more and level == 1 else copies + below
        if payment(kind, L) == DELAYED:
            messages = 0 if level == 1 else (level - 1) * own + (x[0] if level == 2 else copies) + below
            cost = state_bits[level - 1] + copies * x[level] * states[level] + beta * (messages + asking)
        elif level == L - 1:
            cost = state_bits[j - 1] + x[level] * states[j] + beta * ((j - 1) * own + asking + heard)
        else:
            cost = state_bits[j] + beta * (j * own + asking + heard)
        bits.append(x[level] * bits[-1] + cost)
        copies, below = copies * x[level], x[level] * (below + N[level - 1])
    return bits
