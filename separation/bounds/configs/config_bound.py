"""A model as it was read: its depth, and the first L beyond it with certified sizes for its own β and Λ."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget
from separation.bounds.configs.architecture import ArchitectureReading
from separation.bounds.decide import hard_sizes
from separation.bounds.shortest import Found, prompts, shortest_of

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
    budget = Budget(message=model.message, by_block=model.linear)
    found = prompts(model.word, model.first_hard, budget, accuracy, proved_only=proved_only, every=every)
    return ConfigBound(model, tuple(found))
