"""Why a layer's invariant does not follow: which look-up is missing and why, or which slot holds what instead.

Nothing here is part of a proof. A layer that failed is run again on suppositions: what would it leave behind if a head
read this or that token, with such a leak? The reading with which the fewest slots are wrong is the one that was meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from separation.proving.diagnosis_heads import Aim, Cause, Probe, probe_of, unknown
from separation.proving.failures import ProofFailed
from separation.proving.forms import form_text, is_bit, symbols_of
from separation.proving.kernel import Forms, Invariant, Layer, Noise, absolute, radius, span, total, upper

if TYPE_CHECKING:
    from separation.proving.prover import Prover

BISECTIONS = 16
"""The largest leak that a layer bears is found up to 2^-16."""


@dataclass(frozen=True)
class Supposition:
    """One head reads a fact without leak: what is then still wrong."""

    head: int
    aim: Aim
    wrong: tuple[ProofFailed, ...]

    @property
    def wrong_slots(self) -> set[int | str]:
        return {violation.slot for violation in self.wrong}


class LayerCase:
    """One layer and one kind of token whose claimed invariant does not follow."""

    def __init__(self, prover: Prover, layer: Layer, chosen: Sequence[Forms], claimed: Invariant) -> None:
        self.prover, self.layer, self.claimed, self.outputs = prover, layer, claimed, list(chosen)
        place = next(place for place, kind in enumerate(prover.kinds) if kind.name == prover.kind)
        self.stream = prover.model.invariants[prover.layer - 1][place][0]
        self.probes = [probe_of(prover, place, h, out) for h, out in enumerate(chosen, 1)]
        self.known = [probe.certain for probe in self.probes]

    def explain(self, error: ProofFailed) -> ProofFailed:
        """The failure with its cause: a look-up that is not proved, or what a slot holds."""
        try:
            return self._explained(error)
        except OverflowError:
            # Weights beyond what a float can say: the failure stands as it is.
            return error

    def _explained(self, error: ProofFailed) -> ProofFailed:
        now = self._wrong(self.outputs)
        mended = [s for s in self._suppositions() if len(s.wrong) < len(now) and error.slot not in s.wrong_slots]
        if error.rule == "P8":
            # Some other reading makes many a number small: only one with which everything is right is to the point.
            mended = [s for s in mended if not s.wrong]
        best = min(mended, key=lambda s: (len(s.wrong), self._cause(s).count), default=None)
        return self._slot(error) if best is None else self._look_up(best, error)

    def _suppositions(self) -> list[Supposition]:
        found = []
        for index, probe in enumerate(self.probes):
            for aim in probe.aims():
                outputs = self._with(index, probe.reading(aim, Fraction(0)))
                found.append(Supposition(index, aim, tuple(self._wrong(outputs))))
        return found

    def _cause(self, supposed: Supposition) -> Cause:
        return self.probes[supposed.head].cause(supposed.aim)

    def _look_up(self, supposed: Supposition, error: ProofFailed) -> ProofFailed:
        """The head does not find what was meant: another token, or bits that do not pair up, or too many others."""
        probe, cause = self.probes[supposed.head], self._cause(supposed)
        target, found = probe.target(supposed.aim), probe.found()
        details: dict[str, Any] = {
            "head": supposed.head,
            "reads": supposed.aim.fact.kind,
            "at": list(supposed.aim.fact.address),
            **cause.details,
        }
        if cause.clause == "leak":
            details["allowed_leak"] = allowed = self._allowed_leak(supposed)
            bears = "even without it the slot is wrong" if allowed is None else f"at most {allowed:.3g} is allowed"
            if allowed == 0:
                details["step"] = step = str(self.prover.model.unit)
                bears = f"none is allowed, as what is read is rounded to multiples of {step} already"
            cause = replace(cause, words=f"{cause.words}; {bears}")
        if found is not None and found.fact != supposed.aim.fact:
            details["finds"] = {"reads": found.fact.kind, "at": list(found.fact.address)}
            words = f"head {supposed.head} finds {probe.target(found)}, not {target}: {cause.words}"
        elif cause.clause == "leak":
            words = f"head {supposed.head} asks for {target}, but {cause.words}"
        else:
            words = f"head {supposed.head} does not find {target}: {cause.words}"
        words += f"; so this slot {self._state_of(error, details)}"
        return ProofFailed(cause.rule, error.slot, words, cause.clause, details)

    def _slot(self, error: ProofFailed) -> ProofFailed:
        """The heads read what they should, as far as that is to be seen: what the slot holds is wrong."""
        if error.rule == "P8":
            return error
        read = [_text(probe) for probe in self.probes]
        details: dict[str, Any] = {"read": read}
        exact = [self._exact(index) for index in range(len(self.probes))]
        state = self._state_of(error, details, exact)
        if any(self.known) and error.slot not in {violation.slot for violation in self._wrong(exact)}:
            off, allowed = self._distance(error), self._radius(error)
            details |= {"off": off, "allowed": float(allowed)}
            words = "the clip does not snap: what is rounded and what leaks in the reading leaves this slot off"
            return ProofFailed(
                "P6", error.slot, f"{words} by up to {off:g}, allowed {float(allowed):g}", "clip", details
            )
        details["not_handed_on"] = lost = self._not_handed_on(error, exact)
        said = [f"head {index} reads {what}" for index, what in enumerate(read) if what]
        said += [note for probe in self.probes if (note := probe.note())]
        if not any(self.known) and self.probes:
            said.append("no look-up of this kind of token was proved in this layer")
        said += [f"no head hands on {lost}"] if lost else []
        after = "after the MLP this slot" if self.layer.mlps and not lost else "this slot"
        return ProofFailed(error.rule, error.slot, "; ".join([*said, f"{after} {state}"]), "value", details)

    def _not_handed_on(self, error: ProofFailed, exact: Sequence[Forms]) -> str | None:
        """A bit that the slot should hold and that is nowhere in the stream before the MLP."""
        if not isinstance(error.slot, int) or not any(self.known):
            return None
        before = symbols_of(self._sum(exact))
        wanted = [symbol for symbol in self.claimed[0][error.slot] if is_bit(symbol)]
        # Whether a search was successful is a bit that only the MLP writes.
        lost = [str(symbol) for symbol in wanted if symbol not in before and not str(symbol).startswith("seen ")]
        return lost[0] if lost else None

    def _state_of(self, error: ProofFailed, details: dict[str, Any], exact: list[Forms] | None = None) -> str:
        """holds …, where … is claimed (give or take the radius)."""
        if not isinstance(error.slot, int):
            return error.message
        row = error.slot
        outputs = exact if exact is not None else [self._exact(i) for i in range(len(self.probes))]
        before, derived = symbols_of(self._sum(outputs)), self._after(outputs)[row]
        allowed = self._radius(error)
        low, high = span(derived)
        unsettled = any(isinstance(symbol, Noise) and symbol not in before for symbol in derived)
        details |= {"holds": None if unsettled else form_text(derived)}
        details |= {"claimed": form_text({s: c for s, c in self.claimed[0][row].items() if isinstance(s, str)})}
        details |= {"range": [float(low), float(high)], "radius": float(allowed)}
        claim = details["claimed"] if not allowed else f"{details['claimed']} ± {float(allowed):g}"
        if unsettled:
            return f"ranges over [{float(low):g}, {float(high):g}] where {claim} is claimed"
        if details["holds"] == details["claimed"]:
            details["off"] = off = self._distance(error)
            return f"is off {claim} by up to {off:g}, allowed {float(allowed):g}"
        return f"holds {details['holds']} where {claim} is claimed"

    def _radius(self, error: ProofFailed) -> Fraction:
        """How far the claim lets this slot be from its form."""
        row = error.slot
        noise = self.claimed[0][row].items() if isinstance(row, int) else ()
        return Fraction(total(absolute(c) * radius(s) for s, c in noise if isinstance(s, Noise)))

    def _distance(self, error: ProofFailed) -> float:
        """How far the slot may be from the claimed form."""
        rests = {row: rest for row, rest, _ in self.prover.apart(self._after(self.outputs), self.claimed)}
        return float(upper(rests[int(error.slot)]))

    def _allowed_leak(self, supposed: Supposition) -> float | None:
        """The largest leak below 1, up to 2^-16, with which the claim follows; None if it does not even without one."""
        probe = self.probes[supposed.head]
        if supposed.wrong:
            return None
        low, high = Fraction(0), Fraction(1)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            holds = not self._wrong(self._with(supposed.head, probe.reading(supposed.aim, middle)))
            low, high = (middle, high) if holds else (low, middle)
        return float(low)

    def _exact(self, index: int) -> Forms:
        """What a head hands over, without error where it finds something, under a name where nothing is known."""
        found = self.probes[index].found()
        if found is not None:
            return self.probes[index].reading(found, None)
        return self.outputs[index] if self.known[index] else unknown(index, self.outputs[index])

    def _with(self, index: int, output: Forms) -> list[Forms]:
        return [output if place == index else own for place, own in enumerate(self.outputs)]

    def _after(self, outputs: Sequence[Forms], too_large: list[ProofFailed] | None = None) -> Forms:
        """The stream after the layer, if its heads hand over this; what does not fit in p bits goes into the list."""
        self.prover.too_large = [] if too_large is None else too_large
        try:
            return self.prover.after(self.layer, self.stream, outputs)
        finally:
            self.prover.too_large = None

    def _sum(self, outputs: Sequence[Forms]) -> Forms:
        stream = [dict(form) for form in self.stream]
        for head, out in zip(self.layer.heads, outputs, strict=True):
            self.prover.apply(head.weights["W_O"], out, stream)
        return stream

    def _wrong(self, outputs: Sequence[Forms]) -> list[ProofFailed]:
        """All that is not as claimed, or too large, if the heads hand over this."""
        found: list[ProofFailed] = []
        stream = self._after(outputs, found)
        return [*found, *self.prover.violations(stream, self.claimed)]


def _text(probe: Probe) -> str | None:
    found = probe.found()
    return None if found is None else probe.target(found)
