"""A float run of a program's weights, derived by the kernel's rules Q1 to Q8 with every rounding as noise.

The forms of the exact derivation say what a coordinate is; here they say what its *float* is: each operation adds a
symbol whose radius bounds its rounding, 0 where all partial sums are numbers of the type. A clip cancels noise as it
does in the exact run, so errors do not grow from layer to layer. Recurrent heads must be exact: every number that an
update meets is a multiple of a power of two that fits. What is not derived is not certified.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Any

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import MLP, Model
from separation.numeric.arithmetic import Arithmetic, TooLong
from separation.numeric.float_errors import (
    OFF_GRID,
    OUTWARD,
    SMALLEST_MATCH,
    Values,
    Vector,
    any_read_error,
    embedding_error,
    fits,
    mapped,
    power_of_two,
    read_error,
    score_error,
    stored,
    values_of,
    weight_error,
    with_noise,
)
from separation.proving import kernel
from separation.proving.kernel_forms import (
    MAX_CASES,
    Form,
    add,
    cases_of,
    maximum,
    span,
    split,
    tabulate,
    wobble,
)
from separation.proving.kernel_forms import variables as variables_of
from separation.proving.kernel_programs import Derivation

Forms = list[Form]
SURE = Fraction(1 << 60)
"""A leak so large that all of the weight may be anybody's: nothing rests on how much others weigh."""


