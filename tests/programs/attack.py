"""Certificates of tiny programs, changed at random; and whether a changed one is right, by running all inputs.

The exact runner and the oracle share no code with the kernel's rules.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import random
import types
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import model_mutations
import numpy as np
import pytest
from fuzzed_models import shown
from plain_tables import Document
from run_truth import positions_of

from constructions.programs import gallery
from separation.arithmetic import ExactMatrix, PrecisionOverflow
from separation.files import InputError
from separation.models import Stored, model_from_document, run
from separation.programs import Program
from separation.programs.circuits import Circuits
from separation.programs.slots import Slots
from separation.proving import kernel_programs
from separation.proving.kernel import check_certificate
from separation.tasks.program import Definitions, answers
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import all_inputs, raw_inputs

MOST_INPUTS = 4096
TRIES = 500
PROGRAMS = Path(kernel_programs.__file__).read_text()


def padded_parity() -> Program:
    """Two tokens between the start and the bits that the scan does not know."""
    p = Program("padded parity")
    p.start()
    p.tokens("pad", 2)
    bits = p.tokens("bits", any, x=2)
    p.answer(p.scan(lambda odd, x: odd ^ x, bits.x, name="odd"))
    return p


def previous_or_zero() -> Program:
    """What stood before; the default is a letter as any other."""
    p = Program("previous or zero")
    p.start()
    text = p.tokens("text", 3, letter=2)
    p.answer(text.previous(text.letter, default=0))
    return p


def largest_by_bits() -> Program:
    """Variables that do not occur link what the heads ask for with what they find."""
    p = Program("largest by bits")
    p.start()
    seq = p.tokens("seq", 2, sym=4)
    p.answer(seq.largest(seq.sym, default=0, bit_by_bit=True))
    return p


OWN = {own.__name__: own for own in (padded_parity, previous_or_zero, largest_by_bits)}


def tiny(name: str) -> Program:
    """A program with few inputs."""
    small: dict[str, dict[str, int]] = {"previous_token": {"n": 3, "V": 2}, "copying": {"n": 2, "V": 2}}
    found: Program = OWN[name]() if name in OWN else gallery(name, **small.get(name, {}))
    return found


@functools.cache
def certificate(name: str) -> Document:
    """Of a tiny program, perhaps @ a word; with _raw behind its name without MLPs: what heads say is not clipped."""
    program, _, word = name.removesuffix("_raw").partition("@")
    with contextlib.ExitStack() as stack:
        if name.endswith("_raw"):  # heads write into the slots of their variables, which share no coordinates
            stack.enter_context(
                patch.object(Circuits, "heard", lambda c, kind, name, count: c.bits(kind, name)[:count])
            )
            stack.enter_context(patch.object(Slots, "allocate", lambda *_: []))
        found = tiny(program).compile(word or None).prove()
    assert found.certificate is not None, found.failure
    document = copy.deepcopy(found.certificate)
    if name.endswith("_raw"):
        for layer in document["model"]["layers"]:
            layer["mlps"] = []
        document["claim"]["margin"] = "1/1000"
    return document


def borrowed(rng: random.Random, model: Document) -> None:
    """A matrix of a head does what another one does, too."""
    if found := model_mutations.heads(model):
        head = rng.choice(found)
        to, by = (head[key] for key in rng.sample([key for key in head if key[:2] == "W_"], 2))
        if to["shape"] == by["shape"]:
            add_entries(to, by["entries"])


def another_kind(rng: random.Random, model: Document) -> None:
    """The tokens of one more kind take part; with an open gate they write."""
    kinds = [place for place, slot in enumerate(model["slots"]) if slot["name"].startswith("kind ")]
    if (found := model_mutations.heads(model)) and kinds:
        head, kind = rng.choice(found), rng.choice(kinds)
        sides = [key for key in head if key in ("W_Q", "W_K", "W_V")]
        for key in (rng.choice(sides), *(key for key in head if key == "W_B")):
            add_entries(head[key], [[rng.randrange(head[key]["shape"][0]), kind, rng.choice((1, 1, 2, -1))]])


def colder(rng: random.Random, model: Document) -> None:
    if found := model_mutations.heads(model, "full"):
        head, by = rng.choice(found), rng.choice((Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(3, 4)))
        model_mutations.scale(head["W_Q"], by)
        head["shift"] = shown(Fraction(head["shift"]) * by)


def another_digit(rng: random.Random, model: Document) -> None:
    tables = [d for segment in model["positions"]["declared"] for d in segment.get("digits", [])]
    for table in tables[:1]:
        table["values"][rng.randrange(len(table["values"]))] = rng.randrange(table["size"])


def add_entries(matrix: Document, entries: list[list[Any]]) -> None:
    summed = {(row, column): Fraction(x) for row, column, x in matrix["entries"]}
    for row, column, x in entries:
        summed[row, column] = summed.get((row, column), Fraction(0)) + Fraction(x)
    matrix["entries"] = [[row, column, shown(x)] for (row, column), x in sorted(summed.items()) if x]


WAYS: dict[Callable[[random.Random, Document], None], int] = {
    model_mutations.one_entry: 5,
    colder: 2,
    model_mutations.precision: 3,
    model_mutations.other_shift: 2,
    borrowed: 1,
    another_kind: 2,
    another_digit: 1,
}


def change_weights(document: Document, rng: random.Random) -> Document:
    """One to three changes of the model: as the fuzzer of the prover makes them, or of what only programs have."""
    changed = copy.deepcopy(document)
    model = changed["model"]
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choices(list(WAYS), weights=WAYS.values())[0](rng, model)
    changed["claim"]["precision_bits"] = {key: model["precision"][key] for key in ("P", "p")}
    return changed


def change_program(document: Document, rng: random.Random) -> Document:
    """The same weights for another program."""
    changed = copy.deepcopy(document)
    task = changed["claim"]["task"]
    d = rng.choice(task["definitions"])
    if d["define"] == "find":
        what = rng.choice(("best", "default", "once", "where"))
        if what == "best" and d["read"] is not None:
            d["best"] = rng.choice((None, ["largest", "position"], ["smallest", "position"]))
        elif what == "default" and d["read"] is not None:
            d["default"] = rng.choice((None, 0, 1))
        elif what == "once":
            d["once"] = not d["once"]
        elif d["where"]:
            d["where"].pop()
    elif d["define"] == "scan":
        table = rng.choice(d["over"])["table"]
        table[rng.randrange(len(table))] = rng.randrange(d["size"])
        d["start"] = rng.choice((d["start"], rng.randrange(d["size"])))
    elif d["define"] == "map":
        d["table"][rng.randrange(len(d["table"]))] = rng.randrange(d["size"])
    for kind in task["kinds"]:
        if rng.random() < 0.1:
            kind["distinct"] = []
    changed["model"]["task"] = copy.deepcopy(task)
    return changed


def wrong_input(document: Document) -> list[int] | str | None:
    """An input that the model answers wrongly, or what the run refuses; None if there is none."""
    try:
        program = definitions_from_document(document["claim"]["task"])
    except InputError as error:
        return str(error)
    lengths = (1, 2, 3, 4) if program.is_endless else (1,)
    for length in lengths:
        sized = program.at_length(length)
        if raw_inputs(sized) > MOST_INPUTS:
            break
        found = _wrong_at(sized, document["model"])
        if found is not None:
            return found
    return None


def _wrong_at(program: Definitions, document: Document) -> list[int] | str | None:
    model = model_from_document({key: value for key, value in document.items() if key not in ("schema", "task")})
    places = np.array(positions_of(program, list(range(model.positions.height))))
    rows = ExactMatrix(model.positions.rows(places), model.positions.denominator)
    model = replace(model, positions=Stored(rows))
    first, last = program.asked
    ran = False
    for ids in all_inputs(program):
        ran = True
        try:
            said = run(model, np.array(ids), every_row=True).answers[0][first:last].tolist()
        except PrecisionOverflow as error:
            return str(error)
        if said != answers(program, ids):
            return ids
    return None if ran else "no input"


def accepted(check: Callable[[Document], Any], document: Document) -> bool:
    """Whether the kernel, or a broken twin, takes it; a margin is taken as it comes."""
    try:
        verdict = check(document)
        if not verdict.ok and verdict.message.startswith("claim, margin"):
            document["claim"]["margin"] = verdict.message.split(" is claimed, ")[1].split(" is proved")[0]
            verdict = check(document)
    except (ValueError, InputError):
        return False
    return bool(verdict.ok)


def changes(name: str, seed: int) -> Iterator[Document]:
    """Changed certificates without end."""
    whole, rng = certificate(name), random.Random(seed)
    for _ in itertools.count():
        yield (change_weights if rng.random() < 0.7 else change_program)(whole, rng)


def break_rules(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """The kernel's rules for programs with one text replaced."""
    assert PROGRAMS.count(old) == 1, f"{old!r} does not stand there once"
    twin = types.ModuleType("kernel_programs_twin")
    exec(compile(PROGRAMS.replace(old, new), "kernel_programs_twin", "exec"), twin.__dict__)
    monkeypatch.setattr(kernel_programs, "Derivation", twin.__dict__["Derivation"])


def accepts_a_wrong_one(name: str) -> bool:
    """Whether of `TRIES` changed certificates the kernel accepts one whose model is wrong."""
    changed = itertools.islice(changes(name, 3), TRIES)
    taken = (wrong_input(one) for one in changed if accepted(check_certificate, one))
    return any(wrong is not None for wrong in taken)
