"""A config.json read without transformers: nothing is assumed, so every field that matters must be written out.

What a class of transformers takes for a missing field is known to that class alone: such a file is refused, with the
name of the field. The formulas here are compared with the modules of the classes in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from separation.bounds.configs.architecture import ArchitectureReading, Layer, Mixer
from separation.bounds.configs.fields import ALONE, Fields, config_object, precision, require_causal, text_part
from separation.bounds.configs.written_states import (
    MAMBA2,
    NEMOTRON_MAMBA2,
    bailing_delta,
    delta_net,
    kimi_delta,
    lightning,
    mamba,
    require_no_contradiction,
    rg_lru,
    short_convolution,
    zamba_mamba2,
)
from separation.files import InputError
from separation.tasks.checks import shown

SOURCE = "the file alone"
# The names in layer_types, layers_block_type and block_types; older names and those of today.
KINDS = {
    **dict.fromkeys(("full_attention", "attention"), "full"),
    **dict.fromkeys(("linear_attention", "mamba", "recurrent", "conv"), "linear"),
    "sliding_attention": "window",
    "hybrid": "hybrid",
    **dict.fromkeys(("mlp", "moe"), "none"),
}
WRAPPERS = {"gemma3": "gemma3_text", "qwen3_5": "qwen3_5_text"}
# Other names that a class takes for a field that is read here: which of two it would follow, only the class knows.
_GPT2 = ("num_hidden_layers", "num_attention_heads", "hidden_size")
_TYPES_TWICE = ("layer_types", "layers_block_type")
_LINEAR = ("linear_head_dim", "linear_num_heads", "linear_conv_kernel_dim")
_NEMOTRON_H = ("hybrid_override_pattern", "mamba_n_groups", "mamba_d_conv", "layer_types")


@dataclass(frozen=True)
class Written:
    """Which kind each layer has, and its attention and recurrence, from fields that must be there."""

    kinds: Callable[[Fields], list[str]]
    dim: Callable[[Fields], int]
    recurrence: Callable[[Fields], Mixer] | None = None
    hybrid: str = ""
    heads: str = "num_attention_heads"
    window: str = "sliding_window"
    refused: tuple[str, ...] = ()


def read_written_config(document: object, score_bits: int | None = None) -> ArchitectureReading:
    """The model that a parsed config.json describes by itself; P is p unless it is given."""
    outer = config_object(document)
    require_causal(outer)
    bits, where = precision(outer)
    model_type, values = _text_model(outer)
    family = FAMILIES.get(model_type)
    if family is None:
        known = ", ".join(sorted(FAMILIES))
        raise InputError(f"config: model_type {shown(model_type)} is not read by itself, only {known}; {ALONE}")
    fields = Fields(values)
    for name in ("per_layer_config", *family.refused):
        if fields.has(name):
            raise InputError(f"config: {name} is there, which only the class itself can turn into layers; {ALONE}")
    layers = [_layer(family, fields, kind, model_type) for kind in family.kinds(fields)]
    require_no_contradiction(fields)
    sources = {"word": SOURCE, "heads": SOURCE, "states": SOURCE, "bits": where}
    return ArchitectureReading.of_layers(model_type, layers, bits=bits, score_bits=score_bits, sources=sources)


def _text_model(outer: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The type and the fields of the text model: the file itself, or what a known type has in text_config."""
    model_type, inner = outer["model_type"], text_part(outer)
    if model_type not in WRAPPERS:
        if inner is not None:
            raise InputError(f"config: text_config is there, and {shown(model_type)} is not known to have one; {ALONE}")
        return model_type, outer
    expected = WRAPPERS[model_type]
    if inner is None:
        raise InputError(f"config: text_config is missing; {ALONE}")
    if inner.get("model_type", expected) != expected:
        raise InputError(f"config: text_config has model_type {shown(inner['model_type'])}; {expected} is needed")
    return expected, inner


