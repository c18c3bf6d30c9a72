"""Why MiniMax cannot hold C2's recurrent layer: the equation that its lightning attention obeys, whatever the weights.

y_w = q_w·Σ_t λ^(n−1−t)·k_tᵀ·v_t with k_t, v_t functions of the token and λ fixed by the number of the head: no token
can close a gate. So exchanging the last table entry, one place in front of z_0, moves y_w by exactly λ times what the
same exchange does at z_0. C2 wants the first to be 0 and the second not; and λ ≥ e^-1.00002.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from hybrid_runs import TARGETS, asked, stock

from constructions.stock.kit.hybrid_plan import HybridPlan
from separation.numeric.stock_models import plain_torch
from separation.tasks.funccomp import Instance, Sizes

Tensor = Any
WIDTH, TOKENS = 16, 9
LAST_ENTRY, FIRST_VALUE = -3, -2  # the last entry of table 1, and z_0


def lightning(heads: int, layer: int = 0, layers: int = 3) -> Any:
    """The stock module, with stock random weights."""
    from transformers import MiniMaxConfig
    from transformers.models.minimax.modeling_minimax import MiniMaxLightningAttention

    config = MiniMaxConfig(
        hidden_size=WIDTH,
        num_attention_heads=heads,
        head_dim=2,
        num_hidden_layers=layers,
        block_size=4,
        layer_types=["linear_attention"] * layers,
    )
    torch.manual_seed(heads)
    return MiniMaxLightningAttention(config, layer).double().eval()


def states_at_last(module: Any, rows: Tensor) -> Tensor:
    """(heads, 2): y_w in front of the norm."""
    seen: list[Tensor] = []
    hook = module.norm.register_forward_hook(lambda _module, inputs, _output: seen.append(inputs[0][0, -1]))
    with torch.no_grad():
        module(rows[None], position_embeddings=None, attention_mask=None)
    hook.remove()
    return seen[0].reshape(module.num_attention_heads, -1)


def exchange(module: Any, place: int, seed: int) -> Tensor:
    """How y_w moves when one row is exchanged by another; rows before it hold the same as in any other exchange."""
    random = torch.Generator().manual_seed(seed)
    rows = torch.randn(TOKENS, WIDTH, generator=random, dtype=torch.float64)
    rows[LAST_ENTRY] = rows[FIRST_VALUE]
    other = rows.clone()
    other[place] = torch.randn(WIDTH, generator=random, dtype=torch.float64)
    return states_at_last(module, other) - states_at_last(module, rows)


@pytest.mark.parametrize("heads", [1, 4, 16])
def test_who_sees_z0_sees_the_last_table_entry(heads: int) -> None:
    module = lightning(heads)
    decay = (-module.slope_rate.double()).exp().reshape(heads, 1)
    for seed in range(5):
        at_z0, at_entry = exchange(module, FIRST_VALUE, seed), exchange(module, LAST_ENTRY, seed)
        assert at_z0.abs().max() > 1e-3
        # decays are stored in float32
        assert torch.allclose(at_entry, decay * at_z0, rtol=1e-6, atol=1e-12)


def test_z0_outweighs_all_else_from_16_heads_on() -> None:
    """Not what C2 does, but why this equation alone does not keep MiniMax from the task: λ + λ² + … < 1 for λ < 1/2."""
    fastest = {heads: math.exp(-float(lightning(heads).slope_rate.max())) for heads in (15, 16)}
    assert fastest[16] < 0.5 < fastest[15]


def test_no_head_of_any_layer_forgets() -> None:
    slowest = [lightning(heads, layer).slope_rate.max() for heads in (1, 2, 16, 64) for layer in range(3)]
    assert max(slowest) <= 1.00002
    assert min(math.exp(-float(slope)) for slope in slowest) >= math.exp(-1.00002) > 0.3678


@pytest.mark.parametrize("family", list(TARGETS))
def test_gated_delta_rule_sees_z0_alone(family: str) -> None:
    """The other side: with C2's weights the same exchange at the last entry moves the hand-over by nothing at all."""
    sizes = Sizes(5, (2,))
    plan = HybridPlan(sizes)
    start = Instance(sizes, 2, [[0, 1, 2, 3, 2], list(range(10))], (1,))
    entry = Instance(sizes, 2, [[0, 1, 2, 3, 4], list(range(10))], (1,))
    value = Instance(sizes, 4, [[0, 1, 2, 3, 2], list(range(10))], (1,))
    model = stock(family, sizes)
    seen: list[Tensor] = []
    hook = model.model.layers[0].register_forward_hook(lambda _module, _inputs, output: seen.append(output[:, -1]))
    with torch.no_grad(), plain_torch(model):
        model(torch.tensor(asked([start, entry, value])[0]))
    hook.remove()
    base, at_entry, at_z0 = (row[list(plan.stream["found 0"])].numpy() for row in seen[0])
    assert (at_entry == base).all()
    assert np.abs(at_z0 - base).max() > 0.1
