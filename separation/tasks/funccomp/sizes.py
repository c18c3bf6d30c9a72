"""The sizes of FuncComp and everything that follows from them alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import mul
from typing import Any

from separation.arithmetic.numbers import number_to_json
from separation.files import InputError
from separation.tasks.checks import CountedInputs, require_integer, shown
from separation.tasks.shape import Fact, Kind, Shape, Variable

TASK = "funccomp"
# 2^L entries in the largest table: far above this the sizes alone would fill the memory.
MAX_LEVELS_BY_TOKENS = 1000


@dataclass(frozen=True)
class Sizes(CountedInputs):
    """N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ for ℓ = 1..L−1: table z_ℓ maps [N_{ℓ-1}] to itself.

    where m ≥ 2 is the size of table 1 and n_ℓ ≥ 1 the number of values of the query's digit w_ℓ.

    >>> from separation import Sizes
    >>> sizes = Sizes(4, (2, 3))
    >>> sizes.L, sizes.N, sizes.length
    (3, (4, 8, 24), 38)
    """

    m: int
    n: tuple[int, ...]

    def __post_init__(self) -> None:
        require_integer("m", self.m, 2)
        if not isinstance(self.n, tuple):
            raise InputError(f"n is {shown(self.n)}; a tuple of integers is needed")
        for level, size in enumerate(self.n, start=1):
            require_integer(f"n_{level}", size, 1)

    @classmethod
    def from_lists(cls, L: int, m: int, n: Sequence[int]) -> Sizes:
        """Sizes(m, n), when n has the L − 1 values n_1..n_{L-1}."""
        require_integer("L", L, 1)
        if not isinstance(n, (list, tuple)):
            raise InputError(f"n is {shown(n)}; a list of integers is needed")
        if len(n) != L - 1:
            raise InputError(f"L = {shown(L)} needs {_values_of_n(L)}, got {len(n)}")
        return cls(m, tuple(n))

    @classmethod
    def for_tokens(cls, L: int, tokens: int) -> Sizes:
        """m = n_1 = … = 2^k with the smallest k ≥ 1 such that Σ_{ℓ=1..L} 2^{kℓ} + 2 ≥ tokens."""
        require_integer("L", L, 1, MAX_LEVELS_BY_TOKENS)
        require_integer("tokens", tokens, 1)
        k = 1
        while sum(1 << k * level for level in range(1, L + 1)) + 2 < tokens:
            k += 1
        return cls(2**k, (2**k,) * (L - 1))

    @property
    def L(self) -> int:
        """The number of tables."""
        return len(self.n) + 1

    @cached_property
    def N(self) -> tuple[int, ...]:
        """(N_0, …, N_{L-1}): table z_ℓ has N_{ℓ-1} entries."""
        return tuple(accumulate((self.m, *self.n), mul))

    @property
    def length(self) -> int:
        """Σ_ℓ N_{ℓ-1} + 2: the tokens of a prompt."""
        return sum(self.N) + 2

    @property
    def queries(self) -> int:
        """W = n_1⋯n_{L-1}."""
        return math.prod(self.n)

    @property
    def vocabulary(self) -> int:
        """N_{L-1} + W: ids of table entries and of z_0, then ids of queries."""
        return self.N[-1] + self.queries

    @property
    def groups(self) -> tuple[Kind, Kind]:
        """The token ids: values (of table entries and z_0), then queries, the digits of w."""
        values = Kind("values", 0, (Variable("value", self.N[-1]),), (), 0)
        return values, Kind("queries", values.stop, self.digits, (), 0)

    @property
    def digits(self) -> tuple[Variable, ...]:
        """w1, w2, …: the digits of the query."""
        return tuple(Variable(f"w{level}", size) for level, size in enumerate(self.n, start=1))

    def table_start(self, level: int) -> int:
        """Σ_{ℓ > level} N_{ℓ-1}: the position of the first token of table z_level."""
        require_integer("level", level, 1, self.L)
        return sum(self.N[level:])

    def shape(self, causal: bool = True) -> Shape:
        """Kinds of tokens in prompt order, and variables, with i_1 = z_1(i_0), i_ℓ = z_ℓ(w_{ℓ-1}, i_{ℓ-1}).

        Where attention goes both ways (not ``causal``) a token of table ℓ has its own later hops h_{ℓ+1}, …, h_L too.
        """
        digits = self.digits
        first_hop = Variable("i0", self.m)
        later_hops = tuple(Variable(f"i{level}", size) for level, size in enumerate(self.N, start=1))
        tables = tuple(self._table_kind(level, causal) for level in range(self.L, 0, -1))
        z0 = Kind("z0", self.length - 2, (), (first_hop,), first_id=0)
        w = Kind("w", self.length - 1, (), digits, first_id=self.N[-1])
        return Shape(
            kinds=(*tables, z0, w),
            global_variables=(*digits, first_hop, *later_hops),
            outputs=(Kind("answer", 0, (Variable("answer", self.N[-1]),), (), 0),),
            emissions=(Fact("answer", (f"i{self.L}",), reader="w"),),
            vocabulary=self.vocabulary,
            causal=causal,
        )

    @property
    def input_powers(self) -> tuple[tuple[int, int], ...]:
        """(base, exponent) pairs whose product is the number of inputs: z_0, w, then one pair a table."""
        return (self.m, 1), (self.queries, 1), *((size, size) for size in self.N)

    def _table_kind(self, level: int, causal: bool) -> Kind:
        address: tuple[Variable, ...] = (Variable("index", self.m),)
        if level >= 2:
            address = (Variable("digit", self.n[level - 2]), Variable("index", self.N[level - 2]))
        value = (Variable("value", self.N[level - 1]),)
        later = range(level + 1, self.L + 1) if not causal else ()
        further = tuple(Variable(f"h{hop}", self.N[hop - 1]) for hop in later)
        return Kind(f"table {level}", self.table_start(level), address, value, first_id=0, further=further, table=level)


def _values_of_n(L: int) -> str:
    if L == 1:
        return "no values of n"
    if L == 2:
        return "1 value of n (n_1)"
    names = "n_1, n_2" if L == 3 else f"n_1..n_{shown(L - 1)}"
    return f"{shown(L - 1)} values of n ({names})"


def sizes_to_document(sizes: Sizes) -> dict[str, Any]:
    """{"task": "funccomp", "m": …, "n": […]}: the task at these sizes, without an input."""
    return {"task": TASK, "m": number_to_json(sizes.m), "n": [number_to_json(size) for size in sizes.n]}
