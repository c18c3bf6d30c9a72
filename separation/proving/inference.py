"""Invariants that nobody stated: the strongest that the rules give, layer by layer, from the weights alone.

Every rule of docs/proving.md derives forms of the stream after a layer; to state an invariant is to say that these lie
within it (P7). Here what is derived becomes the invariant itself: bits stay bits, noise is kept as columns that several
coordinates share, or boxed, a column for each coordinate, where the columns would not be independent. If heads can be
described in several true ways, the one that leaves the least noise is kept. What is inferred is true of any weights, so
wrong weights get invariants too; they fail where the answer is compared with what is due.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, product
from math import floor
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat

from separation.arithmetic import IntegerArray
from separation.models import Stored, Stream, mixed_radix_bits, sign_bits
from separation.progress import Progress, silent
from separation.proving.construction import Construction
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, variable_bits
from separation.proving.invariants import Invariant, Stage
from separation.proving.kernel import MAX_CHOICES, Forms, Layer, Noise, Rational, Row, absolute, plus, reach, total
from separation.proving.kernel import Invariant as KernelInvariant
from separation.proving.kernel_tasks import Kind as KernelKind
from separation.proving.proof import Proof
from separation.proving.prover import Prover, watched
from separation.tasks.shape import Kind

RADIUS_BITS = 24
"""Radii that are no multiples of 2^-24 are rounded up to one, which keeps numbers short."""
MIRRORED_ROWS = 1 << 8
"""Stored rows from which forms in x and M − x are solved; P1 then compares all of them."""


def infer_invariants(construction: Construction) -> Construction:
    """The construction with the strongest invariants that the rules give; stages that no rule leads to are missing."""
    stages, _ = infer_stages(construction)
    return replace(construction, stages=stages)


def infer_stages(
    construction: Construction, path: str = "closed", progress: Progress = silent
) -> tuple[tuple[Stage, ...], Proof]:
    """(stages, proof): what holds of the embedding and after each layer, and what follows for the answer."""
    run = watched(Inferring, replace(construction, stages=()), path, progress)
    whole = [stage for stage in run.stages if len(stage) == len(run.kinds)]
    return tuple(whole), run.proof


class Inferring(Prover):
    """The prover's rules; where it would compare what is derived with a claim, the claim is made.

    Behind a layer that fails nothing is known.
    """

    goes_on = False

    def __init__(self, *given: Any) -> None:
        self.stages: list[dict[str, Invariant]] = []
        super().__init__(*given)
        self.stages = [{} for _ in range(len(self.model.layers) + 1)]

    def stated(self, document: dict[str, Any]) -> Any:
        """Nothing is claimed yet."""
        blank: dict[str, Any] = {kind.name: {"forms": [], "noise": []} for kind in self.shape.kinds}
        return [blank for _ in range(len(document["layers"]) + 1)]

    def contain(self, derived: Forms, claimed: KernelInvariant) -> None:  # noqa: ARG002
        self.claim(self.held(derived))

    def held(self, derived: Forms) -> Invariant:
        """What is said of forms; they must fit (P8)."""
        invariant = invariant_of(derived)
        self.size(invariant.as_forms()[0])
        return invariant

    def claim(self, invariant: Invariant) -> None:
        """The kind has this invariant, at the stage where the proof is."""
        place = next(place for place, kind in enumerate(self.kinds) if kind.name == self.kind)
        self.stages[self.layer][self.kind] = invariant
        self.model.invariants[self.layer][place] = invariant.as_forms()

    def choose(
        self,
        layer: Layer,
        x: Forms,
        options: list[list[Forms]],
        claimed: KernelInvariant,  # noqa: ARG002
    ) -> tuple[Forms, ...]:
        """Of all true descriptions of the heads' outputs, those that leave the least noise after the layer."""
        failure: ProofFailed | None = None
        best: tuple[Fraction, tuple[Forms, ...], Invariant] | None = None
        for outputs in islice(product(*options), MAX_CHOICES):
            try:
                invariant = self.held(self.after(layer, x, outputs))
            except ProofFailed as error:
                failure = failure or error
                continue
            noise = noise_left(invariant)
            if best is None or noise < best[0]:
                best = noise, outputs, invariant
            if not noise:
                break
        if best is None:
            assert failure is not None  # every head has a description
            raise failure
        self.claim(best[2])
        return best[1]

    def explained(self, layer: Any, chosen: Any, claimed: Any, error: ProofFailed) -> ProofFailed:  # noqa: ARG002
        """Nothing is claimed, so there is no claim that could be explained."""
        return error

    def mirrored(self, kind: KernelKind, stored: dict[int, Row], claimed: Forms, position: Forms) -> Forms:
        model = self.construction.model
        assert isinstance(model.tokens, Stored)
        found = mirrored_forms(model.tokens, self.shape.kind(kind.name), model.stream)
        claimed = [plus(form, other) for form, other in zip(found, position, strict=True)]
        return super().mirrored(kind, stored, claimed, position)


