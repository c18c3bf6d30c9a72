"""R.convolution: a short convolution in front of a full layer makes it the word RF, and solves what F cannot.

A convolution over c tokens is a recurrence with a state of c − 1 tokens. In front of a full layer it is an R layer in
front of F: with c = 2 it hands z_0 to w, the next token, and F then reads table 1 at z_0. So convolution and F solve L
= 1 at every size, and F alone does not where 2^β < m^m (T.B).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.statements.t_unordered import looked_up
from separation.bounds import Message, Parameters, Word, ceil_log2, theorem_b
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops, samples

TOKENS, WIDTHS = 6, range(1, 5)
SIZES = (Sizes(2, ()), Sizes(3, ()), Sizes(4, ()))
LONG = Sizes(16, ())


@dataclass(frozen=True)
class Convolution:
    """y_t = Σ_{j<c} a_j·x_{t-j} by a scan whose state is the last c − 1 tokens, less ``forgotten`` of them."""

    forgotten: int = 0

    def scan(self, taps: list[Any], tokens: list[Any]) -> list[Any]:
        kept = max(0, len(taps) - 1 - self.forgotten)
        state: list[Any] = []
        outputs = []
        for token in tokens:
            seen = [token, *state]
            outputs.append(sum((tap * value for tap, value in zip(taps, seen, strict=False)), sp.Integer(0)))
            state = seen[:kept]
        return outputs

    def answer(self, instance: Instance) -> int:
        """Taps (0, 1) hand z_0 to w, the next token; then one head looks up table 1 there (P = 0, d = 1)."""
        prompt = [*instance.tables[0], instance.z0, 0]
        return looked_up(prompt, instance.sizes.m, int(self.scan([0, 1], prompt)[-1]))


def check(convolution: Convolution) -> Checked:
    """The scan is the convolution, with a symbol for each number; after it F solves L = 1, which F alone does not.

    T = 6, c = 1..4: both sides are the same polynomials. Then, by running all inputs of m = 2, 3, 4: z_0's token stands
    before w's, so a convolution over two tokens hands z_0 to w and F reads table 1 there: what the word RF does (depth
    1) and F (depth 0) does not: at m = 16 theorem B forbids it, with the β of the very head that is used.
    """
    for width in WIDTHS:
        taps, tokens = list(sp.symbols(f"a0:{width}")), list(sp.symbols(f"x0:{TOKENS}"))
        direct = [sum(taps[j] * tokens[t - j] for j in range(min(width, t + 1))) for t in range(TOKENS)]
        pairs = zip(convolution.scan(taps, tokens), direct, strict=True)
        off = [sp.expand(found - expected) for found, expected in pairs]
        require(not any(off), f"c = {width}: the scan differs from the convolution by {off}")
    instances = [instance for sizes in SIZES for instance in enumerate_inputs(sizes)]
    for instance in [*instances, *samples(LONG, 0, 8)]:
        require(convolution.answer(instance) == hops(instance)[-1], f"{instance}: a wrong answer")
    require((Word.parse("RF").depth, Word.parse("F").depth) == (1, 0), "the depth of RF and F")
    beta = Message(heads=1, dim=1, bits=ceil_log2(LONG.m), score_bits=0).beta(ceil_log2(LONG.length))
    require(theorem_b(Parameters(LONG.m, (), ()), beta, (0, 0)).certified, f"F alone is not forbidden at β = {beta}")
    method = "the same polynomials (sympy); all inputs of L = 1 run exactly"
    return Checked(
        Status.EXHAUSTIVE, method, f"T = {TOKENS}, c up to {max(WIDTHS)}; {len(instances)} inputs, m up to 4"
    )


STATEMENT = Statement(
    id="R.convolution",
    title="a short convolution in front of F gives the word RF, at small sizes",
    latex=r"y_t=\sum_{j<c}a_jx_{t-j},\quad s=(c-1)\,d\,p;\quad\text{convolution, then}\ F\ \text{solves}\ L=1",
    english="A convolution over c tokens in front of a full layer is a recurrent layer with a state of c − 1 tokens: "
    "with c = 2 it hands z_0 to w, and L = 1 is solved.",
    subject=Convolution(),
    check=check,
    twins={"a buffer of one token less": Convolution(forgotten=1), "no buffer": Convolution(forgotten=9)},
    applies_to=("D1", "D2"),
    rests_on=("S1",),
    hypotheses=(
        Hypothesis("the convolution sees the token before: c ≥ 2", lambda held: held[0] >= 2, outside=(1, "F")),
        Hypothesis("it stands in front of the only F", lambda held: held[1].startswith("F"), outside=(2, "RF")),
    ),
    witness=(2, "F"),
)
"""The witness: c, and the word after the convolution."""
