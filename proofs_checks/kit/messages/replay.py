"""The induction of theorems A and B on one model, with all sets written out; every claim is read off transcripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from proofs_checks.kit.messages.graph import Charge, Level, charges, first_levels, linear_blocks
from proofs_checks.kit.messages.transcripts import InputTranscript, Transcripts
from proofs_checks.kit.solvers import is_function
from proofs_checks.kit.statement import require
from separation.bounds import Word
from separation.tasks.funccomp import Instance, hops

Input = Any
"""What one player holds: a table, z_0, or the query."""
Tables = tuple[Input, ...]
"""(z_ℓ, …, z_L)."""


@dataclass(frozen=True)
class Accounting:
    """What a theorem makes constant on the way from one level to the next.

    where ``soft`` gives the charges, and ``blocks`` how many R blocks are charged at the new boundary.
    """

    soft: Callable[[Word, Level, Level], Iterable[Charge]] = charges
    blocks: Callable[[Word, Level], int] = lambda word, following: linear_blocks(word, following) + 1


@dataclass(frozen=True)
class ObservedCharge:
    """What the transcripts show about one charge.

    where ``depends_on`` are the players whose input alone changes what the receiver knows before the layer, ``known``
    the most that it knew for one (z_{ℓ+1}, …, z_L), ``bits`` what one such message has, and ``needed`` says that it
    told two of 𝒬 apart that all other charged messages did not.
    """

    charge: Charge
    depends_on: frozenset[int]
    known: int
    bits: int
    needed: bool


@dataclass(frozen=True)
class LevelStep:
    """From level ℓ to ℓ+1: |𝒬| before the draw, after it and after the fixing, of ``inputs`` (z_{ℓ+1}, …, z_L) in all.

    where ``good`` says that the draw kept half of what the averaging promises, and ``cover`` values i_ℓ are reached.
    """

    level: int
    before: int
    drawn: int
    kept: int
    inputs: int
    good: bool
    cover: int
    soft: tuple[ObservedCharge, ...]
    linear_bits: int
    linear_needed: bool

    @property
    def bits(self) -> int:
        """The bits of everything that was made constant."""
        return self.linear_bits + sum(shown.known * shown.bits for shown in self.soft)


class Replay:
    """Level after level: 𝒬 ⊆ A_ℓ × … × A_L and Z = A_{-1} × Z_0 × … × Z_{ℓ-1}, as sets of inputs.

    where ``pools`` has the inputs A_i of each player and ``kept`` are x_0, …, x_{L-1}. ``base_bits`` is what the first
    level made constant.
    """

    def __init__(
        self,
        transcripts: Transcripts,
        word: Word,
        theorem: str,
        pools: Mapping[int, Sequence[Input]],
        kept: Sequence[int],
        accounting: Accounting,
    ) -> None:
        self.transcripts, self.word, self.theorem, self.pools = transcripts, word, theorem, pools
        self.kept, self.accounting, self.L = kept, accounting, transcripts.sizes.L
        self.held: dict[int, tuple[Input, ...]] = {-1: tuple(pools[-1]), 0: tuple(pools[0][: kept[0]])}
        self.members: list[Tables] = list(product(*(pools[player] for player in range(1, self.L + 1))))
        self.base_bits = 0
        self.where = f"{word}, theorem {theorem}"

    def run(self) -> Iterator[LevelStep]:
        """All levels, with the sets checked against the theorem at each."""
        self.members = self._base()
        self._require_level(first_levels(self.theorem, 1)[0])
        for level in range(1, self.L):
            yield self._step(level)

    # --- the steps ---

    def _base(self) -> list[Tables]:
        """A: the states into player 0. B: what the query hears of the tables in layer 1, and its R heads' states."""
        level, _ = first_levels(self.theorem, 1)
        z_0 = self.held[0][0]  # the messages do not depend on it, which `_require_level` checks
        later = [{-1: query, 0: z_0} for query in self.held[-1]]
        values = {tables: tuple(self._demanded(level, tables, z) for z in later) for tables in self.members}
        said = self._said(self.members[0], later[0])
        soft = sum(said.soft_bits(layer, -1) for layer in range(1, level.layers + 1))
        self.base_bits = said.linear_bits(0, level.layers + 1) + len(later) * soft
        return most_common(self.members, values)

    def _step(self, level: int) -> LevelStep:
        here, following = first_levels(self.theorem, level)
        before, promised = len(self.members), self._density(level) ** self.kept[level] / 2
        self.held[level] = self._drawn(level)
        self.members = self._extending(self.held[level])
        drawn, good = len(self.members), self._density(level + 1) >= promised
        owed = list(self.accounting.soft(self.word, here, following))
        blocks = self.accounting.blocks(self.word, following)
        values: dict[Any, dict[Tables, Any]] = {
            charge: {tables: self._messages(charge, level, tables) for tables in self.members} for charge in owed
        }
        values["states"] = {tables: self._said(tables, self._first()).linear(level, blocks) for tables in self.members}
        needed = {name: _tells_apart(name, self.members, values) for name in values}
        soft = tuple(self._shown(charge, needed[charge]) for charge in owed)
        together = {tables: tuple(part[tables] for part in values.values()) for tables in self.members}
        self.members = most_common(self.members, together)
        bits = self._said(self.members[0], self._first()).linear_bits(level, blocks)
        inputs, cover = self.inputs(level + 1), self._reached(level, self.held[level])
        kept = len(self.members)
        level_step = LevelStep(level, before, drawn, kept, inputs, good, cover, soft, bits, needed["states"])
        require(kept << level_step.bits >= drawn, f"{self.where}, level {level}: less than 2^-bits is left")
        self._require_level(following)
        return level_step

    def _drawn(self, level: int) -> tuple[Input, ...]:
        """x_ℓ tables that many of 𝒬 share; and over all draws, with repeats, the mean is no less than the power."""
        x, pool = self.kept[level], self.pools[level]
        draws = {drawn: len(self._extending(drawn)) for drawn in product(pool, repeat=x)}
        mean = Fraction(sum(draws.values()), len(draws) * self.inputs(level + 1))
        require(mean >= self._density(level) ** x, f"{self.where}, level {level}: the draws keep {mean} on average")
        different = [drawn for drawn in draws if len(set(drawn)) == x and draws[drawn]]
        require(bool(different), f"{self.where}, level {level}: no {x} tables are shared by any of 𝒬")
        return max(different, key=lambda drawn: (draws[drawn] > 1, self._reached(level, drawn), draws[drawn]))

    def _extending(self, drawn: Iterable[Input]) -> list[Tables]:
        """The (z_{ℓ+1}, …, z_L) that extend all these z_ℓ inside 𝒬."""
        members, rest = set(self.members), dict.fromkeys(tables[1:] for tables in self.members)
        return [tables for tables in rest if all((own, *tables) in members for own in drawn)]

    # --- what transcripts say ---

    def _messages(self, charge: Charge, level: int, tables: Tables) -> tuple[bytes, ...]:
        """One for each input of those that the receiver's knowledge depends on; other inputs change nothing."""
        found: dict[Any, bytes] = {}
        for later in self.later():
            key = tuple(later[player] for player in sorted(charge.depends_on))
            said = self._said(tables, later).soft(charge.layer, charge.receiver, level)
            known = found.setdefault(key, said)
            require(known == said, f"{self.where}, level {level}: {charge} depends on more")
        return tuple(found.values())

    def _shown(self, charge: Charge, needed: bool) -> ObservedCharge:
        depends: set[int] = set()
        known = 0
        for tables in self.members:
            views: dict[tuple[Input, ...], Any] = {}
            for later in self.later():
                said = self._said(tables, later)
                views[tuple(later.values())] = later[charge.receiver], said.view(charge.receiver, charge.layer)
            depends |= {player for index, player in enumerate(later) if _changes(views, index)}
            known = max(known, len(set(views.values())))
        require(depends <= charge.depends_on, f"{self.where}: {charge}, but transcripts depend on {sorted(depends)}")
        return ObservedCharge(charge, frozenset(depends), known, said.soft_bits(charge.layer, charge.receiver), needed)

    def _demanded(self, level: Level, tables: Tables, later: Mapping[int, Input]) -> tuple[Any, ...]:
        """(i) and (ii) of level ℓ: states into player ℓ−1, and what players below ℓ hear from the others."""
        said, own = self._said(tables, later), level.number
        heard = product(range(-1, own), range(1, level.layers + 1))
        soft = [said.soft(layer, i, own - 1) for i, layer in heard if level.covers(i, layer)]
        return said.linear(own - 1, level.layers + 1), *soft

    def _require_level(self, level: Level) -> None:
        """For each z in Z all of 𝒬 send the same, and what players below ℓ know is a function of z."""
        require(bool(self.members), f"{self.where}: nothing is left at level {level.number}")
        listeners = [-1] if level.query_only else range(-1, level.number)
        for later in self.later():
            demanded = {self._demanded(level, tables, later) for tables in self.members}
            require(len(demanded) == 1, f"{self.where}: at level {level.number} 𝒬 can be told apart")
            for listener in listeners:
                views = {self._said(tables, later).view(listener, level.layers + 1) for tables in self.members}
                require(len(views) == 1, f"{self.where}: player {listener} knows 𝒬 apart at level {level.number}")

    def _said(self, tables: Tables, later: Mapping[int, Input]) -> InputTranscript:
        return self.transcripts.of(self.instance(tables, later))

    def instance(self, tables: Tables, later: Mapping[int, Input]) -> Instance:
        own = [later[player] for player in range(1, self.L + 1 - len(tables))]
        return Instance(self.transcripts.sizes, later[0], [*own, *tables], later[-1])

    # --- the sets ---

    def later(self) -> Iterator[dict[int, Input]]:
        """Each z in Z, by player."""
        for chosen in product(*self.held.values()):
            yield dict(zip(self.held, chosen, strict=True))

    def _first(self) -> dict[int, Input]:
        return next(self.later())

    def inputs(self, level: int) -> int:
        """|A_ℓ × … × A_L|."""
        return prod(len(self.pools[player]) for player in range(level, self.L + 1))

    def _density(self, level: int) -> Fraction:
        return Fraction(len(self.members), self.inputs(level))

    def _reached(self, level: int, drawn: Sequence[Input]) -> int:
        """How many values i_ℓ are reached from Z."""
        above = self.members[0][-(self.L - level) :]
        held = {**{player: inputs for player, inputs in self.held.items() if player < level}, level: drawn}
        found = (dict(zip(held, chosen, strict=True)) for chosen in product(*held.values()))
        return len({hops(self.instance(above, later))[level] for later in found})


def most_common(members: Sequence[Tables], values: Mapping[Tables, Any]) -> list[Tables]:
    """The members with the most common value; the first one among ties."""
    (value, _), *_ = Counter(values[tables] for tables in members).most_common(1)
    return [tables for tables in members if values[tables] == value]


def _tells_apart(name: Any, members: Sequence[Tables], values: Mapping[Any, Mapping[Tables, Any]]) -> bool:
    """Two of 𝒬 differ in this one and in nothing else."""
    others = [part for other, part in values.items() if other != name]
    return not is_function((tuple(part[tables] for part in others), values[name][tables]) for tables in members)


def _changes(views: Mapping[tuple[Input, ...], Any], index: int) -> bool:
    """This input alone makes a difference."""
    return not is_function((inputs[:index] + inputs[index + 1 :], view) for inputs, view in views.items())
