"""S3.bit: an output bit is within 2δ + η of the truth, and the clip returns it exactly.

S3 with values ±1: with off-match share δ = λ/(1+λ) an output bit is within 2δ + η of the truth, and that is met. If 2δ
+ η ≤ 1/2 the clip (S4) returns the bit exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps
from proofs_checks.statements.s3 import error_bound
from proofs_checks.statements.s4 import CLIP, TOLERANCE, clipped


@dataclass(frozen=True)
class Share:
    """|out − s| ≤ ``factor``·δ + η for a bit s = ±1; the clip needs δ ≤ ``leak`` and η ≤ ``rounding``."""

    factor: int = 2
    leak: Fraction = Fraction(1, 8)
    rounding: Fraction = Fraction(1, 4)


def _from_s3(share: Share) -> None:
    """δ = λ/(1+λ) is the share of the weight that is not on the match."""
    leak, step = sp.symbols("lambda eta", positive=True)
    said = share.factor * leak / (1 + leak) + step
    require_zero(error_bound(leak, sp.Integer(2), step) - said, "S3 with D = 2 is off")


def _met(share: Share) -> None:
    """out = (1 − δ)·s + δ·(−s): all other values are −s, the rounding aside."""
    delta = sp.Symbol("delta", positive=True)
    for bit in (1, -1):
        worst = abs(bit * (1 - delta) - delta * bit - bit)
        require_zero(worst - share.factor * delta, f"a bit {bit} with all leak on {-bit} is off")


def _close_enough_for_the_clip(share: Share) -> None:
    part, rounding = z3.Reals("part rounding")
    _require_clipped(share, [2 * part + rounding <= _real(TOLERANCE)], "2δ + η ≤ 1/2 is not enough")


def _close_enough_in_numbers(share: Share) -> None:
    part, rounding = z3.Reals("part rounding")
    _require_clipped(share, [part <= _real(share.leak), rounding <= _real(share.rounding)], "the clip misses")


def _require_clipped(share: Share, known: list[z3.BoolRef], message: str) -> None:
    part, rounding, off, bit = z3.Reals("part rounding off bit")
    far = share.factor * part + rounding
    held = [part >= 0, rounding >= 0, off <= far, -off <= far, z3.Or(bit == 1, bit == -1), *known]
    require_no_numbers([*held, clipped(CLIP, bit + off) != bit], message)


def _real(number: Fraction) -> z3.RatNumRef:
    return z3.RealVal(str(number))


STATEMENT = Statement(
    id="S3.bit",
    title="an output bit within 1/2 snaps back",
    latex=r"|{\rm out}-s|\le2\delta+\eta,\quad\delta=\tfrac{\lambda}{1+\lambda};\quad 2\delta+\eta\le\tfrac12"
    r"\Rightarrow{\rm clip}({\rm out})=s",
    english="If a share δ of the weight is off the match, a ±1 bit is read to within 2δ, and the clip restores it "
    "exactly.",
    subject=Share(),
    check=Steps(
        "every λ and η",
        (
            Step("S3 at D = 2 is 2δ + η", _from_s3),
            Step("the distance is attained", _met),
            Step("2δ + η ≤ 1/2 and the clip", _close_enough_for_the_clip),
            Step("δ ≤ 1/8, η ≤ 1/4 and the clip", _close_enough_in_numbers),
        ),
        {
            "S3 for a bit": "All values are ±1 and lie in an interval of length D = 2, so S3 speaks of them.",
        },
    ),
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
