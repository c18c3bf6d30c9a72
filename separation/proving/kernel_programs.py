"""The part of the kernel that proves that a model computes a program: docs/certificates.md, 'Programs'.

Forms of the stream are derived kind by kind and layer by layer by the rules Q1 to Q8 below, and nothing is believed:
not where a variable is kept, nor which head is for which definition, nor the codes of a state. Variables are facts
about the input, whether or not any slot holds them: `d` and `d:a` are variables of the token that the find d of the
reader finds, `d?` says whether there is one; `@a` is the variable a of the token that is looked at. Nothing but the
files of the kernel beside this one and the standard library is imported.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import floor, gcd, lcm, prod

from separation.proving.kernel import (
    DIGITS,
    MAX_CELLS,
    RECURRENT,
    Head,
    Matrix,
    Model,
    RowTable,
    absolute,
    counted,
    exp,
    integer,
    limit,
    listed,
    quotient,
    refuse,
    round_up,
    show,
    spend,
)
from separation.proving.kernel_forms import (
    MAX_CASES,
    NEGATED,
    ONE,
    RELATIONS,
    Noise,
    Rational,
    add,
    bit,
    cases_of,
    constant,
    maximum,
    parts_of,
    polynomial,
    rename,
    span,
    sparse_polynomial,
    split,
    tabulate,
    times,
    variables,
    whole,
    wobble,
)
from separation.proving.kernel_tasks import Count, Find, Kind, Map, NoInput, Scan

TYPE_CHECKING = False  # as in kernel.py
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from separation.proving.kernel_forms import Atom, Form, Law, Symbol, Variable

    Forms = list[Form]
    Stream = dict[str, Forms]  # by kind
    Spans = list[tuple[Rational, Rational]]
    Score = tuple[Form, Rational]  # exact part, and a bound of its noise
    Picked = tuple[bool, Fraction, Forms]  # does it miss what is read?, λ, what is said
    Special = dict[str, tuple[list[list[Atom]], int | None]]
    Unit = tuple[Rational, list[tuple[int, Rational]], Fraction]  # offset, where it goes with which weight, its factor
    Sums = dict[tuple[int, Noise | None], list[Rational]]  # by coordinate and noise, the values in all cases
    Tables = dict[tuple[Variable, ...], Sums]
    Update = tuple[Rational, ...]
    Vectors = tuple[list[Variable], dict[tuple[int, ...], dict[int, Rational]]]  # a sparse vector in each valid case
    Named = tuple[tuple[int, ...], dict[int, Rational]]

CLEAR = Fraction(1, 4)  # a share of others up to which a head is not in doubt: a hint for people, nothing rests on it
MAX_PAIRS = 1 << 18  # of names, in one question
LN2 = Fraction(6931471805, 10**10)  # below ln 2
MATRIX = tuple[tuple[Rational, ...], ...]


def exp_above(x: Rational) -> Fraction:
    """A rational ≥ e^x."""
    refuse(x > 6000, "Q4: an exponent is too large")
    return round_up(exp(x)[1])


def weight(score: Rational, P: int) -> int:
    """⌊2^P e^score⌋, score ≤ 0."""
    if score == 0:
        return 1 << P
    if score * Fraction(36, 25) < -P:  # 36/25 < log2 e
        return 0
    low, high = (floor(end * 2**P) for end in exp(score, DIGITS + P))
    refuse(low != high, "Q5: a weight is not decided by the bounds of exp")
    return int(low)


def between(low: Rational, high: Rational) -> Form:
    """A number from low to high."""
    middle = constant(quotient(low + high, 2))
    return middle if low == high else {**middle, ((), Noise(quotient(high - low, 2))): 1}


def seen(form: Form) -> Form:
    """The same form of the token that is looked at: its variables are named @v, and its noise is its own."""
    own: dict[Noise, Noise] = {}
    result: Form = {}
    for (monomial, noise), c in form.items():
        if noise is not None and noise not in own:
            own[noise] = Noise(noise.radius)
        there = tuple(sorted((("@" + v, size), mask) for (v, size), mask in monomial))
        result[there, None if noise is None else own[noise]] = c
    return result


def apply(matrix: Matrix, x: Sequence[Form], start: Sequence[Form] | None = None) -> Forms:
    """W x, added to `start`."""
    result: Forms = [dict(form) for form in start] if start is not None else [{} for _ in range(matrix.rows)]
    for row, column, c in matrix.entries:
        add(result[row], x[column], c)
    return result


def bias(matrix: Matrix) -> Forms:
    return apply(matrix, [{ONE: 1}])


class Derivation:
    """The forms of the stream of each kind, layer by layer; Rejected is raised if they do not give the answer."""

    state_bits = None  # nothing is claimed of the states

    def __init__(self, model: Model, example: object) -> None:
        self.model, self.program = model, model.task.program
        self.kinds = list(self.program.kinds)
        self.known_laws: dict[tuple[str, str], list[Law]] = {}
        self.known_values: dict[tuple[str, str], set[int] | None] = {}
        self.doubts: list[str] = []  # heads that do not say clearly what some definition asks for
        self.at = "example"
        ids = [integer(number) for number in listed(example)]
        try:
            self.refuse(not self.program.answers(ids), "no token answers")
        except NoInput:
            self.refuse(True, "it does not meet the promises")

    def run(self) -> Rational:
        """The margin that is proved."""
        model, program = self.model, self.program
        limit(len(self.kinds) * model.width * (len(model.layers) + 1) <= MAX_CELLS, "too many coordinates")
        self.at = "embedding"
        x = {kind: self.embedding(program.kinds[kind]) for kind in self.kinds}
        self.fits(x)
        for number, layer in enumerate(model.layers, 1):
            self.at = f"layer {number}"
            y = {kind: [dict(form) for form in forms] for kind, forms in x.items()}
            for h, head in enumerate(layer.heads):
                self.at = f"layer {number}, head {h}"
                said = self.attention(head, x) if head.type == "full" else self.recurrence(head, x)
                self.fits(said)
                y = {kind: apply(head.weights["W_O"], said[kind], y[kind]) for kind in self.kinds}
            self.fits(y)
            for m, mlp in enumerate(layer.mlps):
                self.at = f"layer {number}, MLP {m}"
                y = {kind: self.relu(kind, list(mlp.values()), y[kind]) for kind in self.kinds}
                self.fits(y)
            x = y
        self.at = "answer"
        return self.answer(x[program.answer_kind])

    def variable(self, kind: str, name: str) -> Variable:
        """Of a kind; `find:a` is the variable a of the token that is found, `find?` whether there is one."""
        first, found, rest = name.partition(":")
        if found:
            finds = (d for d in self.program.definitions if isinstance(d, Find) and (d.kind, d.name) == (kind, first))
            return name, self.variable(next(finds).target, rest)[1]
        return name, 2 if name.endswith("?") else self.program.sizes[kind, name] or 0

    def refuse(self, condition: bool, reason: str) -> None:
        refuse(condition, f"{self.at}: {reason}")

    def fits(self, x: Stream) -> None:
        """Q7: every number is within ±2^(p−f)."""
        for kind, forms in x.items():
            for form in forms:
                if sum(absolute(c) * (1 if s[1] is None else s[1].radius) for s, c in form.items()) > self.model.bound:
                    low, high = span(form, self.laws(kind))
                    self.refuse(max(-low, high) > self.model.bound, f"Q7: {kind}: more than p bits are needed")

    def laws(self, kind: str, at: str = "") -> list[Law]:
        """What definitions say about variables of one token, with `at` in front of their names."""
        if (kind, at) not in self.known_laws:
            found: list[Law] = []
            for d in self.program.definitions:
                if isinstance(d, Map) and d.kind == kind:
                    law = tuple([(at + v, self.variable(kind, v)[1]) for v in (*d.inputs, d.name)])
                    found.append((law, lambda *x, d=d: d.rule(*x[:-1]) == x[-1], d.rule))
                elif isinstance(d, Find) and d.kind == kind and d.otherwise is not None:
                    size = self.program.sizes[d.target, d.read] or 0 if d.read else 2
                    law = tuple([(at + name, r) for name, r in (self.variable(kind, d.name), self.flag(d))])
                    if d.read is not None:  # without a variable that is read the flag is the variable itself
                        rule = None if d.otherwise < size else lambda x, size=size: int(x < size)
                        found.append((law, lambda x, f, d=d, size=size: x < size if f else x == d.otherwise, rule))
            own = [name for k, name in self.program.sizes if k == kind]
            found += [law for name in own for law in self.among(kind, name, (at + name, self.variable(kind, name)[1]))]
            self.known_laws[kind, at] = found
        return self.known_laws[kind, at]

    def among(self, kind: str, name: str, v: Variable) -> list[Law]:
        """That v, which is a variable of a kind, has one of the values it can have; nothing if these are all."""
        values = self.values(kind, name)
        return [] if values is None else [((v,), values.__contains__, None)]

    def values(self, kind: str, name: str) -> set[int] | None:
        """What a variable can be, by its definition: the values of a map, of what is read or the default, and of a scan
        those that can be reached. None: all."""
        if (kind, name) in self.known_values:
            return self.known_values[kind, name]
        found: set[int] | None = None
        for d in self.program.definitions:
            if isinstance(d, Map) and (d.kind, d.name) == (kind, name):
                found = self.outcomes(kind, d, [])
            elif isinstance(d, Find) and (d.kind, d.name) == (kind, name) and d.read is not None:
                more = set() if d.otherwise is None else {d.otherwise}
                known, size = self.values(d.target, d.read), self.variable(d.target, d.read)[1]
                if known is not None or any(value > size for value in more):  # else they follow each other
                    limit(known is not None or size <= MAX_CASES, "too many values of a variable to list")
                    found = {*(range(size) if known is None else known), *more}
            elif isinstance(d, Scan) and kind in d.over and d.name == name:
                found, edge = set(), {d.start}
                while edge:
                    found |= edge
                    edge = {t for k, step in d.over.items() for t in self.outcomes(k, step, [edge])} - found
        all_of_them = found is None or len(found) == self.variable(kind, name)[1]
        self.known_values[kind, name] = None if all_of_them else found
        return self.known_values[kind, name]

    def each(self, kind: str, name: str) -> Iterable[int]:
        found = self.values(kind, name)
        return range(self.variable(kind, name)[1]) if found is None else found

    def outcomes(self, kind: str, step: Map, before: list[Iterable[int]]) -> set[int]:
        """The entries of a table, without those that no input has."""
        spend(len(step.table))
        cases = itertools.product(*before, *(self.each(kind, v) for v in step.inputs))
        return {said for case in cases if (said := step.rule(*case)) is not None}

    def flag(self, d: Find) -> Variable:
        """The bit that says whether d, and all finds alike, find a token: perhaps a variable of the program."""
        alike = [e for e in self.program.definitions if isinstance(e, Find) and e.match == d.match]
        return next((e.name for e in alike if e.read is None), alike[0].name + "?"), 2

    # ---- Q1, the embedding

    def embedding(self, kind: Kind) -> Forms:
        model, name = self.model, kind.name
        digits = [d for d in self.program.definitions if isinstance(d, Map) and d.kind == name]
        digits = [d for d in digits if d.inputs == ["position"]]
        place = [("position", kind.count)] if kind.count is not None and kind.count > 1 else []
        rows = self.rows(model.positions, kind.first, place, digits)
        spelled = self.rows(model.tokens, kind.first_id, kind.spelled, [])
        return [self.fold(name, add(a, b)) for a, b in zip(rows, spelled, strict=True)]

    def rows(self, table: RowTable, first: int, over: Sequence[Variable], digits: list[Map]) -> Forms:
        """Row first + x of a table as forms, x the mixed-radix number of the variables."""
        over = [v for v in over if v[1] > 1]
        forms: Forms = [{} for _ in range(self.model.width)]
        radices, mirrored, entries, extra = table.segments.get(first, ([0], False, [], []))
        if table.stored is None and not mirrored and [r for r in radices if r > 1] == [r for _, r in over]:
            maps = [next((d for d in digits if (d.size, d.table) == digit), None) for digit in extra]
            if None not in maps:
                known = [*over, *((d.name, d.size) for d in maps if d)]
                named = [(v, j) for v in known for j in range((v[1] - 1).bit_length())]
                for row, column, c in entries:
                    add(forms[row], bit(named[column - 1][0], named[column - 1][1], c) if column else {ONE: c})
                return forms
        cases = prod(r for _, r in over)
        limit(cases <= MAX_CASES, f"{self.at}: Q1: no segment for the kind, and too many rows to look at each")
        columns: list[list[Rational]] = [[0] * cases for _ in forms]
        for x in range(cases):
            for r, c in table.row(first + x).items():
                columns[r][x] = c
        return [polynomial(column, over) if any(column) else {} for column in columns]

    def fold(self, kind: str, form: Form) -> Form:
        """Q2: what is a function of a map's value is said with it where that is simpler: the smallest map first."""
        over = set(variables(form))
        found = [d for d in self.program.definitions if isinstance(d, Map) and d.kind == kind and d.inputs]
        for d in sorted(found, key=lambda d: d.size) if over else ():
            of_place = d.inputs == ["position"]
            if of_place and len(form) <= 2:  # one bit and a constant: no shorter
                continue
            said = self.said_by(d, form)
            size = len(form), len(over), max(r for _, r in over)
            if said is not None and (len(said), 1, d.size) < size and (not of_place or len(said) < len(form)):
                return said
        return form

    def said_by(self, d: Map, form: Form) -> Form | None:
        """The form in the value of a map, if it has no noise and is a function of this value."""
        inputs, own = [self.variable(d.kind, v) for v in d.inputs], (d.name, d.size)
        over, found = [*inputs, own], set(variables(form))
        if not found <= set(over) or found == {own} or any(noise is not None for _, noise in form):
            return None
        if own not in found:
            over, stride = inputs, 1
        else:  # the value stands there already, next to inputs
            stride = d.size
        if len(d.table) * stride > MAX_CASES or d.size > MAX_CASES:
            return None
        values = tabulate(form, over)
        table: list[Rational | None] = [None] * d.size
        for number, y in enumerate(d.table):
            if y is not None:
                value = values[number * stride + (y if stride > 1 else 0)]
                if table[y] is not None and table[y] != value:
                    return None
                table[y] = value
        return sparse_polynomial(table, (d.name, d.size))

    def said_in(self, kind: str, name: str | None, form: Form) -> Form:
        """The form in the variable, if a map defines it and the form is a function of it; else as it is."""
        maps = (d for d in self.program.definitions if isinstance(d, Map) and (d.kind, d.name) == (kind, name))
        for d in maps:
            said = self.said_by(d, form)
            return form if said is None else said
        return form

    # ---- Q3, the MLP, by cases

    def relu(self, kind: str, mlp: list[Matrix], x: Forms) -> Forms:
        """x + W_2 relu(W_1 x + b_1) + b_2. Units are taken together if they differ in their constants and by a positive
        factor only; all are added up before they become polynomials again."""
        w_1, b_1, w_2, b_2 = mlp
        result = apply(b_2, [{ONE: 1}], x)
        groups: dict[frozenset[tuple[Symbol, Rational]], list[Unit]] = {}
        for h, form in enumerate(apply(w_1, x, bias(b_1))):
            offset, goes, factor = form.pop(ONE, 0), w_2.columns.get(h, []), Fraction(1)
            if form:
                factor = Fraction(
                    gcd(*(c.numerator for c in form.values())), lcm(*(c.denominator for c in form.values()))
                )
                form = {s: quotient(c, factor) for s, c in form.items()}
            unit = quotient(offset, factor), [(r, whole(c * factor)) for r, c in goes], factor
            groups.setdefault(frozenset(form.items()), []).append(unit)
        tables: Tables = {}
        for core, units in groups.items():
            self.units(kind, dict(core), units, tables, result)
        for over, sums in tables.items():
            for (r, noise), table in sums.items():
                add(result[r], polynomial(table, over, noise))
        return [self.fold(kind, form) for form in result]

    def units(self, kind: str, core: Form, units: list[Unit], tables: Tables, result: Forms) -> None:
        """Σ c·factor·relu(core + offset): in each case of the variables the noise leaves the sign, or not."""
        if len(units) <= 2:  # integers are faster
            m = lcm(*(offset.denominator for offset, _, _ in units))
            core = {s: c * m for s, c in core.items()}
            units = [
                (whole(o * m), [(r, quotient(c, m)) for r, c in goes], Fraction(quotient(f, m))) for o, goes, f in units
            ]
        (exact, rest), over = split(core), variables(core)
        cases = prod(r for _, r in over)
        limit(cases <= MAX_CASES, f"{self.at}: Q3: a unit at {kind} mentions too many cases")
        values, valid = tabulate(exact, over), list(cases_of(over, self.laws(kind)))
        noises = sorted({noise for _, noise in rest if noise is not None}, key=lambda noise: noise.number)
        parts = {n: tabulate({(m, None): c for (m, a), c in rest.items() if a is n}, over) for n in noises}
        reach = [sum(absolute(part[i]) * n.radius for n, part in parts.items()) for i in range(cases)]
        there = [i for i in range(cases) if valid[i] is not None]
        self.refuse(not there, f"Q3: {kind} has no case")
        tops, lows = {i: values[i] + reach[i] for i in there}, {i: values[i] - reach[i] for i in there}
        top, low = max(tops.values()), min(lows.values())
        for offset, _, factor in units:
            large = max(top + offset, -low - offset) * factor > self.model.bound
            self.refuse(large, f"Q7: {kind}: a unit needs more than p bits")
        for offset, goes, _ in units:
            if low + offset >= 0:  # on in all cases: the unit itself
                for r, c in goes:
                    add(result[r], add(constant(offset), core), c)
        units = [unit for unit in units if low + unit[0] < 0 < top + unit[0]]
        sums = tables.setdefault(tuple(over), {})
        if not noises and len(units) > 2:
            self.staircase(units, values, set(there), sums)
            return
        for offset, goes, _ in units:
            spend(16 * len(there))
            bend = -offset
            if any(lows[i] < bend < tops[i] for i in there):  # no case decides: a number between bounds
                said = between(max(0, low + offset), top + offset)
                for r, c in goes:
                    add(result[r], said, c)
            else:
                signs = [int(i in lows and lows[i] >= bend) for i in range(cases)]  # 0: off, or no such case
                spend(cases * len(goes) * (1 + len(noises)))
                for noise in (None, *noises):
                    part = values if noise is None else parts[noise]
                    for r, c in goes:
                        table = sums.setdefault((r, noise), [0] * cases)
                        for i, sign in enumerate(signs):
                            if sign:
                                table[i] += c * (part[i] + (offset if noise is None else 0))

    def staircase(self, units: list[Unit], values: list[Rational], there: set[int], sums: Sums) -> None:
        """Σ c·relu(value + offset) over many units, in all cases there are: thresholds sorted, slopes summed up."""
        by_slot: dict[int, list[tuple[Rational, Rational]]] = {}
        for offset, goes, _ in units:
            for r, c in goes:
                by_slot.setdefault(r, []).append((-offset, c))
        order = sorted(set(values))
        spend(4 * sum(map(len, by_slot.values())) + len(by_slot) * len(values))
        for r, bends in by_slot.items():
            bends.sort(key=lambda bend: bend[0])
            slope: Rational = 0
            level: Rational = 0
            i, said = 0, {}
            for value in order:
                while i < len(bends) and bends[i][0] < value:
                    slope, level, i = slope + bends[i][1], level - bends[i][1] * bends[i][0], i + 1
                said[value] = whole(counted(slope * value + level))
            table = sums.setdefault((r, None), [0] * len(values))
            for place in there:
                table[place] += said[values[place]]

    # ---- Q4, Q5: attention

    def attention(self, head: Head, x: Stream) -> Stream:
        q, k, v = ({K: apply(head.weights[w], x[K]) for K in self.kinds} for w in ("W_Q", "W_K", "W_V"))
        for forms in (q, k, v):
            self.fits(forms)
        keys = {K: [seen(form) for form in k[K]] for K in self.kinds}
        result: Stream = {}
        clear: dict[str, bool] = {}
        blurred: list[str] = []
        for place, K in enumerate(self.kinds):
            visible = self.kinds[: place + 1]
            scores = {J: self.score(q[K], keys[J]) for J in visible}
            for J, (form, noise) in scores.items():
                most = maximum(form, (), self.laws(K) + self.laws(J, "@"))
                above = most is not None and most + noise > head.shift
                self.refuse(above, f"Q4: a score of {K} with {J} is above the shift")
            shown = {J: v[J] for J in visible}
            mine = [d for d in self.program.definitions if isinstance(d, Find | Count) and d.kind == K]
            finds = [d for d in mine if isinstance(d, Find)]
            counts = [self.count(d, head, scores, shown) for d in mine if isinstance(d, Count)]
            picks = [self.pick(d, head, scores, shown) for d in finds]
            exact = [said for said in counts if said is not None]
            found = sorted((said for said in picks if said is not None), key=lambda said: said[:2])
            result[K] = exact[0] if exact else found[0][2] if found else self.hull(shown)
            clear[K] = bool(exact) or bool(found and found[0][1] <= CLEAR)
            if found and not exact and not clear[K] and not found[0][0]:
                least = min((round_up(said[1]), d.name) for d, said in zip(finds, picks, strict=True) if said)
                blurred.append(f"{self.at} would find {least[1]} at {K}, but others weigh up to {show(least[0])} of it")
        if not any(clear.values()):
            self.doubts += blurred or [f"{self.at} reads no single token, and counts none, at any kind"]
        return result

    def score(self, query: Forms, key: Forms) -> Score:
        """q·k, with a bound of its noise."""
        form: Form = {}
        noise: Rational = 0
        for a, b in zip(query, key, strict=True):
            (a, a_noise), (b, b_noise) = split(a), split(b)
            add(form, times(a, b))
            if a_noise or b_noise:
                sizes = [max(-low, high) for low, high in (span(a), span(b))]
                noise += wobble(a_noise) * sizes[1] + wobble(b_noise) * sizes[0] + wobble(a_noise) * wobble(b_noise)
        return form, noise

    def spans(self, values: dict[str, Forms], r: int) -> Spans:
        return [span(forms[r], self.laws(J, "@")) for J, forms in values.items()]

    def hull(self, values: dict[str, Forms]) -> Forms:
        """A mean of visible values, rounded down, or 0 if all weights are 0."""
        out = []
        values = {J: [seen(form) for form in forms] for J, forms in values.items()}
        for r in range(len(next(iter(values.values())))):
            ends = self.spans(values, r)
            low, high = min(0, *(low for low, _ in ends)), max(0, *(high for _, high in ends))
            out.append(between(Fraction(floor(low * self.model.scale), self.model.scale), high))
        return out

    def ghost(self, d: Find, a: str) -> Variable | int:
        """The reader's name of the variable a of the token that d finds."""
        for b, relation, mine in d.where:
            if (a, "=") == (b, relation):
                return mine if isinstance(mine, int) else self.variable(d.kind, mine)
        for e in self.program.definitions:
            if isinstance(e, Find) and e.match == d.match and e.read == a:
                return self.variable(d.kind, e.name)
        return self.variable(d.kind, f"{d.name}:{a}")

    def ghost_laws(self, d: Find) -> list[Law]:
        """What definitions say of the token that d finds, where there is one, in the reader's names."""
        laws: list[Law] = []
        for m in self.program.definitions:
            if isinstance(m, Map) and m.kind == d.target:
                known = [self.ghost(d, v) for v in (*m.inputs, m.name)]
                law = tuple([v for v in known if not isinstance(v, int)])

                def rule(*x: int, known: list[Variable | int] = known[:-1], m: Map = m) -> int | None:
                    left = iter(x)
                    values = [v if isinstance(v, int) else next(left) for v in known]
                    inside = all(value < size for value, size in zip(values, m.sizes, strict=False))
                    return m.rule(*values) if inside else None

                last = known[-1]
                if isinstance(last, int):
                    laws.append((law, lambda *x, rule=rule, last=last: rule(*x) == last, None))
                else:
                    laws.append((law, lambda *x, rule=rule: rule(*x[:-1]) == x[-1], rule))
        for kind, name in self.program.sizes:
            there = self.ghost(d, name) if kind == d.target else 0
            laws += [] if isinstance(there, int) else self.among(kind, name, there)
        return laws

    def matches(self, d: Find | Count) -> list[Atom]:
        """What holds of a token that matches, and of the reader."""
        return [
            (
                ("@" + a, self.program.sizes[d.target, a] or 0),
                rel,
                b if isinstance(b, int) else self.variable(d.kind, b),
            )
            for a, rel, b in d.where
        ]

    def others(self, d: Find | Count) -> list[list[Atom]]:
        """A token that does not match: one of these holds."""
        return [[(a, NEGATED[rel], b)] for a, rel, b in self.matches(d)]

    def related(self, d: Find) -> list[Atom]:
        """The token that d finds matches: its variables stand in the relations of the match."""
        atoms = [(self.ghost(d, a), rel, b) for a, rel, b in d.where if rel != "="]
        named = [(v, rel, b if isinstance(b, int) else self.variable(d.kind, b)) for v, rel, b in atoms]
        return [(v, rel, b) for v, rel, b in named if isinstance(v, tuple)]

    def narrower(self, d: Find) -> dict[Variable, Variable | int]:
        """Where d finds a token, what is the value of a variable of it is below that variable's size. So it is of any
        find whose default is thereby excluded: this one found a token, too."""
        sizes: dict[Variable, int] = {}
        found, left = list[Find](), [d]
        while left:
            found.append(e := left.pop())
            own = [(self.ghost(e, a), size) for (kind, a), size in self.program.sizes.items() if kind == e.target]
            own += [(self.variable(e.kind, b), self.program.sizes[e.target, a])
                    for a, rel, b in e.where if rel == "=" and isinstance(b, str)]  # fmt: skip
            for v, size in own:
                if isinstance(v, tuple) and size is not None and size < sizes.get(v, v[1]):
                    sizes[v] = size
            finds = [e for e in self.program.definitions if isinstance(e, Find) and e.kind == d.kind and e.read]
            left = [e for e in finds if e.default is not None and e not in found
                    and e.default >= sizes.get(self.variable(e.kind, e.name), e.default + 1)]  # fmt: skip
        return {v: (v[0], size) for v, size in sizes.items()}

    def pick(self, d: Find, head: Head, scores: dict[str, Score], values: dict[str, Forms]) -> Picked | None:
        """Q4: the token that d finds (or the sink, if there is none) outweighs all others."""
        T = d.target
        if T not in scores:
            return None
        values = {J: [seen(self.said_in(T, d.read if J == T else None, f)) for f in v] for J, v in values.items()}
        count = self.program.kinds[T].count
        read = {v[0] for form in values[T] for v in variables(form)}
        known = {"@" + a for a, rel, _ in d.where if rel == "="} | ({"@" + d.order} if d.order else set())
        if not self.program.single(d) and not read <= known:
            return None  # several matches that are not read alike
        there = {v for form in (scores[T][0], *values[T]) for v in variables(form) if v[0].startswith("@")}
        names = {v: self.ghost(d, v[0][1:]) for v in there}
        rivals = self.others(d)
        if d.order:
            order = "@" + d.order, self.program.sizes[T, d.order] or 0
            rivals = [*rivals, [*self.matches(d), (order, "<" if d.largest else ">", self.ghost(d, d.order))]]
        sigma, rest = rename(scores[T][0], names), {T: (rivals, count and count - 1)}
        known_of: list[list[Atom]] = [[], *filter(None, [self.related(d)])]  # more atoms may leave no closed form
        ratios = [
            self.ratio(head, scores, d.kind, T, sigma, rest, given, self.ghost_laws(d), self.narrower(d))
            for given in known_of
        ]
        if not any(ratio is not None for ratio in ratios):
            return None
        ratio = min(ratio for ratio in ratios if ratio is not None)
        out = [rename(form, names) for form in values[T]]
        if d.otherwise is not None:
            sinks = []
            for S in scores:
                plain = not variables(scores[S][0]) and not any(variables(form) for form in values[S])
                if S != T and self.program.kinds[S].count == 1 and plain:
                    other = self.ratio(head, scores, d.kind, S, scores[S][0], {T: (self.others(d), count)})
                    sinks += [] if other is None else [(other, S)]
            if not sinks:
                return None
            other, sink = min(sinks)
            ratio = max(ratio, other)
            out = [self.either(d, f, g) for f, g in zip(out, values[sink], strict=True)]
        for r, form in enumerate(out):
            ends = self.spans(values, r)
            width = max(high for _, high in ends) - min(low for low, _ in ends)
            if width or any((low * self.model.scale).denominator != 1 for low, _ in ends):
                radius = round_up(quotient(width * ratio, 1 + ratio)) + self.model.unit
                form[(), Noise(radius)] = 1
        asked = {"@" + d.read} if d.read else set()
        return not asked <= read, ratio, out

    def ratio(
        self,
        head: Head,
        scores: dict[str, Score],
        reader: str,
        target: str,
        sigma: Form,
        special: Special,
        given: Sequence[Atom] = (),
        found: Sequence[Law] = (),
        narrower: dict[Variable, Variable | int] | None = None,
    ) -> Fraction | None:
        """λ: what all others weigh, as a share of what the target, with the score sigma, weighs. `special`: of a kind
        what holds of the others (one of several), and how many they are (None: without end). `given`, `found` hold, and
        variables are below smaller sizes."""
        rho, names = scores[target][1], narrower or {}

        def there(v: Variable | int) -> Any:
            return names.get(v, v) if isinstance(v, tuple) else v

        def smaller(laws: Iterable[Law]) -> list[Law]:
            return [(tuple(map(there, law)), test, rule) for law, test, rule in laws]

        given, mine = [(there(a), rel, there(b)) for a, rel, b in given], smaller([*self.laws(reader), *found])
        total = Fraction(0)
        for J, (form, noise) in scores.items():
            alternatives, n = special.get(J, ([[]], 0 if target == J else self.program.kinds[J].count))
            if n == 0:
                continue
            # Of the reader, of the token looked at, of the one found, in this order.
            own = len(self.laws(reader))
            laws, gap = [*mine[:own], *self.laws(J, "@"), *mine[own:]], rename(add(dict(form), sigma, -1), names)
            cases = [[(a, rel, there(b)) for a, rel, b in atoms] for atoms in alternatives]
            weights = [self.weigh(gap, [*atoms, *given], laws, n) for atoms in cases]
            if None in weights:
                return None
            # Each of the others satisfies one of the alternatives: at most n of the largest; or all sums together.
            each, summed = max((w[0] for w in weights if w), default=0), sum(w[1] for w in weights if w)
            total += min(Fraction(n or 0) * each, summed) * exp_above(rho + noise)
        least = maximum({s: -c for s, c in rename(sigma, names).items()}, given, mine)
        lowest = -(least or 0) - rho - head.shift
        if lowest == 0:  # the target weighs 2^P
            return round_up(total)
        room = self.model.weight_bits * LN2 + lowest  # it weighs at least ⌊e^room⌋
        if room < 1:
            return None
        return round_up(total * (1 + Fraction(1, 2 ** min(int(room), 64))))

    def weigh(self, gap: Form, atoms: list[Atom], laws: list[Law], n: int | None) -> tuple[Fraction, Fraction] | None:
        """(the largest e^gap of one token, a bound of the sum over all n): tokens are told apart by their position, so
        where this is compared with the reader's, each value counts once. None if gap may be positive, or n endless."""
        top = maximum(gap, atoms, laws)
        if top is None:
            return Fraction(0), Fraction(0)
        if top > 0 or n is None:
            return None
        each = exp_above(top)
        order = [atom for atom in atoms if atom[0][0] == "@position" and atom[1] in "<>" and isinstance(atom[2], tuple)]
        if len(order) != 1 or not isinstance(order[0][2], tuple):
            return each, n * each
        pair, relation, reader = order[0][0], order[0][1], order[0][2]
        rest, own = gap.get(ONE, 0), {}
        for form, over, mine in parts_of(gap, atoms, laws):
            if pair in over:
                if set(over) != {pair, reader} or len(mine) != 1 or any(len(m) != 1 for m, _ in form):
                    return each, n * each
                own = {v: tabulate({s: c for s, c in form.items() if s[0][0][0] == v}, [v]) for v in (pair, reader)}
            else:
                most = maximum(form, mine, laws)
                rest += 0 if most is None else most
        g, h = own[pair], own[reader]
        if pair[1] != reader[1]:
            return each, n * each
        if relation == ">":
            g, h = g[::-1], h[::-1]
        # S(u) = Σ_{v<u} e^(g(v) + h(u)), so S(u+1) = (S(u) + e^(g(u) + h(u)))·e^(h(u+1) − h(u)).
        most, running = Fraction(0), Fraction(0)
        for u in range(len(h) - 1):
            if g[u] + h[u] > 6000 or h[u + 1] - h[u] > 6000:
                return each, n * each
            running = round_up((running + exp_above(g[u] + h[u])) * exp_above(h[u + 1] - h[u]))
            most = max(most, running)
        return each, most * exp_above(rest) if rest <= 6000 else n * each

    def either(self, d: Find, f: Form, g: Form) -> Form:
        """f where d finds a token, else g. The same as f, if f is g when every read variable has its default."""
        same = [e for e in self.program.definitions if isinstance(e, Find) and e.match == d.match]
        defaults = {self.variable(d.kind, e.name): e.otherwise for e in same if e.otherwise is not None}
        if rename(split(f)[0], dict(defaults)) == g:
            return f
        yes: Form = {(((self.flag(d), 1),), None): 1}
        for e in same:  # a default that is no value of what is read: the variable itself says it
            if e.read and e.default is not None and e.default >= (self.program.sizes[e.target, e.read] or 0):
                v = self.variable(d.kind, e.name)
                limit(v[1] <= MAX_CASES, "too many values of a variable to list")
                yes = polynomial([int(x != e.default) for x in range(v[1])], [v])
        return add(times(f, yes), times(g, add({ONE: 1}, yes, -1)))

    def count(self, d: Count, head: Head, scores: dict[str, Score], values: dict[str, Forms]) -> Forms | None:
        """Q5: all matches have the same score, as have all tokens of some other kinds; the rest weighs nothing."""
        T, P = d.target, self.model.weight_bits
        values = {J: [seen(form) for form in forms] for J, forms in values.items()}
        noisy = any(noise for _, noise in scores.values()) or any(wobble(f) for v in values.values() for f in v)
        if T not in scores or noisy:
            return None
        laws = {J: self.laws(d.kind) + self.laws(J, "@") for J in scores}
        high = self.one_value(scores[T][0], self.matches(d), laws[T])
        if high is None or weight(high - head.shift, P) < 1:
            return None
        full: list[tuple[str, int]] = []  # other kinds whose tokens all weigh as much as a match
        for J, (form, _) in scores.items():
            n = self.program.kinds[J].count
            if J not in (T, d.kind) and n is not None and self.one_value(form, [], laws[J]) == high:
                full.append((J, n))
                continue
            tops = [maximum(form, atoms, laws[J]) for atoms in (self.others(d) if J == T else [[]])]
            if any(top is not None and weight(min(top - head.shift, 0), P) > 0 for top in tops):
                return None
        out: Forms = []
        for r in range(len(values[T])):
            parts = [(self.one_value(values[T][r], self.matches(d), laws[T]), -1)]
            parts += [(self.one_value(values[J][r], [], laws[J]), n) for J, n in full]
            table: list[Rational] = []
            for c in range(self.program.sizes[d.kind, d.name] or 0):
                shares = [(v, c if n < 0 else n) for v, n in parts]
                if any(v is None for v, _ in shares):
                    return None
                below, above = sum(n for _, n in shares), sum((v or 0) * n for v, n in shares)
                scaled = Fraction(above * self.model.scale)
                table.append(whole(Fraction(scaled // below, self.model.scale)) if below else 0)
            out.append(polynomial(table, [self.variable(d.kind, d.name)]))
        return out

    def one_value(self, form: Form, atoms: list[Atom], laws: list[Law]) -> Rational | None:
        """The value of the form, if it has one alone wherever atoms and laws hold."""
        low, high = maximum({s: -c for s, c in form.items()}, atoms, laws), maximum(form, atoms, laws)
        return high if low is not None and high is not None and -low == high else None

    # ---- Q6, recurrences

    def recurrence(self, head: Head, x: Stream) -> Stream:
        """The state is a function of a scan, or a memory: which one is found by trying."""
        self.refuse(head.type not in RECURRENT or head.normalised, "Q6: no rule for this head")
        reasons = []
        for d in self.program.definitions:
            if isinstance(d, Scan):
                try:
                    return self.scan(d, head, x)
                except Conflict as reason:
                    reasons.append(f"{d.name}: {reason}")
        try:
            return self.memory(head, x)
        except Conflict as reason:
            reasons.append(f"as a memory: {reason}")
        self.refuse(True, "Q6: no scan is what the recurrence does: " + "; ".join(reasons))
        return {}

    def actions(self, head: Head, kind: str, x: Forms, inputs: list[str]) -> set[tuple[tuple[int, ...], Update]]:
        """All (inputs of the scan, numbers of the update) of the tokens of a kind."""
        names = [name for name in "KVBA" if f"W_{name}" in head.weights]
        forms: Forms = []
        for name in names:
            part = apply(head.weights[f"W_{name}"], x)
            if f"b_{name}" in head.weights:
                part = apply(head.weights[f"b_{name}"], [{ONE: 1}], part)
            self.fits({kind: part})
            forms += part
        conflict(any(wobble(form) for form in forms), "noise in an update")
        over = sorted({v for form in forms for v in variables(form)} | {self.variable(kind, v) for v in inputs})
        limit(prod(r for _, r in over) <= MAX_CASES, f"{self.at}: Q6: an update mentions too many cases")
        tables = [tabulate(form, over) for form in forms]
        which = [over.index(self.variable(kind, v)) for v in inputs]
        cases = enumerate(cases_of(over, self.laws(kind)))
        return {(tuple(c[w] for w in which), tuple(t[i] for t in tables)) for i, c in cases if c is not None}

    def scan(self, d: Scan, head: Head, x: Stream) -> Stream:
        """The codes of the states are found by walking from the start; every conflict refutes."""
        zero: MATRIX = tuple((0,) * head.values for _ in range(head.keys))
        code: dict[int | None, MATRIX] = {None: zero}  # None: before the first token of the scan
        result: Stream = {}
        for kind in self.kinds:
            count, step = self.program.kinds[kind].count, d.over.get(kind)
            moves = self.actions(head, kind, x[kind], step.inputs if step else [])
            if step is None:  # the state changes in one way, or not at all
                new = {}
                for s, S in code.items():
                    after = {self.update(head, S, numbers) for _, numbers in moves}
                    conflict(len(after) != 1, f"{kind} does different things to the state")
                    new[s] = after.pop()
                conflict(count != 1 and new != code, f"{kind} changes the state")
                code = new
                result[kind] = self.unknown(head, x[kind], code)
                continue
            code = {d.start: code[None]} if None in code else code
            edge: list[int | None] = list(code)
            ordered = sorted(moves, key=lambda move: move[0])  # not by the numbers, which may be long
            steps = 0
            while edge and steps != count:  # all values within so many tokens
                following: list[int | None] = []
                for s, (u, numbers) in itertools.product(edge, ordered):
                    t = step.rule(s or 0, *u)
                    if t is None:
                        continue  # a promise: no input has this case
                    S = self.update(head, code[s], numbers)
                    if t not in code:
                        code[t] = S
                        following.append(t)
                    conflict(code[t] != S, f"the state after {s}, {u} is not that of {t}")
                edge, steps = following, steps + 1
            asked = self.query(head, x[kind])
            outs = {s: self.read(head, asked, S) for s, S in code.items()}
            over, states = (d.name, d.size), range(d.size)
            tables = [[outs[s][c] if s in outs else None for s in states] for c in range(head.values)]
            result[kind] = [sparse_polynomial(table, over) for table in tables]
        return result

    def update(self, head: Head, S: MATRIX, numbers: Update) -> MATRIX:
        """The state after a token: for linear S + relu(k) vᵀ; for delta each α(S − β k kᵀS) + β k vᵀ in turn."""
        keys, values = head.keys, head.values
        spend(64 + 8 * keys * values * head.updates)
        if head.type == "linear":
            on, said = [max(c, 0) for c in numbers[:keys]], numbers[keys:]
            S = self.held(tuple(tuple(S[i][c] + on[i] * said[c] for c in range(values)) for i in range(keys)))
        else:
            sizes = (keys * head.updates, values * head.updates, head.updates, head.updates)
            ends = list(itertools.accumulate(sizes, initial=0))
            all_k, all_v, betas, alphas = (numbers[a:b] for a, b in itertools.pairwise(ends))
            alphas = alphas or (1,) * head.updates
            for u in range(head.updates):
                k, v = all_k[u * keys : (u + 1) * keys], all_v[u * values : (u + 1) * values]
                beta, alpha = (min(max(gate, 0), 1) for gate in (betas[u], alphas[u]))
                held = [sum(k[i] * S[i][c] for i in range(keys)) for c in range(values)]
                S = self.held(
                    tuple(
                        tuple(whole(alpha * S[i][c] + beta * k[i] * (v[c] - alpha * held[c])) for c in range(values))
                        for i in range(keys)
                    )
                )
        return S

    def held(self, S: MATRIX) -> MATRIX:
        large = any(absolute(c) > self.model.bound for row in S for c in row)
        conflict(large, "Q7: a state needs more than p bits")
        return S

    def query(self, head: Head, x: Forms) -> list[Rational]:
        forms = apply(head.weights["W_Q"], x)
        if "b_Q" in head.weights:
            forms = apply(head.weights["b_Q"], [{ONE: 1}], forms)
        conflict(any(s != ONE for form in forms for s in form), "a query that is not constant")
        numbers = [form.get(ONE, 0) for form in forms]
        conflict(any(absolute(c) > self.model.bound for c in numbers), "Q7: a query needs more than p bits")
        return [max(c, 0) for c in numbers] if head.type == "linear" else numbers

    def read(self, head: Head, query: list[Rational], S: MATRIX) -> list[Rational]:
        return [whole(sum(q * row[c] for q, row in zip(query, S, strict=True))) for c in range(head.values)]

    def unknown(self, head: Head, x: Forms, code: dict[int | None, MATRIX]) -> Forms:
        """At a kind that the scan leaves out: one of the codes, read."""
        query = self.query(head, x)
        outs = [self.read(head, query, S) for S in code.values()]
        return [between(min(o[c] for o in outs), max(o[c] for o in outs)) for c in range(head.values)]

    # ---- Q8, memories

    def memory(self, head: Head, x: Stream) -> Stream:
        """Rows of the state have names: a linear head adds to the rows of a token's names, a delta head overwrites."""
        conflict(head.type == "product", "several updates a token")
        keys: dict[str, Vectors] = {}
        values: dict[str, Forms] = {}
        size: dict[int, Rational] = {}
        for kind in self.kinds:
            keys[kind], values[kind] = self.vectors(head, kind, x[kind], "K"), self.biased(head, "V", x[kind])
            self.fits({kind: values[kind]})
            conflict(any(wobble(form) for form in values[kind]), f"noise in what {kind} says")
            top = max((c for row in keys[kind][1].values() for c in row.values()), default=0)
            for r, form in enumerate(values[kind] if top and head.type == "linear" else []):
                low, high = span(form, self.laws(kind))
                count = self.program.kinds[kind].count
                conflict(count is None and max(-low, high) > 0, f"{kind} has no end")
                size[r] = size.get(r, 0) + (count or 0) * top * max(-low, high)
        conflict(max(size.values(), default=0) > self.model.bound, "Q7: a state needs more than p bits")
        named = {J: {i for row in keys[J][1].values() for i in row} for J in self.kinds}
        result: Stream = {}
        for place, K in enumerate(self.kinds):
            query = self.vectors(head, K, x[K], "Q")
            asked = {i for row in query[1].values() for i in row}
            # A delta head that writes zeros erases, so it is heard all the same.
            erases = head.type == "delta"
            heard = [J for J in self.kinds[: place + 1] if named[J] & asked and (erases or any(values[J]))]
            result[K] = [{} for _ in range(head.values)]
            if heard:
                mine = [d for d in self.program.definitions if isinstance(d, Find | Count) and d.kind == K]
                told = (
                    self.told(d, head, query, keys[d.target], values[d.target]) for d in mine if heard == [d.target]
                )
                said = next((forms for forms in told if forms is not None), None)
                conflict(said is None, f"what {K} reads is no find and no count")
                result[K] = said or []
        return result

    def biased(self, head: Head, name: str, x: Forms) -> Forms:
        """W x + b."""
        forms = apply(head.weights[f"W_{name}"], x)
        return apply(head.weights[f"b_{name}"], [{ONE: 1}], forms) if f"b_{name}" in head.weights else forms

    def vectors(self, head: Head, kind: str, x: Forms, name: str) -> Vectors:
        """The keys (K) or queries (Q) of a kind, without their zeros, in each valid case of what they mention. Of a
        delta head they are unit vectors or 0, a key counts as 0 where β is, and nothing is forgotten."""
        delta, forms = head.type == "delta", self.biased(head, name, x)
        gates = [*self.biased(head, "B", x), *self.biased(head, "A", x)] if delta and name == "K" else []
        self.fits({kind: [*forms, *gates]})
        conflict(any(wobble(form) for form in (*forms, *gates)), "noise in a name")
        over = sorted({v for form in (*forms, *gates) for v in variables(form)})
        conflict(prod(r for _, r in over) > MAX_CASES, f"{kind} has too many names")
        valid = [(number, case) for number, case in enumerate(cases_of(over, self.laws(kind))) if case is not None]
        rows: dict[tuple[int, ...], dict[int, Rational]] = {case: {} for _, case in valid}
        for i, form in enumerate(forms):
            table = tabulate(form, over) if form else []
            for number, case in valid if form else []:
                if table[number] > 0 or (delta and table[number]):
                    rows[case][i] = table[number]
        writes, keeps = [tabulate(form, over) for form in gates] or ([], [])
        for number, case in valid if delta else []:
            if gates:
                conflict(keeps[number] < 1, f"{kind} makes the state forget")
                conflict(0 < writes[number] < 1, f"{kind} writes in part")
                rows[case] = rows[case] if writes[number] > 0 else {}
            conflict(list(rows[case].values()) not in ([], [1]), f"a name at {kind} is no unit vector")
        return over, rows

    def names(self, kind: str, vectors: Vectors, names: list[str]) -> list[Named] | None:
        """All (values of these variables, vector) of tokens of a kind; None if there are too many cases."""
        over, rows = vectors
        full = sorted({*over, *(self.variable(kind, name) for name in names)})
        if prod(r for _, r in full) > MAX_CASES:
            return None
        own, asked = [full.index(v) for v in over], [full.index(self.variable(kind, name)) for name in names]
        cases = (case for case in cases_of(full, self.laws(kind)) if case is not None)
        found = {(tuple(case[i] for i in asked), tuple(case[i] for i in own)) for case in cases}
        return [(values, rows[case]) for values, case in sorted(found)]

    def told(self, d: Find | Count, head: Head, query: Vectors, key: Vectors, values: Forms) -> Forms | None:
        """What the state says, if it is d: a token's value counts once where it matches, and not at all elsewhere."""
        T, delta = d.target, head.type == "delta"
        if isinstance(d, Count) and delta:
            return None
        if isinstance(d, Find) and d.order and not (delta and d.order == "position" and d.largest):
            return None
        if not (isinstance(d, Find) and delta and self.is_near(d, query, key)) and not self.is_match(d, query, key):
            return None
        there = [seen(self.said_in(T, d.read if isinstance(d, Find) else None, form)) for form in values]
        if isinstance(d, Count):
            laws = self.laws(d.kind) + self.laws(T, "@")
            each = [self.one_value(form, self.matches(d), laws) for form in there]
            numbers, over = range(self.program.sizes[d.kind, d.name] or 0), [self.variable(d.kind, d.name)]
            return None if None in each else [polynomial([c * (one or 0) for c in numbers], over) for one in each]
        read = {v for form in there for v in variables(form)}
        alike = {v for v, _ in read} <= {"@" + a for a, rel, _ in d.where if rel == "="}
        if not self.program.single(d) and not (alike and delta):
            return None
        out = [rename(form, {v: self.ghost(d, v[0][1:]) for v in read}) for form in there]
        return out if d.otherwise is None else [self.either(d, form, {}) for form in out]

    def is_match(self, d: Find | Count, query: Vectors, key: Vectors) -> bool:
        """query · key is 1 where a token matches the reader, and else 0."""
        mine = self.names(d.kind, query, [b for _, _, b in d.where if isinstance(b, str)])
        there = self.names(d.target, key, [a for a, _, _ in d.where])
        if mine is None or there is None or len(mine) * len(there) > MAX_PAIRS:
            return False
        spend(len(mine) * len(there) * (1 + len(d.where)))
        for own, q in mine:
            left = iter(own)
            tests = [(RELATIONS[rel], b if isinstance(b, int) else next(left)) for _, rel, b in d.where]
            for values, k in there:
                match = all(test(a, b) for a, (test, b) in zip(values, tests, strict=True))
                if sum(c * k[i] for i, c in q.items() if i in k) != match:
                    return False
        return True

    def is_near(self, d: Find, query: Vectors, key: Vectors) -> bool:
        """d finds the token at a place that the reader's own place says, and no later token has the name asked for."""
        maps = {m.name: m.table for m in self.program.definitions if isinstance(m, Map) and m.kind == d.kind
                and m.inputs == ["position"]}  # fmt: skip
        if d.kind != d.target or len(d.where) != 1 or d.where[0][:2] != ["position", "="] or d.where[0][2] not in maps:
            return False
        if not {v for v, _ in (*query[0], *key[0])} <= {"position", *maps}:
            return False
        count, place = self.program.kinds[d.kind].count or 0, maps[d.where[0][2]]

        def at(vectors: Vectors, x: int) -> dict[int, Rational]:
            return vectors[1][tuple(x if v == "position" else maps[v][x] for v, _ in vectors[0])]

        if any(None in maps[v] for v, _ in (*query[0], *key[0]) if v != "position") or None in place:
            return False
        asked, named = ([at(vectors, x) for x in range(count)] for vectors in (query, key))
        for u in range(count):
            later = range(place[u] + 1 if place[u] <= u else 0, u + 1)
            spend(len(later))
            found = place[u] > u or (bool(asked[u]) and asked[u] == named[place[u]])
            if not found or any(asked[u] == named[v] for v in later if asked[u]):
                return False
        return True

    # ---- the answer

    def answer(self, x: Forms) -> Rational:
        """How far the right logit is above all others: over a wrong answer y' and the right one y, the least of
        Σ_i (U[y]_i − U[y']_i)·x_i, where noise ρ_i takes away ρ_i·|U[y]_i − U[y']_i|."""
        name, size = y = self.program.answer
        limit(size <= MAX_CASES, "too many answers")
        columns: dict[int, list[Rational]] = {}
        for answer in range(size):
            for r, c in self.model.unembedding.row(answer).items():
                columns.setdefault(r, [0] * size)[answer] = c
        other: Variable = ("@" + name, size)
        form: Form = {}
        for r, column in columns.items():
            said = polynomial(column, [y])
            exact, rest = split(x[r])
            exact = self.said_in(self.program.answer_kind, name, exact)
            add(form, times(exact, add(rename(said, {y: other}), said, -1)))
            noise = wobble(rest)
            if noise:
                add(form, self.apart(column, y, other), noise)
        margin = maximum(form, [(other, "≠", y)], self.laws(self.program.answer_kind))
        why = "".join(f"; {doubt}" for doubt in self.doubts[:1])
        self.refuse(margin is not None and margin >= 0, f"a wrong answer is not below the right one{why}")
        return Fraction(1) if margin is None else -margin

    def apart(self, column: list[Rational], y: Variable, other: Variable) -> Form:
        """|column(y) − column(y')|, exactly where it can be said: for a bit ±τ it is |τ|·(1 − the bits' product)."""
        low, high = min(column), max(column)
        for j in range((y[1] - 1).bit_length()):
            if all(c == (high if x >> j & 1 else low) for x, c in enumerate(column)) or all(
                c == (low if x >> j & 1 else high) for x, c in enumerate(column)
            ):
                half = quotient(high - low, 2)
                return add(constant(half), times(bit(y, j, -half), bit(other, j)))
        if y[1] ** 2 <= MAX_CASES:
            return polynomial([absolute(a - b) for a, b in itertools.product(column, column)], [y, other])
        return constant(high - low)


class Conflict(Exception):
    """The recurrence is not this scan."""


def conflict(condition: bool, reason: str) -> None:
    if condition:
        raise Conflict(reason)


def program_margin(model: object, example: object) -> Rational:
    """The margin that is proved of a model file without invariants; raises Rejected."""
    return Derivation(Model(model, proved=False), example).run()
