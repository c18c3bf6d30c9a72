"""The part of the kernel that reads a task, and says what is right: docs/certificates.md, 'Tasks' and 'Programs'.

A task has kinds of tokens, in the order of the prompt, and `right_answers`: of FuncComp and 2-Sum as they are defined;
of a program by its definitions (map, find, count, scan), one after another; look-ups are a program of finds. Nothing
here knows of weights. Nothing but `kernel.py`, beside this file, and the standard library is imported.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cached_property
from math import prod

from separation.proving.kernel import (
    DIGITS,
    MAX_LENGTH,
    MAX_PRECISION,
    MAX_SHOWN,
    MAX_STORED,
    MAX_SUBSETS,
    MAX_WIDTH,
    ONE,
    bit_names,
    fields,
    funccomp_text,
    integer,
    limit,
    listed,
    log2_lower,
    many,
    need,
    product,
    products,
    refuse,
    show,
    spend,
    string,
    word,
)

TYPE_CHECKING = False  # as in kernel.py
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from separation.proving.kernel import Symbol, Variables

MAX_KINDS, MAX_DEFINITIONS, MAX_TABLE = 64, 256, 1 << 17  # of a program; entries of one table
RELATIONS = {"=": int.__eq__, "<": int.__lt__, ">": int.__gt__}  # a variable of the token, one of the reader
Variable = tuple[str, int]
Token = dict[str, int]


SUPPOSED = re.compile(r"i([0-9]{1,3}) at ([0-9]{1,5}) mod ([0-9]{1,5})\.([0-9]{1,5})")


class Kind:
    """A kind of token. `first`, `first_id`: its first row in the tables of positions and tokens; `count`: None is any
    number from 1 on, and all of them have one row; `address`: the variables that say where its tokens stand; `spelled`:
    those that its token id spells; `mirror`: M − x for the one spelled variable x; `own`: all of these and `further`
    ones, the later hops. Tables have a `level`. No two tokens are alike in `names`, by which facts name them: the
    address, unless the task says that spelled ones, which are `distinct`, tell them apart."""

    def __init__(
        self,
        name: str,
        first: int,
        first_id: int,
        address: Variables,
        spelled: Variables,
        distinct: Sequence[str] = (),
        mirror: Variables = (),
        further: Variables = (),
        level: int = 0,
        endless: bool = False,
    ) -> None:
        self.name, self.first, self.first_id, self.level = name, first, first_id, level
        self.address, self.spelled, self.mirror, self.distinct = address, spelled, mirror, list(distinct)
        self.own: Variables = [*address, *spelled, *mirror, *further]
        self.names = [(v, dict(spelled)[v]) for v in distinct] or address
        self.count: Any = None if endless else product(*(size for _, size in address))
        self.rows, self.ids = self.count or 1, prod(size for _, size in spelled)

    @cached_property
    def name_bits(self) -> list[str]:
        return bit_names(self.names)


class Map:
    """name = table(inputs), all of one token; None in the table: no input has this case."""

    def __init__(self, kind: str, name: str, size: int, inputs: list[str], sizes: list[int], table: list[Any]) -> None:
        self.kind, self.name, self.size, self.inputs, self.sizes, self.table = kind, name, size, inputs, sizes, table

    def rule(self, *values: int) -> int | None:
        found: int | None = self.table[mixed(values, self.sizes)]
        return found


class Find:
    """name = `read` at the visible token of the kind `target` that matches, of several the one with the largest or
    smallest `order`; `default` without a match, or the promise that there is one. read None: is there a match?"""

    def __init__(self, kind: str, name: str, target: str, where: list[Any], read: str | None) -> None:
        self.kind, self.name, self.target, self.where, self.read = kind, name, target, where, read
        self.order: str | None = None
        self.largest, self.once = True, False
        self.default: int | None = None

    @property
    def otherwise(self) -> int | None:
        return 0 if self.read is None else self.default

    @property
    def match(self) -> tuple[Any, ...]:
        """Finds with the same one find the same token."""
        return self.kind, self.target, tuple(map(tuple, self.where)), self.order, self.largest


class Count:
    """name = the number of visible tokens of the kind `target` that match."""

    def __init__(self, kind: str, name: str, target: str, where: list[Any]) -> None:
        self.kind, self.name, self.target, self.where = kind, name, target, where


class Scan:
    """name = table(name at the token before, inputs) along the tokens of some kinds, in the order of the prompt."""

    def __init__(self, name: str, size: int, start: int, over: dict[str, Map]) -> None:
        self.name, self.size, self.start, self.over = name, size, start, over


Definition = Map | Find | Count | Scan


def mixed(values: Any, sizes: list[int]) -> int:
    """The mixed-radix number of the values, the first most significant."""
    number = 0
    for value, size in zip(values, sizes, strict=True):
        number = number * size + value
    return number


def prompt_of(kinds: Sequence[Kind], ids: list[int]) -> list[tuple[str, Token]]:
    """The tokens, each with its kind: of an endless kind as many as there are ids more than the others need."""
    free = [kind for kind in kinds if kind.count is None]
    more = len(ids) - sum(kind.count or 0 for kind in kinds)
    need(len(free) <= 1 and (more > 0 if free else more == 0), "an input of another length")
    spend(2 * len(ids))
    prompt: list[tuple[str, Token]] = []
    for kind in kinds:
        for position in range(kind.count or more):
            rest = ids[len(prompt)] - kind.first_id
            need(0 <= rest < kind.ids, "an input has an id of another kind")
            token = {"position": position}
            for v, size in reversed(kind.spelled):
                rest, token[v] = divmod(rest, size)
            prompt.append((kind.name, token))
    return prompt


def plain(value: Any) -> Any:
    """A document as a value that can be compared: the order of keys means nothing."""
    if isinstance(value, dict):
        return sorted((key, plain(part)) for key, part in value.items())
    return [plain(part) for part in value] if isinstance(value, list) else value


Answers = list[tuple[int, int]]  # places in the prompt, and the right answers there


class NoInput(Exception):
    """A promise of the program does not hold."""


class Program:
    """The program of a document, well-formed; its oracle is `answers`."""

    most = 62  # bits of the numbers of ids and tokens of a kind

    def __init__(self, value: Any) -> None:
        self.kinds: dict[str, Kind] = {}
        self.sizes: dict[tuple[str, str], int | None] = {}  # of every variable of a kind; None: position without end
        self.definitions: list[Definition] = []
        self.read(value)

    def read(self, value: Any) -> None:
        _, name, kinds, definitions, answer = fields(value, "task name kinds definitions answer")
        self.name = string(name)
        limit(0 < len(listed(kinds)) <= MAX_KINDS, f"program: not 1 to {MAX_KINDS} kinds")
        limit(len(listed(definitions)) <= MAX_DEFINITIONS, f"program: more than {MAX_DEFINITIONS} definitions")
        for part in kinds:
            self.read_kind(part)
        for part in definitions:
            readers: Any = {
                "map": self.read_map,
                "find": self.read_find,
                "count": self.read_count,
                "scan": self.read_scan,
            }
            which = part.get("define") if isinstance(part, dict) else None
            need(isinstance(which, str) and which in readers, "program: a definition is map, find, count or scan")
            self.definitions.append(readers[which](part))
        self.answer_kind, self.answer = self.variable(*listed(answer, 2))
        counts = ", ".join(
            f"{'any number of' if kind.count is None else kind.count} {kind.name}" for kind in self.kinds.values()
        )
        self.text = f"the program that its file writes down ({counts}; {self.answer[0]} at each {self.answer_kind})"
        meant = {key: value[key] for key in ("kinds", "definitions", "answer")}  # the name is a label
        self.key = "program", plain(meant)

    # ---- reading

    def read_kind(self, part: Any) -> None:
        name, count, token, distinct, alphabet = fields(part, "name count token distinct alphabet")
        need(word(name) not in self.kinds, "program: a kind is named twice")
        spelled = [(word(v), integer(size, 1)) for v, size in (listed(pair, 2) for pair in listed(token))]
        limit(len(spelled) <= MAX_KINDS, "program: a token spells too many variables")
        own = [v for v, _ in spelled]
        need(len({*own, "position"}) == len(own) + 1, "program: a variable is spelled twice")
        names = [word(v) for v in listed(distinct)]
        need(set(names) <= set(own) and len(set(names)) == len(names), "program: distinct names what is not spelled")
        first_id = max((other.first_id + other.ids for other in self.kinds.values()), default=0)
        if alphabet is not None:
            need(isinstance(alphabet, str) and alphabet in self.kinds, "program: the alphabet of no earlier kind")
            same = [size for _, size in self.kinds[alphabet].spelled] == [size for _, size in spelled]
            need(same, "program: an alphabet of other sizes")
            first_id = self.kinds[alphabet].first_id
        endless = count == "any"
        address = [] if endless else [("position", integer(count, 1))]
        first = sum(other.rows for other in self.kinds.values())
        kind = Kind(name, first, first_id, address, spelled, names, endless=endless)
        limit(max(kind.ids, kind.rows).bit_length() <= self.most, "program: too many ids or tokens")
        self.kinds[name] = kind
        self.sizes |= {(name, v): size for v, size in spelled} | {(name, "position"): kind.count}

    def variable(self, kind: Any, name: Any) -> tuple[str, Variable]:
        """A variable that a kind has so far; the position of an endless kind is none."""
        size = self.sizes.get((word(kind), word(name)))
        if size is None:
            need(False, f"program: {kind} has no variable {name}, or it has no end")
        return kind, (name, size or 0)

    def define(self, kind: Any, name: Any, size: int) -> None:
        need(word(kind) in self.kinds and (kind, word(name)) not in self.sizes, "program: no such kind, or no new name")
        self.sizes[kind, name] = size

    def read_table(self, size: int, sizes: list[int], table: Any) -> list[Any]:
        limit(prod(sizes) <= MAX_TABLE, f"program: a table of more than {MAX_TABLE} entries")
        rows = listed(table, prod(sizes))
        return [None if value is None else integer(value, 0, size - 1) for value in rows]

    def read_map(self, part: Any) -> Map:
        _, kind, name, size, inputs, table = fields(part, "define kind name size inputs table")
        found = [self.variable(kind, v)[1] for v in listed(inputs)]
        need(len(dict(found)) == len(found), "program: an input is named twice")
        sizes = [r for _, r in found]
        rows = self.read_table(integer(size, 1), sizes, table)
        self.define(kind, name, integer(size, 1))
        return Map(kind, name, integer(size, 1), [v for v, _ in found], sizes, rows)

    def read_where(self, kind: Any, target: Any, where: Any) -> list[Any]:
        """[a, relation, b]: a variable of the target, and of the reader or a number."""
        found: list[Any] = []
        for a, relation, b in (listed(atom, 3) for atom in listed(where)):
            need(isinstance(relation, str) and relation in RELATIONS, "program: a relation is =, < or >")
            other = self.variable(kind, b)[1][0] if isinstance(b, str) else integer(b)
            found.append([self.variable(target, a)[1][0], relation, other])
        limit(len(found) <= MAX_KINDS, "program: too many conditions")
        return found

    def read_find(self, part: Any) -> Find:
        _, kind, name, target, where, *rest = fields(part, "define kind name target where read best default once")
        read, best, default, once = rest
        d = Find(kind, name, target, self.read_where(kind, target, where), read)
        self.variable_or_kind(target)
        size = 2 if read is None else self.variable(target, read)[1][1]
        need(isinstance(once, bool), "program: once is neither true nor false")
        d.once, d.default = once, None if default is None else integer(default)
        need(read is not None or default is None, "program: whether there is a match has no default")
        if best is not None:
            most, order = listed(best, 2)
            need(most in ("largest", "smallest") and read is not None, "program: best is neither largest nor smallest")
            d.largest, d.order = most == "largest", self.variable(target, order)[1][0]
        alike = read is None or read == d.order or any(a == read and rel == "=" for a, rel, _ in d.where)
        need(alike or self.single(d), f"program: {name} is not defined where several tokens match")
        self.define(kind, name, max(size, (d.default or 0) + 1))
        return d

    def variable_or_kind(self, kind: Any) -> None:
        need(isinstance(kind, str) and kind in self.kinds, "program: no such kind")

    def single(self, d: Find) -> bool:
        """At most one visible token is what d finds."""
        target = self.kinds[d.target]
        equal = {a for a, relation, _ in d.where if relation == "="}
        named = bool(target.distinct) and set(target.distinct) <= {*equal, d.order}
        return target.count == 1 or "position" in equal or d.order == "position" or d.once or named

    def read_count(self, part: Any) -> Count:
        _, kind, name, target, where = fields(part, "define kind name target where")
        d = Count(kind, name, target, self.read_where(kind, target, where))
        self.variable_or_kind(target)
        most = self.kinds[target].count
        if most is None:
            need(False, "program: a count of tokens without end")
        self.define(kind, name, (most or 0) + 1)
        return d

    def read_scan(self, part: Any) -> Scan:
        _, name, size, start, over = fields(part, "define name size start over")
        states = integer(size, 1)
        d = Scan(name, states, integer(start, 0, states - 1), {})
        for piece in listed(over):
            kind, inputs, table = fields(piece, "kind inputs table")
            need(isinstance(kind, str) and kind in self.kinds and kind not in d.over, "program: a scan's kinds")
            found = [self.variable(kind, v)[1] for v in listed(inputs)]
            need(len(dict(found)) == len(found), "program: an input is named twice")
            sizes = [states, *(r for _, r in found)]
            rows = self.read_table(states, sizes, table)
            d.over[kind] = Map(kind, name, states, [v for v, _ in found], sizes, rows)
        need(bool(d.over), "program: a scan over no tokens")
        for kind in d.over:
            self.define(kind, name, states)
        return d

    # ---- what it means

    def answers(self, ids: list[int]) -> list[tuple[int, int]]:
        """(place in the prompt, right answer) wherever one is asked; NoInput if a promise does not hold. The
        definitions, executed one after another."""
        prompt = prompt_of(list(self.kinds.values()), ids)
        for kind in self.kinds.values():
            names = [tuple(t[v] for v in kind.distinct) for k, t in prompt if k == kind.name]
            if kind.distinct and len(set(names)) < len(names):
                raise NoInput
        for d in self.definitions:
            spend(len(prompt))
            if isinstance(d, Scan):
                self.scan(d, prompt)
                continue
            visible: dict[tuple[int, ...], list[Token]] = {}  # by what equalities ask for
            for kind_name, token in prompt:
                if not isinstance(d, Map) and kind_name == d.target:
                    visible.setdefault(tuple(token[a] for a, relation, _ in d.where if relation == "="), []).append(
                        token
                    )
                if kind_name != d.kind:
                    continue
                if isinstance(d, Map):
                    value = d.rule(*(token[v] for v in d.inputs))
                else:
                    found = self.matches(d, visible, token)
                    value = len(found) if isinstance(d, Count) else self.choose(d, found)
                if value is None:
                    raise NoInput
                token[d.name] = value
        name = self.answer[0]
        return [(place, token[name]) for place, (kind, token) in enumerate(prompt) if kind == self.answer_kind]

    def matches(self, d: Find | Count, visible: dict[tuple[int, ...], list[Token]], reader: Token) -> list[Token]:
        asked = [(a, relation, reader[b] if isinstance(b, str) else b) for a, relation, b in d.where]
        found = visible.get(tuple(number for _, relation, number in asked if relation == "="), [])
        spend(1 + len(found) * len(asked))
        rest = [(a, RELATIONS[relation], number) for a, relation, number in asked if relation != "="]
        return [token for token in found if all(test(token[a], number) for a, test, number in rest)]

    def scan(self, d: Scan, prompt: list[tuple[str, Token]]) -> None:
        value: int | None = d.start
        for kind, token in prompt:
            if kind in d.over:
                step = d.over[kind]
                value = step.rule(value or 0, *(token[v] for v in step.inputs))
                if value is None:
                    raise NoInput
                token[d.name] = value

    def choose(self, d: Find, found: list[Token]) -> int | None:
        if d.once and len(found) > 1:
            return None
        if d.read is None:
            return int(bool(found))
        if d.order is not None and found:
            best = (max if d.largest else min)(token[d.order] for token in found)
            found = [token for token in found if token[d.order or ""] == best]
        values: set[int | None] = {token[d.read] for token in found} or {d.default}
        refuse(len(values) > 1, f"{d.name}: several tokens match and are not read alike")
        return values.pop()

    def powers(self) -> list[tuple[int, int]] | None:
        """The number of inputs as a product of powers (base, exponent); None with a promise or a kind without end."""
        free = all(not kind.distinct and kind.count is not None for kind in self.kinds.values())
        tables = [d.table for d in self.definitions if isinstance(d, Map)]
        tables += [step.table for d in self.definitions if isinstance(d, Scan) for step in d.over.values()]
        free = free and not any(None in table for table in tables)
        finds = [d for d in self.definitions if isinstance(d, Find)]
        if not free or any(d.once or d.otherwise is None for d in finds):
            return None
        return [(kind.ids, kind.count or 1) for kind in self.kinds.values()]


class LookUps(Program):
    """A program of finds, each of the one token of an earlier kind that has the names asked for. A variable `of` a kind
    has only values that some token of that kind has as its name: so there is such a token."""

    most = MAX_PRECISION

    def read(self, value: Any) -> None:
        _, label, kinds, finds, answer = fields(value, "task name kinds finds answer")
        limit(max(len(listed(kinds)), len(listed(finds))) <= MAX_SHOWN, "look-ups: too many kinds or finds")
        _ = string(label)  # nothing is claimed of it
        self.of: dict[tuple[str, str], str] = {}
        self.facts: list[tuple[str, str, list[tuple[str, str]]]] = []  # reader, target, its variables and the reader's
        described: list[Any] = []  # the task as it was read: whole fractions and the order of keys mean nothing
        texts = [self.read_named(part) for part in kinds]
        need(bool(texts), "look-ups: no kind")
        self.promised = dict(self.of)
        for (name, v), target in self.of.items():
            need(target in self.kinds, f"look-ups: {name} names a kind that is not there")
            same = [size for _, size in self.kinds[target].names] == [self.sizes[name, v]]
            need(same, f"look-ups: {v} of {name} is no name of {target}")
        described += [(k.name, k.count, k.spelled, k.names) for k in self.kinds.values()] + [self.promised]
        texts += [self.read_look_up(find, described) for find in finds]
        self.answer_kind = next(reversed(self.kinds))
        self.answer = self.variable(self.answer_kind, answer)[1]
        self.key = "look_ups", *described, self.answer
        self.text = f"the look-ups with {'; '.join(texts)}; the last kind is asked for {answer}"

    def read_named(self, part: Any) -> str:
        name, count, token, named = fields(part, "name count token named_by")
        triples = [listed(entry, 3) for entry in listed(token)]
        limit(len(triples) <= MAX_SHOWN, "look-ups: too many variables")
        names = [word(v) for v in listed(named)]
        need(bool(names) and count != "any", f"look-ups: what names {name} is not known")
        apart = names if names != ["position"] else []
        pairs = [[v, size] for v, size, _ in triples]
        self.read_kind({"name": name, "count": count, "token": pairs, "distinct": apart, "alphabet": None})
        of = {v: word(kind) for v, _, kind in triples if kind is not None}
        need(not set(apart) & set(of), f"look-ups: what names {name} names others")
        self.of |= {(name, v): kind for v, kind in of.items()}
        kind = self.kinds[name]
        need(kind.count <= prod(size for _, size in kind.names), f"look-ups: {name} has more tokens than names")
        shown = [f"{v} below {show(size)}{f' of {of[v]}' if v in of else ''}" for v, size in kind.spelled]
        return f"{many(kind.count, 'token')} {name} ({', '.join(shown)}), told apart by {', '.join(names)}"

    def read_look_up(self, find: Any, described: list[Any]) -> str:
        """A find for each variable that the reader knows."""
        by, target, at, told = fields(find, "reader kind at as")
        order = list(self.kinds)
        need(by in order and target in order, "look-ups: a find of an unknown kind")
        need(order.index(target) < order.index(by), "look-ups: a find in a kind that does not stand before the reader")
        kind, asked = self.kinds[target], [self.variable(by, word(v))[1] for v in listed(at)]
        need([r for _, r in asked] == [r for _, r in kind.names], f"look-ups: {target} has other names")
        sure = not kind.distinct or [self.of.get((by, v)) for v, _ in asked] == [target]
        need(sure, f"look-ups: nothing says that {target} has the token that {by} asks for")
        where = [[n, "=", v] for (n, _), (v, _) in zip(kind.names, asked, strict=True)]
        pairs = [listed(pair, 2) for pair in told]
        for theirs, ours in pairs:
            rest = {"read": word(theirs), "best": None, "default": None, "once": False}
            part = {"define": "find", "kind": by, "name": ours, "target": target, "where": where, **rest}
            self.definitions.append(self.read_find(part))
            if (target, theirs) in self.of:
                self.of[by, ours] = self.of[target, theirs]
        limit(sum(k == by for k, _ in self.sizes) <= 4 * MAX_SHOWN, "look-ups: too many variables")
        self.facts.append((by, target, [(n, v) for n, _, v in where] + [(theirs, ours) for theirs, ours in pairs]))
        described.append(self.facts[-1])
        known_as = ", ".join(f"its {theirs} as {ours}" for theirs, ours in pairs)
        names = ", ".join(v for v, _ in asked)
        return f"a token of {by} knows of that of {target} at its {names} {known_as or 'nothing'}"

    def answers(self, ids: list[int]) -> list[tuple[int, int]]:
        prompt = prompt_of(list(self.kinds.values()), ids)
        for (name, v), target in self.promised.items():
            ((known, _),) = self.kinds[target].names
            if not {t[v] for k, t in prompt if k == name} <= {t[known] for k, t in prompt if k == target}:
                raise NoInput
        return super().answers(ids)

    def powers(self) -> list[tuple[int, int]] | None:
        """Different names; of a kind's names as many as it has tokens; all else is free."""
        found: list[tuple[int, int]] = []
        for kind in self.kinds.values():
            if kind.distinct:
                codes = prod(size for _, size in kind.names)
                few = kind.count * codes.bit_length() <= MAX_SUBSETS  # else fewer are counted than there are
                first = codes - kind.count + 1
                found.append((prod(range(first, codes + 1)), 1) if few else (first, kind.count))
            for v, size in kind.spelled:
                if v not in kind.distinct:
                    of = self.promised.get((kind.name, v))
                    found.append((size if of is None else self.kinds[of].count, kind.count))
        return found


