"""Who told whom what: every message with its bits and its content's hash, and what they come to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from separation.counting import count
from separation.figures import Figure, new_figure
from separation.files import json_text
from separation.models import Sums
from separation.protocol.player import Cut, Public

if TYPE_CHECKING:
    import networkx

Kind = Literal["soft", "linear", "sum"]


@dataclass(frozen=True)
class Sent:
    """One message in one layer (counted from 1); ``tokens`` are the receiver's.

    soft: Π_{j,i}, the sender's own partial sums; linear: the states that cross to the receiver; sum: what the receiver
    gets of all soft messages to it, their sum, sent by nobody alone.
    """

    layer: int
    kind: Kind
    sender: str
    receiver: str
    tokens: int
    bits: int
    digest: str
    content: bytes | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, layer: int, kind: Kind, ends: tuple[str, str], tokens: int, bits: int, data: bytes, keep: bool) -> Sent:
        return cls(layer, kind, *ends, tokens, bits, sha256(data).hexdigest(), data if keep else None)

    def document(self) -> dict[str, Any]:
        names = ("layer", "kind", "sender", "receiver", "tokens", "bits")
        return {**{name: getattr(self, name) for name in names}, "sha256": self.digest}


class UnevenMessages(ValueError):
    """Messages of one layer differ in their bits for each token, so there is no one β or state size."""


@dataclass(frozen=True)
class Transcript:
    """The messages of one run, soft and linear, and the sums that players heard."""

    public: Public
    cut: Cut
    messages: tuple[Sent, ...]
    sums: tuple[Sent, ...]

    @property
    def soft_bits(self) -> int:
        """Σ β·tokens(i) over layers and receivers: the sum over all senders is charged, once."""
        return sum(message.bits for message in self.sums)

    @property
    def soft_bits_apart(self) -> int:
        """The same when each sender is charged apart."""
        return sum(message.bits for message in self.messages if message.kind == "soft")

    @property
    def linear_bits(self) -> int:
        """All states that crossed from a player to the next."""
        return sum(message.bits for message in self.messages if message.kind == "linear")

    @property
    def betas(self) -> dict[int, int]:
        """Bits a token in each layer with soft messages, as measured; every message must say the same."""
        return _one_each((m.layer, Fraction(m.bits, m.tokens)) for m in (*self.sums, *self._soft))

    @property
    def beta(self) -> int | None:
        """β, the largest over the layers; None if nothing soft was sent, or numbers are not p-bit."""
        return max(self.betas.values(), default=None) if self.public.on_grid else None

    @property
    def states(self) -> dict[int, int]:
        """Bits of the states of each layer with recurrent heads, as measured at every boundary."""
        return _one_each((m.layer, m.bits) for m in self.messages if m.kind == "linear")

    @property
    def state_bits(self) -> tuple[int, ...] | None:
        """Λ_0..Λ_{#F}: what crosses one boundary, as measured; None if there is no boundary or no p-bit state."""
        if not self.public.on_grid or len(self.cut.lengths) < 2:
            return None
        return self.public.word.cumulative_bits([bits for _, bits in sorted(self.states.items())])

    @property
    def formula_betas(self) -> dict[int, int]:
        """β of each layer by the formula."""
        return self.public.betas

    @property
    def formula_beta(self) -> int | None:
        return max(self.formula_betas.values(), default=None)

    @property
    def formula_state_bits(self) -> tuple[int, ...] | None:
        """Λ_0..Λ_{#F} by the formula; None where states are not p-bit numbers."""
        return self.public.cumulative_bits if self.public.on_grid else None

    @property
    def agrees(self) -> bool | None:
        """Every measured β and Λ equals its formula; None where there is nothing to compare."""
        if not self.public.on_grid or len(self.cut.lengths) < 2:
            return None
        try:
            return self.betas == self.formula_betas and self.state_bits == self.formula_state_bits
        except UnevenMessages:
            return False

    def summed(self, layer: int, receiver: str, senders: Collection[str]) -> bytes:
        """Σ_j Π_{j,i} over these senders, as the receiver would get it: β·tokens(i) bits. Contents must be kept."""
        code = self.public.sum_code(layer)
        found = [m for m in self._soft if (m.layer, m.receiver) == (layer, receiver) and m.sender in senders]
        if not found or any(message.content is None for message in found):
            raise ValueError(f"no soft messages with contents go from these senders to {receiver} in layer {layer}")
        ends = [0, found[0].tokens]
        parts = [code.decode([message.content or b""], ends) for message in found]
        return code.encode([reduce(Sums.plus, heads) for heads in zip(*parts, strict=True)], ends)[0]

    def lines(self) -> Iterator[str]:
        """JSON Lines: one message a line, then the sums."""
        for message in (*self.messages, *self.sums):
            yield json_text(message.document(), readable=True)

    def graph(self) -> networkx.MultiDiGraph:
        """Players are nodes, in order; every message is an edge with its layer, kind, tokens, bits and hash."""
        import networkx as nx

        graph = nx.MultiDiGraph(tokens=self.cut.tokens, word=str(self.public.word))
        for name, (start, stop) in zip(self.cut.names, self.cut.ranges, strict=True):
            graph.add_node(name, first=start, tokens=stop - start)
        for message in self.messages:
            values = message.document()
            graph.add_edge(values.pop("sender"), values.pop("receiver"), **values)
        return graph

    @property
    def _soft(self) -> list[Sent]:
        return [message for message in self.messages if message.kind == "soft"]


def _one_each(pairs: Iterable[tuple[int, int | Fraction]]) -> dict[int, int]:
    """The one number of each layer; two different ones, or one that is not whole, are an error."""
    found: dict[int, set[int | Fraction]] = defaultdict(set)
    for layer, bits in pairs:
        found[layer].add(bits)
    for layer, values in found.items():
        if len(values) != 1 or any(bits != int(bits) for bits in values):
            raise UnevenMessages(f"layer {layer}: messages of {', '.join(map(str, sorted(values)))} bits")
    return {layer: int(values.pop()) for layer, values in sorted(found.items())}


MOST_WRITTEN = 12
"""Players up to which each cell has its number written in it, and each axis its names."""
MOST_PANELS = 12
COLUMNS = 5
COLOURS = {"soft": "#3b6ea5", "linear": "#c8692c"}


def figure(transcript: Transcript) -> Figure:
    """A matplotlib figure: a square a layer (sender down, receiver across), then bars: bits by layer."""
    letters = [layer.letter or "–" for layer in transcript.public.model.layers]
    shown = letters[:MOST_PANELS]
    columns = min(COLUMNS, len(shown) + 1)
    rows = -(-(len(shown) + 1) // columns)
    sheet = new_figure(3.6 * columns, 3.4 * rows)
    axes = np.atleast_1d(sheet.subplots(rows, columns)).reshape(-1)
    most = max((message.bits for message in transcript.messages), default=1)
    for number, letter in enumerate(shown, start=1):
        _square(axes[number - 1], transcript, number, letter, most)
    _bars(axes[len(shown)], transcript, letters)
    for unused in axes[len(shown) + 1 :]:
        unused.axis("off")
    left = "" if len(letters) == len(shown) else f", the first {len(shown)} of {len(letters)} layers"
    sheet.suptitle(
        f"{transcript.public.word}, {count(transcript.cut.tokens, 'token')}, "
        f"{count(len(transcript.cut.names), 'player')}: bits by sender and receiver{left}",
        fontsize=10,
    )
    return sheet


def bits_between(transcript: Transcript, layer: int) -> np.ndarray[Any, np.dtype[Any]]:
    """Bits of all messages of a layer: row sender, column receiver."""
    places = {name: index for index, name in enumerate(transcript.cut.names)}
    bits = np.zeros((len(places), len(places)), dtype=np.int64)
    for message in transcript.messages:
        if message.layer == layer:
            bits[places[message.sender], places[message.receiver]] += message.bits
    return bits


def _square(axis: Any, transcript: Transcript, layer: int, letter: str, most: int) -> None:
    bits = bits_between(transcript, layer)
    # Few bits and many bits are both to be seen: colours follow the logarithm, the same in all layers, and stay light
    # enough for the numbers; what was not sent is white.
    colours = np.ma.masked_equal(np.log2(np.maximum(bits, 1)) + (bits > 0), 0)
    axis.imshow(colours, cmap="Blues" if letter != "R" else "Oranges", vmin=0, vmax=2 * (np.log2(most) + 1))
    names = transcript.cut.names
    axis.set_title(f"layer {layer}: {letter}", fontsize=9)
    axis.set_xlabel("receiver", fontsize=8)
    axis.set_ylabel("sender", fontsize=8)
    if len(names) > MOST_WRITTEN:
        axis.tick_params(labelsize=7)
        return
    axis.set_xticks(range(len(names)), names, rotation=45, fontsize=7)
    axis.set_yticks(range(len(names)), names, fontsize=7)
    for row, column in np.argwhere(bits > 0):
        axis.text(column, row, _short(int(bits[row, column])), ha="center", va="center", fontsize=7)


def _bars(axis: Any, transcript: Transcript, letters: list[str]) -> None:
    """The bits that the theory charges: of a full layer the sums that players heard."""
    places = np.arange(1, len(letters) + 1)
    soft, linear = np.zeros(len(letters)), np.zeros(len(letters))
    for message in transcript.sums:
        soft[message.layer - 1] += message.bits
    for message in transcript.messages:
        linear[message.layer - 1] += message.bits * (message.kind == "linear")
    axis.bar(places - 0.2, soft, 0.4, color=COLOURS["soft"], label="soft, summed over senders")
    axis.bar(places + 0.2, linear, 0.4, color=COLOURS["linear"], label="linear")
    axis.set_yscale("symlog")
    axis.set_ylim(0, 100 * max(*soft, *linear, 1))
    axis.set_xticks(places, [f"{number}\n{letter}" for number, letter in enumerate(letters, start=1)], fontsize=7)
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title("bits by layer", fontsize=9)
    axis.legend(fontsize=6, loc="upper right")


def _short(bits: int) -> str:
    """1234567 as 1.23M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if bits >= 10 * size:
            return f"{bits / size:.3g}{letter}"
    return str(bits)
