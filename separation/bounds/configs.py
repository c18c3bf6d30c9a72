"""A model's config.json: its word of layers, β and Λ, its depth, and the first L beyond it with certified sizes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, padded_linear
from separation.bounds.config_fields import Fields
from separation.bounds.decide import Ground, hard_sizes, theorem_against
from separation.bounds.families import FAMILIES, sliding_bits
from separation.bounds.message import Message
from separation.bounds.theorem_c import shortest_for_recurrent_only
from separation.bounds.word import Word
from separation.files import InputError, read_json
from separation.tasks.checks import shown

# No prompt that was ever given to a model has more tokens than 2 to this power.
LONGEST_PROMPT_LOG2 = 30


@dataclass(frozen=True)
class ConfiguredModel:
    """A word of layers with its message size and the state bits of each layer that has R in it, in order."""

    model_type: str
    word: Word
    message: Message
    states: tuple[int, ...]

    @property
    def linear(self) -> tuple[int, ...]:
        """Λ_0..Λ_{#F}."""
        return self.word.linear_bits(self.states)

    @property
    def first_hard(self) -> int:
        """The first L beyond the depth."""
        return self.word.depth + 1


@dataclass(frozen=True)
class ConfigBound:
    """The smallest sizes found at which the first L beyond the depth is certified impossible for this β and Λ."""

    model: ConfiguredModel
    theorem: str
    ground: Ground

    @property
    def tokens_log2(self) -> float:
        return float(hard_sizes(self.ground, None)["n_log2"])

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
            "theorem": self.theorem,
            "far_beyond_real_prompts": self.far_beyond,
            "hard_sizes": hard_sizes(self.ground, None),
        }


def read_config(document: object, score_bits: int | None = None) -> ConfiguredModel:
    """The model that a parsed config.json describes; P is p unless it is given."""
    fields = Fields(document)
    family = FAMILIES.get(fields.model_type)
    if family is None:
        known = ", ".join(sorted(FAMILIES))
        raise InputError(f"config: model_type {shown(fields.model_type)} is not known; known are {known}")
    layers: list[str] = []
    states: list[int] = []
    for kind in family.kinds(fields):
        layers += {"full": ["F"], "linear": ["R"], "sliding": ["R"], "beside": ["FR"], "after": ["F", "R"]}[kind]
        if kind == "sliding":
            states.append(sliding_bits(fields, family.window))
        elif kind != "full":
            if family.state is None:
                raise InputError(f"config: {fields.model_type} has a linear layer, whose state is not known")
            states.append(family.state(fields))
    bits = fields.bits
    message = Message(fields.heads, family.value_dim(fields), bits, bits if score_bits is None else score_bits)
    return ConfiguredModel(fields.model_type, Word(tuple(layers)), message, tuple(states))


def load_config(path: str | Path, score_bits: int | None = None) -> ConfiguredModel:
    """`read_config` of a file."""
    return read_config(read_json(path), score_bits)


def bound_config(model: ConfiguredModel, *, cover: str = "half", effort: str = "quick") -> ConfigBound:
    """L = depth + 1: Theorem A, B or C with the model's own β and Λ."""
    L, word, linear = model.first_hard, model.word, model.linear
    theorem = theorem_against(word, L)
    if theorem == "C":
        return ConfigBound(model, theorem, shortest_for_recurrent_only(L, linear[-1]))
    budget = Budget(message=model.message)
    if theorem == "A":
        linear = padded_linear(L, word.full, linear)
    return ConfigBound(model, theorem, budget.shortest(theorem, L, linear, cover=cover, effort=effort))
