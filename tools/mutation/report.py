"""The block of docs/mutation.md that the script writes, and the list of survivors."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path

BEGIN, END = "<!-- mutation results, written by python -m tools.mutation -->", "<!-- end of mutation results -->"
LEAST = 90.0  # per cent
HEADS = (
    *("target", "mutants", "beyond mutmut", "run", "killed", "timed out", "survived", "not covered", "rate"),
    *("seed", "tool", "source"),
)


@dataclass(frozen=True)
class Row:
    """rate = (killed + timed out) / run, in per cent, where run is all mutants that were started or not covered."""

    target: str
    mutants: int
    beyond: int  # of these, in decorated functions and at module level
    run: int
    killed: int
    timed_out: int
    survived: int
    not_covered: int
    rate: float
    seed: str
    tool: str
    source: str

    def consistent(self) -> bool:
        """Whether the numbers agree with each other."""
        parts = self.killed + self.timed_out + self.survived + self.not_covered
        whole = parts == self.run and 0 < self.run <= self.mutants and self.beyond <= self.mutants
        return whole and self.rate == rate(self.killed + self.timed_out, self.run)


def rate(killed: int, run: int) -> float:
    """killed/run in per cent, rounded down to a tenth."""
    return killed * 1000 // run / 10


def row(target: str, mutants: int, beyond: int, outcomes: Counter[str], seed: str, tool: str, source: str) -> Row:
    """`mutants` counts those that are Python; what mutmut writes that does not compile is no mutant."""
    killed, late, survived, bare = (outcomes[name] for name in ("killed", "timed out", "survived", "not covered"))
    run = killed + late + survived + bare
    share = rate(killed + late, run)
    return Row(target, mutants, beyond, run, killed, late, survived, bare, share, seed, tool, source)


def read_rows(text: str) -> list[Row]:
    """The rows of the block; ValueError if there is no block or a row is not one."""
    block = re.search(f"{re.escape(BEGIN)}\n(.*?){re.escape(END)}", text, re.DOTALL)
    if block is None:
        raise ValueError("no block of mutation results")
    found = []
    for line in block[1].splitlines()[2:]:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(HEADS):
            raise ValueError(f"not a row of mutation results: {line}")
        name, *counts, share, seed, tool, source = cells
        mutants, beyond, run, killed, late, survived, bare = map(int, counts)
        per_cent = float(share.removesuffix(" %"))
        found.append(Row(name, mutants, beyond, run, killed, late, survived, bare, per_cent, seed, tool, source))
    return found


def with_row(text: str, new: Row) -> str:
    """The document with the row of this target replaced or added."""
    rows = {row.target: row for row in read_rows(text)} | {new.target: new}
    lines = [f"| {' | '.join(HEADS)} |", "|" + "---|" * len(HEADS)]
    for item in rows.values():
        cells = [f"{value} %" if isinstance(value, float) else str(value) for value in astuple(item)]
        lines.append(f"| {' | '.join(cells)} |")
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n" + "\n".join(lines) + f"\n{END}" + rest.partition(END)[2]


def document(home: Path) -> Path:
    return home / "docs" / "mutation.md"
