"""T.C: recurrent layers alone must carry the whole last table.

A word over R alone, with a chain of thought of any length, needs Λ ≥ N_{L-1}·log2 N_{L-1} bits: with identities for
z_1, …, z_{L-1} every entry of z_L can be asked for (`identities_answer` in Coq), and all that is known of z_L passes
one boundary. A generated token is a function of the state, and reading it adds nothing. C3 has N^N states for the last
table, so no fewer are needed.
"""

from __future__ import annotations

from random import Random

from constructions import c1, c3
from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.hypotheses import broken_rules
from proofs_checks.kit.statement import Hypothesis, Lazy, Statement
from proofs_checks.statements.c3 import one_address_without_a_feature
from separation.bounds import theorem_c
from separation.tasks.funccomp import Sizes

FEW = "2 ^ lam < last_size m ns ^ last_size m ns ->"


def case(text: CoqText, rng: Random) -> Case:
    """2^Λ < N^N around the Λ where it ends to hold, without and with a chain of thought."""
    theorem = rng.choice(("T_C", "T_C_thought"))
    sizes = Sizes(rng.randint(2, 5), tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 3))))
    N = sizes.N[-1]
    bits = max(0, (N**N - 1).bit_length() + rng.randint(-2, 1))
    found = theorem_c(sizes, bits)
    coq = text.compared(theorem, lam=bits, m=sizes.m, ns=list(sizes.n))
    return f"{sizes}, {bits} bits", coq, [Said(2**bits, N**N, found.certified)]


STATEMENT = Statement(
    id="T.C",
    title="R alone needs the bits of the last table",
    latex=r"\Lambda\ge N_{L-1}\log_2 N_{L-1}",
    english="A word without F solves FuncComp only with a state of N·log2 N bits, with any chain of thought.",
    subject=IN_COQ,
    check=Comparison("T_C and T_C_thought", case, "L up to 4, at the edge"),
    twins={
        "one bit does not count": altered(FEW, FEW.replace("2 ^ lam", "2 ^ lam.-1")),
        "N tables": altered(FEW, "2 ^ lam < last_size m ns ->"),
        "the first table": altered(FEW, "2 ^ lam < m ^ m ->"),
    },
    applies_to=("D1",),
    rests_on=("L",),
    # A model that the theorem applies to: C3, which is right and has no F.
    hypotheses=(
        Hypothesis(
            "the word has no F", lambda subject: "F" not in subject.model.word, Lazy(lambda: c1.build(Sizes(2, (3,))))
        ),
        Hypothesis(
            "every input is answered right",
            lambda subject: not broken_rules(subject),
            Lazy(lambda: one_address_without_a_feature(Sizes(2, (3,)))),
        ),
    ),
    witness=Lazy(lambda: c3.build(Sizes(2, (3,)))),
)
