"""A config.json read without transformers: nothing is assumed, so every field that matters must be written out.

What a class of transformers takes for a missing field is known to that class alone: such a file is refused, with the
name of the field. The formulas here are compared with the modules of the classes in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from separation.architectures.architecture import ArchitectureReading, Layer, Mixer
from separation.architectures.fields import (
    ALONE,
    Fields,
    config_object,
    is_index,
    is_size,
    or_null,
    precision,
    require_causal,
    require_padding,
    require_understood,
    several,
    text_part,
)
from separation.architectures.file_states import (
    bailing_delta,
    delta_net,
    kimi_delta,
    lightning,
    mamba,
    mamba2,
    nemotron_mamba2,
    no_recurrence,
    rg_lru,
    short_convolution,
    zamba_mamba,
    zamba_mamba2,
)
from separation.files import InputError
from separation.tasks.checks import shown

SOURCE = "the file alone"
WRAPPERS = {"gemma3": "gemma3_text", "qwen3_5": "qwen3_5_text"}


@dataclass(frozen=True)
class Family:
    """Which kind each layer has, and its attention and recurrence, from fields that must be there.

    Kinds: "full", "window", "linear" (a recurrence alone), "beside" and "after" (attention and a recurrence), "none".
    ``equal`` are fields that the class takes one value for, which is computed here; ``unread`` those that the class
    writes down and, next to the fields that are read here, does not follow, with the values that it takes; ``padding``
    the token that pads if none is named. Many classes refuse heads that do not divide the ``width``, whatever the
    dimension of a head.
    """

    kinds: Callable[[Fields], list[str]]
    dim: Callable[[Fields], int]
    recurrence: Callable[[Fields], Mixer] = no_recurrence
    heads: str = "num_attention_heads"
    width: str = "hidden_size"
    window: str = "sliding_window"
    equal: Mapping[str, Callable[[Fields], object]] = field(default_factory=dict)
    unread: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict)
    padding: int = 0


def read_fields(document: object, score_bits: int | None = None) -> ArchitectureReading:
    """The model that a parsed config.json describes by itself; P is p unless it is given.

    Every field must be one that is read here, with a value that is understood, or one that no layer depends on.
    """
    outer = config_object(document)
    require_causal(outer)
    bits, where = precision(outer)
    model_type, values = _text_model(outer)
    family = FAMILIES.get(model_type)
    if family is None:
        known = ", ".join(sorted(FAMILIES))
        raise InputError(f"config: model_type {shown(model_type)} is not read by itself, only {known}; {ALONE}")
    fields = Fields(values)
    layers = [_layer(family, fields, kind, model_type) for kind in family.kinds(fields)]
    for name in ("head_dim", "attention_head_dim", "qk_rope_head_dim"):  # positions turn pairs of numbers
        if type(values.get(name)) is int and values[name] % 2:
            raise InputError(f"config: {name} is {values[name]}, which is odd; {ALONE}")
    for name, value in family.equal.items():
        if name in values and values[name] != value(fields):
            raise InputError(f"config: {name} is {shown(values[name])}, not {value(fields)}; {ALONE}")
    require_understood(values, {*fields.asked, *family.equal, "pad_token_id"}, family.unread)
    require_padding(values, family.padding)
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
    require_understood({name: value for name, value in outer.items() if not name.endswith("_config")})
    return expected, inner


def _layer(family: Family, fields: Fields, kind: str, model_type: str) -> Layer:
    if kind == "none":
        return Layer(())
    if kind == "linear":
        return Layer(((family.recurrence(fields),),))
    attention = _attention(family, fields, kind == "window", model_type)
    if kind in ("full", "window"):
        return Layer(((attention,),))
    recurrence = family.recurrence(fields)
    return Layer(((attention, recurrence),) if kind == "beside" else ((attention,), (recurrence,)))


def _attention(family: Family, fields: Fields, windowed: bool, model_type: str) -> Mixer:
    heads, dim = fields.integer(family.heads), family.dim(fields)
    if family.width:
        fields.quotient(family.width, family.heads)
    shared = fields.integer("num_key_value_heads") if "num_key_value_heads" in fields.values else 0
    if shared > heads:
        raise InputError(f"config: num_key_value_heads is {shared}, more than the heads, {heads}; {ALONE}")
    if not windowed:
        return Mixer("full", model_type, heads, dim)
    window = fields.integer(family.window)
    return Mixer("window", model_type, heads, dim, window * 2 * fields.integer("num_key_value_heads") * dim, 0, window)


# --- the kinds of the layers ---


def _listed(name: str, understood: Mapping[str, str], *, counted: bool = True) -> Callable[[Fields], list[str]]:
    """A list of names with one entry a layer; a name that is not understood may be anything to the class."""

    def kinds(fields: Fields) -> list[str]:
        names = fields.names(name)
        if (counted or fields.has("num_hidden_layers")) and len(names) != fields.layers():
            raise InputError(f"config: {name} has {len(names)} entries for {fields.layers()} layers")
        unknown = next((entry for entry in names if entry not in understood), None)
        if unknown is not None:
            known = ", ".join(understood)
            raise InputError(f"config: {name} has a layer {shown(unknown)}; understood are {known}; {ALONE}")
        return [understood[entry] for entry in names]

    return kinds


_LISTED_WINDOWS = _listed("layer_types", {"full_attention": "full", "sliding_attention": "window"})


def _windows(fields: Fields) -> list[str]:
    """Full layers and windows; the width of a window that no layer has is of no concern."""
    kinds = _LISTED_WINDOWS(fields)
    if "window" not in kinds and fields.has("sliding_window"):
        fields.integer("sliding_window")
    return kinds


def _switched_window(fields: Fields) -> list[str]:
    """Qwen's list of layers: its windows are there if use_sliding_window is true."""
    kinds = _windows(fields)
    asked = "window" in kinds or "use_sliding_window" in fields.values
    if asked and not fields.flag("use_sliding_window") and "window" in kinds:
        raise InputError(f"config: layer_types has a window and use_sliding_window is False; {ALONE}")
    return kinds


