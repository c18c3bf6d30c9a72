"""C1.run: the exact run of C1's weights equals the oracle on every input of tiny sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from constructions.c1 import build
from proofs_checks.c1_proved import last_two_layers_swapped
from proofs_checks.statement import Checked, Statement, Status, require
from proofs_checks.suppositions import Prompted, of_prompts
from separation.models import run
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, enumerate_token_ids

SIZES = (
    *(Sizes(m, ()) for m in (2, 3, 4, 5)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))),
    Sizes(2, (1, 1)),
)


def check(builder: Callable[[Sizes], Construction], cases: Sequence[Sizes] = SIZES) -> Checked:
    count = 0
    for sizes in cases:
        model = builder(sizes).model
        for ids, answers in enumerate_token_ids(sizes, 4096):
            wrong = run(model, ids).answers != answers
            require(not wrong.any(), f"{sizes}: wrong on token ids {ids[wrong][:1].tolist()}")
            count += len(answers)
    return Checked(
        Status.EXHAUSTIVE, "exact integer run against the oracle", f"all {count} inputs of {len(cases)} sizes"
    )


WITNESS = Prompted(build(Sizes(2, (2,))), (3, 0, 1, 2, 1, 0, 1, 5))
"""z_2 = (3, 0, 1, 2), z_1 = (1, 0), z_0 = 1, w_1 = 1."""

STATEMENT = Statement(
    id="C1.run",
    title="C1 run exactly, exhaustively",
    latex=r"F^{L+1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    english="At tiny sizes every input was run through C1's weights in exact arithmetic, with the proved P and p.",
    subject=build,
    check=check,
    twins={"last two layers swapped": last_two_layers_swapped},
    hypotheses=of_prompts(WITNESS, SIZES, elsewhere=Prompted(build(Sizes(6, ())), (5, 4, 3, 2, 1, 0, 1, 6))),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
