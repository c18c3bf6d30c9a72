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

import numpy as np
import pytest

from constructions.programs import gallery
from separation.arithmetic import ExactMatrix, PrecisionOverflow
from separation.files import InputError
from separation.models import Declared, Segment, model_from_document, run
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
def certificate(name: str) -> dict[str, Any]:
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


def matrices(model: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for layer in model["layers"]:
        for part in (*layer["heads"], *layer["mlps"]):
            for key, value in part.items():
                if isinstance(value, dict):
                    yield key, value
    for table in ("positions", "tokens", "unembedding"):
        for segment in model[table]["declared"]:
            yield table, segment["matrix"]


def number(x: Any) -> Fraction:
    return Fraction(x)


def written(x: Fraction | int) -> Any:
    x = Fraction(x)
    return int(x) if x.denominator == 1 else str(x)


WAYS = ["entry", "flip", "drop", "half", "new", "borrow", "kind", "kind", "cold", "P", "p", "f", "shift", "digit"]


def add_entries(matrix: dict[str, Any], entries: list[list[Any]]) -> None:
    summed = {(row, column): number(x) for row, column, x in matrix["entries"]}
    for row, column, x in entries:
        summed[row, column] = summed.get((row, column), 0) + number(x)
    matrix["entries"] = [[row, column, written(x)] for (row, column), x in sorted(summed.items()) if x]


def change_weights(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """One to three changes of the weights, of the temperature, of P or of f. `borrow`: a matrix of a head does what
    another one does; `kind`: the tokens of one more kind take part."""
    changed = copy.deepcopy(document)
    model, claim = changed["model"], changed["claim"]
    heads = [head for layer in model["layers"] for head in layer["heads"]]
    kinds = [place for place, slot in enumerate(model["slots"]) if slot["name"].startswith("kind ")]
    for _ in range(rng.choice((1, 1, 2, 3))):
        what = rng.choice(WAYS)
        _, matrix = rng.choice(list(matrices(model)))
        entries = matrix["entries"]
        full = [head for layer in model["layers"] for head in layer["heads"] if head["type"] == "full"]
        if what in ("entry", "flip", "drop", "half") and entries:
            place = rng.randrange(len(entries))
            row, column, old = entries[place]
            new = {"entry": number(old) + rng.choice((-1, 1, 2, Fraction(1, 2))), "flip": -number(old)}
            entries[place] = [row, column, written(new.get(what, 0 if what == "drop" else number(old) / 2))]
        elif what == "new" and matrix["shape"][0] and matrix["shape"][1]:
            row, column = (rng.randrange(size) for size in matrix["shape"])
            if [row, column] not in [entry[:2] for entry in entries]:
                entries.append([row, column, written(rng.choice((-1, 1, Fraction(1, 8))))])
        elif what == "borrow" and heads:
            head = rng.choice(heads)
            to, by = (head[key] for key in rng.sample([key for key in head if key[:2] == "W_"], 2))
            if to["shape"] == by["shape"]:
                add_entries(to, by["entries"])
        elif what == "kind" and heads and kinds:
            head, kind = rng.choice(heads), rng.choice(kinds)
            sides = [key for key in head if key in ("W_Q", "W_K", "W_V")]
            for key in (rng.choice(sides), *(key for key in head if key == "W_B")):  # with an open gate it writes
                add_entries(head[key], [[rng.randrange(head[key]["shape"][0]), kind, rng.choice((1, 1, 2, -1))]])
        elif what == "cold" and full:
            head, by = rng.choice(full), rng.choice((Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(3, 4)))
            head["W_Q"]["entries"] = [[r, c, written(number(x) * by)] for r, c, x in head["W_Q"]["entries"]]
            head["shift"] = written(number(head["shift"]) * by)
        elif what == "P":
            model["precision"]["P"] = claim["precision_bits"]["P"] = rng.choice((1, 2, 4, 8, 16))
        elif what == "p":
            bits = model["precision"]["fraction"] + rng.randrange(6)
            model["precision"]["p"] = claim["precision_bits"]["p"] = bits
        elif what == "f":
            model["precision"]["fraction"] = rng.choice((0, 1, 2, 3, 4))
        elif what == "shift" and full:
            head = rng.choice(full)
            head["shift"] = written(number(head["shift"]) + rng.choice((1, 5, 20)))
        elif what == "digit":
            tables = [d for segment in model["positions"]["declared"] for d in segment.get("digits", [])]
            for table in tables[:1]:
                table["values"][rng.randrange(len(table["values"]))] = rng.randrange(table["size"])
    return changed


def change_program(document: dict[str, Any], rng: random.Random) -> dict[str, Any]:
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


def wrong_input(document: dict[str, Any]) -> list[int] | str | None:
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


def _wrong_at(program: Definitions, document: dict[str, Any]) -> list[int] | str | None:
    model = model_from_document({key: value for key, value in document.items() if key not in ("schema", "task")})
    positions = model.positions
    if program.is_endless and isinstance(positions, Declared):
        segments, start = [], 0
        for kind, segment in zip(program.kinds, positions.segments, strict=True):
            count = program.tokens_of(kind)
            rows = [segment.matrix.fractions()] if kind.count is None else []
            wide = segment.matrix if not rows else _repeated(segment, count)
            segments.append(Segment(start, segment.radices if not rows else (count,), wide, None, segment.digits))
            start += count
        positions = Declared(tuple(segments))
    model = replace(model, positions=positions)
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


def _repeated(segment: Segment, count: int) -> Any:
    column = [row[:1] for row in segment.matrix.fractions()]
    bits = (count - 1).bit_length()
    return ExactMatrix.from_rows([[*row, *([0] * bits)] for row in column])


def accepted(check: Callable[[dict[str, Any]], Any], document: dict[str, Any]) -> bool:
    """Whether the kernel, or a broken twin, takes it; a margin is taken as it comes."""
    try:
        verdict = check(document)
        if not verdict.ok and verdict.message.startswith("claim, margin"):
            document["claim"]["margin"] = verdict.message.split(" is claimed, ")[1].split(" is proved")[0]
            verdict = check(document)
    except (ValueError, InputError):
        return False
    return bool(verdict.ok)


def changes(name: str, seed: int) -> Iterator[dict[str, Any]]:
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
