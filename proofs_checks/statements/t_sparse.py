"""One sparse layer, and several: how many summaries 2-Sum needs, without errors and with some.

What is checked of what Coq has is that the calculator's numbers are those of the theorem in Coq.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np

from constructions.c8 import Workspace, weights
from proofs_checks.kit.coq.comparison import IN_COQ, altered
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import theorem_d
from separation.bounds.theorems.theorem_d import forbids_errors, sparse_layers_solve
from separation.models.forward import run


def check_d(text: CoqText) -> Checked:
    """Coq's least_summaries is the calculator's number."""
    least = text.function("least_summaries")
    for modulus, block, blocks in product((3, 5, 9), (1, 2, 3), range(1, 6)):
        for opened in range(blocks):
            bound, said = theorem_d(modulus, block, opened, blocks), least(modulus - 1)(blocks)(block)(opened)
            where = f"M, B, k, g = {modulus}, {block}, {opened}, {blocks}"
            require(said == bound.values, f"{where}: {said} summaries in Coq, {bound.values} by the calculator")
    method = "T_D_two_sum in Coq; its number, read from the Coq files, against the calculator's"
    return Checked(Status.TESTED, method, "M ≤ 9, B ≤ 3, g ≤ 5")


D = Statement(
    id="T.D",
    title="how many summary values one sparse layer needs, for every odd M",
    latex=r"2^r\ge V(d,B)-[d=u],\quad d=\lceil u(g-k)/g\rceil,\ V(d,B)=\sum_{t\le B}\tbinom dt",
    english="One block-sparse layer solves 2-Sum only if a block's summary can take that many values, and that many "
    "are enough.",
    explanation="""
u = M−1 values, blocks of B tokens, k blocks opened in total, g > k complete blocks before the query. With d =
⌈u(g−k)/g⌉ and V(d,B) = Σ_{t≤min(B,d)} C(d,t) a summary needs V(d,B) values if d < u and V(u,B) − 1 if d = u, and that
many are enough (`T_D_two_sum` in Coq, of all layers that know the tokens near the query, all summaries and the blocks
that they open).

