"""P.2.2: linear attention is a recurrence with a state of fixed size: Lemma 2.2 of arXiv 2602.01763.

arXiv 2602.01763: linear attention is an RNN. The step of the linear families is affine in the state, S_t = A_t S_{t-1}
+ w_t, so S_T = A_T⋯A_1 S_0 + Σ_j A_T⋯A_{j+1} w_j for every T, and what is summed over all earlier tokens is read from
a state of fixed size ([recurrences.md](recurrences.md)). Softmax attention has no such state: the weights 2^{ij} of
queries i·ln 2 and keys j are a matrix of full rank, so a state that is linear in the values needs a number for each of
T tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from flint import fmpz_mat
from sympy.polys.fields import field
from sympy.polys.rings import ring

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.recurrences import (
    FAMILIES,
    Inputs,
    LinearAttention,
    Recurrence,
    State,
    Token,
    make_inputs,
)

LINEAR = {name: family for name, family in FAMILIES.items() if name not in ("sliding-window", "rnn")}
"""All families whose step is affine in the state."""
SIZES = {"d_k": 2, "d_v": 2, "d": 2}
LONGEST = 9


class SquaredState(LinearAttention):
    """Broken: the step is not affine in the state."""

    def step(self, state: State, x: Token) -> State:
        return (state[0] * state[0] + super().step(state, x)[0],)


def check(families: Mapping[str, Recurrence]) -> Checked:
    """The sum over all earlier tokens is a scan with one state (R.families); the state does not grow.

    1. From a state of letters: the step is affine in it, S ↦ A_t S + w_t.
    2. By induction, for every T: S_T = A_T⋯A_1 S_0 + Σ_j A_T⋯A_{j+1} w_j, so the scan is that sum and needs nothing
       but S. The step of the induction is one line, checked with letters that do not commute. For kernel linear
       attention A = 1 and w_j = k_j v_jᵀ: q_tᵀ S_t = Σ_{j≤t} (q_t·k_j) v_j, for every T and all sizes.
    3. Softmax is not of this form: the scores of T queries and T keys, which say how answers depend on values, have
       rank at most d_k for linear attention, and rank T for exp(q·k) already at d_k = 1: q_i = i·ln 2, k_j = j gives
       2^{ij}, a Vandermonde matrix. So no state with fewer than T numbers, linear in the values, answers T queries.
    """
    for name, family in families.items():
        require(is_affine(family), f"{name}: the step is not affine in the state")
    _require_induction()
    for tokens in range(1, LONGEST + 1):
        positions = range(tokens)
        softmax = fmpz_mat([[2 ** (i * j) for j in positions] for i in positions]).rank()
        linear = fmpz_mat([[i * j + 1 for j in positions] for i in positions]).rank()
        require(softmax == tokens, f"{tokens} keys: the weights of softmax have rank {softmax}")
        require(linear <= 2, f"{tokens} keys: scores of two features have rank {linear}")
    return Checked(
        Status.ALL_INPUTS,
        "letters for all inputs; from an affine step to every T by induction; rank of softmax's weights",
        f"{len(families)} families at d = 2: every T for the sum over products of steps",
    )


def is_affine(family: Recurrence) -> bool:
    """Every entry of step(S, x) is a polynomial in the entries of S, of degree at most 1."""
    start, xs = _letters(family)
    unknowns = [sp.Symbol(str(letter), real=True) for part in start for letter in part.flat]
    entries = [entry for part in family.step(start, xs.token(0)) for entry in part.flat]
    for entry in entries:
        plain = sp.expand(entry if isinstance(entry, sp.Expr) else entry.as_expr())
        if not plain.is_polynomial(*unknowns) or sp.Poly(plain, *unknowns).total_degree() > 1:
            return False
    return True


def _letters(family: Recurrence) -> tuple[State, Inputs]:
    """A state and two tokens, each number a letter of its own: a polynomial, a quotient, or a symbol."""
    sizes = {**family.extra_sizes, **SIZES}
    shapes = {label: tuple(sizes[letter] for letter in shape) for label, shape in family.state.items()}
    names = {label: _named(f"state_{label}", shape) for label, shape in shapes.items()}
    xs = make_inputs(family, 2, sizes, lambda label, shape, _domain: _named(label, shape))
    inputs = {label: array for label, array in xs.arrays.items() if isinstance(array, np.ndarray)}
    everything = [symbol for array in (*names.values(), *inputs.values()) for symbol in array.flat]
    letters: dict[Any, Any] = {symbol: symbol for symbol in everything}
    if family.numbers != "expression":
        make = ring if family.numbers == "polynomial" else field
        letters = dict(zip(everything, make(everything, sp.QQ)[1:], strict=True))
    start = tuple(_filled(array, letters) for array in names.values())
    return start, xs.replaced(**{label: _filled(array, letters) for label, array in inputs.items()})


def _named(label: str, shape: tuple[int, ...]) -> Any:
    array = np.empty(shape, dtype=object)
    for index in np.ndindex(*shape):
        array[index] = sp.Symbol("_".join([label, *map(str, index)]), real=True)
    return array


def _filled(names: Any, letters: Mapping[Any, Any]) -> Any:
    array = np.empty(names.shape, dtype=object)
    for index, symbol in np.ndenumerate(names):
        array[index] = letters[symbol]
    return array if names.shape else array[()]


def _require_induction() -> None:
    """A(P·S + G) + w = (A·P)·S + (A·G + w): products of transitions and sums go one token further."""
    A, P, S, G, w = sp.symbols("A P S G w", commutative=False)
    require(sp.expand(A * (P * S + G) + w - ((A * P) * S + (A * G + w))) == 0, "the induction over T fails")


STATEMENT = Statement(
    id="P.2.2",
    title=f"{len(LINEAR)} linear families are recurrences, at d = 2 (the paper's Lemma 2.2)",
    latex=r"\sum_{j\le t}q_t^\top A_t\cdots A_{j+1}w_j=q_t^\top S_t,\quad S_t=A_tS_{t-1}+w_t,\quad "
    r"S_t\in\mathbb R^{d_k\times d_v}",
    english="What linear attention sums over all earlier tokens can be read from a state of fixed size, token by "
    "token.",
    subject=LINEAR,
    check=check,
    twins={
        "a step that squares the state": {"linear": SquaredState()},
        "a plain recurrent network": {"rnn": FAMILIES["rnn"]},
    },
    rests_on=("R.families",),
    hypotheses=(
        Hypothesis("the step is affine in the state", is_affine, outside=FAMILIES["rnn"]),
        Hypothesis(
            "the state does not grow with the tokens",
            lambda family: family.entries({"d_k": 2, "d_v": 2, "w": 9}) == family.entries({"d_k": 2, "d_v": 2, "w": 1}),
            outside=FAMILIES["sliding-window"],
        ),
    ),
    witness=LINEAR["linear"],
)
