"""Models made by hand that carry a number along a way: from token to token, through the layers that are named.

Each hop has a head of its own and a coordinate of the stream of its own, so the hops of one model do not disturb each
other. A token that is not asked hears nothing: its weights are ⌊2·𝖾^−2⌋ = 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from separation.arithmetic import ExactMatrix, Precision
from separation.bounds import Word
from separation.models import AnyHead, DeltaHead, Head, Layer, Model, Stored, Stream
from separation.tasks.funccomp import Sizes

CERTAIN = 2
"""The score of a token that is asked, and the shift."""
PRECISION = Precision(score_bits=1, bits=5, fraction_bits=0)
VALUE = -1
"""What a hop carries that is the first of its way: the token's own value."""


@dataclass(frozen=True)
class Hop:
    """In a layer (counted from 1) the token at ``sender`` tells the one at ``receiver`` what it has of hop ``carried``.

    where ``recurrent`` hops go by a state, which is 0 again from the token ``until`` on; a full head's receiver with
    ``if_told`` asks only if what it heard by that hop is 1.
    """

    layer: int
    sender: int
    receiver: int
    carried: int = VALUE
    recurrent: bool = False
    until: int | None = None
    if_told: int | None = None


def routed_model(word: str, sizes: Sizes, hops: Sequence[Hop]) -> Model:
    """A model of the word with one head for each hop; all full layers have as many, so that β is one for all.

    The others say nothing, and so does the one recurrent head of a layer without recurrent hops.
    """
    tokens, vocabulary = sizes.length, sizes.vocabulary
    stream = Stream([("place", tokens), ("value", 1), *((f"heard {hop}", 1) for hop in range(len(hops)))])
    heads = _Heads(stream, tokens)
    layers, full = [], [hop.layer for hop in hops if not hop.recurrent]
    most = max((full.count(layer) for layer in full), default=1)
    for number, letters in enumerate(Word.parse(word).layers, start=1):
        found: list[AnyHead] = []
        for letter in letters:
            here = [(i, hop) for i, hop in enumerate(hops) if hop.layer == number and hop.recurrent == (letter == "R")]
            made = heads.recurrent if letter == "R" else heads.full
            silent = (most if letter == "F" else 1) - len(here)
            found += [*(made(i, hop) for i, hop in here), *(made(None, Hop(number, 0, 0)) for _ in range(silent))]
        layers.append(Layer(tuple(found), ()))
    width = stream.width
    places = ExactMatrix.from_entries((tokens, width), [(row, stream["place"][row], 1) for row in range(tokens)])
    values = ExactMatrix.from_entries(
        (vocabulary, width), [(row, stream["value"][0], row) for row in range(1, vocabulary)]
    )
    answers = ExactMatrix.zeros(sizes.N[-1], width)
    return Model(stream, Stored(places), Stored(values), tuple(layers), Stored(answers), PRECISION)


@dataclass(frozen=True)
class _Heads:
    stream: Stream
    tokens: int

    def full(self, number: int | None, hop: Hop) -> Head:
        """Scores CERTAIN if the receiver asks the sender, else 0."""
        places = self.stream["place"]
        asked = places[hop.receiver] if hop.if_told is None else self._heard(hop.if_told)
        query = [(0, asked, CERTAIN)] if number is not None else []
        key = [(0, places[hop.sender], 1)]
        return Head(self._row(query), self._row(key), *self._carried(number, hop), Fraction(CERTAIN))

    def recurrent(self, number: int | None, hop: Hop) -> DeltaHead:
        """One number, written by the sender, read by the receiver, and forgotten at ``until``."""
        places, one = self.stream["place"], ExactMatrix.from_rows([[1]])
        query = [(0, places[hop.receiver], 1)] if number is not None else []
        key = [(0, column, 1) for column in places]
        value, out = self._carried(number, hop)
        forget = [(0, places[hop.until], -1)] if hop.until is not None else []
        write = [(0, places[hop.sender], 1)] if number is not None else []
        none = ExactMatrix.zeros(1, 1)
        return DeltaHead(self._row(query), self._row(key), value, self._row(forget), one, self._row(write), none, out)

    def _carried(self, number: int | None, hop: Hop) -> tuple[ExactMatrix, ExactMatrix]:
        source = self.stream["value"][0] if hop.carried == VALUE else self._heard(hop.carried)
        target = [] if number is None else [(self._heard(number), 0, 1)]
        return self._row([(0, source, 1)]), ExactMatrix.from_entries((self.stream.width, 1), target)

    def _heard(self, number: int) -> int:
        return self.stream[f"heard {number}"][0]

    def _row(self, entries: Iterable[tuple[int, int, Fraction | int]]) -> ExactMatrix:
        return ExactMatrix.from_entries((1, self.stream.width), list(entries))
