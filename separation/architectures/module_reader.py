"""The layers of a model as transformers builds it: every module of every layer that runs is known, or it is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from separation.architectures.architecture import ArchitectureReading, Layer, Mixer
from separation.architectures.building import (
    LayerCall,
    base_of,
    build_on_meta,
    in_one_line,
    layer_calls,
    layer_list,
    libraries,
    quiet,
)
from separation.architectures.fields import MAX_LAYERS, config_object, precision
from separation.architectures.resolved import BOTH, RECURRENT, SOFTMAX, attention_class, resolved_config
from separation.files import InputError

# Names of modules that may take something from token to token; inside a mixer that is read they belong to it.
_SUSPECT = re.compile(
    r"atten|attn|mixer|mamba|conv1d|conv2d|shortconv|delta|lru|recurr|indexer|compress|shift|ssm|lstm|rnn|gru|rwkv"
    r"|retention|pad|pool|hyena|linear_attn|memory",
    re.IGNORECASE,
)
# Token by token whatever their prefix says: norms, MLPs, routers, and the linear map that transformers calls Conv1D.
_HARMLESS = re.compile(r"(Norm|NormGated|MLP|Mlp|FeedForward|Experts|Router|^Conv1D)$")


def read_modules(document: object, score_bits: int | None = None) -> ArchitectureReading:
    """The model of a parsed config.json, read off the modules that its class builds; P is p unless it is given."""
    bits, where = precision(config_object(document))
    torch, transformers = libraries()
    with quiet(transformers):
        config = resolved_config(transformers, document)
        model = in_one_line(lambda: build_on_meta(torch, transformers, config))
        calls = in_one_line(lambda: layer_calls(torch, transformers, model))
    _require_nothing_beside(base_of(model), layer_list(torch, base_of(model)))
    if not 1 <= len(calls) <= MAX_LAYERS:
        raise InputError(f"config: the model runs {len(calls)} layers; from 1 to {MAX_LAYERS} are read")
    layers = [_layer(config, call) for call in calls]
    source = f"the modules that transformers {transformers.__version__} builds"
    sources = {"word": source, "heads": source, "states": source, "bits": where}
    return ArchitectureReading.of_layers(config.model_type, layers, bits=bits, score_bits=score_bits, sources=sources)


def may_mix_tokens(name: str) -> bool:
    """Whether a class has the name of something that could take from token to token."""
    return bool(_SUSPECT.search(name)) and not _HARMLESS.search(name)


def _require_nothing_beside(module: Any, layers: Any) -> None:
    """Outside the layers there are embeddings, norms and positions, and nothing that could mix tokens."""
    for child in module.children():
        if child is layers:
            continue
        if may_mix_tokens(type(child).__name__):
            raise InputError(f"config: {type(child).__name__} beside the layers is not known; it may mix tokens")
        _require_nothing_beside(child, layers)


def _layer(config: Any, call: LayerCall) -> Layer:
    """The mixers of one layer, in the order in which the layer uses them."""
    found: list[Mixer] = []
    _collect(config, call, call.module, found)
    full = [mixer for mixer in found if mixer.kind in ("full", "window")]
    name = type(call.module).__name__
    if len(found) <= 1:
        return Layer(((found[0],),) if found else ())
    if len(found) > 2 or len(full) != 1 or name not in BOTH:
        raise InputError(f"config: {name} has {len(found)} mixers, {', '.join(m.name for m in found)}; it is not read")
    recurrence = next(mixer for mixer in found if mixer not in full)
    return Layer(((full[0], recurrence),) if BOTH[name] == "beside" else ((full[0],), (recurrence,)))


def _collect(config: Any, call: LayerCall, module: Any, found: list[Mixer]) -> None:
    """Go down until a mixer is met; anything else that could be one is refused."""
    for child in module.children():
        name = type(child).__name__
        if config.model_type in SOFTMAX and name == attention_class(config):
            found.append(read_attention(child, *_window(call, name)))
        elif name == RECURRENT.get(config.model_type):
            found.append(read_recurrence(child))
        elif may_mix_tokens(name) and not name.endswith("DecoderLayer"):
            raise InputError(f"config: {name} in {type(call.module).__name__} is not known; it may mix tokens")
        else:
            _collect(config, call, child, found)


def _window(call: LayerCall, name: str) -> tuple[int | None, bool]:
    """The window of a layer's attention, None for a full one, and whether it is a chunk: all its masks say the same."""
    windows = {(mask.window, mask.window is not None and mask.chunked) for mask in call.masks}
    if len(windows) != 1:
        raise InputError(f"config: {name} was given {len(windows)} kinds of masks; one is needed to read it")
    return windows.pop()


# --- the mixers: sizes come from the weights where a weight has them, so that a field the class ignores has no say ---

OUTPUTS = ("o_proj", "out_proj", "dense", "c_proj")
HEAD_DIMS = ("v_head_dim", "head_dim", "head_size")


def read_attention(module: Any, window: int | None, chunked: bool = False) -> Mixer:
    """H = (width of the output projection)/d heads of value dimension d; a window keeps k keys and values."""
    name = type(module).__name__
    if getattr(module, "is_causal", True) is False:
        raise InputError(f"config: {name} is not causal; only causal decoders are read")
    dim = _size(module, HEAD_DIMS)
    joined = _inputs(next((getattr(module, part) for part in OUTPUTS if hasattr(module, part)), None), name)
    if joined % dim:
        raise InputError(f"config: {name} joins {joined} numbers of heads of {dim}; it is not read")
    heads = joined // dim
    if window is None:
        return Mixer("full", name, heads, dim)
    return Mixer("window", name, heads, dim, window * _keys_and_values(module, heads, dim), 0, window, None, chunked)


