"""C5.run: on every input of tiny sizes the exact decoding of C5's weights writes the tokens that it should."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from constructions.c2 import FAMILIES
from constructions.c5 import build
from proofs_checks.c5_proved import CASES, TWINS, Builder
from proofs_checks.statement import Checked, Statement, Status, require
from proofs_checks.suppositions import Prompted, of_prompts
from separation.models.decode import decode
from separation.tasks.funccomp import Sizes, Thoughts, batch_hops, enumerate_token_ids

SIZES = (*(Sizes(m, ()) for m in (2, 3)), *(Sizes(2, (n,)) for n in (1, 2)), Sizes(2, (1, 1)))


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


def check(builder: Builder) -> Checked:
    count = 0
    for sizes in SIZES:
        subjects = [builder(sizes, word, family) for word, family in CASES]
        for ids, answers in enumerate_token_ids(sizes, 4096):
            for subject in subjects:
                thoughts = subject.sizes
                assert isinstance(thoughts, Thoughts)
                found = decode(subject.model, ids, thoughts.steps)
                wrong = (found != right_thoughts(thoughts, ids)).any(axis=1)
                where = f"{sizes}, {subject.model.word}"
                require(not wrong.any(), f"{where}: wrong on token ids {ids[wrong][:1].tolist()}")
                last = [thoughts.answer_of(int(token)) for token in found[:, -1]]
                require(last == answers.tolist(), f"{where}: the last token is not the answer")
            count += len(answers)
    return Checked(
        Status.EXHAUSTIVE,
        "exact integer decoding, every token against the oracle",
        f"all {count} inputs of {len(SIZES)} sizes, F, and RF and FR with {' and '.join(FAMILIES)}",
    )


WITNESS = Prompted(build(Sizes(2, (2,)), "FR", "delta"), (3, 0, 1, 2, 1, 0, 1, 5))

STATEMENT = Statement(
    id="C5.run",
    title="C5 decoded exactly, exhaustively",
    latex=r"\forall\,(z,w):\ \text{the last token decoded says}\ i_L",
    english="At tiny sizes every input was decoded in the exact arithmetic model, with the proved P and p, and every "
    "token that was written is the one that the construction means.",
    subject=build,
    check=check,
    twins=TWINS,
    hypotheses=of_prompts(WITNESS, SIZES, elsewhere=Prompted(build(Sizes(4, ()), "FR", "delta"), (3, 2, 1, 0, 1, 4))),
    witness=WITNESS,
    speaks_of=("D1", "D2"),
)
