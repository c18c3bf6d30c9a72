"""`export --benchmark DIR`: networks with attention, right and broken, with questions whose answers are known."""

from __future__ import annotations

import csv
import io
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import InputError, json_text, write_whole
from separation.numeric.onnx.graph import require_onnx
from separation.numeric.onnx.vnnlib import counterexample_text
from separation.numeric.stock_folder import instance_text, publish, require_replaceable, staged
from separation.progress import Progress, silent
from separation.tasks.funccomp import from_token_ids, sizes_to_document
from separation.verbs.benchmark_answers import Answered, FamilyAnswers, answers
from separation.verbs.benchmark_networks import Family, families
from separation.version import VERSION

SCHEMA = "separation-benchmark-1"
TIMEOUT = 300
"""Seconds that instances.csv allows a verifier."""
VERSIONS = ("1.0", "2.0")
"""Of VNN-LIB: verifiers read the one or the other, and VNN-COMP has a folder for each."""
README = "README.md"


@dataclass(frozen=True)
class BenchmarkReport:
    """A written folder; ok if every family is."""

    path: Path
    families: tuple[FamilyAnswers, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return all(each.ok for each in self.families)

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok, "path": str(self.path), "families": self.rows(), "seconds": self.seconds}

    def rows(self) -> list[dict[str, Any]]:
        found = []
        for each in self.families:
            results = Counter(answered.result for answered in each.answered)
            wrong = sum(1 for count in each.wrong.values() if count)
            row = {"family": each.family.name, "tokens": each.family.sizes.length, "prompts": each.prompts}
            row |= {"networks": len(each.family.networks), "wrong_networks": wrong}
            row |= {"unsat": results["unsat"], "sat": results["sat"], "undecided": each.undecided, "ok": each.ok}
            found.append(row)
        return found


def export_benchmark(path: str | Path, *, seed: int = 0, progress: Progress | None = None) -> BenchmarkReport:
    """Ask every question of every network, and write what was answered to a new folder."""
    start, path, report = time.perf_counter(), Path(path).absolute(), progress or silent
    require_onnx()
    if path.is_dir() and any(path.iterdir()):
        raise InputError(f"cannot write {path}: the folder is not empty")
    require_replaceable(path)
    asked = families()
    found = []
    for number, family in enumerate(asked):
        report(number / len(asked), family.name)
        found.append(answers(family, seed))
    with staged(path) as folder:
        _write(folder, found)
        publish(folder, path)
    return BenchmarkReport(path, tuple(found), time.perf_counter() - start)


def _write(folder: Path, found: list[FamilyAnswers]) -> None:
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
