"""The numbers that a recurrence keeps, from the fields of a config.json."""

from __future__ import annotations

from separation.architectures.architecture import Mixer
from separation.architectures.fields import ALONE, Fields
from separation.files import InputError


def no_recurrence(_: Fields) -> Mixer:
    raise InputError("config: a family without recurrent layers was asked for one")


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


def _mamba2(heads: int, dim: int, state: int, kernel: int, groups: int) -> Mixer:
    """E·d_state numbers, and k − 1 tokens of the convolution over E + 2·groups·d_state channels, E = H·d."""
    buffer = (kernel - 1) * (heads * dim + 2 * groups * state)
    return Mixer("recurrence", "mamba-2", heads, dim, heads * dim * state, buffer, kernel=kernel)


def nemotron_mamba2(fields: Fields) -> Mixer:
    names = ("mamba_num_heads", "mamba_head_dim", "ssm_state_size", "conv_kernel", "n_groups")
    return _mamba2(*map(fields.integer, names))


def _zamba_width(fields: Fields) -> int:
    """E = expand·width, which the heads divide."""
    inner, heads = fields.integer("mamba_expand") * fields.integer("hidden_size"), fields.integer("n_mamba_heads")
    if inner % heads:
        raise InputError(f"config: n_mamba_heads {heads} does not divide {inner}; {ALONE}")
    return inner


def zamba_mamba(fields: Fields) -> Mixer:
    """Mamba in heads, each with its own share of E."""
    _zamba_width(fields)
    return mamba(fields)


def mamba2(fields: Fields) -> Mixer:
    """Mamba-2 by its heads, whose widths together are E: mamba_d_ssm if it is there, else expand·width."""
    heads, dim = fields.integer("mamba_n_heads"), fields.integer("mamba_d_head")
    inner = fields.integer("mamba_expand") * fields.integer("hidden_size")
    if fields.has("mamba_d_ssm"):
        inner = fields.integer("mamba_d_ssm")
    if heads * dim != inner:
        raise InputError(f"config: mamba_n_heads·mamba_d_head is {heads}·{dim}, not {inner}; {ALONE}")
    return _mamba2(heads, dim, *map(fields.integer, ("mamba_d_state", "mamba_d_conv", "mamba_n_groups")))


def zamba_mamba2(fields: Fields) -> Mixer:
    """Mamba-2 with E = expand·width."""
    inner, heads = _zamba_width(fields), fields.integer("n_mamba_heads")
    return _mamba2(heads, inner // heads, *map(fields.integer, ("mamba_d_state", "mamba_d_conv", "mamba_ngroups")))


def rg_lru(fields: Fields) -> Mixer:
    """lru_width numbers, and conv1d_width − 1 tokens of the convolution over lru_width channels."""
    width, kernel = fields.integer("lru_width"), fields.integer("conv1d_width")
    return Mixer("recurrence", "RG-LRU", 1, width, width, (kernel - 1) * width, kernel=kernel)


def short_convolution(fields: Fields) -> Mixer:
    """conv_L_cache − 1 tokens of the channels of the stream."""
    width, kernel = fields.integer("hidden_size"), fields.integer("conv_L_cache")
    return Mixer("convolution", "short convolution", 1, width, 0, (kernel - 1) * width, kernel=kernel)
