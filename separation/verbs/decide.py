"""`decide`: can a word of layers solve L-FuncComp, by which construction, or by which theorem not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

from separation import bounds
from separation.bounds import Decision
from separation.bounds import decide as decide_word
from separation.files import InputError, require_writable
from separation.tasks.checks import require_one_of
from separation.tasks.funccomp import Sizes
from separation.verbs.budgets import chosen_budget, require_few_levels, spelled, word_of, write_accepted
from separation.verbs.hard_sizes import LONGEST_WORD, percent, prompt_text, size_rows
from separation.verbs.options import (
    EFFORTS,
    Argument,
    BudgetOptions,
    Certificate,
    Choice,
    Effort,
    ProvedOnly,
    Theorem,
    numbers,
    several,
)
from separation.verbs.report import Markup, Parts, Report, count, facts_table, shortened, styled, timed, written

EXAMPLES = ("decide RFFR --L 3", "decide --sparse-layers 2 --length 64 --block 4 --open 2")
VERDICTS: dict[bool | None, Markup] = {
    True: styled("green", "solvable"),
    False: styled("red", "not solvable"),
    None: styled("yellow", "not decided"),
}
CHAIN_OF_THOUGHT = {
    "C5": "with one, a single full layer is enough: C5 solves it at all sizes",
    None: "does not help: Theorem C holds with one of any length",
}


@timed
def decide(
    word: Annotated[str, Argument(metavar="WORD", help="Layers, e.g. RFFR, F3, (RRF)4, W(128)F, K(8192)F, [FR]F.")],
    *,
    L: Annotated[int, "Number of tables, L >= 1."],
    m: Annotated[int | None, "Ask about exactly these sizes: m ..."] = None,
    n: Annotated[int | Sequence[int] | None, "... and n_1,...,n_{L-1}.", numbers] = None,
    pad: Annotated[int, "Neutral tokens between z_0 and w, over which a window must reach to count."] = 0,
    example: Annotated[bool, "Without beta and lambda: show the sizes for an example, beta = lambda = 8."] = False,
    theorem: Theorem = None,
    effort: Effort = "quick",
    proved_only: ProvedOnly = False,
    out: Certificate = None,
    **budget: Unpack[BudgetOptions],
) -> DecideReport:
    """Solvable at all sizes, or not (with the smallest sizes found at which that is certified), or at exactly m and n.

    β and Λ (``state_bits``) directly, or from heads, dim, bits and ``layer_state_bits``; an example if neither.
    What is not decided has nothing to certify: then nothing is written to ``out``.
    """
    require_one_of("effort", effort, EFFORTS)
    require_writable(out)
    if pad and (m is not None or theorem is not None or proved_only or out is not None):
        raise InputError(
            "--pad is about all sizes and has no certificate: leave out --m, --theorem, --proved-only, --out"
        )
    require_few_levels(L)
    if m is None and n is not None:
        raise InputError("--n needs --m: sizes are m and n_1, …, n_{L-1}")
    sizes = None if m is None else Sizes.from_lists(L, m, list(several(n) or ()))
    every = effort == "thorough"
    options: dict[str, Any] = {"theorem": theorem, "proved_only": proved_only, "pads": pad, "every": every}
    parsed = word_of(word)
    decision = decide_word(parsed, L, chosen_budget(budget, parsed), sizes, **options)
    wanted = None if decision.solvable is None else out
    written = write_accepted(wanted, lambda: bounds.decision_certificate(decision))
    return DecideReport(decision, written, example)


command = Choice(decide, sparse_layers=(None, "sparse.decide_sparse_layers"))


class DecideReport(Report):
    """A decision; answered, unless nothing was found at the sizes asked. ``example``: show also what was assumed."""

    decision: Decision
    out: Path | None = None
    example: bool = False

    @property
    def ok(self) -> bool:
        return self.decision.solvable is not None

    def facts(self) -> dict[str, Any]:
        return {**self.decision.document(), "word": spelled(self.decision.word), "certificate": self.out}

    def parts(self) -> Parts:
        """The verdict in a sentence; why, and the sizes at which it is certified (an example's only if asked for)."""
        facts = self.document()
        hard, below = facts["hard_sizes"], (facts["ceiling_float"] or 1) < 1
        most = f"at most {percent(facts['ceiling_float'])}" if below else "no ceiling below 100 %"
        behind = f" behind {count(int(facts['pads']), 'pad')}" if "pads" in facts else ""
        thoughts = None if facts["solvable"] else CHAIN_OF_THOUGHT[facts["chain_of_thought"]["construction"]]
        assumed = hard is not None and hard["assumed"] and not self.example
        yield sentence(facts)
        yield facts_table(
            [
                ("word", shortened(facts["word"], LONGEST_WORD)),
                ("depth", f"{facts['depth']}{behind}"),
                ("L", facts["L"]),
                ("verdict", VERDICTS[facts["solvable"]]),
                ("why", facts["reason"]),
                ("construction", facts["construction"]),
                ("theorem", facts["theorem"] and f"{facts['theorem']}, {facts['known']}"),
                ("accuracy", None if facts["ceiling"] is None else f"{most}, on random inputs of these sizes"),
                ("chain of thought", thoughts),
                *([] if hard is None or assumed else size_rows(hard)),
            ]
        )
        if assumed:
            yield "How long such a prompt is depends on β and Λ: give --beta and --lambda, or --example."
        yield written("certificate", self.out)
        if facts["solvable"] is None:
            yield "no certificate: nothing was decided"


def sentence(facts: dict[str, Any]) -> str:
    """The answer in plain words."""
    word, L = shortened(facts["word"], LONGEST_WORD), facts["L"]
    tables = count(L, "table")
    tables += f" with {count(int(facts['pads']), 'pad')} between z_0 and w" if "pads" in facts else ""
    if facts["solvable"]:
        where = " at these sizes" if facts["construction"] == "C3" else ", at every size"
        where += " at which z_0 and w stand in one chunk" if "in one chunk" in facts["reason"] else ""
        return f"Some weights of {word} follow {tables} in one pass{where}."
    if facts["solvable"] is None:
        return f"Not decided: whether weights of {word} follow {tables} in one pass at these sizes is not known."
    hard = facts["hard_sizes"]
    if facts["ceiling"] is not None:
        return f"No weights of {word} follow {tables} in one pass at these sizes, with these β and Λ."
    if hard["assumed"]:
        start = "Whatever its heads and states, there are sizes at which no weights of"
        return f"{start} {word} follow {tables} in one pass."
    return f"No weights of {word} with these β and Λ follow {tables} in one pass: certified at {prompt_text(hard)}."
