"""What the kernel derives of the weights of a program, in words: what each head does, each slot after each layer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from separation.models import Stream
from separation.proving.kernel import Head, Malformed, Model, Rejected
from separation.proving.kernel_forms import (
    ONE,
    Atom,
    Form,
    Law,
    Rational,
    eliminated,
    maximum,
    parts_of,
    span,
    variables,
    wobble,
)
from separation.proving.kernel_programs import CLEAR, Derivation
from separation.proving.kernel_tasks import Count, Find, Scan

if TYPE_CHECKING:
    from separation.proving.kernel_programs import Forms, Picked, Score

_BIT = re.compile(r"(.*)\[(\d+)\]")


@dataclass
class Derived:
    """``stages[k]``: kind to what its tokens hold after layer k, slot by slot; ``heads``: what each head does.

    ``doubts``: of heads that do nothing clearly, what they would do. ``failure``: why the derivation ends early, or
    does not give the answer; empty if it does, by ``margin``.
    """

    stages: list[dict[str, list[str]]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    margin: Fraction | None = None
    failure: str = ""


def derive(document: object, stream: Stream, example: list[int]) -> Derived:
    """The derivation of the kernel for a model file of a program, watched."""
    found = Derived()
    try:
        watched = _Watched(Model(document, proved=False), example)
    except (Malformed, Rejected) as error:
        found.failure = str(error)
        return found
    try:
        found.margin = Fraction(watched.run())
    except (Malformed, Rejected) as error:
        found.failure = str(error).partition("; layer ")[0]
    found.heads, found.doubts = watched.said()
    if found.failure and found.doubts:
        found.failure = f"{found.doubts[0]}; then {found.failure}"
    names = [stream.name(i) for i in range(stream.width)]
    found.stages = [{kind: _lines(names, forms) for kind, forms in stage.items()} for stage in watched.stages]
    return found


class _Watched(Derivation):
    """The same derivation; what passes by is kept."""

    def __init__(self, model: Model, example: object) -> None:
        super().__init__(model, example)
        self.stages: list[dict[str, Forms]] = []
        self.notes: dict[str, list[tuple[Any, str]]] = {}
        self.ahead: list[Rational] = []
        self.floored = False
        self.many = ""
        self.in_head = False

    def attention(self, head: Head, x: dict[str, Forms]) -> dict[str, Forms]:
        return self._head(super().attention, head, x)

    def recurrence(self, head: Head, x: dict[str, Forms]) -> dict[str, Forms]:
        return self._head(super().recurrence, head, x)

    def _head(self, rule: Callable[..., dict[str, Forms]], head: Head, x: dict[str, Forms]) -> dict[str, Forms]:
        self.in_head = True
        said = rule(head, x)
        self.in_head = False
        return said

    def fits(self, x: dict[str, Forms]) -> None:
        super().fits(x)
        layer = None if self.in_head else re.fullmatch(r"embedding|layer (\d+)(, (MLP|head) \d+)?", self.at)
        if layer is not None and set(x) == set(self.kinds) and all(len(f) == self.model.width for f in x.values()):
            number = int(layer[1] or 0)
            self.stages[number:] = [x]

    def pick(self, d: Find, head: Head, scores: dict[str, Score], values: dict[str, Forms]) -> Picked | None:
        self.ahead, self.floored, self.many = [], False, ""
        found = super().pick(d, head, scores, values)
        if found is None and self.ahead:
            why = f"another token may score {_short(max(self.ahead))} more"
            many = f" (as far as can be said: {self.many} have too many joint values)" if self.many else ""
            self._note(d.kind, (4, max(self.ahead)), f"would find {d.name}, but {why}{many}")
        elif found is None and self.floored:
            bits = self.model.weight_bits
            self._note(d.kind, (3, 0), f"would find {d.name}, but what it finds may weigh 0 in P = {bits} bits")
        elif found is not None and not found[0]:
            share = f"others weigh up to {_short(found[1])} of it" if found[1] else "others weigh nothing"
            if found[1] <= CLEAR:
                self._note(d.kind, (1, found[1]), f"finds {d.name} in {d.target} ({share})")
            else:
                self._note(d.kind, (2, found[1]), f"would find {d.name}, but {share}, which is above {CLEAR}")
        elif found is not None and found[1] <= CLEAR:
            told = _in_words({variable for form in found[2] for variable, _ in variables(form)})
            self._note(d.kind, (2.5, found[1]), f"finds the token of {d.name}, but hands on {told or 'a constant'}")
        return found

    def ratio(self, *given: Any) -> Fraction | None:
        found = super().ratio(*given)
        self.floored |= found is None and not self.ahead
        return found

    def weigh(self, gap: Form, atoms: list[Atom], laws: list[Law], n: int | None) -> tuple[Fraction, Fraction] | None:
        found = super().weigh(gap, atoms, laws, n)
        if found is None and n is not None:
            self.ahead.append(maximum(gap, atoms, laws) or 0)
            for form, over, mine in parts_of(gap, atoms, laws):
                try:
                    eliminated(form, over, mine, laws)
                except OverflowError:
                    self.many = ", ".join(name for name, _ in over)
        return found

    def count(self, d: Count, head: Head, scores: dict[str, Score], values: dict[str, Forms]) -> Forms | None:
        found = super().count(d, head, scores, values)
        if found is not None:
            self._note(d.kind, (0, 0), f"counts {d.name} in {d.target}")
        return found

    def scan(self, d: Scan, head: Head, x: dict[str, Forms]) -> dict[str, Forms]:
        found = super().scan(d, head, x)
        self._note(", ".join(d.over), (0, 0), f"keeps {d.name} as its state")
        return found

    def answer(self, x: Forms) -> Rational:
        try:
            return super().answer(x)
        except Rejected as error:
            rows = {r for y in range(self.program.answer[1]) for r in self.model.unembedding.row(y)}
            told = {variable for r in rows for variable, _ in variables(x[r])} - {self.program.answer[0]}
            why = f": what stands there is said in {_in_words(told)}" if told else ""
            raise Rejected(str(error).partition("; layer ")[0] + why) from None

    def _note(self, kind: str, order: Any, text: str) -> None:
        self.notes.setdefault(self.at, []).append((order, f"at {kind} it {text}"))

    def said(self) -> tuple[list[str], list[str]]:
        """(for each head all that it does, or what it would do; those of which the latter is said)."""
        lines, doubts = [], []
        for at, notes in self.notes.items():
            best = min(order for order, _ in notes)
            clear = best[0] < 2
            lines.append(f"{at}: " + "; ".join(t for order, t in notes if order == best or (clear and order[0] < 2)))
            doubts += [] if clear else [lines[-1]]
        return lines, doubts


def _in_words(told: Iterable[str]) -> str:
    """Variables by name, those of a token that is found explained: h:kg (kg of the token that h finds)."""
    words = []
    for name in sorted(told):
        found, _, own = name.rpartition(":")
        if name.endswith("?"):
            words.append(f"{name} (whether {name[:-1]} finds a token)")
        else:
            words.append(f"{name} ({own} of the token that {found} finds)" if found else name)
    return ", ".join(words)


def _lines(names: list[str], forms: Forms) -> list[str]:
    """slot = text; neighbouring slots v[0], v[1], … with the bits of one variable, or one number, in one line."""
    named = [_named(name, form) for name, form in zip(names, forms, strict=True)]
    lines = []
    for key, same in groupby(named, key=lambda each: each[0]):
        texts = [text for _, text in same]
        lines += texts if key is None else [f"{key[0]} = {key[1]}"]
    return lines


def _named(name: str, form: Form) -> tuple[tuple[str, str] | None, str]:
    """(slot and what it holds, if coordinate v[j] is bit j of a variable or a number; else None), the line of one."""
    rest = dict(form)
    noise, constant = wobble(form), rest.pop(ONE, 0)
    plain = {monomial: c for (monomial, noisy), c in rest.items() if noisy is None}
    place = _BIT.fullmatch(name)
    if not noise and constant == -1 and len(plain) == 1:
        ((monomial, coefficient),) = plain.items()
        if coefficient == 2 and len(monomial) == 1:
            ((variable, _), mask) = monomial[0]
            j = mask.bit_length() - 1
            if place is not None and mask == 1 << int(place[2]):
                return (place[1], f"code({variable})"), ""
            return None, f"{name} = ±bit {j} of {variable}"
    around = f" ± {_short(noise)}" if noise else ""
    if not plain and not noise and place is not None:
        return (place[1], str(constant)), ""
    if not plain:
        return None, f"{name} = {constant}{around}"
    low, high = span({(monomial, None): c for monomial, c in plain.items()} | {ONE: constant})
    over = ", ".join(sorted(variable for variable, _ in variables(form)))
    return None, f"{name} = a function of {over} in [{_short(low)}, {_short(high)}]{around}"


def _short(number: Rational) -> str:
    number = Fraction(number)
    return (
        str(number)
        if max(number.numerator.bit_length(), number.denominator.bit_length()) < 16
        else f"{float(number):.3g}"
    )
