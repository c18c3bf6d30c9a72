"""Integer weights of C1 and C2 as Coq data: `BuiltWeights.v`, which Coq runs on every input of tiny sizes.

    python -m proofs_checks.kit.coq.weights > proofs_checks/coq/BuiltWeights.v

Besides the matrices Coq is told which exponents occur on these inputs; it computes their weights itself, checks them
against the series of exp, and refuses a run that meets another one.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from constructions import build
from separation.arithmetic import floor_scaled_exp
from separation.proving import Construction, construction_to_document
from separation.tasks.funccomp import Sizes

Vector = list[int]
Matrix = list[Vector]
Case = tuple[str, str, Sizes, dict[str, Any]]

CASES: tuple[Case, ...] = (
    ("C1_m2", "C1", Sizes(2, ()), {}),
    ("C1_m3", "C1", Sizes(3, ()), {}),
    ("C1_m2_n1", "C1", Sizes(2, (1,)), {}),
    ("C1_m2_n2", "C1", Sizes(2, (2,)), {}),
    ("C1_m2_n1_1", "C1", Sizes(2, (1, 1)), {}),
    ("C2_RF_m2", "C2", Sizes(2, ()), {"word": "RF"}),
    ("C2_RF_m3", "C2", Sizes(3, ()), {"word": "RF"}),
    ("C2_FR_m2", "C2", Sizes(2, ()), {"word": "FR"}),
    ("C2_RFF_m2_n1", "C2", Sizes(2, (1,)), {"word": "RFF"}),
    ("C2_FRF_m2_n1", "C2", Sizes(2, (1,)), {"word": "FRF"}),
)
"""Label, construction, sizes, options; linear attention, one head a layer."""

HEADER = """(** The project's own integer weights of C1 and C2, run on every input of tiny sizes.

    Written by  python -m proofs_checks.kit.coq.weights;  the matrices are those of  prove … --write-model. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions AllInputs.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
"""


@dataclass
class IntegerRun:
    """A model of one full or linear head a layer, in integers: the stream is counted in units of 2^-f."""

    document: dict[str, Any]

    def __post_init__(self) -> None:
        precision = self.document["precision"]
        self.P, self.p, self.f = precision["P"], precision["p"], precision["fraction"]
        self.unit = 1 << self.f
        tables = (self.document[name] for name in ("positions", "tokens", "unembedding"))
        self.positions, self.tokens, self.unembedding = map(table_rows, tables)
        self.layers = [
            (_dense_parts(layer["heads"][0]), [_dense_parts(mlp) for mlp in layer["mlps"]])
            for layer in self.document["layers"]
        ]
        self.weights: dict[int, int] = {}

    def answer(self, ids: Sequence[int]) -> int:
        *_, stream = self.streams(ids)
        logits = _times(self.unembedding, stream[-1])
        return logits.index(max(logits))

    def streams(self, ids: Sequence[int]) -> Iterator[list[Vector]]:
        """The stream before each layer, and after the last."""
        stream = [
            [self.unit * (a + b) for a, b in zip(self.positions[i], self.tokens[token], strict=True)]
            for i, token in enumerate(ids)
        ]
        yield stream
        for head, mlps in self.layers:
            outputs = self.full(head, stream) if head["type"] == "full" else self.linear(head, stream)
            stream = [_plus(x, _times(head["W_O"], out)) for x, out in zip(stream, outputs, strict=True)]
            for mlp in mlps:
                stream = [_plus(x, self.affine(mlp, "2", _relu(self.affine(mlp, "1", x)))) for x in stream]
            yield stream

    def affine(self, part: dict[str, Any], name: str, x: Vector) -> Vector:
        return [a + self.unit * b for a, (b,) in zip(_times(part[f"W_{name}"], x), part[f"b_{name}"], strict=True)]

    def full(self, head: dict[str, Any], stream: list[Vector]) -> list[Vector]:
        queries, keys, values = ([_times(head[name], x) for x in stream] for name in ("W_Q", "W_K", "W_V"))
        outputs = []
        for i, query in enumerate(queries):
            weights = [self.weight(head["shift"] * self.unit**2 - _dot(query, key)) for key in keys[: i + 1]]
            sums = [_dot(weights, [value[r] for value in values[: i + 1]]) for r in range(len(values[0]))]
            outputs.append([a // sum(weights) if sum(weights) else 0 for a in sums])
        return outputs

    def exponents(self, head: dict[str, Any], stream: list[Vector]) -> set[int]:
        """The exponents that the last token meets in a full head."""
        query = _times(head["W_Q"], stream[-1])
        return {max(0, head["shift"] * self.unit**2 - _dot(query, _times(head["W_K"], x))) for x in stream}

    def weight(self, exponent: int) -> int:
        """⌊2^P·exp(−exponent/4^f)⌋, remembered: these are the exponents that Coq must know."""
        exponent = max(0, exponent)
        if exponent not in self.weights:
            self.weights[exponent] = floor_scaled_exp(self.P, Fraction(-exponent, self.unit**2))
        return self.weights[exponent]

    def linear(self, head: dict[str, Any], stream: list[Vector]) -> list[Vector]:
        assert head["normalised"]
        state = [[0] * (len(head["W_V"]) + 1) for _ in head["W_K"]]
        outputs = []
        for x in stream:
            key, query = _relu(self.affine(head, "K", x)), _relu(self.affine(head, "Q", x))
            value = [*_times(head["W_V"], x), self.unit]
            state = [[s + a * b for s, b in zip(row, value, strict=True)] for row, a in zip(state, key, strict=True)]
            *sums, total = (_dot(query, list(column)) for column in zip(*state, strict=True))
            outputs.append([a * self.unit // total if total else 0 for a in sums])
        return outputs


def table_rows(table: dict[str, Any]) -> Matrix:
    """All rows of a stored or declared table."""
    if "stored" in table:
        return _dense(table["stored"])
    rows = []
    for segment in sorted(table["declared"], key=lambda part: int(part["start"])):
        matrix, radices = _dense(segment["matrix"]), segment["radices"]
        for digits in itertools.product(*map(range, radices)):
            bits = [
                1 if digit >> place & 1 else -1
                for digit, radix in zip(digits, radices, strict=True)
                for place in range((radix - 1).bit_length())
            ]
            rows.append(_times(matrix, [1, *bits]))
    return rows


def all_inputs(sizes: Sizes) -> Iterator[tuple[list[int], int]]:
    """Token numbers and right answer of every input."""
    levels = list(itertools.accumulate([sizes.m, *sizes.n], lambda a, b: a * b))
    tables = [itertools.product(range(size), repeat=size) for size in levels]
    for zs in itertools.product(*tables):
        flat = [value for z in reversed(zs) for value in z]
        for z0, query in itertools.product(range(sizes.m), range(prod(sizes.n))):
            rest, digits = query, []
            for n in reversed(sizes.n):
                digits.append(rest % n)
                rest //= n
            value = zs[0][z0]
            for digit, z, below in zip(reversed(digits), zs[1:], levels, strict=False):
                value = z[digit * below + value]
            yield [*flat, z0, levels[-1] + query], value


def coq_weights(label: str, subject: Construction) -> str:
    """The weights, their exponents and the theorem that they answer every input, as Coq text."""
    sizes = subject.sizes
    assert isinstance(sizes, Sizes)
    run = IntegerRun(construction_to_document(subject))
    wrong = sum(run.answer(ids) != right for ids, right in all_inputs(sizes))
    assert not wrong, f"{label}: {wrong} inputs are answered wrongly"
    return coq_theorem(label, subject, run, run.weights, ("right_on_all", "right_on_all_solves"))


def coq_theorem(
    label: str, subject: Construction, run: IntegerRun, exponents: Iterable[int], check: tuple[str, str]
) -> str:
    """The weights, the exponents, and what a check of Coq and the theorem about that check give."""
    sizes = subject.sizes
    assert isinstance(sizes, Sizes)
    exponents = sorted(exponents)
    # 2y ≤ K + 2 makes K terms decide (FloorExp.v); as many again make the floors certain at these precisions.
    terms = max(40, 3 * -(-exponents[-1] // run.unit**2))
    n = _list([str(size) for size in sizes.n])
    tokens = sizes.length
    k = (tokens - 1).bit_length()
    beta = max(
        len(head["W_V"]) * (run.P + run.p + k + 1) + run.P + k for head, _ in run.layers if head["type"] == "full"
    )
    blocks = ";\n      ".join(_block(*layer) for layer in run.layers)
    return f"""
(** {subject.name}, {subject.model.word}, m = {sizes.m}, n = {tuple(sizes.n)}: {tokens} tokens. *)
Definition {label} : weights := Weights {run.P} {run.p} {run.f} {2 * run.f + 2}
  {_matrix(run.positions)}%Z
  {_matrix(run.tokens)}%Z
  {_matrix(run.unembedding)}%Z
  [:: {blocks}]%Z.
Definition {label}_exponents : seq Z := {_vector(exponents)}%Z.
Lemma {label}_right : {check[0]} {label} {label}_exponents {terms} {sizes.m} {n}.
Proof. vm_cast_no_check (erefl true). Qed.
Theorem {label}_solves : weights_solve {sizes.m} {n} {label} (among {label}_exponents).
Proof. exact: {check[1]} {label}_right. Qed.
Theorem {label}_message_bits : forall exp_floor,
  all (fun l => soft_bits {k} l <= {beta}) (stack (exact_of_weights {label} exp_floor {n})).
Proof. by []. Qed.
"""


def _block(head: dict[str, Any], mlps: list[dict[str, Any]]) -> str:
    parts = [
        f"Mlp {_matrix(mlp['W_1'])} {_column(mlp['b_1'])} {_matrix(mlp['W_2'])} {_column(mlp['b_2'])}" for mlp in mlps
    ]
    if head["type"] == "full":
        matrices = " ".join(_matrix(head[name]) for name in ("W_Q", "W_K", "W_V", "W_O"))
        return f"FullBlock (FullHead {matrices} {_number(head['shift'])}) {_list(parts)}"
    features = " ".join(f"{_matrix(head[f'W_{x}'])} {_column(head[f'b_{x}'])}" for x in "QK")
    rest = f"{_matrix(head['W_V'])} {_matrix(head['W_O'])} true {len(head['W_K'])} {len(head['W_V'])}"
    return f"LinearBlock (LinearHead {features} {rest}) {_list(parts)}"


def _dense_parts(part: dict[str, Any]) -> dict[str, Any]:
    return {name: _dense(value) if isinstance(value, dict) else value for name, value in part.items()}


def _dense(matrix: dict[str, Any]) -> Matrix:
    rows = [[0] * matrix["shape"][1] for _ in range(matrix["shape"][0])]
    for row, column, value in matrix["entries"]:
        rows[row][column] = int(value)
    return rows


def _dot(u: Vector, v: Vector) -> int:
    return sum(a * b for a, b in zip(u, v, strict=True))


def _times(matrix: Matrix, x: Vector) -> Vector:
    return [_dot(row, x) for row in matrix]


def _plus(u: Vector, v: Vector) -> Vector:
    return [a + b for a, b in zip(u, v, strict=True)]


def _relu(x: Vector) -> Vector:
    return [max(0, a) for a in x]


def _list(parts: Sequence[str]) -> str:
    return f"[:: {'; '.join(parts)}]" if parts else "[::]"


def _number(value: int) -> str:
    return str(value) if value >= 0 else f"({value})"


def _vector(x: Sequence[int]) -> str:
    return _list([_number(a) for a in x])


def _column(matrix: Matrix) -> str:
    return _vector([value for (value,) in matrix])


def _matrix(matrix: Matrix) -> str:
    return _list([_vector(row) for row in matrix])


def main() -> None:
    sys.stdout.write(HEADER)
    for label, name, sizes, options in CASES:
        sys.stdout.write(coq_weights(label, build(name, sizes, **options)))


if __name__ == "__main__":
    main()
