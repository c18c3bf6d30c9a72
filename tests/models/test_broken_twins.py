"""Twins that differ in one rule disagree with run() on some model: the models tell the rules apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import pytest
from dense_models import dense_model
from naive_model import AboveShift, Rules, TooLarge, evaluate, floor_exp, round_up
from naive_recurrences import INPUTS
from random_models import (
    Prompts,
    batch,
    document_of,
    fractions_of,
    naive_logits,
    random_model,
    unfitted_model,
)

from separation.arithmetic import PrecisionOverflow
from separation.models import HEAD_TYPES, MLP, Declared, Model, SparseHead, run
from separation.recurrences import FAMILIES, TWINS

ROUNDED = ("full", "sparse", "linear")
BROKEN: dict[str, tuple[Rules, tuple[str, ...]]] = {
    "rounded up": (Rules(rounding=round_up), ROUNDED),
    "not rounded": (Rules(rounding=lambda number, step: number), ROUNDED),  # noqa: ARG005
    "does not see itself": (Rules(sees=lambda i, j: j < i), ("full",)),
    "sees the future": (Rules(sees=lambda i, j: True), ("full",)),  # noqa: ARG005
    "sees nothing behind it": (Rules(sees=lambda i, j: j <= i), ("full",)),
    "weights rounded up": (
        Rules(weight=lambda power, x: 2**power if x == 0 else floor_exp(power, x) + 1),
        ("full", "sparse"),
    ),
    "base 2": (Rules(weight=lambda power, x: math.floor(2.0 ** (power + x))), ("full", "sparse")),
    "no ReLU": (Rules(relu=False), tuple(HEAD_TYPES)),
    "0/0 = 1": (Rules(empty=Fraction(1)), ROUNDED),
    "features without ReLU": (Rules(feature_relu=False), ("linear",)),
    "no normaliser": (Rules(normaliser=False), ("linear",)),
    "gates not clipped": (Rules(clip=False), ("delta", "product")),
    "nothing is erased": (Rules(erases=False), ("delta", "product")),
    "of equals the later block": (Rules(earlier_of_equals=False), ("sparse",)),
    "the own block complete": (Rules(whole_own_block=True), ("sparse",)),
    "the own block closed": (Rules(opens_own_block=True), ("sparse",)),
    "no summaries": (Rules(summaries=False), ("sparse",)),
    "MLPs side by side": (Rules(mlps_in_parallel=True), tuple(HEAD_TYPES)),
}
BROKEN_RECURRENCES: dict[str, tuple[Rules, set[str]]] = {
    "rounded up": (Rules(rounding=round_up), set(FAMILIES)),
    "states not rounded": (Rules(state_rounded=False), set(FAMILIES) - {"linear-normalised"}),
    "outputs not rounded": (Rules(output_rounded=False), set(FAMILIES) - {"rnn"}),
    "inputs not clipped": (
        Rules(clip=False),
        {family for family, kinds in INPUTS.items() if any(domain for _, _, domain in kinds)},
    ),
    "weights rounded up": (Rules(weight=lambda power, x: floor_exp(power, x) + 1), {"sliding-window"}),
    "0/0 = 1": (Rules(empty=Fraction(1)), {"linear-normalised"}),
}


def unnoticed(rules: dict[str, Rules], models: Iterable[tuple[Model, Prompts]]) -> set[str]:
    """The rules that no model tells from the true ones, in one pass over the models."""
    left = dict(rules)
    for model, prompts in models:
        if not left:
            break
        found = fractions_of(run(model, batch(prompts)))
        assert found == naive_logits(model, prompts)
        for name, changed in list(left.items()):
            try:
                if naive_logits(model, prompts, changed) != found:
                    del left[name]
            except (AboveShift, TooLarge):  # no numbers to compare: this model does not count
                continue
    return set(left)


@pytest.mark.parametrize("kind", HEAD_TYPES)
def test_an_evaluator_with_one_rule_changed_disagrees(kind: str) -> None:
    rules = {name: changed for name, (changed, kinds) in BROKEN.items() if kind in kinds}
    assert not unnoticed(rules, (random_model(seed, kinds=(kind,)) for seed in range(134, 194)))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_recurrence_with_one_rule_changed_disagrees(family: str) -> None:
    rules = {name: changed for name, (changed, families) in BROKEN_RECURRENCES.items() if family in families}
    models = (dense_model("R", [family], seed, tokens=5, fraction=2) for seed in range(40))
    assert not unnoticed(rules, models)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_broken_family_disagrees(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of each family, which differs in one rule, gives other outputs than the naive evaluator."""
    for seed in range(8):
        model, prompts = dense_model("R", [family], seed)
        wanted = naive_logits(model, prompts)
        monkeypatch.setitem(FAMILIES, family, TWINS[family])  # type: ignore[arg-type]
        try:
            if fractions_of(run(model, batch(prompts))) != wanted:
                return
        except PrecisionOverflow:
            return
        finally:
            monkeypatch.undo()
    raise AssertionError("no model notices")


def test_the_random_models_are_not_all_alike() -> None:
    cases = [unfitted_model(seed) for seed in range(80)]
    models = [model for model, _ in cases]
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
    assert {model.positions.height - len(prompts[0]) for model, prompts in cases} == {0, 1, 2}
    assert {model.precision.score_bits for model in models} == {0, 1, 3, 8, 20, 45, 70}
    assert {model.precision.fraction_bits for model in models} == {0, 1, 2, 5}


def test_attention_is_shared_among_keys() -> None:
    found = [random_model(seed, kinds=(kind,)) for kind in ("full", "sparse") for seed in range(100, 110)]
    weights = [evaluate(document_of(model), prompts[0]).weights for model, prompts in found]
    shared = [sum(weight > 0 for weight in row.values()) > 1 for heads_of in weights for row in heads_of.values()]
    assert sum(shared) > len(shared) / 3, "most heads of most models see one key only"
