"""Questions about networks with attention, right and broken, and their answers: what `export --benchmark` writes.

An answer is never stated, always found: `sat` by a prompt that the network answers wrongly, shown in ball arithmetic at
that point and replayed by onnxruntime; `unsat` by an enclosure of the outputs over the whole box of real inputs. A
question that neither settles is left out, and counted.
"""

from __future__ import annotations

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

    where of `sat` the lead is that of the wrong output at the counterexample ``point``, which is ``prompt``, and the
    right output there is ``right``.
    """

    network: Network
    question: Question
    result: str
    lead: Fraction
    point: NDArray[np.float32] | None = None
    prompt: NDArray[np.int64] | None = None
    outputs: NDArray[np.float64] | None = None
    right: int = 0

    @property
    def replayed(self) -> bool:
        """Does onnxruntime, too, find a wrong output at least as large at the counterexample?"""
        if self.outputs is None:
            return self.result == "unsat"
        return bool(np.delete(self.outputs, self.right).max() >= self.outputs[self.right])


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
        """The right network has only `unsat`, and all of them; one wrong on a prompt has a `sat`; all replay."""
        right = self.family.networks[0]
        own = [each for each in self.answered if each.network is right]
        refuted = {each.network.name for each in self.answered if each.result == "sat"}
        whole = len(own) == len({each.question.name for each in self.answered}) and right.name not in refuted
        seen = refuted == {name for name, count in self.wrong.items() if count}
        return whole and seen and all(each.replayed for each in self.answered)

    def document(self) -> dict[str, Any]:
        results = Counter(answered.result for answered in self.answered)
        wrong = sum(1 for count in self.wrong.values() if count)
        row = {"family": self.family.name, "tokens": self.family.sizes.length, "prompts": self.prompts}
        row |= {"networks": len(self.family.networks), "wrong_networks": wrong}
        return {**row, "unsat": results["unsat"], "sat": results["sat"], "undecided": self.undecided, "ok": self.ok}


def answers(family: Family, seed: int) -> FamilyAnswers:
    """All prompts through all networks, then questions, then their answers."""
    prompts, expected = next(enumerate_token_ids(family.sizes, MOST_INPUTS))
    points = family.inputs(prompts)
    behind = {each.name: _behind(with_onnxruntime(each.graph("batch"))(points), expected) for each in family.networks}
    chosen = set(np.random.default_rng(seed).choice(len(prompts), SEEDED, replace=False).tolist())
    chosen |= {int(found.argmax()) for found in behind.values() if found.max() >= SOLID}
    answered: list[Answered | None] = []
    for question in _questions(family, prompts, expected, points, sorted(chosen)):
        boxes = question.boxes_of(points)
        if not (np.array(question.right)[boxes] == expected)[boxes >= 0].all():
            raise AssertionError(f"{question.name} asks for a wrong answer")
        for network in family.networks:
            worst = int(np.where(boxes >= 0, behind[network.name], -np.inf).argmax())
            wrong = boxes[worst] >= 0 and behind[network.name][worst] >= SOLID
            try:
                found = (
                    _refuted(network, question, points[worst], prompts[worst], int(expected[worst]))
                    if wrong
                    else _proved(network, question)
                )
            except CannotEnclose:
                found = None
            answered.append(found if found is not None and found.lead >= SOLID else None)
    counts = {name: int((found >= SOLID).sum()) for name, found in behind.items()}
    known = tuple(each for each in answered if each is not None)
    return FamilyAnswers(family, len(prompts), counts, known, len(answered) - len(known))


def _behind(outputs: NDArray[np.float64], expected: NDArray[np.int64]) -> NDArray[np.float64]:
    """By how much the right output is behind another one; below 0 where it is ahead of all."""
    rows, others = np.arange(len(outputs)), outputs.copy()
    others[rows, expected] = -np.inf
    return np.asarray(others.max(axis=1) - outputs[rows, expected])


def _refuted(network: Network, question: Question, point: Any, prompt: Any, right: int) -> Answered:
    """`sat`: a wrong output leads at this point, in balls."""
    (row,) = enclose(network.graph(1), box(point.tolist(), point.tolist()))
    lead = max(least_lead(row[None, [other, right]], 0) for other in range(len(row)) if other != right)
    outputs = with_onnxruntime(network.graph(1))(point[None])[0]
    return Answered(network, question, "sat", lead, point, prompt, outputs, right)


def _proved(network: Network, question: Question) -> Answered:
    """`unsat`: the right output leads in every box, in balls."""
    model, ends = network.graph(1), zip(question.low.tolist(), question.high.tolist(), question.right, strict=True)
    lead = min(least_lead(enclose(model, box(low, high)), right) for low, high, right in ends)
    return Answered(network, question, "unsat", lead)


def _questions(
    family: Family, prompts: NDArray[np.int64], expected: NDArray[np.int64], points: Any, chosen: list[int]
) -> Iterator[Question]:
    """For each chosen prompt the box around it; where codes are bounded, all prompts at once as well."""
    centres, what = points.astype(np.float64), ABOUT_BOXES[family.bounded]
    if family.bounded:
        read = np.array([_is_read(family, prompt) for prompt in prompts])
        low = np.where(read, np.maximum(centres - CODE_RADIUS, -1), -1.0)
        high = np.where(read, np.minimum(centres + CODE_RADIUS, 1), 1.0)
    else:
        low, high = centres - STOCK_RADIUS, centres + STOCK_RADIUS
    for number in chosen:
        text = instance_text(from_token_ids(family.sizes, prompts[number]))
        name, right = f"{family.name}_prompt{number}", (int(expected[number]),)
        yield Question(name, f"{text}; {what}", low[[number]], high[[number]], right, family.outputs)
    if family.bounded:
        boxes, first = np.unique(np.concatenate([low, high], axis=1), axis=0, return_index=True)
        about = f"all {len(prompts)} prompts at once; in each box {what}"
        low, high = np.split(boxes, 2, axis=1)
        yield Question(f"{family.name}_all", about, low, high, tuple(expected[first].tolist()), family.outputs)


def _is_read(family: Family, prompt: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Of each coordinate: is it of z_0, of w, or of a table entry that the answer rests on?"""
    sizes = family.sizes
    asked = enumerate(asked_addresses(from_token_ids(sizes, prompt)), start=1)
    read = [sizes.length - 2, sizes.length - 1, *(sizes.table_start(level) + place for level, place in asked)]
    return np.isin(family.rows, read)


