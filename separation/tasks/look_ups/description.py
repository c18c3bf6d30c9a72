"""A task that is defined by its document: kinds of tokens, what they spell, and what they know of earlier ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from separation.arithmetic import integer_from_json, number_to_json
from separation.files import InputError
from separation.tasks.checks import CountedInputs, require_integer, shown
from separation.tasks.shape import Fact, Kind, Shape, Variable

TASK = "look_ups"
POSITION = "position"
MOST = 16
"""Kinds, finds, and variables of a kind."""
COUNTED_BITS = 1 << 16
"""Names of tokens that are all different are counted exactly if codes and tokens are this few, else from below."""

Token = tuple[tuple[str, int, str | None], ...]


@dataclass(frozen=True)
class TokenKind:
    """``count`` tokens that spell variables (name, size, of). No two tokens are alike in the variables ``named_by``.

    where a variable ``of`` a kind only has values that some token of that kind has as its name.
    """

    name: str
    count: int
    token: Token
    named_by: tuple[str, ...] = (POSITION,)

    @property
    def sizes(self) -> dict[str, int]:
        return {POSITION: self.count, **{name: size for name, size, _ in self.token}}

    @property
    def of(self) -> dict[str, str]:
        return {name: kind for name, _, kind in self.token if kind is not None}

    @property
    def ids(self) -> int:
        return prod(size for _, size, _ in self.token)


@dataclass(frozen=True)
class Find:
    """Each token of ``reader`` has further variables: for (a, b) in ``found``, its b is the a of the token of ``kind``
    whose names are the reader's variables ``at``."""

    reader: str
    kind: str
    at: tuple[str, ...]
    found: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class LookUps(CountedInputs):
    """Kinds of tokens in the order of the prompt, what is found, and the variable that the last kind is asked for.

    >>> from separation import LookUps, TokenKind, Find
    >>> pairs = TokenKind("pairs", 2, (("key", 4, None), ("value", 3, None)), ("key",))
    >>> task = LookUps("recall", (pairs, TokenKind("ask", 1, (("asked", 4, "pairs"),))),
    ...                (Find("ask", "pairs", ("asked",), (("value", "answer"),)),), "answer")
    >>> task.length, task.vocabulary, task.count_inputs()
    (3, 16, 216)
    """

    name: str
    kinds: tuple[TokenKind, ...]
    finds: tuple[Find, ...]
    answer: str

    def __post_init__(self) -> None:
        require(0 < len(self.kinds) <= MOST and len(self.finds) <= MOST, f"1 to {MOST} kinds and finds are accepted")
        require(len({kind.name for kind in self.kinds}) == len(self.kinds), "two kinds have the same name")
        by_name = {kind.name: kind for kind in self.kinds}
        for kind in self.kinds:
            _require_kind(kind, by_name)
        own, of = {kind.name: kind.sizes for kind in self.kinds}, {kind.name: kind.of for kind in self.kinds}
        order = list(by_name)
        for find in self.finds:
            known = find.reader in order and find.kind in order
            require(known, f"a find speaks of {shown(find.reader)} and {shown(find.kind)}")
            require(order.index(find.kind) < order.index(find.reader), f"{find.kind} must stand before {find.reader}")
            mine, theirs, target = own[find.reader], own[find.kind], by_name[find.kind]
            require(set(find.at) <= set(mine), f"{find.reader} has no variable {shown(find.at)}")
            sizes = [target.sizes[name] for name in target.named_by]
            require([mine[name] for name in find.at] == sizes, f"{find.at} is no name of a token of {find.kind}")
            sure = target.named_by == (POSITION,) or [of[find.reader].get(name) for name in find.at] == [find.kind]
            require(sure, f"nothing says that {find.kind} has the token that {find.reader} asks for")
            for a, b in find.found:
                require(
                    a in theirs and b not in mine and _is_word(b), f"{find.reader} cannot know {shown(a)} as {shown(b)}"
                )
                mine[b] = theirs[a]
                of[find.reader] |= {b: of[find.kind][a]} if a in of[find.kind] else {}
        require(self.answer in own[order[-1]], f"the answer {shown(self.answer)} is no variable of {order[-1]}")

    @property
    def description(self) -> LookUps:
        return self

    def kind(self, name: str) -> TokenKind:
        return next(kind for kind in self.kinds if kind.name == name)

    @property
    def length(self) -> int:
        return sum(kind.count for kind in self.kinds)

    @property
    def vocabulary(self) -> int:
        return sum(kind.ids for kind in self.kinds)

    def start(self, name: str) -> tuple[int, int]:
        """The first position of a kind, and its first id."""
        place = [kind.name for kind in self.kinds].index(name)
        return sum(kind.count for kind in self.kinds[:place]), sum(kind.ids for kind in self.kinds[:place])

    @cached_property
    def input_powers(self) -> list[tuple[int, int]]:
        """(base, exponent) whose product is the number of inputs, or a little less if there are very many names."""
        powers = []
        for kind in self.kinds:
            apart = kind.named_by != (POSITION,)
            if apart:
                codes = prod(kind.sizes[name] for name in kind.named_by)
                first = codes - kind.count + 1
                few = kind.count * codes.bit_length() <= COUNTED_BITS
                powers.append((prod(range(first, codes + 1)), 1) if few else (first, kind.count))
            for name, size, of in kind.token:
                if not (apart and name in kind.named_by):
                    powers.append((size if of is None else self.kind(of).count, kind.count))
        return powers

    def shape(self) -> Shape:
        """Kinds, and the facts that `finds` states; every variable belongs to its token."""
        found: dict[str, list[Variable]] = {kind.name: [] for kind in self.kinds}
        own = {kind.name: kind.sizes for kind in self.kinds}
        for find in self.finds:
            for a, b in find.found:
                own[find.reader][b] = own[find.kind][a]
                found[find.reader].append(Variable(b, own[find.reader][b]))
        kinds = []
        for kind in self.kinds:
            start, first_id = self.start(kind.name)
            value = tuple(Variable(name, size) for name, size, _ in kind.token)
            names = () if kind.named_by == (POSITION,) else tuple(Variable(n, kind.sizes[n]) for n in kind.named_by)
            address, further = (Variable(POSITION, kind.count),), tuple(found[kind.name])
            kinds.append(Kind(kind.name, start, address, value, first_id, further, named_by=names))
        last = self.kinds[-1].name
        answers = Variable("answer", own[last][self.answer])
        return Shape(
            kinds=tuple(kinds),
            global_variables=(),
            facts=tuple(Fact(find.kind, find.at, find.found, find.reader) for find in self.finds),
            outputs=(Kind("answer", 0, (answers,), (), 0),),
            emissions=(Fact("answer", (self.answer,), reader=last),),
            vocabulary=self.vocabulary,
        )

    def document(self) -> dict[str, Any]:
        """As docs/certificates.md lays it down."""
        kinds = [
            {
                "name": kind.name,
                "count": number_to_json(kind.count),
                "token": [[name, number_to_json(size), of] for name, size, of in kind.token],
                "named_by": list(kind.named_by),
            }
            for kind in self.kinds
        ]
        finds = [
            {"reader": find.reader, "kind": find.kind, "at": list(find.at), "as": [list(pair) for pair in find.found]}
            for find in self.finds
        ]
        return {"task": TASK, "name": self.name, "kinds": kinds, "finds": finds, "answer": self.answer}


