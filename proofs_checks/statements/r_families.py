"""R.families: every linear attention is a recurrence, with a state of H·d_k·d_v·p bits.

S_t = step(S_{t-1}, x_t), y_t = read(S_t, x_t): linear attention, with and without a normaliser, RetNet, GLA, Mamba,
Mamba-2, DeltaNet, Gated DeltaNet, KDA, RWKV-6 and 7, mLSTM, HGRN2, DeltaProduct, the sliding window and a plain network
are such scans, equal to the parallel forms that their papers write. The state has H·d_k·d_v·p bits, H·d_k·p more with a
normaliser; it is all that passes from one token to the next, apart from the buffers of short convolutions and token
shifts. That linear attention is such a scan is Lemma 2.2 of arXiv 2602.01763; where a step is affine in the state, S_t
= A_t S_{t-1} + w_t, it is a sum over all earlier tokens for every T. Formulas: [recurrences.md](recurrences.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.recurrences import FAMILIES, TWINS, Recurrence, check_exact, check_symbolic, fractions

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


STATEMENT = Statement(
    id="R.families",
    title=f"{len(FAMILIES)} recurrent families are R layers, at T = 3",
    latex=r"S_t={\rm step}(S_{t-1},x_t),\ y_t={\rm read}(S_t,x_t),\quad s=H\,d_k\,d_v\,p\ (+\text{normaliser})",
    english="Linear attention, RetNet, GLA, Mamba, DeltaNet and the others are scans whose state is all that passes "
    "from a token to the next.",
    subject=FAMILIES,
    check=check,
    twins={f"{name}: {type(twin).__name__}": {name: twin} for name, twin in TWINS.items()},
    hypotheses=(Hypothesis("the family is one of the catalogue", lambda name: name in FAMILIES, outside="softmax"),),
    witness="gated-delta-net",
)
"""The witness: a family."""
