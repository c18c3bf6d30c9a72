"""The inequalities of the Coq files as functions of integers, read from their own text: `CoqText`.

The part of Gallina that they are written in is interpreted: definitions and fixpoints over numbers, booleans, lists
and pairs, in the notation of mathcomp. Subtraction stops at 0, as in Coq. What is not read raises `NotRead`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from math import comb
from typing import Any, NamedTuple

from proofs_checks.kit.coq.files import FOLDER, without_comments

Environment = Mapping[str, Any]
Term = Callable[[Environment], Any]
"""From what its variables are to what it is: an integer, a boolean, a list, a pair or a function."""
Pattern = Callable[[Any], "dict[str, Any] | None"]
"""From a value to what the variables of the pattern are; None if it does not fit."""

_TOKEN = re.compile(
    r"\\sum_|'C|\[&&|\[::|\.[+-]\d|\.[12]\b|:=|=>|->|::|<=|==|&&|\|\||%/|[A-Za-z_][\w']*|\d+|[-+*^<=()\[\]{},;:&|~#]|\S"
)
BUILT_IN: dict[str, Any] = {
    "minn": lambda a: lambda b: min(a, b),
    "maxn": lambda a: lambda b: max(a, b),
    "muln": lambda a: lambda b: a * b,
    "true": True,
    "false": False,
    "id": lambda value: value,
    "sumn": sum,
    "size": len,
    "count": lambda holds: lambda members: sum(bool(holds(each)) for each in members),
    "all": lambda holds: lambda members: all(holds(each) for each in members),
    "foldr": lambda step: lambda start: lambda members: _folded(step, start, members),
}


class NotRead(Exception):
    """A text that is not in the part of Gallina that is interpreted here."""


def _folded(step: Any, value: Any, members: list[Any]) -> Any:
    for each in reversed(members):
        value = step(each)(value)
    return value


class Compared(NamedTuple):
    """A comparison that was evaluated."""

    left: int
    sign: str
    right: int

    @property
    def holds(self) -> bool:
        return {"<": self.left < self.right, "<=": self.left <= self.right}.get(self.sign, self.left == self.right)


READ = (
    "Definitions.v",
    "Theorems.v",
    "SharperDefinitions.v",
    "AverageDefinitions.v",
    "SharperTheorems.v",
    "SparseDefinitions.v",
    "ExactTheorems.v",
    "TheoremA.v",
)
"""The files that say what is claimed, and the one with the lemmas of the induction."""


@cache
def _texts() -> str:
    return "\n".join(without_comments((FOLDER / name).read_text()) for name in READ)


@dataclass(frozen=True)
class CoqText:
    """The Coq files, or a false neighbour of them: each of ``edits`` puts a new text where an old one stands."""

    edits: tuple[tuple[str, str], ...] = ()

    @cached_property
    def _text(self) -> str:
        whole = _texts()
        for old, new in self.edits:
            if old not in whole:
                raise NotRead(f"the Coq files do not say {old!r}")
            whole = whole.replace(old, new)
        return whole

    def function(self, name: str) -> Any:
        """A definition as a function of one argument after the other."""
        return _Scope(self, [])[name]

    def compared(self, theorem: str, **values: Any) -> list[Compared]:
        """Every comparison that a theorem's hypotheses on numbers make of these values, in the order of the text.

        All parts of a conjunction are evaluated, also behind one that is false.
        """
        scope = _Scope(self, [])
        for term in self._hypotheses(theorem):
            term({**values, SCOPE: scope})
        return scope.compared

    def term(self, theorem: str, pattern: str, **values: Any) -> Any:
        """The value of what a pattern captures in the text of a theorem."""
        found = re.search(pattern, self._whole(theorem), re.DOTALL)
        if found is None:
            raise NotRead(f"{theorem} does not say {pattern}")
        return _Parser(found[1]).whole()({**values, SCOPE: _Scope(self, [])})

    def side(self, theorem: str, place: int, **values: Any) -> Any:
        """The left (0) or right (1) side of a ≤ b that a theorem ends with, after its lets."""
        *lets, last = re.split(r"\bin\b", self._statement(theorem)[-1])
        known: dict[str, Any] = {**values, SCOPE: _Scope(self, [])}
        for each in lets:
            name, meaning = each.strip().removeprefix("let").split(":=")
            known[name.strip()] = _Parser(meaning).whole()(known)
        return _Parser(_parts(last, "<=")[place]).whole()(known)

    @cached_property
    def _read(self) -> dict[str, Any]:
        """Definitions and hypotheses that were parsed."""
        return {}

    def _hypotheses(self, theorem: str) -> list[Term]:
        """Those about numbers alone."""
        if theorem not in self._read:
            parts = self._statement(theorem)[:-1]
            self._read[theorem] = [_Parser(part).whole() for part in parts if not _OTHER.search(part)]
        found: list[Term] = self._read[theorem]
        return found

    def definition(self, name: str) -> tuple[list[str], Term]:
        """Its variables and its body."""
        if name not in self._read:
            found = re.search(rf"^(?:Definition|Fixpoint)\s+{name}\b(.*?)\.\s*$", self._text, re.DOTALL | re.MULTILINE)
            if found is None:
                raise NotRead(f"no file defines {name}")
            head, body = found[1].split(":=", 1)
            self._read[name] = _binders(head), _Parser(body).whole()
        pair: tuple[list[str], Term] = self._read[name]
        return pair

    def _statement(self, theorem: str) -> list[str]:
        """What stands between the arrows of a theorem, after its variables."""
        key = f"{theorem}, in parts"
        if key not in self._read:
            self._read[key] = self._cut(theorem)
        parts: list[str] = self._read[key]
        return parts

    def _whole(self, theorem: str) -> str:
        found = re.search(rf"^(?:Theorem|Lemma)\s+{theorem}\b(.*?)\.\s*^Proof\.", self._text, re.DOTALL | re.MULTILINE)
        if found is None:
            raise NotRead(f"no file states {theorem}")
        return found[1]

    def _cut(self, theorem: str) -> list[str]:
        body = _parts(self._whole(theorem), ":")[1]
        return _parts(_parts(body, ",")[1] if body.lstrip().startswith("forall") else body, "->", most=0)


SCOPE = "definitions of the files"
_OTHER = re.compile(r"#\||\b(?:md|F|Q|I|Vs|forall)\b")
"""What is no comparison of numbers: it is about the model, a layer, a set or all numbers."""


class _Scope:
    """What a name stands for that is no variable, and the comparisons that were made so far."""

    def __init__(self, text: CoqText, compared: list[Compared]) -> None:
        self.text, self.compared, self.known = text, compared, dict(BUILT_IN)

    def __getitem__(self, name: str) -> Any:
        if name not in self.known:
            variables, body = self.text.definition(name)
            self.known[name] = self._curried(variables, body, {})
        return self.known[name]

    def _curried(self, variables: list[str], body: Term, given: dict[str, Any]) -> Any:
        if len(given) == len(variables):
            return body({**given, SCOPE: self})
        return lambda value: self._curried(variables, body, {**given, variables[len(given)]: value})


def _parts(text: str, mark: str, most: int = 1) -> list[str]:
    """The text cut at marks outside of brackets; ``most`` cuts, or all if 0."""
    found: list[str] = []
    depth = start = place = 0
    while place < len(text) and (not most or len(found) < most):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[place], 0)
        if depth == 0 and text.startswith(mark, place):
            found.append(text[start:place])
            start = place = place + len(mark)
        else:
            place += 1
    return [*found, text[start:]]


def _binders(head: str) -> list[str]:
    """beta, m, n of `(beta : nat) (m n : nat) : bool` and of `beta m n`."""
    inside = re.findall(r"\(([^():]*):[^()]*(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*\)", head)
    return " ".join(inside).split() if inside else head.split()


class _Parser:
    """Recursive descent, a method for each level; tighter ones further down."""

    def __init__(self, text: str) -> None:
        self.tokens, self.place = _TOKEN.findall(text.replace("%num", "").replace("%nat", "")), 0

    def whole(self) -> Term:
        term = self.term()
        if self.place < len(self.tokens):
            raise NotRead(
                f"{self.peek!r} is not read after {' '.join(self.tokens[max(0, self.place - 8) : self.place])}"
            )
        return term

    @property
    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        found = self.peek
        if not found or (expected and found not in expected):
            raise NotRead(f"{found!r} stands where one of {expected} should")
        self.place += 1
        return found

    def accept(self, token: str) -> bool:
        if self.peek != token:
            return False
        self.place += 1
        return True

    # --- terms ---

    def term(self) -> Term:
        if self.accept("let"):
            name, _, meaning, _, rest = self.take(), self.take(":="), self.term(), self.take("in"), self.term()
            return lambda known: rest({**known, name: meaning(known)})
        if self.accept("if"):
            return self._choice()
        if self.accept("match"):
            return self._match()
        return self._either(self._both)

    def _either(self, one: Callable[[], Term]) -> Term:
        """What ``one`` reads, or several of it with || between; every one is evaluated."""
        terms = [one()]
        while self.accept("||"):
            terms.append(one())
        return terms[0] if len(terms) == 1 else lambda known: True in [bool(term(known)) for term in terms]

    def _choice(self) -> Term:
        asked = self._both()
        if not self.accept("is"):
            self.take("then")
            yes, _, no = self.term(), self.take("else"), self.term()
            return lambda known: yes(known) if asked(known) else no(known)
        pattern, _, yes, _, no = self.pattern(), self.take("then"), self.term(), self.take("else"), self.term()

        def chosen(known: Environment) -> Any:
            found = pattern(asked(known))
            return no(known) if found is None else yes({**known, **found})

        return chosen

    def _match(self) -> Term:
        asked = [self._both()]
        while self.accept(","):
            asked.append(self._both())
        self.take("with")
        cases: list[tuple[list[Pattern], Term]] = []
        while not self.accept("end"):
            self.take("|")
            patterns = [self.pattern()]
            while self.accept(","):
                patterns.append(self.pattern())
            self.take("=>")
            cases.append((patterns, self.term()))

        def matched(known: Environment) -> Any:
            values = [term(known) for term in asked]
            for patterns, body in cases:
                found = [pattern(value) for pattern, value in zip(patterns, values, strict=True)]
                if None not in found:
                    return body({**known, **{name: value for each in found if each for name, value in each.items()}})
            raise NotRead("no case matches")

        return matched

    def _both(self) -> Term:
        terms = [self._cons()]
        while self.accept("&&"):
            terms.append(self._cons())
        return terms[0] if len(terms) == 1 else _all_of(terms)

    def _cons(self) -> Term:
        head = self._compared()
        if not self.accept("::"):
            return head
        tail = self._cons()
        return lambda known: [head(known), *tail(known)]

    def _compared(self) -> Term:
        left = self._sum()
        if self.peek not in ("<", "<=", "==", "="):
            return left
        sign, right = self.take(), self._sum()

        def decided(known: Environment) -> bool:
            found = Compared(left(known), sign, right(known))
            known[SCOPE].compared.append(found)
            return found.holds

        return decided

    def _sum(self) -> Term:
        term = self._product()
        while self.peek in ("+", "-"):
            term = _subtracted(term, self._product()) if self.take() == "-" else _added(term, self._product())
        return term

    def _product(self) -> Term:
        term = self._power()
        while self.peek in ("*", "%/"):
            term = _multiplied(term, self._power()) if self.take() == "*" else _divided(term, self._power())
        return term

    def _power(self) -> Term:
        base = self._applied()
        if not self.accept("^"):
            return base
        exponent = self._power()
        return lambda known: base(known) ** exponent(known)

    def _applied(self) -> Term:
        if self.accept("~"):
            self.take("~")
            denied = self._applied()
            return lambda known: not denied(known)
        if self.accept("\\sum_"):
            return self._big_sum()
        term = self._suffixed()
        while re.fullmatch(r"[A-Za-z_][\w']*|\d+|\(|\[::|'C", self.peek) and self.peek not in RESERVED:
            term = _called(term, self._suffixed())
        return term

    def _big_sum(self) -> Term:
        """\\sum_(a <= t < b) x and \\sum_(t < b) x; the body goes as far as a product."""
        self.take("(")
        first = self._sum()
        if self.accept("<="):
            name, start = self.take(), first
        else:
            self.place -= 1
            name, start = self.take(), lambda _: 0
        self.take("<")
        stop, _ = self._sum(), self.take(")")
        body = self._product()
        return lambda known: sum(body({**known, name: t}) for t in range(start(known), stop(known)))

    def _suffixed(self) -> Term:
        term = self._atom()
        while re.fullmatch(r"\.(?:[+-]\d|[12])", self.peek):
            step = self.take()
            if len(step) == 2:
                term = _projected(term, int(step[1]) - 1)
                continue
            by = _constant(int(step[2:]))
            term = _added(term, by) if step[1] == "+" else _subtracted(term, by)
        return term

    def _atom(self) -> Term:
        token = self.take()
        if token.isdigit():
            return _constant(int(token))
        if token == "(":
            members = list(self._members(")"))
            return members[0] if len(members) == 1 else lambda known: tuple(term(known) for term in members)
        if token == "'C":
            self.take("(")
            top, bottom = self._members(")")
            return lambda known: comb(top(known), bottom(known))
        if token == "[&&":
            claims = [self._either(self._compared)]
            while self.take(",", "&", "]") != "]":
                claims.append(self._either(self._compared))
            return _all_of(claims)
        if token == "[::":
            listed = list(self._members("]", ";")) if not self.accept("]") else []
            return lambda known: [term(known) for term in listed]
        if re.fullmatch(r"[A-Za-z_][\w']*", token) and token not in RESERVED:
            return lambda known: known[token] if token in known else known[SCOPE][token]
        raise NotRead(f"{token!r} begins no term")

    def _members(self, end: str, between: str = ",") -> Iterator[Term]:
        yield self.term()
        while self.take(between, end) == between:
            yield self.term()

    # --- patterns ---

    def pattern(self) -> Pattern:
        first = self._simple_pattern()
        if not self.accept("::"):
            return first
        rest = self.pattern()

        def split(value: Any) -> dict[str, Any] | None:
            if not value:
                return None
            head, tail = first(value[0]), rest(value[1:])
            return None if head is None or tail is None else {**head, **tail}

        return split

    def _simple_pattern(self) -> Pattern:
        token = self.take()
        if token == "[::":
            self.take("]")
            return lambda value: None if value else {}
        if token == "(":
            parts = [self.pattern()]
            while self.take(",", ")") == ",":
                parts.append(self.pattern())
            return lambda value: {
                k: v for part, each in zip(parts, value, strict=True) for k, v in (part(each) or {}).items()
            }
        if token == "_":
            return lambda _: {}
        if re.fullmatch(r"\.\+\d", self.peek):
            by = int(self.take()[2:])
            return lambda value: {token: value - by} if value >= by else None
        return lambda value: {token: value}


RESERVED = frozenset({"let", "in", "if", "is", "then", "else", "match", "with", "end"})


def _projected(pair: Term, place: int) -> Term:
    return lambda known: pair(known)[place]


def _constant(value: int) -> Term:
    return lambda _: value


def _added(left: Term, right: Term) -> Term:
    return lambda known: left(known) + right(known)


def _subtracted(left: Term, right: Term) -> Term:
    return lambda known: max(0, left(known) - right(known))


def _multiplied(left: Term, right: Term) -> Term:
    return lambda known: left(known) * right(known)


def _divided(left: Term, right: Term) -> Term:
    return lambda known: left(known) // right(known)


def _all_of(claims: list[Term]) -> Term:
    """Every claim is evaluated, also behind a false one."""
    return lambda known: False not in [bool(claim(known)) for claim in claims]


def _called(function: Term, argument: Term) -> Term:
    return lambda known: function(known)(argument(known))
