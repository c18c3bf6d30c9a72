"""C2.run: the exact run of C2's weights equals the oracle on every input of tiny sizes."""

from __future__ import annotations

from constructions.c2 import FAMILIES, build
from proofs_checks.c2_proved import Builder, last_two_layers_swapped, words, z0_handed_on
from proofs_checks.statement import Checked, Statement, Status, require
from proofs_checks.suppositions import Prompted, of_prompts
from separation.models import run
from separation.tasks.funccomp import Sizes, enumerate_token_ids

SIZES = (*(Sizes(m, ()) for m in (2, 3, 4)), *(Sizes(2, (n,)) for n in (1, 2)), Sizes(2, (1, 1)))


def check(builder: Builder) -> Checked:
    count = 0
    for sizes in SIZES:
        models = [builder(sizes, word, family).model for word in words(sizes) for family in FAMILIES]
        for ids, answers in enumerate_token_ids(sizes, 4096):
            for model in models:
                wrong = run(model, ids).answers != answers
                require(not wrong.any(), f"{sizes}, {model.word}: wrong on token ids {ids[wrong][:1].tolist()}")
            count += len(answers)
    return Checked(
        Status.EXHAUSTIVE,
        "exact integer run against the oracle",
        f"all {count} inputs of {len(SIZES)} sizes, both orders, {' and '.join(FAMILIES)}",
    )


WITNESS = Prompted(build(Sizes(2, (2,)), "RFF", "linear"), (3, 0, 1, 2, 1, 0, 1, 5))

STATEMENT = Statement(
    id="C2.run",
    title="C2 run exactly, exhaustively",
    latex=r"RF^{L},\ FRF^{L-1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    english="At tiny sizes every input was run through C2's weights in exact arithmetic, with the proved P and p.",
    subject=build,
    check=check,
    twins={
        "last two layers swapped": last_two_layers_swapped,
        "F first, and R hands on z_0": z0_handed_on,
    },
    hypotheses=of_prompts(
        WITNESS, SIZES, elsewhere=Prompted(build(Sizes(5, ()), "FR", "delta"), (4, 3, 2, 1, 0, 1, 5))
    ),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
