"""What the proofs of theorems A2 and B2 fix, read off transcripts of the simulator with all sets written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from random import Random
from typing import Any

from proofs_checks.kit.messages.transcripts import Transcripts
from proofs_checks.kit.statement import require
from separation.bounds import Word
from separation.models import Model
from separation.protocol import Cut, RandomShape, Transcript, random_model
from separation.tasks.funccomp import Instance, Sizes

Table = tuple[int, ...]
Key = tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class CutTranscripts(Transcripts):
    """Transcripts of a model whose players hold other pieces of the prompt than whole tables."""

    cut: Cut

    @cached_property
    def _cut(self) -> Cut:
        return self.cut


@dataclass(frozen=True)
class Heard:
    """The messages of one transcript, by layer, sender and receiver."""

    transcript: Transcript

    def soft(self, layer: int, sender: str, receiver: str) -> tuple[bytes, int]:
        """The content of one soft message, and the bits in which it is written."""
        (found,) = (m for m in self.transcript.messages if _is(m, "soft", layer, receiver) and m.sender == sender)
        return found.content or b"", found.bits

    def states(self, layers: Iterable[int], receiver: str) -> tuple[tuple[bytes, ...], int]:
        """The states that cross into a player in these layers, and their bits."""
        found = [m for layer in layers for m in self.transcript.messages if _is(m, "linear", layer, receiver)]
        return tuple(m.content or b"" for m in found), sum(m.bits for m in found)

    def view(self, receiver: str) -> tuple[bytes | None, ...]:
        """All that a player hears: the sums over all senders, and the states."""
        linear = [m for m in self.transcript.messages if m.kind == "linear"]
        both = sorted([*self.transcript.sums, *linear], key=lambda m: (m.layer, m.kind))
        return tuple(m.content for m in both if m.receiver == receiver)


def _is(message: Any, kind: str, layer: int, receiver: str) -> bool:
    return bool(message.kind == kind and message.layer == layer and message.receiver == receiver)


@dataclass(frozen=True)
class Case:
    """A seeded random model of a word at tiny sizes, with ``tables`` many last tables that differ in few entries.

    ``varied``: how many of the last entries of table 1 vary (x_0 of theorem B2), and over how many values each (v).
    """

    word: str
    sizes: Sizes
    seed: int
    score_bits: int = 2
    tables: int = 10
    varied: int = 0
    values: int = 0

    @property
    def letters(self) -> Word:
        return Word.parse(self.word)

    @property
    def transcripts(self) -> Transcripts:
        """The same one each time, so that no input is run twice."""
        return _transcripts(self)

    def heard(self, z2: Table, z1: Table, z0: int, w: int) -> Heard:
        return Heard(self.transcripts.of(Instance(self.sizes, z0, (z1, z2), (w,))).transcript)

    def last_tables(self) -> list[Table]:
        """One random table and others that differ from it in one entry: messages tell few of them apart."""
        rng, size = Random(self.seed), self.sizes.N[1]
        first = tuple(rng.randrange(size) for _ in range(size))
        near = [(*first[:i], v, *first[i + 1 :]) for i, v in product(range(size), repeat=2) if v != first[i]]
        return [first, *rng.sample(near, self.tables - 1)]

    @cached_property
    def full_layers(self) -> list[int]:
        """The places of the full layers among all layers, from 1."""
        heads = self.transcripts.of(self._some).transcript.public.layers
        return [place for place, layer in enumerate(heads, start=1) if layer.full]

    @property
    def layers(self) -> range:
        return range(1, len(self.transcripts.model.layers) + 1)

    @property
    def _some(self) -> Instance:
        return Instance(self.sizes, 0, [[0] * size for size in self.sizes.N], (0,))

    def budgets(self) -> tuple[int, tuple[int, ...]]:
        """β and Λ_0, Λ_1, … as the transcript counts them."""
        transcript = self.transcripts.of(self._some).transcript
        require(transcript.beta is not None and transcript.linear is not None, f"{self.word}: no p-bit messages")
        assert transcript.beta is not None
        assert transcript.linear is not None
        return transcript.beta, transcript.linear


@cache
def _transcripts(case: Case) -> Transcripts:
    sizes = case.sizes
    shape = RandomShape(case.letters, sizes.length, sizes.vocabulary, sizes.N[-1])
    model: Model = random_model(shape, case.seed, score_bits=case.score_bits)
    lengths = (sizes.N[1] + sizes.m - case.varied, case.varied, 1, 1) if case.varied else (sizes.N[1], sizes.m, 1, 1)
    return CutTranscripts(model, sizes, Cut(lengths, ("last", "first", "z0", "w")))


def commonest(members: Sequence[Table], value: Mapping[Table, Hashable]) -> list[Table]:
    """The members with the commonest value."""
    most, _ = Counter(value[member] for member in members).most_common(1)[0]
    return [member for member in members if value[member] == most]


def require_function(where: str, pairs: Iterable[tuple[Hashable, Hashable]]) -> int:
    """The second of each pair is a function of the first; the number of different first ones."""
    seen: dict[Hashable, Hashable] = {}
    for known, said in pairs:
        require(seen.setdefault(known, said) == said, f"{where}: one and the same knowledge, two messages")
    return len(seen)


def require_settled(
    where: str,
    asked: Mapping[Key, Hashable],
    fixed: Mapping[str, Mapping[Key, Hashable]],
    views: Mapping[Key, Hashable],
) -> None:
    """With all fixed messages equal, w's view is a function of what is asked.

    where a key is one run: its last table, and what is ``asked`` of it.
    """
    require(_settled(asked, list(fixed.values()), views), f"{where}: w is told more than what was fixed")


def unsettled_without(
    where: str,
    asked: Mapping[Key, Hashable],
    fixed: Mapping[str, Mapping[Key, Hashable]],
    views: Mapping[Key, Hashable],
) -> set[str]:
    """The same, and the names without which it is not so."""
    require_settled(where, asked, fixed, views)
    others = {name: [said for other, said in fixed.items() if other != name] for name in fixed}
    return {name for name, said in others.items() if not _settled(asked, said, views)}


def _settled(
    asked: Mapping[Key, Hashable], fixed: Sequence[Mapping[Key, Hashable]], views: Mapping[Key, Hashable]
) -> bool:
    seen: dict[Hashable, Hashable] = {}
    for key, view in views.items():
        known = (asked[key], *(said[key] for said in fixed))
        if seen.setdefault(known, view) != view:
            return False
    return True
