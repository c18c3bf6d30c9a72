"""β and Λ read off a stock model at work: what its attention was called with, and what its cache carries on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from separation.architectures import ArchitectureReading, read_modules
from separation.architectures.building import in_one_line, libraries, quiet
from separation.architectures.fields import config_object, precision
from separation.architectures.resolved import resolved_config
from separation.bounds import Message, Word, ceil_log2
from separation.files import InputError

MAX_WIDTH = 1 << 10
MAX_LAYERS = 64
MAX_PARAMETERS = 20_000_000
TORCH_TYPES = {64: "float64", 32: "float32", 16: "bfloat16"}
RECORDED = "separation_recorded"


@dataclass
class StockModel:
    """A module with random weights, and what its attention function was last called with: (H, d), call by call."""

    module: Any
    attended: list[tuple[int, int]] = field(default_factory=list)

    def step(self, token: int, cache: Any) -> Any:
        """One token; the logits and the cache come back."""
        torch, transformers = libraries()
        self.attended.clear()
        with torch.no_grad(), quiet(transformers):
            return in_one_line(lambda: self.module(torch.tensor([[token]]), past_key_values=cache, use_cache=True))


def build_stock(document: object, seed: int) -> StockModel:
    """The causal language model that a config.json describes, with weights from the seed.

    Sizes are limited: a model is run token by token here. A config of any size can be read by `bound --config`.
    """
    bits, _ = precision(config_object(document))
    torch, transformers = libraries()
    with quiet(transformers):
        config = resolved_config(transformers, document)
        _require_small(config, bits)
        with torch.device("meta"):
            count = sum(weight.numel() for weight in _built(transformers, config, bits).parameters())
        if count > MAX_PARAMETERS:
            raise InputError(f"config: the model has {count} parameters; at most {MAX_PARAMETERS} are built")
        torch.manual_seed(seed)
        model = StockModel(_built(transformers, config, bits).eval())
    _record(transformers, model)
    return model


def _require_small(config: Any, bits: int) -> None:
    if config.hidden_size > MAX_WIDTH or config.num_hidden_layers > MAX_LAYERS:
        raise InputError(
            f"config: {config.num_hidden_layers} layers of width {config.hidden_size} are too large to build and run "
            f"here; up to {MAX_LAYERS} layers of width {MAX_WIDTH} are accepted (bound --config reads any size)"
        )
    if bits not in TORCH_TYPES:
        raise InputError(f"config: a dtype of {bits} bits cannot be run here; {sorted(TORCH_TYPES)} can")


def _built(transformers: Any, config: Any, bits: int) -> Any:
    options = {"dtype": TORCH_TYPES[bits], "attn_implementation": "sdpa", "trust_remote_code": False}
    return in_one_line(lambda: transformers.AutoModelForCausalLM.from_config(config, **options))


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


FEW_TOKENS = 8
MAX_WINDOW = 256
RUBBISH = 1e4


@dataclass(frozen=True)
class Carry:
    """Numbers that cross from a token to the next in one layer: how many, and of how many bits each."""

    what: str
    numbers: int
    bits_each: int

    @property
    def bits(self) -> int:
        return self.numbers * self.bits_each


@dataclass(frozen=True)
class StockLayer:
    """One layer: full, sliding, linear, or full and linear; (H, d) of its attention call; what it carries on.

    ``window``: the tokens that its attention sees, if that is not all of them; the last of them is its own.
    """

    full: bool
    heads: tuple[int, int] | None
    carries: tuple[Carry, ...]
    window: int | None = None

    @property
    def letter(self) -> str:
        """Of a layer that is full or carries something, and not both; a window with states beside counts as R."""
        if self.full:
            return "F"
        return f"W{self.window}" if all(carry.what == "window" for carry in self.carries) else "R"

    @property
    def bits(self) -> int:
        return sum(carry.bits for carry in self.carries)


@dataclass(frozen=True)
class StockRun:
    """A stock model run token by token.

    ``resumed``: another model with the same weights, given the cache and nothing else, says the same at the next token,
    bit for bit; so nothing but the cache was carried.
    """

    config: ArchitectureReading
    layers: tuple[StockLayer, ...]
    tokens: int
    resumed: bool

    @property
    def word(self) -> Word | None:
        """Of the layers as found; which of two stands first inside one layer is the config's word. None: misfit."""
        letters: list[str] = []
        for said, layer in zip(self.config.layers, self.layers, strict=True):
            if layer.full and layer.carries:
                letters += said.letters if len(said.mixers) == 2 else ["?"]
            elif layer.full or layer.carries:
                letters.append(layer.letter)
        return None if "?" in letters else Word(tuple(letters))

    @property
    def beta(self) -> int | None:
        """β from the heads and dimensions that attention was called with, the largest over full layers."""
        return max((self._beta(*layer.heads) for layer in self.layers if layer.full and layer.heads), default=None)

    @property
    def config_beta(self) -> int | None:
        return self.config.message.beta(ceil_log2(self.tokens)) if self.config.word.full else None

    @property
    def states(self) -> tuple[int, ...]:
        """Bits of each layer that carries anything."""
        return tuple(layer.bits for layer in self.layers if layer.carries)

    @property
    def state_bits(self) -> tuple[int, ...] | None:
        """Λ_0..Λ_{#F} as found."""
        return None if self.word is None else self.word.cumulative_bits(self.states)

    @property
    def agrees(self) -> bool:
        """The word, β and every state are the config's."""
        return (self.word, self.beta, self.states) == (self.config.word, self.config_beta, self.config.states)

    @property
    def covered(self) -> bool:
        """The word is the config's, and nothing is more than the config says: what holds for the config holds here."""
        beta, most = self.beta or 0, self.config_beta or 0
        pairs = zip(self.states, self.config.states, strict=False)
        return self.word == self.config.word and beta <= most and all(found <= said for found, said in pairs)

    def _beta(self, heads: int, dim: int) -> int:
        message = self.config.message
        return Message(heads, dim, message.bits, message.score_bits).beta(ceil_log2(self.tokens))


