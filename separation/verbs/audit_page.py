"""An audit as a page: HTML in one file that needs no network, Markdown for docs/hybrids.md; and as a figure.

Names are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from separation.architectures.architecture import LONGEST_PROMPT_LOG2
from separation.architectures.audit import LENGTHS, Audit
from separation.escaping import html, html_page, markdown, mathtext
from separation.figures import Figure, figure_bytes, new_figure
from separation.matrix import ROWS, Column, cell
from separation.verbs.audit_words import ceiling_cells, known_text, length_text, near, prompt_text, sentence

SHORT = 100_000
COMMAND = "separation audit --all --out docs/hybrids.md"
STYLE = "body { max-width: 62rem; margin: 2rem auto; } pre { overflow-x: auto; } svg { max-width: 100%; height: auto; }"


def audit_page(audits: Sequence[Audit], texts: Iterable[str]) -> str:
    """One self-contained page: the figure, then what the terminal says, with its colours."""
    title = audits[0].name if len(audits) == 1 else f"{len(audits)} models"
    drawn = figure_bytes(draw_audits(audits), "svg").decode()
    # An <svg> element has no declaration before it, and needs no links to vocabularies.
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    body = f"<h1>What {html(title)} can compose in one pass</h1>\n{drawn}\n{''.join(texts)}"
    return html_page(f"{title}: audit", STYLE, body)


Columns = Mapping[str, Callable[[Audit], str]]
"""The columns of a table of models: title → what stands there."""


def _cut(audit: Audit, place: int) -> str:
    return prompt_text(audit.cut[place].level.shortest) if place < len(audit.cut) else "–"


LAYERS: Columns = {
    "model": lambda audit: audit.name,
    "layers": lambda audit: str(len(audit.reading.layers)),
    "full": lambda audit: str(audit.word.full),
    "depth": lambda audit: str(audit.word.depth),
    "KV bytes/token": lambda audit: "–" if audit.kv_bytes is None else f"{audit.kv_bytes:,}",
    "state bytes": lambda audit: f"{-(-audit.state_bits // 8):,}",
    "word": lambda audit: str(audit.word),
}
CERTIFIED: Columns = {
    "model": lambda audit: audit.name,
    "hops": lambda audit: str(audit.beyond.first),
    "first full layer": lambda audit: _cut(audit, 0),
    "its accuracy at 1M": lambda audit: ceiling_cells(audit.cut[0].level)[-1] if audit.cut else "–",
    "first two": lambda audit: _cut(audit, 1),
    "first three": lambda audit: _cut(audit, 2),
    "whole model": lambda audit: prompt_text(audit.beyond.shortest),
}


def models_table(columns: Columns, audits: Sequence[Audit]) -> str:
    """A row for each model; words of layers, which are letters, digits and brackets, as code."""
    rows = (
        [f"`{of(audit)}`" if title == "word" else markdown(of(audit)) for title, of in columns.items()]
        for audit in audits
    )
    return _markdown([*columns], rows)


def besides_table(audits: Sequence[Audit]) -> str:
    """The kind of the recurrences and the verdict on each task that not all of them do."""
    columns = [Column(audit.name, audit.word, audit.kind, audit.state_bits) for audit in audits]
    shown: dict[str, list[str]] = {}
    for name, row in ROWS.items():
        found = [cell(row, column) for column in columns]
        shown[name] = [f"{f.verdict}, {f.scope}" if f.scope == "each length" else f.verdict for f in found]
    names = [name for name in ROWS if name != "composition" and {*shown[name]} != {"built"}]
    rows = [
        (audit.name, audit.kind or "–", *(shown[name][place] for name in names)) for place, audit in enumerate(audits)
    ]
    return _markdown(
        ("model", "kind of R", *(ROWS[name].title for name in names)), (map(markdown, row) for row in rows)
    )


def short_table(audits: Sequence[Audit]) -> str:
    """What is certified to fail at a prompt of at most SHORT tokens: models cut behind a full layer, shortest first."""
    found = [
        (cut.level.shortest.tokens(), audit.name, str(cut.word), str(cut.level.first), cut.level.shortest.theorem)
        for audit in audits
        for cut in audit.cut
        if cut.level.shortest is not None and (cut.level.shortest.tokens() or SHORT + 1) <= SHORT
    ]
    rows = ((name, word, hops, f"{tokens:,}", theorem) for tokens, name, word, hops, theorem in sorted(found))
    header = ("model, cut behind a full layer", "word", "hops", "certified to fail at", "theorem")
    return _markdown(header, (map(markdown, row) for row in rows))


def _markdown(header: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [map(markdown, header), ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def markdown_page(audits: Sequence[Audit]) -> str:
    """docs/hybrids.md."""
    shown = [audit for audit in audits if any(any(cut.level.ceilings) for cut in audit.cut)]
    cut = (
        f"Cut behind a full layer, {len(shown)} of the {len(audits)} models are certified to fail at prompts of at most"
    )
    cut += f" {LENGTHS[-1]:,} tokens: {', '.join(markdown(audit.name) for audit in shown)}."
    matrix = "By [the matrix of tasks](matrix.md); *each length*: with weights of its own at each."
    sections = {
        f"Below {SHORT:,} tokens": short_table(audits),
        "Layers": models_table(LAYERS, audits),
        "What is certified": f"{models_table(CERTIFIED, audits)}\n\n{cut}",
        "Besides composing": f"{besides_table(audits)}\n\n{matrix}",
        "In words": "\n".join(f"- {markdown(f'{sentence(audit)} {known_text(audit)}')}" for audit in audits),
        "Sources": "\n".join(f"- {markdown(audit.name)}: {markdown(audit.source)}" for audit in audits),
    }
    written = "".join(f"## {title}\n\n{text}\n\n" for title, text in sections.items())
    return f"{INTRODUCTION}\n<!-- hybrids, written by {COMMAND} -->\n\n{written}<!-- end of hybrids -->\n"


INTRODUCTION = """# Real hybrids

