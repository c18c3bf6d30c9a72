"""A RASP program as the oracle, and the weights that Tracr compiles it to as the model, on every input of a small size.

Tracr's weights are float32 numbers, so exact rationals, and its transformer is softmax attention, relu and sums. It is
run in ball arithmetic (Arb, through python-flint): each number comes with a radius that covers the real one, so a
logit that is above all others in balls is above them in real numbers, whatever the order of sums. What balls cannot
decide is doubled in precision, and counted apart if that does not help. Needs the extra `peer`.

    from tracr.compiler import lib
    found = Program.from_rasp(lib.make_hist(), "abc", 5)
    print(found.accuracy().sentence)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import product
from math import inf, nextafter
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from separation.files import InputError
from separation.progress import Progress, silent

BOS = "BOS"
PRECISIONS = (128, 512)
"""Bits of the balls, one after another."""
MOST_INPUTS = 1 << 16
MOST_DENOMINATOR = 1 << 12
"""Numbers of the program are read as fractions with at most this denominator: shares of a short sequence."""
PARTS = ("attn/query", "attn/key", "attn/value", "attn/linear", "mlp/linear_1", "mlp/linear_2")


@dataclass(frozen=True)
class RaspAccuracy:
    """``right`` of ``inputs``: right at every position; ``undecided``: balls could not tell. ``wrong``: the first.

    ``margin``: the least, over all right answers, by which the right logit is surely above the others; for a program
    that answers with numbers ``error``: the most by which an answer is off, and right means nearest to what is due.
    """

    name: str
    inputs: int
    right: int
    undecided: int
    margin: float | None
    error: float | None
    wrong: tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]] | None

    @property
    def ok(self) -> bool:
        return self.right == self.inputs > 0

    @property
    def sentence(self) -> str:
        every = "all" if self.ok else f"{self.right:,} of"
        unsure = f", {self.undecided:,} undecided" if self.undecided else ""
        size = f"margin at least {_rounded(self.margin, ROUND_FLOOR)}" if self.margin is not None else ""
        size = f"off by at most {_rounded(self.error, ROUND_CEILING)}" if self.error is not None else size
        return f"right on {every} {self.inputs:,} inputs, in real numbers (balls){unsure}; {size}".rstrip("; ")

    def document(self) -> dict[str, Any]:
        return {**vars(self), "sentence": self.sentence}


class RaspProgram:
    """``sop`` over the letters of ``vocabulary``, sequences of 1 to ``length`` letters, and Tracr's weights for it."""

    def __init__(self, sop: Any, vocabulary: Iterable[Any], length: int) -> None:
        try:
            from tracr.compiler import compiling
            from tracr.rasp import rasp
        except ImportError:
            raise InputError("Tracr is not installed: pip install 'separation[peer]'") from None
        if not isinstance(sop, rasp.SOp):
            raise InputError(f"{sop!r} is no RASP program (a tracr.rasp.rasp.SOp)")
        self.sop, self.letters, self.length = sop, tuple(vocabulary), length
        self.is_number = rasp.is_numerical(sop)
        model = compiling.compile_rasp_to_model(sop, set(self.letters), max_seq_len=length, compiler_bos=BOS)
        self.model, self.weights = model, _Weights(model, self.name)

    @property
    def name(self) -> str:
        return str(self.sop.label)

    def inputs(self) -> Iterator[tuple[Any, ...]]:
        for n in range(1, self.length + 1):
            yield from product(self.letters, repeat=n)

    def answers(self, letters: Sequence[Any]) -> tuple[Any, ...]:
        """By the program itself."""
        return tuple(self.sop(list(letters)))

    def accuracy(self, progress: Progress = silent) -> RaspAccuracy:
        """Every input, decided in balls."""
        cases = list(self.inputs())
        if len(cases) > MOST_INPUTS:
            raise InputError(f"{len(cases):,} inputs; up to {MOST_INPUTS:,} are run: take a shorter length")
        due = [self.answers(case) for case in cases]
        values = sorted({_meant(x) for row in due for x in row}) if self.is_number else []
        right, undecided, first = 0, 0, None
        sizes: list[float] = []
        for number, (case, answers) in enumerate(zip(cases, due, strict=True)):
            progress(number / len(cases), f"{number:,} of {len(cases):,} inputs")
            said = self._said(case, answers, values)
            right += bool(said.right)
            undecided += said.right is None
            sizes += said.sizes
            if first is None and said.right is False:
                first = case, answers, said.answers
        most = max(sizes, default=0.0) if self.is_number else None
        least = None if self.is_number or not sizes else min(sizes)
        return RaspAccuracy(self.name, len(cases), right, undecided, least, most, first)

    def _said(self, case: tuple[Any, ...], due: tuple[Any, ...], values: list[Fraction]) -> _Said:
        found = _Said(None, (), [])
        for bits in PRECISIONS:
            with ctx.workprec(bits):
                rows = self.weights.run([BOS, *case])[1:]
                found = self._numbers(rows, due, values) if self.is_number else self._letters(rows, due)
            if found.right is not None:
                break
        return found

    def _letters(self, rows: list[list[arb]], due: tuple[Any, ...]) -> _Said:
        """The right logit is above all others, at every position."""
        names = self.weights.outputs
        answers = tuple(names[max(range(len(row)), key=lambda i: float(row[i].mid()))] for row in rows)
        right, gaps = _above(rows, [names.index(x) if x in names else None for x in due])
        return _Said(right, answers, [nextafter(float(gap.lower()), -inf) for gap in gaps] if right else [])

    def _numbers(self, rows: list[list[arb]], due: tuple[Any, ...], values: list[Fraction]) -> _Said:
        """The answer is nearer to what is due than to any other value that the program takes."""
        near = [[-abs(said - _ball(value)) for value in values] for (said,) in rows]
        wanted = [values.index(_meant(x)) for x in due]
        errors = [nextafter(float((-row[i]).upper()), inf) for row, i in zip(near, wanted, strict=True)]
        return _Said(_above(near, wanted)[0], tuple(float(said.mid()) for (said,) in rows), errors)


