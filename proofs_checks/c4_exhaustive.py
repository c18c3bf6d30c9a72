"""C4.run: the exact run of C4's weights equals the oracle on every input of tiny sizes."""

from __future__ import annotations

from collections.abc import Callable

from constructions.c4 import build
from proofs_checks.c4_proved import one_layer_fewer, only_w_takes_over
from proofs_checks.statement import Checked, Statement, Status, require
from separation.models import run
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, enumerate_token_ids

SIZES = (
    *(Sizes(m, ()) for m in (2, 3, 4, 5)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))),
    *(Sizes(2, n) for n in ((1, 1), (1, 2), (1, 1, 1), (1, 1, 1, 1))),
)


def check(builder: Callable[[Sizes], Construction]) -> Checked:
    count = 0
    for sizes in SIZES:
        model = builder(sizes).model
        for ids, answers in enumerate_token_ids(sizes, 4096):
            wrong = run(model, ids).answers != answers
            require(not wrong.any(), f"{sizes}: wrong on token ids {ids[wrong][:1].tolist()}")
            count += len(answers)
    return Checked(
        Status.EXHAUSTIVE, "exact integer run against the oracle", f"all {count} inputs of {len(SIZES)} sizes"
    )


STATEMENT = Statement(
    id="C4.run",
    title="C4 run exactly, exhaustively",
    latex=r"\forall\,(z,w):\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    english="At tiny sizes every input was run through the exact arithmetic model, with the proved P and p.",
    subject=build,
    check=check,
    twins={
        "one layer fewer": one_layer_fewer,
        "only w takes over what it reads": only_w_takes_over,
    },
    rests_on=("D1", "D2"),
)
