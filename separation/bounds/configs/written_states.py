"""The numbers that a recurrence keeps, from the fields of a config.json; and numbers that contradict each other."""

from __future__ import annotations

from collections.abc import Callable

from separation.bounds.configs.architecture import Mixer
from separation.bounds.configs.fields import ALONE, Fields
from separation.files import InputError


def delta_net(fields: Fields) -> Mixer:
    """H_v·d_k·d_v numbers, and k − 1 tokens of the convolution over 2·H_k·d_k + H_v·d_v channels."""
    keys, values = fields.integer("linear_num_key_heads"), fields.integer("linear_num_value_heads")
    key_dim, value_dim = fields.integer("linear_key_head_dim"), fields.integer("linear_value_head_dim")
    kernel = fields.integer("linear_conv_kernel_dim")
    buffer = (kernel - 1) * (2 * keys * key_dim + values * value_dim)
    numbers = values * key_dim * value_dim
    return Mixer("recurrence", "gated delta net", values, value_dim, numbers, buffer, kernel=kernel)


def _delta_attention(heads: int, dim: int, kernel: int) -> Mixer:
    """H·d² numbers, and k − 1 tokens of the convolution over 3·H·d channels."""
    buffer = (kernel - 1) * 3 * heads * dim
    return Mixer("recurrence", "delta attention", heads, dim, heads * dim**2, buffer, kernel=kernel)


def kimi_delta(fields: Fields) -> Mixer:
    inner = fields.inner("linear_attn_config")
    return _delta_attention(
        inner.integer("num_heads"), inner.integer("head_dim"), inner.integer("short_conv_kernel_size")
    )


def bailing_delta(fields: Fields) -> Mixer:
    heads, dim = fields.integer("num_attention_heads"), fields.integer("head_dim")
    return _delta_attention(heads, dim, fields.integer("short_conv_kernel_size"))


def lightning(fields: Fields) -> Mixer:
    """H·d² numbers."""
    heads, dim = fields.integer("num_attention_heads"), fields.integer("head_dim")
    return Mixer("recurrence", "lightning attention", heads, dim, heads * dim**2)


def mamba(fields: Fields) -> Mixer:
    """E·d_state numbers, and d_conv − 1 tokens of the convolution over E channels, E = expand·width."""
    inner, kernel = fields.integer("mamba_expand") * fields.integer("hidden_size"), fields.integer("mamba_d_conv")
    numbers = inner * fields.integer("mamba_d_state")
    return Mixer("recurrence", "mamba", 1, inner, numbers, (kernel - 1) * inner, kernel=kernel)


def _mamba2(heads: str, head_dim: str, state: str, kernel: str, groups: str) -> Callable[[Fields], Mixer]:
    """E·d_state numbers, and k − 1 tokens of the convolution over E + 2·groups·d_state channels, E = H·d."""

    def mixer(fields: Fields) -> Mixer:
        count, dim, size = fields.integer(heads), fields.integer(head_dim), fields.integer(state)
        width, inner = fields.integer(kernel), fields.integer(heads) * fields.integer(head_dim)
        buffer = (width - 1) * (inner + 2 * fields.integer(groups) * size)
        return Mixer("recurrence", "mamba-2", count, dim, inner * size, buffer, kernel=width)

    return mixer


def zamba_mamba2(fields: Fields) -> Mixer:
    """Mamba-2 with E = expand·width."""
    inner, size = fields.integer("mamba_expand") * fields.integer("hidden_size"), fields.integer("mamba_d_state")
    heads, kernel = fields.integer("n_mamba_heads"), fields.integer("mamba_d_conv")
    buffer = (kernel - 1) * (inner + 2 * fields.integer("mamba_ngroups") * size)
    return Mixer("recurrence", "mamba-2", heads, -(-inner // heads), inner * size, buffer, kernel=kernel)


def rg_lru(fields: Fields) -> Mixer:
    """lru_width numbers, and conv1d_width − 1 tokens of the convolution over lru_width channels."""
    width, kernel = fields.integer("lru_width"), fields.integer("conv1d_width")
    return Mixer("recurrence", "RG-LRU", 1, width, width, (kernel - 1) * width, kernel=kernel)


def short_convolution(fields: Fields) -> Mixer:
    """conv_L_cache − 1 tokens of the channels of the stream."""
    width, kernel = fields.integer("hidden_size"), fields.integer("conv_L_cache")
    return Mixer("convolution", "short convolution", 1, width, 0, (kernel - 1) * width, kernel=kernel)


def require_no_contradiction(fields: Fields) -> None:
    """Numbers that say one thing twice say the same: what is built of others, if anything, its class alone knows."""
    number = {name: value for name, value in fields.values.items() if type(value) is int}

    def require(holds: bool, said: str) -> None:
        if not holds:
            raise InputError(f"config: {said}; {ALONE}")

    for name in ("head_dim", "attention_head_dim", "qk_rope_head_dim"):  # positions turn pairs of numbers
        require(number.get(name, 0) % 2 == 0, f"{name} is {number.get(name)}, which is odd")
    inner, heads = number.get("mamba_expand", 0) * number.get("hidden_size", 0), number.get("n_mamba_heads", 1)
    require(heads == 0 or inner % heads == 0, f"n_mamba_heads {heads} does not divide {inner}")
    if {"attn_layer_period", "attn_layer_offset"} <= set(number):
        period, offset = number["attn_layer_period"], number["attn_layer_offset"]
        require(offset < period, f"attn_layer_offset {offset} is not below attn_layer_period {period}")
    if {"mamba_n_heads", "mamba_d_head", "mamba_expand", "hidden_size"} <= set(number):
        inner = number.get("mamba_d_ssm", number["mamba_expand"] * number["hidden_size"])
        heads, dim = number["mamba_n_heads"], number["mamba_d_head"]
        require(heads * dim == inner, f"mamba_n_heads·mamba_d_head is {heads}·{dim}, not {inner}")
    listed = fields.values.get("layers_block_type")
    if isinstance(listed, list) and "num_hidden_layers" in number:
        count = number["num_hidden_layers"]
        require(len(listed) == count, f"layers_block_type has {len(listed)} entries for {count} layers")


MAMBA2 = _mamba2("mamba_n_heads", "mamba_d_head", "mamba_d_state", "mamba_d_conv", "mamba_n_groups")
NEMOTRON_MAMBA2 = _mamba2("mamba_num_heads", "mamba_head_dim", "ssm_state_size", "conv_kernel", "n_groups")
