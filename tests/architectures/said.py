"""What a config object of transformers says of its own layers: a table of the tests' own, beside the modules.

Used for sizes at which no model can be run here. The numbers come from attributes of the resolved config object, never
from modules; `layer_types` is the list by which these classes build themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LETTERS = {
    **dict.fromkeys(("full_attention", "attention"), "F"),
    **dict.fromkeys(("linear_attention", "mamba", "conv", "recurrent"), "R"),
    "sliding_attention": "W",
    **dict.fromkeys(("mlp", "moe"), ""),
}


@dataclass(frozen=True)
class Said:
    """F, R, W (a window, which is R too), H (both) for each layer; (H, d) of attention; state bits by the letter."""

    letters: str
    heads: tuple[int, int]
    bits: dict[str, int]


def _quotient(config: Any) -> int:
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def _delta(c: Any, p: int) -> int:
    keys, values = c.linear_num_key_heads * c.linear_key_head_dim, c.linear_num_value_heads * c.linear_value_head_dim
    return values * c.linear_key_head_dim * max(32, p) + (c.linear_conv_kernel_dim - 1) * (2 * keys + values) * p


def _kda(c: Any, p: int) -> int:
    width = c.linear_num_heads * c.linear_head_dim
    return width * c.linear_head_dim * max(32, p) + (c.linear_conv_kernel_dim - 1) * 3 * width * p


def _mamba(c: Any, p: int) -> int:
    inner = c.mamba_expand * c.hidden_size
    return inner * (c.mamba_d_state * max(32, p) + (c.mamba_d_conv - 1) * p)


def _mamba2(inner: int, state: int, groups: int, kernel: int, p: int) -> int:
    return inner * state * max(32, p) + (kernel - 1) * (inner + 2 * groups * state) * p


def _by_heads(c: Any, p: int) -> int:
    return _mamba2(c.mamba_n_heads * c.mamba_d_head, c.mamba_d_state, c.mamba_n_groups, c.mamba_d_conv, p)


STATES: dict[str, Callable[[Any, int], int]] = {
    **dict.fromkeys(("qwen3_next", "qwen3_5_text", "olmo_hybrid"), _delta),
    **dict.fromkeys(("kimi_linear", "bailing_hybrid"), _kda),
    "minimax": lambda c, p: c.num_attention_heads * _quotient(c) ** 2 * max(32, p),
    **dict.fromkeys(("jamba", "zamba"), _mamba),
    **dict.fromkeys(("bamba", "granitemoehybrid"), _by_heads),
    "falcon_h1": lambda c, p: _mamba2(
        c.mamba_d_ssm or c.mamba_expand * c.hidden_size, c.mamba_d_state, c.mamba_n_groups, c.mamba_d_conv, p
    ),
    "zamba2": lambda c, p: _mamba2(c.mamba_expand * c.hidden_size, c.mamba_d_state, c.mamba_ngroups, c.mamba_d_conv, p),
    "nemotron_h": lambda c, p: _mamba2(
        c.mamba_num_heads * c.mamba_head_dim, c.ssm_state_size, c.n_groups, c.conv_kernel, p
    ),
    "recurrent_gemma": lambda c, p: c.lru_width * (max(32, p) + (c.conv1d_width - 1) * p),
    "lfm2": lambda c, p: (c.conv_L_cache - 1) * c.hidden_size * p,
}
DIMS: dict[str, Callable[[Any], int]] = {
    **dict.fromkeys(("kimi_linear", "bailing_hybrid", "deepseek_v3"), lambda c: int(c.v_head_dim)),
    "zamba2": lambda c: 2 * c.hidden_size // c.num_attention_heads,
    "zamba": lambda c: int(c.attention_head_dim),
}


def _letters(config: Any) -> str:
    name = config.model_type
    if name == "falcon_h1":
        return "H" * config.num_hidden_layers
    if name in ("mistral",):
        return ("F" if config.sliding_window is None else "W") * config.num_hidden_layers
    if name in ("llama", "gpt2", "deepseek_v3"):
        return "F" * config.num_hidden_layers
    if name == "recurrent_gemma":
        return "".join("W" if kind == "attention" else "R" for kind in config.layers_block_type)
    types = config.layers_block_type if hasattr(config, "layers_block_type") else config.layer_types
    return "".join("H" if kind == "hybrid" else LETTERS[kind] for kind in types)


def said(config: Any, p: int) -> Said:
    """Of a resolved config object, with p bits a number."""
    name, letters = config.model_type, _letters(config)
    dim = DIMS.get(name, _quotient)(config)
    bits = {"R": STATES[name](config, p)} if name in STATES else {}
    if "W" in letters:
        window = config.attention_window_size if name == "recurrent_gemma" else config.sliding_window
        bits["W"] = window * 2 * config.num_key_value_heads * dim * p
    return Said(letters, (config.num_attention_heads, dim), bits)
