"""Programs as they are written: kinds of tokens, variables, and what a token finds, counts, scans or computes.

    p = Program("induction")
    start, seq = p.start(), p.tokens("seq", 512, sym=16)
    prev = seq.previous(seq.sym, default=16)
    p.answer(seq.latest(where(prev == seq.sym), read=seq.sym, default=16))

In a condition the left side is a variable of the token that is looked at, the right side one of the token that looks.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from separation.escaping import quoted
from separation.files import InputError
from separation.programs.tokens import Tokens, Variable
from separation.tasks.program import Definition, Definitions, Kind, Map, Scan, Step
from separation.tasks.program.definitions import MAX_TABLE, UNSAID, new_name, number_of
from separation.tasks.program.printing import as_latex, as_text

if TYPE_CHECKING:
    from separation.programs.compiled import CompiledProgram

Rule = Callable[..., Any]
"""To an integer, or None: no input has this case."""
Ask = Callable[..., int | None]
MOST_NAME = 200


class Program:
    """A prompt and definitions; it prints as mathematics. `compile` gives exact weights, `prove` a proof of them.

    >>> from separation.programs import Program
    >>> p = Program("parity")
    >>> start, bits = p.start(), p.tokens("bits", any, x=2)
    >>> p.answer(p.scan(lambda odd, x: odd ^ x, bits.x, start=0, name="odd"))
    >>> p.compile().model.word, p.prove().ok
    ('R', True)
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str) or len(name) > MOST_NAME or not name.isprintable():
            raise InputError(f"a program is named {name!r:.60}; up to {MOST_NAME} printable characters are needed")
        self.name = name
        self.so_far = Definitions(name, (), (), UNSAID)

    # ---- the prompt

    def start(self, name: str = "start") -> Tokens:
        """One token that spells nothing: readers look at it where nothing matches, scans start at it."""
        return self.tokens(name, 1)

    def tokens(
        self,
        name: str,
        count: Any,
        /,
        *,
        distinct: str | Iterable[str] = (),
        alphabet: Tokens | None = None,
        **variables: int,
    ) -> Tokens:
        """``count`` tokens (``any``: any number) that spell variables of given sizes.

        No two of them agree in all of ``distinct``; with ``alphabet`` they have the ids of that kind.
        """
        endless = count is builtins.any or count == "any"
        if not endless and (type(count) is not int or isinstance(count, bool)):
            raise InputError(f"{name} has {count!r} tokens; an integer or any is needed")
        if alphabet is not None and not isinstance(alphabet, Tokens):
            raise InputError(f"the alphabet of {name} is {alphabet!r:.40}; a kind of tokens is needed")
        if endless and (other := next((kind.name for kind in self.so_far.kinds if kind.count is None), "")):
            raise InputError(
                f"{name} has any number of tokens, as {other} has; of one kind alone there may be any number"
            )
        for variable, size in variables.items():
            if hasattr(Tokens, variable) or variable in ("name", "program"):
                raise InputError(
                    f"a variable of {name} cannot be called {variable}: every kind has something of that name"
                )
            if type(size) is not int:
                raise InputError(f"{name}.{variable} has the size {size!r}; an integer is needed")
        names = (distinct,) if isinstance(distinct, str) else tuple(distinct)
        kind = Kind(
            name,
            None if endless else count,
            tuple(variables.items()),
            names,
            None if alphabet is None else alphabet.name,
        )
        self.so_far = replace(self.so_far, kinds=(*self.so_far.kinds, kind))
        return Tokens(self, kind)

    # ---- definitions

    def map(self, rule: Rule, *inputs: Variable, size: int | None = None, name: str | None = None) -> Variable:
        """rule(inputs), tabulated once; None says that no input has this case, and what earlier promises exclude is not
        asked."""
        kind = self._one_kind(inputs)
        ask, inputs = self._asking(rule, inputs, name or "map")
        table = _tabulated(ask, [v.size for v in inputs], name or "map")
        return self.add(Map(kind.name, self.new_name(name, "value"), size or _size(table), _names(inputs), table), kind)

    def promise(self, rule: Callable[..., bool], *inputs: Variable) -> None:
        """Only inputs at which the rule holds, at every token, are inputs."""
        kind = self._one_kind(inputs)
        ask, inputs = self._asking(lambda *values: 0 if rule(*values) else None, inputs, "promise")
        table = _tabulated(ask, [v.size for v in inputs], "promise")
        self.add(Map(kind.name, self.new_name(None, "promise"), 1, _names(inputs), table), kind)

    def scan(
        self,
        rule: Rule,
        *inputs: Variable,
        start: int = 0,
        size: int | None = None,
        hold: Tokens | Sequence[Tokens] = (),
        name: str | None = None,
        points: Sequence[Sequence[int]] | None = None,
    ) -> Variable:
        """value = rule(value at the token before, inputs) along the tokens of one kind, first of all ``start``.

        At tokens of ``hold`` the value stays; without a size all values that can be reached are looked for, and with
        one all that are reached are below it.
        """
        kind = self._one_kind(inputs)
        called = name or "scan"
        ask, inputs = self._asking(rule, inputs, called)
        cases = list(product(*(range(v.size) for v in inputs)))
        if size is not None and size * len(cases) > MAX_TABLE:
            raise InputError(f"{called}: {size} values times {len(cases)} cases; at most {MAX_TABLE} are tabulated")
        reached = _reached(ask, cases, start, called, size)
        size = reached if size is None else size
        table = tuple(ask(s, *case) for s in range(size) for case in cases)
        table = tuple(None if to is not None and not 0 <= to < size else to for to in table)
        held = (hold,) if isinstance(hold, Tokens) else tuple(hold)
        if any(k.name == kind.name for k in held):
            raise InputError(f"{called}: hold is for tokens of other kinds, and {kind.name} is what is scanned")
        label = self.new_name(name, "state")
        steps = [Step(kind.name, _names(inputs), table), *(Step(k.name, (), tuple(range(size))) for k in held)]
        found = None if points is None else tuple(tuple(point) for point in points)
        return self.add(Scan(label, size, start, tuple(steps), found), kind)

    def automaton(self, table: Sequence[Sequence[int]], letter: Variable, start: int = 0, **more: Any) -> Variable:
        """The state of a finite automaton, `table[state][letter]`."""
        if any(len(row) != letter.size for row in table):
            raise InputError(f"each state of an automaton needs {letter.size} next states, one for each {letter.name}")
        return self.scan(lambda state, x: table[state][x], letter, start=start, size=len(table), **more)

    def product(self, group: Sequence[Sequence[int]], element: Variable, **more: Any) -> Variable:
        """The product of permutations so far, as its number in ``group``: first the earlier ones, then the later."""
        elements = [tuple(g) for g in group]
        number = {g: i for i, g in enumerate(elements)}
        if not elements or tuple(range(len(elements[0]))) not in number:
            raise InputError("the group has no identity")
        if any(sorted(g) != list(range(len(elements[0]))) for g in elements):
            raise InputError(f"the group has an element that is no permutation of 0..{len(elements[0]) - 1}")
        if element.size != len(elements):
            raise InputError(f"{element} has {element.size} values, and the group {len(elements)} elements")

        def times(state: int, x: int) -> int:
            found = number.get(tuple(elements[x][i] for i in elements[state]))
            if found is None:
                raise InputError("the group is not closed under products")
            return found

        identity = number[tuple(range(len(elements[0])))]
        return self.scan(times, element, start=identity, size=len(elements), points=elements, **more)

    def answer(self, variable: Variable) -> None:
        """What is asked at every token of the variable's kind."""
        if not isinstance(variable, Variable):
            raise InputError(f"the answer is {variable!r}; a variable is needed")
        self.require_own(variable)
        self.so_far = replace(self.so_far, answer=(variable.kind.name, variable.name))

    def next_thought(self, kind: Tokens, **variables: Variable) -> None:
        """Each token of the kind says the next one: the answer is the id of a token that spells these variables.

        The proof is for every list of such tokens, so also for the list that the model generates itself.
        """
        sizes = dict(kind._kind.spells)
        if set(variables) != set(sizes):
            raise InputError(f"a thought of {kind.name} spells {', '.join(sizes)}, got {', '.join(variables)}")
        if (said := self._one_kind([*variables.values()])).name != kind.name:
            raise InputError(f"a thought of {kind.name} is said by {kind.name}, and these are variables of {said.name}")
        for name, variable in variables.items():
            if variable.size > sizes[name]:
                raise InputError(f"{variable} has {variable.size} values, {kind.name}.{name} {sizes[name]}")
        ordered, ids = [variables[name] for name in sizes], kind._kind.id_count
        self.answer(self.map(lambda *x: number_of(x, sizes.values()), *ordered, size=ids, name="next_thought"))

    # ---- what it is

    @property
    def definitions(self) -> Definitions:
        """The program as a value: the task of its certificate."""
        if self.so_far.answer == UNSAID:
            raise InputError(f"{self.name} has no answer yet: p.answer(variable)")
        return self.so_far

    def __str__(self) -> str:
        return as_text(self.definitions)

    def __repr__(self) -> str:
        """One line; all of it is in `print(program)`."""
        return f"<program {self.name}: {', '.join(kind.name for kind in self.so_far.kinds) or 'no tokens yet'}>"

    def latex(self) -> str:
        """The definitions for an appendix."""
        return as_latex(self.definitions)

    def compile(self, word: str | None = None, bit_by_bit: bool | None = None) -> CompiledProgram:
        """Exact weights; ``word`` asks for these layers, in this order, e.g. RFF, F3 or [FR]F.

        The best of several matches is found by one head, or bit by bit: where neither the find nor ``bit_by_bit`` says
        which, in the form with the smaller P times layers, if the kernel can be expected to prove it soon.

        | definition | by F | by R |
        |---|---|---|
        | find | of a number of tokens | the only match, stored; the latest of each name; the token before, handed on |
        | count | always | always, a number for each name |
        | scan | never | always |

        Maps need no layer. Layers to spare are idle; a definition that fits no layer is named in one line.
        """
        from separation.programs.compiled import CompiledProgram

        return CompiledProgram.of(self.definitions, word, bit_by_bit)

    def prove(self, out: str | Path | None = None) -> Any:
        """The weights' proof for all inputs; ``out`` gets the certificate."""
        return self.compile().prove(out)

    def run(self, ids: Sequence[int]) -> list[int]:
        """The right answers, by the definitions alone."""
        from separation.tasks.program import answers

        return answers(self.definitions.at_length(max(1, len(ids))), ids)

    @staticmethod
    def from_rasp(sop: Any, vocabulary: Iterable[Any], length: int) -> Any:
        """A RASP program as the oracle and Tracr's weights as the model: `separation.programs.rasp.RaspProgram`."""
        from separation.programs.rasp import RaspProgram

        return RaspProgram(sop, vocabulary, length)

    # ---- inside

    def stands_before(self, a: Tokens, b: Tokens) -> bool:
        """Is the kind a earlier in the prompt than b?"""
        names = [kind.name for kind in self.so_far.kinds]
        return names.index(a.name) < names.index(b.name)

    def require_own(self, variable: Variable) -> None:
        if variable.kind.program is not self:
            raise InputError(f"{variable} is of another program, {quoted(variable.kind.program.name)}")

    def add(self, definition: Definition, kind: Tokens) -> Variable:
        self.so_far = replace(self.so_far, definitions=(*self.so_far.definitions, definition))
        return Variable(kind, definition.name)

    def new_name(self, name: str | None, otherwise: str) -> str:
        """The name that is asked for, or one that is free."""
        return new_name(otherwise, {v for _, v in self.so_far.sizes}) if name is None else name

    def _one_kind(self, inputs: Sequence[Variable]) -> Tokens:
        for variable in inputs:
            if not isinstance(variable, Variable):
                raise InputError(f"{variable!r} is no variable of a token")
            self.require_own(variable)
        kinds = {v.kind.name: v.kind for v in inputs}
        if len(kinds) != 1:
            names = " and ".join(kinds) or "no token"
            raise InputError(f"a map or scan reads variables of one kind, these are of {names}; find them first")
        return next(iter(kinds.values()))

    def _asking(self, rule: Rule, inputs: Sequence[Variable], name: str) -> tuple[Ask, tuple[Variable, ...]]:
        """The rule as a function of the inputs, each of them once, perhaps with a state before them; it is not asked in
        cases that a table before it excludes."""
        kind, own = self._one_kind(inputs), {v.name: v for v in inputs}
        names, excluded = [*own], []
        for d in self.so_far.definitions:
            if isinstance(d, Map) and d.kind == kind.name and None in d.table and own.keys() >= set(d.inputs):
                cases = product(*(range(own[v].size) for v in d.inputs))
                none = {case for case, value in zip(cases, d.table, strict=True) if value is None}
                excluded.append(([names.index(v) for v in d.inputs], none))
        places = [names.index(v.name) for v in inputs]

        def ask(*case: int) -> int | None:
            states, values = case[: len(case) - len(own)], case[len(case) - len(own) :]
            if any(tuple(values[i] for i in at) in none for at, none in excluded):
                return None
            try:
                said = rule(*states, *(values[i] for i in places))
            except Exception as error:
                line = str(error).splitlines()[0] if str(error) else "no reason given"
                raise InputError(f"{name}{case} cannot be computed: {type(error).__name__}: {line}") from None
            if not (said is None or isinstance(said, Integral | np.bool_)):
                raise InputError(f"{name}{case} is {said!r}, and no integer")
            return None if said is None else int(said)

        return ask, tuple(own.values())


