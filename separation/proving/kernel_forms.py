"""Forms: exact polynomials in 0/1 bits of finite variables, plus noise; and how large they can be.

A variable is (name, size). A monomial ((variable, mask), …) is 1 where each variable has all bits of its mask, else 0.
A mask that is not below the size is 0 on all values and is left out: the values below a size are closed under dropping
bits, so two forms are equal on all values if and only if they are the same (Möbius inversion). A form is
{(monomial, noise): coefficient}, noise None or an unknown number of at most its radius. Nothing but `kernel.py`,
beside this file, and the standard library is imported: docs/certificates.md, 'Programs'.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import prod

from separation.proving.kernel import Rejected, absolute, limit, quotient, spend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Rational = Fraction | int
Variable = tuple[str, int]
Monomial = tuple[tuple[Variable, int], ...]
MAX_CASES = 1 << 17  # of one question
MAX_JOINED = 1 << 18  # where variables are left out one by one
MAX_TERMS = 1 << 18  # of one form
FEW_BITS = 4  # of a monomial that is written in ±1 bits


class Noise:
    """An unknown number of absolute value at most `radius`; `number` orders them."""

    count = 0

    def __init__(self, radius: Rational) -> None:
        Noise.count += 1
        self.radius, self.number = radius, Noise.count


Symbol = tuple[Monomial, "Noise | None"]
Form = dict[Symbol, Rational]
Atom = tuple[Variable, str, "Variable | int"]  # a variable, one of = ≠ < > ≤ ≥, a variable or a number
# Variables; what holds of them; of a map, the last of them as a function of the others, else None.
Law = tuple[tuple[Variable, ...], "Callable[..., bool]", "Callable[..., int | None] | None"]
Table = tuple[tuple[Variable, ...], dict[tuple[int, ...], Rational]]  # variables, and a value in each valid case
ONE: Symbol = ((), None)
RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": int.__eq__,
    "≠": int.__ne__,
    "<": int.__lt__,
    ">": int.__gt__,
    "≤": int.__le__,
    "≥": int.__ge__,
}
NEGATED = {"=": "≠", "<": "≥", ">": "≤"}


def whole(x: Rational) -> Rational:
    """Integers stay integers, as these are faster."""
    return x if type(x) is int or x.denominator != 1 else x.numerator


def add(form: Form, other: Form, times: Rational = 1) -> Form:
    """form + times·other, in place."""
    spend(4 * len(other))
    for symbol, c in other.items():
        new = form.get(symbol, 0) + c * times
        if new:
            form[symbol] = whole(new)
        else:
            form.pop(symbol, None)
    limit(len(form) <= MAX_TERMS, "a form has too many terms")
    return form


def constant(c: Rational) -> Form:
    return {ONE: c} if c else {}


def bit(variable: Variable, j: int, times: Rational = 1) -> Form:
    """times · (the ±1 bit j of the variable), which is −1 beyond its size."""
    form = constant(-times)
    return add(form, {(((variable, 1 << j),), None): 2 * times}) if 1 << j < variable[1] else form


def joint(m: Monomial, n: Monomial) -> Monomial | None:
    """The product of two monomials; None if it is 0 on all values."""
    masks = dict(m)
    for v, mask in n:
        masks[v] = masks.get(v, 0) | mask
        if masks[v] >= v[1]:
            return None
    return tuple(sorted(masks.items()))


def times(f: Form, g: Form) -> Form:
    """The product of two forms; noise in at most one of them."""
    result: Form = {}
    spend(8 * len(f) * len(g))
    for ((m, a), c), ((n, b), d) in itertools.product(f.items(), g.items()):
        both = joint(m, n)
        if both is not None:
            symbol = both, a if b is None else b
            result[symbol] = result.get(symbol, 0) + c * d
    return {symbol: whole(c) for symbol, c in result.items() if c}


def split(form: Form) -> tuple[Form, Form]:
    """What is exact, and what is noise."""
    exact = {s: c for s, c in form.items() if s[1] is None}
    return exact, {s: c for s, c in form.items() if s[1] is not None}


def wobble(form: Form) -> Rational:
    """A bound of the noise in the form."""
    return sum(absolute(c) * s[1].radius for s, c in form.items() if s[1] is not None)


def variables(form: Form) -> list[Variable]:
    return sorted({v for m, _ in form for v, _ in m})


def rename(form: Form, names: dict[Variable, Variable | int]) -> Form:
    """Variables replaced by others that have the same value, or by numbers."""
    result: Form = {}
    for (monomial, noise), c in form.items():
        new: Monomial | None = ()
        for v, mask in monomial:
            to = names.get(v, v)
            if isinstance(to, int):
                new = new if to & mask == mask else None
            else:
                new = None if mask >= to[1] else joint(new or (), ((to, mask),))
            if new is None:
                break
        if new is not None:
            add(result, {(new, noise): c})
    return result


def tabulate(form: Form, over: Sequence[Variable]) -> list[Rational]:
    """The values of an exact form on all joint values of these variables, the last one changing fastest."""
    table: list[Rational] = [0] * prod(r for _, r in over)
    strides = {v: prod(r for _, r in over[i + 1 :]) for i, v in enumerate(over)}
    for (m, _), c in form.items():
        table[sum(mask * strides[v] for v, mask in m)] += c
    return sub_masks(table, over, 1)


def sub_masks(table: list[Rational], over: Sequence[Variable], sign: int) -> list[Rational]:
    """Sums over all sub-masks in each variable (sign 1), or back again (−1)."""
    stride = len(table)
    for _, r in over:
        block, stride = stride, stride // r
        spend(len(table) * max(1, (r - 1).bit_length()))
        for j in range((r - 1).bit_length()):
            for x in range(1 << j, r):
                if x >> j & 1:
                    for start in range(0, len(table), block):
                        a, b = start + x * stride, start + (x - (1 << j)) * stride
                        for i in range(stride):
                            if table[b + i]:
                                table[a + i] += sign * table[b + i]
    return table


def polynomial(table: Sequence[Rational], over: Sequence[Variable], noise: Noise | None = None) -> Form:
    """The form with these values on all joint values of the variables."""
    coefficients = sub_masks(list(table), over, -1)
    cases = itertools.product(*(range(r) for _, r in over))
    named = (
        (tuple((v, mask) for v, mask in zip(over, case, strict=True) if mask), c)
        for case, c in zip(cases, coefficients, strict=True)
    )
    return {(tuple(sorted(monomial)), noise): whole(c) for monomial, c in named if c}


def sparse_polynomial(table: Sequence[Rational | None], variable: Variable) -> Form:
    """The form of one variable with these values; where none is asked for (None), its coefficient is 0."""
    coefficients = free_coefficients(list(table))
    return {((((variable, mask),) if mask else ()), None): whole(c) for mask, c in enumerate(coefficients) if c}


def free_coefficients(table: list[Rational | None]) -> list[Rational]:
    """One coefficient for each mask: the upper half is what the lower half leaves, half by half."""
    if len(table) == 1:
        return [table[0] or 0]
    half = 1 << ((len(table) - 1).bit_length() - 1)
    low = free_coefficients(table[:half])
    below_values = sub_masks(list(low), [("", half)], 1)
    rest = [None if value is None else value - below_values[i] for i, value in enumerate(table[half:])]
    return [*low, *free_coefficients(rest)]


def cases_of(over: Sequence[Variable], laws: Sequence[Law]) -> Iterable[tuple[int, ...] | None]:
    """All joint values of the variables in order; None in the place of those that a law excludes."""
    here = [([over.index(v) for v in law], test) for law, test, _ in laws if set(law) <= set(over)]
    spend(prod(r for _, r in over) * (1 + len(here)))
    for case in itertools.product(*(range(r) for _, r in over)):
        yield case if all(test(*(case[i] for i in which)) for which, test in here) else None


def mentioned(form: Form, atoms: Sequence[Atom]) -> list[set[Variable]]:
    """The variables of each term and each atom."""
    groups = [{v for v, _ in m} for m, _ in form if m]
    return groups + [{a, *([b] if isinstance(b, tuple) else [])} for a, _, b in atoms]


def linked(form: Form, atoms: Sequence[Atom], laws: Sequence[Law]) -> set[Variable]:
    """Variables that do not occur and link what does: one that two maps read alone, whose values occur; and values that
    maps compute, from one another in the end from these and what occurs, if one is the value of two maps, or an input
    of a map whose value occurs."""
    occur, values, maps = set().union(*mentioned(form, atoms)), list[Variable](), [law for law in laws if law[2]]
    alone = [law[0][0] for law in maps if len(law[0]) == 2 and law[0][1] in occur and law[0][0] not in occur]
    shared = {v for v in alone if alone.count(v) > 1}
    known, left = occur | shared, maps
    while ready := [law for law in left if set(law[0][:-1]) <= known]:
        left = [law for law in left if law not in ready]
        values += (new := [law[0][-1] for law in ready if law[0][-1] not in occur])
        known |= set(new)
    between = any(law[0][-1] in occur and set(law[0][:-1]) & set(values) for law in maps)
    return {*shared, *values} if shared or between or len(set(values)) < len(values) else set()


def parts_of(
    form: Form, atoms: Sequence[Atom], laws: Sequence[Law], more: Iterable[Variable] = ()
) -> list[tuple[Form, list[Variable], list[Atom]]]:
    """The form without its constant in parts that have no variable, atom or law in common; `more` variables occur."""
    groups = [*mentioned(form, atoms), *({v} for v in more)]
    occur = set().union(*groups)
    groups += [set(law) for law, _, _ in laws if law and set(law) <= occur]
    parts: list[set[Variable]] = []
    for group in groups:
        touching = [part for part in parts if part & group]
        parts = [part for part in parts if not part & group] + [set().union(group, *touching)]
    split_up = []
    for part in parts:
        here = {s: c for s, c in form.items() if s[0] and s[0][0][0] in part}
        split_up.append((here, sorted(part), [atom for atom in atoms if atom[0] in part]))
    return split_up


def maximum(form: Form, atoms: Sequence[Atom] = (), laws: Sequence[Law] = ()) -> Rational | None:
    """An upper bound of an exact form wherever all atoms and laws hold; None if they nowhere do."""
    found: list[Rational] = []
    more = linked(form, atoms, laws)
    for occur in ((), more) if more else ((),):
        total = form.get(ONE, 0)
        for here, over, mine in parts_of(form, atoms, laws, occur):
            most = bounded(here, over, mine, laws)
            if most is None:
                return None
            total += most
        found.append(total)
    return whole(min(found))


def told_by(over: Sequence[Variable], laws: Sequence[Law]) -> dict[Variable, Law]:
    """Variables that maps say as functions of others: each by a law none before which mentions it, so that they can be
    computed one after the other."""
    told, used = dict[Variable, Law](), set[Variable]()
    for law in laws:
        if law[2] and set(law[0]) <= set(over) and law[0][-1] not in {*used, *law[0][:-1]}:
            told[law[0][-1]] = law
            used |= set(law[0])
    return told


def plan(
    over: Sequence[Variable], told: dict[Variable, Law], laws: Sequence[Law]
) -> tuple[int, int, Iterable[list[int]]]:
    """How many variables maps compute, how many other laws hold of these variables, and all cases of them: one list
    that changes."""
    free, index = [v for v in over if v not in told], {v: i for i, v in enumerate(over)}
    steps = [(index[v], v[1], [index[w] for w in law[:-1]], rule) for v, (law, _, rule) in told.items()]
    others = [law for law in laws if law not in told.values() and set(law[0]) <= set(over)]
    tests = [([index[v] for v in law], test) for law, test, _ in others]

    def run() -> Iterable[list[int]]:
        which, case = [index[v] for v in free], [0] * len(over)
        for values in itertools.product(*(range(r) for _, r in free)):
            for i, x in zip(which, values, strict=True):
                case[i] = x
            for i, size, inputs, rule in steps:
                said = rule(*(case[n] for n in inputs)) if rule else None
                if said is None or said >= size:
                    break
                case[i] = said
            else:
                if all(test(*(case[n] for n in inputs)) for inputs, test in tests):
                    yield case

    return len(steps), len(tests), run()


def valued(form: Form, over: list[Variable], laws: Sequence[Law]) -> Iterable[tuple[tuple[int, ...] | None, Rational]]:
    """All joint values of the variables with the form's, where it is not excluded: maps are computed, not tried."""
    told = told_by(over, laws)
    if not told:
        yield from zip(cases_of(over, laws), tabulate(form, over), strict=True)
        return
    index = {v: i for i, v in enumerate(over)}
    apart: dict[tuple[Variable, ...], Form] = {}  # terms of the same variables have one table
    for s, c in form.items():
        apart.setdefault(tuple(v for v, _ in s[0]), {})[s] = c
    tables = []
    for some, part in apart.items():
        strides = [prod(r for _, r in some[i + 1 :]) for i in range(len(some))]
        tables.append((tabulate(part, some), [(index[v], n) for v, n in zip(some, strides, strict=True)]))
    computing, others, run = plan(over, told, laws)
    spend(prod(v[1] for v in over if v not in told) * (1 + 2 * computing + others + len(tables)))
    for case in run:
        yield tuple(case), sum(table[sum(case[i] * n for i, n in at)] for table, at in tables)


