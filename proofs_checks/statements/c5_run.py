"""C5.run: on every input of tiny sizes the exact decoding of C5's weights writes the right tokens.

At tiny sizes every input is decoded greedily in the exact arithmetic model, for RF and FR with both recurrences and
for F. Every generated token, not only the last, is compared with the one that the hops of the input prescribe, and the
last token with the answer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from constructions.c2 import FAMILIES
from constructions.c5 import build
from proofs_checks.kit.construction_checks import Exhausted, run_statement
from proofs_checks.statements.c5 import TWINS, VARIANTS
from separation.models import decode
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, Thoughts, batch_hops

SIZES = (*(Sizes(m, ()) for m in (2, 3)), *(Sizes(2, (n,)) for n in (1, 2)))


def right_thoughts(thoughts: Thoughts, ids: NDArray[np.int64]) -> NDArray[np.int64]:
    """(prompts × steps): the ids of the generated tokens, for the prompts whose ids are the rows of ``ids``."""
    sizes = thoughts.sizes
    known = {f"i{level}": hop for level, hop in enumerate(batch_hops(sizes, ids).T)}
    query = ids[:, -1] - sizes.N[-1]
    for level in range(sizes.L - 1, 0, -1):
        known[f"w{level}"] = query % sizes.n[level - 1]
        query = query // sizes.n[level - 1]
    groups = {group.name: group for group in thoughts.groups}
    columns = []
    for said in thoughts.shape().emissions:
        number = np.zeros(len(ids), dtype=np.int64)
        for variable, name in zip(groups[said.kind].address, said.address, strict=True):
            number = number * variable.size + known[name]
        columns.append(groups[said.kind].start + number)
    return np.stack(columns, axis=1)


def wrong_thoughts(subject: Construction, ids: NDArray[np.int64], answers: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Some token is not the right one; the last one must say the answer."""
    thoughts = subject.sizes
    assert isinstance(thoughts, Thoughts)
    found = decode(subject.model, ids, thoughts.steps)
    said = np.array([thoughts.answer_of(int(token)) for token in found[:, -1]])
    return np.asarray((found != right_thoughts(thoughts, ids)).any(axis=1) | (said != answers))


STATEMENT = run_statement(
    "C5.run",
    title="C5 decoded exactly on all inputs of small sizes",
    latex=r"\forall\,(z,w):\ \text{the last token decoded says}\ i_L",
    english="At tiny sizes every input was decoded in exact arithmetic, with the proved P and p, and every token that "
    "was written is the intended one.",
    row=Exhausted(
        [(sizes, VARIANTS) for sizes in SIZES],
        f", F, and RF and FR with {' and '.join(FAMILIES)}",
        wrong_thoughts,
        "exact integer decoding, every token against the oracle",
    ),
    build=build,
    twins=TWINS,
    witness=((Sizes(2, (2,)), "FR", "delta"), (3, 0, 1, 2, 1, 0, 1, 5)),
    elsewhere=((Sizes(4, ()), "FR", "delta"), (3, 2, 1, 0, 1, 4)),
)
