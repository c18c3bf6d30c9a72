"""How far the stock forward pass of GPT-2 can be from exact arithmetic, in each dtype: a bound, not a measurement.

The argument is written out in docs/stock.md. What is assumed of the machine: rounding to nearest; sums in any order;
exp within 64 units of the last place; the mean of LayerNorm within γ_{d+16} and its variance within 8·γ_{d+16}; in
bfloat16 and float16, each operation computed in float32 and rounded once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from constructions.stock.gpt2.plan import SCORE_ROUNDINGS, Gpt2Plan
from constructions.stock.kit.target import Certificate, NoBound, float_above
from separation.arithmetic import ball

STORED_UNIT = Fraction(1, 2**23)
"""The gain √(1+ε) is stored in float32."""
EXP_UNITS = 64
SHORT_UNITS = {"bfloat16": Fraction(1, 2**8), "float16": Fraction(1, 2**11)}
LONG_UNITS = {"float32": Fraction(1, 2**24), "float64": Fraction(1, 2**53)}
DTYPES = (*LONG_UNITS, *SHORT_UNITS)
LARGEST_FLOAT16 = 65504


def certify_plan(plan: Gpt2Plan, dtype: str) -> Certificate:
    """Every logit is within a bound of 2·Σ_j code(v)_j·code(i_L)_j (0 for the id of a query).

    The errors after each layer are the largest of `value` in other rows and in the last row.
    """
    # 4 for each bit that two values differ in; 2A from the answer to the logits of queries, which are 0.
    margin = min(4, 2 * plan.value_bits)
    try:
        if dtype in SHORT_UNITS:
            _Snapped(plan, SHORT_UNITS[dtype]).require(dtype)
            layers, bound = [(arb(0), arb(0))] * len(plan.reads), arb(0)
        else:
            run = _Rounded(plan, LONG_UNITS[dtype])
            layers = run.layers()
            bound = run.logit(layers[-1][1])
    except NoBound as failure:
        return Certificate(margin, None, reason=str(failure), dtype=dtype)
    errors = tuple({"other_rows": float_above(other), "last_row": float_above(last)} for other, last in layers)
    return Certificate(margin, float_above(bound), errors, dtype=dtype)


@dataclass(frozen=True)
class _Norm:
    """How far LayerNorm's output is: from ±1 where the input is ±1; from ±1 in `value`; from the input in `value`."""

    fixed: arb
    value: arb
    copy: arb


class _Arithmetic:
    """Bounds that hold in any arithmetic of unit roundoff u."""

    def __init__(self, plan: Gpt2Plan, unit: Fraction) -> None:
        self.plan, self.unit = plan, ball(unit)
        self.bits, self.slots, self.tokens = plan.address.width, plan.slots, plan.sizes.length

    def gamma(self, operations: int) -> arb:
        """γ_k = k·u / (1 − k·u)."""
        product = operations * self.unit
        if not product < 1:
            raise NoBound(f"sums of {operations} terms have no bound at this roundoff")
        return product / (1 - product)

    def norm(self, deviation: arb, gain: arb) -> _Norm:
        """A row of ±1 whose `value` is within ``deviation`` of that; ``gain`` is the relative error of the gain."""
        share = ball(Fraction(self.plan.value_bits, self.slots))
        length = self.gamma(2 * self.slots + 16)
        mean = length * (1 + deviation)  # the true mean is 0: both halves of the stream stay exactly opposite
        variance = share * (2 * deviation + deviation**2) + mean**2
        variance += 8 * length * (1 + variance)
        if not variance <= ball(Fraction(1, 2)):
            raise NoBound("the variance of a row is not known to be near 1")
        scale = (1 + gain) * (1 + self.gamma(10)) / (1 - variance).sqrt() - 1
        moved = (1 + deviation) * scale + mean * (1 + scale)
        return _Norm(scale + mean * (1 + scale), deviation + moved, moved)

    def leak(self, gap: arb | None, error: arb, magnitude: arb) -> arb:
        """Weight of all other keys over that of the match, as computed; ``gap`` None: distinct codes of b bits.

        where ``error`` and ``magnitude`` are of scores before they are divided by √S.
        """
        root = self.plan.root
        moved = (error + self.gamma(self.slots + 16) * magnitude) / root
        if gap is None:
            others = (1 + (-2 * self.plan.look_up / root).exp()) ** self.bits - 1
        else:
            others = (self.tokens - 1) * (-gap / root).exp()
        wobble = (1 + EXP_UNITS * self.unit) / (1 - EXP_UNITS * self.unit)
        leak = others * (2 * moved).exp() * wobble * (1 + self.gamma(2 * self.tokens + 8))
        if not leak <= ball(Fraction(1, 8)):
            raise NoBound("a softmax is not known to be sharp")
        return leak