def bounded(form: Form, over: list[Variable], atoms: list[Atom], laws: Sequence[Law]) -> Rational | None:
    """One part: by cases, if they are few; else by a closed form; else by its coefficients."""
    told = told_by(over, laws)
    tried = [[v for v in over if v not in told], *({v for v, _ in m} for m, _ in form if told)]
    if max(prod(r for _, r in some) for some in tried) <= MAX_CASES:
        index = {v: i for i, v in enumerate(over)}
        tests = [
            (index[a], RELATIONS[rel], *((index[b], 0) if isinstance(b, tuple) else (-1, b))) for a, rel, b in atoms
        ]
        best: Rational | None = None
        for case, value in valued(form, over, laws):
            if case is None or (best is not None and value <= best):
                continue
            if all(test(case[a], case[i] if i >= 0 else b) for a, test, i, b in tests):
                best = value
        return best
    if len(over) == 2 and len(atoms) <= 1:
        closed = agreement(form, over, atoms)
        closed = below(form, atoms) if closed is None and atoms else closed
        if closed is not None:
            return closed
    try:
        return eliminated(form, over, atoms, laws)
    except OverflowError:
        return min(sum(c for c in form.values() if c > 0), reach(form))


def eliminated(form: Form, over: list[Variable], atoms: list[Atom], laws: Sequence[Law]) -> Rational | None:
    """One part, its variables left out one by one: of all that mentions v the largest value over v is a table of the
    other variables there. OverflowError if one has more than MAX_JOINED cases."""
    tests: list[Law] = [law for law in laws if law[0] and set(law[0]) <= set(over)]
    for a, relation, b in atoms:
        test = RELATIONS[relation]
        both = isinstance(b, tuple)
        tests.append(((a, b) if both else (a,), test if both else lambda x, test=test, b=b: test(x, b), None))  # type: ignore
    tables, total = joint_tables(form, over, tests, laws), Fraction(0)
    for v in over:  # what is said of one variable is one table, and none if it is a constant
        mine = [values for some, values in tables if some == (v,)]
        tables = [table for table in tables if table[0] != (v,)]
        there = [(x,) for x in range(v[1]) if all((x,) in values for values in mine)]
        sums: dict[tuple[int, ...], Rational] = {x: sum(values[x] for values in mine) for x in there}
        if not sums:
            return None
        if len(set(sums.values())) > 1:
            tables.append(((v,), sums))
        else:
            total += sums[there[0]]
    left = list(over)
    while left:
        spend(len(left) * (len(tables) + len(tests)))
        (_, v), (scope, told, size) = min((((j := joined(v, tables, tests))[2], v), j) for v in left)
        if size > MAX_JOINED:
            idle = [v for v in left if all(v not in some for some, _ in tables)]
            if not idle:
                raise OverflowError("too many cases at once")
            tests = [law for law in tests if idle[0] not in law[0]]  # what holds of it alone is not used
            left.remove(idle[0])
            continue
        left.remove(v)
        most: dict[tuple[int, ...], Rational] = {}
        here = [law for law in tests if set(law[0]) <= set(scope)]
        for case, value in joint_values(scope, told, here, [table for table in tables if v in table[0]]):
            if case not in most or most[case] < value:
                most[case] = value
        tables = [table for table in tables if v not in table[0]]
        tests = [law for law in tests if v not in law[0]]
        if not most:
            return None
        if len(set(most.values())) > 1:
            tables.append((tuple(scope[1:]), most))
        else:  # it only says which cases there are
            total += next(iter(most.values()))
            tests += [(tuple(scope[1:]), lambda *x, most=most: x in most, None)] if scope[1:] else []
    return whole(total)