def _keys_and_values(module: Any, heads: int, dim: int) -> int:
    """The numbers of one token's keys and values, at most one key and one value for each head."""
    if hasattr(module, "k_proj") and hasattr(module, "v_proj"):
        return int(module.k_proj.out_features) + int(module.v_proj.out_features)
    key_dim: Any = getattr(module, "qk_head_dim", None) or getattr(module, "head_dim", dim)
    if hasattr(module, "qkv_proj"):  # queries, keys and values from one projection
        return int(module.qkv_proj.out_features) - heads * int(key_dim)
    return heads * (int(key_dim) + dim)


def read_recurrence(module: Any) -> Mixer:
    """The recurrence or the short convolution of a module, by the reader of its shape."""
    name = type(module).__name__
    for part, reader in READERS.items():
        if part in name:
            return reader(module, name)
    raise InputError(f"config: {name} is a module whose state is not known")


def _mamba(module: Any, name: str) -> Mixer:
    """As many numbers as A has: E·d_state."""
    numbers = math.prod(module.A_log.shape)
    width = numbers // int(module.A_log.shape[-1])
    return _with_convolution(Mixer("recurrence", name, 1, width, numbers), module.conv1d)


def _mamba2(module: Any, name: str) -> Mixer:
    """E·d_state numbers, E = heads·(head dimension), as wide as the output projection."""
    heads, dim, state = int(module.num_heads), int(module.head_dim), int(module.ssm_state_size)
    numbers = max(heads * dim, _inputs(module.out_proj, name)) * state
    return _with_convolution(Mixer("recurrence", name, heads, dim, numbers), module.conv1d)


def _gated_delta_net(module: Any, name: str) -> Mixer:
    """H_v·d_k·d_v numbers."""
    heads, keys, values = int(module.num_v_heads), int(module.head_k_dim), int(module.head_v_dim)
    return _with_convolution(Mixer("recurrence", name, heads, values, heads * keys * values), module.conv1d)


def _delta_attention(module: Any, name: str) -> Mixer:
    """H·d² numbers."""
    heads, dim = int(module.num_heads), int(module.head_dim)
    return _with_convolution(Mixer("recurrence", name, heads, dim, heads * dim**2), module.conv1d)


def _lightning(module: Any, name: str) -> Mixer:
    """H·d² numbers."""
    heads, dim = int(module.num_attention_heads), int(module.head_dim)
    return Mixer("recurrence", name, heads, dim, heads * dim**2)


def _rg_lru(module: Any, name: str) -> Mixer:
    """As many numbers as the unit has decays."""
    width = math.prod(module.rg_lru.recurrent_param.shape)
    return _with_convolution(Mixer("recurrence", name, 1, width, width), module.conv_1d)


def _short_convolution(module: Any, name: str) -> Mixer:
    return _with_convolution(Mixer("convolution", name, 1, int(module.conv.in_channels)), module.conv)


def _mlstm(module: Any, name: str) -> Mixer:
    """H·(d_k·d_v + d_k + 1) numbers: the matrix, the normaliser and the largest exponent so far."""
    heads = int(module.config.num_heads)
    keys, values = -(-int(module.qk_dim) // heads), -(-int(module.v_dim) // heads)
    return Mixer("recurrence", name, heads, values, heads * (keys * values + keys + 1))


READERS: dict[str, Callable[[Any, str], Mixer]] = {
    "GatedDeltaNet": _gated_delta_net,
    "DeltaAttention": _delta_attention,
    "LightningAttention": _lightning,
    "RecurrentBlock": _rg_lru,
    "ShortConv": _short_convolution,
    "xLSTMLayer": _mlstm,
    **dict.fromkeys(("Mamba2Mixer", "Zamba2MambaMixer", "BambaMixer", "FalconH1Mixer", "HybridMambaLayer"), _mamba2),
    "MambaMixer": _mamba,
}
"""By a part of the class's name, the longer ones before those that they contain."""


def _with_convolution(mixer: Mixer, convolution: Any) -> Mixer:
    """k − 1 tokens of every channel are kept."""
    kernel = int(convolution.kernel_size[0])
    if tuple(convolution.stride) != (1,) or tuple(convolution.dilation) != (1,):
        raise InputError(f"config: {mixer.name} has a convolution with strides or gaps; it is not read")
    buffer = (kernel - 1) * int(convolution.in_channels)
    return Mixer(mixer.kind, mixer.name, mixer.heads, mixer.dim, mixer.numbers, buffer, None, kernel)


def _size(module: Any, names: tuple[str, ...]) -> int:
    for name in names:
        value = getattr(module, name, None)
        if isinstance(value, int) and value > 0:
            return value
    raise InputError(f"config: {type(module).__name__} does not say how wide its heads are; it is not read")


def _inputs(projection: Any, name: str) -> int:
    """How many numbers a projection takes in; GPT-2's are stored the other way round."""
    if hasattr(projection, "in_features"):
        return int(projection.in_features)
    if type(projection).__name__ == "Conv1D":
        return int(projection.weight.shape[0])
    raise InputError(f"config: {name} has no output projection; it is not read")
