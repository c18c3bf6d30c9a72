"""`python -m tools.bracket`: checks every cell of the bracket's table, and writes constructions/bracket_record.json.

python -m tools.bracket --workers 2   # a few minutes
python -m tools.bracket --most 8      # m and n_1 up to 8; the rows of larger ones are kept as they are
python -m tools.bracket --check       # compares and writes nothing

With P = 0 a key weighs 1 if its score is the head's shift, and 0 if it is below. So a token hears a number from a head
only if its query may reach the shift; and as no two keys are alike, that is one coordinate of one token's value, −1 or
+1: one bit for each. An entry of a state is a bit of table 1 or of z_0, or, at a boundary before that token, 0; the
normaliser, 0 before z_0's token and 1 after it, says nothing.
"""

from __future__ import annotations

import argparse
import sys
import time
from hashlib import sha256
from typing import Any

from constructions import bracket
from constructions.bracket_table import (
    RECORD,
    SIZES,
    Cell,
    bracket_cells,
    bracket_row,
    excluding_theta,
    recorded,
)
from separation.bounds.certificate import bound_certificate
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.files import InputError, json_text, write_whole
from separation.models import LinearHead
from separation.pieces import results_as_finished
from separation.protocol import Public
from separation.proving import Construction, kernel
from separation.proving.certificates import accepted, kernel_certificate
from separation.proving.construction import construction_to_document
from separation.tasks.funccomp import Sizes

MARGIN = 2
"""Of the answer's logit: each bit of the pointer is ±1."""


class NotKnown(Exception):
    """A cell whose row would say what does not hold."""


def checked_cell(cell: Cell) -> dict[str, Any]:
    """The row of the record: the kernel accepts both sides, and β and Λ are as the table says."""
    word, m, n1, cell_bits = cell
    row, sizes = bracket_row(*cell), Sizes(m, (n1,))
    subject = bracket.build(sizes, word, cell_bits)
    try:
        certificate = kernel_certificate(subject, MARGIN)
    except InputError as error:
        raise NotKnown(f"{cell}: not proved: {error}") from None
    if bits_in_weights(subject) != (row.built, row.state_bits):
        found = bits_in_weights(subject)
        raise NotKnown(f"{cell}: the weights have β and Λ {found}, not {row.built}, {row.state_bits}")
    excluded = bool(row.impossible)
    if row.impossible:
        theta = excluding_theta(m, n1, row.impossible, row.state_bits)
        accepted(bound_certificate(theorem_a2(m, (n1,), theta, row.impossible, row.state_bits)))
    full = next(number for number, layer in enumerate(subject.model.layers, start=1) if "F" in layer.letter)
    claim, weights = certificate["claim"], json_text(certificate["model"])
    return {
        "word": word,
        "m": m,
        "n1": n1,
        "cell_bits": cell_bits,
        "model_sha256": sha256(weights.encode()).hexdigest(),
        "margin": claim["margin"],
        "inputs_covered_log2": claim["inputs_covered_log2"],
        "weights_beta": Public(subject.model, sizes.length).beta(full),
        "excluded_certified": excluded,
    }


Bits = tuple[int, tuple[int, ...]]
"""β, and Λ_0, Λ_1."""


def bits_in_weights(construction: Construction) -> Bits:
    """The largest sum, over the heads that a kind of token may hear, of their values; and the entries of states."""
    model = construction.model
    if model.precision.score_bits:
        raise ValueError(f"P is {model.precision.score_bits}: keys that do not match are heard as well")
    kernel.Work.start()
    proof = kernel.Proof(kernel.Model(construction_to_document(construction)), True)
    heard, entries = [0 for _ in proof.kinds], list[int]()
    for stage, layer, weighed in zip(proof.model.invariants, model.layers, proof.model.layers, strict=False):
        for head in (head for head in weighed.heads if head.type == "full"):
            query, key = ([proof.apply(head.weights[name], x) for x, _ in stage] for name in ("W_Q", "W_K"))
            for place, asked in enumerate(query):
                seen = [kernel.highest(proof.scores(asked, key[other])) for other in proof.visible(place)]
                if max(seen) >= head.shift:
                    heard[place] += head.values
        stored = layer.heads_of(LinearHead)
        if stored:
            entries.append(sum(head.w_k.shape[0] * head.w_v.shape[0] for head in stored))
    word = Public(model, construction.shape.length).word
    return max(heard), word.cumulative_bits(entries)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.bracket", description=__doc__)
    parser.add_argument("--most", type=int, default=max(SIZES), help="the largest m and n_1 that are checked")
    parser.add_argument("--check", action="store_true", help="compare with the record; write nothing")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    chosen = parser.parse_args(arguments)
    known, start = recorded() if RECORD.exists() else {}, time.monotonic()
    asked = [cell for cell in bracket_cells() if max(cell[1:3]) <= chosen.most]
    found = dict(known)
    for place, row in results_as_finished(checked_cell, asked, workers=chosen.workers):
        found[asked[place]] = row
        print(f"{time.monotonic() - start:7.1f} s  {asked[place]}", file=sys.stderr)
    rows, stale = (
        [found[cell] for cell in bracket_cells() if cell in found],
        sum(found[c] != known.get(c) for c in asked),
    )
    if chosen.check:
        print(f"{stale} rows differ from the record")
        return 1 if stale else 0
    lines = ",\n".join(json_text(row) for row in rows)
    write_whole(RECORD, f'{{"made_by": "python -m tools.bracket", "rows": [\n{lines}\n]}}\n')
    print(f"{len(rows)} rows")
    return 0


if __name__ == "__main__":
    sys.exit(main())
