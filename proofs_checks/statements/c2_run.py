"""C2.run: the exact run of C2's weights equals the oracle on every input of tiny sizes.

At tiny sizes every input was run through the exact arithmetic model, in both orders and both families, and the answer
compared with the oracle.
"""

from __future__ import annotations

from itertools import product

from constructions.c2 import FAMILIES, build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c2 import last_two_layers_swapped, words, z0_handed_on
from separation.tasks.funccomp import Sizes

SIZES = (*(Sizes(m, ()) for m in (2, 3, 4)), *(Sizes(2, (n,)) for n in (1, 2)), Sizes(2, (1, 1)))

STATEMENT = run_statement(
    "C2.run",
    latex=r"RF^{L},\ FRF^{L-1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    row=Exhausted(
        [(sizes, list(product(words(sizes), FAMILIES))) for sizes in SIZES],
        f", both orders, {' and '.join(FAMILIES)}",
    ),
    build=build,
    twins={"last two layers swapped": last_two_layers_swapped, "F first, and R hands on z_0": z0_handed_on},
    witness=((Sizes(2, (2,)), "RFF", "linear"), (3, 0, 1, 2, 1, 0, 1, 5)),
    elsewhere=((Sizes(5, ()), "FR", "delta"), (4, 3, 2, 1, 0, 1, 5)),
)