x is ambiguous in a block if two sequences with the same summary exist, one with x and one without. A layer with an
arbitrary scorer can be right iff every x is ambiguous in at most k blocks (`T_D_criterion`). If: open those. Only if:
fill the own block, window and sinks with −x, put the x-free member into every ambiguous block and anything without x
into the others; one of the ambiguous blocks stays closed, and swapping its member changes the answer and nothing that
is seen. So some block has at most ⌊uk/g⌋ ambiguous values and tells the sets of its clear ones apart: V(d,B) − [d=u]
values, d = u − ⌊uk/g⌋. Hiding ⌊uk/g⌋ values in each block, one after the other around the circle of u, meets that.
""",
    subject=IN_COQ,
    check=check_d,
    twins={
        "the empty set counted when d = u": altered(r"\sum_(1 <= t < B.+1) 'C(u, t).", r"\sum_(t < B.+1) 'C(u, t)."),
        "d rounded down": altered("let d := u - (u * k) %/ g in", "let d := (u * (g - k)) %/ g in"),
        "sets of exactly B": altered(r"then \sum_(t < B.+1) 'C(d, t) else", "then 'C(d, B) else"),
        "one more is hidden": altered("let d := u - (u * k) %/ g in", "let d := u - ((u * k) %/ g).+1 in"),
        "one less is hidden": altered("let d := u - (u * k) %/ g in", "let d := u - ((u * k) %/ g).-1 in"),
    },
    applies_to=("D3",),
    hypotheses=(
        Hypothesis("g > k: more blocks than are opened", lambda held: held[3] > held[2], outside=(5, 1, 2, 2)),
        Hypothesis("M is odd and at least 3", lambda held: held[0] >= 3 and held[0] % 2 == 1, outside=(4, 1, 1, 2)),
        Hypothesis("a block has at least one token", lambda held: held[1] >= 1, outside=(5, 0, 1, 2)),
    ),
    witness=(11, 3, 1, 4),
)
"""The witness: M, B, k, g."""

PARTS = 5
"""Of the shares δ and ε."""
ALARMS = r"(\sum_rho odds rho * \sum_cs \sum_(x < u) yes rho cs x)"
CHANCE = f"H * (k * (chances * N * u) + g * {ALARMS}) <= G * (chances * (g * N) * u)"
"""k/g + ε ≤ G/H, as Coq counts."""


class Errors(NamedTuple):
    """B, k, g; δ = share of missed matches, ε = share of false alarms."""

    block: int
    opened: int
    blocks: int
    missed: Fraction
    false_alarms: Fraction


def check_d_average(text: CoqText) -> Checked:
    """The calculator forbids a layer where T_D_average_near does: a/b = 1 − δ, and the least G/H is k/g + ε."""
    counted, verdicts = CoqText((*text.edits, (ALARMS, "alarms"))), set()
    for blocks, alarms in product(range(2, 5), range(1, PARTS)):
        for opened in range(blocks):
            chance = Fraction(opened, blocks) + Fraction(alarms, PARTS)
            numbers = {"k": opened, "g": blocks, "chances": 1, "N": 1, "u": PARTS, "alarms": alarms}
            for more in (-1, 0, 1):
                share = {"H": 3 * chance.denominator, "G": 3 * chance.numerator + more}
                accepted = counted.term("T_D_average_near", r"\bin\s+(H \* .*?) ->", **numbers, **share)
                require(accepted == (more >= 0), f"k, g = {opened}, {blocks}: k/g + ε is not {chance} in Coq")
            for block, missed, bits in product(range(1, 5), range(PARTS), range(7)):
                of = Errors(block, opened, blocks, Fraction(missed, PARTS), Fraction(alarms, PARTS))
                said = all(each.holds for each in forbids_errors(bits, *of))
                require(
                    said == forbidden_in_coq(text, bits, of, chance), f"{of}, r = {bits}: the calculator says {said}"
                )
                verdicts.add(said)
    require(len(verdicts) == 2, "all cases have one verdict")
    method = "T_D_average_near in Coq; its inequalities, read from the Coq files, against the calculator's"
    return Checked(Status.EXHAUSTIVE, method, f"B and g up to 4, r up to 6, δ and ε in {PARTS}ths")


def forbidden_in_coq(text: CoqText, bits: int, of: Errors, chance: Fraction) -> bool:
    """⟨k/g + ε; r/B⟩ ≤ 1 − δ, with the least K; and with a smaller one if the text lets it pass."""
    hit, form = 1 - of.missed, r"(closed_share .*?) ->"
    numbers = {"G": chance.numerator, "H": chance.denominator, "a": hit.numerator, "b": hit.denominator, "B": of.block}
    K = -(-bits * hit.denominator // of.block)
    return any(text.term("T_D_average_near", form, r=bits, K=each, **numbers) for each in (K, K // 2))


SHARED = "closed_share G H B r a b K ->\n  b * (\\sum_rho"
WITH_ERRORS = Errors(16, 1, 64, Fraction(1, 20), Fraction(1, 20))
D_AVERAGE = Statement(
    id="T.D.average",
    title="summary bits of one sparse layer with constant errors",
    latex=r"r\ge B\cdot D_+(1-\delta\,\|\,k/g+\varepsilon)",
    english="If g complete blocks have independent uniform entries, a sparse layer that misses at most δ of the "
    "matches and answers yes to at most ε of independent values has at least this many summary bits for each block.",
    explanation="""
g complete blocks of independent uniform entries, k opened; yes: the value asked for is that of a random entry; no: it
is independent. δ = Pr_yes[answer 0], ε = Pr_no[answer 1]: r ≥ B·D_+(1−δ ‖ k/g+ε). Nearly met by 2^r random sets of
density k/2g, the summary naming the first that contains the block; that was seen in runs, and is only a remark.
""",
    subject=IN_COQ,
    check=check_d_average,
    twins={
        "opened blocks tell nothing": altered(CHANCE, CHANCE.replace("k * (chances * N * u) + ", "")),
        "false alarms tell nothing": altered(CHANCE, CHANCE.replace(f"g * {ALARMS}", f"0 * {ALARMS}")),
        "for each block, not for each entry": altered(SHARED, SHARED.replace(" B r ", " 1 r ")),
        "twice as many": altered(SHARED, SHARED.replace(" B r ", " (2 * B) r ")),
    },
    applies_to=("D3",),
    hypotheses=(
        Hypothesis(
            "k/g + ε is less than 1 − δ",
            lambda of: Fraction(of.opened, of.blocks) + of.false_alarms < 1 - of.missed,
            WITH_ERRORS._replace(opened=64),
        ),
    ),
    witness=WITH_ERRORS,
)


TINY = ((3, 1, 2, 2), (5, 1, 2, 2), (3, 2, 1, 2), (3, 1, 2, 3), (3, 2, 1, 3))
"""M, B, k and λ at which the weights of C8 run on all inputs of the largest n."""


@dataclass(frozen=True)
class Lengths:
    """n up to which C8 is claimed, and the tokens that the output of D2 can depend on."""

    solved: Callable[[int, int, int], int] = lambda B, k, layers: (k * B) ** layers
    read: Callable[[int, int, int, int], int] = lambda B, k, s, layers: ((k + 1) * B + s) ** layers


def wrong(sizes: Workspace, inputs: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Data and query, each of 1..M−1, that the weights of C8 answer wrongly."""
    M = sizes.modulus
    prompts = [[*(x - 1 for x in data), *[M - 1] * sizes.spaces, M - 1 + query] for *data, query in inputs]
    found = run(weights(sizes), np.array(prompts)).answers
    return [each for each, said in zip(inputs, found, strict=True) if said != (M - each[-1] in each[:-1])]


