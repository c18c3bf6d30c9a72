"""`audit`: what somebody's model can compose in one pass: its depth, what is certified beyond it, and what would help.

A model of depth D follows D hops at all sizes (some weights do), and no weights of its word follow D + 1 at all sizes.
Real states are so large that nothing is certified at real prompts for the whole model; its first full layers alone are
another matter.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.architectures import (
    ArchitectureReading,
    ShippedConfig,
    cached_numbers,
    read_config,
    shipped_config,
    shipped_configs,
)
from separation.escaping import terminal
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, read_json, require_writable, write_together
from separation.progress import Progress, silent
from separation.tasks.checks import require_integer
from separation.verbs.audit_facts import LENGTHS, Audit, audit_model

MOST_CONFIGS = 64
CONFIG_FILE = "config.json"
SECONDS_BETWEEN = 0.5


SORTS: dict[str, Callable[[Audit], Any]] = {
    "depth": lambda audit: -audit.word.depth,
    "state": lambda audit: audit.state_bits,
    "kv": lambda audit: (audit.kv_bytes is None, audit.kv_bytes or 0),
    "name": lambda audit: audit.name.lower(),
}


@dataclass(frozen=True)
class AuditReport:
    """The models as they were given, or sorted; and what was written."""

    audits: tuple[Audit, ...]
    seconds: float
    figure: Path | None = None
    page: Path | None = None
    out: Path | None = None
    ok: bool = True

    def document(self) -> dict[str, Any]:
        written = {"figure": self.figure, "report": self.page, "out": self.out}
        paths = {name: None if path is None else str(path) for name, path in written.items()}
        rows = [audit.document() for audit in self.audits]
        return {"ok": self.ok, "lengths": list(LENGTHS), "rows": rows, **paths, "seconds": self.seconds}


def audit(
    configs: Sequence[str | Path] = (),
    *,
    shipped: bool = False,
    L: int | None = None,
    sort: str | None = None,
    score_bits: int | None = None,
    proved_only: bool = False,
    figure: str | Path | None = None,
    report: str | Path | None = None,
    out: str | Path | None = None,
    progress: Progress = silent,
) -> AuditReport:
    """Audit config.json files, or shipped ones by name; ``shipped``: all that ship with the package.

    ``L``: also rows for every number of tables up to L. ``proved_only`` leaves out theorems that are not proved in Coq.
    ``figure`` draws the models, ``report`` writes one HTML page,
    ``out`` a Markdown page.
    """
    start = time.perf_counter()
    if sort is not None and sort not in SORTS:
        raise InputError(f"--sort is {sort!r}; accepted are {', '.join(SORTS)}")
    if shipped and configs:
        raise InputError("--all audits the shipped configs; leave out the files, or leave out --all")
    if not shipped and not configs:
        raise InputError("give a config.json, the name of a shipped one, or --all")
    if len(configs) > MOST_CONFIGS:
        raise InputError(f"{len(configs)} configs are given; at most {MOST_CONFIGS} are audited together")
    if L is not None:
        require_integer("L", L, 1)
    require_writable(report, out, figure)
    drawn = None if figure is None else require_figure_path(figure)
    wanted: list[str | Path | ShippedConfig] = [*shipped_configs()] if shipped else [*configs]
    found = []
    for index, config in enumerate(wanted):
        name = config.name if isinstance(config, ShippedConfig) else str(config)
        with _told(progress, index / len(wanted), f"{name} is read"):  # torch and transformers, if needed, take seconds
            named, source, context, document, reading = _read(config, score_bits)
        progress((index + 0.5) / len(wanted), f"{named} is audited")
        found.append(audit_model(reading, named, source, context, cached_numbers(document, reading), L, proved_only))
    audits = tuple(sorted(found, key=SORTS[sort]) if sort is not None else found)
    pages: dict[Path, str] = {}
    if report is not None:
        from separation.verbs.audit_page import html_page

        pages[Path(report)] = html_page(audits)
    if out is not None:
        from separation.verbs.audit_page import markdown_page

        pages[Path(out)] = markdown_page(audits)
    if drawn is not None:
        from separation.verbs.audit_figure import draw_audits

        write_figure(draw_audits(audits), drawn, pages)
    else:
        write_together(pages)
    page, markdown = (None if path is None else Path(path) for path in (report, out))
    return AuditReport(audits, time.perf_counter() - start, drawn, page, markdown)


@contextmanager
def _told(progress: Progress, done: float, what: str) -> Iterator[None]:
    """Progress now, and again and again while something runs that cannot tell how far it is."""
    finished = threading.Event()

    def tell() -> None:
        while not finished.wait(SECONDS_BETWEEN):
            progress(done, what)

    progress(done, what)
    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        finished.set()
        teller.join()


def _read(
    config: str | Path | ShippedConfig, score_bits: int | None
) -> tuple[str, str, int | None, dict[str, Any], ArchitectureReading]:
    """(name, source, context, document, reading) of a file, or of a shipped config by its name."""
    if not isinstance(config, ShippedConfig) and not Path(config).exists() and Path(config).suffix == "":
        config = shipped_config(str(config))
    if isinstance(config, ShippedConfig):
        return config.name, config.source, config.context, config.document(), read_shipped(config, score_bits)
    path = Path(config)
    document = read_json(path)
    reading = read_config(document, score_bits=score_bits)
    name = path.resolve().parent.name if path.name == CONFIG_FILE else path.stem
    context = document.get("max_position_embeddings")
    return terminal(name), str(path), context if type(context) is int and context > 0 else None, document, reading


def read_shipped(config: ShippedConfig, score_bits: int | None = None) -> ArchitectureReading:
    return read_config(config.document(), score_bits=score_bits)
