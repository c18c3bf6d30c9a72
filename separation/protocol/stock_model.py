"""A stock model from transformers, built small and at random from a config.json; nothing is downloaded or unpickled."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from separation.bounds.config_fields import Fields
from separation.files import InputError
from separation.tasks.checks import shown

MAX_WIDTH = 1 << 10
MAX_LAYERS = 64
MAX_PARAMETERS = 20_000_000
TORCH_TYPES = {64: "float64", 32: "float32", 16: "bfloat16"}
# Not of the architecture: where code or weights come from, and how it is run.
IGNORED = ("auto_map", "architectures", "quantization_config", "text_config", "dtype", "torch_dtype", "model_type")
RECORDED = "separation_recorded"


@dataclass
class StockModel:
    """A module with random weights, and what its attention function was last called with: (H, d), call by call."""

    module: Any
    fields: Fields
    attended: list[tuple[int, int]] = field(default_factory=list)

    def step(self, token: int, cache: Any) -> Any:
        """One token; the logits and the cache come back."""
        torch, transformers = _libraries()
        self.attended.clear()
        with torch.no_grad(), _quiet(transformers):
            return self.module(torch.tensor([[token]]), past_key_values=cache, use_cache=True)


def build_stock(document: object, seed: int) -> StockModel:
    """The causal language model that a config.json describes, with weights from the seed.

    Sizes are limited: a model is run token by token here. A config of any size can be read by `bound --config`.
    """
    fields = Fields(document)
    _require_small(fields)
    torch, transformers = _libraries()
    with _quiet(transformers):
        config = _config(transformers, fields)
        with torch.device("meta"):
            count = sum(weight.numel() for weight in _built(transformers, config, fields).parameters())
        if count > MAX_PARAMETERS:
            raise InputError(f"config: the model has {count} parameters; at most {MAX_PARAMETERS} are built")
        torch.manual_seed(seed)
        model = StockModel(_built(transformers, config, fields).eval(), fields)
    _record(transformers, model)
    return model


def _require_small(fields: Fields) -> None:
    if fields.width > MAX_WIDTH or fields.layers > MAX_LAYERS:
        raise InputError(
            f"config: {fields.layers} layers of width {fields.width} are too large to build and run here; "
            f"up to {MAX_LAYERS} layers of width {MAX_WIDTH} are accepted (bound --config reads any size)"
        )
    if fields.bits not in TORCH_TYPES:
        raise InputError(f"config: a dtype of {fields.bits} bits cannot be run here; {sorted(TORCH_TYPES)} can")


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(f"stock models need torch and transformers: {error}; install the extra third-party") from None
    return torch, transformers


def _config(transformers: Any, fields: Fields) -> Any:
    values = {name: value for name, value in fields.values.items() if name not in IGNORED}
    if fields.model_type not in transformers.CONFIG_MAPPING:
        raise InputError(f"config: transformers {transformers.__version__} has no model {shown(fields.model_type)}")
    return _theirs(lambda: transformers.CONFIG_MAPPING[fields.model_type](**values, attn_implementation="sdpa"))


def _built(transformers: Any, config: Any, fields: Fields) -> Any:
    return _theirs(lambda: transformers.AutoModelForCausalLM.from_config(config, dtype=TORCH_TYPES[fields.bits]))


def _theirs(call: Any) -> Any:
    """What transformers makes of a file from outside; whatever it raises is said in one line."""
    try:
        return call()
    except Exception as error:
        text = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise InputError(f"config: transformers does not take it: {text}") from None


def _record(transformers: Any, model: StockModel) -> None:
    """Every attention call is written down before the stock function answers it: heads of queries, d of values."""
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.masking_utils import ALL_MASK_ATTENTION_FUNCTIONS

    def recorded(module: Any, query: Any, key: Any, value: Any, *arguments: Any, **options: Any) -> Any:
        model.attended.append((int(query.shape[1]), int(value.shape[-1])))
        return sdpa_attention_forward(module, query, key, value, *arguments, **options)

    transformers.AttentionInterface.register(RECORDED, recorded)
    transformers.AttentionMaskInterface.register(RECORDED, ALL_MASK_ATTENTION_FUNCTIONS["sdpa"])
    model.module.set_attn_implementation(RECORDED)


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:
    """Their hints about faster kernels and token ids do not concern a random model."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity_error()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(before)