def run_stock(document: object, seed: int) -> StockRun:
    """Build the model of a config.json, run it token by token, and count what its cache carries."""
    if not isinstance(document, Mapping):
        raise InputError("config: a JSON object is needed")
    return in_one_line(lambda: _run(document, seed))  # type: ignore[no-any-return]


def _run(document: Mapping[str, Any], seed: int) -> StockRun:
    model = build_stock(document, seed)
    config = read_modules(document)
    tokens = _tokens(config)
    rng = Random(seed)
    vocabulary = model.module.get_input_embeddings().num_embeddings
    prompt = [rng.randrange(vocabulary) for _ in range(tokens + 1)]
    cache: Any = None
    for token in prompt[:-1]:
        result = model.step(token, cache)
        cache = getattr(result, "past_key_values", None)
        if cache is None:
            raise InputError(f"config: {config.model_type} keeps its states inside its modules; a cache is read here")
    # MiniMax lists the states of its linear layers apart, and its last layers may be linear.
    carried = max(len(cache.layers), len(getattr(cache, "linear_cache", [])))
    if carried != len(config.layers):
        raise InputError(f"config: the cache has {carried} layers, the config {len(config.layers)}")
    calls = iter(list(model.attended))
    last = prompt[-1]
    expected = model.step(last, deepcopy(cache)).logits
    layers = tuple(_layer(model, cache, number, tokens, calls, last) for number in range(carried))
    resumed = build_stock(document, seed).step(last, cache).logits
    return StockRun(config, layers, tokens, bool((resumed == expected).all()))


def _tokens(config: ArchitectureReading) -> int:
    """Enough for every window to be full."""
    window = max((mixer.window or 0 for layer in config.layers for mixer in layer.mixers), default=0)
    if window > MAX_WINDOW:
        raise InputError(f"config: a window of {window} tokens is too long to fill; up to {MAX_WINDOW} are accepted")
    return max(FEW_TOKENS, window + 1)


def _layer(
    model: StockModel, cache: Any, number: int, tokens: int, calls: Iterator[tuple[int, int]], token: int
) -> StockLayer:
    layer: Any = cache.layers[number] if number < len(cache.layers) else None
    keys: Any = getattr(layer, "keys", None)
    attends = keys is not None and keys.numel() > 0
    heads = next(calls) if attends else None
    full = attends and keys.shape[-2] == tokens
    window = int(keys.shape[-2]) + 1 if attends and not full else None
    carries = [] if window is None else [_carry("window", tensor) for tensor in (keys, layer.values)]
    carries += [_carry("state", tensor) for tensor in _tensors(layer, "recurrent_states")]
    listed = getattr(cache, "linear_cache", [])
    if number < len(listed) and hasattr(listed[number], "numel"):
        carries.append(_carry("state", listed[number]))
    for index, tensor in enumerate(_tensors(layer, "conv_states")):
        unread = _oldest_is_unread(model, cache, number, index, token)
        carries.append(_carry("convolution", tensor[..., 1:] if unread else tensor))
    return StockLayer(full, heads, tuple(carries), window)


def _tensors(layer: Any, name: str) -> list[Any]:
    return [tensor for tensor in (getattr(layer, name, None) or {}).values() if tensor is not None]


def _carry(what: str, tensor: Any) -> Carry:
    return Carry(what, int(tensor.numel()), 8 * int(tensor.element_size()))


def _oldest_is_unread(model: StockModel, cache: Any, number: int, place: int, token: int) -> bool:
    """A buffer may hold one column more than the next token reads: rubbish there must change nothing."""
    clean, changed = deepcopy(cache), deepcopy(cache)
    _tensors(changed.layers[number], "conv_states")[place][..., 0] = RUBBISH
    return bool((model.step(token, clean).logits == model.step(token, changed).logits).all())
