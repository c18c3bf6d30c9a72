"""The part of the kernel that reads a program, runs it, and lists what it says: docs/certificates.md, 'Programs'.

A program is a list of kinds of tokens and of definitions (map, find, count, scan), each of a new variable of a token,
and names one of them the answer. Nothing here knows of weights. Nothing but `kernel.py`, beside this file, and the
standard library is imported.
"""

from __future__ import annotations

from math import prod

from separation.proving.kernel import fields, integer, limit, listed, need, refuse, spend, string, word

TYPE_CHECKING = False  # as in kernel.py
if TYPE_CHECKING:
    from typing import Any

MAX_KINDS, MAX_DEFINITIONS, MAX_TABLE = 64, 256, 1 << 17  # of a program; entries of one table
RELATIONS = {"=": int.__eq__, "<": int.__lt__, ">": int.__gt__}  # a variable of the token, one of the reader
Variable = tuple[str, int]
Token = dict[str, int]


class Kind:
    """`count` tokens (None: any number from 1 on) that spell variables; no two agree in all of `distinct`, if there are
    any. Its ids start at `first_id`, its rows of positions at `first`; all tokens of an endless kind have one row."""

    def __init__(self, name: str, count: int | None, spelled: list[Variable], distinct: list[str]) -> None:
        self.name, self.count, self.spelled, self.distinct = name, count, spelled, distinct
        self.rows, self.ids = count or 1, prod(size for _, size in spelled)
        self.first = self.first_id = 0


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


def plain(value: Any) -> Any:
    """A document as a value that can be compared: the order of keys means nothing."""
    if isinstance(value, dict):
        return sorted((key, plain(part)) for key, part in value.items())
    return [plain(part) for part in value] if isinstance(value, list) else value


class NoInput(Exception):
    """A promise of the program does not hold."""


class Program:
    """The program of a document, well-formed; its oracle `answers`."""

    def __init__(self, value: Any) -> None:
        _, name, kinds, definitions, answer = fields(value, "task name kinds definitions answer")
        self.name = string(name)
        limit(0 < len(listed(kinds)) <= MAX_KINDS, f"program: not 1 to {MAX_KINDS} kinds")
        limit(len(listed(definitions)) <= MAX_DEFINITIONS, f"program: more than {MAX_DEFINITIONS} definitions")
        self.kinds: dict[str, Kind] = {}
        self.sizes: dict[tuple[str, str], int | None] = {}  # of every variable of a kind; None: position without end
        for part in kinds:
            self.read_kind(part)
        self.length = sum(kind.rows for kind in self.kinds.values())
        self.ids = max(kind.first_id + kind.ids for kind in self.kinds.values())
        self.endless = any(kind.count is None for kind in self.kinds.values())
        self.definitions: list[Definition] = []
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
        kind = Kind(name, None if count == "any" else integer(count, 1), spelled, names)
        limit(kind.ids < 1 << 62 and kind.rows < 1 << 62, "program: too many ids or tokens")
        kind.first = sum(other.rows for other in self.kinds.values())
        kind.first_id = max((other.first_id + other.ids for other in self.kinds.values()), default=0)
        if alphabet is not None:
            need(isinstance(alphabet, str) and alphabet in self.kinds, "program: the alphabet of no earlier kind")
            same = [size for _, size in self.kinds[alphabet].spelled] == [size for _, size in spelled]
            need(same, "program: an alphabet of other sizes")
            kind.first_id = self.kinds[alphabet].first_id
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

    def tokens(self, ids: list[int]) -> list[tuple[str, Token]]:
        """The prompt: of an endless kind as many tokens as there are ids more than the others need."""
        kinds = list(self.kinds.values())
        free = [kind for kind in kinds if kind.count is None]
        more = len(ids) - sum(kind.count or 0 for kind in kinds)
        need(len(free) <= 1 and (more > 0 if free else more == 0), "an input of another length")
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

    def answers(self, ids: list[int]) -> list[tuple[int, int]]:
        """(place in the prompt, right answer) wherever one is asked; NoInput if a promise does not hold. The
        definitions, executed one after another."""
        prompt = self.tokens(ids)
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
