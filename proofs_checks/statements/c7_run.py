"""C7.run: the exact run of C7's weights equals the oracle on every input of tiny sizes, at every token.

At tiny sizes, with blocks of several lengths (one longer than the prompt) and none or one opened, every input was run
through the exact arithmetic model and the answer at every token compared with the oracle.
"""

from __future__ import annotations

from constructions.c7 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.kit.measurements import sparse_heads
from proofs_checks.statements.c7 import mean_of_the_block, one_head_for_two_offsets
from separation.proving import Construction
from separation.tasks.two_sum import TwoSumSizes

CASES = (
    (TwoSumSizes(6, 3), 1, 1),
    (TwoSumSizes(7, 3), 2, 0),
    (TwoSumSizes(7, 3), 3, 1),
    (TwoSumSizes(3, 5), 4, 1),
    (TwoSumSizes(5, 5), 2, 1),
    (TwoSumSizes(4, 7), 3, 0),
)
"""Sizes, B and k."""


def is_run(subject: Construction) -> bool:
    heads = sparse_heads(subject.model)
    return (subject.sizes, len(heads), sum(head.opened for head in heads)) in CASES


STATEMENT = run_statement(
    "C7.run",
    latex=r"S_{B,k}:\ \forall x\ \forall i\ {\rm argmax}\,{\rm logits}_i(x)="
    r"[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)]",
    row=Exhausted([(sizes, [(block, opened)]) for sizes, block, opened in CASES]),
    build=build,
    twins={"the mean of the block": mean_of_the_block, "one head for two offsets": one_head_for_two_offsets},
    witness=((TwoSumSizes(5, 5), 2, 1), (1, 3, 4, 2, 2)),
    elsewhere=((TwoSumSizes(5, 5), 2, 0), (1, 3, 4, 2, 2)),
    is_run=is_run,
)
