"""C6.run: the exact run of C6's weights equals the oracle on every input of tiny sizes, at every token."""

from __future__ import annotations

from collections.abc import Callable

from constructions.c6 import build
from proofs_checks.c6_proved import query_for_x_itself, threshold_one_higher
from proofs_checks.statement import Checked, Statement, Status, require
from proofs_checks.suppositions import Prompted, of_prompts
from separation.models import run
from separation.proving import Construction
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

SIZES = tuple(TwoSumSizes(*pair) for pair in ((1, 3), (8, 3), (5, 5), (4, 7), (3, 17)))


def check(builder: Callable[[TwoSumSizes], Construction]) -> Checked:
    count = 0
    for sizes in SIZES:
        model = builder(sizes).model
        for ids, wanted in enumerate_tokens(sizes, 1024):
            wrong = (run(model, ids, every_row=True).answers != wanted).any(axis=1)
            require(not wrong.any(), f"{sizes}: wrong on {ids[wrong][:1].tolist()}")
            count += len(ids)
    return Checked(
        Status.EXHAUSTIVE, "exact integer run against the oracle", f"all {count} inputs of {len(SIZES)} sizes"
    )


WITNESS = Prompted(build(TwoSumSizes(4, 7)), (1, 5, 2, 6))

STATEMENT = Statement(
    id="C6.run",
    title="C6 run exactly, exhaustively",
    latex=r"F:\ \forall x\ \forall i\ {\rm argmax}\,{\rm logits}_i(x)="
    r"[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)]",
    english="At tiny sizes every input was run through C6's weights in exact arithmetic, and all its tokens were read.",
    subject=build,
    check=check,
    twins={"a query for x itself": query_for_x_itself, "a threshold one higher": threshold_one_higher},
    speaks_of=("D2", "D3"),
    hypotheses=of_prompts(WITNESS, SIZES, elsewhere=Prompted(build(TwoSumSizes(4, 5)), (1, 4, 2, 3))),
    witness=WITNESS,
)
