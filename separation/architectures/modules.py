"""The layers of a model as transformers builds it: every module of every layer that runs is known, or it is refused."""

from __future__ import annotations

import re
from typing import Any

from separation.architectures.building import LayerCall, build_on_meta, layer_calls, layer_list
from separation.architectures.families import BOTH, RECURRENT, SOFTMAX
from separation.architectures.library import libraries, quiet, taken
from separation.architectures.mixers import read_attention, read_recurrence
from separation.architectures.resolved import resolved_config
from separation.bounds.configs import MAX_LAYERS, ArchitectureReading, Layer, Mixer, config_object, precision
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
        model = taken(lambda: build_on_meta(torch, transformers, config))
        calls = taken(lambda: layer_calls(torch, transformers, model))
    _require_nothing_beside(model.base_model, layer_list(torch, model.base_model))
    if not 1 <= len(calls) <= MAX_LAYERS:
        raise InputError(f"config: the model runs {len(calls)} layers; from 1 to {MAX_LAYERS} are read")
    layers = [_layer(config.model_type, call) for call in calls]
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


def _layer(model_type: str, call: LayerCall) -> Layer:
    """The mixers of one layer, in the order in which the layer uses them."""
    found: list[Mixer] = []
    _collect(model_type, call, call.module, found)
    full = [mixer for mixer in found if mixer.kind in ("full", "window")]
    name = type(call.module).__name__
    if len(found) <= 1:
        return Layer(((found[0],),) if found else ())
    if len(found) > 2 or len(full) != 1 or name not in BOTH:
        raise InputError(f"config: {name} has {len(found)} mixers, {', '.join(m.name for m in found)}; it is not read")
    recurrence = next(mixer for mixer in found if mixer not in full)
    return Layer(((full[0], recurrence),) if BOTH[name] == "beside" else ((full[0],), (recurrence,)))


def _collect(model_type: str, call: LayerCall, module: Any, found: list[Mixer]) -> None:
    """Go down until a mixer is met; anything else that could be one is refused."""
    for child in module.children():
        name = type(child).__name__
        if name == SOFTMAX.get(model_type):
            found.append(read_attention(child, _window(call, name)))
        elif name == RECURRENT.get(model_type):
            found.append(read_recurrence(child))
        elif may_mix_tokens(name) and not name.endswith("DecoderLayer"):
            raise InputError(f"config: {name} in {type(call.module).__name__} is not known; it may mix tokens")
        else:
            _collect(model_type, call, child, found)


def _window(call: LayerCall, name: str) -> int | None:
    """The window of a layer's attention, None for a full one: all masks that it is given must say the same."""
    windows = {mask.window for mask in call.masks}
    if len(windows) != 1:
        raise InputError(f"config: {name} was given {len(windows)} kinds of masks; one is needed to read it")
    return windows.pop()