What real models can compose in one pass. *Depth* is the number of hops that some weights of a word of layers
follow at every size, and that no weights of it exceed at all sizes ([theory](theory.md)). Next to it is the
shortest prompt found at which one hop more is certified to fail: for the model cut behind its first full
layers, then for the whole model. Such a prompt says nothing of other lengths. Where an accuracy is *not
bounded*, no theorem says anything. `separation audit NAME` says more of one model; the files are in
`separation/architectures/data`, and its `manifest.json` says where every number was documented.
"""
FULL, RECURRENT, WHOLE, GREY = "#1f4e79", "#f0c9a0", "#b03a2e", "#8a8a8a"
CUT_MARKS = {
    1: ("o", FULL, "cut behind its first full layer"),
    2: ("s", FULL, "behind the second"),
    3: ("^", FULL, "behind the third"),
}
SHORTEST_LOG2 = 10
BEYOND = LONGEST_PROMPT_LOG2 + 2


def draw_audits(audits: Sequence[Audit]) -> Figure:
    """Left: a cell for each letter of the word, dark where it is F. Right: the shortest certified prompts."""
    figure = new_figure(11, 1.9 + 0.4 * len(audits))
    left, right = figure.subplots(1, 2, width_ratios=(3, 2), sharey=True)
    for row, audit in enumerate(audits):
        for index, letter in enumerate(audit.word.layers):
            upper, lower = FULL if "F" in letter else RECURRENT, RECURRENT if letter != "F" else FULL
            left.barh((row - 0.18, row + 0.18), 0.9, 0.36, left=index, color=(upper, lower))
        right.axhline(row, color="#dddddd", linewidth=0.6, zorder=0)
        marks = [(cut.level.shortest, *CUT_MARKS[cut.full]) for cut in audit.cut if cut.word != audit.word]
        for shortest, marker, colour, label in (*marks, (audit.beyond.shortest, "D", WHOLE, "whole model")):
            if shortest is not None and near(shortest):
                right.plot(shortest.tokens_log2(), row, marker, color=colour, label=label, markersize=6)
            elif shortest is not None:  # all others share one arrow at the right edge
                right.plot(BEYOND, row, ">", color=GREY, label="all else: far beyond any prompt", markersize=6)
    left.set_yticks(range(len(audits)), [mathtext(f"{audit.name}  ({audit.word.depth})") for audit in audits])
    left.set_ylim(len(audits) - 0.5, -0.5)
    left.set_xlim(0, max(len(audit.word.layers) for audit in audits))
    left.set_xlabel("layers from the first to the last (dark: full; light: R)")
    left.set_title("layers (hops followed at all sizes)", fontsize=10)
    left.spines[["top", "right", "left"]].set_visible(False)
    powers = [length.bit_length() - 1 for length in LENGTHS]
    right.axvspan(SHORTEST_LOG2, powers[-1], color="#e6f2e6", label="prompts of up to 1M tokens", zorder=-1)
    right.set_xlim(SHORTEST_LOG2, BEYOND + 1)
    names = [*map(length_text, LENGTHS), f"2^{LONGEST_PROMPT_LOG2}"]
    right.set_xticks([*powers, LONGEST_PROMPT_LOG2], names, fontsize=8)
    right.set_xlabel("tokens")
    right.set_title("shortest prompt with a certified failure", fontsize=10)
    for axes in (left, right):
        axes.tick_params(axis="y", left=False)
    handles, labels = right.get_legend_handles_labels()
    unique = dict(zip(labels, handles, strict=True))
    figure.legend(unique.values(), unique.keys(), loc="outside lower center", ncols=3, fontsize=8, frameon=False)
    return figure
