"""What a model may send: β directly or from its heads, and Λ directly or from its state bits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from separation.bounds.powers import exact_json
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer

EXAMPLE_BITS = 8
WORD_BITS = {"float16": 16, "bfloat16": 16, "float32": 32, "float64": 64}
"""Formats of floating point in which attention may be accumulated, and the bits of a number."""


@dataclass(frozen=True)
class Message:
    """H heads of value dimension d; activations of p bits, attention weights in {0..2^P}."""

    heads: int
    dim: int
    bits: int
    score_bits: int

    def __post_init__(self) -> None:
        for field, value, least in (
            ("heads", self.heads, 1),
            ("dim", self.dim, 1),
            ("bits", self.bits, 1),
            ("score bits", self.score_bits, 0),
        ):
            require_integer(field, value, least)

    @property
    def product(self) -> int:
        """H·d·p, the quantity in which the papers state their regimes."""
        return self.heads * self.dim * self.bits

    def beta(self, log2_tokens: int) -> int:
        """β = H·( d·(P + p + ⌈log2 n⌉ + 1) + P + ⌈log2 n⌉ ): numerators with a sign, and the denominator, of each head.

        A sum of at most n − 1 products of a weight up to 2^P and a value up to 2^p is below 2^{P+p+⌈log2 n⌉}.
        """
        P, p, k = self.score_bits, self.bits, require_integer("log2 of the tokens", log2_tokens, 0)
        return self.heads * (self.dim * (P + p + k + 1) + P + k)

    def window_bits(self, tokens: int) -> int:
        """Keys and values of a window, as many heads of each."""
        return 2 * tokens * self.product

    def document(self) -> dict[str, Any]:
        """heads, dim, P and p, as certificates write them."""
        parts = {"heads": self.heads, "dim": self.dim, "P": self.score_bits, "p": self.bits}
        return {name: exact_json(value) for name, value in parts.items()}


def ceil_log2(tokens: int) -> int:
    """⌈log2 n⌉ for n ≥ 1."""
    return (tokens - 1).bit_length()


@dataclass(frozen=True)
class Budget:
    """Exactly one of ``beta`` and ``message``; Λ by ``total``, ``by_block`` or ``state_bits``.

    where ``total`` is the bits of all R layers together, ``by_block`` is Λ_0, Λ_1, …, and ``state_bits`` is the bits of
    each R layer. ``assumed`` marks an example, β = Λ = 8, used when no numbers were given.
    """

    beta: int | None = None
    message: Message | None = None
    total: int | None = None
    state_bits: int | None = None
    assumed: bool = False
    accumulate: str | None = None
    """The format of the accumulators from which β was computed, if it was."""
    by_block: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if (self.beta is None) == (self.message is None):
            raise InputError("give either beta, or heads, dim and bits")
        if sum(given is not None for given in (self.total, self.state_bits, self.by_block)) > 1:
            raise InputError("give either lambda, or the state bits of one R layer")
        for field, value, least in (
            ("beta", self.beta, 1),
            ("lambda", self.total, 0),
            ("state bits", self.state_bits, 0),
        ):
            if value is not None:
                require_integer(field, value, least)
        for block, bits in enumerate(self.by_block or ()):
            require_integer(f"Lambda_{block}", bits, 0)

    @classmethod
    def example(cls) -> Budget:
        return cls(beta=EXAMPLE_BITS, total=EXAMPLE_BITS, assumed=True)

    @classmethod
    def of(
        cls,
        *,
        beta: int | None = None,
        state_bits: int | Sequence[int] | None = None,
        heads: int | None = None,
        dim: int | None = None,
        bits: int | None = None,
        score_bits: int | None = None,
        layer_state_bits: int | None = None,
        accumulate: str | None = None,
    ) -> Budget:
        """From options: β and Λ, or heads, dim, bits (score bits: by default the same) and state bits; or nothing.

        where ``state_bits`` is one number, or Λ_0, Λ_1, … one by one (of which a single one is that number). With
        ``accumulate``, a format of `WORD_BITS`, β = H·(d+2)·b at prompts of any length: from left to right, each head
        keeps a maximum, a sum of weights and d sums of values, all of b bits (M1 in floating point).
        """
        by_block: tuple[int, ...] | None = None
        if state_bits is not None and not isinstance(state_bits, int):
            by_block = tuple(state_bits)
            if not by_block:
                raise InputError("lambda is empty; a number is needed, or one for each block, like 0,8")
            state_bits, by_block = (by_block[0], None) if len(by_block) == 1 else (None, by_block)
        if accumulate is not None:
            beta = _accumulated(accumulate, heads, dim, (beta, bits, score_bits))
            return cls(
                beta=beta, total=state_bits, state_bits=layer_state_bits, by_block=by_block, accumulate=accumulate
            )
        model = {"heads": heads, "dim": dim, "bits": bits}
        given = [name for name, value in model.items() if value is not None]
        if beta is None and not given:
            if any(value is not None for value in (state_bits, by_block, score_bits, layer_state_bits)):
                raise InputError("beta is missing: give beta, or heads, dim and bits")
            return cls.example()
        if beta is not None:
            if given or score_bits is not None:
                raise InputError(f"beta and {(given or ['score bits'])[0]} are both given; either is enough")
            return cls(beta=beta, total=state_bits, state_bits=layer_state_bits, by_block=by_block)
        if heads is None or dim is None or bits is None:
            missing = next(name for name, value in model.items() if value is None)
            raise InputError(f"{missing} is missing: heads, dim and bits belong together")
        message = Message(heads, dim, bits, bits if score_bits is None else score_bits)
        return cls(message=message, total=state_bits, state_bits=layer_state_bits, by_block=by_block)

    def beta_at(self, tokens: int) -> int:
        """β for a prompt of this length."""
        return self.beta_at_bits(ceil_log2(tokens))

    def beta_at_bits(self, bits: int) -> int:
        """β for a prompt of at most 2^bits tokens."""
        if self.message is not None:
            return self.message.beta(bits)
        assert self.beta is not None
        return self.beta

    @property
    def product(self) -> int:
        """H·d·p of the papers' regimes; a β that is given directly is used for it."""
        if self.message is not None:
            return self.message.product
        assert self.beta is not None
        return self.beta

    def state_bits_at_most(self, word: Word) -> tuple[int, ...]:
        """Λ_0..Λ_{#F} of a word, for theorems A to D: they only gain from smaller Λ_t."""
        if self.total is not None:
            return word.capped_state_bits(self.total)
        return self.separate_state_bits(word)

    def separate_state_bits(self, word: Word) -> tuple[int, ...]:
        """Λ_0..Λ_{#F} of a word, for theorems that charge λ_t = Λ_t − Λ_{t-1}: no block has more than its λ_t."""
        given = self.total is not None or self.by_block is not None
        if any(word.carriers) and not given:
            if self.message is None:
                raise InputError("the bits of a window need heads, dim and bits; or give lambda")
            each = [self.message.window_bits(k) if k else self.state_bits or 0 for k in word.carriers]
            return word.cumulative_bits(each)
        if self.state_bits is not None:
            return word.cumulative_bits([self.state_bits] * word.recurrent)
        return word.separate_state_bits(self.total or 0 if self.by_block is None else self.by_block)

    def carrying(self, word: Word) -> Word:
        """The word as its bits leave it: R layers without any hand nothing on, so that theorems for F alone apply.

        >>> from separation.bounds.word import Word
        >>> [str(Budget(beta=8, total=bits).carrying(Word.parse("RF[FR]"))) for bits in (0, 1)]
        ['F2', 'RF[FR]']
        """
        idle = word.full and word.recurrent and not any(word.carriers) and not any(self.separate_state_bits(word))
        return type(word)(("F",) * word.full) if idle else word


def _accumulated(accumulate: str, heads: int | None, dim: int | None, others: tuple[int | None, ...]) -> int:
    """β of attention in floating point, computed from left to right; ``others`` must not be given."""
    if accumulate not in WORD_BITS:
        raise InputError(f"accumulators in {accumulate!r} are not known; one of {', '.join(WORD_BITS)} is")
    if heads is None or dim is None:
        raise InputError("accumulators in floating point belong to heads and dim: give both")
    if any(value is not None for value in others):
        raise InputError("accumulators in floating point are all that is heard: leave out beta, bits, score bits")
    return require_integer("heads", heads, 1) * (require_integer("dim", dim, 1) + 2) * WORD_BITS[accumulate]


def padded_state_bits(L: int, full: int, state_bits: Sequence[int]) -> tuple[int, ...]:
    """Λ_t of Theorem A for a model with ``full`` ≤ L−1 full layers: idle ones in front, and no R before them."""
    return (0,) * (L - 1 - full) + tuple(state_bits)
