"""A program is a prompt of kinds of tokens and a list of definitions (map, find, count, scan); one of the variables is
the answer, asked at every token of its kind.

Each definition adds a variable to the tokens of a kind. A token sees itself and what stands before it. Promises
restrict the inputs: names that are distinct, a find without a default (some token matches) or with ``once`` (at most
one does), and None in a table (no input has this case).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from itertools import accumulate, pairwise, product
from math import log2, prod

from separation.escaping import quoted
from separation.files import InputError

TASK = "program"
RELATIONS: Mapping[str, Callable[[int, int], bool]] = {"=": int.__eq__, "<": int.__lt__, ">": int.__gt__}
MAX_TABLE = 1 << 17
"""The cases of one map or scan: the kernel reads no larger table."""
LONGEST_NAME = 32
"""Letters of a name: the kernel reads no longer one."""
Where = tuple[tuple[str, str, str | int], ...]
Table = tuple[int | None, ...]


@dataclass(frozen=True)
class Kind:
    """``count`` tokens (None: any number from 1 on) that spell variables of given sizes.

    No two tokens agree in all variables of ``distinct``. The kind has ids of its own, or those of ``alphabet``.
    """

    name: str
    count: int | None
    spells: tuple[tuple[str, int], ...] = ()
    distinct: tuple[str, ...] = ()
    alphabet: str | None = None

    @property
    def id_count(self) -> int:
        return prod(self.radices)

    @property
    def radices(self) -> list[int]:
        return [size for _, size in self.spells]

    def radices_of_names(self, count: int) -> list[int]:
        """Of what is distinct, if that is enough for so many tokens."""
        sizes = [size for name, size in self.spells if name in self.distinct]
        if sizes and prod(sizes) < count:
            raise InputError(f"no input: {count} tokens of {self.name} have distinct names out of {prod(sizes)}")
        return sizes


@dataclass(frozen=True)
class Map:
    """name = table(inputs), of one token; the table in mixed radix, the first input most significant."""

    kind: str
    name: str
    size: int
    inputs: tuple[str, ...]
    table: Table


@dataclass(frozen=True)
class Find:
    """name = ``read`` at the visible token of ``target`` that matches; None: is there a match?

    where matching means that (variable of the target, relation, variable of the reader or number) all hold. Of several
    matches the one with the ("largest" or "smallest", variable) of ``best``; ``bit_by_bit`` asks a compiler how to find
    that one, and says nothing of the value.
    """

    kind: str
    name: str
    target: str
    where: Where
    read: str | None = None
    best: tuple[str, str] | None = None
    default: int | None = None
    once: bool = False
    bit_by_bit: bool | None = field(default=None, compare=False)

    @property
    def otherwise(self) -> int | None:
        """The value without a match; None: there is one."""
        return 0 if self.read is None else self.default


@dataclass(frozen=True)
class Count:
    """name = the number of visible tokens of ``target`` that match."""

    kind: str
    name: str
    target: str
    where: Where


@dataclass(frozen=True)
class Step:
    """What the tokens of a kind do to a scan: table(state, inputs), the state most significant."""

    kind: str
    inputs: tuple[str, ...]
    table: Table


@dataclass(frozen=True)
class Scan:
    """name = table(name at the token before, inputs) along the tokens of some kinds, in order; ``start`` before them.

    ``points``: the values as permutations of as many points, which a compiler may use.
    """

    name: str
    size: int
    start: int
    over: tuple[Step, ...]
    points: tuple[tuple[int, ...], ...] | None = field(default=None, compare=False)

    def step(self, kind: str) -> Step | None:
        return next((step for step in self.over if step.kind == kind), None)


Definition = Map | Find | Count | Scan
UNSAID = ("", "")
"""The answer of a program that has none yet."""


def kinds_of(d: Definition) -> tuple[str, ...]:
    """Those whose tokens have the variable."""
    return tuple(step.kind for step in d.over) if isinstance(d, Scan) else (d.kind,)


def tables_of(d: Definition) -> tuple[Table, ...]:
    return (d.table,) if isinstance(d, Map) else tuple(s.table for s in d.over) if isinstance(d, Scan) else ()


def read_by(d: Definition) -> set[tuple[str, str]]:
    """(kind, variable) of all that a definition refers to."""
    if isinstance(d, Scan):
        return {(step.kind, v) for step in d.over for v in step.inputs}
    if isinstance(d, Map):
        return {(d.kind, v) for v in d.inputs}
    read = (d.read, d.best and d.best[1]) if isinstance(d, Find) else ()
    there = {(d.target, v) for v in (*(a for a, _, _ in d.where), *read) if v}
    return there | {(d.kind, b) for _, _, b in d.where if isinstance(b, str)}


@dataclass(frozen=True)
class Definitions:
    """The kinds in the order of the prompt, the definitions in order, and (kind, variable) of the answer, or `UNSAID`.

    ``shown``: how many tokens a kind without end has where an input is drawn or run.
    """

    name: str
    kinds: tuple[Kind, ...]
    definitions: tuple[Definition, ...]
    answer: tuple[str, str]
    shown: int = 8
    sizes: dict[tuple[str, str], int | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sizes: dict[tuple[str, str], int | None] = {}
        for kind in self.kinds:
            _check_kind(kind, self.kinds)
            sizes |= {(kind.name, v): size for v, size in kind.spells} | {(kind.name, "position"): kind.count}
        object.__setattr__(self, "sizes", sizes)
        for d in self.definitions:
            size = _checked_size(self, d)
            for kind_name in kinds_of(d):
                self.kind(kind_name)
                if (kind_name, d.name) in sizes:
                    raise InputError(f"{kind_name} already has a variable {d.name}")
                sizes[kind_name, d.name] = size
        if self.answer != UNSAID:
            self.size(*self.answer)

    def kind(self, name: str) -> Kind:
        found = next((kind for kind in self.kinds if kind.name == name), None)
        if found is None:
            raise InputError(f"there is no kind {quoted(name)}{near(name, [kind.name for kind in self.kinds])}")
        return found

    def size(self, kind: str, variable: str) -> int:
        """The number of values of a variable of a kind."""
        self.kind(kind)
        known = [v for k, v in self.sizes if k == kind]
        if (kind, variable) not in self.sizes:
            raise InputError(f"{kind} has no variable {quoted(variable)}{near(variable, known)}")
        size = self.sizes[kind, variable]
        if size is None:
            raise InputError(f"{kind} has any number of tokens, so its position has no size")
        return size

    def named(self, kind: str, name: str) -> Definition | None:
        """The definition of a variable of a kind; None if it is spelled."""
        return next((d for d in self.definitions if d.name == name and kind in kinds_of(d)), None)

    def needed(self) -> list[int]:
        """The numbers of the definitions on which the answer depends; the others are promises."""
        wanted, numbers = {self.answer}, list[int]()
        for number in reversed(range(len(self.definitions))):
            d = self.definitions[number]
            if any((kind, d.name) in wanted for kind in kinds_of(d)):
                wanted |= read_by(d)
                numbers.append(number)
        return numbers[::-1]

    def is_single(self, d: Find) -> bool:
        """At most one visible token is what d finds."""
        target, equal = self.kind(d.target), {a for a, relation, _ in d.where if relation == "="}
        named = bool(target.distinct) and set(target.distinct) <= {*equal, *(d.best or ())[1:]}
        latest = d.best is not None and d.best[1] == "position"
        return target.count == 1 or "position" in equal or latest or d.once or named

    # ---- counts and ids

    @property
    def is_endless(self) -> bool:
        return any(kind.count is None for kind in self.kinds)

    def at_length(self, shown: int) -> Definitions:
        """The same with so many tokens of each kind without end, where inputs are drawn."""
        return replace(self, shown=shown)

    def tokens_of(self, kind: Kind) -> int:
        return self.shown if kind.count is None else kind.count

    def first_id(self, name: str) -> int:
        """The id of the kind's token that spells zeros."""
        return self._first_ids[name]

    @cached_property
    def _first_ids(self) -> dict[str, int]:
        found: dict[str, int] = {}
        end = 0
        for kind in self.kinds:
            found[kind.name] = end if kind.alphabet is None else found[kind.alphabet]
            end = max(end, found[kind.name] + kind.id_count)
        return found

    @property
    def vocabulary(self) -> int:
        return max(self.first_id(kind.name) + kind.id_count for kind in self.kinds)

    @property
    def length(self) -> int:
        """The tokens of a prompt."""
        return sum(map(self.tokens_of, self.kinds))

    @cached_property
    def places(self) -> dict[str, range]:
        """Where the tokens of each kind stand in a prompt."""
        ends = [*accumulate(map(self.tokens_of, self.kinds), initial=0)]
        return {kind.name: range(*stretch) for kind, stretch in zip(self.kinds, pairwise(ends), strict=True)}

    @property
    def asked(self) -> tuple[int, int]:
        """The places of the first token that answers, and after the last."""
        there = self.places[self.answer[0]]
        return there.start, there.stop

    @property
    def has_promises(self) -> bool:
        asked = any(d.once or d.otherwise is None for d in self.definitions if isinstance(d, Find))
        excluded = any(None in table for d in self.definitions for table in tables_of(d))
        return asked or excluded or any(kind.distinct for kind in self.kinds)

    def inputs_log2(self) -> float | None:
        """log2 of the number of inputs; None where a promise leaves fewer than the product says, or without end."""
        if self.has_promises or self.is_endless:
            return None
        return sum(self.tokens_of(kind) * log2(kind.id_count) for kind in self.kinds)

    def inputs_log2_floor(self) -> int:
        exact = prod(kind.id_count ** self.tokens_of(kind) for kind in self.kinds)
        return 0 if self.has_promises or self.is_endless else exact.bit_length() - 1


