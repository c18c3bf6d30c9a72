"""Rules of kernel and prover, each broken in one way; the fuzzer must find every one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from separation.proving import general, kernel, prover

Patch = tuple[Any, str, Any]  # where, what, and what stands there instead
Kernel = kernel.Proof


def nothing(*_: Any, **__: Any) -> None:
    return None


def kernel_without_leak() -> list[Patch]:
    """P4: the other keys weigh nothing."""
    rule = Kernel.read
    return [(Kernel, "read", lambda self, values, fact, hulls, _: rule(self, values, fact, hulls, Fraction(0)))]


def kernel_without_rounding() -> list[Patch]:
    """P4: the mean is not rounded down to a multiple of 2^-f."""
    rule = Kernel.read

    def read(self: kernel.Proof, *rest: Any) -> kernel.Forms:
        found = rule(self, *rest)
        for form in found:
            noise = [s for s in form if isinstance(s, kernel.Noise)][-1]
            form[kernel.Noise(noise.radius - self.model.unit)] = form.pop(noise)
        return found

    return [(Kernel, "read", read)]


def kernel_without_wobble() -> list[Patch]:
    """P4: what noise adds to a score is forgotten."""
    rule = Kernel.look_up

    def look_up(self: kernel.Proof, place: int, fact: Any, scores: list[Any], shift: Any) -> Any:
        exact = [
            {b: {a: c for a, c in column.items() if isinstance(a, str)} for b, column in table.items()}
            for table in scores
        ]
        return rule(self, place, fact, exact, shift)

    return [(Kernel, "look_up", look_up)]


def kernel_without_rivals() -> list[Patch]:
    """P4: only the keys of the target's own kind count."""
    rule = Kernel.look_up

    def look_up(self: kernel.Proof, place: int, fact: Any, scores: list[Any], shift: Any) -> Any:
        far = {"1": {"1": Fraction(-5000)}}
        return rule(self, place, fact, [s if j == place else far for j, s in enumerate(scores)], shift)

    return [(Kernel, "look_up", look_up)]


def kernel_without_sizes() -> list[Patch]:
    """P8 is forgotten."""
    return [(Kernel, "size", nothing)]


def kernel_shares_noise() -> list[Patch]:
    """P5: one noise symbol for all coordinates of an output."""
    rule = Kernel.between

    def between(self: kernel.Proof, hulls: Any) -> kernel.Forms:
        found, shared = rule(self, hulls), kernel.Noise(1)
        for form in found:
            for noise in [s for s in form if isinstance(s, kernel.Noise)]:
                form[shared] = form.pop(noise) * noise.radius
        return found

    return [(Kernel, "between", between)]


def kernel_takes_the_wrong_winner() -> list[Patch]:
    """P4: the value at the address of a hop is taken for that hop itself."""
    rule = Kernel.facts

    def facts(self: kernel.Proof, place: int, target: int) -> list[dict[str, str]]:
        return [
            {bit: f"i{int(name[1]) - 1}{name[2:]}" if bit.startswith("value") else name for bit, name in fact.items()}
            for fact in rule(self, place, target)
        ]

    return [(Kernel, "facts", facts)]


def kernel_hull_without_zero() -> list[Patch]:
    """P5: that all weights may be 0, and the rounding, are forgotten."""
    return [(Kernel, "between", lambda _, hulls: [kernel.within(*ends) for ends in hulls])]


def kernel_guesses_signs() -> list[Patch]:
    """P6: a unit has the sign of the middle of its range."""
    return [(kernel, "one_sign", lambda form, ends: form if ends[0] + ends[1] >= 0 else {})]


def kernel_sees_peaks_everywhere() -> list[Patch]:
    """P9: any form without noise is a peak."""

    def peak(form: kernel.Form) -> Any:
        most = kernel.span(form)[1]
        bits = {s: c for s, c in form.items() if s != "1"}
        if most <= 0 or any(isinstance(s, kernel.Noise) for s in bits):
            return max(most, 0), None
        return most, frozenset((s, c > 0) for s, c in bits.items())

    return [(kernel, "peak", peak)]


def kernel_bends_nowhere() -> list[Patch]:
    """P6: a bent unit is half of its form, as if it were linear."""

    def bend(self: kernel.Proof, w_2: Any, t: Any, units: Any, result: Any) -> None:  # noqa: ARG001
        for r, unit, weight in entries(w_2):
            if unit in units:
                a, b = units[unit]
                kernel.add(
                    result[r],
                    kernel.plus(kernel.plus({}, t, Fraction(weight * b) / 2), {"1": Fraction(weight * a) / 2}),
                )

    return [(Kernel, "bend", bend)]


def entries(matrix: Any) -> list[tuple[int, int, Any]]:
    return list(matrix.entries)


def kernel_calls_all_integral() -> list[Patch]:
    """Integral: nothing is looked at."""
    return [(Kernel, "whole", nothing)]


def general_without_other_keys() -> list[Patch]:
    """P4 by enumeration: the other keys weigh nothing."""
    rule = general.enumerated

    def enumerated(*given: Any, **more: Any) -> Any:
        found = rule(*given, **more)
        return found and replace(found, leak=Fraction(0))

    return [(prover, "enumerated", enumerated)]


def general_answers_without_address() -> list[Patch]:
    """Answer by enumeration: a stream that mentions no variable of the answer is taken to be right."""
    rule = general.enumerated

    def enumerated(scores: Any, kinds: Any, target: int, fact: Any, *rest: Any, **more: Any) -> Any:
        asked = {symbol for table in scores for column in table.values() for symbol in column}
        if more.get("weigh", True) or asked & set(fact.values()):
            return rule(scores, kinds, target, fact, *rest, **more)
        return general.Outcome(Fraction(0), Fraction(0), Fraction(1))

    return [(prover, "enumerated", enumerated)]


TWINS: dict[str, Callable[[], list[Patch]]] = {
    rule.__name__: rule
    for rule in (
        kernel_without_leak,
        kernel_without_rounding,
        kernel_without_wobble,
        kernel_without_rivals,
        kernel_without_sizes,
        kernel_shares_noise,
        kernel_takes_the_wrong_winner,
        kernel_hull_without_zero,
        kernel_guesses_signs,
        kernel_sees_peaks_everywhere,
        kernel_bends_nowhere,
        kernel_calls_all_integral,
        general_without_other_keys,
        general_answers_without_address,
    )
}
