"""A config.json through its own config class: what is left out is what the class takes for it. Nothing is downloaded.

Fields that say where code or weights come from, or how a model is run, never reach the class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from separation.architectures.families import NOT_READ, READ, WRAPPERS
from separation.architectures.library import taken
from separation.bounds.configs import MAX_LAYERS, MAX_VALUE, config_object, require_causal, text_part
from separation.files import InputError
from separation.tasks.checks import shown

DROPPED = frozenset(
    (
        *("auto_map", "architectures", "quantization_config", "name_or_path", "transformers_version", "model_type"),
        *("dtype", "torch_dtype", "attn_implementation", "experts_implementation", "trust_remote_code", "use_kernels"),
        *("kernel_config", "compression_config", "output_attentions", "output_hidden_states", "return_dict"),
        *("_name_or_path", "_commit_hash", "_attn_implementation", "_experts_implementation", "_from_model_config"),
        *("_attn_implementation_autoset", "_attn_implementation_internal", "_experts_implementation_internal"),
        *("_sliding_window_pattern", "_flash_attn_2_enabled", "_pre_quantization_dtype"),
    )
)
"""Not of the architecture: where code and weights come from, how it is run, and what a class writes down of itself."""

OLDER = frozenset(
    (
        *("rope_theta", "rope_scaling", "partial_rotary_factor", "rope_local_base_freq", "rotary_dim"),
        *("rotary_emb_base", "rotary_pct", "head_dim", "attention_head_dim", "num_hidden_layers", "n_embed"),
        *("hybrid_override_pattern", "full_attention_interval", "linear_attn_config", "attn_type_list"),
        *("sliding_window", "sliding_window_pattern", "sliding_window_size", "first_k_dense_replace", "block_ff_dim"),
        *("num_experts", "num_experts_per_token", "mamba_chunk_size", "mamba_conv_bias", "mamba_d_conv"),
        *("mamba_dt_init_floor", "mamba_dt_limit", "mamba_dt_max", "mamba_dt_min", "mamba_expand", "mamba_n_groups"),
        *("tie_embedding", "tie_word_embeddings", "is_causal", "layers_block_type"),
    )
)
"""Names that classes do not declare and still read: those of older files, and those that their modules ask for."""

COUNTED = ("experts", "heads", "blocks", "groups")
LAYERS = ("n_layer", "num_blocks")
MAX_COUNT = 1 << 16


def resolved_config(transformers: Any, document: object) -> Any:
    """The config object of the text model that a parsed config.json describes."""
    outer = config_object(document)
    require_causal(outer)
    model_type, inner = outer["model_type"], text_part(outer)
    if model_type not in transformers.CONFIG_MAPPING:
        raise InputError(f"config: transformers {transformers.__version__} has no model {shown(model_type)}")
    if model_type not in WRAPPERS:
        if inner is not None:
            raise InputError(f"config: text_config is there; it is read inside {', '.join(WRAPPERS)} alone")
        return _of_class(transformers, model_type, outer)
    values: dict[str, Any] = {name: value for name, value in outer.items() if not name.endswith("_config")}
    text = {}
    if inner is not None:
        text = {"text_config": _allowed(inner, _text_class(transformers, model_type, inner)) | _type_of(inner)}
    config = _of_class(transformers, model_type, values | text, WRAPPERS)
    return _known(transformers, config.get_text_config())


def _text_class(transformers: Any, wrapper: str, inner: Mapping[str, Any]) -> Any:
    """The class of the text model inside another: the one it names, or the one that the outer class takes for it."""
    named = inner.get("model_type")
    if isinstance(named, str) and named in transformers.CONFIG_MAPPING:
        return transformers.CONFIG_MAPPING[named]
    usual = transformers.CONFIG_MAPPING[wrapper].sub_configs.get("text_config")
    return usual if dataclasses.is_dataclass(usual) else transformers.PretrainedConfig


def _type_of(inner: Mapping[str, Any]) -> dict[str, Any]:
    return {"model_type": inner["model_type"]} if "model_type" in inner else {}


def _of_class(transformers: Any, model_type: str, values: Mapping[str, Any], also: tuple[str, ...] = ()) -> Any:
    if model_type not in READ and model_type not in also:
        raise InputError(_why_not(transformers, model_type))
    config_class = transformers.CONFIG_MAPPING[model_type]
    allowed = _allowed(values, config_class)
    return taken(lambda: config_class(**allowed))


def _known(transformers: Any, config: Any) -> Any:
    if config.model_type not in READ:
        raise InputError(_why_not(transformers, config.model_type))
    return config


def _why_not(transformers: Any, model_type: str) -> str:
    reason = NOT_READ.get(
        model_type, "its modules have not been looked at; docs/bounds.md lists the types that are read"
    )
    return f"config: model_type {shown(model_type)} of transformers {transformers.__version__} is not read: {reason}"


def _allowed(values: Mapping[str, Any], config_class: Any) -> dict[str, Any]:
    """The fields that may reach the class: those that it declares and the older names that it reads, and no others.

    None that loads anything, none private, none that hides the class's machinery. What nobody reads is left out.
    """
    declared = {entry.name for entry in dataclasses.fields(config_class)}
    read = declared | set(config_class.attribute_map) | OLDER
    allowed = {}
    for name, value in values.items():
        if name in DROPPED:
            continue
        if name.startswith("_") or not name.isidentifier():
            raise InputError(f"config: the field {shown(name)} is private to its class and is not read")
        if name == "per_layer_config" and value is not None:
            raise InputError("config: per_layer_config is there; layers that differ one by one are not read")
        machinery = getattr(config_class, name, None)
        if name not in declared and machinery is not None and not isinstance(machinery, property):
            raise InputError(f"config: the field {shown(name)} has the name of a part of its class and is not read")
        if name == "text_config" or name in read:
            _require_bounded(name, value)
            allowed[name] = value
    return allowed


def _require_bounded(name: str, value: object) -> None:
    """Numbers stay within what can be counted: a module is made for each layer, expert or head."""
    if type(value) is int and abs(value) > MAX_VALUE:
        raise InputError(f"config: {name} is {shown(value)}; at most {MAX_VALUE} is read")
    if type(value) is int and (name.endswith("layers") or name in LAYERS) and value > MAX_LAYERS:
        raise InputError(f"config: {name} is {value}; at most {MAX_LAYERS} layers are read")
    if type(value) is int and any(part in name for part in COUNTED) and value > MAX_COUNT:
        raise InputError(f"config: {name} is {value}; at most {MAX_COUNT} are read")
    if isinstance(value, list | str) and len(value) > MAX_LAYERS:
        raise InputError(f"config: {name} has {len(value)} entries; at most {MAX_LAYERS} are read")
    if isinstance(value, Mapping):
        for inner, entry in value.items():
            _require_bounded(f"{name}.{inner}", entry)
