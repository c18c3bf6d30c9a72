"""Twins that differ in one rule disagree with run() on some model: the models tell the rules apart."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

import pytest
from naive_model import AboveShift, Rules, TooLarge, floor_exp, round_up
from naive_recurrences import INPUTS
from random_models import (
    Prompts,
    batch,
    fractions_of,
    model_with_a_head,
    naive_logits,
    random_model,
)

from separation.arithmetic import PrecisionOverflow
from separation.models import HEAD_TYPES, Model, run
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
    models = (model_with_a_head(family, seed) for seed in range(40))
    assert not unnoticed(rules, models)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_broken_family_disagrees(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of each family, which differs in one rule, gives other outputs than the naive evaluator."""
    for seed in range(8):
        model, prompts = model_with_a_head(family, seed)
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