def holds(d: Find | Count, there: Mapping[str, int], own: Mapping[str, int]) -> bool:
    """Does a token match, for a reader?"""
    return all(RELATIONS[relation](there[a], b if isinstance(b, int) else own[b]) for a, relation, b in d.where)


def number_of(digits: Iterable[int], sizes: Iterable[int]) -> int:
    """In mixed radix, the first digit most significant."""
    number = 0
    for digit, size in zip(digits, sizes, strict=True):
        number = number * size + digit
    return number


def digits_of(number: int, sizes: Sequence[int]) -> list[int]:
    """The inverse of `number_of`."""
    digits = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        digits.append(digit)
    return digits[::-1]


def near(name: str, known: list[str]) -> str:
    """What was perhaps meant."""
    close = get_close_matches(name, known, 1)
    return f"; did you mean {close[0]}?" if close else f"; there is {', '.join(known)}" if known else ""


def new_name(wanted: str, taken: Container[str]) -> str:
    """A name made from others, cut to what a name may have; with a number if it is taken."""
    cut = wanted[: LONGEST_NAME - 4]
    return next(n for n in (wanted[:LONGEST_NAME], *(f"{cut}_{i}" for i in range(2, 1000))) if n not in taken)


def _check_name(name: str) -> None:
    if not isinstance(name, str) or not re.fullmatch(f"[a-z][a-z0-9_]{{0,{LONGEST_NAME - 1}}}", name):
        raise InputError(
            f"{quoted(name)} is no name: a small letter, then small letters, digits and _, up to {LONGEST_NAME}"
        )


