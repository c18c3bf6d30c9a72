"""C1 inside the stock Llama: every answer right, errors within the bound, and each broken part noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

from llama_models import Array, pointer_errors, symptoms

from constructions.stock.llama import TARGET
from constructions.stock.llama.bound import certify_plan
from constructions.stock.llama.plan import LlamaPlan
from separation.tasks.funccomp import Sizes


@pytest.mark.parametrize("sizes", [Sizes(16, (16,)), Sizes(5, (1, 3)), Sizes(2, (2,) * 5)], ids=str)
def test_pointers_stay_within_the_bound(sizes: Sizes) -> None:
    plan = LlamaPlan(sizes)
    pointers = zip(pointer_errors(plan, TARGET.checkpoint(plan)), certify_plan(plan, "float32").layers[1:], strict=True)
    assert all(off <= layer["pointer"] for off, layer in pointers)


def test_epsilon_is_divided_out() -> None:
    sizes = Sizes(4, (4,))
    heeded = TARGET.checkpoint(LlamaPlan(sizes, epsilon=1e4))
    ignored = replace(TARGET.build(sizes), config=heeded.config)
    assert symptoms(LlamaPlan(sizes, epsilon=1e4), heeded) == set()
    assert "answer" in symptoms(LlamaPlan(sizes), ignored)


class Blunt(LlamaPlan):
    """A part of the temperature."""

    def __init__(self, sizes: Sizes, part: Fraction) -> None:
        super().__init__(sizes)
        self.part = part

    @property
    def temperature(self) -> Fraction:
        return super().temperature * self.part


def test_a_look_that_is_not_sharp_is_refused_and_wrong() -> None:
    sizes = Sizes(16, (16,))
    blunt = Blunt(sizes, Fraction(1, 100))
    assert "answer" in symptoms(LlamaPlan(sizes), TARGET.checkpoint(blunt))
    certificate = certify_plan(blunt, "float32")
    assert not certificate.ok
    assert certificate.reason == "a softmax is not known to be sharp, layer 1"


def test_half_the_gap_is_still_sharp_in_float32_but_not_in_bfloat16() -> None:
    """The room of 128 nats is there for bfloat16; float32 has no use for it, and its certificate knows."""
    half = Blunt(Sizes(8, (8,)), Fraction(1, 2))
    assert symptoms(LlamaPlan(half.sizes), TARGET.checkpoint(half)) == set()
    assert certify_plan(half, "float32").ok
    assert TARGET.certify(TARGET.build(half.sizes), "bfloat16").ok
    assert not certify_plan(half, "bfloat16").ok


class Light(LlamaPlan):
    """1 in the slot `one`: the norm of a row is that of its codes."""

    @property
    def ballast(self) -> int:
        return 1


def test_without_ballast_the_bound_grows_with_depth() -> None:
    sizes = Sizes(2, (2,) * 9)
    assert certify_plan(LlamaPlan(sizes), "float32").ok
    light = certify_plan(Light(sizes), "float32")
    assert not light.ok
    assert all(2 * before["found"] < after["found"] for before, after in pairwise(light.layers[2:]))


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


TWINS: list[tuple[Sizes, Callable[[LlamaPlan, dict[str, Array]], None], set[str]]] = [
    (Sizes(8, (8, 2)), _without_fastest, {"logit", "pointer"}),
    (Sizes(300, ()), _without_slowest, {"answer", "logit", "pointer"}),
    (Sizes(8, (8, 2)), _old_pointer_kept, {"answer", "logit", "pointer"}),
    (Sizes(8, (8, 2)), _found_kept, {"answer", "logit", "pointer"}),
    (Sizes(8, (8, 2)), _second_head_off, {"logit", "pointer"}),
    (Sizes(8, (8, 2)), _half_a_product, {"logit", "pointer"}),
]


@pytest.mark.parametrize(("sizes", "broken", "shown"), TWINS)
def test_broken_twins_show_and_are_refused(
    sizes: Sizes, broken: Callable[[LlamaPlan, dict[str, Array]], None], shown: set[str]
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
    assert not TARGET.certify(replace(checkpoint, tensors=tensors), "float32").ok
