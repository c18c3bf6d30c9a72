"""FuncComp in L+1 full layers whose scores are squares: attention alone, 7 key numbers and 2 values a head, no MLP.

A number i is held as the pair (i, i²). The stream, of 4L + 15 coordinates, every slot a pair but the first:

| slot | holds |
|---|---|
| one | 1, from the position |
| table, digit, index | which table a token is of (0: z_0, L+1: w), and its place there, from the position |
| value | what the token says; 0 at w |
| digit 0 … digit L | at w: 0, 0, w_1, …, w_{L-1}; digit k is that of the address at which table k is read |
| hop 0 … hop L+1 | 0, then i_0, …, i_L: layer k reads table k at (digit k, hop k) and writes hop k+1 |

The score of a token at (ℓ', g', a') for w in layer k is −τ·((k−ℓ')² + (g−g')² + (a−a')²): 0 at the match and at most −τ
elsewhere, so with τ = P + 1 every other weight ⌊2^P·exp(score)⌋ is 0. Nothing leaks, and nothing has to be erased.
Squares.v has the same weights as functions of the sizes, and proves them right at every size (docs/coq.md).
"""

from __future__ import annotations

from constructions.hops import asked_digits, hops
from constructions.squares import finder, funccomp_positions, pairs, stored
from separation.arithmetic import ExactMatrix, Precision
from separation.models import Layer, Model, Stored, Stream
from separation.proving import Construction
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

SIZES = Sizes
"""What it is built for."""


def build(sizes: Sizes, score_bits: int = 0) -> Construction:
    """The weights, with the task that they solve; ``score_bits`` is P."""
    return Construction("C1.squares", sizes, weights(sizes, score_bits))


def weights(sizes: Sizes, score_bits: int = 0) -> Model:
    """q = τ·(2k, −1, 2g, −1, 2a, −1, −(k² + g² + a²)), keys (ℓ', ℓ'², g', g'², a', a'², 1), shift 0, τ = P + 1.

    where P is ``score_bits``.
    """
    tau, L, N = score_bits + 1, sizes.L, sizes.N[-1]
    steps = [f"digit {step}" for step in range(L + 1)] + [f"hop {step}" for step in range(L + 2)]
    stream = Stream([("one", 1), *pairs("table", "digit", "index", "value", *steps)])
    asked = {f"digit {hop.number}": asked_digits(sizes, hop).tolist() for hop in hops(sizes)[2:]}
    queries = [{slot: digits[query] for slot, digits in asked.items()} for query in range(sizes.queries)]
    layers = []
    for step in range(L + 1):
        terms = [("table", None, step), ("digit", f"digit {step}", 0), ("index", f"hop {step}", 0)]
        moved = {"value": f"hop {step + 1}", "value square": f"hop {step + 1} square"}
        layers.append(Layer((finder(stream, terms, moved, tau),), ()))
    last, one = stream[f"hop {L + 1}"][0], stream["one"][0]  # 2·v·i − v² is largest at v = i
    answers = [entry for v in range(N) for entry in ((v, last, 2 * v), (v, one, -(v**2)))]
    largest = tau * ((L + 1) ** 2 + max((1, *sizes.n)) ** 2 + 2 * N**2)
    return Model(
        stream=stream,
        positions=funccomp_positions(sizes, stream, w=L + 1),
        tokens=stored(stream, [*({"value": number} for number in range(N)), *queries]),
        layers=tuple(layers),
        unembedding=Stored(ExactMatrix.from_entries((N, stream.width), answers)),
        precision=Precision(score_bits, bit_count(largest + 1), 0),
    )
