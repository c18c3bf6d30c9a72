"""Kinds of tokens, their variables, and conditions: what a token finds and counts.

In a condition the left side is a variable of the token that is looked at, the right side one of the token that looks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from separation.files import InputError
from separation.tasks.program import Count, Find, Kind, Map
from separation.tasks.program.definitions import RELATIONS, Where

if TYPE_CHECKING:
    from separation.programs.language import Program


@dataclass(frozen=True)
class Condition:
    """left (of the token that is looked at) relation right (of the token that looks, or a number)."""

    left: Variable
    relation: str
    right: Variable | int

    def __bool__(self) -> bool:
        raise InputError(f"{self} is neither true nor false; write where(one condition, another), without and, or, not")

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


Conditions = Condition | Sequence[Condition | Sequence[Condition]]


def where(*conditions: Conditions | bool) -> tuple[Condition, ...]:
    """All of these hold: conditions, or several of them together.

    >>> from separation.programs import Program, where
    >>> p = Program("copy")
    >>> source, copy = p.tokens("source", 8, letter=4), p.tokens("copy", 8)
    >>> where(source.position == copy.position)[0].relation
    '='
    """
    found = list[Condition]()
    for condition in conditions:
        if isinstance(condition, (tuple, list)):
            found += where(*condition)
        elif isinstance(condition, Condition):
            found.append(condition)
        else:
            raise InputError(f"{condition!r} is no condition; write variable == variable, or <, or >")
    return tuple(found)


class Variable:
    """A finite variable of the tokens of a kind; ``size`` values from 0 on."""

    def __init__(self, kind: Tokens, name: str) -> None:
        self.kind, self.name = kind, name

    @property
    def size(self) -> int:
        return self.kind.program.so_far.size(self.kind.name, self.name)

    def __eq__(self, other: object) -> Any:
        return self._compared("=", other)

    def __lt__(self, other: object) -> Any:
        return self._compared("<", other)

    def __gt__(self, other: object) -> Any:
        return self._compared(">", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("!=", other)

    def __le__(self, other: object) -> Any:
        return self._compared("<=", other)

    def __ge__(self, other: object) -> Any:
        return self._compared(">=", other)

    __hash__ = object.__hash__

    def _compared(self, relation: str, other: object) -> Condition:
        if not isinstance(other, (Variable, int)) or isinstance(other, bool):
            raise InputError(f"{self} is compared with {other!r}; a variable or an integer is needed")
        if relation not in RELATIONS:
            raise InputError(f"{self} {relation} {other}: the relations of a condition are ==, < and >")
        if isinstance(other, int) and not 0 <= other < self.size + (relation != "="):
            raise InputError(f"{self} {relation} {other}: {self} has the values 0..{self.size - 1}")
        return Condition(self, relation, other)

    def __repr__(self) -> str:
        return f"{self.kind.name}.{self.name}"

    def _is_no_number(self, *_: object) -> Any:
        whose = f"it is a variable of every token of {self.kind.name}"
        raise InputError(f"{self} has no value yet: {whose}, and p.map(rule, {self}) computes with it")

    __bool__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __floordiv__ = _is_no_number
    __xor__ = __rxor__ = __and__ = __or__ = __neg__ = __index__ = _is_no_number


class Tokens:
    """A kind of tokens: its variables are attributes; what it finds is said of its tokens as those looked at."""

    def __init__(self, program: Program, kind: Kind) -> None:
        self.program, self.name, self._kind = program, kind.name, kind

    def __getattr__(self, name: str) -> Variable:
        if name.startswith("_"):
            raise AttributeError(name)
        self.program.so_far.size(self.name, name)  # one line with a near miss, if there is none
        return Variable(self, name)

    def __repr__(self) -> str:
        return f"the tokens {self.name}"

    def find(
        self,
        conditions: Conditions = (),
        read: Variable | None = None,
        *,
        default: int | None = None,
        once: bool = False,
        at: Tokens | None = None,
        name: str | None = None,
        best: tuple[str, Variable] | None = None,
        bit_by_bit: bool | None = None,
    ) -> Variable:
        """``read`` at the token of this kind that matches; without a default the program promises one.

        ``at`` is the kind that looks, needed only where no condition names it; ``once`` promises that at most one token
        matches; without ``read`` the value is 1 if there is a match, else 0. ``bit_by_bit``: is the best of several
        matches found by one head, or by existence look-ups, a layer for each bit of the order? Else `compile` chooses.
        """
        reader, asked = self._asked(conditions, at)
        for what, variable in (("read", read), ("best", best[1] if best else None)):
            if variable is None:
                continue
            if not isinstance(variable, Variable) or variable.kind.name != self.name:
                raise InputError(
                    f"{what} is {variable!r}; a variable of {self.name} is needed, of the token that is found"
                )
            self.program.require_own(variable)
        if bit_by_bit and best is None:
            raise InputError("bit_by_bit is about the best of several matches: latest, first, largest, smallest")
        own = Find(
            reader.name,
            self.program.new_name(name, "found" if read is None else f"{read.name}_found"),
            self.name,
            asked,
            None if read is None else read.name,
            None if best is None else (best[0], best[1].name),
            default,
            once,
            bit_by_bit,
        )
        return self.program.add(own, reader)

    def latest(self, conditions: Conditions = (), read: Variable | None = None, **more: Any) -> Variable:
        """Of several matches the one that stands last."""
        return self.find(conditions, read, best=("largest", self.position), **more)

    def first(self, conditions: Conditions = (), read: Variable | None = None, **more: Any) -> Variable:
        """Of several matches the one that stands first."""
        return self.find(conditions, read, best=("smallest", self.position), **more)

    def largest(self, by: Variable, conditions: Conditions = (), read: Variable | None = None, **more: Any) -> Variable:
        """The largest value of ``by`` among the tokens that match, or ``read`` where it is reached."""
        return self.find(conditions, by if read is None else read, best=("largest", by), **more)

    def smallest(
        self, by: Variable, conditions: Conditions = (), read: Variable | None = None, **more: Any
    ) -> Variable:
        """The smallest value of ``by`` among the tokens that match, or ``read`` where it is reached."""
        return self.find(conditions, by if read is None else read, best=("smallest", by), **more)

    def exists(self, conditions: Conditions = (), **more: Any) -> Variable:
        """1 if a token matches, else 0."""
        return self.find(conditions, None, **more)

    def previous(
        self, read: Variable, default: int | None = None, offset: int = 1, name: str | None = None
    ) -> Variable:
        """``read`` at the token ``offset`` places before, of the same kind."""
        count = self.position.size
        if not 0 < offset < count:
            raise InputError(f"offset is {offset}; among {count} tokens of {self.name} 1..{count - 1} is needed")
        shift = f"{offset}_before" if offset != 1 else "one_before"
        place = f"place_{shift}"
        if (self.name, place) not in self.program.so_far.sizes:
            # Before the first there is none: the place after the last, which no token that is seen has.
            table = tuple((x - offset) % count for x in range(count))
            self.program.add(Map(self.name, place, count, ("position",), table), self)
        wanted = Variable(self, place)
        if name is None:
            whose, earlier = re.fullmatch(r"(.*?)(?:_(one|\d+)_before)?", read.name).groups()  # type: ignore[union-attr]
            steps = offset + (int(earlier.replace("one", "1")) if earlier else 0)
            name = self.program.new_name(None, f"{whose}_{steps}_before" if steps > 1 else f"{whose}_one_before")
        return self.find(where(self.position == wanted), read, default=default, name=name)

    def count(self, conditions: Conditions = (), *, at: Tokens | None = None, name: str | None = None) -> Variable:
        """The number of tokens of this kind that match."""
        reader, asked = self._asked(conditions, at)
        return self.program.add(Count(reader.name, self.program.new_name(name, "count"), self.name, asked), reader)

    def _asked(self, conditions: Conditions, at: Tokens | None) -> tuple[Tokens, Where]:
        """The kind that looks, that of the right sides; and the conditions by names."""
        atoms = where(conditions)
        for condition in atoms:
            if condition.left.kind.name != self.name:
                raise InputError(
                    f"{condition.left} stands left in a condition of {self.name}; left is the token that is looked at"
                )
            for variable in (condition.left, condition.right):
                if isinstance(variable, Variable):
                    self.program.require_own(variable)
        readers = {c.right.kind.name: c.right.kind for c in atoms if isinstance(c.right, Variable)}
        if at is not None and not isinstance(at, Tokens):
            raise InputError(f"at is {at!r:.40}; a kind of tokens is needed")
        if at is not None:
            readers[at.name] = at
        if len(readers) > 1:
            raise InputError(f"variables of {' and '.join(readers)} stand right in one condition; one kind looks")
        reader = next(iter(readers.values()), self)
        if self.program.stands_before(reader, self):
            raise InputError(f"{reader.name} stands before {self.name}, and tokens see what stands before them")
        return reader, tuple(
            (c.left.name, c.relation, c.right.name if isinstance(c.right, Variable) else c.right) for c in atoms
        )
