"""A program with its weights: proved, run, shown."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from separation.counting import count
from separation.files import InputError
from separation.models import Model, run, state_bits
from separation.programs.best import BITS, ONE_HEAD, forms
from separation.programs.compiler import compile_program
from separation.programs.grounding import grounded
from separation.programs.weights import Part
from separation.proving import Construction
from separation.proving.certificates import Certified, certified_proof, write_certificate
from separation.tasks.program import Definitions, answers
from separation.tasks.program.oracle import all_inputs, raw_inputs, spelled
from separation.tasks.program.printing import as_text, definition_text

MAX_TOKENS = 1 << 20
"""Tokens of a prompt: a certificate carries one prompt."""
MOST_INPUTS = 1 << 20
"""So many inputs are run, and no more."""
MOST_SHOWN = 1 << 10
"""Up to so many tokens it is computed what a form would cost that is not chosen."""


@dataclass(frozen=True, repr=False)
class CompiledProgram:
    """The weights of a program; ``parts`` say which head is for which definition.

    ``form``: how the best of several matches is found, if there may be several; ``other``: the same program in the
    other form, if that could be chosen. ``source``: the program as it was written, of which the same weights are right;
    in ``program``, of which they are proved, look-ups bit by bit are spelled out.
    """

    program: Definitions
    source: Definitions
    model: Model
    parts: tuple[Part, ...]
    asked: str | None = None
    form: str = ""
    other: CompiledProgram | None = None

    @classmethod
    def of(cls, program: Definitions, word: str | None = None, bit_by_bit: bool | None = None) -> CompiledProgram:
        """The cheapest of the forms in which the best of several matches can be found; ``other``: the next one."""
        if program.length > MAX_TOKENS:
            tokens = f"{program.name} has prompts of {program.length:,} tokens"
            raise InputError(f"{tokens}; programs of up to {MAX_TOKENS:,} are compiled")
        made, refused = list[CompiledProgram](), list[InputError]()
        for form, definitions in forms(program, bit_by_bit):
            try:
                found = compile_program(definitions, word)
            except InputError as error:
                refused.append(error)
                continue
            made.append(cls(definitions, program, found.model, found.parts, word, form))
        if not made:
            raise refused[0]
        first, *rest = sorted(made, key=lambda compiled: compiled.cost)
        return replace(first, other=rest[0] if rest else None)

    def __repr__(self) -> str:
        """One line; all of it is in `show()`."""
        return f"<{self.program.name} as weights: {self.model.summary}>"

    @property
    def word(self) -> str:
        """The letters of the layers with heads, e.g. RFF."""
        return self.model.word

    @property
    def layers(self) -> int:
        """All layers, also one without heads in which an MLP prepares the embedding."""
        return len(self.model.layers)

    @property
    def width(self) -> int:
        return self.model.width

    @property
    def cost(self) -> int:
        """P times layers: an exact run computes weights of P bits in each layer, one layer after the other."""
        return self.model.precision.score_bits * self.layers

    @property
    def state_bits(self) -> int:
        """Bits of all recurrent states together, each entry written in full."""
        model = self.model
        return sum(state_bits(head, model.precision) for layer in model.layers for head in layer.stateful_heads)

    @cached_property
    def construction(self) -> Construction:
        """What verbs, exports and checks take."""
        return Construction(self.program.name, self.program, self.model)

    @property
    def as_written(self) -> Construction:
        """The same weights for the program as it was written: what runs inputs asks this."""
        return replace(self.construction, sizes=self.source)

    def prove(self, out: str | Path | None = None) -> Certified:
        """The proof for all inputs, accepted by the kernel, or why there is none; ``out`` gets the certificate."""
        found = self.proved()[1]
        if out is not None:
            if found.certificate is None:
                raise InputError(f"no certificate: {found.failure}")
            write_certificate(out, found.certificate)
        return found

    def proved(self) -> tuple[CompiledProgram, Certified]:
        """These weights with their proof, or those of another form if only they are proved."""
        found = certified_proof(self.construction)
        if not found.ok and self.other is not None:
            second = certified_proof(self.other.construction)
            if second.ok or self.form == BITS:  # if neither is proved, the reason names the program's own definitions
                note = f"{self.other.form}, as {self.form} it is not proved: {found.failure}" if second.ok else ""
                return self.other, replace(second, note=note)
        plain = self.source if found.ok else grounded(self.source)
        if plain != self.source:
            with suppress(InputError):
                form = {BITS: True, ONE_HEAD: False}.get(self.form)
                other = replace(CompiledProgram.of(plain, self.asked, form), source=self.source)
                second = certified_proof(other.construction)
                if second.ok:
                    return other, replace(second, note="of the program with maps from the ground, as show prints them")
        if found.ok and self.program != self.source:
            found = replace(found, note="of the program with its look-ups bit by bit, as show prints them")
        return self, found

    def export(self, to: str, folder: str | Path, **options: Any) -> Any:
        """A folder that the stock class ``to`` (gpt2, llama, olmo_hybrid, qwen3_next) loads, run before it is written.

        ``dtype`` and ``seed`` as of `separation export`, whose report is returned.
        """
        # Verbs know all rooms, and no room knows the verbs: it is found when it is asked for.
        return import_module("separation.verbs.export_programs").export_program(self, folder, to, **options)

    def run(self, ids: Sequence[int]) -> list[int]:
        """What the weights answer, in exact arithmetic, at each token that is asked."""
        program = self.program
        if program.is_endless:
            fixed = sum(kind.count or 0 for kind in program.kinds)
            program = program.at_length(max(1, len(ids) - fixed))
        spelled(program, ids)
        model = self.model if program == self.program else self._at_length(program)
        found = run(model, np.array(ids, dtype=np.int64), every_row=True).answers[0]
        first, last = program.asked
        return [int(answer) for answer in found[first:last]]

    def _at_length(self, program: Definitions) -> Model:
        """The same weights with as many rows of positions as the prompt has tokens."""
        if program.shown not in self._longer:
            self._longer[program.shown] = compile_program(program, self.asked).model
        return self._longer[program.shown]

    @cached_property
    def _longer(self) -> dict[int, Model]:
        return {}

    def wrong(self, most: int = MOST_INPUTS) -> list[int] | None:
        """The first input, of all, that the weights answer wrongly anywhere; None if there is none."""
        if raw_inputs(self.program) > most:
            raise InputError(f"{self.program.name} has more than {most:,} prompts; all of them are not run")
        for ids in all_inputs(self.program):
            if self.run(ids) != answers(self.program, ids):
                return ids
        return None

    def show(self) -> str:
        """The program, and which head does which definition."""
        model, program = self.model, self.program
        weights = f"weights: {model.summary}"
        weights += f", state {count(self.state_bits, 'bit')}" if self.state_bits else ""
        lines = [as_text(self.source)]
        own = self.source.definitions
        if spelled_out := [f"  {definition_text(d)}" for d in program.definitions if d not in own]:
            how = "what is found bit by bit" if self.form == BITS else "maps from the ground"
            lines += [f"{how}, as it is proved and certified:", *spelled_out]
        lines += [weights, *([f"the best of several matches {self.forms}"] if self.form else [])]
        for part in self.parts:
            kind = part.kind.split(", ")[0]
            d = program.named(kind, part.name)
            said = definition_text(d) if d is not None else part.name
            lines.append(f"  layer {part.layer}, head {part.head} {part.what}: {said}")
        return "\n".join(lines)

    @property
    def forms(self) -> str:
        """Which form was chosen, and what the other costs."""
        said = f"{self.form}: P x layers = {self.cost:,}" if self.form else ""
        if self.other is not None:
            return f"{said}; {self.other.form} {self.other.cost:,}"
        if self.form == ONE_HEAD and self.program.length <= MOST_SHOWN:
            with suppress(InputError):
                other = CompiledProgram.of(self.program, self.asked, bit_by_bit=True)
                return f"{said}; {other.form} {other.cost:,}, which the kernel is not expected to prove soon"
        return said
