"""What a construction for a program claims, by running it: the plain evaluator answers, the program's oracle says what
is right. Neither shares code with the rules of the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from naive_model import times
from plain_evaluator import Runner, Runs

from separation.tasks.program import BrokenPromise, Definitions, answers
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import all_inputs, raw_inputs

Document = dict[str, Any]
LENGTHS = (1, 2, 3, 4)  # of an endless kind


def sized(task: Document) -> Iterator[Definitions]:
    """The program; with an endless kind that of each length."""
    program = definitions_from_document(task)
    yield from map(program.at_length, LENGTHS if program.is_endless else LENGTHS[:1])


def prompts(task: Document) -> int:
    """How many prompts are run, promises aside."""
    return sum(map(raw_inputs, sized(task)))


def program_runs(model: Document, integral: bool) -> Runs:
    """A model on all inputs, until an answer is wrong; the length of a prompt is 0 if there are several."""
    margins, inputs, lengths = [], 0, set()
    runner = Runner(model, integral)
    rows = runner.positions
    for program in sized(model["task"]):
        first, last = program.asked
        places = [(kind, place) for kind in program.kinds for place in range(program.tokens_of(kind))]
        starts = {kind.name: sum(k.count or 1 for k in program.kinds[:i]) for i, kind in enumerate(program.kinds)}
        runner.positions = [rows[starts[kind.name] + (place if kind.count else 0)] for kind, place in places]
        lengths.add(len(places))
        for ids in all_inputs(program):
            inputs += 1
            stream = runner.stages(ids)[-1]
            for x, right in zip(stream[first:last], answers(program, ids), strict=True):
                logits = times(runner.answers, x)
                margins.append(logits[right] - max(logit for v, logit in enumerate(logits) if v != right))
            if min(margins) <= 0:
                return Runs([], margins, inputs, runner.state_bits, 0)
    return Runs([], margins, inputs, runner.state_bits, lengths.pop() if len(lengths) == 1 else 0)


def is_input(task: Document, ids: list[int]) -> bool:
    """Does the example of a certificate keep the promises?"""
    program = definitions_from_document(task)
    others = sum(kind.count or 0 for kind in program.kinds)
    try:
        answers(program.at_length(max(1, len(ids) - others)), ids)
    except BrokenPromise:
        return False
    return True