def joint_tables(form: Form, over: list[Variable], tests: Sequence[Law], laws: Sequence[Law]) -> list[Table]:
    """The form as tables, of the variables that some term mentions together, where the tests of these hold. A variable
    that a map computes from one other is said by that one."""
    if max(r for _, r in over) > MAX_JOINED:
        raise OverflowError("a variable of too many values")
    spend(sum(r for _, r in over))
    said: dict[Variable, tuple[Variable, list[int | None]]] = {v: (v, list(range(v[1]))) for v in over}
    for v, (law, _, rule) in told_by(over, laws).items():
        if len(law) == 2 and rule:
            root, known = said[law[0]]
            images = [None if x is None else rule(x) for x in known]
            said[v] = root, [y if y is not None and y < v[1] else None for y in images]
    apart: dict[tuple[Variable, ...], dict[tuple[Variable, ...], Form]] = {}
    for s, c in form.items():
        some = tuple(v for v, _ in s[0])
        apart.setdefault(tuple(sorted({said[v][0] for v in some})), {}).setdefault(some, {})[s] = c
    tables: list[Table] = []
    for roots, parts in apart.items():
        if max(prod(r for _, r in some) for some in (roots, *parts)) > MAX_JOINED:
            raise OverflowError("a term of too many cases")
        sums = []
        for some, part in parts.items():
            strides = [prod(r for _, r in some[i + 1 :]) for i in range(len(some))]
            where = [(roots.index(said[v][0]), said[v][1], n) for v, n in zip(some, strides, strict=True)]
            sums.append((tabulate(part, some), where))
        valid: dict[tuple[int, ...], Rational] = {}
        spend(prod(r for _, r in roots) * len(sums))
        for case in cases_of(roots, tests):
            if case is None or any(at[case[i]] is None for _, where in sums for i, at, _ in where):
                continue
            valid[case] = sum(table[sum((at[case[i]] or 0) * n for i, at, n in where)] for table, where in sums)
        tables += separated(roots, valid)
    return tables


