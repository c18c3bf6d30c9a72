"""Changes of the weights of any construction, and their exact runs over all inputs; other coordinates."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proofs_checks.statements.c5 import right_thoughts
from separation.arithmetic import ExactMatrix
from separation.models import Stored, decode, run
from separation.proving import (
    Construction,
    Failure,
    Proof,
    construction_to_document,
    prove,
)
from separation.proving.certificates import certified
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import enumerate_token_ids, samples, token_ids
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes, enumerate_tokens, outputs
from separation.testing.changes import TABLES, Path, matrix_at, places, with_head, with_layer, with_matrix, with_model


def proof_of(construction: Construction, path: str = "closed") -> Proof:
    return prove(construction, path)


def with_stored_tables(construction: Construction) -> Construction:
    return with_model(construction, **{name: getattr(construction.model, name).stored() for name in TABLES})


def swapped_layers(construction: Construction, one: int, other: int) -> Construction:
    layers = list(construction.model.layers)
    layers[one], layers[other] = layers[other], layers[one]
    return with_model(construction, layers=tuple(layers))


def head_of(construction: Construction, layer: int, number: int = 0) -> Any:
    return construction.model.layers[layer].heads[number]


def with_every_head(construction: Construction, **changes: Any) -> Construction:
    """Of the first layer."""
    for number in range(construction.model.heads):
        construction = with_head(construction, 0, number, **changes)
    return construction


def with_whole_bits(construction: Construction, more: int) -> Construction:
    """Room for larger activations, so that no change fails for size before it fails for what it is."""
    precision = construction.model.precision
    return with_model(construction, precision=replace(precision, bits=precision.bits + more))


def shifted(matrix: ExactMatrix, step: int) -> ExactMatrix:
    return ExactMatrix(matrix.numerators + step, matrix.denominator)


def with_entries(construction: Construction, path: Path, *entries: tuple[int, int, int]) -> Construction:
    matrix = matrix_at(construction, path)
    for row, column, number in entries:
        matrix = matrix.with_entry(row, column, number)
    return with_matrix(construction, path, matrix)


def off_by_one_positions(construction: Construction) -> Construction:
    """The position rows of table 2, each of its neighbour."""
    positions, table = construction.model.positions, construction.shape.kind("table 2")
    rows = positions.matrix if isinstance(positions, Stored) else positions.stored().matrix
    order = np.arange(rows.shape[0])
    order[table.start : table.stop] = np.roll(order[table.start : table.stop], 1)
    return with_matrix(construction, ("positions",), rows.rows(order))


def random_change(construction: Construction, rng: np.random.Generator) -> tuple[str, Construction]:
    """One entry becomes another small number, half of the time one that is not 0; a whole matrix is emptied, negated,
    shifted or has its rows moved on; an MLP is left out; two layers change places."""
    layers, paths = construction.model.layers, places(construction)
    path = paths[rng.integers(len(paths))]
    matrix = matrix_at(construction, path)
    whole = {
        "emptied": matrix.scaled(0),
        "negated": matrix.scaled(-1),
        "shifted": shifted(matrix, int(rng.choice([-1, 1]))),
        "rows moved on": matrix.rows(np.roll(np.arange(matrix.shape[0]), 1)),
    }
    kind = str(rng.choice(["entry"] * 6 + [*whole, "without an MLP", "layers swapped"]))
    if kind in whole:
        return f"{path} {kind}", with_matrix(construction, path, whole[kind])
    if kind == "without an MLP":
        number = int(rng.integers(len(layers)))
        return f"layer {number} {kind}", with_layer(construction, number, mlps=layers[number].mlps[:-1])
    if kind == "layers swapped" and len(layers) > 1:
        one, other = (int(number) for number in rng.choice(len(layers), 2, replace=False))
        return f"{kind}: {one}, {other}", swapped_layers(construction, one, other)
    cells = np.argwhere((matrix.numerators != 0) == bool(rng.integers(2)))
    if not len(cells):
        cells = np.argwhere(matrix.numerators == matrix.numerators)
    row, column = (int(place) for place in cells[rng.integers(len(cells))])
    step = Fraction(int(rng.choice([-2, -1, 1, 2])), int(rng.choice([1, 1, 1, 2])))
    changed = matrix.with_entry(row, column, matrix.entry(row, column) + step)
    return f"{path} at {row}, {column}", with_matrix(construction, path, changed)


def outcomes_of_changes(whole: Construction, rng: np.random.Generator, count: int) -> Counter[str]:
    """Random changes: prover and kernel agree, and what they accept is right on every input."""
    good = certified(whole, proof_of(whole)).certificate
    assert good is not None
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        what, changed = random_change(whole, rng)
        accepted, wrong = proof_of(changed).ok, count_wrong(changed)
        assert not (accepted and wrong), f"{what} was proved and is wrong on {wrong} inputs"
        assert _kernel_accepts(changed, good) == accepted, f"prover and kernel disagree on {what}"
        outcomes["harmless" if accepted else "wrong" if wrong else "rejected"] += 1
    return outcomes


def _kernel_accepts(changed: Construction, good: dict[str, Any]) -> bool:
    claim = {**good["claim"], "integral": False, "state_bits": None, "margin": "1/1000"}
    return check_certificate({**good, "claim": claim, "model": construction_to_document(changed)}).ok


Change = Callable[[Construction], Construction]
Cause = tuple[str, str, Any]
"""Rule and clause of the first failure, and words of its message or details that it must give."""


def first_cause(subject: Construction) -> Failure:
    """What a failed proof says first; all that it says is JSON."""
    proof = proof_of(subject)
    assert not proof.ok
    json.dumps([failure.document() for failure in proof.failures])
    return proof.causes(subject.shape)[0]


def check_twin(name: str, change: Change, cause: Cause, whole: Construction, *small: Construction) -> None:
    """A broken twin is rejected for the right cause, and some input of a small size is answered wrongly; without small
    sizes one of 100 random inputs of FuncComp, with its thoughts."""
    found = first_cause(change(whole))
    rule, clause, more = cause
    assert (found.rule, found.clause) == (rule, clause), (name, found)
    assert more in found.message if isinstance(more, str) else found.details.items() >= more.items(), (name, found)
    if small:
        assert any(count_wrong(change(one)) for one in small), name
    else:
        prompts = np.stack([token_ids(instance) for instance in samples(whole.sizes.sizes, 5, 100)])
        assert wrong_prompts(change(whole), prompts, prompts) > 0, name


def in_other_coordinates(construction: Construction, seed: int) -> Construction:
    """A random unimodular change of basis, with the whole bits that its larger coordinates need."""
    rng, width = np.random.default_rng(seed), construction.model.width
    lower = np.tril(rng.integers(-1, 2, (width, width)), -1) + np.eye(width, dtype=np.int64)
    upper = np.triu(rng.integers(-1, 2, (width, width)), 1) + np.eye(width, dtype=np.int64)
    return with_whole_bits(construction.in_basis(ExactMatrix(lower @ upper)), 24)


def count_wrong(construction: Construction) -> int:
    """On how many of all inputs the exact run differs from the oracle: at every token of 2-Sum, in every thought."""
    sizes = construction.sizes
    if isinstance(sizes, TwoSumSizes):
        return sum(wrong_prompts(construction, xs, wanted) for xs, wanted in enumerate_tokens(sizes, 1024))
    whole = enumerate_token_ids(getattr(sizes, "sizes", sizes), 4096)
    return sum(wrong_prompts(construction, ids, answers) for ids, answers in whole)


def wrong_prompts(construction: Construction, prompts: NDArray[np.int64], wanted: NDArray[np.int64]) -> int:
    """Overflow is wrong."""
    model, sizes = construction.model, construction.sizes
    try:
        if isinstance(sizes, TwoSumSizes):
            return int((run(model, prompts, every_row=True).answers != wanted).any(axis=1).sum())
        if hasattr(sizes, "sizes"):  # a chain of thought
            return int((decode(model, prompts, sizes.steps) != right_thoughts(sizes, prompts)).any(axis=1).sum())
        return int((run(model, prompts).answers != wanted).sum())
    except ArithmeticError:
        return len(prompts)


def count_wrong_cases(construction: Construction, cases: Iterable[TwoSumInstance]) -> int:
    """Likewise on given inputs of 2-Sum."""
    cases = list(cases)
    prompts = np.array([case.x for case in cases])
    return wrong_prompts(construction, prompts, np.array([outputs(case) for case in cases]))
