"""The states that configurations promise, against what tiny models of the installed transformers really keep."""

from __future__ import annotations

from typing import Any

import pytest

from separation.bounds import read_config

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

COMMON = {"vocab_size": 32, "hidden_size": 24, "intermediate_size": 32, "num_hidden_layers": 4}
COMMON |= {"num_attention_heads": 4, "num_key_value_heads": 2, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
EXPERTS = {"num_experts_per_tok": 1, "num_local_experts": 2}
MAMBA2 = {"mamba_n_heads": 6, "mamba_d_head": 8, "mamba_n_groups": 2, "mamba_d_state": 5, "mamba_d_conv": 3}
MAMBA2 |= {"mamba_expand": 2, "mamba_chunk_size": 8}
DELTA = {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 5, "linear_conv_kernel_dim": 3}
DELTA |= {"linear_value_head_dim": 7}
TINY: dict[str, dict[str, Any]] = {
    "qwen3_next": DELTA
    | {"head_dim": 6, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 8}
    | {"shared_expert_intermediate_size": 8},
    "kimi_linear": {"kv_lora_rank": 8, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 6, "num_experts": 2}
    | {"num_experts_per_tok": 1, "moe_intermediate_size": 8, "first_k_dense_replace": 1, "num_key_value_heads": 4}
    | {"linear_attn_config": {"num_heads": 3, "head_dim": 6, "short_conv_kernel_size": 3}}
    | {"layer_types": ["linear_attention"] * 3 + ["full_attention"]},
    "olmo_hybrid": DELTA,
    "minimax": EXPERTS | {"head_dim": 6, "layer_types": ["linear_attention", "full_attention"] * 2},
    "jamba": {"attn_layer_period": 4, "attn_layer_offset": 2, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_expand": 2}
    | {"mamba_dt_rank": 4, "num_experts": 2, "num_experts_per_tok": 1},
    "bamba": MAMBA2 | {"attn_layer_indices": [1]},
    "falcon_h1": MAMBA2 | {"head_dim": 6, "mamba_d_ssm": 48},
    "zamba2": {"layers_block_type": ["mamba", "hybrid"] * 2, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_expand": 2}
    | {"mamba_ngroups": 2, "n_mamba_heads": 6, "mamba_headdim": 8, "num_mem_blocks": 1, "chunk_size": 8}
    | {"adapter_rank": 4, "attention_head_dim": 12},
    "granitemoehybrid": MAMBA2
    | EXPERTS
    | {"layer_types": ["mamba", "attention", "mamba", "mamba"], "shared_intermediate_size": 8},
    "recurrent_gemma": {"head_dim": 6, "lru_width": 20, "conv1d_width": 3, "attention_window_size": 5}
    | {"block_types": ["recurrent", "recurrent", "attention"]},
}
KERNELS = ("short_conv_kernel_size", "linear_conv_kernel_dim", "mamba_d_conv", "conv1d_width")


def kept_states(name: str) -> list[tuple[int, int]]:
    """(numbers of the recurrent state, channels of the convolutions) of each recurrent layer, after nine tokens."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES
    from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

    if name not in CONFIG_MAPPING_NAMES:
        pytest.skip(f"the installed transformers do not know {name}")
    config = getattr(transformers, CONFIG_MAPPING_NAMES[name])(**(COMMON | TINY[name]))
    model = getattr(transformers, MODEL_FOR_CAUSAL_LM_MAPPING_NAMES[name])(config).eval()
    with torch.no_grad():
        cache = getattr(model(torch.arange(9)[None], use_cache=True), "past_key_values", None)
    if name == "recurrent_gemma":  # its layers keep their states themselves
        found = {path: module for path, module in model.named_modules() if hasattr(module, "conv1d_state")}
        return [(block.rg_lru.recurrent_states.numel(), block.conv1d_state.shape[1]) for block in found.values()]
    if name == "minimax":
        states = [state for state in cache.linear_cache if torch.is_tensor(state)]
        return [(state.numel(), 0) for state in states]
    layers = [layer for layer in cache.layers if getattr(layer, "recurrent_states", None)]
    return [(_numel(layer.recurrent_states), _channels(layer.conv_states)) for layer in layers]


def _numel(states: dict[Any, Any]) -> int:
    return sum(state.numel() for state in states.values())


def _channels(states: dict[Any, Any]) -> int:
    return sum(state.shape[1] for state in states.values())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [name if name == "jamba" else pytest.param(name, marks=pytest.mark.slow) for name in TINY]
)
def test_states_are_what_the_model_keeps(name: str) -> None:
    """32 bits for a number of the state, 16 for a channel of a convolution, k − 1 tokens of each channel."""
    document = COMMON | TINY[name]
    document |= document.get("linear_attn_config", {})
    kernel = next((document[field] for field in KERNELS if field in document), 1)
    expected = [numbers * 32 + channels * (kernel - 1) * 16 for numbers, channels in kept_states(name)]
    assert expected
    states = list(read_config(document | {"model_type": name}).states)
    if name == "recurrent_gemma":  # every third layer looks at a window
        states = [bits for layer, bits in enumerate(states) if layer % 3 != 2]
    assert states == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_window_holds_no_more_than_is_charged() -> None:
    """The cache of a window of 5 tokens keeps 4, as the fifth is the query's own; all 5 are charged."""
    document = COMMON | {"head_dim": 6, "sliding_window": 5, "layer_types": ["sliding_attention", "full_attention"] * 2}
    model = transformers.Gemma3ForCausalLM(transformers.Gemma3TextConfig(**document)).eval()
    with torch.no_grad():
        cache = model(torch.arange(9)[None], use_cache=True).past_key_values
    numbers = cache.layers[0].keys.numel() + cache.layers[0].values.numel()
    charged = read_config(document | {"model_type": "gemma3_text"}).states[0]
    assert numbers * 16 <= charged == numbers * 16 * 5 // 4
