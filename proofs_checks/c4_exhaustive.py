"""C4.run: the exact run of C4's weights equals the oracle on every input of tiny sizes."""

from __future__ import annotations

from functools import partial

from constructions.c4 import build
from proofs_checks.c1_exhaustive import check
from proofs_checks.c4_proved import one_layer_fewer, only_w_takes_over
from proofs_checks.statement import Statement
from proofs_checks.suppositions import Prompted, of_prompts
from separation.tasks.funccomp import Sizes

SIZES = (
    *(Sizes(m, ()) for m in (2, 3, 4, 5)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))),
    *(Sizes(2, n) for n in ((1, 1), (1, 2), (1, 1, 1), (1, 1, 1, 1))),
)

WITNESS = Prompted(build(Sizes(2, (2,))), (3, 0, 1, 2, 1, 0, 1, 5))

STATEMENT = Statement(
    id="C4.run",
    title="C4 run exactly, exhaustively",
    latex=r"F_{\leftrightarrow}^{1+\lceil\log_2(L+1)\rceil}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    english="At tiny sizes every input was run through C4's weights in exact arithmetic, with the proved P and p.",
    subject=build,
    check=partial(check, cases=SIZES),
    twins={
        "one layer fewer": one_layer_fewer,
        "only w takes over what it reads": only_w_takes_over,
    },
    hypotheses=of_prompts(WITNESS, SIZES, elsewhere=Prompted(build(Sizes(6, ())), (5, 4, 3, 2, 1, 0, 1, 6))),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
