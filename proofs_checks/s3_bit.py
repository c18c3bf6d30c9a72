"""S3.bit: an output bit is within 2δ + η of the truth, and the clip returns it exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
import z3

from proofs_checks.integers import require_no_numbers
from proofs_checks.s3_look_up_error import error_bound
from proofs_checks.s4_clip import CLIP, TOLERANCE, clip
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require


@dataclass(frozen=True)
class Share:
    """|out − s| ≤ ``factor``·δ + η for a bit s = ±1; the clip needs δ ≤ ``leak`` and η ≤ ``rounding``."""

    factor: int = 2
    leak: Fraction = Fraction(1, 8)
    rounding: Fraction = Fraction(1, 4)


def check(share: Share) -> Checked:
    """S3 with D = 2 (values ±1) and δ = λ/(1+λ), the share of the weight that is not on the match: 2δ + η exactly.

    It is met: all other values are −s, the rounding aside. Then 2δ + η ≤ 1/2 lets the clip of S4 return s, at both ends
    and at every break point between: no error goes on to the next layer. δ and λ: δ = λ/(1+λ) is λ = δ/(1−δ).
    """
    leak, step, delta = sp.symbols("lambda eta delta", positive=True)
    said = (share.factor * delta + step).subs(delta, leak / (1 + leak))
    rest = sp.simplify(error_bound(leak, sp.Integer(2), step) - said)
    require(rest == 0, f"S3 with D = 2 gives {rest} more")
    for bit in (1, -1):  # out = (1 − δ)·s + δ·(−s): the worst case, met
        worst = sp.expand(abs(bit * (1 - delta) - delta * bit - bit) - share.factor * delta)
        require(worst == 0, f"a bit {bit} with all leak on {-bit} is off by {worst} more")
    off, part, rounding = z3.Reals("off part rounding")
    bounds = [part >= 0, rounding >= 0, part <= _real(share.leak), rounding <= _real(share.rounding)]
    require_no_numbers([*bounds, off <= share.factor * part + rounding, off > _real(TOLERANCE)], "the clip misses")
    for bit in (1, -1):
        for end in (TOLERANCE, -TOLERANCE, Fraction(0)):
            require(clip(CLIP, bit + end) == bit, f"the clip of {bit + end} is {clip(CLIP, bit + end)}")
    return Checked(Status.ALL_SIZES, "S3 at D = 2 (sympy), 2δ + η ≤ 1/2 (z3), the clip at its ends", "every λ and η")


def _real(number: Fraction) -> z3.RatNumRef:
    return z3.RealVal(str(number))


STATEMENT = Statement(
    id="S3.bit",
    title="an output bit snaps back",
    latex=r"|{\rm out}-s|\le2\delta+\eta,\quad\delta=\tfrac{\lambda}{1+\lambda};\quad 2\delta+\eta\le\tfrac12"
    r"\Rightarrow{\rm clip}({\rm out})=s",
    english="With off-match share δ a ±1 bit is read within 2δ of the truth, and the clip returns it without error.",
    subject=Share(),
    check=check,
    twins={
        "within δ": Share(factor=1),
        "within 3δ": Share(factor=3),
        "a share of 1/4": Share(leak=Fraction(1, 4)),
        "a rounding step of 1/2": Share(rounding=Fraction(1, 2)),
    },
    rests_on=("S3", "S4"),
    hypotheses=(
        Hypothesis(
            "2δ + η ≤ 1/2", lambda held: 2 * held[0] + held[1] <= TOLERANCE, outside=(Fraction(1, 4), TOLERANCE)
        ),
    ),
    witness=(Fraction(1, 8), Fraction(1, 4)),
)
"""The witness: δ and η."""