def separated(some: tuple[Variable, ...], valid: dict[tuple[int, ...], Rational]) -> list[Table]:
    """A table of two variables as a sum of two of one variable, if it is one in all valid cases; else as it is."""
    if len(some) != 2:
        return [(some, valid)]
    known: dict[tuple[int, int], Rational] = {}  # of (which of the two, its value)
    pairs: dict[tuple[int, int], list[tuple[tuple[int, int], Rational]]] = {}
    for (x, y), value in valid.items():
        pairs.setdefault((0, x), []).append(((1, y), value))
        pairs.setdefault((1, y), []).append(((0, x), value))
    spend(4 * len(valid))
    for start in pairs:
        edge = [] if start in known else [start]
        known.setdefault(start, 0)
        while edge:
            one = edge.pop()
            for other, value in pairs[one]:
                if other not in known:
                    known[other] = value - known[one]
                    edge.append(other)
                elif known[one] + known[other] != value:
                    return [(some, valid)]
    return [((v,), {(x,): value for (i, x), value in known.items() if i == which}) for which, v in enumerate(some)]


def joined(
    v: Variable, tables: Sequence[Table], tests: Sequence[Law]
) -> tuple[list[Variable], dict[Variable, Law], int]:
    """v and the variables that something mentions together with it; which of them maps compute; the others' cases."""
    scopes = [*(some for some, _ in tables), *(law[0] for law in tests)]
    scope = [v, *sorted({w for some in scopes if v in some for w in some if w != v})]
    told = told_by(scope, tests)
    return scope, told, prod(w[1] for w in scope if w not in told)


