"""C6.run: the exact run of C6's weights equals the oracle on every input of tiny sizes, at every token.

At tiny sizes every input was run through the exact arithmetic model and the answer at every token compared with the
oracle.
"""

from __future__ import annotations

from constructions.c6 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c6 import query_for_x_itself, threshold_one_higher
from separation.tasks.two_sum import TwoSumSizes

SIZES = tuple(TwoSumSizes(*pair) for pair in ((1, 3), (8, 3), (5, 5), (4, 7), (3, 17)))

STATEMENT = run_statement(
    "C6.run",
    latex=r"F:\ \forall x\ \forall i\ {\rm argmax}\,{\rm logits}_i(x)="
    r"[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)]",
    row=Exhausted([(sizes, [()]) for sizes in SIZES]),
    build=build,
    twins={"a query for x itself": query_for_x_itself, "a threshold one higher": threshold_one_higher},
    witness=((TwoSumSizes(4, 7),), (1, 5, 2, 6)),
    elsewhere=((TwoSumSizes(4, 5),), (1, 4, 2, 3)),
)
