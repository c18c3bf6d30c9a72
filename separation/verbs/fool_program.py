"""`fool` of a program: two inputs that a model with R layers alone cannot tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.escaping import quoted
from separation.fooling import Budget
from separation.fooling.programs import ProgramSearch, find_program_pair
from separation.progress import Progress, silent
from separation.proving import Construction, write_certificate, wrong_certificate
from separation.tasks.program import ProgramInstance
from separation.testing.text import write_block
from separation.verbs.report import MARKS, Parts, Report, escape, timed, written


@timed
def fool_program(
    subject: Construction, seed: int, budget: Budget, out: str | Path | None = None, progress: Progress = silent
) -> ProgramFoolReport:
    """``out`` gets the certificate that one of the two inputs is answered wrongly."""
    program: Any = subject.sizes
    found = find_program_pair(subject.model, program, seed=seed, budget=budget, progress=progress)
    if out is not None and found.pair is not None:
        write_certificate(out, wrong_certificate(subject, found.pair.wrong))
    written = Path(out) if out is not None and found.pair is not None else None
    return ProgramFoolReport(subject, found, written)


@dataclass(frozen=True)
class ProgramFoolReport(Report):
    """The pair, if there is one, and what was looked at."""

    construction: Construction
    search: ProgramSearch
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.search.pair is not None

    def facts(self) -> dict[str, Any]:
        pair = self.search.pair
        looked = {"beginnings": self.search.beginnings, "states": self.search.states}
        named = {"construction": self.construction.name, "word": self.construction.model.word}
        return {**named, "pair": None if pair is None else pair.document(), **looked, "certificate": self.out}

    def parts(self) -> Parts:
        pair, name = self.search.pair, escape(quoted(self.construction.name))
        looked = f"{self.search.beginnings:,} beginnings, {self.search.states:,} states, {self.seconds:.1f} s"
        if pair is None:
            yield f"{MARKS[False]} {name}: no two inputs were found that it cannot tell apart ({looked})"
            return
        yield f"{MARKS[True]} {name} is fooled: after token {pair.cut - 1} both inputs have left the same state"
        for ids, due in zip((pair.first, pair.second), pair.due, strict=True):
            for line in write_block(ProgramInstance(pair.program, ids)).split("\n")[1:]:
                yield f"  {escape(line)}"
            yield f"  at token {pair.place} it says {pair.said}, due is {due}"
        yield looked
        yield written("certificate", self.out)
