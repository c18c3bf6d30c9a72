"""C1: L+1 full-attention layers solve L-FuncComp, proved for all inputs.

At w, layer 1 reads z_0; layer 2 reads table 1 at i_0; layer k+1 reads table k at (w_{k-1}, i_{k-1}). The query is τ
times the code of (number of the table, w_{k-1}, i_{k-1}), keys are the codes of (number of the token's table, its
address), values are the codes of what the tokens say. The head writes what it read into a scratch slot; the MLP clips
it into the pointer, erases the old pointer and empties the scratch. One head, L+1 layers, width O(log n + L), τ =
O(log log n). By default p = P = max(8, ⌈log2 n⌉); P = 0 is enough, since the match weighs exactly 2^P, and so is a
smaller p at small sizes.

**Why one proof covers all inputs.** Keys depend on positions, never on what tables say, so where a query looks depends
on the query alone; what it finds there is by definition (D1) the next hop. The proof checks {Inv_{k-1}} layer k
{Inv_k} on the actual weights, where Inv names what each slot of each kind of token holds. Tokens other than the last
pass through every layer too: their pointers hold arbitrary numbers within ±1, and the proof shows that nothing ever
reads them. The rules are in [proving.md](proving.md).

At tiny sizes every input is also run through the exact arithmetic model, and the answer compared with the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator

from constructions.c1 import build
from proofs_checks.kit.construction_checks import TINY, Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    after,
    half_the_temperature,
    last_layer_dropped,
    last_layers_swapped,
    of_weights,
    one_bit_fewer,
    shifts_lowered,
)
from proofs_checks.kit.statement import Lazy, Statement
from separation.proving import Construction, Proof
from separation.tasks.funccomp import Sizes

SIZES = (Sizes(5, ()), Sizes(3, (2,)), Sizes(4, (3, 2)), Sizes(2, (2, 2, 2)), Sizes(8, (8, 8)))


last_two_layers_swapped = after(last_layers_swapped, build)


def demands(subject: Construction, _proof: Proof, sizes: Sizes) -> Iterator[Demand]:
    yield len(subject.model.layers) <= sizes.L + 1, "more than L+1 layers"


ROW = Proved(
    [(sizes,) for sizes in SIZES], sizes_and_tokens(SIZES), demands, Exhausted([(sizes, [()]) for sizes in TINY])
)
WITNESS = Lazy(lambda: build(Sizes(3, (2,))))

STATEMENT = Statement(
    id="C1",
    title="F^(L+1) solves L-FuncComp at given sizes",
    latex=r"F^{L+1}\ \text{solves}\ L\text{-FuncComp}(m;n_1,\dots,n_{L-1})",
    english="A decoder of L+1 full-attention layers with one head and width O(log n + L) answers every input.",
    subject=build,
    check=ROW.check,
    twins={
        "half the temperature": after(half_the_temperature, build),
        "last two layers swapped": last_two_layers_swapped,
        "one layer fewer": after(last_layer_dropped, build),
        "shifts one below a match's score": after(shifts_lowered, build),
        "one bit fewer": after(one_bit_fewer, build),
    },
    hypotheses=of_weights(WITNESS, SIZES, elsewhere=Lazy(lambda: build(Sizes(3, (3,))))),
    witness=WITNESS,
    applies_to=("D1", "D2"),
    rests_on=("S1", "S2", "S3", "S4"),
)