class Task:
    """The kinds of tokens in the order of the prompt; the answers in `groups`, with the first row and the variables
    that the place in the group spells; `emissions`: which kinds answer, and in which group."""

    def __init__(self, value: Any, both: bool = False) -> None:
        self.kinds: list[Kind] = []
        self.length, self.both, self.tables, self.sizes = 0, both, 0, list[int]()
        name = value.get("task") if isinstance(value, dict) else None
        self.two_sum = name == "two_sum"
        self.oracle: Any = None  # of a program or of look-ups
        self.program: Any = None
        self.finds: list[tuple[int, int, dict[str, str]]] = []
        self.tokens: Any = 0  # None: any number
        readers = {"look_ups": self.read_program, "two_sum": self.read_two_sum, "program": self.read_program}
        shared = readers.get(str(name), self.read_funccomp)(value)
        self.global_bits = {ONE, *bit_names(shared)}

    def read_two_sum(self, value: Any) -> Variables:
        """n tokens x, each with y = M − x, and M odd, so that y fits x's bits and is never x. Answers are 0 and 1."""
        _, length, modulus = fields(value, "task length modulus")
        n, m = integer(length, 1), integer(modulus, 3)
        need(m % 2 == 1 and not self.both, "2-Sum: the modulus is even, or attention is not causal")
        limit(max(n, m).bit_length() <= MAX_PRECISION, "the task is too large")
        self.key: tuple[Any, ...] = "two_sum", n, m
        self.add_kind("x", 0, [("position", n)], [("x", m)], mirror=[("y", m)])
        self.tokens, self.ids, self.answers = n, m, 2
        self.powers: Any = [(m - 1, n)]
        self.text = f"2-Sum with n = {show(n)} tokens modulo M = {show(m)}"
        self.groups: list[tuple[int, Variables]] = [(0, [("answer", 2)])]
        return []

    def read_funccomp(self, value: Any) -> Variables:
        """Sizes N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ. With thoughts, the generated tokens that are read again stand behind w. By
        causality that is a proof of the decoded run, so it is not for attention both ways."""
        chain = isinstance(value, dict) and "thoughts" in value
        task, first, rest, *thoughts = fields(value, "task m n thoughts" if chain else "task m n")
        m, n = integer(first, 1), [integer(size, 1) for size in listed(rest)]
        need(task == "funccomp", "unknown task")
        limit(len(n) < MAX_LENGTH, "too many tables")
        sizes = self.sizes = products([m, *n])
        self.tables, last, bits = len(sizes), sizes[-1], sizes[-1].bit_length()
        room = bits * self.tables ** (2 if self.both else 1) <= MAX_STORED
        limit(bits <= MAX_PRECISION and room, "the task is too large")
        self.key = "funccomp", m, *n, *thoughts
        self.text = funccomp_text(show(m), map(show, n)) + (f" and thoughts ({thoughts[0]})" if chain else "")
        self.powers = [*((size, 1) for size in (m, *n)), *((size, size) for size in sizes)]
        w = [(f"w{ell}", size) for ell, size in enumerate(n, 1)]
        hops = [(f"i{ell}", size) for ell, size in enumerate([m, *sizes])]
        for ell in range(self.tables, 0, -1):
            address = [("digit", n[ell - 2]), ("index", sizes[ell - 2])] if ell > 1 else [("index", m)]
            further = [(f"h{e}", sizes[e - 1]) for e in range(ell + 1, self.tables + 1) if self.both]
            self.add_kind(f"table {ell}", 0, address, [("value", sizes[ell - 1])], further=further, level=ell)
        self.add_kind("z0", 0, [], hops[:1])
        self.add_kind("w", last, [], w)
        self.tokens, self.ids, self.answers, emitted = self.length, last + prod(n), last, [0]
        self.groups = [(0, hops[-1:])]
        if chain:
            styles: dict[str, list[tuple[str, Variables]]] = {
                "hops": [(f"hop {e}", [hops[e]]) for e in range(1, self.tables + 1)],
                "addresses": [(f"address {e}", [w[e - 2], hops[e - 1]]) for e in range(2, self.tables + 1)],
                "records": [(f"record {e}", [*w, hops[e]]) for e in range(self.tables + 1)],
            }
            style = string(thoughts[0])
            need(style in styles and not self.both, "unknown thoughts, or attention is not causal")
            self.groups.append((last, w))
            for _, spelled in styles[style]:
                self.groups.append((self.ids, spelled))
                self.ids += prod(size for _, size in spelled)
            emitted = [*range(2, len(self.groups)), *([0] if style == "addresses" else [])]
            for group, (name, spelled) in zip(emitted[:-1], styles[style], strict=False):
                self.add_kind(name, self.groups[group][0], [], spelled)
            self.answers = self.ids
        self.emissions = list(enumerate(emitted, self.tables + 1))  # w is the kind after the tables and z0
        return [*w, *hops]

    def read_program(self, value: Any) -> Variables:
        """Its kinds and definitions: of look-ups their finds, of a program what kernel_programs.py proves."""
        need(not self.both, "a program, or look-ups: attention is causal")
        self.oracle = LookUps(value) if value["task"] == "look_ups" else Program(value)
        self.kinds, self.key, self.text = list(self.oracle.kinds.values()), self.oracle.key, self.oracle.text
        self.length = sum(kind.rows for kind in self.kinds)
        self.ids = max(kind.first_id + kind.ids for kind in self.kinds)
        self.tokens = None if any(kind.count is None for kind in self.kinds) else self.length
        self.answers, self.powers = self.oracle.answer[1], self.oracle.powers()
        self.groups = [(0, [self.oracle.answer])]
        if isinstance(self.oracle, LookUps):
            order, sizes = list(self.oracle.kinds), self.oracle.sizes
            for kind in self.kinds:
                kind.own = [(v, size or 0) for (name, v), size in sizes.items() if name == kind.name]
            for by, target, pairs in self.oracle.facts:
                theirs, ours = ([(p[i], sizes[k, p[i]] or 0) for p in pairs] for i, k in enumerate((target, by)))
                fact = dict(zip(bit_names(theirs), bit_names(ours), strict=True))
                self.finds.append((order.index(by), order.index(target), fact))
            self.emissions = [(len(order) - 1, 0)]
        else:
            self.program = self.oracle
        return []

    def add_kind(self, name: str, first_id: int, address: Variables, spelled: Variables, **more: Any) -> None:
        self.kinds.append(Kind(name, self.length, first_id, address, spelled, **more))
        self.length += self.kinds[-1].count

    def shared(self, symbol: Symbol) -> bool:
        """Is it `1`, or a bit that is the same number wherever it is mentioned?"""
        return isinstance(symbol, str) and (symbol in self.global_bits or self.supposed(symbol) is not None)

    def supposed(self, symbol: str) -> tuple[int, int, int] | None:
        """(ℓ, j, q) of a bit of `iℓ at j mod q`, with 2 ≤ q a power of two: what table ℓ says at (w_{ℓ-1}, x), where x
        is i_{ℓ-1} with its last log2 q bits replaced by those of j. Whatever i_{ℓ-1} is, x must be below the size of
        i_{ℓ-1}: that is a multiple of q and j < q, or q is the next power of two, so that x = j, and j is below it."""
        found = SUPPOSED.fullmatch(symbol) if " at " in symbol else None
        if found is None:
            return None
        ell, j, q, place = map(int, found.groups())
        if symbol != f"i{ell} at {j} mod {q}.{place}" or not 2 <= ell <= self.tables or not 2 <= q <= MAX_WIDTH:
            return None
        size = self.sizes[ell - 2]
        is_index = (size % q == 0 and j < q) or (q == 1 << (size - 1).bit_length() and j < size)
        is_bit = q & (q - 1) == 0 and place < (self.sizes[ell - 1] - 1).bit_length()
        return (ell, j, q) if is_index and is_bit else None

    def inputs_log2(self, more: int = 0) -> Fraction:
        """A lower bound of log2 of the number of inputs, exact if that is an integer: it is m·W·Π N_{ℓ-1}^{N_{ℓ-1}} for
        FuncComp and (M−1)^n for 2-Sum. With `more` digits than DIGITS of the logarithms."""
        return sum((exponent * log2_lower(n, DIGITS + more) for n, exponent in self.powers), Fraction(0))

    def has_inputs(self, log2: int) -> bool:
        """There are 2^log2 inputs; not known under promises. An exponent, at most the number of tokens, multiplies the
        error of a logarithm."""
        if self.powers is None:
            return False
        return log2 <= self.inputs_log2() or log2 <= self.inputs_log2(self.length.bit_length())

    def right_answers(self, ids: list[int]) -> tuple[list[int], Answers] | None:
        """The tokens that are run (with thoughts all right ones but the last behind the prompt), and (place, right
        answer) wherever one is asked for; None if the promises are not met."""
        if self.oracle is not None:
            try:
                return ids, self.oracle.answers(ids)
            except NoInput:
                return None
        prompt = prompt_of(self.kinds[: self.tables + 2], ids)  # generated kinds stand behind it
        spend(16 * len(ids))
        if self.two_sum:
            M = self.key[2]
            need(0 not in ids, "an input has an id of another kind")
            return ids, [(t, int(M - x in ids[: t + 1])) for t, x in enumerate(ids)]
        known = dict[str, int]()
        tables: dict[str, list[int]] = {}
        for name, token in prompt:
            if "value" in token:
                tables.setdefault(name, []).append(token["value"])
            else:
                known |= token
        N = [1, *self.sizes]
        for ell in range(1, self.tables + 1):  # i_ℓ = z_ℓ(w_{ℓ-1}·N_{ℓ-2} + i_{ℓ-1})
            digit = known[f"w{ell - 1}"] if ell > 1 else 0
            known[f"i{ell}"] = tables[f"table {ell}"][digit * N[ell - 1] + known[f"i{ell - 1}"]]
        groups = (self.groups[group] for _, group in self.emissions)
        said = [first + mixed([known[v] for v, _ in over], [r for _, r in over]) for first, over in groups]
        return ids + said[:-1], [(len(ids) - 1 + k, v) for k, v in enumerate(said)]

    def read_input(self, value: Any) -> tuple[list[int], int]:
        """The ids of an input of the task, which its document says, and the last right answer."""
        need(self.oracle is None, "pairs are defined for FuncComp and 2-Sum")
        if self.two_sum:
            name, modulus, x = fields(value, "task modulus x")
            need(self.key == (name, len(listed(x)), integer(modulus)), "an input of another task")
            ids = [integer(n, 1, self.key[2] - 1) for n in x]
        else:
            name, m, n, z0, tables, w = fields(value, "task m n z0 tables w")
            sizes = [integer(size) for size in (m, *listed(n))]
            need(self.key == (name, *sizes), "an input of another task")
            asked = zip([z0, *listed(w, len(sizes) - 1)], sizes, strict=True)
            start, *digits = (integer(c, 0, size - 1) for c, size in asked)
            parts = zip(listed(tables, len(sizes)), self.sizes, strict=True)
            entries = [[integer(c, 0, N - 1) for c in listed(table, N)] for table, N in parts]
            ids = [c for table in reversed(entries) for c in table]
            ids += [start, self.sizes[-1] + mixed(digits, sizes[1:])]
        found = self.right_answers(ids)
        return ids, found[1][-1][1] if found else 0