def _layer(family: Written, fields: Fields, kind: str, model_type: str) -> Layer:
    if kind == "none":
        return Layer(())
    if kind == "linear":
        return Layer(((_recurrence(family, fields, model_type),),))
    attention = _attention(family, fields, kind == "window", model_type)
    if kind in ("full", "window"):
        return Layer(((attention,),))
    if not family.hybrid:
        raise InputError(f"config: there is a layer 'hybrid', which {model_type} does not know")
    beside = family.hybrid == "beside"
    recurrence = _recurrence(family, fields, model_type)
    return Layer(((attention, recurrence),) if beside else ((attention,), (recurrence,)))


def _recurrence(family: Written, fields: Fields, model_type: str) -> Mixer:
    if family.recurrence is None:
        raise InputError(f"config: there is a linear layer, which {model_type} does not know")
    return family.recurrence(fields)


def _attention(family: Written, fields: Fields, windowed: bool, model_type: str) -> Mixer:
    heads, dim = fields.integer(family.heads), family.dim(fields)
    if not windowed:
        return Mixer("full", model_type, heads, dim)
    window = fields.integer(family.window)
    return Mixer("window", model_type, heads, dim, window * 2 * fields.integer("num_key_value_heads") * dim, 0, window)


# --- the kinds of the layers ---


def _listed(name: str, counted: bool = True) -> Callable[[Fields], list[str]]:
    """A list of names with one entry a layer."""

    def kinds(fields: Fields) -> list[str]:
        names = fields.names(name)
        if counted and len(names) != fields.layers():
            raise InputError(f"config: {name} has {len(names)} entries for {fields.layers()} layers")
        unknown = next((entry for entry in names if entry not in KINDS), None)
        if unknown is not None:
            raise InputError(f"config: {name} has a layer {shown(unknown)}; known are {', '.join(KINDS)}")
        return [KINDS[entry] for entry in names]

    return kinds


def _all(kind: str, count: str = "num_hidden_layers") -> Callable[[Fields], list[str]]:
    return lambda fields: [kind] * fields.layers(count)


def _one_window(fields: Fields) -> list[str]:
    """All layers look at a window unless it is null."""
    return ["full" if fields.written("sliding_window") is None else "window"] * fields.layers()


def _jamba_layers(fields: Fields) -> list[str]:
    period, offset = fields.integer("attn_layer_period"), fields.integer("attn_layer_offset", least=0)
    return ["full" if layer % period == offset else "linear" for layer in range(fields.layers())]


def _bamba_layers(fields: Fields) -> list[str]:
    full = set(fields.integers("attn_layer_indices"))
    return ["full" if layer in full else "linear" for layer in range(fields.layers())]


def _kimi_layers(fields: Fields) -> list[str]:
    """Two lists of linear_attn_config, counted from 1, that have every layer once."""
    inner, count = fields.inner("linear_attn_config"), fields.layers()
    full, linear = inner.integers("full_attn_layers"), inner.integers("kda_layers")
    if sorted((*full, *linear)) != [*range(1, count + 1)]:
        raise InputError(f"config: full_attn_layers and kda_layers do not have each of {count} layers once")
    return ["full" if layer in set(full) else "linear" for layer in range(1, count + 1)]


def _bailing_layers(fields: Fields) -> list[str]:
    size = fields.integer("layer_group_size")
    return ["linear" if (layer + 1) % size else "full" for layer in range(fields.layers())]


def _zamba_layers(fields: Fields) -> list[str]:
    """The third layer is hybrid; the period is counted from the fourth."""
    period, offset = fields.integer("attn_layer_period"), fields.integer("attn_layer_offset", least=0)
    if fields.layers() < 3:
        raise InputError(f"config: num_hidden_layers is {fields.layers()}; Zamba has 3 or more; {ALONE}")
    rest = ["hybrid" if layer % period == offset else "linear" for layer in range(fields.layers() - 3)]
    return ["linear", "linear", "hybrid", *rest]


