"""The fields of a Hugging Face config.json, read without defaults: each refusal is one line that names the field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from separation.files import InputError
from separation.tasks.checks import shown

MAX_LAYERS = 4096
MAX_VALUE = 1 << 40
_FLOAT8 = ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz")
DTYPE_BITS = {"float64": 64, "float32": 32, "bfloat16": 16, "float16": 16, **dict.fromkeys(_FLOAT8, 8)}
DEFAULT_DTYPE = "float32"
"""What torch builds a model in when no dtype is named."""

REFUSED_WHEN_TRUE = {
    "is_encoder_decoder": "an encoder and a decoder",
    "add_cross_attention": "cross attention",
    "use_bidirectional_attention": "attention both ways",
}
ALONE = "without transformers every field that matters must be written out; pip install 'separation[stock]'"


def config_object(document: object) -> Mapping[str, Any]:
    """A parsed config.json with a model_type."""
    if not isinstance(document, Mapping):
        raise InputError("config: a JSON object is needed")
    if not isinstance(document.get("model_type"), str):
        raise InputError("config: model_type is missing")
    return document


def text_part(document: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The text model inside another, or None."""
    inner = document.get("text_config")
    if inner is not None and not isinstance(inner, Mapping):
        raise InputError("config: text_config is not an object")
    return inner


def require_causal(document: Mapping[str, Any]) -> None:
    """Refuse, here and in the text model inside, what is not a causal decoder of its own tokens."""
    for values in (document, text_part(document) or {}):
        for name, meaning in REFUSED_WHEN_TRUE.items():
            if values.get(name) not in (None, False):
                raise InputError(
                    f"config: {name} is {shown(values[name])}; {meaning} is not read, only causal decoders"
                )
        if values.get("is_causal") not in (None, True):
            raise InputError(f"config: is_causal is {shown(values['is_causal'])}; only causal decoders are read")


def precision(document: Mapping[str, Any]) -> tuple[int, str]:
    """(p, where it was read): the most bits of dtype and torch_dtype, outside and in the text model; else float32."""
    found = []
    for values in (document, text_part(document) or {}):
        for name in ("dtype", "torch_dtype"):
            value = values.get(name)
            if value is None:
                continue
            if not isinstance(value, str) or value not in DTYPE_BITS:
                raise InputError(f"config: {name} is {shown(value)}; known are {', '.join(DTYPE_BITS)}")
            found.append((DTYPE_BITS[value], f"{name} of the file, {value}"))
    return max(found, default=(DTYPE_BITS[DEFAULT_DTYPE], f"torch's default, {DEFAULT_DTYPE}: the file has no dtype"))