def joint_values(
    scope: list[Variable], told: dict[Variable, Law], laws: Sequence[Law], tables: Sequence[Table]
) -> Iterable[tuple[tuple[int, ...], Rational]]:
    """All joint values of the scope but its first variable, with the sum, once for each case of that one."""
    computing, others, run = plan(scope, told, laws)
    sums = [([scope.index(w) for w in some], table) for some, table in tables]
    spend(prod(v[1] for v in scope if v not in told) * (1 + 2 * computing + others + len(sums)))
    for case in run:
        found = [table.get(tuple(case[i] for i in at)) for at, table in sums]
        if None not in found:
            yield tuple(case[1:]), sum(value for value in found if value is not None)


def reach(form: Form) -> Rational:
    """An upper bound of a form: written in ±1 bits, its constant and the sizes of all other coefficients. Monomials of
    more than FEW_BITS bits stay as they are."""
    total: Rational = 0
    signs: dict[tuple[tuple[Variable, int], ...], Rational] = {}
    for (monomial, _), c in form.items():
        bits = [(v, 1 << j) for v, mask in monomial for j in range(mask.bit_length()) if mask >> j & 1]
        if len(bits) > FEW_BITS:
            total += max(c, 0)
            continue
        spend(1 << len(bits))
        for k in range(len(bits) + 1):
            for some in itertools.combinations(bits, k):
                signs[some] = signs.get(some, 0) + quotient(c, 1 << len(bits))
    return total + signs.pop((), 0) + sum(map(absolute, signs.values()))


