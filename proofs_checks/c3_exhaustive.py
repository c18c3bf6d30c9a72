"""C3.run: the exact run of C3's weights equals the oracle on every input of tiny sizes."""

from __future__ import annotations

from constructions.c3 import build
from proofs_checks.c1_exhaustive import SIZES, check
from proofs_checks.c3_proved import last_two_layers_swapped, one_address_without_a_feature, wide_peaks
from proofs_checks.statement import Statement
from proofs_checks.suppositions import Prompted, of_prompts
from separation.tasks.funccomp import Sizes

WITNESS = Prompted(build(Sizes(2, (2,))), (3, 0, 1, 2, 1, 0, 1, 5))

STATEMENT = Statement(
    id="C3.run",
    title="C3 run exactly, exhaustively",
    latex=r"R^{L+1}:\ \forall\,(z,w)\ {\rm argmax}\,{\rm logits}(z,w)=i_L",
    english="At tiny sizes every input was run through C3's weights in exact arithmetic, with the proved p.",
    subject=build,
    check=check,
    twins={
        "one address without a feature": one_address_without_a_feature,
        "wide peaks": wide_peaks,
        "last two layers swapped": last_two_layers_swapped,
    },
    hypotheses=of_prompts(WITNESS, SIZES, elsewhere=Prompted(build(Sizes(6, ())), (5, 4, 3, 2, 1, 0, 1, 6))),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
