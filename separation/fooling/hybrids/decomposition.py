"""The decomposition of theorems A and B, run on a model: which inputs look the same to all later players.

At level ℓ there is a set Z = [W] × Z_0 × … × Z_{ℓ-1} of inputs of the later players, and a set 𝒬 of tables
(z_L, …, z_ℓ) such that for each z in Z all that the later players hear of the earlier ones, in the layers that the
level covers, is the same for all of 𝒬. From one level to the next x_ℓ tables z_ℓ are kept that many of 𝒬 share, and
then the most common messages are fixed. At level L two tables of 𝒬 that differ in a reached entry are a pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import comb, log2, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.fooling.birthday import Hashes, state_hashes
from separation.fooling.budget import Budget, Clock, in_pieces
from separation.fooling.hybrids.guided import GuidedSearch, Trial, pair_of
from separation.fooling.hybrids.players import Rungs, is_whole, rungs, table_pools
from separation.fooling.messages import Heard, heard, packed, require_words
from separation.fooling.pair import NOTHING_PROVED, Interrupted, Pair, Search, ended, found_pair
from separation.models import Model
from separation.progress import Progress
from separation.tasks.funccomp import Instance, Sizes, asked_addresses, token_ids

CHOICES = 1 << 12
"""Ways to choose x_ℓ tables up to which all are compared; beyond that, this many random ones."""
CANDIDATES = 64
"""Pairs of the last 𝒬 that are run."""


@dataclass(frozen=True)
class Level:
    """One level: density |𝒬| / |A_{≥ℓ}| against 2^-D_ℓ, and cover, the values i_{ℓ-1} reached, against Θ_{ℓ-1}.

    where ``inputs`` were looked at, ``kept`` of them are in 𝒬, and ``sampled`` says that they are not all.
    """

    level: int
    inputs: int
    sampled: bool
    kept: int
    guaranteed_log2: int
    cover: int
    guaranteed: int

    @property
    def density_log2(self) -> float:
        return log2(self.kept / self.inputs)

    @property
    def holds(self) -> bool:
        """Neither density nor cover is worse than what the theorem guarantees."""
        dense = self.kept << -self.guaranteed_log2 >= self.inputs if self.guaranteed_log2 <= 0 else False
        return dense and self.cover >= self.guaranteed

    def document(self) -> dict[str, Any]:
        names = ("level", "inputs", "sampled", "kept", "guaranteed_log2", "cover", "guaranteed")
        return {**{name: getattr(self, name) for name in names}, "density_log2": round(self.density_log2, 4)}


class EndedError(Exception):
    """The budget was gone before a level was finished, or no tables of a player have enough cover inside 𝒬."""


@dataclass
class Decomposition:
    """where ``kept`` are x_0, …, x_{L-1}; ``levels`` grows as the decomposition goes on; ``last`` is 𝒬 of level L."""

    model: Model
    sizes: Sizes
    rungs: Rungs
    kept: tuple[int, ...]
    seed: int
    clock: Clock
    levels: list[Level] = field(default_factory=list)
    last: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        self.pools = table_pools(self.sizes, self.seed)
        self.reached = list(range(min(self.kept[0], self.sizes.m)))
        self.chosen: list[NDArray[np.int64]] = []

    def run(self) -> Pair | None:
        """All levels, and a pair of the last one, if there is any and the budget lasts."""
        try:
            members = self._fixed(1, np.ones(self._count(1), dtype=bool))
            for level in range(1, self.sizes.L):
                members = self._fixed(level + 1, self._extended(level, members))
        except EndedError:
            return None
        self.last = self.pools[-1][members]
        return self._pair(self.last)

    def heard_by(self, level: int, ids: NDArray[np.int64]) -> list[Heard]:
        """What must become constant: all that players below ℓ hear in the covered layers. A twin forgets some of it."""
        boundary = sum(self.sizes.N[level - 1 :])
        return list(heard(self.model, ids, boundary, self.rungs.layers(level)))

    # --- the two halves of a step ---

    def _extended(self, level: int, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """x_ℓ tables z_ℓ with enough cover which the most (z_L, …, z_{ℓ+1}) extend inside 𝒬; and those that do."""
        pool, columns = self.pools[level - 1], members.reshape(-1, len(self.pools[level - 1]))
        sizes, places = self.sizes, np.array(self.reached)
        if level > 1:
            digits = np.arange(sizes.n[level - 2])[:, None]
            places = (digits * sizes.N[level - 2] + places).reshape(-1)
        wanted, best = self.rungs.ladder.theta[level], None
        for choice in self._choices(level, len(pool)):
            extending = np.asarray(columns[:, choice].all(axis=1))
            count, values = int(extending.sum()), np.unique(pool[choice][:, places])
            score = (count, len(values))
            if count and len(values) >= wanted and (best is None or score > best[0]):
                best = score, choice, extending, values
        if best is None:  # only where (E_ℓ) does not hold: the theorem is silent there
            raise EndedError
        _, choice, extending, values = best
        self.chosen.append(pool[choice])
        self.reached = values.tolist()
        return extending

    def _fixed(self, level: int, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Those with the most common messages, for all of Z; the level is noted."""
        places = np.flatnonzero(members)
        hashes = np.zeros(len(places), dtype=np.uint64)
        layers = self.rungs.layers(level)
        if layers and len(places):
            for later in self._later(level, layers):
                hashes = state_hashes(np.stack([hashes, self._hashes(level, places, later)], axis=1))
            values, firsts, counts = np.unique(hashes, return_index=True, return_counts=True)
            # Of equally common ones that of the first input: hashes must not decide.
            places = places[hashes == values[np.lexsort((firsts, -counts))[0]]]
        fixed = np.zeros_like(members)
        fixed[places] = True
        self.levels.append(self._level(level, len(members), len(places)))
        return fixed

    def _level(self, level: int, inputs: int, kept: int) -> Level:
        D, theta = (row[level - 1] for row in (self.rungs.ladder.D, self.rungs.ladder.theta))
        sampled = not all(map(is_whole, self.pools[level - 1 :]))
        return Level(level, inputs, sampled, kept, -D, len(self.reached), theta)

    def _hashes(self, level: int, places: NDArray[np.int64], later: NDArray[np.int64]) -> Hashes:
        """Of the messages of these tables (z_L, …, z_ℓ), when the later players hold ``later``."""
        listeners = np.array([-1]) if self.rungs.query_only(level) else None
        done, parts = 0, []
        for start, stop in in_pieces(len(places), self.clock.deadline, self.clock.budget.seconds):
            if self.clock.left <= 0:
                break
            earlier = self._tables(level, places[start:stop])
            ids = np.concatenate([earlier, np.broadcast_to(later, (len(earlier), len(later)))], axis=1)
            parts.append(state_hashes(packed(self.model, self.heard_by(level, ids), listeners)))
            self.clock.spend(len(earlier), f"inputs of level {level}")
            done = stop
        if done < len(places):
            raise EndedError
        return np.concatenate(parts)

    # --- sets of inputs ---

    def _count(self, level: int) -> int:
        return prod(len(pool) for pool in self.pools[level - 1 :])

    def _tables(self, level: int, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The tokens of z_L, …, z_ℓ; the last of them counts fastest."""
        parts = []
        for pool in self.pools[level - 1 :]:
            places, own = np.divmod(places, len(pool))
            parts.append(pool[own])
        return np.concatenate(parts[::-1], axis=1)

    def _later(self, level: int, layers: int) -> Iterator[NDArray[np.int64]]:
        """The tokens of z_{ℓ-1}, …, z_0, w for each z in Z; of one only, if there is no full layer to listen with."""
        found = (token_ids(instance)[sum(self.sizes.N[level - 1 :]) :] for instance in self.instances(level))
        soft = any("F" in layer.letter for layer in self.model.layers[:layers])
        return found if soft else itertools.islice(found, 1)

    def instances(self, level: int) -> Iterator[Instance]:
        """Inputs with each z in Z, the tables z_ℓ, …, z_L being zeros."""
        zeros = [[0] * size for size in self.sizes.N[level - 1 :]]
        starts = range(min(self.kept[0], self.sizes.m))
        for lower in itertools.product(*(range(len(tables)) for tables in self.chosen[: level - 1])):
            tables = [self.chosen[ell][place].tolist() for ell, place in enumerate(lower)]
            for z0, *w in itertools.product(starts, *map(range, self.sizes.n)):
                yield Instance(self.sizes, z0, [*tables, *zeros], w)

    def _choices(self, level: int, count: int) -> Iterator[Sequence[int]]:
        """Ways to draw x_ℓ of that many tables; repeats do no harm, so fewer may be distinct."""
        random = np.random.default_rng([self.seed, 14, level])
        for size in range(1, min(self.kept[level], count) + 1):
            if comb(count, size) <= CHOICES:
                yield from (list(choice) for choice in itertools.combinations(range(count), size))
            else:
                yield from (random.choice(count, size, replace=False).tolist() for _ in range(CHOICES))

    # --- the end ---

    def _pair(self, tables: NDArray[np.int64]) -> Pair | None:
        """Two of the last tables that differ in an entry that Z reaches."""
        tried = 0
        for held in self.instances(self.sizes.L):
            asked = tables[:, asked_addresses(held)[-1]]
            others = np.flatnonzero(asked != asked[:1])
            for other in others[: CANDIDATES - tried].tolist():
                tried += 1
                pair = pair_of(self.model, held, tables[0], tables[other])
                if pair.holds:
                    return pair
        return None


KEPT = (2, 1)
"""x_ℓ, the same for all players: two at first, and one if that leaves no two tables in the end."""
SHARE = 0.25
"""Of the budget, for each decomposition."""
ALL_COMPARED = "no two inputs that differ in z_L alone have one transcript and two answers: all were compared"


@dataclass(frozen=True)
class HybridSearch:
    """What was found, the levels of the decomposition (none if no theorem applies to the word), and the last trial.

    ``complete``: all L levels were reached; if not, the time was up or a player's tables had too little cover.
    """

    search: Search
    theorem: str | None
    levels: tuple[Level, ...]
    trial: Trial | None
    complete: bool

    def document(self) -> dict[str, Any]:
        return {
            "theorem": self.theorem,
            "levels": [level.document() for level in self.levels],
            "levels_complete": self.complete,
            "trial": None if self.trial is None else {"tables": self.trial.tables, "distinct": self.trial.distinct},
        }


def find_hybrid_pair(
    model: Model, sizes: Sizes, *, seed: int = 0, budget: Budget | None = None, progress: Progress | None = None
) -> HybridSearch:
    """Two inputs of FuncComp that differ in z_L alone and sound the same to all later tokens."""
    require_words(model)
    clock = (budget or Budget()).start(progress)
    theorem, levels, method = None, list[Level](), "guided search"
    guided = GuidedSearch(model, sizes, seed, clock)
    try:
        for kept in KEPT:
            choice = (min(kept, sizes.m), *[kept] * (sizes.L - 1))
            steps = rungs(model, sizes, choice)
            if steps is None:
                break
            theorem, method = steps.rule.theorem, "decomposition"
            part = Decomposition(model, sizes, steps, choice, seed, clock.part(SHARE))
            pair = part.run()
            levels = part.levels
            if pair is not None:
                return HybridSearch(found_pair(pair, clock, method), theorem, tuple(levels), None, True)
            method = "decomposition, then guided search"
        pair = guided.pair()
    except KeyboardInterrupt:
        raise Interrupted(ended(clock, method, False, f"stopped by hand; {NOTHING_PROVED}")) from None
    trial, complete = guided.trials[-1] if guided.trials else None, len(levels) == sizes.L
    if pair is not None:
        return HybridSearch(found_pair(pair, clock, method), theorem, tuple(levels), trial, complete)
    note = ALL_COMPARED if guided.exhaustive else NOTHING_PROVED
    return HybridSearch(ended(clock, method, guided.exhaustive, note), theorem, tuple(levels), trial, complete)