def agreement(form: Form, over: list[Variable], atoms: list[Atom]) -> Rational | None:
    """Σ τ_j·(agreement of the ±1 bits j of two variables − 1), all τ_j > 0: at most 0, and where they differ at most
    −2·min τ. None if it is no such form."""
    a, b = over
    relation = atoms[0][1] if atoms else ""
    bits = (max(a[1], b[1]) - 1).bit_length()
    pairs = ((tuple(sorted(((a, 1 << j), (b, 1 << j)))), None) for j in range(bits))
    taus = [quotient(form.get(pair, 0), 4) for pair in pairs]
    if a[1] != b[1] or min(taus) <= 0 or relation not in ("", "=", "≠") or (atoms and {*atoms[0][::2]} != {a, b}):
        return None
    same: Form = {}
    for j, tau in enumerate(taus):
        add(add(same, times(bit(a, j, tau), bit(b, j))), constant(-tau))
    offset = same.pop(ONE, 0)
    if same != form:
        return None
    return -offset - (2 * min(taus) if relation == "≠" else 0)


def below(form: Form, atoms: list[Atom]) -> Rational | None:
    """g(key) + h(reader) where key < reader (or >): of all readers the largest, by prefix maxima. None if it is not."""
    key, relation, reader = atoms[0]
    if relation not in ("<", ">") or not isinstance(reader, tuple) or reader[1] != key[1] or key[1] > MAX_CASES:
        return None
    if any(len(m) != 1 for m, _ in form):
        return None
    g, h = (tabulate({s: c for s, c in form.items() if s[0][0][0] == v}, [v]) for v in (key, reader))
    if relation == ">":
        g, h = g[::-1], h[::-1]
    tops = itertools.accumulate(g, max)
    return max(top + y for top, y in zip(tops, h[1:], strict=False))


def span(form: Form, laws: Sequence[Law] = ()) -> tuple[Rational, Rational]:
    """The least and the largest value, noise included."""
    exact, rest = split(form)
    reach = wobble(rest)
    low, high = maximum({s: -c for s, c in exact.items()}, (), laws), maximum(exact, (), laws)
    if low is None or high is None:
        raise Rejected("a token without a case")
    return -low - reach, high + reach
