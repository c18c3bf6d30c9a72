"""What is claimed of a model, by running it with the plain evaluator: a construction that all inputs are answered
rightly, `exhaustive` how many, `wrong` that one is not. Of the project only the oracle of programs.

Invariants are part of a proof, and no claim. Of 2-Sum at lengths that no loop reaches, prompts that repeat a token.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from long_prompts import long_claim_holds
from naive_model import Number, times
from plain_evaluator import Runner, word

from separation.tasks.program import BrokenPromise, Definitions, answers
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import all_inputs, raw_inputs

Document = dict[str, Any]
Asked = tuple[list[int], list[int], list[tuple[int, int]]]  # ids of the prompt, of the run; (place, right answer)
Row = TypeVar("Row")
LENGTHS = (1, 2, 3, 4)  # of an endless kind
LONG = 1 << 20  # tokens of a prompt of 2-Sum


def sized(task: Document) -> Iterator[Definitions]:
    """The program; with an endless kind that of each length."""
    program = definitions_from_document(task)
    yield from map(program.at_length, LENGTHS if program.is_endless else LENGTHS[:1])


def prompts(task: Document) -> int:
    """How many prompts of a program are run, promises aside."""
    return sum(map(raw_inputs, sized(task)))


def positions_of(program: Definitions, rows: list[Row]) -> list[Row]:
    """Tokens of an endless kind share a row."""
    places = [(kind, place) for kind in program.kinds for place in range(program.tokens_of(kind))]
    starts = {kind.name: sum(k.count or 1 for k in program.kinds[:i]) for i, kind in enumerate(program.kinds)}
    return [rows[starts[kind.name] + (place if kind.count else 0)] for kind, place in places]


def asked_everywhere(runner: Runner, task: Document) -> Iterator[Asked]:
    """All inputs, with what is asked of each; generated tokens are the right ones."""
    if task["task"] == "program":
        rows = runner.positions
        for program in sized(task):
            runner.positions = positions_of(program, rows)
            for ids in all_inputs(program):
                yield list(ids), list(ids), list(enumerate(answers(program, ids), program.asked[0]))
        return
    for case in runner.task.cases():
        said = [right for _, right in case.answers]
        behind = said[:-1] if task["task"] == "funccomp" else []
        yield case.ids, case.ids + behind, [(length - 1, right) for length, right in case.answers]


def asked_of(runner: Runner, task: Document, ids: list[int]) -> Asked | None:
    """What is asked of one input; None if it is none."""
    if task["task"] != "program":
        return next((asked for asked in asked_everywhere(runner, task) if asked[0] == ids), None)
    program = definitions_from_document(task)
    program = program.at_length(max(1, len(ids) - sum(kind.count or 0 for kind in program.kinds)))
    runner.positions = positions_of(program, runner.positions)
    try:
        return ids, ids, list(enumerate(answers(program, ids), program.asked[0]))
    except BrokenPromise:
        return None


@dataclass(frozen=True)
class Runs:
    """All inputs, or all up to a wrong answer: by how much each right answer leads, and the lengths of prompts."""

    margins: list[Number]
    right: int
    inputs: int
    state_bits: int
    lengths: set[int]


@lru_cache(maxsize=4)
def runs_of(text: str, integral: bool, to_the_end: bool = False) -> Runs:
    """A model, as JSON without its invariants."""
    model = json.loads(text)
    runner = Runner(model, integral)
    margins: list[Number] = []
    right, inputs, lengths = 0, 0, set()
    for prompt, ids, places in asked_everywhere(runner, model["task"]):
        inputs += 1
        lengths.add(len(prompt))
        stream = runner.stages(ids)[-1]
        for place, truth in places:
            logits = times(runner.answers, stream[place])
            right += logits.index(max(logits)) == truth
            margins.append(logits[truth] - max(x for v, x in enumerate(logits) if v != truth))
        if not to_the_end and min(margins) <= 0:
            break
    return Runs(margins, right, inputs, runner.state_bits, lengths)


def plainly(value: Any) -> Any:
    """The same with the entries of matrices in order, each number written in one way: equal models are run once."""
    if isinstance(value, dict) and "entries" in value:
        entries = sorted((row, column, str(Fraction(c))) for row, column, c in value["entries"] if Fraction(c))
        return {**value, "entries": entries}
    if isinstance(value, dict):
        return {key: plainly(part) for key, part in value.items()}
    return [plainly(part) for part in value] if isinstance(value, list) else value


def body_of(model: Document) -> str:
    return json.dumps({key: plainly(value) for key, value in model.items() if key != "invariants"}, sort_keys=True)


def construction_holds(document: Document) -> bool:
    claim, model = document["claim"], document["model"]
    task = model["task"]
    if int(task.get("length", 0)) > LONG:
        return long_claim_holds(document)
    if task["task"] == "program" and asked_of(Runner(model, False), task, document["example"]) is None:
        return False
    try:
        runs = runs_of(body_of(model), claim["integral"])
    except AssertionError:  # a weight above 2^P, an activation above 2^(p-f), or no multiple of 2^-f
        return False
    if min(runs.margins) <= 0:
        return False
    facts = {"task": task, "word": word(model), "layers": len(model["layers"])}
    facts["tokens"] = next(iter(runs.lengths)) if len(runs.lengths) == 1 else None
    facts["width"] = sum(slot["width"] for slot in model["slots"])
    facts["heads"] = max((len(layer["heads"]) for layer in model["layers"]), default=0)
    facts |= {"attention": model["attention"]} if "attention" in claim else {}
    facts["precision_bits"] = {key: model["precision"][key] for key in ("P", "p")}
    states = claim["state_bits"] is None or runs.state_bits <= int(claim["state_bits"])
    enough = 2 ** int(claim["inputs_covered_log2"] or 0) <= runs.inputs
    return (
        enough
        and states
        and Fraction(claim["margin"]) <= min(runs.margins)
        and all(claim[key] == fact for key, fact in facts.items())
    )


def runs_hold(document: Document) -> bool:
    claim, model = document["claim"], document["model"]
    shape = {"word": word(model), "attention": model["attention"]}
    shape["precision_bits"] = {key: model["precision"][key] for key in ("P", "p")}
    unlabelled = [{**task, "name": None} for task in (claim["task"], model["task"])]
    if unlabelled[0] != unlabelled[1] or any(claim[key] != value for key, value in shape.items()):
        return False
    if document["kind"] == "wrong":
        runner = Runner(model, False)
        asked = asked_of(runner, model["task"], claim["input"])
        if asked is None or (claim["place"], claim["right"]) not in asked[2]:
            return False
        logits = times(runner.answers, runner.stages(asked[1])[-1][claim["place"]])
        return bool(logits.index(max(logits)) == claim["said"] != claim["right"])
    runs = runs_of(body_of(model), False, True)  # there may be more answers than the task asks for; they are logits too
    counts = {"inputs": runs.inputs, "answers": len(runs.margins), "right": runs.right}
    whole = runs.right == len(runs.margins)
    fits = claim["margin"] is None or (whole and 0 < Fraction(claim["margin"]) <= min(runs.margins))
    return runs.inputs > 0 and fits and all(int(claim[key]) == count for key, count in counts.items())
