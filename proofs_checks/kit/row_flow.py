"""Who may know what in the proof of A_L with unused rows, which Coq does not have: every message fixed, and its price.

Players are L, …, 1 (tables), 0 (z_0) and −1 (w). a_i is the copy of table i that is drawn; X_i^{(t)} is what player i
knows behind full layer t and block t, and here the set of the a_i (and w) on which it may depend. Table L is the one
that nobody may know. Tables vary on their last ν rows alone; the others (`UNUSED`), which stand before them, belong to
the player above, or to table L. With ν_ℓ = n_ℓ it is A_L as Coq has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from proofs_checks.kit.verdict import require

Known = frozenset[str]
W, Z0 = -1, 0
UNUSED, FIXED, VARIED = "unused rows of the table below", "fixed", "varied"


@dataclass(frozen=True)
class Fixed:
    """A message that is made constant: once for each value of ``known``, for ``tokens`` tokens, or as a state.

    ``layer`` is the full layer, or the block of a state; ``above``: the senders are the players with larger numbers.
    """

    kind: str  # "soft" or "state"
    step: int
    layer: int
    receiver: int
    part: str
    above: int
    known: Known

    @property
    def name(self) -> str:
        who = {W: "w", Z0: "z_0"}.get(self.receiver, f"table {self.receiver}")
        what = "layer" if self.kind == "soft" else "block"
        return f"step {self.step}: {what} {self.layer} into {who}{f', {self.part}' if self.part else ''}"


@dataclass(frozen=True)
class Sizes:
    """The numbers of theorem A_L, ν_1..ν_{L-2} in ``rows``."""

    m: int
    n: tuple[int, ...]
    g: int
    rows: tuple[int, ...]
    theta1: int
    x: tuple[int, ...]
    beta: int
    states: tuple[int, ...]

    @property
    def tables(self) -> int:
        return len(self.n) + 1

    def table(self, level: int) -> int:
        """N_{ℓ-1}."""
        return self.m * prod(self.n[: level - 1])

    def tokens(self, receiver: int, part: str) -> int:
        """Of player ℓ: ν_{ℓ-1}·N_{ℓ-2} used rows, and (n_{ℓ-2}−ν_{ℓ-2})·N_{ℓ-3} of the table below that are not."""
        if receiver in (W, Z0):
            return 1
        if receiver == 1:
            return self.m - self.g if part == FIXED else self.g
        if part == UNUSED:
            return (self.n[receiver - 3] - self.rows[receiver - 3]) * self.table(receiver - 2)
        return self.rows[receiver - 2] * self.table(receiver - 1)

    def copies(self, known: Known) -> int:
        """How many values: of w all, of a_1 Θ_1, of a_ℓ x_ℓ."""
        factors = {
            "w": prod(self.rows) * self.n[-1],
            "a1": self.theta1,
            **{f"a{i}": x for i, x in enumerate(self.x, start=2)},
        }
        return prod(factors[letter] for letter in known)

    def price(self, message: Fixed) -> int:
        if message.kind == "state":
            return self.states[message.layer] * self.copies(message.known)
        return self.beta * self.tokens(message.receiver, message.part) * self.copies(message.known)


def drawn(first: int, last: int) -> Known:
    return frozenset(f"a{i}" for i in range(max(first, 1), last + 1))


def parts(receiver: int) -> tuple[str, ...]:
    return (FIXED, VARIED) if receiver == 1 else ("", UNUSED) if receiver > 2 else ("",)


def own(receiver: int, part: str) -> Known:
    """What a token knows of its own player before layer 1, where the first block's states are fixed."""
    if receiver in (W, Z0):
        return frozenset({"w"} if receiver == W else ())
    return frozenset() if part in (FIXED, UNUSED) else frozenset({f"a{receiver}"})


