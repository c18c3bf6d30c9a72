"""What a certificate of the kinds `exhaustive` and `wrong` claims, by the plain evaluator on the same inputs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from naive_model import times
from plain_evaluator import Runner, word

from separation.tasks.program import BrokenPromise, answers
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import all_inputs

Document = dict[str, Any]
Asked = tuple[list[int], list[int], list[tuple[int, int]]]  # ids of the prompt, of the run; (place, right answer)


def asked_everywhere(runner: Runner, task: Document) -> Iterator[Asked]:
    """All inputs, with what is asked of each; generated tokens are the right ones."""
    if task["task"] == "program":
        program = definitions_from_document(task)
        first, _ = program.asked
        for ids in all_inputs(program):
            yield list(ids), list(ids), list(enumerate(answers(program, ids), first))
        return
    for case in runner.task.cases():
        said = [right for _, right in case.answers]
        behind = said[:-1] if task["task"] == "funccomp" else []
        yield case.ids, case.ids + behind, [(length - 1, right) for length, right in case.answers]


def asked_of(runner: Runner, task: Document, ids: list[int]) -> Asked | None:
    """What is asked of one input; None if it is none. Tokens of an endless kind share a row of positions."""
    if task["task"] != "program":
        return next((asked for asked in asked_everywhere(runner, task) if asked[0] == ids), None)
    program = definitions_from_document(task)
    program = program.at_length(max(1, len(ids) - sum(kind.count or 0 for kind in program.kinds)))
    places = [(kind, place) for kind in program.kinds for place in range(program.tokens_of(kind))]
    starts = {kind.name: sum(k.count or 1 for k in program.kinds[:i]) for i, kind in enumerate(program.kinds)}
    runner.positions = [runner.positions[starts[kind.name] + (place if kind.count else 0)] for kind, place in places]
    try:
        return ids, ids, list(enumerate(answers(program, ids), program.asked[0]))
    except BrokenPromise:
        return None


def runs_hold(document: Document) -> bool:
    claim, model = document["claim"], document["model"]
    runner = Runner(model, False)  # there may be more answers than the task asks for, and they are logits too
    shape = {"word": word(model), "attention": model["attention"]}
    shape["precision_bits"] = {key: model["precision"][key] for key in ("P", "p")}
    unlabelled = [{**task, "name": None} for task in (claim["task"], model["task"])]
    if unlabelled[0] != unlabelled[1] or any(claim[key] != value for key, value in shape.items()):
        return False
    if document["kind"] == "wrong":
        asked = asked_of(runner, model["task"], claim["input"])
        if asked is None or (claim["place"], claim["right"]) not in asked[2]:
            return False
        logits = times(runner.answers, runner.stages(asked[1])[-1][claim["place"]])
        return bool(logits.index(max(logits)) == claim["said"] != claim["right"])
    margins, right, inputs = [], 0, 0
    for _, ids, places in asked_everywhere(runner, model["task"]):
        inputs += 1
        stream = runner.stages(ids)[-1]
        for place, truth in places:
            logits = times(runner.answers, stream[place])
            right += logits.index(max(logits)) == truth
            margins.append(logits[truth] - max(x for v, x in enumerate(logits) if v != truth))
    counts = {"inputs": inputs, "answers": len(margins), "right": right}
    fits = claim["margin"] is None or (right == len(margins) and 0 < Fraction(claim["margin"]) <= min(margins))
    return inputs > 0 and fits and all(int(claim[key]) == count for key, count in counts.items())
