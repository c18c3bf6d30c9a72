"""C8: λ sparse layers whose summaries say nothing of what their blocks hold solve 2-Sum at the last token.

n data tokens, workspace tokens, which are part of the prompt, then the query x; (B, k)-sparse layers of k heads that
open one block each, n ≤ (kB)^λ. For every y in 1..M−1 and every level t = 1..λ−1 there are ⌈n/(kB)^t⌉ workspace
tokens, in whole blocks, a multiple of k of them, the rest filling. In layer 1 those of level 1 count y among kB data
tokens; in layer t those of level t average kB counts of the level before; in layer λ the query averages those of
level λ−1 with y = M − x, and says yes if that is above 0.

    one             1    the constant 1, from the position
    block, square   2    b, the number of the token's block, and b²
    value, square   2    x and x² of a data token, else 0
    y, square       2    y and y² of a workspace token, else 0
    target, square  2    a, the first block that a workspace token or the query reads, and a²
    level 1..λ      λ    what layer t brought

Scores are squares: −(a+h−b)², in layer 1 −(y−x)² more, and P = 0, so that a token weighs 1 if its score is 0, else 0.
A summary is (b, b²) and nothing else: the block that is read has the highest one. In layer 1 its score is −y² < 0 and
it weighs nothing; later it weighs 1 and its value is 0. So layer 1 brings exactly 1 or 0 for each block, a later
layer the sum of its B counts over B+1, rounded down: above 0 if one of them is, as f has ⌈log2(B+1)⌉ bits for each
layer. Nothing is approximate, and no size is special: this is the proof for all inputs. Width 9 + λ, whatever n and M
are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from constructions.squares import pairs, search, stored
from separation.arithmetic import Precision
from separation.files import InputError
from separation.models import Blocks, Layer, Model, SparseHead, Stream
from separation.programs import Program, where
from separation.proving import Construction
from separation.tasks.checks import require_integer
from separation.tasks.shape import bit_count


@dataclass(frozen=True)
class Workspace:
    """n data tokens modulo M, blocks of B, k heads, λ layers; where all tokens stand."""

    length: int = 4
    modulus: int = 3
    block: int = 2
    opened: int = 1
    layers: int = 2

    def __post_init__(self) -> None:
        for name, least in (("length", 1), ("modulus", 3), ("block", 1), ("opened", 1), ("layers", 2)):
            require_integer(name, getattr(self, name), least)
        if self.modulus % 2 == 0:
            raise InputError(f"the modulus is {self.modulus}; an odd one is needed")
        most = (self.opened * self.block) ** self.layers
        if self.length > most:
            raise InputError(f"{self.length} data tokens are more than (kB)^λ = {most}: D2 may forbid it")

    def blocks_of(self, level: int) -> int:
        """Blocks of a level, for each y, and of the data (level 0): as many as k of them are read at once."""
        tokens = self.length
        for _ in range(level):
            tokens = -(-tokens // (self.block * self.opened))
        return -(-tokens // (self.block * self.opened)) * self.opened

    def first_block(self, level: int, y: int) -> int:
        """The number of the first block of y: the data, the levels before, the y before; level 0 is the data."""
        if level == 0:
            return 0
        before = sum((self.modulus - 1) * self.blocks_of(each) for each in range(1, level))
        return self.blocks_of(0) + before + (y - 1) * self.blocks_of(level)

    @property
    def query(self) -> int:
        """The position of the last token."""
        return self.first_block(self.layers, 1) * self.block

    def program(self) -> Program:
        """The task: is there a data token with the value M − x? Ids: x − 1 of data, M − 1 of workspace, M − 1 + x."""
        p = Program("2-Sum with workspace")
        data, _ = p.tokens("data", self.length, x=self.modulus - 1), p.tokens("workspace", self.spaces, blank=1)
        query = p.tokens("query", 1, x=self.modulus - 1)
        minus = p.map(lambda x: self.modulus - 2 - x, query.x, name="minus")
        p.answer(data.exists(where(data.x == minus)))
        return p

    @property
    def spaces(self) -> int:
        """Tokens between the data and the query."""
        return self.query - self.length


SIZES = Workspace
"""What it is built for."""


def build(sizes: Workspace) -> Construction:
    """The weights, with the task that they solve; `exhaustive_certificate` runs all inputs of small sizes."""
    return Construction("C8", sizes.program().definitions, weights(sizes))


def weights(sizes: Workspace) -> Model:
    levels = [f"level {number}" for number in range(1, sizes.layers + 1)]
    stream = Stream([("one", 1), *pairs("block", "value", "y", "target"), *((level, 1) for level in levels)])
    fraction = (sizes.layers - 1) * bit_count(sizes.block + 1) + bit_count(sizes.block * sizes.opened + 1)
    largest = max(sizes.query, sizes.modulus, sizes.opened) + sizes.opened
    bits = fraction + 2 * bit_count(largest + 1) + 2
    numbers, ids = range(1, sizes.layers + 1), range(2 * sizes.modulus - 1)
    layers = [Layer(tuple(_head(stream, sizes, t, h) for h in range(sizes.opened)), ()) for t in numbers]
    above = 1 << fraction + 1
    return Model(
        stream=stream,
        positions=stored(stream, (_position(sizes, place) for place in range(sizes.query + 1))),
        tokens=stored(stream, (_token(sizes, number) for number in ids)),
        layers=tuple(layers),
        unembedding=stored(stream, [{levels[-1]: -above, "one": 1}, {levels[-1]: above, "one": -1}]),
        precision=Precision(score_bits=0, bits=bits, fraction_bits=fraction),
    )


def _position(sizes: Workspace, place: int) -> dict[str, int]:
    """Where a token stands, and, of a workspace token, its y and the first block it reads."""
    block, offset = divmod(place, sizes.block)
    values = {"one": 1, "block": block}
    for level in range(1, sizes.layers):
        start, each = sizes.first_block(level, 1), sizes.blocks_of(level)
        y, own = divmod(block - start, each)
        if 0 <= block - start < (sizes.modulus - 1) * each:
            number = own * sizes.block + offset
            values |= {"y": y + 1, "target": sizes.first_block(level - 1, y + 1) + number * sizes.opened}
            if number * sizes.opened >= sizes.blocks_of(level - 1):
                values["target"] = sizes.query + 1  # filling: there is no such block
    return values


def _token(sizes: Workspace, number: int) -> dict[str, int]:
    """A data token's x; nothing of workspace; the query's first block of y = M − x."""
    M = sizes.modulus
    if number < M:
        return {"value": (number + 1) % M}
    return {"target": sizes.first_block(sizes.layers - 1, 2 * M - 1 - number)}


def _head(stream: Stream, sizes: Workspace, layer: int, h: int) -> SparseHead:
    """Score −(a+h−b)², and −(y−x)² in layer 1; value 1 in layer 1, then what the layer before brought."""
    terms: list[tuple[str, str | None, int]] = [("block", "target", h), ("value", "y", 0)]
    names = ["block", "block square", "value", "value square", "one"]
    if layer > 1:
        terms, names = terms[:1], [name for name in names if not name.startswith("value")]
    w_q, w_k = search(stream, terms)
    tokens = Stream([(f"{name} {token}", 1) for token in range(sizes.block) for name in names])
    summary = Blocks(Stream([(name, 1) for name in names]), tokens)
    for name in ("block", "block square", "one"):  # of the first token: where it stands, never what it is
        summary.copy(name, f"{name} 0")
    count = Stream([("count", 1)])
    return SparseHead(
        w_q=w_q,
        w_k=w_k,
        w_v=Blocks(count, stream).copy("count", "one" if layer == 1 else f"level {layer - 1}").build(),
        c_k=summary.build(),
        c_v=Blocks(count, Stream([(f"count {token}", 1) for token in range(sizes.block)])).build(),
        w_o=Blocks(stream, count).copy(f"level {layer}", "count").build(),
        shift=Fraction(0),
        block=sizes.block,
        opened=1,
    )
