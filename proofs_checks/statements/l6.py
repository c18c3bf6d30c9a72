"""L6: the end of the induction: by (F) two last tables of 𝒬 differ at an entry that is reached.

At level L the answer token's information depends on z_{<L} alone. At most N^{N-R} tables [N] → [N] agree on R given
entries; (F) says that 𝒬, with at least 2^{-D_L}·N^N tables, has more. So two of them differ at an entry (w_{L-1},
i_{L-1}) that is reached: same output, different answers. R = n_{L-1}·Θ_{L-1}.
"""

from __future__ import annotations

from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.bounds import Condition, verdict


def case(text: CoqText, rng: Random) -> Case:
    """(F) at its edge: 2^D < N^R."""
    N = rng.randint(2, 40)
    R = rng.randint(1, N)
    D = max(0, (N**R).bit_length() + rng.randint(-2, 1))
    found = verdict(Condition("F", "", D, R, N))
    return f"N, R, D = {N}, {R}, {D}", text.compared("end_for_output", N=N, k=R, D=D), [Said(2**D, N**R, found.holds)]


STATEMENT = Statement(
    id="L6",
    title="the end of the induction",
    latex=r"|\mathcal Q|\ge2^{-D_L}N^N,\ D_L<R\log_2N\ \Rightarrow\ \exists z\ne z'\in\mathcal Q\ "
    r"\text{that differ at one of the }R\text{ reached entries}",
    english="By (F), 𝒬 has more last tables than can agree on all entries that are reached: same output, different "
    "answers.",
    subject=IN_COQ,
    check=Comparison("end_for_output", case, "N up to 40, at the edge"),
    twins={
        "one bit more may be told": altered("(I : seq nat) : 2 ^ D < N ^ k", "(I : seq nat) : 2 ^ D.-1 < N ^ k"),
        "an entry has N − 1 values": altered("(I : seq nat) : 2 ^ D < N ^ k", "(I : seq nat) : 2 ^ D < N.-1 ^ k"),
    },
    hypotheses=(
        Hypothesis("(F): D < R·log2 N", lambda held: 2 ** held[2] < held[0] ** held[1], outside=(3, 2, 4)),
        Hypothesis("R ≤ N: the entries are distinct", lambda held: held[1] <= held[0], outside=(3, 4, 1)),
    ),
    witness=(3, 2, 3),
)
"""The witness: N, R, D."""
