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

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat

from separation.arithmetic import ExactMatrix, IntegerArray
from separation.models import Layer, Model, Stored, Stream, mixed_radix_bits, sign_bits
from separation.progress import Progress
from separation.proving.construction import Construction
from separation.proving.diagnosis import LayerCase
from separation.proving.embedding import embedding_forms, table_forms
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms, variable_bits
from separation.proving.heads import Description
from separation.proving.invariants import Invariant, InvariantBuilder, Stage
from separation.proving.proof import Proof, Setting
from separation.proving.prover import MAX_CHOICES, Prover, require_fit
from separation.tasks.shape import Kind, Shape

RADIUS_BITS = 24
"""Radii that are no multiples of 2^-24 are rounded up to one: the kernel's bounds of exp differ in later bits."""
MIRRORED_ROWS = 1 << 8
"""Stored rows from which forms in x and M − x are solved; P1 then compares all of them."""


def infer_invariants(construction: Construction) -> Construction:
    """The construction with the strongest invariants that the rules give; stages that no rule leads to are missing."""
    stages, _ = infer_stages(construction.model, construction.shape)
    return replace(construction, stages=stages)


def infer_stages(
    model: Model, shape: Shape, path: str = "closed", progress: Progress | None = None
) -> tuple[tuple[Stage, ...], Proof]:
    """(stages, proof): what holds of the embedding and after each layer, and what follows for the answer."""
    require_fit(model, shape, path)
    proof = Proof(path)
    inferring = _Inferring(Setting(model, shape, proof, progress or (lambda _done, _what: None)))
    inferring.embedding()
    for number, layer in enumerate(model.layers, start=1):
        if not proof.failures:
            inferring.layer(number, layer)
    if not proof.failures:
        inferring.answer()
    whole = [stage for stage in inferring.found if len(stage) == len(shape.kinds)]
    return tuple(whole), proof


class _Inferring(Prover):
    """The prover's rules; where it would compare what is derived with a claim, the claim is made."""

    def __init__(self, setting: Setting) -> None:
        self.found: list[dict[str, Invariant]] = [{} for _ in range(len(setting.model.layers) + 1)]
        self.place: tuple[int, str] = (0, "")
        super().__init__(setting, self.found)

    def embedding(self) -> None:
        for kind in self.setting.shape.kinds:
            self.setting.report(0.0, "embedding")
            with self.obligation(0, kind):
                self.found[0][kind.name] = self.held(embedding_forms(self.setting.model, kind, self._mirrored(kind)))

    def claim(self, number: int, kind: Kind) -> Invariant:
        """Nothing is claimed yet; remember where the proof is."""
        self.place = (number, kind.name)
        return InvariantBuilder(self.setting.model.width).build()

    def advance(
        self,
        layer: Layer,
        stream: Forms,
        options: list[list[Description]],
        claimed: Invariant,  # noqa: ARG002
    ) -> tuple[Description, ...]:
        """Of all true descriptions of the heads' outputs, those that leave the least noise after the layer."""
        failure: ProofFailed | None = None
        best: tuple[Fraction, tuple[Description, ...], Invariant] | None = None
        for chosen in islice(product(*options), MAX_CHOICES):
            try:
                invariant = self.held(self.after(layer, stream, chosen))
            except ProofFailed as error:
                failure = failure or error
                continue
            noise = noise_left(invariant)
            if best is None or noise < best[0]:
                best = noise, chosen, invariant
            if not noise:
                break
        if best is None:
            assert failure is not None  # every head has a description
            raise failure
        number, kind = self.place
        self.found[number][kind] = best[2]
        return best[1]

    def explained(self, case: LayerCase, error: ProofFailed) -> ProofFailed:
        """Nothing is claimed, so there is no claim that could be explained."""
        del case
        return error

    def held(self, derived: Forms) -> Invariant:
        """What is derived, as an invariant that says the same, or in boxes if that cannot be written down."""
        invariant = invariant_of(derived)
        self.contain(derived, invariant)
        return invariant

    def _mirrored(self, kind: Kind) -> Forms:
        """The forms of a stored 2-Sum embedding, which P1 compares with every row; others need none."""
        model, width = self.setting.model, self.setting.model.width
        if kind.mirror is None or not isinstance(model.tokens, Stored):
            return Forms.constant(ExactMatrix.zeros(width, 1))
        position = table_forms(model.positions, kind.start, kind.address, "position")
        return position.plus(mirrored_forms(model.tokens, kind, model.stream))


def invariant_of(derived: Forms) -> Invariant:
    """Bits as they are; noise around its middle, shared by coordinates if its columns are independent, else boxed."""
    bits = [place for place, symbol in enumerate(derived.symbols) if symbol == ONE or symbol.is_bit]
    noise = [place for place, symbol in enumerate(derived.symbols) if place not in set(bits)]
    symbols = [derived.symbols[place] for place in noise]
    forms = Forms([derived.symbols[place] for place in bits], derived.matrix.columns(bits))
    columns = derived.matrix.columns(noise)
    if not _independent(columns):
        boxed = Forms([ONE, *symbols], ExactMatrix.zeros(derived.height, 1).hstack(columns)).ranges()
        rows = [row for row, (low, high) in enumerate(boxed) if low < high]
        ends = [boxed[row] for row in rows]
        entries = [(row, index, 1) for index, row in enumerate(rows)]
        middles = [(row, 0, (low + high) / 2) for row, (low, high) in enumerate(boxed)]
        columns = ExactMatrix.from_entries((derived.height, len(rows)), entries)
    else:
        ends = [(symbol.low, symbol.high) for symbol in symbols]
        scaled = [(index, 0, (low + high) / 2) for index, (low, high) in enumerate(ends)]
        moved = columns @ ExactMatrix.from_entries((len(ends), 1), scaled)
        middles = [(row, 0, moved.entry(row, 0)) for row in range(derived.height)]
    forms = forms.plus(Forms.constant(ExactMatrix.from_entries((derived.height, 1), middles))).compact()
    return Invariant(forms, columns, tuple(_rounded_up((high - low) / 2) for low, high in ends))


def noise_left(invariant: Invariant) -> Fraction:
    """Σ |coefficient| · radius over all coordinates: 0 if the bits tell everything."""
    entries = invariant.noise.entries()
    return sum((abs(number) * invariant.radii[column] for _, column, number in entries), Fraction(0))


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
    triples: list[tuple[int, int, Fraction]] = []
    for slot, _ in stream.slots:
        solutions = [[_solved(bits, part, rows[:, coordinate]) for coordinate in stream[slot]] for part in parts]
        best = min(solutions, key=_plainness)
        for index, coordinate in enumerate(stream[slot]):
            choices = (best[index], *(line[index] for line in solutions))
            solution = next((found for found in choices if found is not None), {})
            triples += [(coordinate, place, number / table.denominator) for place, number in solution.items()]
    return Forms(symbols, ExactMatrix.from_entries((table.width, len(symbols)), triples))


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


def _independent(columns: ExactMatrix) -> bool:
    """Are the columns linearly independent, and no more than P7 can tell apart?"""
    height, count = columns.shape
    if count > height:
        return False
    if not count:
        return True
    support = columns.numerators != 0
    if (support.sum(axis=0) == 1).all() and (support.sum(axis=1) <= 1).all():
        return True
    rows: Sequence[Sequence[Fraction]] = columns.fractions()
    return int(fmpq_mat([[fmpq(e.numerator, e.denominator) for e in row] for row in rows]).rank()) == count