class _Rounded(_Arithmetic):
    """float32 and float64: errors layer by layer."""

    def layers(self) -> list[tuple[arb, arb]]:
        """The error of `value` after each layer: in other rows, where it adds up, and in the last row, where not."""
        other, last, found = arb(0), arb(0), []
        for _ in self.plan.reads:
            other, last = self._layer(other, last)
            found.append((other, last))
        return found

    def logit(self, last: arb) -> arb:
        """2A terms, each within the final LayerNorm's error of ±1."""
        error = self.norm(last, ball(STORED_UNIT)).value
        return 2 * self.plan.value_bits * (error + self.gamma(2 * self.slots + 2) * (1 + error))

    def _layer(self, other: arb, last: arb) -> tuple[arb, arb]:
        gain = ball(STORED_UNIT)
        rows, own = self.norm(other, gain), self.norm(last, gain)
        keys = rows.fixed.max(own.fixed)
        values = 1 + rows.value.max(own.value)
        look_up, self_look = self._last_row_leaks(own, keys)
        sinks = self._other_row_leaks(rows)
        noise, written = 32 * self.unit, 2 * self.gamma(8) * values
        other = other + values * (4 * sinks + noise) + written
        last = rows.value + own.copy + values * (4 * (look_up + self_look) + noise) + written
        return other.upper(), last.upper()

    def _last_row_leaks(self, own: _Norm, keys: arb) -> tuple[arb, arb]:
        """Head 1 looks up with a weight w for each bit; head 2 looks at itself; both hardly ask for the first row."""
        plan = self.plan
        asked = plan.look_up * self.bits
        bit = (1 + own.value) * (1 + self.unit) * (1 + keys)
        flag = (((1 + own.fixed) * (1 + self.unit) ** 3) - 1) * (1 + keys)
        first, second = plan.half_sink * flag, plan.half_stay * flag
        return (
            self.leak(None, asked * (bit - 1) + first, asked * bit + first),
            self.leak(arb(2 * plan.stay), plan.stay * keys + second, plan.stay * (1 + keys) + second),
        )

    def _other_row_leaks(self, rows: _Norm) -> arb:
        """Both heads look at the first row: head 1 over what it looks up, head 2 over a constant."""
        plan = self.plan
        junk = plan.look_up * self.bits
        bit = (1 + rows.value) * (1 + self.unit) * (1 + rows.fixed)
        flag = (1 + rows.fixed) ** 2 * (1 + self.unit) ** 3
        sink, rest = 2 * plan.half_sink, 2 * plan.half_stay
        first = self.leak(arb(2 * (sink - junk)), sink * (flag - 1) + junk * (bit - 1), sink * flag + junk * bit)
        constant = plan.stay * rows.fixed
        second = self.leak(arb(2 * rest), rest * (flag - 1) + constant, rest * flag + constant + plan.stay)
        return first + second


class _Snapped(_Arithmetic):
    """bfloat16 and float16: what is within half a spacing of ±1 is rounded to ±1, so that no error is left at all."""

    def __init__(self, plan: Gpt2Plan, storage: Fraction) -> None:
        super().__init__(plan, LONG_UNITS["float32"])
        self.storage = ball(storage)

    def require(self, dtype: str) -> None:
        """The gain is stored as 1, LayerNorm gives ±1, scores of whole numbers are sharp, sums of ±1 are exact."""
        plan, half = self.plan, self.storage / 2
        root = ball(1 + Fraction(plan.epsilon)).sqrt()
        if not root - 1 < half:
            raise NoBound(f"the gain √(1+ε) is not stored as 1 in {dtype}")
        if not self.norm(arb(0), 1 - 1 / root).fixed < half:
            raise NoBound(f"LayerNorm is not known to give ±1 in {dtype}")
        junk, sink, rest = plan.look_up * self.bits, 2 * plan.half_sink, 2 * plan.half_stay
        flags = ((2 * plan.stay, plan.stay), (2 * (sink - junk), sink + junk), (2 * rest, rest + plan.stay))
        for gap, magnitude in ((None, junk), *flags):
            error = SCORE_ROUNDINGS * self.storage * (1 + self.storage) ** 2 * magnitude
            leak = self.leak(None if gap is None else arb(gap), error, arb(magnitude))
            if not 4 * leak + 16 * self.unit < half:
                raise NoBound(f"a look-up is not known to give ±1 in {dtype}")
        if not (2 * plan.value_bits) * self.storage <= 1:
            raise NoBound(f"logits up to {2 * plan.value_bits} are not whole numbers in {dtype}")
        if dtype == "float16" and sink + junk > LARGEST_FLOAT16:
            raise NoBound(f"scores up to {sink + junk} overflow in {dtype}")
