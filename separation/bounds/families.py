"""Which layers a family of models has, and how many bits its recurrent layers carry from token to token.

A layer's kind is full, linear, sliding, beside (R heads beside F heads) or after (a full layer, then a recurrent one).
Numbers of a recurrent state count STATE_BITS bits (they are kept in float32), or p if that is more; numbers in the
buffer of a short convolution, keys and values count p bits. A convolution over k tokens keeps the last k − 1 of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from separation.bounds.config_fields import Fields
from separation.files import InputError
from separation.tasks.checks import shown

STATE_BITS = 32

# The names in layer_types, layers_block_type and block_types.
KINDS = {
    "full_attention": "full",
    "attention": "full",
    "linear_attention": "linear",
    "mamba": "linear",
    "recurrent": "linear",
    "sliding_attention": "sliding",
    "hybrid": "hybrid",
}


@dataclass(frozen=True)
class Family:
    """The layers, the state bits of a linear layer, and the value dimension of a full layer's head."""

    kinds: Callable[[Fields], list[str]]
    state: Callable[[Fields], int] | None = None
    value_dim: Callable[[Fields], int] = lambda fields: fields.head_dim
    window: str = "sliding_window"


def sliding_bits(fields: Fields, window: str) -> int:
    """window · 2·(key-value heads)·(head dimension)·p: the keys and values that a window holds."""
    return fields.integer(window) * 2 * fields.key_value_heads * fields.head_dim * fields.bits


def _state_number(fields: Fields) -> int:
    return max(STATE_BITS, fields.bits)