def _griffin_layers(fields: Fields) -> list[str]:
    """block_types, repeated; its attention looks at a window."""
    names = fields.names("block_types")
    if not set(names) <= {"recurrent", "attention"}:
        raise InputError(f"config: block_types is {shown(names)}; known are recurrent and attention")
    block = ["window" if name == "attention" else "linear" for name in names]
    return [block[layer % len(block)] for layer in range(fields.layers())]


# --- the dimension of a head ---


def _head_dim(fields: Fields) -> int:
    return fields.integer("head_dim")


def _value_dim(fields: Fields) -> int:
    return fields.integer("v_head_dim")


def _head_dim_or_quotient(fields: Fields) -> int:
    """These classes have no number of their own for a head: head_dim if it is there, else the width over the heads.

    Even with a head_dim their heads must divide the width.
    """
    quotient = fields.quotient("hidden_size", "num_attention_heads")
    return _head_dim(fields) if fields.has("head_dim") else quotient


def _double_width(fields: Fields) -> int:
    """Zamba-2's attention reads the stream and the embedding: twice the width over the heads, whatever is written."""
    return 2 * fields.integer("hidden_size") // fields.integer("num_attention_heads")


def _zamba_dim(fields: Fields) -> int:
    return fields.integer("attention_head_dim") if fields.has("attention_head_dim") else _double_width(fields)


_TYPES = _listed("layer_types")
FAMILIES: dict[str, Written] = {
    "llama": Written(_all("full"), _head_dim_or_quotient),
    "gemma": Written(_all("full"), _head_dim),
    "gpt2": Written(
        _all("full", "n_layer"), lambda fields: fields.quotient("n_embd", "n_head"), heads="n_head", refused=_GPT2
    ),
    "mistral": Written(_one_window, _head_dim_or_quotient),
    "mixtral": Written(_one_window, _head_dim_or_quotient),
    "qwen2": Written(_TYPES, _head_dim_or_quotient),
    "qwen3": Written(_TYPES, _head_dim),
    "gemma2": Written(_TYPES, _head_dim),
    "gemma3_text": Written(_TYPES, _head_dim),
    "gpt_oss": Written(_TYPES, _head_dim),
    **dict.fromkeys(("qwen3_next", "qwen3_5_text"), Written(_TYPES, _head_dim, delta_net)),
    "olmo_hybrid": Written(_TYPES, _head_dim_or_quotient, delta_net),
    "minimax": Written(_TYPES, _head_dim, lightning),
    "kimi_linear": Written(_kimi_layers, _value_dim, kimi_delta, refused=("layer_types", *_LINEAR)),
    "bailing_hybrid": Written(_bailing_layers, _value_dim, bailing_delta, refused=("layer_types", *_LINEAR)),
    "zamba": Written(_zamba_layers, _zamba_dim, mamba, hybrid="after", refused=("head_dim", *_TYPES_TWICE)),
    "jamba": Written(_jamba_layers, _head_dim_or_quotient, mamba, refused=_TYPES_TWICE),
    "bamba": Written(_bamba_layers, _head_dim_or_quotient, MAMBA2, refused=_TYPES_TWICE),
    "granitemoehybrid": Written(_TYPES, _head_dim_or_quotient, MAMBA2, refused=("layers_block_type",)),
    "falcon_h1": Written(_all("hybrid"), _head_dim, MAMBA2, hybrid="beside", refused=_TYPES_TWICE),
    "zamba2": Written(
        _listed("layers_block_type", counted=False),
        _double_width,
        zamba_mamba2,
        hybrid="after",
        refused=("layer_types", "head_dim"),
    ),
    "recurrent_gemma": Written(
        _griffin_layers,
        _head_dim,
        rg_lru,
        window="attention_window_size",
        refused=("sliding_window", *_TYPES_TWICE),
    ),
    "lfm2": Written(_TYPES, _head_dim_or_quotient, short_convolution),
    "nemotron_h": Written(_listed("layers_block_type", counted=False), _head_dim, NEMOTRON_MAMBA2, refused=_NEMOTRON_H),
}
