"""What verbs write for programs: keys of `--json`, and certificates that `check` accepts, and rejects when changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from test_cli import run_cli

pytestmark = pytest.mark.usefixtures("remembered_searches")

KEYS = {
    "prove C1 --L 2": "construction tokens m n width heads layers precision_bits inputs_covered_log2 margin certified"
    " counterexample seconds",
    "solve C1 --L 2": "answer expected hops",
    "show C1 --L 1": "layers",
    "infer C1 --L 1 --m 2": "construction",
    "decide R --L 1 --m 2 --lambda 1": "theorem hard_sizes",
    "decide RFF --L 2": "word depth L solvable reason construction theorem hard_sizes",
    "bound --L 2 --beta 8 --lambda 0": "ours paper cpw",
    "bound --bracket": "rows: m n built impossible known beta_of_weights",
    "bound --config gpt2": "ours paper cpw word depth L",
    "ceiling RF --m 64 --n 8 --beta 8 --lambda 8": "word L m n tokens ceiling ceiling_float chance theorem certified",
    "compare RF FR": "rows: word depth state_bytes kv_bytes_per_token ceiling construction theorem",
    "design --layers 4 --full 2": "depth orders rows: depth orders",
    "audit gpt2": "rows: name word depth state_bits kv_bytes_per_token levels blocks first_full_layers buys",
    "simulate --word RF": "soft_bits linear_bits messages",
    "fool --word R --L 1 --m 4 --state-bits 6": "found a b expected_a expected_b output_a output_b tried"
    " transcripts_equal",
    "fool --word RF --L 2 --m 3 --n 3": "found a b output_a output_b transcripts_equal tried theorem solvable levels:"
    " level inputs sampled density_log2 guaranteed_log2 cover guaranteed",
    "fool --sparse --block 3 --summary-bits 4 --open 1 --blocks 4 --modulus 11": "found a b expected_a expected_b",
    "crosscheck C1 --L 2 --dtype float32 --instances 4": "device dtype instances mismatches max_error bound ratio"
    " certified_tokens",
    "check corpus/bound/d.json": "kind claim",
    "check corpus/pair/delta.json --replay": "kind claim replay",
    "sweep decide --word RF --L 1..2 --workers 1": "rows: word L solvable theorem",
    "matrix F": "rows: task cells",
    "programs induction": "rows: name proved sizes width layers precision_bits seconds every_length",
    "proofs D1": "rows: id title status method scope seconds ok",
    "constructions --L 1 --m 2 --length 2 --modulus 5": "funccomp two_sum slots rows: id word task width heads layers"
    " precision_bits said formulas growth",
}
"""The keys of a document; behind a list's name those of each of its rows."""


@pytest.mark.parametrize("line", KEYS)
def test_one_json_document_with_its_keys(line: str, capfd: pytest.CaptureFixture[str]) -> None:
    if line.startswith("crosscheck"):
        pytest.importorskip("torch", reason="torch is not installed")
    code, out, _ = run_cli(capfd, *line.split(), "--json")
    document = json.loads(out)
    assert (code, document["ok"]) == (0, True)
    keys, _, of_rows = KEYS[line].partition(":")
    assert {*keys.split()} - document.keys() == set()
    rows = document[keys.split()[-1]] if of_rows else []
    assert all({*of_rows.split()} <= row.keys() for row in rows)


def more(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda claim: claim.update({key: claim[key] + 10**6})


def two_tables_more(claim: dict[str, Any]) -> None:
    claim["L"] += 2


def half_the_ceiling(claim: dict[str, Any]) -> None:
    claim["ceiling"] = str(Fraction(claim["ceiling"]) / 2)


CEILING = "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8"
WRITTEN: dict[str, tuple[str, Callable[[dict[str, Any]], None]]] = {
    "bound --L 2 --beta 8 --lambda 4": ("bound", more("beta")),
    "bound --L 2 --heads 2 --dim 4 --bits 4": ("bound", more("beta")),
    "bound --L 2 --beta 4 --lambda 20 --full-layers 0": ("bound", more("tokens")),
    "bound --sparse --modulus 13 --block 2 --open 2 --blocks 5 --summary-bits 5": ("bound", more("summary_bits")),
    "bound --L 2 --word RF --beta 8 --lambda 8 --accuracy 0.5": ("ceiling", half_the_ceiling),
    "decide RFR --L 2 --beta 4 --lambda 4": ("decision", more("beta")),
    "decide RFR --L 1": ("decision", two_tables_more),
    CEILING: ("ceiling", half_the_ceiling),
    "ceiling F --m 64 --n 8 --beta 8": ("ceiling", half_the_ceiling),
    "ceiling R2 --m 16 --n 4 --lambda 40": ("ceiling", half_the_ceiling),
    "ceiling F --m 256 --beta 64": ("ceiling", half_the_ceiling),
    "ceiling RF --m 1024 --n 2 --heads 1 --dim 4 --bits 4 --state-bits 64": ("ceiling", half_the_ceiling),
    "ceiling --sparse --block 64 --open 1 --blocks 32 --summary-bits 16": ("ceiling", half_the_ceiling),
    "matrix R:diagonal --why recall --tokens 64 --lambda 99": ("bound", more("lambda")),
    "matrix RF:delta --why recall": ("construction", more("width")),
    "matrix F --why recall --tokens 4096 --beta 64": ("bound", more("beta")),
    "matrix W(9)2 --why copying --tokens 64": ("bound", more("reach")),
    "matrix FF --why composition": ("decision", two_tables_more),
}


@pytest.mark.parametrize("line", WRITTEN)
def test_every_answer_can_be_written_and_checked(line: str, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, (kind, change) = tmp_path / "certificate.json", WRITTEN[line]
    assert run_cli(capfd, *line.split(), "--out", str(file))[0] == 0
    code, out, _ = run_cli(capfd, "check", str(file), "--json")
    assert (code, json.loads(out)["ok"], json.loads(out)["kind"]) == (0, True, kind)
    certificate = json.loads(file.read_text())
    change(certificate["claim"])
    file.write_text(json.dumps(certificate))
    assert run_cli(capfd, "check", str(file))[0] == 1