def _delta_net(fields: Fields) -> int:
    """H_v·d_k·d_v numbers, and k − 1 tokens of the convolution over 2·H_k·d_k + H_v·d_v channels."""
    keys = fields.integer("linear_num_key_heads", fields.heads)
    values = fields.integer("linear_num_value_heads", fields.heads)
    key_dim = fields.integer("linear_key_head_dim", 3 * fields.width // (4 * keys))
    value_dim = fields.integer("linear_value_head_dim", 2 * key_dim)
    buffer = (fields.integer("linear_conv_kernel_dim") - 1) * (2 * keys * key_dim + values * value_dim)
    return values * key_dim * value_dim * _state_number(fields) + buffer * fields.bits


def _kimi_delta(fields: Fields) -> int:
    """H·d² numbers, and k − 1 tokens of three convolutions over H·d channels."""
    nested = fields.has("linear_attn_config")
    inner = fields.inner("linear_attn_config") if nested else fields
    heads = inner.integer("num_heads" if nested else "linear_num_heads")
    dim = inner.integer("head_dim" if nested else "linear_head_dim")
    kernel = inner.integer("short_conv_kernel_size" if nested else "linear_conv_kernel_dim")
    return heads * dim * dim * _state_number(fields) + 3 * (kernel - 1) * heads * dim * fields.bits


def _lightning(fields: Fields) -> int:
    """H·d² numbers."""
    return fields.heads * fields.head_dim**2 * _state_number(fields)


def _mamba(fields: Fields) -> int:
    """E·d_state numbers, and d_conv − 1 tokens of the convolution over E channels, E = expand·width."""
    inner = fields.integer("mamba_expand") * fields.width
    buffer = (fields.integer("mamba_d_conv") - 1) * inner
    return inner * fields.integer("mamba_d_state") * _state_number(fields) + buffer * fields.bits


def _mamba2(fields: Fields, inner: int, groups: str) -> int:
    """E·d_state numbers, and d_conv − 1 tokens of the convolution over E + 2·groups·d_state channels."""
    state = fields.integer("mamba_d_state")
    buffer = (fields.integer("mamba_d_conv") - 1) * (inner + 2 * fields.integer(groups) * state)
    return inner * state * _state_number(fields) + buffer * fields.bits


def _mamba2_by_heads(fields: Fields) -> int:
    """E = heads·(head dimension), where "auto" means E = expand·width."""
    automatic = fields.values.get("mamba_d_head") in ("auto", None)
    inner = fields.integer("mamba_expand") * fields.width
    if not automatic:
        inner = fields.integer("mamba_n_heads") * fields.integer("mamba_d_head")
    return _mamba2(fields, inner, "mamba_n_groups")


def _falcon_mamba2(fields: Fields) -> int:
    """E = mamba_d_ssm."""
    inner = fields.integer("mamba_d_ssm", fields.integer("mamba_expand", 2) * fields.width)
    return _mamba2(fields, inner, "mamba_n_groups")


def _zamba_mamba2(fields: Fields) -> int:
    """E = expand·width."""
    return _mamba2(fields, fields.integer("mamba_expand") * fields.width, "mamba_ngroups")


def _rg_lru(fields: Fields) -> int:
    """lru_width numbers, and conv1d_width − 1 tokens of the convolution over as many channels."""
    width = fields.integer("lru_width", fields.width)
    return width * _state_number(fields) + (fields.integer("conv1d_width") - 1) * width * fields.bits


def _listed(fields: Fields, name: str) -> list[str]:
    """The kinds that a list of names says, which must have one entry a layer."""
    names = fields.names(name)
    if len(names) != fields.layers:
        raise InputError(f"config: {name} has {len(names)} entries for {fields.layers} layers")
    unknown = next((entry for entry in names if entry not in KINDS), None)
    if unknown is not None:
        raise InputError(f"config: {name} has a layer {shown(unknown)}; known are {', '.join(KINDS)}")
    return [KINDS[entry] for entry in names]


def _pattern(default: Callable[[Fields], list[str]], hybrid: str = "") -> Callable[[Fields], list[str]]:
    """layer_types or layers_block_type if there is one, else a default."""

    def kinds(fields: Fields) -> list[str]:
        name = next((name for name in ("layer_types", "layers_block_type") if fields.has(name)), None)
        found = default(fields) if name is None else _listed(fields, name)
        if "hybrid" in found and not hybrid:
            raise InputError(f"config: {name} has a layer 'hybrid', which {fields.model_type} does not know")
        return [hybrid if kind == "hybrid" else kind for kind in found]

    return kinds


def _every(period: int | str, otherwise: str, last: int = 4) -> Callable[[Fields], list[str]]:
    """Full attention in each period's last layer; a period by name is a field, with a default."""

    def kinds(fields: Fields) -> list[str]:
        length = period if isinstance(period, int) else fields.integer(period, last)
        return ["full" if (layer + 1) % length == 0 else otherwise for layer in range(fields.layers)]

    return kinds


def _all(kind: str) -> Callable[[Fields], list[str]]:
    return lambda fields: [kind] * fields.layers


def _kimi_layers(fields: Fields) -> list[str]:
    """linear_attn_config.full_attn_layers, counted from 1."""
    full = set(fields.inner("linear_attn_config").integers("full_attn_layers"))
    return ["full" if layer in full else "linear" for layer in range(1, fields.layers + 1)]


def _minimax_layers(fields: Fields) -> list[str]:
    """attn_type_list: 1 is full, 0 is linear."""
    types = fields.integers("attn_type_list")
    if len(types) != fields.layers or not set(types) <= {0, 1}:
        raise InputError(f"config: attn_type_list needs one 0 or 1 for each of {fields.layers} layers")
    return ["full" if kind else "linear" for kind in types]


def _jamba_layers(fields: Fields) -> list[str]:
    period, offset = fields.integer("attn_layer_period"), fields.integer("attn_layer_offset", least=0)
    return ["full" if layer % period == offset else "linear" for layer in range(fields.layers)]


def _bamba_layers(fields: Fields) -> list[str]:
    full = set(fields.integers("attn_layer_indices"))
    return ["full" if layer in full else "linear" for layer in range(fields.layers)]


def _griffin_layers(fields: Fields) -> list[str]:
    """block_types, repeated; its attention looks at a window."""
    names = fields.names("block_types")
    if not names or not set(names) <= {"recurrent", "attention"}:
        raise InputError(f"config: block_types is {shown(names)}; known are recurrent and attention")
    block = ["sliding" if name == "attention" else "linear" for name in names]
    return [block[layer % len(block)] for layer in range(fields.layers)]


def _plain_layers(fields: Fields) -> list[str]:
    """All layers look at a window if there is one, else all are full."""
    return ["sliding" if fields.has("sliding_window") else "full"] * fields.layers


def _qwen_layers(fields: Fields) -> list[str]:
    """With use_sliding_window the layers from max_window_layers on look at a window."""
    if not fields.flag("use_sliding_window") or not fields.has("sliding_window"):
        return ["full"] * fields.layers
    first = fields.integer("max_window_layers", least=0)
    return ["full" if layer < first else "sliding" for layer in range(fields.layers)]


FAMILIES: dict[str, Family] = {
    "qwen3_next": Family(_pattern(_every("full_attention_interval", "linear")), _delta_net),
    "kimi_linear": Family(_pattern(_kimi_layers), _kimi_delta, lambda fields: fields.integer("v_head_dim")),
    "minimax": Family(_pattern(_minimax_layers), _lightning),
    "minimax_text_01": Family(_minimax_layers, _lightning),
    "jamba": Family(_pattern(_jamba_layers), _mamba),
    "bamba": Family(_pattern(_bamba_layers), _mamba2_by_heads),
    "falcon_h1": Family(_all("beside"), _falcon_mamba2),
    "zamba2": Family(
        _pattern(_all("linear"), hybrid="after"),
        _zamba_mamba2,
        lambda fields: fields.integer("attention_head_dim", 2 * fields.width // fields.heads),
    ),
    "olmo_hybrid": Family(_pattern(_every(4, "linear")), _delta_net),
    "granitemoehybrid": Family(_pattern(_all("linear")), _mamba2_by_heads),
    "recurrent_gemma": Family(_griffin_layers, _rg_lru, window="attention_window_size"),
    **dict.fromkeys(("gemma3", "gemma3_text"), Family(_pattern(_every("sliding_window_pattern", "sliding", 6)))),
    "gemma2": Family(_pattern(_every(2, "sliding"))),
    "gpt_oss": Family(_pattern(_every(2, "sliding"))),
    "qwen2": Family(_pattern(_qwen_layers)),
    "qwen3": Family(_pattern(_qwen_layers)),
    "qwen3_moe": Family(_pattern(_qwen_layers)),
    "mistral": Family(_pattern(_plain_layers)),
    "mixtral": Family(_pattern(_plain_layers)),
    **dict.fromkeys(("llama", "gemma", "gpt2", "gpt_neox", "olmo", "olmo2"), Family(_all("full"))),
    "phi3": Family(_plain_layers),
}
