"""Recurrent layers: the families of the catalogue (R.families), and a short convolution before F (R.convolution)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.statements.t_unordered import looked_up
from separation.bounds import Message, Parameters, Word, ceil_log2, theorem_b
from separation.recurrences import FAMILIES, TWINS, Recurrence, check_exact, check_symbolic, fractions
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops, samples

H, p, d_k, d_v, d, w = sp.symbols("H p d_k d_v d w", positive=True, integer=True)
PLAIN = H * d_k * d_v * p
STATE_BITS: dict[str, Any] = {
    "linear-normalised": PLAIN + H * d_k * p,
    "mlstm": PLAIN + H * d_k * p,
    "sliding-window": H * w * (d_k + d_v) * p,
    "rnn": d * p,
}
"""Families whose state is not d_k × d_v for each head: with a normaliser; a window; a plain network."""
TOKENS, SIZES = 4, {"d_k": 2, "d_v": 3, "d": 3, "w": 2, "n_h": 2}


def check(families: Mapping[str, Recurrence]) -> Checked:
    """The scan is the parallel form that papers write, as polynomials or expressions; its state has the stated bits.

    With a symbol for each input number, T = 3: the same for all inputs, whole and in chunks; on random fractions of
    larger sizes too. Stopped at a token and resumed from the state alone, the scan continues with the same outputs, and
    the state has as many numbers as the formula counts.
    """
    for name, family in families.items():
        require(check_exact(family).holds is True, f"{name}: the scan is not the parallel form, on fractions")
        require(check_symbolic(family).holds is True, f"{name}: the scan is not the parallel form")
        expected = STATE_BITS.get(name, PLAIN)
        require(sp.expand(family.bits() - expected) == 0, f"{name}: the state has {family.bits()} bits, not {expected}")
        _require_state_is_all(name, family, expected)
    method = "the same expressions with a symbol for each number; also in fractions, stopped and resumed"
    return Checked(Status.ALL_INPUTS, method, f"{len(families)} families, T = 3, d_k = d_v = 2")


def _require_state_is_all(name: str, family: Recurrence, expected: Any) -> None:
    xs = fractions(family, TOKENS, SIZES, seed=1)
    outputs, cut = family.run(xs), TOKENS // 2
    _, state = family.run_from(family.initial(xs.sizes), xs.part(0, cut))
    rest, _ = family.run_from(state, xs.part(cut, TOKENS))
    require(bool((rest == outputs[cut:]).all()), f"{name}: more than the state is carried past token {cut}")
    counted = expected.subs({H: 1, p: 1, **{sp.Symbol(k, positive=True, integer=True): v for k, v in SIZES.items()}})
    numbers = sum(part.size for part in state)
    require(numbers == counted, f"{name}: {numbers} numbers in the state, the formula counts {counted}")


RECURRENT = Statement(
    id="R.families",
    title=f"{len(FAMILIES)} recurrent families are R layers, at T = 3",
    latex=r"S_t={\rm step}(S_{t-1},x_t),\ y_t={\rm read}(S_t,x_t),\quad s=H\,d_k\,d_v\,p\ (+\text{normaliser})",
    english="Linear attention, RetNet, GLA, Mamba, DeltaNet and the others are scans whose state is all that passes "
    "from a token to the next.",
    explanation="""
S_t = step(S_{t-1}, x_t), y_t = read(S_t, x_t): linear attention, with and without a normaliser, RetNet, GLA, Mamba,
Mamba-2, DeltaNet, Gated DeltaNet, KDA, RWKV-6 and 7, mLSTM, HGRN2, DeltaProduct, the sliding window and a plain network
are such scans, equal to the parallel forms that their papers write. The state has H·d_k·d_v·p bits, H·d_k·p more with a
normaliser; it is all that passes from one token to the next, apart from the buffers of short convolutions and token
shifts. That linear attention is such a scan is Lemma 2.2 of arXiv 2602.01763; where a step is affine in the state, S_t
= A_t S_{t-1} + w_t, it is a sum over all earlier tokens for every T. Formulas: [recurrences.md](recurrences.md).
""",
    subject=FAMILIES,
    check=check,
    twins={f"{name}: {type(twin).__name__}": {name: twin} for name, twin in TWINS.items()},
    hypotheses=(Hypothesis("the family is one of the catalogue", lambda name: name in FAMILIES, outside="softmax"),),
    witness="gated-delta-net",
)
"""The witness: a family."""

CONVOLVED, WIDTHS = 6, range(1, 5)
ONE_TABLE = (Sizes(2, ()), Sizes(3, ()), Sizes(4, ()))
LONG_TABLE = Sizes(16, ())


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


def check_convolution(convolution: Convolution) -> Checked:
    """The scan is the convolution, with a symbol for each number; after it F solves L = 1, which F alone does not.

    T = 6, c = 1..4: both sides are the same polynomials. Then, by running all inputs of m = 2, 3, 4: z_0's token stands
    before w's, so a convolution over two tokens hands z_0 to w and F reads table 1 there: what the word RF does (depth
    1) and F (depth 0) does not: at m = 16 theorem B forbids it, with the β of the very head that is used.
    """
    for width in WIDTHS:
        taps, tokens = list(sp.symbols(f"a0:{width}")), list(sp.symbols(f"x0:{CONVOLVED}"))
        direct = [sum(taps[j] * tokens[t - j] for j in range(min(width, t + 1))) for t in range(CONVOLVED)]
        pairs = zip(convolution.scan(taps, tokens), direct, strict=True)
        off = [sp.expand(found - expected) for found, expected in pairs]
        require(not any(off), f"c = {width}: the scan differs from the convolution by {off}")
    instances = [instance for sizes in ONE_TABLE for instance in enumerate_inputs(sizes)]
    for instance in [*instances, *samples(LONG_TABLE, 0, 8)]:
        require(convolution.answer(instance) == hops(instance)[-1], f"{instance}: a wrong answer")
    require((Word.parse("RF").depth, Word.parse("F").depth) == (1, 0), "the depth of RF and F")
    beta = Message(heads=1, dim=1, bits=ceil_log2(LONG_TABLE.m), score_bits=0).beta(ceil_log2(LONG_TABLE.length))
    require(
        theorem_b(Parameters(LONG_TABLE.m, (), ()), beta, (0, 0)).certified, f"F alone is not forbidden at β = {beta}"
    )
    method = "the same polynomials (sympy); all inputs of L = 1 run exactly"
    return Checked(
        Status.EXHAUSTIVE, method, f"T = {CONVOLVED}, c up to {max(WIDTHS)}; {len(instances)} inputs, m up to 4"
    )


CONVOLUTION = Statement(
    id="R.convolution",
    title="a short convolution in front of F gives the word RF, at small sizes",
    latex=r"y_t=\sum_{j<c}a_jx_{t-j},\quad s=(c-1)\,d\,p;\quad\text{convolution, then}\ F\ \text{solves}\ L=1",
    english="A convolution over c tokens in front of a full layer is a recurrent layer with a state of c − 1 tokens: "
    "with c = 2 it hands z_0 to w, and L = 1 is solved.",
    explanation="""
A convolution over c tokens is a recurrence with a state of c − 1 tokens. In front of a full layer it is an R layer in
front of F: with c = 2 it hands z_0 to w, the next token, and F then reads table 1 at z_0. So convolution and F solve L
= 1 at every size, and F alone does not where 2^β < m^m (T.B).
""",
    subject=Convolution(),
    check=check_convolution,
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

STATEMENTS = (RECURRENT, CONVOLUTION)
