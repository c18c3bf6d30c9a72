"""C7.layers: several sparse layers share C7's heads: ⌈B/h⌉ layers of h heads solve 2-Sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c6 import Plan
from constructions.c7 import most_keys, sparse_head, token_of_block
from proofs_checks.c6_bits import product
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import Precision
from separation.models import Layer, Model, SparseHead, run
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

CASES = (
    (TwoSumSizes(7, 3), 2, 0, 1),
    (TwoSumSizes(7, 3), 3, 1, 1),
    (TwoSumSizes(7, 3), 3, 0, 2),
    (TwoSumSizes(5, 5), 2, 1, 1),
    (TwoSumSizes(5, 5), 4, 0, 3),
    (TwoSumSizes(4, 7), 3, 0, 1),
)
"""Sizes, B, the blocks that each head opens, heads a layer."""

Builder = Callable[[TwoSumSizes, int, int, int], Model]


def build(sizes: TwoSumSizes, block: int, opened: int, heads: int, layers: int | None = None) -> Model:
    """Layer t has the heads of C7 for the offsets t·h, …, t·h + h − 1 of a block; `fired` adds up over the layers.

    After its MLP blocks `out` and `distance` are empty again and `code` and `mirror` are as before, so each layer finds
    what the first one found. Σ fired ≤ 4·B + 4·h, and p has room for it. ``layers``: only so many of them.
    """
    plan = Plan(sizes, most_keys(sizes.length, block, opened), heads=heads)
    whole = bit_count(max(plan.temperature, 8 * plan.code_bits - 3, 4 * (block + heads)))
    bits = max(8, whole + bit_count(4 * plan.code_bits))
    first = plan.construction(
        "C7", tuple(_head(plan, place, place, block, opened) for place in range(heads)), None, None
    )
    mlps = first.model.layers[0].mlps
    stack = []
    for start in range(0, block, heads):
        offsets = [min(start + place, block - 1) for place in range(heads)]
        stack.append(Layer(tuple(_head(plan, place, o, block, opened) for place, o in enumerate(offsets)), mlps))
    return replace(first.model, layers=tuple(stack[:layers]), precision=Precision(bits, bits, bits - whole))


def _head(plan: Plan, place: int, offset: int, block: int, opened: int) -> SparseHead:
    pick = token_of_block(plan.code_bits, block, min(offset, block - 1))
    return replace(sparse_head(plan, place, opened), c_k=pick, c_v=pick, block=block)


def check(builder: Builder) -> Checked:
    """All inputs of tiny sizes, run exactly; H·d·p = h·⌈log2 M⌉·p counted on the weights, p ≥ log2 B.

    By hand, for every size: head by head this is C7, since nothing that a head reads is changed by the layers before.
    """
    count = 0
    for sizes, block, opened, heads in CASES:
        model, where = builder(sizes, block, opened, heads), f"{sizes}, B = {block}, k = {opened}, {heads} heads"
        for ids, wanted in enumerate_tokens(sizes, 1024):
            wrong = (run(model, ids, every_row=True).answers != wanted).any(axis=1)
            require(not wrong.any(), f"{where}: wrong on {ids[wrong][:1].tolist()}")
            count += len(ids)
        require(model.word == "S" * -(-block // heads), f"{where}: the layers are {model.word}")
        wanted_bits = heads * sizes.code_bits * model.precision.bits
        require(product(model) == wanted_bits, f"{where}: H·d·p is {product(model)}, not {wanted_bits}")
        require(model.width == 1 + 2 * sizes.code_bits + heads * (sizes.code_bits + 2), f"{where}: width {model.width}")
    return Checked(
        Status.EXHAUSTIVE,
        "exact integer run against the oracle; H·d·p counted on the weights",
        f"all {count} inputs of {len(CASES)} sizes, one to three heads a layer",
    )


def _one_layer_less(sizes: TwoSumSizes, block: int, opened: int, heads: int) -> Model:
    return build(sizes, block, opened, heads, layers=-(-block // heads) - 1)


def _same_offset(sizes: TwoSumSizes, block: int, opened: int, heads: int) -> Model:
    """Every layer looks at the first tokens of a block."""
    whole = build(sizes, block, opened, heads)
    return replace(whole, layers=whole.layers[:1] * len(whole.layers))


def _out_not_emptied(sizes: TwoSumSizes, block: int, opened: int, heads: int) -> Model:
    """Only the last layer has its MLP: the heads' findings pile up in one slot."""
    whole = build(sizes, block, opened, heads)
    bare = tuple(replace(layer, mlps=()) for layer in whole.layers[:-1])
    return replace(whole, layers=(*bare, whole.layers[-1]))


STATEMENT = Statement(
    id="C7.layers",
    title="several sparse layers solve 2-Sum with few heads (open in the paper)",
    latex=r"S^{\lceil B/h\rceil}\ \text{with }h\text{ heads a layer solves}\ 2\text{-Sum}(n,M),\quad "
    r"H\,d\,p=h\lceil\log_2M\rceil p",
    english="⌈B/h⌉ sparse layers of h heads solve 2-Sum: only the depth grows with B, and p with log B.",
    subject=build,
    check=check,
    twins={
        "one layer less": _one_layer_less,
        "the same token in every layer": _same_offset,
        "what was found is not emptied": _out_not_emptied,
    },
    speaks_of=("D2", "D3"),
    rests_on=("C7.run",),
    hypotheses=(
        Hypothesis("1 ≤ h ≤ B", lambda case: 1 <= case[1] <= case[0], outside=(2, 3)),
        Hypothesis("B ≥ 1", lambda case: case[0] >= 1, outside=(0, 1)),
    ),
    witness=(3, 1),
)
