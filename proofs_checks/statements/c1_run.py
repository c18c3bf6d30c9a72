"""C1.run: the exact run of C1's weights equals the oracle on every input of tiny sizes.

At tiny sizes every input was run through the exact arithmetic model and the answer compared with the oracle.
"""

from __future__ import annotations

from constructions.c1 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c1 import last_two_layers_swapped
from separation.tasks.funccomp import Sizes

SIZES = (
    *(Sizes(m, ()) for m in (2, 3, 4, 5)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1))),
    Sizes(2, (1, 1)),
)

STATEMENT = run_statement(
    "C1.run",
    latex=r"F^{L+1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    row=Exhausted([(sizes, [()]) for sizes in SIZES]),
    build=build,
    twins={"last two layers swapped": last_two_layers_swapped},
    witness=((Sizes(2, (2,)),), (3, 0, 1, 2, 1, 0, 1, 5)),  # z_2 = (3, 0, 1, 2), z_1 = (1, 0), z_0 = 1, w_1 = 1
    elsewhere=((Sizes(6, ()),), (5, 4, 3, 2, 1, 0, 1, 6)),
)