def from_task_document(document: object) -> LookUps:
    """The inverse of `LookUps.document`."""
    keys = {"task", "name", "kinds", "finds", "answer"}
    if not isinstance(document, dict) or set(document) != keys or document["task"] != TASK:
        raise InputError(f"task is {shown(document)}; an object with the keys {', '.join(sorted(keys))} is needed")
    try:
        kinds = tuple(_kind_from_document(kind) for kind in document["kinds"])
        finds = tuple(_find_from_document(find) for find in document["finds"])
        name, answer = str(document["name"]), str(document["answer"])
    except (KeyError, TypeError, ValueError):
        raise InputError("task: kinds and finds are not as docs/certificates.md describes them") from None
    return LookUps(name, kinds, finds, answer)


def _kind_from_document(kind: Any) -> TokenKind:
    token = tuple((str(name), integer_from_json(size, "size", least=1), of) for name, size, of in kind["token"])
    count = integer_from_json(kind["count"], "count", least=1)
    return TokenKind(str(kind["name"]), count, token, tuple(map(str, kind["named_by"])))


def _find_from_document(find: Any) -> Find:
    found = tuple((str(a), str(b)) for a, b in find["as"])
    return Find(str(find["reader"]), str(find["kind"]), tuple(map(str, find["at"])), found)


def require(condition: bool, message: str) -> None:
    if not condition:
        raise InputError(f"look-ups: {message}")


def _is_word(name: object) -> bool:
    return isinstance(name, str) and re.fullmatch("[a-z][a-z0-9_]{0,31}", name) is not None


def _require_kind(kind: TokenKind, by_name: dict[str, TokenKind]) -> None:
    require_integer(f"count of {kind.name}", kind.count, 1)
    require(_is_word(kind.name) and all(_is_word(name) for name in kind.sizes), "names are small letters, digits and _")
    require(len(kind.token) <= MOST, f"{kind.name} spells more than {MOST} variables")
    require(len(kind.sizes) == len(kind.token) + 1, f"{kind.name} has two variables of one name")
    names, apart = kind.named_by, kind.named_by != (POSITION,)
    known = bool(names) and len(set(names)) == len(names) and set(names) <= set(kind.sizes)
    require(known and not (apart and POSITION in names), f"what tells {kind.name} apart is not known")
    require(not (apart and set(names) & set(kind.of)), f"what names {kind.name} names others")
    codes = prod(kind.sizes[name] for name in names)
    require(kind.count <= codes, f"{kind.name} has {kind.count} tokens and {codes} names")
    for name, target in kind.of.items():
        known = target in by_name
        sizes = [by_name[target].sizes.get(n) for n in by_name[target].named_by] if known else []
        require(sizes == [kind.sizes[name]], f"{name} of {kind.name} is no name of {shown(target)}")
