"""The integers that a proof may choose, and the prompt whose sizes are among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, ctx

from separation.bounds.powers import (
    EXACT_BITS,
    Size,
    bits_at_most,
    exact_json,
    log2_float,
    precision_for,
    simplest,
    size_ball,
    size_to_json,
)
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes, sizes_to_document


@dataclass(frozen=True)
class Parameters:
    """The sizes m, n_1..n_{L-1} of the task, and x_0..x_{L-1} (Theorem B with L = 1 has no x).

    ``reached`` is Θ_1..Θ_{L-1} if they are chosen as well, and None if Θ_ℓ = t_ℓ/2. (Where Λ_0 = 0 is used, Θ_1 is
    min(x_0·x_1, m) in any case, whatever is written here.)
    """

    m: Size
    n: tuple[Size, ...]
    x: tuple[Size, ...]
    reached: tuple[Size, ...] | None = None

    def __post_init__(self) -> None:
        _require_size("m", self.m, 2)
        for name, sizes, first in (("n", self.n, 1), ("x", self.x, 0), ("Θ", self.reached or (), 1)):
            for level, size in enumerate(sizes, start=first):
                _require_size(f"{name}_{level}", size, 1)
        if self.reached is not None and len(self.reached) != len(self.n):
            raise InputError(f"L = {self.L} needs {len(self.n)} values of Θ, got {len(self.reached)}")

    @property
    def L(self) -> int:
        """The number of tables."""
        return len(self.n) + 1

    @property
    def all_sizes(self) -> list[Size]:
        return [self.m, *self.n, *self.x, *(self.reached or ())]

    @property
    def is_exact(self) -> bool:
        """All numbers together are short enough to be handled as integers."""
        return sum(bits_at_most(size) for size in self.all_sizes) <= EXACT_BITS

    def as_integers(self) -> Parameters:
        """The same parameters in integers, when they are exact; otherwise themselves."""
        if not self.is_exact:
            return self
        reached = None if self.reached is None else tuple(map(simplest, self.reached))
        return Parameters(simplest(self.m), tuple(map(simplest, self.n)), tuple(map(simplest, self.x)), reached)

    def tokens(self) -> int | None:
        """Σ N_{ℓ-1} + 2, the length of the prompt; None when it is too long to be written."""
        own = self.as_integers()
        if not isinstance(own.m, int) or not all(isinstance(size, int) for size in own.n):
            return None
        return int(sum(table_sizes(own.m, own.n))) + 2

    def tokens_ball(self) -> arb:
        """A ball around the length of the prompt."""
        with ctx.workprec(precision_for(self.all_sizes)):
            return sum(table_sizes(size_ball(self.m), [size_ball(size) for size in self.n]), arb(2))

    def tokens_log2(self) -> float:
        """log2 of the length of the prompt; a float for display."""
        return log2_float(self.tokens_ball())

    def document(self) -> dict[str, Any]:
        """m, n, x, and Θ if chosen; a size of more than 4,000 digits is null; log2 of all sizes."""
        lists = {"n": self.n, "x": self.x} | ({} if self.reached is None else {"reached": self.reached})
        return {
            "m": size_to_json(self.m),
            **{name: [size_to_json(size) for size in sizes] for name, sizes in lists.items()},
            "sizes_log2": {
                "m": log2_float(self.m),
                **{name: [log2_float(size) for size in sizes] for name, sizes in lists.items()},
            },
        }


def table_sizes(m: Any, n: Sequence[Any]) -> list[Any]:
    """N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ, for integers and for balls."""
    sizes = [m]
    for size in n:
        sizes.append(sizes[-1] * size)
    return sizes


def task_document(m: Size, n: Sequence[Size]) -> dict[str, Any]:
    """FuncComp at these sizes, as certificates write it: sizes beyond 4,000 digits are products of powers."""
    if isinstance(m, int) and all(isinstance(size, int) for size in n):
        document = sizes_to_document(Sizes(m, tuple(int(size) for size in n)))  # type: ignore[arg-type]
        if None not in (document["m"], *document["n"]):
            return document
    return {"task": "funccomp", "m": exact_json(m), "n": [exact_json(size) for size in n]}


def _require_size(field: str, size: Size, least: int) -> None:
    """Products of powers are at least 1; one that is short is looked at as an integer."""
    size = simplest(size)
    if not hasattr(size, "factors"):
        require_integer(field, size, least)
