"""Integer weights of C1 at sizes with too many inputs to run: `InvariantWeights.v`, which Coq checks query by query.

    python -m proofs_checks.kit.coq.every_table > proofs_checks/coq/InvariantWeights.v

Coq goes through queries and addresses, not through tables (`EveryTable.v`). It is told which exponents w can meet, and
refuses a run that meets another one.
"""

from __future__ import annotations

import random
import sys
from itertools import accumulate
from math import gcd, prod
from operator import mul

from constructions import build
from proofs_checks.kit.coq import weights
from proofs_checks.kit.coq.weights import IntegerRun
from separation.proving import Construction, construction_to_document
from separation.tasks.funccomp import Sizes

CASES: tuple[tuple[str, Sizes], ...] = (
    ("C1_m4_n4", Sizes(4, (4,))),
    ("C1_m4_n2_2", Sizes(4, (2, 2))),
    ("C1_m8_n4", Sizes(8, (4,))),
)
"""Label and sizes; C1, one head a layer."""

SAMPLES = 2

HEADER = """(** The project's own integer weights of C1 at sizes with too many inputs to run: proved for all tables.

    Written by  python -m proofs_checks.kit.coq.every_table;  the matrices are those of  prove … --write-model. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions EveryTable.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
"""


def exponents_at_w(run: IntegerRun, sizes: Sizes) -> range:
    """The exponents that the last token can meet: a step for each bit in which a query differs from a key.

    Queries and keys have entries of fixed sizes, so an exponent is at most twice the shift; the step is read off some
    random inputs.
    """
    levels = list(accumulate([sizes.m, *sizes.n], mul))
    draw = random.Random(0)
    step = 0
    for _ in range(SAMPLES):
        tables = [[draw.randrange(size) for _ in range(size)] for size in levels]
        flat = [value for table in reversed(tables) for value in table]
        ids = [*flat, draw.randrange(sizes.m), levels[-1] + draw.randrange(prod(sizes.n))]
        for (head, _mlps), stream in zip(run.layers, run.streams(ids), strict=False):
            step = gcd(step, *run.exponents(head, stream))
    return range(0, 2 * max(head["shift"] for head, _ in run.layers) * run.unit**2 + 1, step)


def coq_invariant(label: str, subject: Construction) -> str:
    """The weights, their exponents and the theorem that they answer every input, as Coq text."""
    sizes = subject.sizes
    assert isinstance(sizes, Sizes)
    run = IntegerRun(construction_to_document(subject))
    check = ("answers_every_table", "every_table_solves")
    return weights.coq_theorem(label, subject, run, exponents_at_w(run, sizes), check)


def main() -> None:
    sys.stdout.write(HEADER)
    for label, sizes in CASES:
        sys.stdout.write(coq_invariant(label, build("C1", sizes)))


if __name__ == "__main__":
    main()
