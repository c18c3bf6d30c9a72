"""T.C.thought: recurrent layers alone, with a chain of thought, need as many states as there are last tables.

A token that the model generates is a function of its state, and reading it adds nothing: all that is known of the last
table passes one boundary, whatever is said afterwards. C3 has N^N states for the last table, so no fewer are needed.
"""

from __future__ import annotations

from random import Random

from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Hypothesis, Statement
from proofs_checks.statements.t_c import FEW, compared_at_the_edge
from separation.tasks.funccomp import Sizes


def case(text: CoqText, rng: Random) -> Case:
    return compared_at_the_edge("T_C_thought", text, rng)


STATEMENT = Statement(
    id="T.C.thought",
    title="a chain of thought does not help R alone",
    latex=r"2^\Lambda<N^N,\ N=N_{L-1}\ \Rightarrow\ \text{no chain of thought makes up for it}",
    english="No model of recurrent layers alone with fewer than N^N states answers every input, whatever thoughts it "
    "writes.",
    subject=IN_COQ,
    check=Comparison("T_C_thought", case, "L up to 4, at the edge"),
    twins={
        "one bit does not count": altered(FEW, FEW.replace("2 ^ lam", "2 ^ lam.-1")),
        "a state for each entry": altered(FEW, "2 ^ lam < last_size m ns ->"),
    },
    speaks_of=("D1",),
    hypotheses=(
        Hypothesis(
            "fewer than N^N states", lambda held: held[1] < held[0].N[-1] ** held[0].N[-1], outside=(Sizes(2, ()), 4)
        ),
    ),
    witness=(Sizes(2, ()), 3),
)
"""The witness: sizes and a number of states."""
