"""A model run as players, in symbols: streams and states of uninterpreted sorts, sums as pairs of integers.

Weights, values, steps of a state and all that is done token by token are uninterpreted functions, so what z3 shows
holds for every model. A layer has full and recurrent heads; it is F or R if ``next`` ignores what one
kind gives. Layers may differ: the number of a layer can be a part of its streams.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import z3

from proofs_checks.kit.solvers import require_implied

Term = Any
"""An expression of z3, or a Python number in its place."""
Terms = tuple[Term, ...]
"""The sums of one query over some tokens: a numerator, a total, and whatever else a broken twin needs."""

STREAM, STATE, OUTPUT = (z3.DeclareSort(name) for name in ("Stream", "State", "Output"))
WEIGHT = z3.Function("e", STREAM, STREAM, z3.IntSort())
VALUE = z3.Function("v", STREAM, z3.IntSort())
ROUNDED = z3.Function("rounded", z3.IntSort(), z3.IntSort(), OUTPUT)
STEP = z3.Function("step", STATE, STREAM, STATE)
READ = z3.Function("read", STATE, STREAM, OUTPUT)
NEXT = z3.Function("next", STREAM, OUTPUT, OUTPUT, STREAM)
START = z3.Const("start", STATE)


def exact_letters(name: str) -> Terms:
    return tuple(z3.Ints(f"{name}.numerator {name}.total"))


def added_up(one: Terms, two: Terms) -> Terms:
    return tuple(left + right for left, right in zip(one, two, strict=True))


def is_exact(sums: Terms) -> Term:
    return z3.And(sums[1] >= 0, z3.Implies(sums[1] == 0, sums[0] == 0))


@dataclass(frozen=True)
class Arithmetic:
    """Σ_j e(q, k_j)·v_j and Σ_j e(q, k_j), of one coordinate of one head, for one query.

    where ``token(query, stream, other)`` is the weight and the value of a token, ``other`` the stream of some third
    one; ``added(sums, token)`` adds one more token; ``plus`` puts the sums over two groups of tokens together.
    """

    letters: Callable[[str], Terms] = exact_letters
    possible: Callable[[Terms], Term] = is_exact
    nothing: Terms = (0, 0)
    token: Callable[[Term, Term, Term], Terms] = lambda query, stream, _other: (WEIGHT(query, stream), VALUE(stream))
    added: Callable[[Terms, Terms], Terms] = lambda sums, token: (sums[0] + token[0] * token[1], sums[1] + token[0])
    plus: Callable[[Terms, Terms], Terms] = added_up


@dataclass(frozen=True)
class Exchange:
    """What players do in one layer.

    where ``hears(j, i)``: token i attends to token j; ``sent`` is what a player makes of its sums before it sends them,
    ``collected`` what the wires hold after one more sender, ``scanned(state, stream)`` the state after a token,
    ``handed`` the one that goes on to the next player if it is the last, and ``after`` the stream of a token after the
    layer, from its own stream, that of another player's token, and what F and R heads give it.
    """

    arithmetic: Arithmetic = field(default_factory=Arithmetic)
    hears: Callable[[Term, Term], Term] = lambda sender, receiver: sender <= receiver
    sent: Callable[[Terms], Terms] = lambda sums: sums
    collected: Callable[[Terms, Terms], Terms] = added_up
    scanned: Callable[[Term, Term], Term] = STEP
    handed: Callable[[Term, Term], Term] = STEP
    after: Callable[[Term, Term, Term, Term], Term] = lambda own, _other, full, linear: NEXT(own, full, linear)


def same(one: Terms, two: Terms) -> Term:
    return z3.And(*(left == right for left, right in zip(one, two, strict=True)))


def require_equal(what: str, one: Terms, two: Terms, *held: Term) -> None:
    require_implied(list(held), same(one, two), what)
