"""A small configuration of every model type that is read: four layers, so that every kind of layer is there."""

from __future__ import annotations

from typing import Any

from separation.architectures.resolved import READ

WINDOW = 5
KERNEL = 3
COMMON: dict[str, Any] = {
    "vocab_size": 32,
    "hidden_size": 24,
    "intermediate_size": 32,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
HEAD = {"head_dim": 6}
EXPERTS = {"num_experts_per_tok": 1, "moe_intermediate_size": 8, "first_k_dense_replace": 1}
LOCAL = EXPERTS | {"num_local_experts": 2}
ROUTED = EXPERTS | {"n_routed_experts": 2, "n_shared_experts": 1, "n_group": 1, "topk_group": 1}
NUMBERED = EXPERTS | {"num_experts": 2}
SLIDING = {"sliding_window": WINDOW}
TYPES = SLIDING | {"layer_types": ["sliding_attention", "full_attention"] * 2}
MAMBA2 = {"mamba_n_heads": 6, "mamba_d_head": 8, "mamba_n_groups": 2, "mamba_d_state": 5, "mamba_d_conv": KERNEL}
MAMBA2 |= {"mamba_expand": 2, "mamba_chunk_size": 8}
DELTA = {"linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 5, "linear_value_head_dim": 7}
DELTA |= {"linear_conv_kernel_dim": KERNEL}
LATENT = {"kv_lora_rank": 8, "q_lora_rank": 8, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 10}
LATENT |= {"num_key_value_heads": 4}
OPT = {"n_embd": 24, "n_layer": 4, "n_head": 4, "n_positions": 64, "n_ctx": 64, "rotary_dim": 4}
SHARED_EXPERT = {"shared_expert_intermediate_size": 8}
EXTRA: dict[str, dict[str, Any]] = {
    "afmoe": HEAD | NUMBERED | TYPES | {"num_dense_layers": 1, "n_group": 1, "topk_group": 1},
    "bailing_hybrid": LATENT
    | NUMBERED
    | HEAD
    | {"layer_group_size": 2, "short_conv_kernel_size": KERNEL}
    | {"num_local_experts": 2, "n_group": 1, "topk_group": 1},
    "bamba": MAMBA2 | {"attn_layer_indices": [1]},
    "bloom": {"n_layer": 4, "n_head": 4},
    "codegen": OPT,
    "cohere2": TYPES,
    "cwm": TYPES | HEAD,
    "deepseek_v2": LATENT | ROUTED,
    "deepseek_v3": LATENT | ROUTED,
    "dots1": HEAD | ROUTED | TYPES,
    "ernie4_5": HEAD,
    "ernie4_5_moe": {"moe_num_experts": 2, "moe_k": 1, "moe_intermediate_size": 8, "moe_layer_start_index": 1},
    "exaone4": TYPES,
    "falcon": {"new_decoder_architecture": True, "num_kv_heads": 2, "ffn_hidden_size": 32},
    "falcon_h1": MAMBA2 | HEAD | {"mamba_d_ssm": 48},
    "falcon_mamba": {"state_size": 5, "conv_kernel": KERNEL, "time_step_rank": 4},
    "flex_olmo": NUMBERED,
    "gemma": HEAD,
    "gemma2": TYPES | HEAD,
    "gemma3_text": TYPES | HEAD,
    "glm": HEAD,
    "glm4": HEAD,
    "glm4_moe": HEAD | ROUTED,
    "glm4_moe_lite": LATENT | ROUTED,
    "gpt2": OPT,
    "gpt_bigcode": OPT,
    "llama4_text": HEAD
    | LOCAL
    | {"attention_chunk_size": WINDOW, "no_rope_layer_interval": 2, "interleave_moe_layer_step": 2}
    | {"intermediate_size_mlp": 32},
    "gpt_oss": TYPES | HEAD | LOCAL,
    "gptj": OPT,
    "granitemoe": LOCAL,
    "granitemoehybrid": MAMBA2
    | LOCAL
    | {"shared_intermediate_size": 8}
    | {"layer_types": ["mamba", "attention", "mamba", "mamba"]},
    "granitemoeshared": LOCAL | {"shared_intermediate_size": 8},
    "helium": HEAD,
    "hunyuan_v1_dense": HEAD,
    "jamba": NUMBERED
    | {"attn_layer_period": 4, "attn_layer_offset": 2, "mamba_d_state": 5, "mamba_d_conv": KERNEL}
    | {"mamba_expand": 2, "mamba_dt_rank": 4},
    "kimi_linear": LATENT
    | NUMBERED
    | {"linear_attn_config": {"num_heads": 3, "head_dim": 6, "short_conv_kernel_size": KERNEL}}
    | {"layer_types": ["linear_attention"] * 3 + ["full_attention"], "q_lora_rank": None},
    "lfm2": {"conv_L_cache": KERNEL, "layer_types": ["conv", "conv", "full_attention", "conv"]},
    "lfm2_moe": {"conv_L_cache": KERNEL, "layer_types": ["conv", "conv", "full_attention", "conv"], "num_experts": 2}
    | {"num_experts_per_tok": 1, "moe_intermediate_size": 8, "num_dense_layers": 1},
    "mamba": {"state_size": 5, "conv_kernel": KERNEL, "time_step_rank": 4},
    "mamba2": {"state_size": 5, "conv_kernel": KERNEL, "num_heads": 6, "head_dim": 8, "n_groups": 2, "chunk_size": 8},
    "mimo_v2_flash": HEAD
    | ROUTED
    | TYPES
    | {"v_head_dim": 10, "swa_num_attention_heads": 4, "swa_head_dim": 6}
    | {"swa_num_key_value_heads": 2, "swa_v_head_dim": 10},
    "minimax": HEAD | LOCAL | {"layer_types": ["linear_attention", "full_attention"] * 2, "block_size": 8},
    "minimax_m2": HEAD | LOCAL,
    "ministral": HEAD | TYPES,
    "ministral3": HEAD | SLIDING,
    "mistral": HEAD | SLIDING,
    "mixtral": LOCAL | SLIDING,
    "nemotron": HEAD,
    "nemotron_h": HEAD
    | ROUTED
    | {"mamba_num_heads": 6, "mamba_head_dim": 8, "n_groups": 2, "ssm_state_size": 5, "conv_kernel": KERNEL}
    | {"layers_block_type": ["mamba", "mlp", "attention", "moe"], "chunk_size": 8, "expand": 2}
    | {"moe_shared_expert_intermediate_size": 8},
    "olmo3": TYPES,
    "olmo_hybrid": DELTA,
    "olmoe": NUMBERED,
    "persimmon": {"hidden_size": 32},
    "phi": {"hidden_size": 32},
    "phi3": SLIDING,
    "phimoe": LOCAL | SLIDING,
    "qwen2": TYPES | {"use_sliding_window": True},
    "qwen2_moe": NUMBERED | SHARED_EXPERT | TYPES | {"use_sliding_window": True},
    "qwen3": HEAD | TYPES | {"use_sliding_window": True},
    "qwen3_5_moe_text": HEAD | NUMBERED | SHARED_EXPERT | DELTA,
    "qwen3_5_text": HEAD | DELTA,
    "qwen3_moe": HEAD | NUMBERED | SLIDING | {"use_sliding_window": True},
    "qwen3_next": HEAD | NUMBERED | SHARED_EXPERT | DELTA,
    "recurrent_gemma": HEAD
    | {"lru_width": 20, "conv1d_width": KERNEL, "attention_window_size": WINDOW}
    | {"block_types": ["recurrent", "recurrent", "attention"]},
    "seed_oss": HEAD,
    "starcoder2": SLIDING,
    "vaultgemma": TYPES | HEAD,
    "xlstm": {"hidden_size": 128, "num_heads": 2, "num_blocks": 4, "qk_dim_factor": 0.5, "v_dim_factor": 1.0},
    "zamba": {
        "num_hidden_layers": 8,
        "attn_layer_period": 3,
        "attn_layer_offset": 1,
        "mamba_d_state": 5,
        "mamba_d_conv": KERNEL,
    }
    | {"mamba_expand": 2, "mamba_dt_rank": 4, "n_mamba_heads": 2, "num_key_value_heads": 4}
    | {"attention_hidden_size": 48, "attention_head_dim": 12},
    "zamba2": {"layers_block_type": ["mamba", "hybrid"] * 2, "mamba_d_state": 5, "mamba_d_conv": KERNEL}
    | {"mamba_expand": 2, "mamba_ngroups": 2, "n_mamba_heads": 6, "num_mem_blocks": 1, "chunk_size": 8}
    | {"adapter_rank": 4, "num_key_value_heads": 4},
}
TINY: dict[str, dict[str, Any]] = {name: {"model_type": name, **COMMON, **EXTRA.get(name, {})} for name in READ}
