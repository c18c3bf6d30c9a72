"""What a real model of the installed transformers does, run on a CPU: its masks, its attention calls and its cache.

None of the project's code is used to find out: weights are random, masks are the tensors that the stock code makes,
and what is carried from token to token is what its own cache holds afterwards.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from separation.architectures import ArchitectureReading

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LENGTH = 12
MOST_PARAMETERS = 2_000_000
NAME = "measured_attention"
INSIDE = ("bloom", "codegen", "falcon", "gptj")  # their attention is no function of the library that could be watched


@dataclass
class Call:
    """One call of attention: heads, value dimension, and how many of the tokens the last one sees."""

    heads: int
    dim: int
    seen: int
    ahead: bool


@dataclass
class MeasuredLayer:
    """The length of a layer's cached keys, and (numbers, bits of each) of its states and of its buffers.

    A buffer may have one column more than the kernel needs; k − 1 columns are counted.
    """

    keys: int = 0
    key_bits: int = 0
    states: list[tuple[int, int]] = field(default_factory=list)
    buffers: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class Measured:
    calls: list[Call]
    layers: list[MeasuredLayer]


def differences(reading: ArchitectureReading, found: Measured, bits: int) -> list[str]:
    """What is wrong with a reading of a model, in words; nothing if it is right."""
    wrong = []
    attention = [m for layer in reading.layers for m in layer.mixers if m.kind in ("full", "window")]
    if reading.model_type not in INSIDE:
        if len(attention) != len(found.calls):
            return [f"{len(attention)} attentions read, {len(found.calls)} called"]
        for mixer, call in zip(attention, found.calls, strict=True):
            seen = LENGTH if mixer.window is None else min(mixer.window, LENGTH)
            if mixer.chunked:
                seen = (LENGTH - 1) % mixer.window + 1
            if (mixer.heads, mixer.dim, seen, False) != (call.heads, call.dim, call.seen, call.ahead):
                wrong.append(f"attention {mixer} against {call}")
    kept = reading.model_type == "recurrent_gemma"  # its keys stay in a cache that it does not hand out
    for number, (layer, real) in enumerate(zip(reading.layers, found.layers, strict=True)):
        every = any(mixer.kind == "full" or (mixer.window or 0) >= LENGTH for mixer in layer.mixers)
        if not kept and (every != (real.keys == LENGTH)):
            wrong.append(f"layer {number}: {layer.letters}, with {real.keys} keys")
        if real.key_bits > bits:
            wrong.append(f"layer {number}: keys and values of {real.key_bits} bits")
        recurrent = [mixer for mixer in layer.mixers if mixer.kind in ("recurrence", "convolution")]
        if bool(recurrent) != bool(real.states or real.buffers):
            wrong.append(f"layer {number}: {layer.letters}, with states {real.states} and buffers {real.buffers}")
            continue
        for mixer in recurrent:
            if mixer.numbers != sum(count for count, _ in real.states):
                wrong.append(f"layer {number}: {mixer.numbers} numbers read, {real.states} kept")
            if mixer.buffer != sum(count for count, _ in real.buffers):
                wrong.append(f"layer {number}: buffer {mixer.buffer} read, {real.buffers} kept")
            exact = sum(count * each for count, each in real.states + real.buffers)
            if mixer.bits(bits) < exact:
                wrong.append(f"layer {number}: {mixer.bits(bits)} bits read, {exact} kept")
    return wrong


def config_of(document: dict[str, Any]) -> Any:
    fields = {name: value for name, value in document.items() if name not in ("model_type", "torch_dtype", "dtype")}
    return transformers.CONFIG_MAPPING[document["model_type"]](**fields)


def measure(document: dict[str, Any], dtype: str, folder: Path | None = None) -> Measured | None:
    """Build, run LENGTH tokens, and look; None if the model is too large for that.

    With a folder the model is saved and loaded, as a class may keep some of its weights in float32 then.
    """
    calls: list[Call] = []

    def attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any) -> Any:
        mask = attention_mask
        options.pop("softcap", None)
        allowed = mask[0, 0, -1] == 0 if mask is not None else torch.ones(key.shape[-2], dtype=torch.bool)
        ahead = mask is None or bool((mask[0, 0] == 0).triu(1).any())
        calls.append(Call(query.shape[1], value.shape[-1], int(allowed.sum()), ahead))
        return stock(module, query, key, value, mask, **options)

    from transformers.integrations.sdpa_attention import sdpa_attention_forward as stock
    from transformers.masking_utils import eager_mask

    transformers.AttentionInterface.register(NAME, attention)
    transformers.AttentionMaskInterface.register(NAME, eager_mask)
    torch.manual_seed(0)
    config = config_of(document)
    model_class = transformers.MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    with torch.device("meta"):
        count = sum(weight.numel() for weight in model_class(config).parameters())
    if count > MOST_PARAMETERS:
        return None
    model = model_class(config).to(getattr(torch, dtype)).eval()
    if folder is not None:
        model.save_pretrained(folder)
        model = model_class.from_pretrained(folder, dtype=getattr(torch, dtype)).eval()
    model.config._attn_implementation_internal = NAME
    with torch.no_grad():
        output = model(torch.arange(LENGTH)[None], use_cache=True)
    cache = getattr(output, "past_key_values", None)
    if cache is None:
        cache = getattr(output, "cache_params", None)
    return Measured(calls, _layers(model, cache))


def carried_beside_the_cache(document: dict[str, Any]) -> tuple[bool, float]:
    """Whether a fresh copy, given the cache of a prompt alone, goes on bit for bit as the model that made the cache;
    and how far that is from one pass over everything, as a share of what another last token of the prompt would change.
    """
    config = config_of(document)
    model_class = transformers.MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    torch.manual_seed(0)
    model, other = model_class(config).eval(), model_class(config_of(document)).eval()
    other.load_state_dict(model.state_dict())
    tokens = torch.arange(3, LENGTH + 4)[None]
    changed = tokens.clone()
    changed[0, -2] = 0
    with torch.no_grad():
        whole, elsewhere = (model(these, use_cache=False).logits[0, -1] for these in (tokens, changed))
        begun = model(tokens[:, :-1], use_cache=True)
        name = "past_key_values" if getattr(begun, "past_key_values", None) is not None else "cache_params"
        cache = getattr(begun, name, None)
        copied = copy.deepcopy(cache)
        resumed = model(tokens[:, -1:], use_cache=True, **{name: cache}).logits[0, -1]
        fresh = other(tokens[:, -1:], use_cache=True, **{name: copied}).logits[0, -1]
    share = (resumed - whole).abs().max() / (whole - elsewhere).abs().max()
    return bool((fresh == resumed).all()), float(share)


def _size(tensor: Any) -> tuple[int, int]:
    return tensor.numel(), 8 * tensor.element_size()


def _layers(model: Any, cache: Any) -> list[MeasuredLayer]:
    if hasattr(cache, "rnn_state"):  # xLSTM
        return [MeasuredLayer(states=[_size(part) for part in parts]) for parts in cache.rnn_state.values()]
    blocks = [module for module in model.modules() if hasattr(module, "conv1d_state")]
    if blocks:  # Griffin keeps its states in its modules
        found = []
        for block in model.model.layers:
            inner = block.temporal_block
            layer = MeasuredLayer()
            if hasattr(inner, "conv1d_state"):
                layer.states.append(_size(inner.rg_lru.recurrent_states))
                layer.buffers.append(_size(inner.conv1d_state))
            found.append(layer)
        return found
    listed = getattr(cache, "linear_cache", [])
    layers = []
    for number in range(max(len(cache.layers), len(listed))):
        part = cache.layers[number] if number < len(cache.layers) else None
        layer = MeasuredLayer()
        keys = getattr(part, "keys", None)
        if keys is not None and keys.numel():
            layer.keys, layer.key_bits = keys.shape[-2], 8 * max(keys.element_size(), part.values.element_size())
        states = (getattr(part, "recurrent_states", None) or {}).values()
        layer.states += [_size(state) for state in states if state is not None]
        for place, state in (getattr(part, "conv_states", None) or {}).items():
            if state is not None:
                layer.buffers.append(_size(state[..., : part.conv_kernel_size[place] - 1]))
        if number < len(listed) and torch.is_tensor(listed[number]):
            layer.states.append(_size(listed[number]))
        layers.append(layer)
    return layers