def _tabulated(ask: Ask, sizes: list[int], name: str) -> tuple[int | None, ...]:
    if prod(sizes) > MAX_TABLE:
        raise InputError(f"{name}: {prod(sizes)} cases; at most {MAX_TABLE} are tabulated")
    return tuple(ask(*case) for case in product(*map(range, sizes)))


def _reached(ask: Ask, cases: list[tuple[int, ...]], start: int, name: str, size: int | None) -> int:
    reached, edge = {start}, [start] if size is None or 0 <= start < size else []
    while edge:
        moves = [((s, *case), ask(s, *case)) for s in edge for case in cases]
        for case, to in moves:
            if size is not None and to is not None and not 0 <= to < size:
                beyond = f"{name}{case} is {to}, and not one of 0..{size - 1}"
                raise InputError(f"{beyond}; a case that does not occur is None")
        edge = sorted({to for _, to in moves if to is not None and to not in reached})
        reached.update(edge)
        if len(reached) * len(cases) > MAX_TABLE:
            raise InputError(f"{name} reaches more than {MAX_TABLE // len(cases)} values; give it a size")
        if edge and edge[0] < 0:
            raise InputError(f"{name} reaches {edge[0]}; its values count from 0")
    return max(reached) + 1


def _size(table: Sequence[int | None]) -> int:
    known = [value for value in table if value is not None]
    if not known:
        raise InputError("the table excludes every case: no input is left")
    return max(known) + 1


def _names(inputs: Sequence[Variable]) -> tuple[str, ...]:
    return tuple(v.name for v in inputs)
