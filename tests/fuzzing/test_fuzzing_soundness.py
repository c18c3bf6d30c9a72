"""What kernel and prover derive of generated models is true of real runs. More: python tests/fuzzing --seconds 900."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from broken_rules import TWINS
from campaign import find, soundness, total
from comparison import Violation

TESTS = Path(__file__).parents[1]
CHUNK, SAMPLE = 20, 60
FIRST_FOUND = {  # where in the sample to look first; if the generator changes, all of the sample is tried
    "kernel_without_wobble": 15,
    "kernel_without_sizes": 13,
    "kernel_hull_without_zero": 19,
    "general_answers_without_address": 33,
}


@pytest.mark.parametrize("first", range(0, SAMPLE, CHUNK))
def test_every_derived_coordinate_is_true_of_real_runs(first: int) -> None:
    counts: Counter[str] = Counter()
    for seed in range(first, first + CHUNK):
        counts += soundness(seed)
    print(total(counts))
    assert counts["models"] == CHUNK
    assert min(counts[key] for key in ("coordinates", "layers, kernel", "layers, prover, closed path")) > 0


@pytest.mark.parametrize("name", TWINS)
def test_a_broken_rule_is_found_in_the_sample(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for where, what, instead in TWINS[name]():
        monkeypatch.setattr(where, what, instead)
    hint = FIRST_FOUND.get(name, 0)
    with pytest.raises(Violation, match=name.split("_")[0]):
        find(soundness, (hint, *range(SAMPLE)))


ORACLES = {
    "bounds": ("naive_bounds",),
    "certificates": ("claim_truth", "long_prompts", "plain_pairs", "sharper_truth"),
    "fuzzing": ("fuzzed_models",),
    "models": ("naive_model", "naive_recurrences"),
    "proving": ("plain_evaluator", "plain_tables"),
}


def test_the_oracles_import_nothing_of_the_project() -> None:
    for path in (TESTS / folder / f"{name}.py" for folder, names in ORACLES.items() for name in names):
        nodes = list(ast.walk(ast.parse(path.read_text())))
        names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        projects = {"separation", "constructions", "proofs_checks", "numpy", "flint"}
        assert not {name.split(".")[0] for name in names} & projects, path
