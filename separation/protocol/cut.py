"""Who owns which tokens: players hold consecutive pieces of the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from separation.files import InputError
from separation.tasks import TaskSizes, task_of
from separation.tasks.checks import shown

MAX_PLAYERS = 1 << 10


@dataclass(frozen=True)
class Cut:
    """Player j owns the next ``lengths[j]`` tokens; players are counted in the order of the prompt."""

    lengths: tuple[int, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        whole = all(type(length) is int and length >= 1 for length in self.lengths)
        if not self.lengths or not whole:
            raise InputError(f"the cut is {shown(list(self.lengths))}; a list of lengths, each at least 1, is needed")
        if len(self.lengths) > MAX_PLAYERS:
            raise InputError(f"the cut has {len(self.lengths)} players; at most {MAX_PLAYERS} are accepted")
        if len(set(self.names)) != len(self.lengths):
            raise InputError(f"{len(self.lengths)} players need as many different names, got {shown(list(self.names))}")

    @classmethod
    def of(cls, lengths: Sequence[int], tokens: int | None = None) -> Cut:
        """Players 1, 2, … with these many tokens each; together they have ``tokens``, if that is given."""
        cut = cls(tuple(lengths), tuple(f"player {number}" for number in range(1, len(lengths) + 1)))
        return cut if tokens is None else cut.covering(tokens)

    @classmethod
    def of_task(cls, sizes: TaskSizes) -> Cut:
        """The players of a task: of FuncComp z_L, …, z_1, z_0, w, and generated tokens belong to w."""
        names, lengths = zip(*task_of(sizes).players(), strict=True)
        return cls(lengths, names)

    def covering(self, tokens: int) -> Cut:
        """The cut itself, if it is a partition of ``tokens`` tokens."""
        if sum(self.lengths) != tokens:
            raise InputError(
                f"the cut covers {sum(self.lengths)} tokens, the prompt has {tokens}; "
                f"lengths of at least 1 that add up to {tokens} are accepted"
            )
        return self

    @property
    def tokens(self) -> int:
        return sum(self.lengths)

    @property
    def ranges(self) -> tuple[tuple[int, int], ...]:
        """The first token of each player and the one after its last."""
        return tuple(pairwise(accumulate(self.lengths, initial=0)))
