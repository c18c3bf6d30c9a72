"""The inequalities of the Coq files as functions of integers, read from their own text: `CoqText`.

The part of Gallina that they are written in becomes Python: definitions and fixpoints over numbers, booleans, lists and
pairs, in the notation of mathcomp. Subtraction stops at 0, as in Coq. What is not read raises `NotRead`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce
from math import comb
from types import CodeType
from typing import Any, NamedTuple

from proofs_checks.kit.coq.files import FOLDER, without_comments

READ = (
    "Definitions.v",
    "Theorems.v",
    "SharperDefinitions.v",
    "AverageDefinitions.v",
    "SharperTheorems.v",
    "SparseDefinitions.v",
    "ExactDefinitions.v",
    "ExactTheorems.v",
    "TheoremA.v",
)
"""The files that say what is claimed, and the one with the lemmas of the induction."""
_OTHER = re.compile(r"#\||\b(?:md|F|Q|I|Vs|forall)\b")
"""What is no comparison of numbers: it is about the model, a layer, a set or all numbers."""


class NotRead(Exception):
    """A text that is not in the part of Gallina that is read here."""


class Compared(NamedTuple):
    """A comparison that was evaluated."""

    left: int
    sign: str
    right: int

    @property
    def holds(self) -> bool:
        return {"<": self.left < self.right, "<=": self.left <= self.right}.get(self.sign, self.left == self.right)


@dataclass(frozen=True)
class CoqText:
    """The Coq files, or a false neighbour of them: each of ``edits`` puts a new text where an old one stands."""

    edits: tuple[tuple[str, str], ...] = ()

    def function(self, name: str) -> Any:
        """A definition as a function of one argument after the other."""
        return _Scope(self)[_python(name)]

    def compared(self, theorem: str, **values: Any) -> list[Compared]:
        """Every comparison that a theorem's hypotheses on numbers make of these values, in the order of the text.

        All parts of a conjunction are evaluated, also behind one that is false.
        """
        scope = _Scope(self)
        for part in _stated(self, theorem)[:-1]:
            if not _OTHER.search(part):
                scope.value(part, **values)
        return scope.compared

    def concluded(self, theorem: str, **values: Any) -> Compared:
        """The comparison that a theorem ends with."""
        scope = _Scope(self)
        scope.value(_stated(self, theorem)[-1], **values)
        return scope.compared[-1]

    def term(self, name: str, pattern: str, **values: Any) -> Any:
        """The value of what a pattern captures in the text of a theorem or definition."""
        found = re.search(pattern, _whole(self, name), re.DOTALL)
        if found is None:
            raise NotRead(f"{name} does not say {pattern}")
        return self.value(found[1], **values)

    def value(self, text: str, **values: Any) -> Any:
        """The value of a term."""
        return _Scope(self).value(text, **values)


@cache
def _text(coq: CoqText) -> str:
    whole = "\n".join(without_comments((FOLDER / name).read_text()) for name in READ)
    for old, new in coq.edits:
        if old not in whole:
            raise NotRead(f"the Coq files do not say {old!r}")
        whole = whole.replace(old, new)
    return whole


@cache
def _whole(coq: CoqText, name: str) -> str:
    """What is said after the name, up to the full stop at the end of a line."""
    kinds = "Theorem|Lemma|Definition|Fixpoint"
    found = re.search(rf"^(?:{kinds})\s+{name}\b(.*?)\.\s*$", _text(coq), re.DOTALL | re.MULTILINE)
    if found is None:
        raise NotRead(f"no file states {name}")
    return found[1]


@cache
def _stated(coq: CoqText, theorem: str) -> list[str]:
    """What stands between the arrows of a theorem, after its variables."""
    body = _parts(_whole(coq, theorem), ":")[1]
    return _parts(_parts(body, ",")[1] if body.lstrip().startswith("forall") else body, "->", most=0)


@cache
def _definition(coq: CoqText, name: str) -> tuple[str, tuple[str, ...]]:
    """Its body and its variables."""
    head, body = _whole(coq, name).split(":=", 1)
    return body, _binders(head)


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


def _binders(head: str) -> tuple[str, ...]:
    """beta, m, n of `(beta : nat) (m n : nat) : bool` and of `beta m n`."""
    inside = re.findall(r"\(([^():]*):[^()]*(?:\((?:[^()]|\([^()]*\))*\)[^()]*)*\)", head)
    return tuple(" ".join(inside).split() if inside else head.split())


# --- evaluation ---


def _python(name: str) -> str:
    """A name of Coq as one of Python that nothing else here has."""
    return "g_" + name.replace("'", "ʹ")


def _folded(step: Any) -> Any:
    return lambda start: lambda members: reduce(lambda value, each: step(each)(value), reversed(members), start)


BUILT_IN: dict[str, Any] = {
    "minn": lambda a: lambda b: min(a, b),
    "muln": lambda a: lambda b: a * b,
    "id": lambda value: value,
    "size": len,
    "count": lambda holds: lambda members: sum(bool(holds(each)) for each in members),
    "all": lambda holds: lambda members: all(holds(each) for each in members),
    "foldr": _folded,
}


class _Scope(dict[str, Any]):
    """The globals of what is evaluated: definitions, as they are asked for; and the comparisons that were made."""

    def __init__(self, coq: CoqText) -> None:
        super().__init__({_python(name): meaning for name, meaning in BUILT_IN.items()})
        self.update(comb=comb, minus=lambda a, b: max(0, a - b), compare=self._compare, matched=_matched)
        self.coq, self.compared = coq, list[Compared]()

    def __missing__(self, name: str) -> Any:
        if not name.startswith("g_"):
            raise KeyError(name)  # a name of Python itself
        body, variables = _definition(self.coq, name.removeprefix("g_").replace("ʹ", "'"))
        self[name] = eval(_compiled(body, variables), self)
        return self[name]

    def value(self, text: str, **values: Any) -> Any:
        return reduce(lambda function, value: function(value), values.values(), eval(_compiled(text, (*values,)), self))

    def _compare(self, left: Any, sign: str, right: Any) -> bool:
        self.compared.append(Compared(left, sign, right))
        return self.compared[-1].holds


Pattern = Any
"""The name of a variable, or _; a number; or a tuple of a sign and patterns: [::], a :: b, (a, b), a.+1."""


def _matched(values: tuple[Any, ...], cases: list[tuple[Pattern, Callable[..., Any]]]) -> Any:
    for pattern, body in cases:
        found = _bound(pattern, values)
        if found is not None:
            return body(*found)
    raise NotRead("no case matches")


def _bound(pattern: Pattern, value: Any) -> list[Any] | None:
    """What the variables of a pattern are, in order; None if the value does not fit."""
    if isinstance(pattern, str):
        return [] if pattern == "_" else [value]
    if isinstance(pattern, int):
        return [] if value == pattern else None
    sign, *parts = pattern
    if sign == "[::]":
        return None if value else []
    if sign == ".+":
        return _bound(parts[1], value - parts[0]) if value >= parts[0] else None
    if sign == "::":
        if not value:
            return None
        value = value[0], value[1:]
    found = [_bound(part, each) for part, each in zip(parts, value, strict=True)]
    return None if None in found else [each for some in found for each in some or ()]


def _variables(pattern: Pattern) -> list[str]:
    if isinstance(pattern, tuple):
        return [name for part in pattern[1:] for name in _variables(part)]
    return [_python(pattern)] if isinstance(pattern, str) and pattern != "_" else []


# --- translation ---

_TOKEN = re.compile(
    r"\\sum_|'C|\[&&|\[::|\.[+-]\d|\.[12]\b|:=|=>|->|::|<=|==|&&|\|\||%/|[A-Za-z_][\w']*|\d+|[-+*^<=()\[\]{},;:&|~#]|\S"
)
_NAME = re.compile(r"[A-Za-z_][\w']*")
RESERVED = frozenset({"let", "in", "if", "is", "then", "else", "match", "with", "end"})
INFIX = {
    "||": (1, "({} | {})"),
    "&&": (2, "({} & {})"),
    "::": (3, "[{}, *{}]"),
    **dict.fromkeys(("<", "<=", "==", "="), (4, "compare({0}, {2!r}, {1})")),
    "+": (5, "({} + {})"),
    "-": (5, "minus({}, {})"),
    "*": (6, "({} * {})"),
    "%/": (6, "({} // {})"),
    "^": (7, "({} ** {})"),
}
"""How tightly a sign binds, and what it is in Python, where & and | evaluate both sides."""
TO_THE_RIGHT = ("::", "^")
SUM, PRODUCT = 5, 6


@cache
def _compiled(text: str, variables: tuple[str, ...]) -> CodeType:
    """A function of one variable after the other."""
    body = _Translation(text).whole()
    return compile("".join(f"lambda {_python(name)}: " for name in variables) + body, "<Coq>", "eval")


class _Translation:
    """A term as Python, by precedence climbing."""

    def __init__(self, text: str) -> None:
        self.tokens, self.place = _TOKEN.findall(text.replace("%num", "").replace("%nat", "")), 0

    def whole(self) -> str:
        term = self.term()
        if self.place < len(self.tokens):
            before = " ".join(self.tokens[max(0, self.place - 8) : self.place])
            raise NotRead(f"{self.peek!r} is not read after {before}")
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

    def several(self, one: Callable[[], Any], between: str, end: str) -> list[Any]:
        found = [one()]
        while self.take(*between, end) != end:
            found.append(one())
        return found

    def term(self) -> str:
        if self.accept("let"):
            name, _, meaning, _ = self.take(), self.take(":="), self.term(), self.take("in")
            return f"(lambda {_python(name)}: {self.term()})({meaning})"
        if self.accept("if"):
            asked = self.infix()
            pattern = self.pattern() if self.accept("is") else None
            _, yes, _, no = self.take("then"), self.term(), self.take("else"), self.term()
            if pattern is None:
                return f"({yes} if {asked} else {no})"
            return f"matched(({asked},), [{self.case((pattern,), yes)}, {self.case(('_',), no)}])"
        if self.accept("match"):
            asked = ", ".join(self.several(self.infix, ",", "with"))
            cases = []
            while not self.accept("end"):
                self.take("|")
                patterns = self.several(self.pattern, ",", "=>")
                cases.append(self.case(tuple(patterns), self.term()))
            return f"matched(({asked},), [{', '.join(cases)}])"
        return self.infix()

    def infix(self, level: int = 1) -> str:
        left = self.applied()
        while INFIX.get(self.peek, (0,))[0] >= level:
            sign = self.take()
            own, python = INFIX[sign]
            left = python.format(left, self.infix(own + (sign not in TO_THE_RIGHT)), sign)
        return left

    def applied(self) -> str:
        if self.accept("~"):
            self.take("~")
            return f"(not {self.applied()})"
        if self.accept("\\sum_"):
            return self.big_sum()
        term = self.suffixed()
        while (self.peek in ("(", "[::", "'C") or self.peek.isdigit() or _NAME.fullmatch(self.peek)) and (
            self.peek not in RESERVED
        ):
            term += f"({self.suffixed()})"
        return term

    def big_sum(self) -> str:
        r"""\sum_(a <= t < b) x and \sum_(t < b) x; the body goes as far as a product."""
        self.take("(")
        start, name = "0", self.infix(SUM)
        if self.accept("<="):
            start, name = name, _python(self.take())
        _, stop, _ = self.take("<"), self.infix(SUM), self.take(")")
        return f"sum({self.infix(PRODUCT)} for {name} in range({start}, {stop}))"

    def suffixed(self) -> str:
        term = self.atom()
        while found := re.fullmatch(r"\.(?:([+-])(\d)|([12]))", self.peek):
            self.take()
            sign, by, place = found.groups()
            term = f"{term}[{int(place) - 1}]" if place else INFIX[sign][1].format(term, by)
        return term

    def atom(self) -> str:
        token = self.take()
        if token.isdigit():
            return token
        if token == "(":
            return f"({', '.join(self.several(self.term, ',', ')'))})"
        if token == "'C":
            self.take("(")
            return f"comb({', '.join(self.several(self.term, ',', ')'))})"
        if token == "[&&":
            return f"({' & '.join(self.several(self.infix, ',&', ']'))})"
        if token == "[::":
            return "[]" if self.accept("]") else f"[{', '.join(self.several(self.term, ';', ']'))}]"
        if _NAME.fullmatch(token) and token not in RESERVED:
            return _python(token)
        raise NotRead(f"{token!r} begins no term")

    @staticmethod
    def case(patterns: tuple[Pattern, ...], body: str) -> str:
        pattern = ("(", *patterns)
        return f"({pattern!r}, lambda {', '.join(_variables(pattern))}: {body})"

    def pattern(self) -> Pattern:
        token = self.take()
        found: Pattern = int(token) if token.isdigit() else token
        if token == "[::":
            self.take("]")
            found = ("[::]",)
        elif token == "(":
            found = ("(", *self.several(self.pattern, ",", ")"))
        elif re.fullmatch(r"\.\+\d", self.peek):
            found = (".+", int(self.take()[2:]), token)
        return ("::", found, self.pattern()) if self.accept("::") else found
