"""A picture of a transcript: for each layer who sent how many bits to whom, and the bits of all layers side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from separation.figures import Figure, new_figure
from separation.protocol.transcript import Transcript

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
        f"{transcript.public.word}, {transcript.cut.tokens} tokens, {len(transcript.cut.names)} players: "
        f"bits by sender and receiver{left}",
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
