"""A program with its weights: proved, run, shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from separation.files import InputError
from separation.models import Model, run, state_bits
from separation.programs.compiler import compile_program
from separation.programs.weights import Part
from separation.proving import Construction
from separation.proving.certificates import Certified, certified_proof, write_certificate
from separation.tasks.program import Definitions, answers
from separation.tasks.program.oracle import all_inputs, raw_inputs
from separation.tasks.program.printing import as_text, definition_text

MOST_INPUTS = 1 << 20
"""So many inputs are run, and no more."""


@dataclass(frozen=True, repr=False)
class CompiledProgram:
    """The weights of a program; ``parts`` say which head is for which definition."""

    program: Definitions
    model: Model
    parts: tuple[Part, ...]
    asked: str | None = None

    @classmethod
    def of(cls, program: Definitions, word: str | None = None) -> CompiledProgram:
        found = compile_program(program, word)
        return cls(program, found.model, found.parts, word)

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
    def state_bits(self) -> int:
        """Bits of all recurrent states together, each entry written in full."""
        model = self.model
        return sum(state_bits(head, model.precision) for layer in model.layers for head in layer.stateful_heads)

    @cached_property
    def construction(self) -> Construction:
        """What verbs, exports and checks take."""
        return Construction(self.program.name, self.program, self.model)

    def prove(self, out: str | Path | None = None) -> Certified:
        """The proof for all inputs, accepted by the kernel, or why there is none; ``out`` gets the certificate."""
        found = certified_proof(self.construction)
        if out is not None:
            if found.certificate is None:
                raise InputError(f"no certificate: {found.failure}")
            write_certificate(out, found.certificate)
        return found

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
            program = program.at_length(len(ids) - fixed)
        model = self.model if program == self.program else compile_program(program, self.asked).model
        found = run(model, np.array(ids, dtype=np.int64), every_row=True).answers[0]
        first, last = program.asked
        return [int(answer) for answer in found[first:last]]

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
        weights += f", state {self.state_bits:,} bits" if self.state_bits else ""
        lines = [as_text(program), weights]
        for part in self.parts:
            kind = part.kind.split(", ")[0]
            d = program.named(kind, part.name)
            said = definition_text(d) if d is not None else part.name
            lines.append(f"  layer {part.layer}, head {part.head} {part.what}: {said}")
        return "\n".join(lines)
