"""Why MiniMax cannot hold C2's recurrent layer: the equation that its lightning attention obeys, whatever the weights.

y_w = q_w·Σ_t λ^(n−1−t)·k_tᵀ·v_t with k_t, v_t functions of the token and λ fixed by the number of the head: no token
can close a gate. So exchanging the last table entry, one place in front of z_0, moves y_w by exactly λ times what the
same exchange does at z_0. C2 wants the first to be 0 and the second not; and λ ≥ e^-1.00002.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch

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


def test_no_head_of_any_layer_forgets() -> None:
    slowest = [lightning(heads, layer).slope_rate.max() for heads in (1, 2, 16, 64) for layer in range(3)]
    assert max(slowest) <= 1.00002
    assert min(math.exp(-float(slope)) for slope in slowest) >= math.exp(-1.00002) > 0.3678
