"""C7.run: the exact run of C7's weights equals the oracle on every input of tiny sizes, at every token."""

from __future__ import annotations

from constructions.c7 import build
from proofs_checks.c7_proved import Builder, mean_of_the_block, one_head_for_two_offsets, sparse_heads
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.suppositions import Prompted, of_prompts
from separation.models import run
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

CASES = (
    (TwoSumSizes(6, 3), 1, 1),
    (TwoSumSizes(7, 3), 2, 0),
    (TwoSumSizes(7, 3), 3, 1),
    (TwoSumSizes(3, 5), 4, 1),
    (TwoSumSizes(5, 5), 2, 1),
    (TwoSumSizes(4, 7), 3, 0),
)


def check(builder: Builder) -> Checked:
    count = 0
    for sizes, block, opened in CASES:
        model = builder(sizes, block, opened).model
        for ids, wanted in enumerate_tokens(sizes, 1024):
            wrong = (run(model, ids, every_row=True).answers != wanted).any(axis=1)
            require(not wrong.any(), f"{sizes}, B = {block}, k = {opened}: wrong on {ids[wrong][:1].tolist()}")
            count += len(ids)
    return Checked(
        Status.EXHAUSTIVE, "exact integer run against the oracle", f"all {count} inputs of {len(CASES)} sizes"
    )


def is_run(prompted: Prompted) -> bool:
    heads = sparse_heads(prompted.construction.model)
    return (prompted.construction.sizes, len(heads), sum(head.opened for head in heads)) in CASES


WITNESS = Prompted(build(TwoSumSizes(5, 5), 2, 1), (1, 3, 4, 2, 2))
ELSEWHERE = Prompted(build(TwoSumSizes(5, 5), 2, 0), (1, 3, 4, 2, 2))

STATEMENT = Statement(
    id="C7.run",
    title="C7 run exactly, exhaustively",
    latex=r"S_{B,k}:\ \forall x\ \forall i\ {\rm argmax}\,{\rm logits}_i(x)="
    r"[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)]",
    english="At tiny sizes every input was run through C7's weights in exact arithmetic, and all its tokens were read.",
    subject=build,
    check=check,
    twins={"the mean of the block": mean_of_the_block, "one head for two offsets": one_head_for_two_offsets},
    speaks_of=("D2", "D3"),
    hypotheses=(
        Hypothesis("n, M, B and k are among those run", is_run, ELSEWHERE),
        *of_prompts(WITNESS, {sizes for sizes, _, _ in CASES}, ELSEWHERE)[1:],
    ),
    witness=WITNESS,
)