def _check_kind(kind: Kind, kinds: tuple[Kind, ...]) -> None:
    if [other.name for other in kinds].count(kind.name) > 1:
        raise InputError(f"two kinds of tokens are named {quoted(kind.name)}")
    if kind.count is not None and kind.count < 1:
        raise InputError(f"{kind.name} needs at least one token, got {kind.count}")
    names = [name for name, _ in kind.spells]
    for name in (kind.name, *names):
        _check_name(name)
    for name, size in kind.spells:
        if size < 1:
            raise InputError(f"{kind.name}.{name} needs at least one value, got {size}")
        if name == "position" or names.count(name) > 1:
            raise InputError(f"{kind.name} already has a variable {name}")
    for name in kind.distinct:
        if name not in names:
            raise InputError(f"{kind.name} does not spell {quoted(name)}{near(name, names)}")
    kind.radices_of_names(kind.count or 1)
    if kind.alphabet is not None:
        before = {other.name: other for other in kinds[: kinds.index(kind)]}
        same = kind.alphabet in before and [s for _, s in before[kind.alphabet].spells] == [s for _, s in kind.spells]
        if not same:
            raise InputError(
                f"{kind.name} cannot share the alphabet of {kind.alphabet}: no earlier kind of these sizes"
            )


def _checked_size(program: Definitions, d: Definition) -> int:
    """How many values the variable has; what the definition refers to is there already, and its tables fit."""
    _check_name(d.name)
    for kind, variable in sorted(read_by(d)):
        program.size(kind, variable)
    if isinstance(d, Map):
        _check_table(d, [program.size(d.kind, v) for v in d.inputs], d.table)
        return d.size
    if isinstance(d, Scan):
        for step in d.over:
            _check_table(d, [d.size, *(program.size(step.kind, v) for v in step.inputs)], step.table)
        if not d.over or not 0 <= d.start < d.size:
            raise InputError(f"{d.name} starts at {d.start}, which is none of its {d.size} values")
        return d.size
    most = program.kind(d.target).count
    for _, relation, _ in d.where:
        if relation not in RELATIONS:
            raise InputError(f"{d.name}: {quoted(relation)} is no relation; there is {', '.join(RELATIONS)}")
    if isinstance(d, Count):
        if most is None:
            raise InputError(f"{d.name} counts {d.target}, which has any number of tokens; give it a number, or scan")
        return most + 1
    for a, relation, b in d.where:
        if (a, relation) == (d.read, "="):
            raise InputError(
                f"{d.name} would be {b} itself, as {a} = {b} is asked; say exists, or read another variable"
            )
    alike = d.read is None or (d.best and d.read == d.best[1])
    if not alike and not program.is_single(d):
        raise InputError(
            f"{d.name}: several tokens of {d.target} may match, so {d.read} is not unique; take the latest, the "
            "first or the largest, say once=True, or declare names distinct"
        )
    if d.default is not None and (type(d.default) is not int or d.default < 0):
        raise InputError(f"{d.name} has the default {d.default!r:.40}; an integer from 0 on is needed")
    return max(2 if d.read is None else program.size(d.target, d.read), (d.default or 0) + 1)


def _check_table(d: Map | Scan, sizes: list[int], table: Table) -> None:
    if len(table) != prod(sizes) or len(table) > MAX_TABLE:
        raise InputError(f"{d.name}: {len(table)} entries for {prod(sizes)} cases (at most {MAX_TABLE})")
    for case, value in zip(product(*map(range, sizes)), table, strict=True):
        if value is not None and (type(value) is not int or not 0 <= value < d.size):
            raise InputError(f"{d.name}{case} is {str(value)[:20]}, and not one of 0..{d.size - 1}")
