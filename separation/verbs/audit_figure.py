"""The figure of an audit: the layers of every model, and how long a prompt must be before anything is certified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from separation.figures import Figure, new_figure
from separation.verbs.audit_facts import LENGTHS, Audit, ShortestCertified
from separation.verbs.audit_words import LONGEST_PROMPT_LOG2, length_text, near

FULL, RECURRENT, WHOLE, GREY = "#1f4e79", "#f0c9a0", "#b03a2e", "#8a8a8a"
MARKERS = {1: "o", 2: "s", 3: "^"}
NAMES = {1: "cut behind its first full layer", 2: "behind the second", 3: "behind the third"}
SHORTEST_LOG2 = 10
BEYOND = LONGEST_PROMPT_LOG2 + 2


def draw_audits(audits: Sequence[Audit]) -> Figure:
    """Left: a cell for each letter of the word, dark where it is F. Right: the shortest certified prompts."""
    figure = new_figure(11, 1.9 + 0.4 * len(audits))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2), sharey=True)
    for row, audit in enumerate(audits):
        _draw_layers(left, row, audit)
        _draw_prompts(right, row, audit)
    _label_layers(left, audits)
    _label_prompts(right)
    handles, labels = right.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return figure


def plain(text: str) -> str:
    """Text in which a dollar sign starts no formula."""
    return text.replace("$", r"\$")


def _draw_layers(axes: Any, row: int, audit: Audit) -> None:
    for index, letter in enumerate(audit.word.layers):
        if letter == "FR":
            axes.barh(row - 0.18, 0.9, left=index, height=0.36, color=FULL)
            axes.barh(row + 0.18, 0.9, left=index, height=0.36, color=RECURRENT)
        else:
            axes.barh(row, 0.9, left=index, height=0.72, color=FULL if letter == "F" else RECURRENT)


def _label_layers(axes: Any, audits: Sequence[Audit]) -> None:
    axes.set_yticks(range(len(audits)), [plain(f"{audit.name}  ({audit.word.depth})") for audit in audits])
    axes.set_ylim(len(audits) - 0.5, -0.5)
    axes.set_xlim(0, max(len(audit.word.layers) for audit in audits))
    axes.set_xlabel("layers from the first to the last (dark: full; light: R)")
    axes.set_title("layers (hops followed at all sizes)", fontsize=10)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(left=False)


def _draw_prompts(axes: Any, row: int, audit: Audit) -> None:
    axes.axhline(row, color="#dddddd", linewidth=0.6, zorder=0)
    for cut in audit.cut:
        if cut.level.shortest is not None and cut.word != audit.word:
            _draw_prompt(axes, row, cut.level.shortest, MARKERS[cut.full], FULL, NAMES[cut.full])
    whole = audit.beyond.shortest
    if whole is not None:
        _draw_prompt(axes, row, whole, "D", WHOLE, "whole model")


def _draw_prompt(axes: Any, row: int, shortest: ShortestCertified, marker: str, colour: str, label: str) -> None:
    """A marker where a prompt could be so long; all others share one arrow at the right edge."""
    if near(shortest):
        axes.plot(shortest.tokens_log2, row, marker, color=colour, label=label, markersize=6)
    else:
        axes.plot(BEYOND, row, ">", color=GREY, label="all else: far beyond any prompt", markersize=6)


def _label_prompts(axes: Any) -> None:
    axes.axvspan(
        SHORTEST_LOG2, LENGTHS[-1].bit_length() - 1, color="#e6f2e6", label="prompts of up to 1M tokens", zorder=-1
    )
    axes.set_xlim(SHORTEST_LOG2, BEYOND + 1)
    powers = [*(length.bit_length() - 1 for length in LENGTHS), LONGEST_PROMPT_LOG2]
    names = [*map(length_text, LENGTHS), f"2^{LONGEST_PROMPT_LOG2}"]
    axes.set_xticks(powers, names)
    axes.tick_params(axis="y", left=False)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel("tokens")
    axes.set_title("shortest prompt with a certified failure", fontsize=10)
