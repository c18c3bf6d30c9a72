"""Questions about networks with attention, right and broken, and their answers: what `export --benchmark` writes.

An answer is never stated, always found: `sat` by a prompt that the network answers wrongly, shown in ball arithmetic at
that point and replayed by onnxruntime; `unsat` by an enclosure of the outputs over the whole box of real inputs. A
question that neither settles is left out, and counted.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.stock.kit.benchmark_networks import Family, Network
from separation.files import json_text, write_whole
from separation.numeric.onnx.enclosure import CannotEnclose, box, enclose, least_lead
from separation.numeric.onnx.graph import with_onnxruntime
from separation.numeric.onnx.vnnlib import Question, counterexample_text
from separation.numeric.stock_folder import instance_text
from separation.tasks.funccomp import asked_addresses, enumerate_token_ids, from_token_ids, sizes_to_document
from separation.version import VERSION

SCHEMA = "separation-benchmark-1"
TIMEOUT = 300
"""Seconds that instances.csv allows a verifier."""
VERSIONS = ("1.0", "2.0")
"""Of VNN-LIB: verifiers read the one or the other, and VNN-COMP has a folder for each."""
README = "README.md"
CODE_RADIUS = 1 / 64
STOCK_RADIUS = 1 / 1024
SOLID = 1 / 64
"""The least lead that settles a question: far more than what roundings of float32 move."""
SEEDED = 2
"""Questions of each family that are drawn, next to those that its broken networks get wrong."""
MOST_INPUTS = 1 << 13


@dataclass(frozen=True)
class Answered:
    """One network, one question, and its answer; ``lead``: proved, the least by which the right output is ahead.

    where of `sat` the lead is that of the wrong output at the counterexample ``point``, which is ``prompt``.
    """

    network: Network
    question: Question
    result: str
    lead: Fraction
    point: NDArray[np.float32] | None = None
    prompt: NDArray[np.int64] | None = None
    outputs: NDArray[np.float64] | None = None

    @property
    def replayed(self) -> bool:
        """Does onnxruntime, too, find a wrong output at least as large at the counterexample?"""
        if self.point is None or self.outputs is None:
            return self.result == "unsat"
        (number,) = self.question.boxes_of(self.point[None])
        right = self.question.right[number]
        return bool(number >= 0 and np.delete(self.outputs, right).max() >= self.outputs[right])


@dataclass(frozen=True)
class FamilyAnswers:
    """What is known of one family; ``wrong``: of all its prompts, how many each network answers wrongly."""

    family: Family
    prompts: int
    wrong: dict[str, int]
    answered: tuple[Answered, ...]
    undecided: int

    @property
    def ok(self) -> bool:
        """The right network has only `unsat`, and all of them; whoever is wrong on a prompt has a `sat`; all replay."""
        right = self.family.networks[0]
        questions = {each.question.name for each in self.answered}
        own = [each for each in self.answered if each.network is right]
        refuted = {each.network.name for each in self.answered if each.result == "sat"}
        return (
            len(own) == len(questions)
            and right.name not in refuted
            and refuted == {name for name, count in self.wrong.items() if count}
            and all(each.replayed for each in self.answered)
        )

    def row(self) -> dict[str, Any]:
        results = Counter(answered.result for answered in self.answered)
        wrong = sum(1 for count in self.wrong.values() if count)
        row = {"family": self.family.name, "tokens": self.family.sizes.length, "prompts": self.prompts}
        row |= {"networks": len(self.family.networks), "wrong_networks": wrong}
        return {**row, "unsat": results["unsat"], "sat": results["sat"], "undecided": self.undecided, "ok": self.ok}


def answers(family: Family, seed: int) -> FamilyAnswers:
    """All prompts through all networks, then questions, then their answers."""
    prompts, expected = next(enumerate_token_ids(family.sizes, MOST_INPUTS))
    points = family.inputs(prompts)
    outputs = {each.name: with_onnxruntime(each.graph("batch"))(points) for each in family.networks}
    behind = {name: _behind(found, expected) for name, found in outputs.items()}
    wrong = {name: found >= SOLID for name, found in behind.items()}
    chosen = list(np.random.default_rng(seed).choice(len(prompts), SEEDED, replace=False))
    chosen += [int(found.argmax()) for name, found in behind.items() if wrong[name].any()]
    answered, undecided = [], 0
    for question in _questions(family, prompts, expected, points, sorted(set(map(int, chosen)))):
        boxes = question.boxes_of(points)
        if not (np.array(question.right)[boxes] == expected)[boxes >= 0].all():
            raise AssertionError(f"{question.name} asks for a wrong answer")
        for network in family.networks:
            inside = np.where(boxes >= 0, behind[network.name], -np.inf)
            result = _answer(network, question, points, prompts, inside)
            undecided += result is None
            answered += [] if result is None else [result]
    counts = {name: int(found.sum()) for name, found in wrong.items()}
    return FamilyAnswers(family, len(prompts), counts, tuple(answered), undecided)


def _behind(outputs: NDArray[np.float64], expected: NDArray[np.int64]) -> NDArray[np.float64]:
    """By how much the right output is behind another one; below 0 where it is ahead of all."""
    rows = np.arange(len(outputs))
    others = outputs.copy()
    others[rows, expected] = -np.inf
    return np.asarray(others.max(axis=1) - outputs[rows, expected])


def _questions(
    family: Family,
    prompts: NDArray[np.int64],
    expected: NDArray[np.int64],
    points: NDArray[np.float32],
    chosen: list[int],
) -> Iterator[Question]:
    """For each chosen prompt the box around it; where codes are bounded, all prompts at once as well."""
    low, high = (np.stack(ends) for ends in zip(*map(_box_of(family), prompts, points), strict=True))
    what = (
        f"what the answer rests on is within {CODE_RADIUS} of its code, all other table entries are anything in [-1, 1]"
        if family.bounded
        else f"every coordinate of the embedded prompt is within {STOCK_RADIUS} of its own"
    )
    for number in chosen:
        text = instance_text(from_token_ids(family.sizes, prompts[number]))
        name = f"{family.name}_prompt{number}"
        own = slice(number, number + 1)
        right = (int(expected[number]),)
        yield Question(name, f"{text}; {what}", low[own], high[own], right, family.outputs)
    if family.bounded:
        boxes, first = np.unique(np.concatenate([low, high], axis=1), axis=0, return_index=True)
        own_low, own_high = np.split(boxes, 2, axis=1)
        right_of_all = tuple(int(expected[number]) for number in first)
        about = f"all {len(prompts)} prompts at once; in each box {what}"
        yield Question(f"{family.name}_all", about, own_low, own_high, right_of_all, family.outputs)


def _box_of(family: Family) -> Any:
    """From a prompt and its point to (low, high)."""
    sizes = family.sizes

    def ends(prompt: NDArray[np.int64], point: NDArray[np.float32]) -> tuple[Any, Any]:
        centre = point.astype(np.float64)
        if not family.bounded:
            return centre - STOCK_RADIUS, centre + STOCK_RADIUS
        asked = asked_addresses(from_token_ids(sizes, prompt))
        read = [sizes.length - 2, sizes.length - 1]
        read += [sizes.table_start(level) + place for level, place in enumerate(asked, start=1)]
        fixed = np.isin(family.rows, read)
        low, high = np.maximum(centre - CODE_RADIUS, -1), np.minimum(centre + CODE_RADIUS, 1)
        return np.where(fixed, low, -1.0), np.where(fixed, high, 1.0)

    return ends


def _answer(
    network: Network,
    question: Question,
    points: NDArray[np.float32],
    prompts: NDArray[np.int64],
    behind: NDArray[np.float64],
) -> Answered | None:
    """`sat` if the worst prompt is wrong in balls, `unsat` if the right output leads in all boxes, else None."""
    model, worst = network.graph(1), int(behind.argmax())
    try:
        if behind[worst] >= SOLID:
            point = points[worst]
            (number,) = question.boxes_of(point[None])
            (row,) = enclose(model, box(point.tolist(), point.tolist()))
            right = question.right[number]
            lead = max(least_lead(row[None, [other, right]], 0) for other in range(len(row)) if other != right)
            outputs = with_onnxruntime(model)(point[None])[0]
            return Answered(network, question, "sat", lead, point, prompts[worst], outputs) if lead >= SOLID else None
        ends = zip(question.low.tolist(), question.high.tolist(), question.right, strict=True)
        lead = min(least_lead(enclose(model, box(low, high)), right) for low, high, right in ends)
    except CannotEnclose:
        return None
    return Answered(network, question, "unsat", lead) if lead >= SOLID else None


def write_answers(folder: Path, found: list[FamilyAnswers]) -> None:
    """onnx/, vnnlib/ and instances.csv for each version of VNN-LIB; counterexamples/, ground_truth.json and a page."""
    for name in ("counterexamples", *(f"{version}/{part}" for version in VERSIONS for part in ("onnx", "vnnlib"))):
        (folder / name).mkdir(parents=True)
    table, truth = io.StringIO(), []
    rows = csv.writer(table, lineterminator="\n")
    for family in found:
        for network in {id(each.network): each.network for each in family.answered}.values():
            data = network.graph(1).SerializeToString()
            for version in VERSIONS:
                write_whole(folder / version / "onnx" / f"{network.name}.onnx", data)
        for question in {id(each.question): each.question for each in family.answered}.values():
            for version in VERSIONS:
                write_whole(folder / version / "vnnlib" / f"{question.name}.vnnlib", question.text(version))
        for each in family.answered:
            graph, asked = f"onnx/{each.network.name}.onnx", f"vnnlib/{each.question.name}.vnnlib"
            rows.writerow([graph, asked, TIMEOUT])
            truth.append({"onnx": graph, "vnnlib": asked, **_truth(folder, family.family, each)})
    for version in VERSIONS:
        write_whole(folder / version / "instances.csv", table.getvalue())
    document = {"schema": SCHEMA, "version": VERSION, "instances": truth}
    write_whole(folder / "ground_truth.json", json_text(document, readable=True, indent=1) + "\n")
    write_whole(folder / README, ABOUT)


def _truth(folder: Path, family: Family, each: Answered) -> dict[str, Any]:
    """One row of ground_truth.json; a counterexample is written to its own file."""
    told: dict[str, Any] = {
        "result": each.result,
        "family": family.name,
        "network": each.network.change or "right",
        "task": sizes_to_document(family.sizes),
        "boxes": len(each.question.low),
        "proved": PROVED[each.result],
        "lead": float(each.lead),
    }
    if each.point is None or each.prompt is None or each.outputs is None:
        return told
    name = f"counterexamples/{each.network.name}__{each.question.name.removeprefix(family.name + '_')}.counterexample"
    write_whole(folder / name, counterexample_text(each.point.tolist(), each.outputs.tolist()))
    text = instance_text(from_token_ids(family.sizes, each.prompt))
    return {**told, "counterexample": name, "prompt": text}


PROVED = {
    "unsat": "for every real input of every box, in real arithmetic, by ball arithmetic",
    "sat": "at the counterexample, a prompt, in real arithmetic, by ball arithmetic; replayed by onnxruntime",
}
ABOUT = f"""# Networks with attention whose answers are known

