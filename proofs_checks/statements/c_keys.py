"""C.keys: keys depend on positions, never on the contents of tables: why one proof covers all tables.

In C1, C2, C4, C5 and the words the coordinates that a full head's keys read are written by positions and by nothing
else: no token, no head, no MLP. So where a query looks depends on the query alone, and going through all queries
(N_{ℓ-1} of them, or a closed form in the Hamming distance) covers all N^N tables. C6 and C7 are not of that kind:
their keys are the values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from constructions import build as build_construction
from constructions import c1, c6
from constructions.words import build_word
from proofs_checks.kit.hypotheses import only_head
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import ExactMatrix
from separation.models import Head, Model
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Models = Callable[[], Iterable[tuple[str, Model]]]
SIZES = (Sizes(3, ()), Sizes(3, (2, 2)), Sizes(4, (3, 1, 5)))
WORDS = ("FFRFR", "RRFF", "FRFFF")


def constructions() -> Iterable[tuple[str, Model]]:
    for sizes in SIZES:
        for name in ("C1", "C2", "C4", "C5"):
            yield f"{name}, {sizes}", build_construction(name, sizes).model
    for word in WORDS:
        yield word, build_word(word, Sizes(3, (2,))).model


def check(models: Models) -> Checked:
    """The coordinates that a full head's keys read are written by positions alone: by no token, no head and no MLP.

    Then the key of a token is the same for every input, in every layer; so where a query looks depends on the query
    alone, and going through all queries covers all tables. Exact, on the matrices: the columns of W_K that are not 0
    against the rows of W_O, W_2, b_2 and the columns of the token table that are not 0.
    """
    count = 0
    for name, model in models():
        from_tokens = _used(model.tokens.rows(np.arange(model.tokens.height)), axis=0)
        written = set().union(*(_written(layer) for layer in model.layers))
        for number, layer in enumerate(model.layers, start=1):
            for head in layer.heads:
                if isinstance(head, Head):
                    read = _used(head.w_k.numerators, axis=0)
                    require(not read & from_tokens, f"{name}, layer {number}: keys read what tokens hold")
                    require(not read & written, f"{name}, layer {number}: keys read what layers write")
                    count += 1
    return Checked(
        Status.ALL_INPUTS,
        "columns of the exact weights",
        f"{count} heads: C1, C2, C4, C5 at {len(SIZES)} sizes, {len(WORDS)} words",
    )


def _used(matrix: np.ndarray, axis: int) -> set[int]:
    return {int(index) for index in np.flatnonzero((matrix != 0).any(axis=axis))}


def _written(layer: object) -> set[int]:
    heads = [head.w_o for head in layer.heads]  # type: ignore[attr-defined]
    blocks = [matrix for mlp in layer.mlps for matrix in (mlp.w_2, mlp.b_2)]  # type: ignore[attr-defined]
    return set().union(*(_used(matrix.numerators, axis=1) for matrix in [*heads, *blocks]))


def _keys_of_values() -> Iterable[tuple[str, Model]]:
    """Broken: in 2-Sum keys are the values themselves."""
    yield "C6", c6.build(TwoSumSizes(5, 7)).model


def _reads_its_pointer() -> Iterable[tuple[str, Model]]:
    """Broken: C1 with keys that read the pointer too."""
    model = c1.build(Sizes(3, (2, 2))).model
    *first, last = model.layers
    head = only_head(model, -1)
    column = model.stream["pointer"].start
    key = ExactMatrix.from_entries(head.w_k.shape, [*head.w_k.entries(), (0, column, 1)])
    yield "C1", replace(model, layers=(*first, replace(last, heads=(replace(head, w_k=key),))))


STATEMENT = Statement(
    id="C.keys",
    title="keys of C1, C2, C4 and C5 depend on positions alone, at given sizes",
    latex=r"k_j^{(t)}=W_K^{(t)}\,{\rm pos}_j\quad\text{for every input}",
    english="In every full layer of C1, C2, C4 and C5 a token's key is the same for all inputs, so where a query looks "
    "depends on the query alone.",
    subject=constructions,
    check=check,
    twins={"keys of values": _keys_of_values, "keys that read the pointer": _reads_its_pointer},
    speaks_of=("D1", "D2"),
    hypotheses=(Hypothesis("the task is FuncComp", lambda sizes: isinstance(sizes, Sizes), outside=TwoSumSizes(5, 7)),),
    witness=Sizes(3, (2, 2)),
)
