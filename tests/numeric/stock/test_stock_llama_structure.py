"""Tensors of the stock Llama that are not as the bound assumes have no certificate, and real inputs show why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

from llama_models import Array, symptoms

from constructions.stock.llama import TARGET
from constructions.stock.llama.plan import LlamaPlan
from constructions.stock.llama.structure import first_fault
from separation.numeric.stock_folder import Checkpoint
from separation.tasks.funccomp import Sizes


def _without_fastest(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    """The queries lose a frequency: neighbours can hardly be told apart."""
    tensors["self_attn.q_proj"][[0, plan.head_dim // 2]] = 0


def _without_slowest(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    """The queries lose a frequency: positions a full turn of the next one apart can hardly be told apart."""
    slowest = plan.rotary.used - 1
    tensors["self_attn.q_proj"][[slowest, slowest + plan.head_dim // 2]] = 0


def _old_pointer_kept(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    tensors["mlp.down_proj"][:, plan.hidden["old pointer"]] = 0


def _found_kept(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    tensors["mlp.down_proj"][:, plan.hidden["old found"]] = 0


def _second_head_off(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    tensors["self_attn.o_proj"][:, plan.head_dim :] = 0


def _half_a_product(plan: LlamaPlan, tensors: dict[str, Array]) -> None:
    """silu(x)·y alone, without −silu(−x)·y."""
    tensors["mlp.down_proj"][:, plan.hidden["product"][1::2]] = 0


ASKED = "layer 1: a query is not τ·a_j times the pointer, or `last`"
KEPT = "layer 1: digit 0 does not turn a hop to its place in table 1"
TWINS: list[tuple[Sizes, Callable[[LlamaPlan, dict[str, Array]], None], set[str], str]] = [
    (Sizes(8, (8, 2)), _without_fastest, {"logit", "pointer"}, ASKED),
    (Sizes(300, ()), _without_slowest, {"answer", "logit", "pointer"}, ASKED),
    (Sizes(8, (8, 2)), _old_pointer_kept, {"answer", "logit", "pointer"}, KEPT),
    (Sizes(8, (8, 2)), _found_kept, {"answer", "logit", "pointer"}, KEPT),
    (Sizes(8, (8, 2)), _second_head_off, {"logit", "pointer"}, "layer 1: the difference of the heads is not written"),
    (Sizes(8, (8, 2)), _half_a_product, {"logit", "pointer"}, "layer 1: units do not come in pairs"),
]


@pytest.mark.parametrize(("sizes", "broken", "shown", "fault"), TWINS)
def test_broken_twins_show_and_are_refused(
    sizes: Sizes, broken: Callable[[LlamaPlan, dict[str, Array]], None], shown: set[str], fault: str
) -> None:
    plan = LlamaPlan(sizes)
    checkpoint = TARGET.checkpoint(plan)
    tensors = {name: tensor.copy() for name, tensor in checkpoint.tensors.items()}
    for step in range(plan.sizes.L + 1):
        prefix = f"model.layers.{step}."
        names = [name for name in tensors if name.startswith(prefix)]
        broken(plan, {name.removeprefix(prefix).removesuffix(".weight"): tensors[name] for name in names})
    assert symptoms(plan, checkpoint) == set()
    assert symptoms(plan, replace(checkpoint, tensors=tensors)) == shown
    assert first_fault(plan, checkpoint) is None
    certificate = TARGET.certify(replace(checkpoint, tensors=tensors), "float32")
    assert (certificate.ok, certificate.bound, certificate.reason) == (False, None, fault)


def _one_number(name: str, row: int, column: int) -> Callable[[Checkpoint], Checkpoint]:
    """One weight is off by a thousandth."""

    def change(checkpoint: Checkpoint) -> Checkpoint:
        tensor = checkpoint.tensors[name].copy()
        tensor[row, column] += 1e-3
        return replace(checkpoint, tensors={**checkpoint.tensors, name: tensor})

    return change


def _swapped(one: int, other: int) -> Callable[[Checkpoint], Checkpoint]:
    """Two token ids change places."""

    def change(checkpoint: Checkpoint) -> Checkpoint:
        rows = checkpoint.tensors["model.embed_tokens.weight"].copy()
        rows[[one, other]] = rows[[other, one]]
        return replace(checkpoint, tensors={**checkpoint.tensors, "model.embed_tokens.weight": rows})

    return change


def _without(name: str) -> Callable[[Checkpoint], Checkpoint]:
    """One tensor is not there."""

    def change(checkpoint: Checkpoint) -> Checkpoint:
        return replace(checkpoint, tensors={other: each for other, each in checkpoint.tensors.items() if other != name})

    return change


FAULTS: list[tuple[Callable[[Checkpoint], Checkpoint], str]] = [
    (_one_number("model.embed_tokens.weight", 1, 0), "`one` is not its power of two"),
    (_one_number("model.embed_tokens.weight", 1, 1), "an embedding writes to a slot that is not its own"),
    (_one_number("model.embed_tokens.weight", 1, 2), "two rows differ in norm"),
    (_swapped(0, 1), "a value is not its code"),
    (_one_number("lm_head.weight", 0, 5), "a logit does not compare `found` with the code of its value"),
    (_one_number("model.layers.1.self_attn.k_proj.weight", 0, 0), "layer 2: a key is not the same on every row"),
    (_one_number("model.layers.1.self_attn.v_proj.weight", 0, 0), "layer 2: a head does not read values"),
    (_one_number("model.layers.2.mlp.down_proj.weight", 0, 0), "layer 3: the last MLP is not idle"),
    (_one_number("model.layers.2.mlp.gate_proj.weight", 0, 0), "layer 3: the last MLP is not idle"),
    (_one_number("model.embed_tokens.weight", 1, 3), "a value is not its code"),
    (_one_number("model.embed_tokens.weight", -1, 1), "w does not start by looking at z_0"),
    (_without("model.norm.weight"), "a tensor is missing or left over"),
    (
        _one_number("model.layers.0.mlp.up_proj.weight", 0, 0),
        "layer 1: units do not come in pairs",
    ),
    (_swapped(-1, -2), "layer 2: digit 1 does not turn a hop to its place in table 2"),
    (
        lambda good: replace(good, config={**good.config, "hidden_act": "gelu"}),
        "hidden_act of the config is not that of the construction",
    ),
]


@pytest.mark.parametrize(("change", "fault"), FAULTS)
def test_a_changed_checkpoint_is_refused(change: Callable[[Checkpoint], Checkpoint], fault: str) -> None:
    sizes = Sizes(3, (3,))
    assert first_fault(LlamaPlan(sizes), TARGET.build(sizes)) is None
    assert TARGET.certify(change(TARGET.build(sizes)), "float32").reason == fault


@pytest.mark.parametrize("sizes", [Sizes(3, (3,)), Sizes(3, (30, 2))], ids=str)
def test_a_number_that_is_off_by_one_unit_is_refused(sizes: Sizes) -> None:
    """Every tensor, three of its numbers moved to the next float32."""
    checkpoint, random = TARGET.build(sizes), np.random.default_rng(0)
    for name, tensor in checkpoint.tensors.items():
        for place in random.integers(tensor.size, size=3):
            other = tensor.copy()
            other.flat[place] = np.nextafter(other.flat[place], np.float32(np.inf))
            changed = replace(checkpoint, tensors={**checkpoint.tensors, name: other})
            assert first_fault(LlamaPlan(sizes), changed) is not None, (name, place)
