"""T.D.layers: sparse layers that open no block need the bits of theorem D in all their summaries together.

If no layer opens a block, all that later tokens learn of the first block is its summaries, one in each layer. With −x
in all later tokens the last one must know whether x is in it, for every x. So 2^{Σ r_t} ≥ V(M−1,B) − 1: depth times
summary bits is what theorem D asks of one layer, at least c·B·log2 n as in P.1.2, and C7.layers needs ⌈B/h⌉·h·⌈log2
M⌉. With k ≥ 1 the question is open: a token opens other blocks in each layer, what it read can be opened again, and
nothing here bounds that. (The bound itself is false then: with k = 1 and one closed block, that block is read in
full.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np

from constructions.c7 import build_layers as build
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import IntegerArray
from separation.bounds import subsets
from separation.models import Layer, Model, SparseHead, run, streams
from separation.tasks.two_sum import TwoSumSizes

Block = tuple[int, ...]

TINY = ((3, 1), (3, 2), (3, 3), (5, 1))
"""M and B of which all maps in two layers are tried."""
BUILT = ((5, 2), (3, 3))
"""M and B of models that are run."""


@dataclass(frozen=True)
class Stack:
    """Sparse layers: M, B, the blocks that each opens, and the tokens of the prompt."""

    modulus: int = 5
    block: int = 2
    opened: tuple[int, ...] = (0, 0)
    length: int = 3


def least_values(modulus: int, block: int) -> int:
    """V(M−1, B) − 1: the sets that B values can make."""
    return subsets(modulus - 1, block) - 1


def check(least: Callable[[int, int], int]) -> Checked:
    """Σ_t r_t ≥ log2(V(M−1,B) − 1), r_t the summary bits of a block in layer t, for any number of layers with k = 0.

    By hand: the streams of the first block are functions of that block alone, in every layer, since nothing comes
    before it; so later tokens learn of it only its summaries, one in each layer. Fill all later tokens with −x: the
    last one must say whether x is in the first block (M is odd, so −x is no match for itself). So two blocks with the
    same summaries in all layers have the same set of values, and there are V(M−1,B) − 1 sets. Tried: all pairs of
    summary maps of tiny blocks; and models of C7.layers, where the summaries of the first block are computed for all
    its contents and several tails, do not depend on the tail, and are at least as many as claimed. With one layer less
    they are too few, and two blocks are found that the model cannot tell apart, and should.
    """
    for modulus, block in TINY:
        found = _least_in_two_layers(modulus, block)
        said = least(modulus, block)
        require(found == said, f"M = {modulus}, B = {block}: two layers need {found} pairs of values, claimed {said}")
    for modulus, block in BUILT:
        said, where = least(modulus, block), f"M = {modulus}, B = {block}"
        model = build(TwoSumSizes(block + 1, modulus), block, 0, 1)
        seen, told = _summaries(model, modulus, block), _answers(model, modulus, block)
        require(len(set(told.values())) == said, f"{where}: {len(set(told.values()))} sets are told apart, not {said}")
        require(
            len(set(seen.values())) >= said, f"{where}: {len(set(seen.values()))} summaries, claimed at least {said}"
        )
        fewer = build(TwoSumSizes(block + 1, modulus), block, 0, 1, layers=block - 1)
        seen, told = _summaries(fewer, modulus, block), _answers(fewer, modulus, block)
        pairs = list(confused(seen))
        require(bool(pairs), f"{where}: with one layer less no two blocks look the same")
        same = all(told[one] == told[other] for one, other in pairs)
        require(same, f"{where}: blocks with the same summaries have different answers")
    return Checked(
        Status.EXHAUSTIVE,
        "all pairs of summary maps; summaries and answers of built models; pigeonhole and causality by hand",
        f"{len(TINY)} blocks, M up to 5, and {len(BUILT)} models",
    )


def _least_in_two_layers(modulus: int, block: int) -> int:
    """The least v_1·v_2 for which maps of all blocks to [v_1] and [v_2] together determine the set of values."""
    blocks = list(product(range(1, modulus), repeat=block))
    for first, second in sorted(product(range(1, len(blocks) + 1), repeat=2), key=prod):
        for images in product(product(range(first), range(second)), repeat=len(blocks)):
            if not list(confused(dict(zip(blocks, images, strict=True)))):
                return first * second
    raise AssertionError("the identity determines everything")


def confused(seen: Mapping[Block, object]) -> Iterator[tuple[Block, Block]]:
    """Pairs of blocks with different sets of values that look the same."""
    for one, other in combinations(seen, 2):
        if seen[one] == seen[other] and set(one) != set(other):
            yield one, other


def _summaries(model: Model, modulus: int, block: int) -> dict[Block, object]:
    """All summary keys and values of the first block, layer by layer; the same for every tail."""
    found: dict[Block, object] = {}
    for tail in range(1, modulus):
        ids = np.array([(*own, tail) for own in product(range(1, modulus), repeat=block)])
        *inputs, _ = streams(model, ids)
        for row, own in enumerate(map(tuple, ids[:, :block].tolist())):
            seen = tuple(
                _summary(layer, rows.values[row, :block]) for layer, rows in zip(model.layers, inputs, strict=True)
            )
            require(found.setdefault(own, seen) == seen, f"{own}: the summaries depend on the token {tail} after it")
    return found


def _summary(layer: Layer, stream: IntegerArray) -> tuple[int, ...]:
    """Keys and values of a block's summary in all heads, in units of the stream."""
    numbers: list[int] = []
    for head in layer.heads:
        assert isinstance(head, SparseHead)
        for compressor, reader in ((head.c_k, head.w_k), (head.c_v, head.w_v)):
            numbers += (compressor.numerators @ (stream @ reader.numerators.T).reshape(-1)).tolist()
    return tuple(numbers)


def _answers(model: Model, modulus: int, block: int) -> dict[Block, object]:
    """For each first block the answers to all −x after it."""
    blocks = list(product(range(1, modulus), repeat=block))
    answers = [run(model, np.array([(*own, tail) for own in blocks])).answers.tolist() for tail in range(1, modulus)]
    return {own: tuple(answer[row] for answer in answers) for row, own in enumerate(blocks)}


STATEMENT = Statement(
    id="T.D.layers",
    title="summary bits of several small sparse layers that open no block",
    latex=r"k=0\ \Rightarrow\ \sum_t r_t\ge\log_2\bigl(V(M-1,B)-1\bigr)",
    english="However many sparse layers: if they open no block, their summaries together need theorem D's bits.",
    subject=least_values,
    check=check,
    twins={
        "the empty set counted": lambda modulus, block: subsets(modulus - 1, block),
        "sets of exactly B values": lambda modulus, block: (
            subsets(modulus - 1, block) - subsets(modulus - 1, block - 1)
        ),
        "one value less": lambda modulus, block: subsets(modulus - 1, block) - 2,
    },
    speaks_of=("D2", "D3"),
    hypotheses=(
        Hypothesis("M is odd", lambda stack: stack.modulus % 2 == 1, outside=Stack(modulus=6)),
        Hypothesis("no layer opens a block", lambda stack: not any(stack.opened), outside=Stack(opened=(0, 1))),
        Hypothesis("a token stands after the first block", lambda s: s.length > s.block, outside=Stack(length=2)),
    ),
    witness=Stack(),
)