def write_answers(folder: Path, found: list[FamilyAnswers]) -> None:
    """onnx/, vnnlib/ and instances.csv for each version of VNN-LIB; counterexamples/, ground_truth.json and a page."""
    every = [(family.family, each) for family in found for each in family.answered]
    files: dict[str, str | bytes] = {README: ABOUT}
    truth: list[dict[str, Any]] = []
    for family, each in every:
        graph, asked = f"onnx/{each.network.name}.onnx", f"vnnlib/{each.question.name}.vnnlib"
        truth.append({"onnx": graph, "vnnlib": asked, **_truth(family, each)})
        if each.point is not None and each.outputs is not None:
            files[truth[-1]["counterexample"]] = counterexample_text(each.point.tolist(), each.outputs.tolist())
    rows = "".join(f"{row['onnx']},{row['vnnlib']},{TIMEOUT}\n" for row in truth)
    for version in VERSIONS:
        graphs = {network.name: network for family in found for network in family.family.networks}
        told = {each.network.name for _, each in every}
        files |= {f"{version}/onnx/{name}.onnx": graphs[name].graph(1).SerializeToString() for name in sorted(told)}
        files |= {f"{version}/vnnlib/{each.question.name}.vnnlib": each.question.text(version) for _, each in every}
        files[f"{version}/instances.csv"] = rows
    document = {"schema": SCHEMA, "version": VERSION, "instances": truth}
    files["ground_truth.json"] = json_text(document, readable=True, indent=1) + "\n"
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(folder / name, text)


def _truth(family: Family, each: Answered) -> dict[str, Any]:
    """One row of ground_truth.json."""
    told: dict[str, Any] = {
        "result": each.result,
        "family": family.name,
        "network": each.network.change or "right",
        "task": sizes_to_document(family.sizes),
        "boxes": len(each.question.low),
        "proved": PROVED[each.result],
        "lead": float(each.lead),
    }
    if each.prompt is None:
        return told
    name = f"counterexamples/{each.network.name}__{each.question.name.removeprefix(family.name + '_')}.counterexample"
    return {**told, "counterexample": name, "prompt": instance_text(from_token_ids(family.sizes, each.prompt))}


ABOUT_BOXES = {
    True: f"what the answer rests on is within {CODE_RADIUS} of its code, all other table entries are anything in "
    "[-1, 1]",
    False: f"every coordinate of the embedded prompt is within {STOCK_RADIUS} of its own",
}
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
