"""C4.run: the exact run of C4's weights equals the oracle on every input of tiny sizes.

At tiny sizes, degenerate digits among them, every input was run through the exact arithmetic model and the answer
compared with the oracle.
"""

from __future__ import annotations

from constructions.c4 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c1_run import SIZES as C1_SIZES
from proofs_checks.statements.c4 import one_layer_fewer, only_w_takes_over
from separation.tasks.funccomp import Sizes

SIZES = (*C1_SIZES, *(Sizes(2, n) for n in ((1, 1, 1),)))

STATEMENT = run_statement(
    "C4.run",
    latex=r"F_{\leftrightarrow}^{1+\lceil\log_2(L+1)\rceil}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    row=Exhausted([(sizes, [()]) for sizes in SIZES]),
    build=build,
    twins={"one layer fewer": one_layer_fewer, "only w takes over what it reads": only_w_takes_over},
    witness=((Sizes(2, (2,)),), (3, 0, 1, 2, 1, 0, 1, 5)),
    elsewhere=((Sizes(6, ()),), (5, 4, 3, 2, 1, 0, 1, 6)),
)
