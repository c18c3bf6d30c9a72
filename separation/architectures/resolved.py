"""The model types that are read off their modules, why others are not, and a config.json through its own config class.

What a file leaves out is what the class takes for it. Nothing is downloaded.

Fields that say where code or weights come from, or how a model is run, never reach the class.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from separation.architectures.building import in_one_line
from separation.architectures.fields import (
    MAX_LAYERS,
    MAX_VALUE,
    NOT_OF_THE_ARCHITECTURE,
    config_object,
    require_causal,
    text_part,
)
from separation.files import InputError
from separation.tasks.checks import shown

SOFTMAX = (
    *("afmoe", "apertus", "arcee", "bailing_hybrid", "bamba", "bitnet", "bloom", "codegen", "cohere", "cohere2"),
    *("cwm", "deepseek_v2", "deepseek_v3", "dots1", "ernie4_5", "ernie4_5_moe", "exaone4", "falcon", "falcon_h1"),
    *("flex_olmo", "gemma", "gemma2", "gemma3_text", "glm", "glm4", "glm4_moe", "glm4_moe_lite", "gpt2"),
    *("gpt_bigcode", "gpt_neox", "gpt_oss", "gptj", "granite", "granitemoe", "granitemoehybrid"),
    *(
        "granitemoeshared",
        "helium",
        "hunyuan_v1_dense",
        "jamba",
        "kimi_linear",
        "lfm2",
        "lfm2_moe",
        "llama",
        "llama4_text",
    ),
    *("mimo_v2_flash", "minimax", "minimax_m2", "ministral", "ministral3", "mistral", "mixtral", "nemotron"),
    *("nemotron_h", "olmo", "olmo2", "olmo3", "olmo_hybrid", "olmoe", "persimmon", "phi", "phi3", "phimoe"),
    *("qwen2", "qwen2_moe", "qwen3", "qwen3_5_moe_text", "qwen3_5_text", "qwen3_moe", "qwen3_next"),
    *("recurrent_gemma", "seed_oss", "smollm3", "stablelm", "starcoder2", "vaultgemma", "zamba", "zamba2"),
)
"""Types with softmax attention, each by the class that `attention_class` names."""

RECURRENT = {
    "bailing_hybrid": "BailingHybridDeltaAttention",
    "bamba": "BambaMixer",
    "falcon_h1": "FalconH1Mixer",
    "falcon_mamba": "FalconMambaMixer",
    "granitemoehybrid": "GraniteMoeHybridMambaLayer",
    "jamba": "JambaMambaMixer",
    "kimi_linear": "KimiLinearDeltaAttention",
    "lfm2": "Lfm2ShortConv",
    "lfm2_moe": "Lfm2MoeShortConv",
    "mamba": "MambaMixer",
    "mamba2": "Mamba2Mixer",
    "minimax": "MiniMaxLightningAttention",
    "nemotron_h": "NemotronHMamba2Mixer",
    "olmo_hybrid": "OlmoHybridGatedDeltaNet",
    "qwen3_5_moe_text": "Qwen3_5MoeGatedDeltaNet",
    "qwen3_5_text": "Qwen3_5GatedDeltaNet",
    "qwen3_next": "Qwen3NextGatedDeltaNet",
    "recurrent_gemma": "RecurrentGemmaRecurrentBlock",
    "xlstm": "xLSTMLayer",
    "zamba": "ZambaMambaMixer",
    "zamba2": "Zamba2MambaMixer",
}
"""The recurrence or the short convolution of each type that has one."""

BOTH = {"FalconH1DecoderLayer": "beside", "ZambaHybridLayer": "after", "Zamba2HybridLayer": "after"}
"""Layers with attention and a recurrence. Falcon-H1 adds the outputs of both, which read the same stream: side by side.
Zamba's hybrid layer adds what its shared attention found to the stream that its Mamba then reads: F, then R."""

WRAPPERS = ("gemma3", "llama4", "qwen3_5", "qwen3_5_moe")
"""Types that hold a text model and run it causally on text; what they do with pictures is not read."""

NOT_READ = {
    "axk2": "an indexer chooses the keys",
    "deepseek_v32": "an indexer chooses the keys",
    "deepseek_v4": "keys are compressed and chosen",
    "glm_moe_dsa": "an indexer chooses the keys",
    "hy_v4": "an indexer chooses the keys",
    "hrm_text": "its layers run several times, over a prefix both ways",
    "inkling_text": "short convolutions on keys, values and both outputs",
    "mllama": "cross attention",
    "qwen4_exp": "an indexer chooses the keys, and embeddings of several tokens",
    "qwen4_exp_text": "an indexer chooses the keys, and embeddings of several tokens",
    "glm5_next": "an indexer chooses the keys",
    "rwkv": "the class compiles a kernel while it is built",
    "zaya": "convolutions over queries and keys, and values of the token before",
    "gpt_neo": "its windows are inside its attention, not in the mask",
    "doge": "a mask that depends on the input",
    "diffllama": "differences of two attentions",
    "jetmoe": "heads that are chosen token by token",
    "gemma3n_text": "layers that share the keys of others",
    "gemma4_text": "layers that share the keys of others",
}
"""Types that were looked at and left out, with the reason."""

READ = tuple(sorted({*SOFTMAX, *RECURRENT}))
"""Types that are read off their modules.

A type stands here when a real small model of it was run and compared with its reading (tests/architectures): its
attention calls, its masks and its cache were what was read, and another copy of the model, given the cache of a prompt
and nothing else, went on as if it had seen the prompt. A class that is not named here is refused, whatever its name.
"""

OLDER = frozenset(
    (
        *("rope_theta", "rope_scaling", "partial_rotary_factor", "rope_local_base_freq", "rotary_dim"),
        *("rotary_emb_base", "rotary_pct", "head_dim", "attention_head_dim", "num_hidden_layers", "n_embed"),
        *("hybrid_override_pattern", "full_attention_interval", "linear_attn_config", "attn_type_list"),
        *("sliding_window", "sliding_window_pattern", "sliding_window_size", "first_k_dense_replace", "block_ff_dim"),
        *("num_experts", "num_experts_per_token", "mamba_chunk_size", "mamba_conv_bias", "mamba_d_conv"),
        *("mamba_dt_init_floor", "mamba_dt_limit", "mamba_dt_max", "mamba_dt_min", "mamba_expand", "mamba_n_groups"),
        *("tie_embedding", "tie_word_embeddings", "is_causal", "layers_block_type", "intermediate_size"),
    )
)
"""Names that classes do not declare and still read: those of older files, those that their modules ask for, and one
that Mamba's computes only where a file does not say it."""

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


def attention_class(config: Any) -> str:
    """The name of a type's softmax attention: that of its config class, which ends otherwise."""
    if config.model_type == "llama4_text":  # next to that of its pictures
        return "Llama4TextAttention"
    return type(config).__name__.removesuffix("Config").removesuffix("Text") + "Attention"


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
    return in_one_line(lambda: config_class(**allowed))


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
        if name in NOT_OF_THE_ARCHITECTURE:
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