def _all(kind: str, count: str = "num_hidden_layers") -> Callable[[Fields], list[str]]:
    return lambda fields: [kind] * fields.layers(count)


def _one_window(fields: Fields) -> list[str]:
    """All layers look at a window unless it is null."""
    return ["full" if fields.written("sliding_window") is None else "window"] * fields.layers()


def _period(fields: Fields, of: str) -> tuple[int, int]:
    period, offset = fields.integer(f"{of}_layer_period"), fields.integer(f"{of}_layer_offset", least=0)
    if offset >= period:
        raise InputError(f"config: {of}_layer_offset {offset} is not below {of}_layer_period {period}; {ALONE}")
    return period, offset


def _jamba_layers(fields: Fields) -> list[str]:
    period, offset = _period(fields, "attn")
    if fields.has("expert_layer_period") or fields.has("expert_layer_offset"):
        _period(fields, "expert")
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
    """In the third layer attention comes before Mamba; the period is counted from the fourth."""
    period, offset = _period(fields, "attn")
    if fields.layers() < 3:
        raise InputError(f"config: num_hidden_layers is {fields.layers()}; Zamba has 3 or more; {ALONE}")
    rest = ["after" if layer % period == offset else "linear" for layer in range(fields.layers() - 3)]
    if "after" not in rest:
        raise InputError(f"config: attention stands in the third of {fields.layers()} layers alone; {ALONE}")
    return ["linear", "linear", "after", *rest]


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
    """These classes have no number of their own for a head: head_dim if it is there, else the width over the heads."""
    if "head_dim" in fields.values:
        return _head_dim(fields)
    return fields.quotient("hidden_size", "num_attention_heads")


def _double_width(fields: Fields) -> int:
    """Zamba-2's attention reads the stream and the embedding: twice the width over the heads, whatever is written."""
    return 2 * fields.integer("hidden_size") // fields.integer("num_attention_heads")


def _zamba_dim(fields: Fields) -> int:
    return fields.integer("attention_head_dim") if fields.has("attention_head_dim") else _double_width(fields)


