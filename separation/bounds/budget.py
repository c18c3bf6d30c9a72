"""What a model may send: β directly or from its heads, and Λ directly or from its state bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from separation.bounds.evaluation import Evaluation
from separation.bounds.fixed_point import optimise_model
from separation.bounds.message import Message, ceil_log2
from separation.bounds.optimise import optimise
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

EXAMPLE_BITS = 8


@dataclass(frozen=True)
class Budget:
    """Exactly one of ``beta`` and ``message``; Λ by ``total`` (all R layers together) or ``state_bits`` (each of them).

    ``assumed`` marks numbers that nobody gave: an example, β = Λ = 8.
    """

    beta: int | None = None
    message: Message | None = None
    total: int | None = None
    state_bits: int | None = None
    assumed: bool = False

    def __post_init__(self) -> None:
        if (self.beta is None) == (self.message is None):
            raise InputError("give either beta, or heads, dim and bits")
        if self.total is not None and self.state_bits is not None:
            raise InputError("give either lambda, or the state bits of one R layer")
        for field, value, least in (
            ("beta", self.beta, 1),
            ("lambda", self.total, 0),
            ("state bits", self.state_bits, 0),
        ):
            if value is not None:
                require_integer(field, value, least)

    @classmethod
    def example(cls) -> Budget:
        return cls(beta=EXAMPLE_BITS, total=EXAMPLE_BITS, assumed=True)

    @classmethod
    def of(
        cls,
        *,
        beta: int | None = None,
        linear: int | None = None,
        heads: int | None = None,
        dim: int | None = None,
        bits: int | None = None,
        score_bits: int | None = None,
        state_bits: int | None = None,
    ) -> Budget:
        """From options: β and Λ, or heads, dim, bits (score bits: by default the same) and state bits; or nothing."""
        model = {"heads": heads, "dim": dim, "bits": bits}
        given = [name for name, value in model.items() if value is not None]
        if beta is None and not given:
            if any(value is not None for value in (linear, score_bits, state_bits)):
                raise InputError("beta is missing: give beta, or heads, dim and bits")
            return cls.example()
        if beta is not None:
            if given or score_bits is not None:
                raise InputError(f"beta and {(given or ['score bits'])[0]} are both given; either is enough")
            return cls(beta=beta, total=linear, state_bits=state_bits)
        if heads is None or dim is None or bits is None:
            missing = next(name for name, value in model.items() if value is None)
            raise InputError(f"{missing} is missing: heads, dim and bits belong together")
        message = Message(heads, dim, bits, bits if score_bits is None else score_bits)
        return cls(message=message, total=linear, state_bits=state_bits)

    def beta_at(self, tokens: int) -> int:
        """β for a prompt of this length."""
        if self.message is not None:
            return self.message.beta(ceil_log2(tokens))
        assert self.beta is not None
        return self.beta

    @property
    def product(self) -> int:
        """H·d·p of the papers' regimes; β stands for it when it is given directly."""
        if self.message is not None:
            return self.message.product
        assert self.beta is not None
        return self.beta

    def linear_bits(self, word: Word) -> tuple[int, ...]:
        """Λ_0..Λ_{#F} of a word."""
        if self.state_bits is not None:
            return word.linear_bits([self.state_bits] * word.recurrent)
        return word.capped_linear_bits(self.total or 0)

    def shortest(
        self, theorem: str, L: int, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> Evaluation:
        """The shortest prompt found; with heads given, β belongs to that prompt's own length."""
        if self.message is not None:
            return optimise_model(theorem, L, self.message, linear, cover=cover, effort=effort)
        assert self.beta is not None
        return optimise(theorem, L, self.beta, linear, cover=cover, effort=effort)


def padded_linear(L: int, full: int, linear: Sequence[int]) -> tuple[int, ...]:
    """Λ_t of Theorem A for a model with ``full`` ≤ L−1 full layers: idle ones stand in front, nothing before them."""
    return (0,) * (L - 1 - full) + tuple(linear)
