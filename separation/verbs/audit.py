"""`audit`: what a real model can compose in one pass: its depth, what is certified beyond it, and what would help.

A model of depth D follows D hops at all sizes (some weights do), and no weights of its word follow D + 1 at all sizes.
Real states are so large that nothing is certified at real prompts for the whole model; its first full layers alone are
another matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from separation.architectures import (
    ArchitectureReading,
    ShippedConfig,
    cached_numbers,
    named_config,
    read_config,
    shipped_configs,
)
from separation.architectures.audit import LENGTHS, Audit, audit_model
from separation.architectures.inverse import HEADER, LEGEND, LONGEST_ASKED, needed
from separation.architectures.kinds import recurrence_kind
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, require_writable
from separation.progress import Progress, silent
from separation.tasks.checks import require_integer, require_one_of
from separation.verbs import audit_words as words
from separation.verbs.audit_page import audit_page, draw_audits, markdown_page
from separation.verbs.budgets import require_ranges
from separation.verbs.options import Argument, File, Option, ProvedOnly
from separation.verbs.report import Parts, Report, named, plain_table, shortened, styled, table_of, timed, written

EXAMPLES = (
    "audit config.json --report audit.html",
    "audit jamba_v0_1 lfm2_1_2b gpt2 --sort depth",
    "audit --all --out docs/hybrids.md",
)
MOST_CONFIGS = 64
LONGEST_WORD = 60
SORTS: dict[str, Callable[[Audit], Any]] = {
    "depth": lambda audit: -audit.word.depth,
    "state": lambda audit: audit.state_bits,
    "kv": lambda audit: (audit.kv_bytes is None, audit.kv_bytes or 0),
    "name": lambda audit: audit.name.lower(),
}


@timed
def audit(
    configs: Annotated[
        str | Path | Sequence[str | Path],
        Argument(metavar="CONFIG...", help="config.json files, or names of shipped ones such as jamba_v0_1."),
    ] = (),
    *,
    shipped: Annotated[bool, Option("Audit all configs that ship with the package.", ("--all",))] = False,
    L: Annotated[int | None, "Also rows for every number of hops up to L."] = None,
    sort: Annotated[str | None, "Several: by depth, state, kv or name."] = None,
    tokens: Annotated[int | None, "Also: which states and heads would be certified to fail at so many tokens."] = None,
    score_bits: Annotated[int | None, "P, bits of an attention weight."] = None,
    figure: Annotated[File, "Draw the models (.png, .svg, .pdf)."] = None,
    report: Annotated[File, "Write one HTML page that needs no network."] = None,
    out: Annotated[File, "Write a Markdown page."] = None,
    proved_only: ProvedOnly = False,
    progress: Progress = silent,
) -> AuditReport:
    """Audit config.json files, or shipped ones by name; ``shipped``: all that ship with the package."""
    configs = (configs,) if isinstance(configs, str | Path) else configs
    if sort is not None:
        require_one_of("--sort", sort, SORTS)
    if shipped and configs:
        raise InputError("--all audits the shipped configs; leave out the files, or leave out --all")
    if not shipped and not configs:
        raise InputError("give a config.json, the name of a shipped one, or --all")
    if len(configs) > MOST_CONFIGS:
        raise InputError(f"{len(configs)} configs are given; at most {MOST_CONFIGS} are audited together")
    if L is not None:
        require_integer("L", L, 1)
    if tokens is not None:
        require_integer("tokens", tokens, 4, LONGEST_ASKED)
    require_ranges({"score_bits": score_bits})
    page, markdown, drawn = require_writable(report, out, require_figure_path(figure))
    wanted = shipped_configs() if shipped else tuple(map(named_config, configs))
    found = []
    for index, config in enumerate(wanted):
        progress(index / len(wanted), f"{config.name} is read")  # torch and transformers, if needed, take seconds
        document, reading = config.document(), read_shipped(config, score_bits)
        progress((index + 0.5) / len(wanted), f"{config.name} is audited")
        about = (config.name, config.source, config.context, cached_numbers(document, reading))
        one = replace(audit_model(reading, *about, L, proved_only), kind=recurrence_kind(document, reading))
        if tokens is not None:
            one = replace(one, needed=needed(reading, tokens, proved_only=proved_only, progress=progress))
        found.append(one)
    audits = tuple(sorted(found, key=SORTS[sort]) if sort is not None else found)
    shown = [(one,) for one in audits]
    said = (AuditReport(some)._repr_html_() for some in (shown if len(audits) == 1 else [audits, *shown]))
    pages = {} if page is None else {page: audit_page(audits, said)}
    pages |= {} if markdown is None else {markdown: markdown_page(audits)}
    write_figure(drawn and draw_audits(audits), drawn, pages)
    return AuditReport(audits, drawn, page, markdown)


class AuditReport(Report):
    """The models as they were given, or sorted; and what was written."""

    audits: tuple[Audit, ...]
    figure: Path | None = None
    page: Path | None = None
    out: Path | None = None

    def facts(self) -> dict[str, Any]:
        return {"lengths": LENGTHS, "rows": self.audits, "report": self.page, **named(self, "figure", "out")}

    def parts(self) -> Parts:
        """One model in full; several side by side, then a sentence each."""
        if len(self.audits) == 1:
            yield from _one(self.audits[0])
        else:
            yield from _several(self.audits)
        yield written("figure", self.figure)
        yield written("page", self.page)
        yield written("page", self.out)


def _one(audit: Audit) -> Parts:
    """All that is said of one model; numbers that mean nothing to a reader come last."""
    yield words.sentence(audit)
    yield styled("dim", shortened(str(audit.word), LONGEST_WORD)) + "\n"
    lengths = (f"at {words.length_text(length)}" for length in LENGTHS)
    yield plain_table("hops", "at all sizes", *lengths, rows=map(words.level_row, audit.levels))
    yield from words.level_lines(audit)
    if audit.cut:
        yield "\nCut behind its first full layers:"
        cut = [(str(cut.full), str(cut.word), str(cut.word.depth), words.cut_text(cut)) for cut in audit.cut]
        yield plain_table("full", "word", "depth", "what is certified", rows=cut)
    yield "\nWhat its states carry:"
    if audit.blocks:
        blocks = ("block", "R layers", "state bits", "table that each state holds (C3)")
        yield plain_table(*blocks, rows=words.block_rows(audit.blocks))
    yield from words.needs_text(audit)
    if audit.needed:
        yield f"\nWhat would be certified to fail at {audit.needed[0].tokens:,} tokens:"
        yield plain_table(*HEADER, rows=[each.row() for each in audit.needed])
        yield LEGEND
    yield "\nWhat it can do besides composing:"
    yield from words.besides(audit)
    yield "\nWhat would help:"
    yield from words.help_lines(audit)


def _several(audits: tuple[Audit, ...]) -> Parts:
    rows = []
    for audit in audits:
        full = f"{audit.word.full} of {len(audit.reading.layers)}"
        sizes = words.bytes_text(audit.kv_bytes), words.bytes_text(-(-audit.state_bits // 8))
        shortest = audit.cut[0].level.shortest if audit.cut else None
        alone = "–" if shortest is None else f"{shortest.tokens():,}" if words.near(shortest) else "far beyond"
        rows.append((audit.name, full, audit.word.depth, *sizes, alone))
    yield table_of("model", "full", "depth", "KV a token", "states", "cut: fails at", right_from=2, rows=rows)
    cut = "tokens of the shortest prompt at which the model cut behind its first full layer is certified to fail"
    yield styled("dim", f"cut: {cut}")
    for audit in audits:
        yield f"\n{words.sentence(audit)}"
        if audit.needed:
            yield table_of(*HEADER, rows=[each.row() for each in audit.needed])
            yield styled("dim", LEGEND)


def read_shipped(config: ShippedConfig, score_bits: int | None = None) -> ArchitectureReading:
    return read_config(config.document(), score_bits=score_bits)
