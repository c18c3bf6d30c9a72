"""What is known of a model's layers: its word, β, the state bits of each layer, where each was read; and its bound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, Message
from separation.bounds.shortest import Found, hard_sizes, prompts, shortest_of
from separation.bounds.word import Word, carries
from separation.files import InputError

STATE_BITS = 32
"""Numbers of a recurrent state count at least this many: every class computes them in float32, some keep fewer."""


@dataclass(frozen=True)
class Mixer:
    """One part of a layer that takes something from token to token.

    ``kind`` is "full" (attention to all earlier tokens), "window", "recurrence" or "convolution"; ``name`` the class or
    the family that it was read from. ``heads`` and ``dim``: H and the value dimension d. A window of ``window`` tokens
    keeps ``numbers`` keys and values, a recurrence ``numbers`` of its state; a short convolution of ``kernel`` tokens,
    alone or inside a recurrence, keeps ``buffer`` numbers. ``chunked``: the window is a chunk. Attention to all earlier
    tokens keeps nothing here.
    """

    kind: str
    name: str
    heads: int
    dim: int
    numbers: int = 0
    buffer: int = 0
    window: int | None = None
    kernel: int | None = None
    chunked: bool = False

    def bits(self, p: int) -> int:
        """numbers·max(32, p) + buffer·p for a recurrence; keys and values of a window have p bits each."""
        each = max(STATE_BITS, p) if self.kind == "recurrence" else p
        return self.numbers * each + self.buffer * p


@dataclass(frozen=True)
class Layer:
    """One layer: its mixers from the first to the last, those of one stage side by side.

    ((F,),) is a full layer, ((F,), (R,)) a full one and then a recurrent one, ((F, R),) both side by side, () a layer
    that takes nothing from token to token (an MLP alone).
    """

    stages: tuple[tuple[Mixer, ...], ...]

    @property
    def letters(self) -> tuple[str, ...]:
        """F, R, W or K with the length of the window or chunk, or FR for each stage."""
        return tuple(_letter(stage) for stage in self.stages)

    @property
    def mixers(self) -> tuple[Mixer, ...]:
        return tuple(mixer for stage in self.stages for mixer in stage)

    def state_bits(self, p: int) -> tuple[int, ...]:
        """One number for each letter but F."""
        return tuple(sum(m.bits(p) for m in stage) for stage in self.stages if carries(_letter(stage)))


def _letter(stage: tuple[Mixer, ...]) -> str:
    """A window of one token hands nothing on but is a layer; it counts as the shortest that does."""
    full = any(mixer.kind == "full" for mixer in stage)
    if stage and all(mixer.kind == "window" for mixer in stage):
        return (
            f"{'K' if all(mixer.chunked for mixer in stage) else 'W'}{max(2, *(mixer.window or 2 for mixer in stage))}"
        )
    return ("F" if full else "") + ("R" if any(mixer.kind != "full" for mixer in stage) else "")


@dataclass(frozen=True)
class ArchitectureReading:
    """A model as its layers say: the word, the parameters of β, the state bits of each letter with R, and the sources.

    ``sources`` says for each fact (word, heads, states, bits) where it was read: from the modules that transformers
    builds, or from the file alone.
    """

    model_type: str
    layers: tuple[Layer, ...]
    message: Message
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_layers(
        cls,
        model_type: str,
        layers: Iterable[Layer],
        *,
        bits: int,
        score_bits: int | None = None,
        sources: Mapping[str, str] | None = None,
    ) -> ArchitectureReading:
        """P is p unless it is given. A model in which no layer takes anything from token to token is refused."""
        read = tuple(layers)
        if not any(layer.stages for layer in read):
            raise InputError(f"config: no layer of this {model_type} takes anything from token to token")
        heads, dim = widest_heads(mixer for layer in read for mixer in layer.mixers)
        message = Message(heads, dim, bits, bits if score_bits is None else score_bits)
        return cls(model_type, read, message, dict(sources or {}))

    @property
    def word(self) -> Word:
        """The letters of all layers."""
        return Word(tuple(letter for layer in self.layers for letter in layer.letters))

    @property
    def states(self) -> tuple[int, ...]:
        """State bits of each letter but F, from the first to the last."""
        return tuple(bits for layer in self.layers for bits in layer.state_bits(self.message.bits))

    @property
    def state_bits(self) -> tuple[int, ...]:
        """Λ_0..Λ_{#F}."""
        return self.word.cumulative_bits(self.states)

    @property
    def first_hard(self) -> int:
        """The first L beyond the depth."""
        return self.word.depth + 1

    def first_full_layers(self, count: int) -> ArchitectureReading | None:
        """The model up to and with its ``count``-th full layer; None if it has fewer."""
        kept: list[Layer] = []
        full = 0
        for layer in self.layers:
            stages = []
            for stage, letter in zip(layer.stages, layer.letters, strict=True):
                stages.append(stage)
                full += "F" in letter
                if full == count:
                    kept.append(Layer(tuple(stages)))
                    return ArchitectureReading(self.model_type, tuple(kept), self.message, self.sources)
            kept.append(layer)
        return None


def widest_heads(mixers: Iterable[Mixer]) -> tuple[int, int]:
    """(H, d) with β at least that of every full layer; without full layers, that of the windows, else of all.

    β = H·(d·(P+p+⌈log2 n⌉+1) + P+⌈log2 n⌉) grows with H·d and with H, so the largest H and ⌈max(H_i·d_i)/H⌉ cover all.
    """
    every = list(mixers)
    kinds = [[m for m in every if m.kind == kind] for kind in ("full", "window")]
    chosen = next((found for found in kinds if found), every)
    heads = max(mixer.heads for mixer in chosen)
    return heads, max(-(-mixer.heads * mixer.dim // heads) for mixer in chosen)


# No prompt that was ever given to a model has more tokens than 2 to this power.
LONGEST_PROMPT_LOG2 = 30


@dataclass(frozen=True)
class ConfigBound:
    """The smallest sizes that each theorem found at which the first L beyond the depth is impossible for this β and Λ.

    Its Λ_t are sums of the states of its own layers, so every block has exactly λ_t = Λ_t − Λ_{t-1}.
    """

    model: ArchitectureReading
    prompts: tuple[Found, ...]

    @property
    def shortest(self) -> Found:
        return shortest_of(self.prompts)

    @property
    def theorem(self) -> str:
        return self.shortest.theorem

    @property
    def tokens_log2(self) -> float:
        return self.shortest.tokens_log2()

    @property
    def far_beyond(self) -> bool:
        """The prompt is longer than any that a model is ever given."""
        return self.tokens_log2 > LONGEST_PROMPT_LOG2

    def document(self) -> dict[str, Any]:
        model = self.model
        return {
            "model_type": model.model_type,
            "word": str(model.word),
            "depth": model.word.depth,
            "L": model.first_hard,
            "heads": model.message.heads,
            "dim": model.message.dim,
            "bits": model.message.bits,
            "score_bits": model.message.score_bits,
            "state_bits": [number_to_json(bits) for bits in model.states],
            "sources": dict(model.sources),
            "theorem": self.theorem,
            "far_beyond_real_prompts": self.far_beyond,
            "hard_sizes": hard_sizes(self.shortest, None),
        }


def bound_config(
    model: ArchitectureReading, *, accuracy: Fraction = Fraction(1), proved_only: bool = False, every: bool = True
) -> ConfigBound:
    """L = depth + 1, with the model's own β and Λ; the other arguments are those of `prompts`."""
    budget = Budget(message=model.message, by_block=model.state_bits)
    found = prompts(model.word, model.first_hard, budget, accuracy, proved_only=proved_only, every=every)
    return ConfigBound(model, tuple(found))
