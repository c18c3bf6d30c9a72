"""Small models with three tables of which few entries vary, cut into pieces, for theorems A3, A_L, B_L and E.

Table 3 comes first in the prompt; of table 2 only n_1 windows vary, each the last ``window`` entries of a row; of
table 1 only the last ``varied`` entries. Players hold pieces: ``last`` (table 3, and what stands before the first
window), ``window k`` and ``between k`` (k = 1, 2, …), ``fixed`` and ``varied`` (table 1), ``z0`` and ``w``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from proofs_checks.kit.fixed_messages import CutTranscripts, Heard, Table
from proofs_checks.kit.messages.transcripts import Transcripts
from proofs_checks.kit.routed_models import Hop, routed_model
from separation.bounds import Word
from separation.protocol import Cut, RandomShape, random_model
from separation.tasks.funccomp import Instance, Sizes

SMALLEST = Sizes(2, (1, 2))


@dataclass(frozen=True)
class DelayedCase:
    """A seeded random model with three tables; ``kind`` A: two full layers, B: three and no R before the second.

    where z_0 has ``starts`` values (1: a value that is chosen for all, as in A3 and A_L) among the last ``varied``.
    With ``hops`` it is a model made by hand instead, and its tables 2 and 3 have a 1 in one place at most.
    """

    kind: str
    word: str
    seed: int
    score_bits: int = 2
    sizes: Sizes = SMALLEST
    window: int = 2
    varied: int = 2
    starts: int = 1
    last_tables: int = 8
    middle_tables: int = 4
    heads: int = 1
    hops: tuple[Hop, ...] = ()

    @property
    def pieces(self) -> dict[str, int]:
        """Tokens by player, in the order of the prompt; nobody holds nothing."""
        m, (n1, _), N = self.sizes.m, self.sizes.n, self.sizes.N
        rest = m - self.window
        lengths = {"last": N[2] + rest, "window 1": self.window}
        for row in range(2, n1 + 1):
            lengths |= {f"between {row - 1}": rest, f"window {row}": self.window}
        lengths |= {"fixed": m - self.varied, "varied": self.varied, "z0": 1, "w": 1}
        return {name: length for name, length in lengths.items() if length}

    @property
    def middle_pieces(self) -> list[str]:
        return [name for name in self.pieces if name.startswith(("window", "between"))]

    @property
    def transcripts(self) -> Transcripts:
        """The same one each time, so that no input is run twice."""
        return _transcripts(self)

    @property
    def queries(self) -> list[tuple[int, ...]]:
        return list(product(*map(range, self.sizes.n)))

    def heard(self, z3: Table, z2: Table, z1: Table, z0: int, query: int) -> Heard:
        return self.heard_of(self.instance(z3, z2, z1, z0, query))

    def heard_of(self, instance: Instance) -> Heard:
        return Heard(self.transcripts.of(instance).transcript)

    def instance(self, z3: Table, z2: Table, z1: Table, z0: int, query: int) -> Instance:
        return Instance(self.sizes, z0, (z1, z2, z3), self.queries[query])

    def near(self, size: int, places: Sequence[int], values: Sequence[int], count: int) -> list[Table]:
        """A random table (0 outside these places) and others that differ from it in one of them."""
        rng = Random(self.seed * 31 + size)
        first = [0] * size
        for place in places:
            first[place] = rng.choice(values)
        others = [
            (*first[:place], value, *first[place + 1 :])
            for place, value in product(places, values)
            if value != first[place]
        ]
        return [tuple(first), *rng.sample(others, min(count - 1, len(others)))]

    def tables(self) -> tuple[list[Table], list[Table], list[Table]]:
        """Some tables 3, some tables 2 that vary on the windows, all tables 1 that vary on their last entries."""
        m, (n1, _), N = self.sizes.m, self.sizes.n, self.sizes.N
        if self.hops:
            zeros = (0,) * (m - self.varied)
            return _ones(N[2]), _ones(N[1]), [(*zeros, *ends) for ends in product((0, 1), repeat=self.varied)]
        windows = [row * m + index for row in range(n1) for index in range(m - self.window, m)]
        lasts = self.near(N[2], range(N[2]), range(N[2]), self.last_tables)
        middles = self.near(N[1], windows, range(N[1]), self.middle_tables)
        fixed = (m - 1,) * (m - self.varied)
        firsts = [(*fixed, *ends) for ends in product(range(m - self.window, m), repeat=self.varied)]
        return lasts, middles, firsts


@cache
def _transcripts(case: DelayedCase) -> Transcripts:
    sizes, cut = case.sizes, Cut(tuple(case.pieces.values()), tuple(case.pieces))
    if case.hops:
        return CutTranscripts(routed_model(case.word, sizes, case.hops), sizes, cut)
    shape = RandomShape(Word.parse(case.word), sizes.length, sizes.vocabulary, sizes.N[-1], heads=case.heads)
    model = random_model(shape, case.seed, score_bits=case.score_bits)
    return CutTranscripts(model, sizes, cut)


def _ones(size: int) -> list[Table]:
    """The table of zeros, and those with one 1."""
    return [(0,) * size, *(tuple(int(place == one) for place in range(size)) for one in range(size))]
