"""T.D.several: λ sparse layers with content-free summaries and 2-Sum of n tokens: C8 from above, D2 from below.

A summary is content-free if it says where its block is and nothing of what is in it. *C8*, n ≤ (kB)^λ: behind the data
stand workspace tokens (y, γ), 1 ≤ y < M, those of one y in whole blocks; they are part of the prompt. In layer 1 (y, γ)
opens the γ-th k blocks of data and counts y among their tokens; in layer t it averages kB counts of the layer before;
the query x opens the k blocks of y = −x. `constructions/c8.py` has the weights, with exact scores: nothing is
approximate. *D2*, n > ((k+1)B+s)^λ: in one layer a token reads its own
block, the k that it opens and s tokens of windows and sinks, so the output depends on that many tokens. On an input
without −x some data token is not read; with −x there no state that the output depends on changes, so nothing else is
opened.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np

from constructions.c8 import Workspace, weights
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.theorems.theorem_d import sparse_layers_solve
from separation.models.forward import run

TINY = ((3, 1, 2, 2), (5, 1, 2, 2), (3, 2, 1, 2), (3, 1, 2, 3), (3, 2, 1, 3))
"""M, B, k and λ at which the weights of C8 run on all inputs of the largest n."""
SEED, RUNS = 3, 60


@dataclass(frozen=True)
class Lengths:
    """n up to which C8 is claimed, and the tokens that the output of D2 can depend on."""

    solved: Callable[[int, int, int], int] = lambda B, k, layers: (k * B) ** layers
    read: Callable[[int, int, int, int], int] = lambda B, k, s, layers: ((k + 1) * B + s) ** layers


def wrong(sizes: Workspace, inputs: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Data and query, each of 1..M−1, that the weights of C8 answer wrongly."""
    M = sizes.modulus
    prompts = [[*(x - 1 for x in data), *[M - 1] * sizes.spaces, M - 1 + query] for *data, query in inputs]
    found = run(weights(sizes), np.array(prompts)).answers
    return [each for each, said in zip(inputs, found, strict=True) if said != (M - each[-1] in each[:-1])]


def cone(rng: Random, tokens: int, B: int, k: int, s: int, layers: int) -> set[int]:
    """The tokens that the last one depends on, when each token of each layer opens k random blocks and reads s more."""
    seen = {tokens - 1}
    for _ in range(layers):
        below: set[int] = set()
        for token in seen:
            opened = [token // B, *(rng.randrange(0, token // B + 1) for _ in range(k))]
            below |= {place for block in opened for place in range(block * B, block * B + B) if place <= token}
            below |= {rng.randrange(0, token + 1) for _ in range(s)} | {token}
        seen = below
    return seen


def check(claim: Lengths) -> Checked:
    """C8 on all inputs of tiny sizes; the cones of D2 drawn at random; the calculator's verdicts at both ends."""
    for M, B, k, layers in TINY:
        n = claim.solved(B, k, layers)
        require(n <= (k * B) ** layers, f"M, B, k, λ = {M}, {B}, {k}, {layers}: there are no weights for n = {n}")
        sizes = Workspace(n, M, B, k, layers)
        inputs = list(product(range(1, M), repeat=n + 1))
        require(not wrong(sizes, inputs), f"C8 is wrong at M, B, k, λ = {M}, {B}, {k}, {layers}")
        require(sparse_layers_solve((k * B) ** layers, B, k, layers) is True, "the calculator knows less of C8")
        require(sparse_layers_solve((k * B) ** layers + 1, B, k, layers) is not True, "the calculator says more of C8")
    rng = Random(SEED)
    for _ in range(RUNS):
        B, k, s, layers = rng.randint(1, 3), rng.randint(0, 2), rng.randint(0, 2), rng.randint(1, 3)
        most = claim.read(B, k, s, layers)
        seen = cone(rng, 40 * B, B, k, s, layers)
        require(len(seen) <= most, f"B, k, s, λ = {B}, {k}, {s}, {layers}: {len(seen)} tokens are read")
        full = ((k + 1) * B + s) ** layers
        require(sparse_layers_solve(full + 1, B, k, layers, s) is False, "the calculator knows less of D2")
        require(sparse_layers_solve(full, B, k, layers, s) is not False, "the calculator says more of D2")
    return Checked(
        Status.TESTED,
        "the weights of C8 on all inputs; cones of reading",
        f"{len(TINY)} tiny sizes, {RUNS} seeded cones; by hand",
    )


class Asked(NamedTuple):
    content_free: bool = True
    workspace: bool = True


STATEMENT = Statement(
    id="T.D.several",
    title="several sparse layers with content-free summaries, from both sides",
    latex=r"n\le(kB)^\lambda\ \text{(C8)},\qquad n>((k+1)B+s)^\lambda\ \text{(D2)}",
    english="Sparse layers whose summaries are content-free, with workspace tokens in the prompt, solve 2-Sum of n "
    "tokens at the query if n ≤ (kB)^λ; none do if n > ((k+1)B+s)^λ, s the tokens of windows and sinks.",
    subject=Lengths(),
    check=check,
    twins={
        "one token more is solved": Lengths(solved=lambda B, k, layers: (k * B) ** layers + 1),
        "one layer more is solved": Lengths(solved=lambda B, k, layers: (k * B) ** (layers + 1)),
        "the own block is not read": Lengths(read=lambda B, k, s, layers: (k * B + s) ** layers),
        "windows and sinks are not read": Lengths(read=lambda B, k, _, layers: ((k + 1) * B) ** layers),
    },
    hypotheses=(
        Hypothesis("the summaries are content-free", lambda asked: asked.content_free, Asked(content_free=False)),
        Hypothesis("C8 has workspace tokens", lambda asked: asked.workspace, Asked(workspace=False)),
    ),
    witness=Asked(),
)
