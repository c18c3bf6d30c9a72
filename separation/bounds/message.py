"""How many bits a full-attention layer brings to one token: β from heads, dimension and precision."""

from __future__ import annotations

from dataclasses import dataclass

from separation.tasks.checks import require_integer


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


def ceil_log2(tokens: int) -> int:
    """⌈log2 n⌉ for n ≥ 1."""
    return (tokens - 1).bit_length()
