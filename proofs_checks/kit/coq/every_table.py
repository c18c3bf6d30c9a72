"""Integer weights of C1 at sizes with too many inputs to run: `InvariantWeights.v`, which Coq checks query by query.

    python -m proofs_checks.kit.coq.every_table > proofs_checks/coq/InvariantWeights.v

Coq goes through queries and addresses, not through tables (`EveryTable.v`). It is told which exponents w can meet, and
refuses a run that meets another one.
"""

from __future__ import annotations

import sys
from math import gcd

import numpy as np

from constructions import build
from proofs_checks.kit.coq import weights
from separation.models import Head
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, samples, token_ids

CASES: tuple[tuple[str, Sizes], ...] = (
    ("C1_m4_n4", Sizes(4, (4,))),
    ("C1_m4_n2_2", Sizes(4, (2, 2))),
    ("C1_m8_n4", Sizes(8, (4,))),
)
"""Label and sizes; C1, one head a layer."""

SAMPLES = 2

HEADER = weights.header("C1 at sizes with too many inputs to run: proved for all tables.", "every_table", "EveryTable")


def exponents_at_w(subject: Construction) -> range:
    """The exponents that the last token can meet: a step for each bit in which a query differs from a key.

    Queries and keys have entries of fixed sizes, so an exponent is at most twice the shift; the step is read off some
    random inputs.
    """
    sizes, model = subject.sizes, subject.model
    assert isinstance(sizes, Sizes)
    ids = np.array([token_ids(instance) for instance in samples(sizes, 0, SAMPLES)])
    step = gcd(*(int(each) for found in weights.exponents(model, ids) for each in found[:, -1].flat))
    shift = max(int(head.shift) for layer in model.layers for head in layer.heads if isinstance(head, Head))
    return range(0, 2 * shift * 4**model.precision.fraction_bits + 1, step)


def coq_invariant(label: str, subject: Construction) -> str:
    """The weights, their exponents and the theorem that they answer every input, as Coq text."""
    check = ("answers_every_table", "every_table_solves")
    return weights.coq_theorem(label, subject, exponents_at_w(subject), check)


def main() -> None:
    sys.stdout.write(HEADER)
    for label, sizes in CASES:
        sys.stdout.write(coq_invariant(label, build("C1", sizes)))


if __name__ == "__main__":
    main()