class Fields:
    """The fields of one configuration, none of them assumed; ``asked`` are the names of those that were read."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.values = document
        self.asked: set[str] = set()

    def get(self, name: str) -> Any:
        """A field that may be null or missing."""
        self.asked.add(name)
        return self.values.get(name)

    def has(self, name: str) -> bool:
        return self.get(name) is not None

    def written(self, name: str) -> Any:
        """A field that may be null, but must be there."""
        if name not in self.values:
            raise InputError(f"config: {name} is missing; {ALONE}")
        return self.get(name)

    def flag(self, name: str) -> bool:
        value = self.written(name)
        if type(value) is not bool:
            raise InputError(f"config: {name} is {shown(value)}; true or false is needed")
        return value

    def integer(self, name: str, least: int = 1) -> int:
        """An integer field; null counts as missing."""
        value = self.get(name)
        if value is None:
            raise InputError(f"config: {name} is missing; {ALONE}")
        if type(value) is not int or not least <= value <= MAX_VALUE:
            raise InputError(f"config: {name} is {shown(value)}; an integer from {least} to {MAX_VALUE} is needed")
        return value

    def inner(self, name: str) -> Fields:
        """The fields of an object inside."""
        value = self.written(name)
        if not isinstance(value, Mapping):
            raise InputError(f"config: {name} is {shown(value)}; an object is needed")
        return Fields(value)

    def names(self, name: str) -> list[str]:
        """A list of strings."""
        value = self.written(name)
        if value is None:
            raise InputError(f"config: {name} is missing; {ALONE}")
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of strings is needed")
        if not 1 <= len(value) <= MAX_LAYERS:
            raise InputError(f"config: {name} has {len(value)} entries; from 1 to {MAX_LAYERS} layers are read")
        return value

    def integers(self, name: str) -> list[int]:
        """A list of integers from 0 on."""
        value = self.written(name)
        if not isinstance(value, list) or not all(type(entry) is int and entry >= 0 for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of integers is needed")
        return value

    def layers(self, name: str = "num_hidden_layers") -> int:
        count = self.integer(name)
        if count > MAX_LAYERS:
            raise InputError(f"config: {name} is {count}; at most {MAX_LAYERS} layers are read")
        return count

    def quotient(self, whole: str, parts: str) -> int:
        """One number over another, which must divide it."""
        if self.integer(whole) % self.integer(parts):
            raise InputError(f"config: {parts} {self.integer(parts)} does not divide {whole} {self.integer(whole)}")
        return self.integer(whole) // self.integer(parts)


# --- fields on which no layer's mixers depend, with the values that every class takes ---

NOT_OF_THE_ARCHITECTURE = frozenset(
    (
        *("auto_map", "architectures", "quantization_config", "name_or_path", "transformers_version", "model_type"),
        *("dtype", "torch_dtype", "attn_implementation", "experts_implementation", "trust_remote_code", "use_kernels"),
        *("kernel_config", "compression_config", "output_attentions", "output_hidden_states", "return_dict"),
        *("_name_or_path", "_commit_hash", "_attn_implementation", "_experts_implementation", "_from_model_config"),
        *("_attn_implementation_autoset", "_attn_implementation_internal", "_experts_implementation_internal"),
        *("_sliding_window_pattern", "_flash_attn_2_enabled", "_pre_quantization_dtype"),
    )
)
"""Where code and weights come from, how a model is run, what a class writes down of itself: no class is given them."""

MAX_COUNT = 1 << 20
"""A class makes a module for each expert and each head."""

_FLAGS = (
    *("add_bias_linear", "attention_bias", "block_auto_adjust_ff_dim", "conv_bias", "kda_safe_gate", "mlp_bias"),
    *("linear_allow_neg_eigval", "mamba_conv_bias", "mamba_norm_before_gate", "mamba_proj_bias", "mamba_rms_norm"),
    *("moe_renormalize", "moe_shared_expert_overlap", "norm_topk_prob", "output_router_logits", "projectors_bias"),
    *("reorder_and_upcast_attn", "rescale_prenorm_residual", "residual_in_fp32", "scale_attn_by_inverse_layer_idx"),
    *("scale_attn_weights", "summary_proj_to_labels", "summary_use_proj", "tie_word_embeddings", "use_bias"),
    *("use_associative_scan", "use_cache", "use_conv_bias", "use_long_context", "use_mamba_kernels", "use_mambapy"),
    *("use_mem_eff_path", "use_mem_rope", "use_shared_attention_adapter"),
)
_FLOATS = (
    *("attention_dropout", "attention_in_multiplier", "attention_out_multiplier", "embedding_multiplier"),
    *("initializer_range", "kda_lower_bound", "key_multiplier", "layer_norm_epsilon", "linear_a_log_max"),
    *("linear_a_log_min", "linear_dt_init_floor", "linear_dt_max", "linear_dt_min", "lm_head_multiplier"),
    *("logits_soft_cap", "norm_eps", "rms_norm_eps", "routed_scaling_factor", "router_aux_loss_coef"),
    *("router_jitter_noise", "ssm_in_multiplier", "ssm_out_multiplier", "swiglu_alpha", "swiglu_limit"),
    *("time_step_floor", "time_step_max", "time_step_min", "w_init_variance_scale", "z_loss_coefficient"),
)
_NUMBERS = (
    *("attention_multiplier", "block_ffn_dim_multiplier"),
    *("final_w_init_variance_scale", "full_attn_alpha_factor", "full_attn_beta_factor", "hidden_dropout"),
    *("linear_attn_alpha_factor", "linear_attn_beta_factor", "logits_scaling", "mlp_alpha_factor"),
    *("mlp_beta_factor", "mtp_loss_scaling_factor", "partial_rotary_factor", "residual_multiplier"),
    *("rope_local_base_freq", "rope_theta", "summary_first_dropout"),
)
_SIZES = (
    *("adapter_rank", "block_multiple_of", "block_size", "chunk_size", "decoder_sparse_step", "expand"),
    *("intermediate_size", "kv_lora_rank", "mamba_chunk_size"),
    *("max_position_embeddings", "model_max_length", "moe_intermediate_size", "moe_shared_expert_intermediate_size"),
    *("n_group", "n_positions", "n_routed_experts", "n_shared_experts", "num_expert_group", "num_experts"),
    *("num_experts_per_tok", "num_experts_per_token", "num_key_value_heads", "num_local_experts"),
    *("num_logits_to_keep", "num_mem_blocks", "num_shared_experts", "pretraining_tp", "qk_head_dim"),
    *("qk_nope_head_dim", "qk_rope_head_dim", "query_pre_attn_scalar", "shared_expert_intermediate_size"),
    *("shared_intermediate_size", "topk_group", "vocab_size"),
)
_ACTIVATIONS = (
    *("activation_function", "hidden_act", "hidden_activation", "hidden_mamba_act", "mamba_hidden_act"),
    "mlp_hidden_act",
)
KNOWN_ACTIVATIONS = ("silu", "gelu", "gelu_new", "gelu_pytorch_tanh", "relu", "relu2")
_SCALED = {
    "default": (),
    "linear": ("factor",),
    "yarn": ("factor", "original_max_position_embeddings"),
    "llama3": ("factor", "original_max_position_embeddings", "low_freq_factor", "high_freq_factor"),
}
_TURNED = ("rope_theta", "partial_rotary_factor", "beta_fast", "beta_slow", "attention_factor")


def _number(value: object) -> bool:
    return type(value) in (int, float) and abs(value) <= MAX_VALUE  # type: ignore[arg-type]


def _float(value: object) -> bool:
    return type(value) is float and _number(value)


def is_size(value: object) -> bool:
    return type(value) is int and 1 <= value <= MAX_COUNT


def is_index(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_COUNT


def or_null(understood: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or understood(value)


def _one_of(names: Collection[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str) and value in names


def several(understood: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(understood(entry) for entry in value)


def _turned(value: object) -> bool:
    """Turned positions, by one rule or one for each kind of layer: no mixer keeps more or fewer numbers for them."""
    if not isinstance(value, Mapping):
        return value is None
    if all(isinstance(entry, Mapping) for entry in value.values()):
        return all(_turned(entry) for entry in value.values())
    needed = _SCALED.get(value.get("rope_type", "default"))
    numbers = {name: entry for name, entry in value.items() if name not in ("rope_type", "truncate")}
    return (
        needed is not None
        and set(needed) <= set(numbers) <= {*needed, *_TURNED}
        and all(map(_number, numbers.values()))
    )


UNDERSTOOD: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(NOT_OF_THE_ARCHITECTURE, lambda _: True),
    **dict.fromkeys(REFUSED_WHEN_TRUE, lambda value: value is False),
    "is_causal": lambda value: value is True,
    **dict.fromkeys(_FLAGS, lambda value: type(value) is bool),
    **dict.fromkeys(_FLOATS, _float),
    **dict.fromkeys(_NUMBERS, _number),
    **dict.fromkeys(("attn_pdrop", "embd_pdrop", "resid_pdrop"), lambda value: _number(value) and 0 <= value <= 1),
    **dict.fromkeys(("attn_logit_softcapping", "final_logit_softcapping"), or_null(_float)),
    "mlp_multipliers": lambda value: several(_float)(value) and len(value) == 2,
    "ssm_multipliers": lambda value: several(_float)(value) and len(value) == 5,
    "time_step_limit": lambda value: isinstance(value, list) and [type(entry) for entry in value] == [float, float],
    **dict.fromkeys(_SIZES, is_size),
    **dict.fromkeys(("moe_latent_size", "n_inner", "q_lora_rank"), or_null(is_size)),
    **dict.fromkeys(("chunk_size_feed_forward", "first_k_dense_replace"), is_index),
    **dict.fromkeys(("num_mtp_layers", "num_nextn_predict_layers"), is_index),
    **dict.fromkeys(_ACTIVATIONS, _one_of(KNOWN_ACTIVATIONS)),
    "bos_token_id": or_null(is_index),
    "eos_token_id": lambda value: or_null(is_index)(value) or several(is_index)(value),
    **dict.fromkeys(("rope_parameters", "rope_scaling"), _turned),
    "id2label": lambda value: isinstance(value, Mapping) and all(name.isdecimal() for name in value),
    "label2id": lambda value: isinstance(value, Mapping),
    "mamba_dt_rank": lambda value: value == "auto" or is_size(value),
    "mamba_ssm_cache_dtype": _one_of(DTYPE_BITS),
    "mlp_only_layers": several(is_index),
    "summary_type": lambda value: isinstance(value, str),
    "summary_activation": lambda value: value is None,
    "problem_type": lambda value: value is None,
}


def require_understood(
    values: Mapping[str, Any], read: Collection[str] = (), unread: Mapping[str, Callable[[Any], bool]] | None = None
) -> None:
    """Each field was read or has no say: what any other field, or any other value, means its class alone knows."""
    understood = UNDERSTOOD | dict(unread or {})
    for name, value in values.items():
        if name not in read and not (name in understood and understood[name](value)):
            raise InputError(f"config: {name} is {shown(value)}, which only the class itself can read; {ALONE}")


def require_padding(values: Mapping[str, Any], usual: int) -> None:
    """The token that pads, ``usual`` by default of the class, is one of the vocabulary."""
    pad, size = values.get("pad_token_id", usual), values.get("vocab_size", MAX_COUNT * MAX_COUNT)
    if pad is not None and not (type(pad) is int and 0 <= pad < size):
        raise InputError(f"config: pad_token_id is {shown(pad)}, vocab_size {size}; {ALONE}")
    if pad is not None and "pad_token_id" in values and "vocab_size" not in values:
        raise InputError(f"config: vocab_size is missing, and pad_token_id is {pad}; {ALONE}")
