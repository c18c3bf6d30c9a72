"""`programs`: the gallery, each program compiled and proved now; or one of them as mathematics, with its weights."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from constructions.programs import NAMES, is_program, program_named, sentence, sizes_of
from separation.files import InputError
from separation.progress import Progress, silent
from separation.tasks.program.definitions import near
from separation.verbs.options import Argument
from separation.verbs.report import MARKS, Parts, Report, Verbatim, escape, named, table_of

if TYPE_CHECKING:
    from separation.programs import CompiledProgram

EXAMPLES = ("programs", "programs induction --large", "prove induction --sizes n=512,V=16 --out induction.json")


def programs(
    name: Annotated[
        str | None, Argument(metavar="[NAME]", help="One of the gallery, or FILE.py:program: show it.")
    ] = None,
    *,
    large: Annotated[bool, "At the large sizes; else so small that all inputs can be run."] = False,
    latex: Annotated[bool, "The definitions of one program in LaTeX, and nothing else."] = False,
    progress: Progress = silent,
) -> ProgramsReport:
    """Every program of the gallery with its sizes, width, layers, P and the seconds of its proof; or one, shown."""
    if name is not None and not is_program(name):
        raise InputError(f"there is no program {name[:40]!r}{near(name, list(NAMES))}")
    if latex and name is None:
        raise InputError("--latex is for one program: give its name")
    if large and name is not None and name.lower() not in NAMES:
        raise InputError(f"--large is for the gallery; {name} has its own sizes")
    chosen = NAMES if name is None else (name,)
    rows = []
    for number, each in enumerate(chosen):
        progress(number / len(chosen), each)
        rows.append(_row(each, large))
    return ProgramsReport(tuple(rows), name, latex)


def sizes_text(sizes: dict[str, int], endless: bool) -> str:
    """n = 64, V = 8, every length."""
    return ", ".join([*(f"{name} = {size}" for name, size in sizes.items()), *["every length"] * endless])


@dataclass(frozen=True)
class ProgramRow:
    """A program, its weights and whether the kernel accepts its certificate."""

    name: str
    compiled: CompiledProgram
    sizes: dict[str, int]
    proved: bool
    reason: str
    seconds: float

    @property
    def sentence(self) -> str:
        return sentence(self.name.lower()) if self.name.lower() in NAMES else self.compiled.program.name

    def document(self) -> dict[str, Any]:
        model = self.compiled.model
        return {
            "name": self.name,
            "sentence": self.sentence,
            "proved": self.proved,
            "reason": self.reason or None,
            "sizes": self.sizes,
            **named(model, "word", "width"),
            "layers": len(model.layers),
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "seconds": self.seconds,
            "every_length": self.compiled.program.is_endless,
        }


def _row(name: str, large: bool) -> ProgramRow:
    sizes = sizes_of(name.lower(), large) if name.lower() in NAMES else {}
    compiled = program_named(name, sizes).compile()
    start = time.perf_counter()
    compiled, proof = compiled.proved()
    return ProgramRow(name, compiled, sizes, proof.ok, "" if proof.ok else proof.failure, time.perf_counter() - start)


class ProgramsReport(Report):
    """The rows; ``name`` if one program was asked for."""

    rows: tuple[ProgramRow, ...]
    name: str | None = None
    latex: bool = False

    @property
    def ok(self) -> bool:
        return all(row.proved for row in self.rows)

    def facts(self) -> dict[str, Any]:
        return {"rows": list(self.rows), **({"latex": self._latex} if self.latex else {})}

    @property
    def _latex(self) -> str:
        from separation.tasks.program.printing import as_latex

        return as_latex(self.rows[0].compiled.source)

    def parts(self) -> Parts:
        if self.latex:
            yield Verbatim(self._latex)
            return
        if self.name is not None:
            row = self.rows[0]
            yield f"{escape(row.sentence)}\n"
            yield Verbatim(row.compiled.show())
            scope = "of every length" if row.compiled.program.is_endless else "at these sizes"
            said = f"proved for all inputs {scope}" if row.proved else f"not proved: {row.reason}"
            yield f"{MARKS[row.proved]} {escape(said)} ({row.seconds:.2f} s)"
            return
        proved = sum(row.proved for row in self.rows)
        yield f"{proved} of {len(self.rows)} programs are proved for all inputs, each by weights made from it."
        table = []
        for row in self.rows:
            model = row.compiled.model
            numbers = (model.width, model.precision.score_bits, f"{row.seconds:.1f}")
            shown = sizes_text(row.sizes, row.compiled.program.is_endless)
            table.append((row.name, shown, model.word, *numbers, row.proved))
        yield table_of("program", "sizes", "word", "width", "P", "s", "", right_from=3, rows=table)
        for row in self.rows:
            if not row.proved:
                yield f"{MARKS[False]} {row.name}: {escape(row.reason)}"
        yield "separation programs NAME shows one; separation prove NAME --out FILE writes its certificate."
