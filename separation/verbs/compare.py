"""`compare`: words of layers side by side: depth, what they keep of a prompt, and how accurate they can be."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds import Budget, Word
from separation.bounds.ceilings import ceiling, chance
from separation.bounds.known import how_known
from separation.bounds.theorems.ceiling import Ceiling
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.verbs.options import require_few_levels

MOST_WORDS = 64
EXAMPLE_M, EXAMPLE_N = 64, 8


@dataclass(frozen=True)
class ComparedWord:
    """One word: bytes of its KV cache for a token and of its states (None where heads or state bits are not given)."""

    word: Word
    kv_bytes: int | None
    state_bytes: int | None
    construction: str | None
    ceiling: Ceiling

    def document(self) -> dict[str, Any]:
        word, found = self.word, self.ceiling
        return {
            "name": str(word),
            "word": str(word),
            "layers": len(word.layers),
            "full": word.full,
            "recurrent": word.recurrent,
            "depth": word.depth,
            "kv_bytes_per_token": None if self.kv_bytes is None else number_to_json(self.kv_bytes),
            "state_bytes": None if self.state_bytes is None else number_to_json(self.state_bytes),
            "construction": self.construction,
            "ceiling": str(found.value),
            "ceiling_float": float(found.value),
            "theorem": None if found.value == 1 else found.theorem,
            "known": None if found.value == 1 else how_known(found.theorem),
            "chain_of_thought": "C5" if word.full else None,
        }


@dataclass(frozen=True)
class CompareReport:
    """The words in the order in which they were given, all at the same sizes and with the same heads and states."""

    rows: tuple[ComparedWord, ...]
    sizes: Sizes
    budget: Budget
    example_sizes: bool
    seconds: float
    ok: bool = True

    def document(self) -> dict[str, Any]:
        sizes = self.sizes
        return {
            "ok": self.ok,
            "L": sizes.L,
            "m": number_to_json(sizes.m),
            "n": [number_to_json(size) for size in sizes.n],
            "tokens": number_to_json(sizes.length),
            "beta": number_to_json(self.budget.beta_at(sizes.length)),
            "assumed": {"sizes": self.example_sizes, "budget": self.budget.assumed},
            "chance": str(chance(sizes.m, sizes.n)),
            "rows": [row.document() for row in self.rows],
            "seconds": self.seconds,
        }


def compare(
    words: Sequence[str],
    *,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    kv_heads: int | None = None,
    beta: int | None = None,
    linear: int | Sequence[int] | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    state_bits: int | None = None,
    proved_only: bool = False,
) -> CompareReport:
    """At sizes L, m, n: by default one table more than the least deep word solves, m = 64 and n_ℓ = 8.

    A full layer keeps 2·(KV heads)·dim numbers of ``bits`` bits of every token; KV heads are as many as heads if they
    are not given. ``proved_only`` leaves out theorems that are not proved in Coq.
    """
    start = time.perf_counter()
    if not words:
        raise InputError("no word is given; separation compare RRRF FRRR")
    if len(words) > MOST_WORDS:
        raise InputError(f"{len(words)} words are given; at most {MOST_WORDS} are compared")
    parsed = [Word.parse(word) for word in words]
    budget = Budget.of(
        beta=beta, linear=linear, heads=heads, dim=dim, bits=bits, score_bits=score_bits, state_bits=state_bits
    )
    if kv_heads is not None:
        if heads is None:
            raise InputError("--kv-heads needs --heads, --dim and --bits")
        if require_integer("--kv-heads", kv_heads, 1) > heads:
            raise InputError(f"--kv-heads is {kv_heads}, more than the {heads} heads")
    sizes, example = _sizes(parsed, L, m, n)
    rows = tuple(_compared(word, sizes, budget, kv_heads, proved_only) for word in parsed)
    return CompareReport(rows, sizes, budget, example, time.perf_counter() - start)


def _sizes(words: Sequence[Word], L: int | None, m: int | None, n: Sequence[int] | None) -> tuple[Sizes, bool]:
    """The sizes asked for, and whether any of them is an example."""
    if L is None:
        L = len(n) + 1 if n is not None else min(word.depth for word in words) + 1
    require_integer("L", L, 1)
    require_few_levels(L)
    chosen = [EXAMPLE_N] * (L - 1) if n is None else list(n)
    return Sizes.from_lists(L, EXAMPLE_M if m is None else m, chosen), m is None or (n is None and L > 1)


def _compared(word: Word, sizes: Sizes, budget: Budget, kv_heads: int | None, proved_only: bool) -> ComparedWord:
    message, states = budget.message, budget.state_bits
    kv = None
    if message is not None:
        kv = -(-word.full * 2 * (kv_heads or message.heads) * message.dim * message.bits // 8)
    state = None if states is None else -(-word.recurrent * states // 8)
    if word.recurrent == 0:
        state = 0
    construction = None
    if word.depth >= sizes.L:
        construction = "C1" if word.full > sizes.L else "C2"
    beta = budget.beta_at(sizes.length)
    found = ceiling(word, sizes.m, sizes.n, beta, budget.separate_state_bits(word), proved_only=proved_only)
    return ComparedWord(word, kv, state, construction, found)
