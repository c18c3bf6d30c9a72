"""C9: two full layers, FF, solve two or three tables at sizes that their messages can hold: exact weights.

Reading ahead: in layer 1 every token of table L−1 reads all n_{L-1} successors of its own value v in table L, by a
head for each digit, score −(digit − d)² − (v − i)². With two tables w reads z_0 meanwhile; with three it reads z_0
and all of table 1, by a head for each entry, and its MLP chooses i_1 = z_1(z_0). In layer 2 w finds that token of
table L−1, score −(z_0 − i)², or −(w_1 − d)² − (i_1 − i)², reads all its successors by one head, and its MLP chooses
the one of its digit.

    one                       1          1, from the position
    table, and its square     2          ℓ of an entry of table ℓ; 0 of z_0; −1 of w
    digit, index, squares     4          (d, i) of an entry of table ℓ
    value, square             2          v of an entry, z_0
    first, last, squares      4          w_1 (of three tables) and w_{L-1}, of w
    start, square             2          z_0, read by w
    entries, squares          2·m        z_1, read by w (of three tables)
    hop, square               2          i_1, chosen by w (of three tables)
    ahead, read               2·n_{L-1}  the successors of v; of w those that it read
    answer                    1          the one of its digit
    far                       max(m, n)  distances, while an MLP chooses

Scores are minus sums of squares and P = 0: a token weighs 1 if it is the one that is looked for, else 0, and a head
that finds none brings 0. Choosing is a ReLU: relu(a_d − N·|d − w|) is a_d if d = w and else 0, as values are below N.
Nothing is approximate, and no size is special: this is the proof for all inputs. β is what Definition M1 counts of
these heads.
"""

from __future__ import annotations

from dataclasses import dataclass

from constructions.bracket_table import Threshold
from constructions.squares import Terms, finder, funccomp_positions, pairs, stored
from separation.arithmetic import Precision
from separation.bounds.condition import least_that
from separation.bounds.cube_search import CubeSearch
from separation.bounds.theorems.theorem_a3c import TheoremA3c
from separation.bounds.theorems.theorem_b2c import TheoremB2c
from separation.files import InputError
from separation.models import MLP, Head, Layer, Model, Stream, Unit
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = Sizes
"""What it is built for."""
SQUARED = ("table", "digit", "index", "value", "first", "last", "start", "hop")


def build(sizes: Sizes) -> Construction:
    """The weights, with the task that they solve."""
    if sizes.L not in (2, 3):
        raise InputError(f"L is {sizes.L}; FF reads ahead with 2 or 3 tables")
    return Construction("C9", sizes, weights(sizes))


def weights(sizes: Sizes) -> Model:
    stream = _stream(sizes)
    first = [_ahead(sizes, stream, digit) for digit in range(sizes.n[-1])] + [_start(stream)]
    chosen: list[MLP] = []
    if sizes.L == 3:
        first += [_entry(stream, place) for place in range(sizes.m)]
        for square, out in (("", "hop"), (" square", "hop square")):
            chosen += _choice(stream, "start", [f"entry {e}{square}" for e in range(sizes.m)], out, sizes.m**2)
    last = _choice(stream, "last", [f"read {digit}" for digit in range(sizes.n[-1])], "answer", sizes.N[-1])
    largest = max(sizes.N[-1], sizes.length, 4) ** 2 * (sizes.length + 2)
    return Model(
        stream=stream,
        positions=funccomp_positions(sizes, stream, w=-1),
        tokens=stored(stream, (_token(sizes, number) for number in range(sizes.vocabulary))),
        layers=(Layer(tuple(first), tuple(chosen)), Layer((_found(sizes, stream),), tuple(last))),
        # −(a − answer)² + answer-free terms: 2·a·answer − answer²
        unembedding=stored(stream, ({"answer": 2 * each, "one": -(each**2)} for each in range(sizes.N[-1]))),
        precision=Precision(score_bits=0, bits=bit_count(largest) + 1, fraction_bits=0),
    )


