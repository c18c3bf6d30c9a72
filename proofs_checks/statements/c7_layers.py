"""C7.layers: C7's heads spread over several sparse layers: ⌈B/h⌉ layers of h heads solve 2-Sum.

C7's heads need not be in one layer. ⌈B/h⌉ layers of h heads each, with C7's MLP after every layer and `fired` added
up, do the same: code and mirror are never changed, out and distance are emptied, so each layer finds what the first
one found. H·d·p = h·⌈log2 M⌉·p and width 1 + 2b + h(b+2), where one layer needs H·d·p of order B·log n (P.1.2). So
several sparse layers do solve 2-Sum, with one head each if there are B of them; the paper leaves open whether several
layers can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from constructions.c7 import build_layers as build
from proofs_checks.kit.construction_checks import Exhausted
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, require
from separation.models import Model
from separation.tasks.two_sum import TwoSumSizes

CASES = (
    (TwoSumSizes(7, 3), 2, 0, 1),
    (TwoSumSizes(7, 3), 3, 1, 1),
    (TwoSumSizes(7, 3), 3, 0, 2),
    (TwoSumSizes(5, 5), 2, 1, 1),
    (TwoSumSizes(5, 5), 4, 0, 3),
    (TwoSumSizes(4, 7), 3, 0, 1),
)
"""Sizes, B, the blocks that each head opens, heads per layer."""

Builder = Callable[[TwoSumSizes, int, int, int], Model]


def check(builder: Builder) -> Checked:
    """All inputs of tiny sizes, run exactly; H·d·p = h·⌈log2 M⌉·p counted on the weights, p ≥ log2 B.

    By hand, for every size: head by head this is C7, since nothing that a head reads is changed by the layers before.
    """
    cases = [(sizes, [tuple(options)]) for sizes, *options in CASES]
    found = Exhausted(cases, ", one to three heads per layer").check(builder)
    for sizes, block, opened, heads in CASES:
        model, where = builder(sizes, block, opened, heads), f"{sizes}, B = {block}, k = {opened}, {heads} heads"
        require(model.word == "S" * -(-block // heads), f"{where}: the layers are {model.word}")
        expected = heads * sizes.code_bits * model.precision.bits
        require(heads_times_bits(model) == expected, f"{where}: H·d·p is {heads_times_bits(model)}, not {expected}")
        require(model.width == 1 + 2 * sizes.code_bits + heads * (sizes.code_bits + 2), f"{where}: width {model.width}")
    return replace(found, method=f"{found.method}; H·d·p counted on the weights")


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
    title="at small sizes several sparse layers solve 2-Sum with few heads (open in the paper)",
    latex=r"S^{\lceil B/h\rceil}\ \text{with }h\text{ heads per layer solves}\ 2\text{-Sum}(n,M),\quad "
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
    rests_on=("C7",),
    hypotheses=(
        Hypothesis("1 ≤ h ≤ B", lambda case: 1 <= case[1] <= case[0], outside=(2, 3)),
        Hypothesis("B ≥ 1", lambda case: case[0] >= 1, outside=(0, 1)),
    ),
    witness=(3, 1),
)