def fixed_messages(tables: int) -> list[Fixed]:
    """Everything that the steps ℓ = 2..L−1 fix of the tables above ℓ; and, as step 1, the states of D_2."""
    found = [Fixed("state", 1, 1, W, "", 1, drawn(1, 1))]
    for step in range(2, tables):
        for block in range(1, step):
            found.append(Fixed("state", step, block, step, "", step, frozenset()))
        for layer in range(1, step):
            for part in parts(step):
                found.append(Fixed("soft", step, layer, step, part, step, drawn(step, step)))
        for receiver in range(step - 1, W, -1):
            for part in parts(receiver):
                known = own(receiver, part) if step == 2 else _below(receiver, part, step)
                found.append(Fixed("soft", step, step - 1, receiver, part, step, known))
        found.append(Fixed("soft", step, step, W, "", step, frozenset({"w"}) | drawn(1, step - 1)))
        found.append(Fixed("state", step, step, W, "", step, drawn(1, step)))
    return found


def _below(receiver: int, part: str, step: int) -> Known:
    """(a_i..a_{ℓ-1}); what of table 1 does not vary counts with player 2."""
    return drawn(2 if (receiver, part) == (1, FIXED) else receiver, step - 1)


def require_blind(tables: int, messages: Iterable[Fixed]) -> None:
    """With these messages constant, w knows nothing of table L at the end, and none depends on more than is paid.

    Layer 1 into w is fixed table by table before the first step: what w hears there depends on w alone. In block 0
    nothing is heard, as the states behind all tables are fixed.
    """
    soft = {(m.layer, m.receiver, m.part): m for m in messages if m.kind == "soft"}
    state = {(m.layer, m.receiver): m for m in messages if m.kind == "state"}
    before = {(i, part): own(i, part) for i in range(tables - 1, W - 1, -1) for part in parts(i)}
    for layer in range(1, tables):
        last = tables - 1 if layer == tables - 1 else tables
        after: dict[tuple[int, str], Known] = {}
        for (i, part), knows in before.items():
            if i != W and last < tables:
                continue  # behind the last layer but one only w is asked
            after[i, part] = knows | _heard(layer, i, part, knows, before, soft)
        before = _with_states(layer, after, state, tables)
    require("top" not in before[W, ""], "w may know the last table")


def _everybody(knowledge: dict[tuple[int, str], Known], players: Iterable[int]) -> Known:
    wanted = set(players)
    return frozenset().union(*(knows for (i, _), knows in knowledge.items() if i in wanted))


def _own_player(knowledge: dict[tuple[int, str], Known], receiver: int, part: str) -> Known:
    """What the parts of the same player that do not stand behind this one know: what varies of table 1 stands last."""
    heard = [FIXED] if part == FIXED else parts(receiver)  # a table stands before the unused rows; it counts as hearing
    return frozenset().union(*(knowledge.get((receiver, one), frozenset()) for one in heard))


def _heard(
    layer: int,
    receiver: int,
    part: str,
    knows: Known,
    before: dict[tuple[int, str], Known],
    soft: dict[tuple[int, int, str], Fixed],
) -> Known:
    """What a token learns in a full layer: constants, its own player, and the players up to the fixed sum."""
    if (receiver, layer) == (W, 1):
        return _everybody(before, (0, 1))
    message = soft.get((layer, receiver, part))
    if message is None:
        return frozenset({"top"})
    require(knows <= message.known, f"{message.name}: it depends on {', '.join(sorted(knows - message.known))} too")
    return (
        message.known | _own_player(before, receiver, part) | _everybody(before, range(receiver + 1, message.above + 1))
    )


def _with_states(
    layer: int,
    after: dict[tuple[int, str], Known],
    state: dict[tuple[int, int], Fixed],
    tables: int,
) -> dict[tuple[int, str], Known]:
    """The states of block ``layer`` pass from player to player, from a boundary where they are fixed; or into w."""
    result, passing = dict(after), frozenset({"top"})
    for i in range(tables - 1, W - 1, -1):
        message = state.get((layer, i))
        if message is not None:
            # A state that is fixed is a function of all tables up to its receiver: those above, and the copies below.
            missing = drawn(i + 1, message.above) - message.known
            require(not missing, f"{message.name}: it depends on {', '.join(sorted(missing))} too")
            passing = message.known
        for part in parts(i):
            if (i, part) in after:
                result[i, part] = _own_player(after, i, part) | passing
        passing |= _everybody(result, (i,))
    return result
