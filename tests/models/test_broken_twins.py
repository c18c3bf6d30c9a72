"""An evaluator with one rule changed disagrees with run() on some random model: the models tell the rules apart."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from naive_model import Rules, evaluate, floor_exp, round_up
from random_models import (
    batch,
    document_of,
    fractions_of,
    naive_logits,
    with_enough_bits,
    with_fitting_shifts,
)
from run_cases import CASES, MIXED, SEEDS, case

from separation.models import HEAD_TYPES, MLP, Declared, SparseHead, run

ANY = tuple(HEAD_TYPES)
BROKEN: dict[str, tuple[Rules, tuple[str, ...]]] = {
    "rounded up": (Rules(rounding=round_up), ("full", "sparse", "linear")),
    "not rounded": (Rules(rounding=lambda number, step: number), ("full", "sparse", "linear")),  # noqa: ARG005
    "does not see itself": (Rules(sees=lambda i, j: j < i), ("full",)),
    "sees the future": (Rules(sees=lambda i, j: True), (MIXED, "full")),  # noqa: ARG005
    "sees nothing behind it": (Rules(sees=lambda i, j: j <= i), (MIXED, "full")),
    "weights rounded up": (
        Rules(weight=lambda power, x: 2**power if x == 0 else floor_exp(power, x) + 1),
        ("full", "sparse"),
    ),
    "base 2": (Rules(weight=lambda power, x: math.floor(2.0 ** (power + x))), ("full", "sparse")),
    "no ReLU": (Rules(relu=False), ANY),
    "0/0 = 1": (Rules(empty=Fraction(1)), ("full", "sparse", "linear")),
    "features without ReLU": (Rules(feature_relu=False), ("linear",)),
    "no normaliser": (Rules(normaliser=False), ("linear",)),
    "gates not clipped": (Rules(clip=False), ("delta",)),
    "nothing is erased": (Rules(erases=False), ("delta",)),
    "of equals the later block": (Rules(earlier_of_equals=False), ("sparse",)),
    "the own block complete": (Rules(whole_own_block=True), ("sparse",)),
    "the own block closed": (Rules(opens_own_block=True), ("sparse",)),
    "no summaries": (Rules(summaries=False), ("sparse",)),
    "MLPs side by side": (Rules(mlps_in_parallel=True), ANY),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_evaluator_with_one_rule_changed_disagrees(name: str) -> None:
    rules, kinds = BROKEN[name]
    for kind, seed in CASES:
        model, prompts, _ = case(kind, seed)
        if kind not in kinds or sum(len(layer.heads) for layer in model.layers) > 5:
            continue  # many heads are slow, and the small ones tell enough
        # Other numbers may push a score above the shift: room is made for both evaluators.
        model = with_enough_bits(with_fitting_shifts(model, prompts, rules), prompts, rules)
        found = fractions_of(run(model, batch(prompts)))
        assert found == naive_logits(model, prompts)
        if found != naive_logits(model, prompts, rules):
            return
    raise AssertionError("no model notices")


def test_the_random_models_are_not_all_alike() -> None:
    models = [case(MIXED, seed)[0] for seed in range(80)]
    layers = [layer for model in models for layer in model.layers]
    heads = [head for layer in layers for head in layer.heads]
    assert {len(layer.heads) for layer in layers} == {0, 1, 2, 3}
    assert {len(layer.mlps) for layer in layers} == {0, 1, 2}
    assert {layer.letter for layer in layers} >= {"", "F", "R", "S", "[FR]", "[FS]", "[RS]"}
    assert {len(model.layers) for model in models} == {1, 2, 3}
    assert {model.causal for model in models} == {True, False}
    assert {type(model.positions).__name__ for model in models} == {"Stored", "Declared"}
    for part in [*HEAD_TYPES.values(), MLP]:
        owners = [found for found in (*heads, *(mlp for layer in layers for mlp in layer.mlps)) if type(found) is part]
        for name in part.MATRICES:
            assert {getattr(owner, name).is_integral for owner in owners} == {True, False}, (part, name)
    assert {getattr(head, "normalised", None) for head in heads} == {True, False, None}
    sparse = [head for head in heads if isinstance(head, SparseHead)]
    assert ({head.block for head in sparse}, {head.opened for head in sparse}) == ({1, 2, 3}, {0, 1, 2})
    tables = [table for model in models for table in (model.positions, model.tokens) if isinstance(table, Declared)]
    assert {part.mirror for table in tables for part in table.segments} >= {None, 3, 5}
    assert {model.positions.height - len(prompts[0]) for model, prompts, _ in map(case, [MIXED] * 40, SEEDS)} == {
        0,
        1,
        2,
    }
    assert {model.precision.score_bits for model in models} == {0, 1, 3, 8, 20, 45, 70}
    assert {model.precision.fraction_bits for model in models} == {0, 1, 2, 5}


def test_attention_is_shared_among_keys() -> None:
    found = [case(kind, seed) for kind, seed in CASES if kind in ("full", "sparse")]
    weights = [evaluate(document_of(model), prompts[0]).weights for model, prompts, _ in found]
    shared = [sum(weight > 0 for weight in row.values()) > 1 for heads_of in weights for row in heads_of.values()]
    assert sum(shared) > len(shared) / 3, "most heads of most models see one key only"
