"""Which theorem speaks of a word, and what each of its levels covers: the first layers of the model."""

from __future__ import annotations

from dataclasses import dataclass

from separation.bounds.ladder import Ladder, Rule, climb
from separation.models import Model
from separation.protocol.public import Public
from separation.tasks.funccomp import Sizes


@dataclass(frozen=True)
class Rungs:
    """The levels 1..L of Theorem A or B for one model: how many of its layers each covers, and D_ℓ, Θ_{ℓ-1}.

    Theorem A speaks of L − 1 full layers; a word with fewer is padded in front with ``idle`` ones.
    """

    rule: Rule
    idle: int
    starts: tuple[int, ...]
    ladder: Ladder

    def layers(self, level: int) -> int:
        """Level ℓ covers ℓ − 1 full layers (B: ℓ) and the R layers up to the next full one."""
        full = level - 1 + self.rule.more_layers - self.idle
        return 0 if full < 0 else self.starts[min(full, len(self.starts) - 1)]

    def query_only(self, level: int) -> bool:
        """Theorem B's first level is about what the query hears, and nobody else."""
        return self.rule is Rule.B and level == 1


def rungs(model: Model, sizes: Sizes, kept: tuple[int, ...]) -> Rungs | None:
    """None if the word can solve the task, has no full layer (Theorem C), or its messages have no fixed size.

    where ``kept`` are x_0..x_{L-1}, the inputs that are kept of each player.
    """
    public = Public(model, sizes.length)
    word, L = public.word, sizes.L
    if not word.full or word.depth >= L or not public.on_grid:
        return None
    numbers = range(1, len(model.layers) + 1)
    beta = max(found for number in numbers if (found := public.beta(number)) is not None)
    states = [found for number in numbers if (found := public.state_bits(number)) is not None]
    rule = Rule.B if word.full == L else Rule.A
    idle = 0 if rule is Rule.B else L - 1 - word.full
    linear = (0,) * idle + word.linear_bits(states)
    return Rungs(rule, idle, _starts(model), climb(rule, beta, linear, sizes.m, sizes.n, kept))


def _starts(model: Model) -> tuple[int, ...]:
    """How many layers stand before the first full one, before the second, …, and in all."""
    full = [number for number, layer in enumerate(model.layers) if "F" in layer.letter]
    return (*full, len(model.layers))