def _above(rows: list[list[arb]], wanted: Sequence[int | None]) -> tuple[bool | None, list[arb]]:
    """Is the wanted number of each row (None: there is none) above all others; and by how much it is above each."""
    gaps = [row[i] - other for row, i in zip(rows, wanted, strict=True) if i is not None
            for place, other in enumerate(row) if place != i]  # fmt: skip
    if None in wanted or any(gap <= 0 for gap in gaps):
        return False, gaps
    return True if all(gap > 0 for gap in gaps) else None, gaps


@dataclass(frozen=True)
class _Said:
    right: bool | None
    answers: tuple[Any, ...]
    sizes: list[float]


class _Weights:
    """Tracr's transformer in balls: x + Σ heads, then x + MLP, layer by layer; then the unembedding."""

    def __init__(self, model: Any, label: str) -> None:
        params, config = model.params, model.model_config
        self.config, self.scale = config, arb(float(np.sqrt(config.key_size).astype(np.float32)))
        self.ids: dict[Any, int] = model.input_encoder.encoding_map
        self.tokens, self.positions = (np.asarray(params[f"{name}_embed"]["embeddings"]) for name in ("token", "pos"))
        self.layers = []
        for layer in range(config.num_layers):
            own = f"transformer/layer_{layer}/"
            parts = [params[own + name] for name in PARTS]
            self.layers.append([(_matrix(part["w"]), _matrix([part["b"]])) for part in parts])
        # The answer stands in the slots of the program's own name: one for each value, or one for a number.
        numbers: dict[Any, int] = getattr(model.output_encoder, "encoding_map", {})
        self.outputs: list[Any] = sorted(numbers, key=numbers.__getitem__)
        slots = [f"{label}:{value}" for value in self.outputs] or [label]
        self.rows = [model.residual_labels.index(slot) for slot in slots]

    def run(self, letters: Sequence[Any]) -> list[list[arb]]:
        ids = [self.ids[letter] for letter in letters]
        x = _matrix(self.tokens[ids]) + _matrix(self.positions[: len(ids)])
        for query, key, value, out, first, second in self.layers:
            q, k, v = (_affine(x, part) for part in (query, key, value))
            x = x + _affine(self._attend(q, k, v), out)
            x = x + _affine(_relu(_affine(x, first)), second)
        return [[x[t, row] for row in self.rows] for t in range(len(ids))]

    def _attend(self, q: arb_mat, k: arb_mat, v: arb_mat) -> arb_mat:
        size, heads, tokens = self.config.key_size, self.config.num_heads, q.nrows()
        result = arb_mat(tokens, heads * size)
        for h in range(heads):
            own = range(h * size, (h + 1) * size)
            for t in range(tokens):
                seen = range(t + 1) if self.config.causal else range(tokens)
                scores = [sum((q[t, i] * k[s, i] for i in own), arb(0)) / self.scale for s in seen]
                most = max(float(score.mid()) for score in scores)
                weights = [(score - most).exp() for score in scores]
                total = sum(weights, arb(0))
                for i in own:
                    result[t, i] = sum((w * v[s, i] for w, s in zip(weights, seen, strict=True)), arb(0)) / total
        return result


def _meant(number: Any) -> Fraction:
    """The program itself computes in floats: the fraction that its number stands for."""
    return Fraction(number).limit_denominator(MOST_DENOMINATOR)


def _rounded(number: float, rounding: str) -> str:
    """Three digits, to the side on which the claim stays true."""
    return f"{Context(prec=3, rounding=rounding).create_decimal(Decimal(number)):g}"


def _matrix(numbers: Any) -> arb_mat:
    return arb_mat([[arb(float(x)) for x in row] for row in np.asarray(numbers)])


def _affine(x: arb_mat, part: tuple[arb_mat, arb_mat]) -> arb_mat:
    w, b = part
    found = x * w
    for t in range(found.nrows()):
        for i in range(found.ncols()):
            found[t, i] += b[0, i]
    return found


def _relu(x: arb_mat) -> arb_mat:
    return arb_mat([[x[t, i].max(arb(0)) for i in range(x.ncols())] for t in range(x.nrows())])


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator
