"""The model of a config on torch's meta device, where tensors have shapes and no numbers; and which layers it runs.

The model runs once on a few tokens without a number in them, every layer replaced by one that notes that it was called
and which mask it was given. So layers that are built and never run do not count, and those that run twice do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from separation.files import InputError
from separation.packages import require_packages

LIBRARIES = ("torch", "transformers")
IMPLEMENTATION = "separation_mask_rules"
FAR = 1 << 40
QUERIES = (0, 1, 2, 7, 1000, FAR, FAR + 1, FAR + 5)
AHEAD = (1, 2, 3, 64, 1 << 20)


@dataclass(frozen=True)
class MaskRule:
    """May the token at one position attend to another? ``local`` is the window that the model names, if any."""

    rule: Any
    local: int | None

    def allows(self, query: int, key: int) -> bool:
        import torch

        with torch.device("cpu"):
            zero = torch.tensor(0)
            return bool(self.rule(zero, zero, torch.tensor(query), torch.tensor(key)))

    @cached_property
    def window(self) -> int | None:
        """None: every earlier token; k: the last k, its own with them, or its own chunk's. Other rules are refused."""
        if any(self.allows(query, query + step) for query in QUERIES for step in AHEAD):
            raise InputError("config: a layer attends to later tokens; only causal decoders are read")
        if not all(self.allows(query, query) for query in QUERIES):
            raise InputError("config: a layer's mask hides a token from itself; only causal masks and windows are read")
        if self.local is None:
            if all(self.allows(query, key) for query in QUERIES for key in _back(query, query + 1)):
                return None
        elif isinstance(self.local, int) and self.local >= 1 and (self._is_window(self.local) or self.chunked):
            return self.local
        raise InputError(
            "config: a layer's mask is neither causal nor a sliding window nor chunks; only those are read"
        )

    @cached_property
    def chunked(self) -> bool:
        """Whether tokens see those of their own chunk, ``local`` tokens from the first one on."""
        if self.local is None or self.local < 2:
            return False
        at = [q for c in (0, 1, 7) for q in range(c * self.local, (c + 1) * self.local, max(1, self.local // 5))]
        starts = [(q, q - q % self.local) for q in [*at, *QUERIES]]
        inside = all(self.allows(q, key) for q, first in starts for key in {first, (first + q) // 2})
        return inside and not any(
            self.allows(q, first - step) for q, first in starts for step in (1, 2) if first >= step
        )

    def _is_window(self, width: int) -> bool:
        inside = all(self.allows(query, key) for query in QUERIES for key in _back(query, width))
        steps = (width, width + 1, 2 * width, FAR)
        return inside and not any(self.allows(q, q - step) for q in QUERIES for step in steps if q >= step)


def _back(query: int, width: int) -> list[int]:
    """The ends of the ``width`` positions up to a query's own, and some between."""
    first = max(query - width + 1, 0)
    return [*{first, min(first + 1, query), (first + query) // 2, max(query - 1, first), query}]


def register(transformers: Any) -> None:
    """Make the name known: masks become rules, and attention itself is never run."""

    def rule(*_: Any, mask_function: Any, local_size: int | None = None, **__: Any) -> MaskRule:
        _without_padding(mask_function)
        return MaskRule(mask_function, local_size)

    def never(*_: Any, **__: Any) -> None:
        raise InputError("config: attention stands outside the layers; such models are not read")

    transformers.AttentionMaskInterface.register(IMPLEMENTATION, rule)
    transformers.AttentionInterface.register(IMPLEMENTATION, never)


def _without_padding(rule: Any) -> None:
    """Chunks begin behind the padding on the left, of which the prompts here have none: for a tensor without values."""
    import torch

    names = getattr(getattr(rule, "__code__", None), "co_freevars", ())
    for name, cell in zip(names, getattr(rule, "__closure__", None) or (), strict=True):
        inside = cell.cell_contents
        if name == "left_padding" and isinstance(inside, torch.Tensor) and inside.is_meta:
            cell.cell_contents = torch.zeros(inside.shape, dtype=torch.long, device="cpu")
        for other in inside if isinstance(inside, tuple) else (inside,):
            if callable(other):
                _without_padding(other)


TOKENS = 4
# GPT-2's name for its list of layers, Bloom's, and everybody else's.
LAYER_LISTS = ("layers", "h", "blocks")


@dataclass(frozen=True)
class LayerCall:
    """One run of one layer: the module, and the masks that were handed to it."""

    module: Any
    masks: tuple[MaskRule, ...]


def build_on_meta(torch: Any, transformers: Any, config: Any) -> Any:
    """The causal language model of a config, its base first built and nothing loaded."""
    known = transformers.MODEL_FOR_CAUSAL_LM_MAPPING
    if type(config) not in known:
        raise InputError(f"config: transformers has no causal language model for {config.model_type}")

    def build() -> Any:
        with torch.device("meta"):
            return known[type(config)](config)

    return in_one_line(build).eval()


def layer_calls(torch: Any, transformers: Any, model: Any) -> list[LayerCall]:
    """The layers that a forward pass runs, in order, each with its masks."""
    register(transformers)
    model.config._attn_implementation_internal = IMPLEMENTATION
    base = base_of(model)
    layers = layer_list(torch, base)
    failures: list[str] = []
    # What a layer returns differs from class to class; so does what a class needs to make its masks.
    for parts in (1, 2):
        for with_cache in (True, False):
            try:
                return _run(torch, base, layers, parts, with_cache)
            except InputError:
                raise
            except Exception as error:
                failures.append((str(error).strip() or type(error).__name__).splitlines()[0][:120])
    raise InputError(f"config: the layers of this {model.config.model_type} could not be followed: {failures[0]}")


def base_of(model: Any) -> Any:
    """The model below the logits; Llama 4's class names another prefix than it has."""
    return model.model if model.base_model is model else model.base_model


def layer_list(torch: Any, base: Any) -> Any:
    """The list of layers of a base model, whether they run or not."""
    for name in LAYER_LISTS:
        found = getattr(base, name, None)
        if isinstance(found, torch.nn.ModuleList) and len(found):
            return found
    raise InputError(f"config: no list of layers was found in {type(base).__name__}")


def _run(torch: Any, base: Any, layers: Any, parts: int, with_cache: bool) -> list[LayerCall]:
    """With a cache four tokens; without, one token and a mask of ones, so that no class looks for packed prompts."""
    calls: list[LayerCall] = []
    first: list[Any] = []

    def noting(module: Any) -> Any:
        def forward(*arguments: Any, **named: Any) -> Any:
            given = (*arguments, *named.values())
            if not first:
                first.append(next(value for value in given if isinstance(value, torch.Tensor)))
            calls.append(LayerCall(module, tuple(value for value in given if isinstance(value, MaskRule))))
            return first[0] if parts == 1 else (first[0], *[None] * (parts - 1))

        return forward

    for layer in layers:
        layer.forward = noting(layer)
    try:
        with torch.device("meta"), torch.no_grad():
            tokens = torch.zeros((1, TOKENS if with_cache else 1), dtype=torch.long)
            options = {} if with_cache else {"attention_mask": torch.ones_like(tokens)}
            base(input_ids=tokens, use_cache=with_cache, **options)
    finally:
        for layer in layers:
            del layer.forward
    return calls


# --- torch and transformers, imported only when a model is built; what they raise becomes one line ---


def libraries() -> tuple[Any, Any]:
    """The modules torch and transformers."""
    require_packages("stock models need", "stock", *LIBRARIES)
    import torch
    import transformers

    return torch, transformers


def in_one_line(call: Callable[[], Any]) -> Any:
    """What transformers makes of a file from outside; whatever it raises becomes one line."""
    try:
        return call()
    except (InputError, MemoryError):
        raise
    except Exception as error:
        lines = (str(error).strip() or type(error).__name__).splitlines()
        text = " ".join(line.strip() for line in lines[:3])[:200]
        raise InputError(f"config: transformers does not take it: {text}") from None


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Hints about faster kernels do not concern a model without weights; errors are raised, in one line."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity(transformers.logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(before)