def invariant_of(derived: Forms) -> Invariant:
    """Bits as they are; noise shared by coordinates if its columns are independent, else boxed."""
    forms: Forms = [{s: c for s, c in form.items() if isinstance(s, str)} for form in derived]
    columns: dict[Noise, dict[int, Rational]] = {}
    for row, form in enumerate(derived):
        for symbol, c in form.items():
            if isinstance(symbol, Noise):
                columns.setdefault(symbol, {})[row] = c
    noise = [(symbol.radius, column) for symbol, column in columns.items()]
    if not _independent([column for _, column in noise], len(derived)):
        rests = [reach({s: c for s, c in form.items() if isinstance(s, Noise)}) for form in derived]
        noise = [(rest, {row: 1}) for row, rest in enumerate(rests) if rest]
    return Invariant(forms, tuple((_rounded_up(Fraction(size)), column) for size, column in noise))


def noise_left(invariant: Invariant) -> Fraction:
    """Σ |coefficient| · radius over all coordinates: 0 if the bits tell everything."""
    return Fraction(total(absolute(c) * radius for radius, column in invariant.noise for c in column.values()))


def mirrored_forms(table: Stored, kind: Kind, stream: Stream) -> Forms:
    """Token rows of x = 1, 2, … as forms in the bits of x and of M − x; P1 compares all rows with them later.

    There are several such forms (the lowest bits of x and of M − x are opposite). A slot is told in the bits of x alone
    or of M − x alone where that is possible, with the fewest terms and minus signs: a code stays a code of one number.
    """
    (value,), mirror = kind.value, kind.mirror
    assert mirror is not None
    numbers = np.arange(1, min(value.size, MIRRORED_ROWS))
    own, turned = (variable_bits(variable.name, variable.bits) for variable in (value, mirror))
    bits = np.concatenate(
        [mixed_radix_bits(numbers, (value.size,)), sign_bits(value.size - numbers, value.size)], axis=1
    )
    rows, symbols = table.rows(kind.first_id + numbers), [ONE, *own, *turned]
    parts = [range(1 + len(own)), [0, *range(1 + len(own), len(symbols))], range(len(symbols))]
    found: Forms = [{} for _ in range(table.width)]
    for slot, _ in stream.slots:
        solutions = [[_solved(bits, part, rows[:, coordinate]) for coordinate in stream[slot]] for part in parts]
        best = min(solutions, key=_plainness)
        for index, coordinate in enumerate(stream[slot]):
            choices = (best[index], *(line[index] for line in solutions))
            solution = next((found for found in choices if found is not None), {})
            found[coordinate] = {symbols[place]: number / table.denominator for place, number in solution.items()}
    return found


def _plainness(solutions: Sequence[dict[int, Fraction] | None]) -> tuple[int, int, int]:
    """Coordinates without a solution, terms, minus signs."""
    numbers = [number for solution in solutions if solution is not None for number in solution.values()]
    return sum(solution is None for solution in solutions), len(numbers), sum(number < 0 for number in numbers)


def _solved(bits: IntegerArray, part: Sequence[int], right: IntegerArray) -> dict[int, Fraction] | None:
    """Coefficients of these columns of bits that add up to the right side; None if there are none."""
    columns = np.concatenate([bits[:, list(part)], right[:, None]], axis=1)
    reduced, rank = fmpq_mat(fmpz_mat([[int(number) for number in row] for row in columns])).rref()
    solution = {}
    for index in range(rank):
        pivot = next(column for column in range(len(part) + 1) if reduced[index, column] != 0)
        if pivot == len(part):
            return None
        entry = reduced[index, len(part)]
        solution[part[pivot]] = Fraction(int(entry.p), int(entry.q))
    return {place: number for place, number in solution.items() if number}


def _rounded_up(radius: Fraction) -> Fraction:
    unit = 1 << RADIUS_BITS
    return radius if (radius * unit).denominator == 1 else Fraction(floor(radius * unit) + 2, unit)


def _independent(columns: list[dict[int, Rational]], height: int) -> bool:
    """Are the columns linearly independent, and no more than P7 can tell apart?"""
    rows = [row for column in columns for row in column]
    if len(rows) == len(columns) == len(set(rows)) or len(columns) > height:
        return len(columns) <= height
    entries = [[Fraction(column.get(row, 0)) for column in columns] for row in sorted(set(rows))]
    return int(fmpq_mat([[fmpq(e.numerator, e.denominator) for e in row] for row in entries]).rank()) == len(columns)