The layout is that of VNN-COMP: `1.0/` and `2.0/` hold the same networks and the same questions, in these versions of
VNN-LIB; a row of `instances.csv` is a network, a question and {TIMEOUT} seconds. `ground_truth.json` has the answer of
every row, how it is known, and by how much the right output leads (`unsat`) or is beaten (`sat`); `counterexamples/`
has an input for every `sat`, as a competitor would hand it in.

Every network is asked whether it can answer a look-up task wrongly. Networks come in families of one shape: the first
is right, in each other one something was changed, and `network` says what. A changed network may be right on a
question: it is then `unsat` as well, and that too is proved.

- `c1_*`: softmax attention and ReLU layers. An input is what the tokens write, ±1 for a prompt. A box holds what the
  answer rests on near its code; all other table entries are anything in [-1, 1]. `*_all` asks about all prompts.
- `gpt2_*`, `llama_*`: the stock architectures, with LayerNorm or RMSNorm, rotary embedding and gates, spelled out in
  plain operators. An input is the embedded prompt; a box is small and stands around one prompt.

What is proved is said of the network as a function of real numbers, with the stored float32 weights taken exactly, and
of every real input in the boxes, not of prompts alone. A run in floats differs from that by its roundings, which are
small against the leads. What could not be settled is not here.
"""
