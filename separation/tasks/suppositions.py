"""What a table would say at another index: the variables `iℓ at j mod q`, which a model may look up and select from.

    iℓ at j mod q  =  z_ℓ(w_{ℓ-1}, x),  x being i_{ℓ-1} with its last log2 q bits replaced by those of j

where q ≥ 2 is a power of two, and x is an index whatever i_{ℓ-1} is: q divides the size of i_{ℓ-1} and j < q, or q is
the next power of two, so that x = j, and j is below that size. Where i_{ℓ-1} is j modulo q, x is i_{ℓ-1}, and so

    iℓ at j mod q  =  iℓ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from separation.tasks.shape import Fact, Kind, Shape, Variable

LARGEST = 1 << 14
"""The largest q."""
_NAME = re.compile(r"(i[0-9]{1,3}) at ([0-9]{1,5}) mod ([0-9]{1,5})")


@dataclass(frozen=True)
class Supposition:
    """The variable `iℓ at j mod q`: the fact that tells iℓ, and i_{ℓ-1} (``index``) and iℓ (``value``) themselves."""

    fact: Fact
    index: Variable
    value: Variable
    j: int
    q: int

    @property
    def name(self) -> str:
        return f"{self.value.name} at {self.j} mod {self.q}"

    @property
    def signs(self) -> tuple[int, ...]:
        """The bits of j that stand in place of the last bits of the index, the least significant first."""
        return tuple(1 if self.j >> place & 1 else -1 for place in range(self.q.bit_length() - 1))

    @property
    def values(self) -> int:
        """How many values the index has modulo q."""
        return min(self.q, self.index.size)

    @property
    def supposed_fact(self) -> Fact:
        """The fact about the token at x; of its own variables only the value has a name."""
        return replace(self.fact, values=((self.fact.values[0][0], self.name),), fixed=self.signs)


def suppose(shape: Shape, kind: Kind, j: int, q: int) -> Supposition | None:
    """What a table ℓ ≥ 2 says with j for the last bits of the index; None if some index is replaced by none."""
    if kind.table is None or kind.table < 2 or q < 2 or q & (q - 1) or q > LARGEST:
        return None
    fact = next(fact for fact in shape.facts if fact.kind == kind.name and fact.reader is None)
    index = Variable(fact.address[-1], kind.address[-1].size)
    fits = (index.size % q == 0 and j < q) or (q == 1 << index.bits and j < index.size)
    return Supposition(fact, index, Variable(fact.values[0][1], kind.value[0].size), j, q) if fits else None


def supposition_named(shape: Shape, name: str) -> Supposition | None:
    """The supposition whose variable has this name, if there is one."""
    found = _NAME.fullmatch(name) if " at " in name else None
    if found is None:
        return None
    kind = next((kind for kind in shape.kinds if kind.table and f"i{kind.table}" == found[1]), None)
    made = None if kind is None else suppose(shape, kind, int(found[2]), int(found[3]))
    return made if made is not None and made.name == name else None