def beta(sizes: Sizes) -> int:
    """The most bits that one layer brings to a token, counted by what its messages can be.

    A head finds one token or none, so its numerators and its denominator together are one of N_{L-1} + 1 messages (m +
    1 where it carries z_0 or an entry of table 1); the head of layer 2, which carries n_{L-1} values, one of N^n + 1.
    """
    m, n, N = sizes.m, sizes.n[-1], sizes.N[-1]
    small = 1 if sizes.L == 2 else 1 + m
    return max(n * bit_count(N + 1) + small * bit_count(m + 1), bit_count(N**n + 1))


BRACKETED = (
    *((4, (2,)), (8, (4,)), (16, (8,)), (32, (8,)), (64, (16,))),
    *((8, (1, 4)), (16, (1, 8)), (32, (1, 16)), (64, (1, 32))),
)


@dataclass(frozen=True)
class TwoLayerRow(Threshold):
    """FF at these sizes: messages of ``impossible`` bits are too short (B2c, A3c), with ``built`` there are weights."""

    m: int
    n: tuple[int, ...]


def two_layer_rows() -> list[TwoLayerRow]:
    """The table "certified impossible up to, built from" for FF, L = 2 and 3."""
    return [TwoLayerRow(largest_impossible(m, n), beta(Sizes(m, n)), m, n) for m, n in BRACKETED]


def largest_impossible(m: int, n: tuple[int, ...]) -> int | None:
    """The largest β that B2c, or A3c, excludes at these sizes; None if it excludes none."""
    theorem, tables = (TheoremB2c(), 2) if len(n) == 1 else (TheoremA3c(), 3)

    def excluded(bits: int) -> bool:
        chosen = CubeSearch(theorem, tables, 0, bits, (0, 0, 0)).choice(m, n)[1]
        return theorem.at(m, n, chosen, bits, (0, 0, 0), tables).certified

    return least_that(lambda bits: not excluded(bits), 1) - 1 or None


def _stream(sizes: Sizes) -> Stream:
    entries = [f"entry {e}" for e in range(sizes.m if sizes.L == 3 else 0)]
    ahead = [(f"{what} {digit}", 1) for what in ("ahead", "read") for digit in range(sizes.n[-1])]
    return Stream([("one", 1), *pairs(*SQUARED, *entries), *ahead, ("answer", 1), ("far", max(sizes.m, sizes.n[-1]))])


def _token(sizes: Sizes, number: int) -> dict[str, int]:
    """A value; or the digits of w, the last of them the lowest."""
    if number < sizes.N[-1]:
        return {"value": number}
    first, last = divmod(number - sizes.N[-1], sizes.n[-1])
    return {"first": first, "last": last}


def _ahead(sizes: Sizes, stream: Stream, digit: int) -> Head:
    terms = [("table", None, sizes.L), ("digit", None, digit), ("index", "value", 0)]
    return finder(stream, terms, {"value": f"ahead {digit}"})


def _start(stream: Stream) -> Head:
    return finder(stream, [("table", None, 0)], {"value": "start", "value square": "start square"})


def _entry(stream: Stream, place: int) -> Head:
    moved = {"value": f"entry {place}", "value square": f"entry {place} square"}
    return finder(stream, [("table", None, 1), ("index", None, place)], moved)


def _found(sizes: Sizes, stream: Stream) -> Head:
    here: Terms = [("index", "start", 0)] if sizes.L == 2 else [("digit", "first", 0), ("index", "hop", 0)]
    moved = {f"ahead {digit}": f"read {digit}" for digit in range(sizes.n[-1])}
    return finder(stream, [("table", None, sizes.L - 1), *here], moved)


def _choice(stream: Stream, own: str, slots: list[str], out: str, most: int) -> list[MLP]:
    """out ← Σ_d relu(slot_d − most·|d − own|), slots below ``most``; distances are put down and taken away again."""
    count = len(slots)
    far = stream["far"][:count]
    (chosen,), (into,) = stream[own], stream[out]
    apart = [Unit({chosen: sign}, -sign * d, {far[d]: 1}) for sign in (1, -1) for d in range(count)]
    picked = [Unit({stream[slot][0]: 1, far[d]: -most}, 0, {into: 1}) for d, slot in enumerate(slots)]
    cleared = [Unit({place: 1}, 0, {place: -1}) for place in far]
    return [MLP.of_units(stream.width, apart), MLP.of_units(stream.width, [*picked, *cleared])]
