"""One text a verb, as people read it; seconds are left out. `python -m tests.test_golden` writes them anew."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from separation.verbs.command_line import run

FOLDER = Path(__file__).parent / "golden"
COMMANDS = {
    "prove": "prove C1 --L 2",
    "solve": "solve C1 --L 3 --m 4 --n 4,4 --seed 7",
    "show": "show C1 --L 2 --layer 2",
    "infer": "infer C1 --L 2 --m 2 --n 2",
    "simulate": "simulate --word RFR --seed 0 --cut 3,5,2",
    "fool": "fool --word R --L 1 --m 4 --state-bits 6",
    "decide": "decide RFFR --L 3",
    "sparse": "bound --sparse --modulus 11 --block 3 --open 1 --blocks 4",
    "bound": "bound --L 2 --beta 8 --lambda 0",
    "sweep": "sweep decide --word RF,FR,FFF --L 1..2 --workers 1",
    "constructions": "constructions --L 2 --m 3 --n 2 --length 5 --modulus 7 --block 2",
    "proofs": "proofs D1 --no-check",
    "compare": "compare RFF FFR FFF --L 2",
    "design": "design --layers 48 --full 6 --L 5",
    "audit": "audit lfm2_1_2b",
    "check": "check corpus/bound/d.json",
}
SECONDS = re.compile(r"\b\d+\.\d+ s\b *")


def text_of(line: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert run(line.split()) == 0
    return SECONDS.sub("… s", out.getvalue())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_text_of_a_verb(name: str) -> None:
    assert text_of(COMMANDS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for name, line in COMMANDS.items():
        (FOLDER / f"{name}.txt").write_text(text_of(line), encoding="utf-8")