_LINEAR_OR_FULL = _listed("layer_types", {"full_attention": "full", "linear_attention": "linear"})
_MAMBA_OR_FULL = {"full_attention": "full", "attention": "full", "linear_attention": "linear", "mamba": "linear"}
_QWEN_UNREAD = {"full_attention_interval": is_size, "hidden_size": is_size}
_ZAMBA2_UNREAD = ("kv_channels", "mamba_headdim", "num_query_groups")
_ZAMBA_EQUAL = {"attention_hidden_size": lambda fields: 2 * fields.integer("hidden_size")}
FAMILIES: dict[str, Family] = {
    "llama": Family(_all("full"), _head_dim_or_quotient),
    "gemma": Family(_all("full"), _head_dim),
    "gpt2": Family(
        _all("full", "n_layer"), lambda fields: fields.quotient("n_embd", "n_head"), heads="n_head", width="n_embd"
    ),
    **dict.fromkeys(("mistral", "mixtral"), Family(_one_window, _head_dim_or_quotient)),
    "qwen2": Family(_switched_window, _head_dim_or_quotient, unread={"max_window_layers": is_index}),
    "qwen3": Family(_switched_window, _head_dim, unread={"max_window_layers": is_index}),
    **dict.fromkeys(("gemma2", "gemma3_text", "gpt_oss"), Family(_windows, _head_dim)),
    **dict.fromkeys(
        ("qwen3_next", "qwen3_5_text"),
        Family(_LINEAR_OR_FULL, _head_dim, delta_net, width="", unread=_QWEN_UNREAD),
    ),
    "olmo_hybrid": Family(_LINEAR_OR_FULL, _head_dim_or_quotient, delta_net, padding=100277),
    "minimax": Family(_LINEAR_OR_FULL, _head_dim, lightning, equal={"sliding_window": lambda _: None}),
    "kimi_linear": Family(_kimi_layers, _value_dim, kimi_delta, padding=163839),
    "bailing_hybrid": Family(_bailing_layers, _value_dim, bailing_delta, padding=156892),
    "zamba": Family(_zamba_layers, _zamba_dim, zamba_mamba, equal=_ZAMBA_EQUAL),
    "jamba": Family(_jamba_layers, _head_dim_or_quotient, mamba),
    "bamba": Family(_bamba_layers, _head_dim_or_quotient, mamba2),
    "granitemoehybrid": Family(_listed("layer_types", _MAMBA_OR_FULL), _head_dim_or_quotient, mamba2),
    "falcon_h1": Family(_all("beside"), _head_dim, mamba2),
    "zamba2": Family(
        _listed("layers_block_type", {"mamba": "linear", "linear_attention": "linear", "hybrid": "after"}),
        _double_width,
        zamba_mamba2,
        equal=_ZAMBA_EQUAL | {"attention_head_dim": _double_width},
        unread={"hybrid_layer_ids": several(is_index), **dict.fromkeys(_ZAMBA2_UNREAD, is_size)},
    ),
    "recurrent_gemma": Family(_griffin_layers, _head_dim, rg_lru, window="attention_window_size"),
    "lfm2": Family(
        _listed("layer_types", {"full_attention": "full", "conv": "linear"}),
        _head_dim_or_quotient,
        short_convolution,
        unread={"full_attn_idxs": or_null(several(is_index))},
    ),
    "nemotron_h": Family(
        _listed("layers_block_type", _MAMBA_OR_FULL | {"mlp": "none", "moe": "none"}, counted=False),
        _head_dim,
        nemotron_mamba2,
        equal={"sliding_window": lambda _: None},
    ),
}

# Types whose every head has keys and values of its own, so that the file has no field for their number.
ALL_HEADS = {"gpt2": "n_head"}


def cached_numbers(document: Mapping[str, Any], reading: ArchitectureReading) -> int | None:
    """Numbers that all full layers together keep of one token; None if the file does not say how many a layer keeps.

    2·(KV heads)·d for each full layer, d the dimension of its heads; kv_lora_rank + qk_rope_head_dim where keys and
    values are compressed together (multi-head latent attention). Windows keep a constant number: they are states.
    """
    full = [mixer for layer in reading.layers for mixer in layer.mixers if mixer.kind == "full"]
    if not full:
        return 0
    fields = Fields(text_part(document) or document)
    if fields.has("kv_lora_rank"):
        return len(full) * (fields.integer("kv_lora_rank") + fields.integer("qk_rope_head_dim", least=0))
    name = ALL_HEADS.get(reading.model_type, "num_key_value_heads")
    if not fields.has(name):
        return None
    heads = fields.integer(name)
    return sum(2 * heads * mixer.dim for mixer in full)
