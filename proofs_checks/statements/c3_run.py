"""C3.run: the exact run of C3's weights equals the oracle on every input of tiny sizes.

At tiny sizes every input was run through the exact arithmetic model and the answer compared with the oracle.
"""

from __future__ import annotations

from constructions.c3 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c1_run import SIZES
from proofs_checks.statements.c3 import last_two_layers_swapped, one_address_without_a_feature, wide_peaks
from separation.tasks.funccomp import Sizes

STATEMENT = run_statement(
    "C3.run",
    latex=r"R^{L+1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    row=Exhausted([(sizes, [()]) for sizes in SIZES]),
    build=build,
    twins={
        "one address without a feature": one_address_without_a_feature,
        "wide peaks": wide_peaks,
        "last two layers swapped": last_two_layers_swapped,
    },
    witness=((Sizes(2, (2,)),), (3, 0, 1, 2, 1, 0, 1, 5)),
    elsewhere=((Sizes(6, ()),), (5, 4, 3, 2, 1, 0, 1, 6)),
)