class FloatDerivation(Derivation):
    """The derivation of the kernel, of floats: `reads` has by how much what a head says may be off, by its place and
    the kind that reads, where it looks one token up or counts."""

    above = 1  # by how much a score may be above that of the exact run

    def __init__(self, document: Any, example: Any, model: Model, arithmetic: Arithmetic, tokens: int) -> None:
        super().__init__(kernel.Model(document, proved=False), example)
        self.model.bound *= 2  # p is the exact run's: the range of the type is looked at in every map
        self.floats, self.arithmetic, self.tokens = model, arithmetic, tokens
        self.reads: dict[tuple[int, int, str], float] = {}
        self.logit = 0.0
        self.place = (0, 0)

    def run(self) -> kernel.Rational:
        """As in the kernel, with the roundings of each step."""
        program = self.program
        x = {kind: self.embedding(program.kinds[kind]) for kind in self.kinds}
        for number, (layer, own) in enumerate(zip(self.model.layers, self.floats.layers, strict=True), 1):
            y = {kind: [dict(form) for form in forms] for kind, forms in x.items()}
            for h, (head, exact) in enumerate(zip(layer.heads, own.heads, strict=True)):
                self.at, self.place = f"layer {number}, head {h}", (number, h)
                said = self.float_attention(head, exact, x) if head.type == "full" else self.exact_state(head, x)
                for kind in self.kinds:
                    part = self.linear(exact.w_o, said[kind])
                    y[kind] = [self.summed(a, b) for a, b in zip(y[kind], part, strict=True)]
            for m, (mlp, units) in enumerate(zip(layer.mlps, own.mlps, strict=True)):
                self.at = f"layer {number}, MLP {m}"
                y = {kind: self.float_relu(kind, list(mlp.values()), units, y[kind]) for kind in self.kinds}
            x = {kind: self.kept(kind, forms) for kind, forms in y.items()}
        self.at = "answer"
        return self.float_answer(x[program.answer_kind])

    # ---- linear maps and sums

    def linear(self, matrix: ExactMatrix, x: Forms, bias: ExactMatrix | None = None) -> Forms:
        """W x + b as floats."""
        rounding = mapped(values_of(x), matrix, self.arithmetic, bias).error
        result: Forms = [{} for _ in range(matrix.shape[0])]
        for row, column in np.argwhere(matrix.numerators != 0).tolist():
            add(result[row], x[column], matrix.entry(row, column))
        if bias is not None:
            for row, form in enumerate(result):
                add(form, {((), None): 1}, bias.entry(row, 0))
        return with_noise(result, rounding)

    def summed(self, a: Form, b: Form) -> Form:
        """a + b, rounded once; nothing is rounded where one of them is 0."""
        total = add(dict(a), b)
        if not a or not b:
            return total
        return with_noise([total], self.rounding(total))[0]

    def rounding(self, form: Form) -> Vector:
        values, result = values_of([form]), self.arithmetic.result
        exact = values.is_exact & fits(values.size, values.grid, result)
        return np.where(exact, 0.0, float(result.unit) * values.size * OUTWARD + float(result.tiny))

    def kept(self, kind: str, forms: Forms) -> Forms:
        """Rounded to the stored type, which snaps back what is nearer to its number than to the next float."""
        if self.arithmetic.result == self.arithmetic.stored:
            return forms
        unit, kept = self.arithmetic.stored.unit, []
        for form in forms:
            exact, rest = split(form)
            off, over = wobble(rest), variables_of(exact)
            if off and np.prod([float(size) for _, size in over]) <= MAX_CASES:
                cases = zip(cases_of(over, self.laws(kind)), tabulate(exact, over), strict=True)
                least = min((kernel.absolute(value) for case, value in cases if case is not None), default=0)
                held = values_of([exact])
                if off < least * unit / 4 and fits(held.size, held.grid, self.arithmetic.stored)[0]:
                    form = exact
            kept.append(with_noise([form], stored(values_of([form]), self.arithmetic).error)[0])
        return kept

    # ---- steps

    def embedding(self, kind: Any) -> Forms:
        """Two rows rounded to the stored type, and their sum."""
        forms, tables = super().embedding(kind), (self.floats.positions, self.floats.tokens)
        lost = embedding_error(tables, self.arithmetic)
        return with_noise(forms, np.array([lost if form else 0.0 for form in forms]))

    def float_attention(self, head: Any, exact: Any, x: dict[str, Forms]) -> dict[str, Forms]:
        """The rules of the kernel on float queries, keys and values; then how far float weights and sums are off."""
        parts = {w: {K: self.projected(w, getattr(exact, w), x[K]) for K in self.kinds} for w in ("w_q", "w_k", "w_v")}
        sizes = [len(parts[w][self.kinds[0]]) for w in parts]
        first, heads = 0, {}
        for w, size in zip(("W_Q", "W_K", "W_V"), sizes, strict=True):
            heads[w] = kernel.Matrix(size, [(i, first + i, 1) for i in range(size)])
            first += size
        # Floats do not depend on the shift: it is raised, so that noise does not bring a score above it.
        plain = kernel.Head("full", {**head.weights, **heads}, head.shift + self.above)
        streams = {K: [*parts["w_q"][K], *parts["w_k"][K], *parts["w_v"][K]] for K in self.kinds}
        self.sure: set[str] = set()
        said = self.attention(plain, streams)
        values = {w: {K: values_of(forms) for K, forms in part.items()} for w, part in parts.items()}
        for place, K in enumerate(self.kinds):
            visible = self.kinds[: place + 1]
            scores = [score_error(values["w_q"][K], values["w_k"][J], exact.shift, self.arithmetic) for J in visible]
            ends = [[span(form, self.laws(J)) for form in parts["w_v"][J]] for J in visible]
            low = np.array([float(min(end[r][0] for end in ends)) for r in range(sizes[2])])
            high = np.array([float(max(end[r][1] for end in ends)) for r in range(sizes[2])])
            hull, others = (np.minimum(low, 0.0), np.maximum(high, 0.0)), [values["w_v"][J] for J in visible]
            if K not in self.sure:
                said[K] = with_noise(said[K], any_read_error(hull, others, self.arithmetic, self.tokens))
                continue
            off = self.weighing(max(scores))
            zeros = np.zeros(sizes[2])
            error = read_error(
                SURE, off, Values(zeros, zeros, zeros.astype(np.int64)), [], hull, self.arithmetic, self.tokens
            )
            said[K] = with_noise(said[K], error)
            self.reads[*self.place, K] = 2 * max((float(wobble(split(form)[1])) for form in said[K]), default=0.0)
        return said

    def weighing(self, score: float) -> float:
        """By how much the factor of a weight is off whose score is."""
        return weight_error(score, self.arithmetic)

    def projected(self, name: str, matrix: ExactMatrix, x: Forms) -> Forms:
        """Queries; keys and values, which are stored."""
        forms = self.linear(matrix, x)
        return forms if name == "w_q" else with_noise(forms, stored(values_of(forms), self.arithmetic).error)

    def pick(self, d: Any, head: Any, scores: Any, values: Any) -> Any:
        found = super().pick(d, head, scores, values)
        self.sure |= {d.kind} if found is not None else set()
        return found

    def either(self, d: Any, f: Form, g: Form) -> Form:
        """Noise of what is read where nothing is found is noise of both, so that it does not hide that g is f there."""
        exact, rest = split(g)
        return with_noise([super().either(d, f, exact)], np.array([float(wobble(rest)) * OUTWARD]))[0]

    def ratio(self, head: Any, scores: Any, reader: str, target: str, sigma: Form, *rest: Any) -> Fraction | None:
        """None also where a match weighs too little for a float."""
        given, found = (*rest[1:], (), ())[:2]
        least = maximum({s: -c for s, c in sigma.items()}, given, [*self.laws(reader), *found])
        if self.arithmetic.path == "rows" and (least or 0) + scores[target][1] + head.shift > SMALLEST_MATCH + 1:
            return None
        return super().ratio(head, scores, reader, target, sigma, *rest)

    def count(self, d: Any, head: Any, scores: Any, values: Any) -> Forms | None:
        """What the exact run rounds down weighs less than 2^-P here, each, and a mean is not rounded to f digits."""
        said = super().count(d, head, scores, values)
        if said is None:
            return None
        laws = [*self.laws(d.kind), *self.laws(d.target, "@")]
        high = self.one_value(scores[d.target][0], self.matches(d), laws)
        if high is None or high - head.shift < -SMALLEST_MATCH:
            return None
        self.sure.add(d.kind)
        largest = max(
            (float(max(map(kernel.absolute, span(form)))) for forms in values.values() for form in forms), default=0.0
        )
        others = self.tokens * exp(head.shift - high) * 2.0**-self.model.weight_bits
        return with_noise(said, np.full(len(said), (2 * largest * others + float(self.model.unit)) * OUTWARD))

    def exact_state(self, head: Any, x: dict[str, Forms]) -> dict[str, Forms]:
        """The state is kept without rounding, or nothing is certified. A memory adds up products of a query, a key and
        a value, and is within the bound of the model; a scan's updates are looked at one by one, in `update`."""
        parts: Forms = []
        for kind in self.kinds:
            for name, matrix in head.weights.items():
                if name[0] == "W" and name != "W_O":
                    parts += self.image(matrix, head.weights.get(f"b{name[1:]}"), x[kind])
        self.require_exact(parts)
        values, bound = values_of(parts), float(self.model.bound)
        most, grid = values.size.max(initial=1.0) ** 2 * bound * head.keys, 3 * min(values.grid.min(initial=0), 0)
        if not fits(np.array([most]), np.array([grid]), self.arithmetic.result)[0]:
            raise TooLong(f"{self.at}: a state may be rounded in {self.arithmetic.name}")
        said = self.recurrence(head, x)
        for forms in said.values():
            self.require_exact([{s: c for s, c in form.items() if s[1] is None} for form in forms])
        return said

    def image(self, matrix: Any, bias: Any, x: Forms) -> Forms:
        result: Forms = [{} for _ in range(matrix.rows)]
        for row, column, c in matrix.entries:
            add(result[row], x[column], c)
        for row, _, c in bias.entries if bias is not None else ():
            add(result[row], {((), None): 1}, c)
        return result

    def require_exact(self, forms: Forms) -> None:
        """Every partial sum is a number of the type: the sizes are sums of absolute values."""
        values = values_of(forms)
        good = fits(values.size, values.grid, self.arithmetic.stored) & (values.grid > OFF_GRID)
        if not good.all():
            raise TooLong(f"{self.at}: a number of the recurrence may be rounded in {self.arithmetic.name}")

    def update(self, head: Any, S: Any, numbers: Any) -> Any:
        """All products of an update are numbers of the type."""
        entries = [Fraction(c) for row in S for c in row] + [Fraction(c) for c in numbers]
        grid = min((power_of_two(c) for c in entries if c), default=0)
        most = max((abs(c) for c in entries), default=Fraction(0)) + 1
        # a·(S − b·k·kᵀS) + b·k·v: at most five factors, and as many terms as keys.
        size, least = float(most**5 * (2 + head.keys)), 5 * min(grid, 0) if grid > OFF_GRID else OFF_GRID
        if not fits(np.array([size]), np.array([least]), self.arithmetic.result)[0]:
            raise TooLong(f"{self.at}: an update may be rounded in {self.arithmetic.name}")
        return super().update(head, S, numbers)

    def float_relu(self, kind: str, mlp: list[Any], units: MLP, x: Forms) -> Forms:
        """x + W_2 relu(W_1 x + b_1) + b_2: each unit's rounding is a coordinate more, which it alone reads."""
        w_1, b_1, w_2, b_2 = mlp
        off = self.unit_errors(kind, units, x)
        wide: Forms = [{} for _ in range(len(x), len(x) + w_1.rows)]
        more = kernel.Matrix(w_1.rows, [*w_1.entries, *((r, len(x) + r, 1) for r in range(w_1.rows))])
        after = self.relu(kind, [more, b_1, w_2, b_2], [*x, *with_noise(wide, off)])[: len(x)]
        reach = np.abs(np.asarray(units.w_2.numerators, np.float64)) / units.w_2.denominator @ off * OUTWARD
        if any(wobble(split(form)[1]) > most for form, most in zip(after, reach, strict=True) if most):
            ways = [after, *self.passed(kind, mlp, units, x, off)]
            after = [min(said, key=lambda form: wobble(split(form)[1])) for said in zip(*ways, strict=True)]
        hidden = values_of(self.image(more, b_1, [*x, *with_noise(wide, off)]))
        return self.written(kind, after, mapped(hidden, units.w_2, self.arithmetic, units.b_2))

    def passed(self, kind: str, mlp: list[Any], units: MLP, x: Forms, off: Vector) -> list[Forms]:
        """relu(a + ε) = relu(a) + ε' with |ε'| ≤ |ε|: what is said where ε leaves a sign open, as at a = 0; then
        with the noise of x as ε too, and x beside it as it is."""
        w_1, w_2 = (np.abs(np.asarray(w.numerators, np.float64)) / w.denominator for w in (units.w_1, units.w_2))
        exact, noise = zip(*map(split, x), strict=True)
        moved = w_1 @ np.array([float(wobble(rest)) for rest in noise]) * OUTWARD
        bare = [add(form, rest) for form, rest in zip(self.relu(kind, mlp, [*exact]), noise, strict=True)]
        return [
            with_noise(self.relu(kind, mlp, x), w_2 @ off * OUTWARD),
            with_noise(bare, w_2 @ (off + moved) * OUTWARD),
        ]

    def unit_errors(self, kind: str, units: MLP, x: Forms) -> Vector:  # noqa: ARG002
        """By how much the floats of W_1 x + b_1 are off."""
        return mapped(values_of(x), units.w_1, self.arithmetic, units.b_1).error

    def written(self, kind: str, after: Forms, change: Values) -> Forms:  # noqa: ARG002
        """The stream when a change was added to it: the change's own error, and one rounding of the sum."""
        return [
            form if not size else with_noise([form], np.array([off]) + self.rounding(form))[0]
            for form, size, off in zip(after, change.size, change.error, strict=True)
        ]

    def float_answer(self, x: Forms) -> kernel.Rational:
        """The margin of float logits, noise and their own rounding taken off; 0 or less: not certified."""
        margin = self.answer(x)
        rows = [self.model.unembedding.row(answer) for answer in range(self.program.answer[1])]
        largest = [max((kernel.absolute(row.get(r, 0)) for row in rows), default=0) for r in range(len(x))]
        last = mapped(values_of(x), ExactMatrix.from_rows([[Fraction(c) for c in largest]]), self.arithmetic).error[0]
        noise = sum(c * wobble(split(form)[1]) for c, form in zip(largest, x, strict=True))
        self.logit = (2 * float(noise) + float(last)) * OUTWARD  # two runs: floats, and the exact one
        return margin - 2 * Fraction(float(last))
