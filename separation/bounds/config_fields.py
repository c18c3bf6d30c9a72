"""Reading a Hugging Face config.json: each refusal is one line that names the field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.files import InputError
from separation.tasks.checks import shown

MAX_LAYERS = 4096
MAX_VALUE = 1 << 40
DTYPE_BITS = {"float64": 64, "float32": 32, "bfloat16": 16, "float16": 16, "float8_e4m3fn": 8, "float8_e5m2": 8}

_GEMMA3 = {"head_dim": 256, "num_key_value_heads": 4}
_QWEN3_NEXT = {"head_dim": 256, "linear_num_key_heads": 16, "linear_num_value_heads": 32}
CLASS_DEFAULTS: dict[str, dict[str, int]] = {
    "qwen3_next": {**_QWEN3_NEXT, "linear_key_head_dim": 128, "linear_value_head_dim": 128},
    "falcon_h1": {"mamba_d_ssm": 1024},
    **dict.fromkeys(("gemma3", "gemma3_text", "gemma2"), _GEMMA3),
    "gemma": {"head_dim": 256},
    "gpt_oss": {"head_dim": 64, "num_key_value_heads": 8},
    "qwen2": {"num_key_value_heads": 32, "sliding_window": 4096},
    "qwen3": {"head_dim": 128, "num_key_value_heads": 32, "sliding_window": 4096},
    "qwen3_moe": {"num_key_value_heads": 4, "sliding_window": 4096},
    "mistral": {"num_key_value_heads": 8, "sliding_window": 4096},
    "mixtral": {"num_key_value_heads": 8},
}
"""What a class of transformers takes for a field that a file leaves out, where that is not what its other fields say.

A field that is there and null stays null: a Mistral with a null window has none."""


class Fields:
    """The fields of a configuration; text models inside others are looked up in ``text_config``."""

    def __init__(self, document: object) -> None:
        if not isinstance(document, Mapping):
            raise InputError("config: a JSON object is needed")
        inner = document.get("text_config")
        if inner is not None and not isinstance(inner, Mapping):
            raise InputError("config: text_config is not an object")
        given: Mapping[str, Any] = document if inner is None else {**document, **inner}
        # A model that holds a text model has a type of its own; the inner one says which layers there are.
        model_type = given.get("model_type")
        if not isinstance(model_type, str):
            raise InputError("config: model_type is missing")
        self.model_type: str = model_type
        self.values: Mapping[str, Any] = {**CLASS_DEFAULTS.get(model_type, {}), **given}

    def has(self, name: str) -> bool:
        return self.values.get(name) is not None

    def integer(self, name: str, default: int | None = None, least: int = 1) -> int:
        """An integer field; null counts as missing."""
        value = self.values.get(name)
        if value is None:
            if default is None:
                raise InputError(f"config: {name} is missing")
            return default
        if type(value) is not int or not least <= value <= MAX_VALUE:
            raise InputError(f"config: {name} is {shown(value)}; an integer from {least} to {MAX_VALUE} is needed")
        return value

    def names(self, name: str) -> list[str]:
        """A list of strings."""
        value = self.values.get(name)
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of strings is needed")
        return value

    def integers(self, name: str) -> list[int]:
        """A list of integers from 0 on."""
        value = self.values.get(name)
        if not isinstance(value, list) or not all(type(entry) is int and entry >= 0 for entry in value):
            raise InputError(f"config: {name} is {shown(value)}; a list of integers is needed")
        return value

    def flag(self, name: str) -> bool:
        value = self.values.get(name, False)
        if not isinstance(value, bool):
            raise InputError(f"config: {name} is {shown(value)}; true or false is needed")
        return value

    def inner(self, name: str) -> Fields:
        """An object inside, with the same type of model."""
        value = self.values.get(name)
        if not isinstance(value, Mapping):
            raise InputError(f"config: {name} is {shown(value)}; an object is needed")
        return Fields({**value, "model_type": self.model_type})

    @property
    def layers(self) -> int:
        """num_hidden_layers, by GPT-2 called n_layer."""
        name = "n_layer" if self.has("n_layer") and not self.has("num_hidden_layers") else "num_hidden_layers"
        count = self.integer(name)
        if count > MAX_LAYERS:
            raise InputError(f"config: {name} is {count}; at most {MAX_LAYERS} layers are read")
        return count

    @property
    def heads(self) -> int:
        """num_attention_heads, by GPT-2 called n_head."""
        old = self.has("n_head") and not self.has("num_attention_heads")
        return self.integer("n_head" if old else "num_attention_heads")

    @property
    def width(self) -> int:
        """hidden_size, by GPT-2 called n_embd."""
        return self.integer("n_embd" if self.has("n_embd") and not self.has("hidden_size") else "hidden_size")

    @property
    def head_dim(self) -> int:
        """head_dim if it is given, else the width over the number of heads."""
        if not self.has("head_dim") and self.width % self.heads:
            raise InputError(f"config: head_dim is missing, and {self.heads} heads do not divide {self.width}")
        return self.integer("head_dim", self.width // self.heads)

    @property
    def key_value_heads(self) -> int:
        return self.integer("num_key_value_heads", self.heads)

    @property
    def bits(self) -> int:
        """p: the bits of dtype (formerly torch_dtype); 16 if it is not given."""
        name = next((name for name in ("dtype", "torch_dtype") if self.has(name)), None)
        if name is None:
            return 16
        value = self.values[name]
        if not isinstance(value, str) or value not in DTYPE_BITS:
            raise InputError(f"config: {name} is {shown(value)}; known are {', '.join(DTYPE_BITS)}")
        return DTYPE_BITS[value]
