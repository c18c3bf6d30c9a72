"""FuncComp with a chain of thought: which tokens follow the prompt, and which of them is the answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from separation.files import InputError
from separation.tasks.checks import shown
from separation.tasks.funccomp.sizes import Sizes
from separation.tasks.shape import Fact, Kind, Shape, Variable, digits_of, number_of

STYLES = ("hops", "addresses", "records")


@dataclass(frozen=True)
class Thoughts:
    """The prompt of FuncComp, then generated tokens, each read again before the next is made, the last one the answer.

    where ``style`` is what a generated token says:
    hops: (ℓ, i_ℓ) for ℓ = 1..L;  addresses: (ℓ; w_{ℓ-1}, i_{ℓ-1}) for ℓ = 2..L, then the bare i_L;
    records: (ℓ, w, i_ℓ) for ℓ = 0..L. Token ids: those of the prompt, then one group for each ℓ.
    """

    sizes: Sizes
    style: str

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise InputError(f"style is {shown(self.style)}; one of {', '.join(STYLES)} is needed")

    @property
    def L(self) -> int:
        return self.sizes.L

    @property
    def m(self) -> int:
        return self.sizes.m

    @property
    def n(self) -> tuple[int, ...]:
        return self.sizes.n

    @property
    def steps(self) -> int:
        """L generated tokens; L+1 records."""
        return self.L + (self.style == "records")

    @property
    def length(self) -> int:
        """The prompt and all generated tokens but the last, which nobody reads."""
        return self.sizes.length + self.steps - 1

    def inputs_log2_floor(self) -> int:
        return self.sizes.inputs_log2_floor()

    @cached_property
    def groups(self) -> tuple[Kind, ...]:
        """All token ids in groups: values, queries, and one group for each generated token."""
        groups = list[Kind](self.sizes.groups)
        for name, variables in self._spelled:
            groups.append(Kind(name, groups[-1].stop, variables, (), 0))
        return tuple(groups)

    @property
    def emitted(self) -> tuple[str, ...]:
        """The groups of the generated tokens, in order."""
        names = [name for name, _ in self._spelled]
        return (*names, "values") if self.style == "addresses" else tuple(names)

    def answer_of(self, token: int) -> int | None:
        """i_L, if this is a token that can stand last; else None."""
        group = next(group for group in self.groups if group.name == self.emitted[-1])
        inside = group.start <= token < group.stop
        return (token - group.start) % group.address[-1].size if inside else None

    def spelled(self, token: int) -> str:
        """What an id says: the group it is in, and the variables.

        >>> thoughts = Thoughts(Sizes(4, (4, 4)), "hops")
        >>> thoughts.spelled(81), thoughts.spelled(3)
        ('hop 1: i_1 = 1', 'value 3')
        """
        group = next(group for group in self.groups if group.start <= token < group.stop)
        digits = digits_of(token - group.start, [variable.size for variable in group.address])
        names = (f"{variable.name[0]}_{variable.name[1:]}" for variable in group.address)
        said = ", ".join(f"{name} = {digit}" for name, digit in zip(names, digits, strict=True))
        return f"value {token}" if group.name == "values" else f"{group.name}: {said}"

    def shape(self) -> Shape:
        """The shape of the prompt with the generated tokens behind it: what stands there is what a right run emits."""
        plain = self.sizes.shape()
        spelled = dict(self._spelled)
        starts = {group.name: group.start for group in self.groups}
        generated = tuple(
            Kind(name, self.sizes.length + index, (), spelled[name], starts[name])
            for index, name in enumerate(self.emitted[:-1])
        )
        spelled["values"] = (Variable(f"i{self.L}", self.sizes.N[-1]),)
        readers = ("w", *self.emitted[:-1])
        emissions = tuple(
            Fact(name, tuple(variable.name for variable in spelled[name]), reader=reader)
            for name, reader in zip(self.emitted, readers, strict=True)
        )
        return replace(
            plain,
            kinds=(*plain.kinds, *generated),
            outputs=self.groups,
            emissions=emissions,
            vocabulary=self.groups[-1].stop,
        )

    @property
    def _spelled(self) -> list[tuple[str, tuple[Variable, ...]]]:
        """The generated groups with the variables that their ids spell."""
        hops = [Variable("i0", self.sizes.m)]
        hops += [Variable(f"i{level}", size) for level, size in enumerate(self.sizes.N, start=1)]
        if self.style == "hops":
            return [(f"hop {level}", (hops[level],)) for level in range(1, self.L + 1)]
        if self.style == "addresses":
            asked = enumerate(zip(self.sizes.digits, hops[1:], strict=False), start=2)
            return [(f"address {level}", pair) for level, pair in asked]
        return [(f"record {level}", (*self.sizes.digits, hops[level])) for level in range(self.L + 1)]


def thought_ids(thoughts: Thoughts, w: tuple[int, ...], hops: tuple[int, ...]) -> list[int]:
    """The ids of the tokens that a right run generates, for an input with query w and hops i_0..i_L."""
    known = {f"w{level}": digit for level, digit in enumerate(w, start=1)}
    known |= {f"i{level}": hop for level, hop in enumerate(hops)}
    groups = {group.name: group for group in thoughts.groups}
    ids = []
    for fact in thoughts.shape().emissions:
        group = groups[fact.kind]
        sizes = (variable.size for variable in group.address)
        ids.append(group.start + number_of((known[name] for name in fact.address), sizes))
    return ids