def check_several(claim: Lengths) -> Checked:
    """C8 on all inputs of tiny sizes; the length of D2 in Coq; the calculator's verdicts at both ends."""
    for M, B, k, layers in TINY:
        n = claim.solved(B, k, layers)
        require(n <= (k * B) ** layers, f"M, B, k, λ = {M}, {B}, {k}, {layers}: there are no weights for n = {n}")
        sizes = Workspace(n, M, B, k, layers)
        inputs = list(product(range(1, M), repeat=n + 1))
        require(not wrong(sizes, inputs), f"C8 is wrong at M, B, k, λ = {M}, {B}, {k}, {layers}")
        require(sparse_layers_solve((k * B) ** layers, B, k, layers) is True, "the calculator knows less of C8")
        require(sparse_layers_solve((k * B) ** layers + 1, B, k, layers) is not True, "the calculator says more of C8")
    for B, k, s, layers in product((1, 3), (0, 2), (0, 2), (1, 3)):
        full = claim.read(B, k, s, layers)
        in_coq = IN_COQ.term("T_D_several", r"-> \((k.*?)\) \^ size", k=k, B=B, s=s) ** layers
        require(full == in_coq, f"B, k, s, λ = {B}, {k}, {s}, {layers}: {full} tokens are read, in Coq {in_coq}")
        require(sparse_layers_solve(full + 1, B, k, layers, s) is False, "the calculator knows less of D2")
        require(sparse_layers_solve(full, B, k, layers, s) is not False, "the calculator says more of D2")
    return Checked(
        Status.TESTED,
        "the weights of C8 on all inputs; T_D_several in Coq, its length against the calculator's",
        f"{len(TINY)} tiny sizes of C8",
    )


class Asked(NamedTuple):
    content_free: bool = True
    workspace: bool = True


SEVERAL = Statement(
    id="T.D.several",
    title="several sparse layers with content-free summaries, from both sides",
    latex=r"n\le(kB)^\lambda\ \text{(C8)},\qquad n>((k+1)B+s)^\lambda\ \text{(D2)}",
    english="Sparse layers whose summaries are content-free, with workspace tokens in the prompt, solve 2-Sum of n "
    "tokens at the query if n ≤ (kB)^λ; none do if n > ((k+1)B+s)^λ, s the tokens of windows and sinks.",
    explanation="""
A summary is content-free if it says where its block is and nothing of what is in it. *C8*, n ≤ (kB)^λ: behind the data
stand workspace tokens (y, γ), 1 ≤ y < M, those of one y in whole blocks; they are part of the prompt. In layer 1 (y, γ)
opens the γ-th k blocks of data and counts y among their tokens; in layer t it averages kB counts of the layer before;
the query x opens the k blocks of y = −x. `constructions/c8.py` has the weights, with exact scores: nothing is
approximate. *D2*, n > ((k+1)B+s)^λ: in one layer a token reads its own
block, the k that it opens and s tokens of windows and sinks, so the output depends on that many tokens. On an input
without −x some data token is not read; with −x there no state that the output depends on changes, so nothing else is
opened.
""",
    subject=Lengths(),
    check=check_several,
    twins={
        "one token more is solved": Lengths(solved=lambda B, k, layers: (k * B) ** layers + 1),
        "one layer more is solved": Lengths(solved=lambda B, k, layers: (k * B) ** (layers + 1)),
        "the own block is not read": Lengths(read=lambda B, k, s, layers: (k * B + s) ** layers),
        "windows and sinks are not read": Lengths(read=lambda B, k, _, layers: ((k + 1) * B) ** layers),
    },
    hypotheses=(
        Hypothesis("the summaries are content-free", lambda asked: asked.content_free, Asked(content_free=False)),
        Hypothesis("C8 has workspace tokens", lambda asked: asked.workspace, Asked(workspace=False)),
    ),
    witness=Asked(),
)

STATEMENTS = (D, D_AVERAGE, SEVERAL)
