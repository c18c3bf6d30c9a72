"""A stress report as one page of HTML that needs nothing else; whatever comes from outside is escaped.

Accuracy by hops and length, with the depth of the model's word drawn in; the worst families; the shrunk failures.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from separation.escaping import html, quoted
from separation.escaping import html_page as page_of
from separation.experiments.runs import wilson
from separation.files import InputError, json_text, read_bytes, require_writable
from separation.tasks.checks import shown
from separation.testing.check import SolverReport
from separation.testing.check import share_text as _share
from separation.testing.examining import Failed, Tally
from separation.testing.plan import Block
from separation.testing.replies import ANSWERED, NO_CONNECTION, STATUSES, UNPARSED, Answer, Reply
from separation.testing.subjects import chance
from separation.testing.text import write_block
from separation.version import VERSION

SCHEMA = "separation-stress-1"
MOST_BYTES = 1 << 30


class Results:
    """A file of results, open for more: every line is written out at once, so that nothing is lost.

    ``known``: the replies that the file already has. A prompt that found no connection is asked again.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], resume: bool = False) -> None:
        self.path = Path(path)
        require_writable(self.path)
        self.known: dict[str, Reply] = {}
        exists = self.path.exists() and self.path.stat().st_size > 0
        if exists and not resume:
            raise InputError(f"{self.path} exists; --resume goes on from it")
        if exists:
            kept = self._read(settings)
            with self.path.open("r+b") as file:  # a line that was not written to its end is dropped
                file.truncate(kept)
        self.file: TextIO = self.path.open("a", encoding="utf-8")
        if not exists:
            self._write({"schema": SCHEMA, "settings": settings})

    def __enter__(self) -> Results:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()

    def note(self, name: str, block: Block, row: int, expected: Answer, reply: Reply) -> None:  # noqa: ARG002
        """One line for one prompt."""
        place = {"name": name, "stage": block.stage, "family": block.family}
        about = {"hops": block.task.depth, "length": block.length, "expected": expected}
        self._write({**place, **about, "status": reply.status, "answered": reply.answer, "detail": reply.detail})

    def _write(self, document: dict[str, Any]) -> None:
        self.file.write(json_text(document, readable=True) + "\n")
        self.file.flush()

    def _read(self, settings: dict[str, Any]) -> int:
        """Fill ``known``; how many bytes of the file are whole lines."""
        data = read_bytes(self.path, MOST_BYTES)
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].splitlines()
        if not lines:
            return 0
        for number, written in enumerate(lines, start=1):
            document = self._line(written, number)
            if number == 1:
                self._require_same(document, settings)
                continue
            reply = _reply_in(document)
            if reply is None:
                raise InputError(f"{self.path}: line {number} is no result")
            if reply.status != NO_CONNECTION:
                self.known[str(document["name"])] = reply
        return whole

    def _line(self, written: bytes, number: int) -> dict[str, Any]:
        try:
            document = json.loads(written)
        except (ValueError, RecursionError):
            raise InputError(f"{self.path}: line {number} is not JSON") from None
        if not isinstance(document, dict):
            raise InputError(f"{self.path}: line {number} is {shown(document)}; an object is needed")
        return document

    def _require_same(self, document: dict[str, Any], settings: dict[str, Any]) -> None:
        if document.get("schema") != SCHEMA:
            raise InputError(f"{self.path} is no file of results")
        before = document.get("settings")
        before = before if isinstance(before, dict) else {}
        written = json.loads(json_text(settings))
        other = [name for name in written if before.get(name) != written[name]]
        if other:
            raise InputError(f"{self.path} was made with other settings: {', '.join(other)}")


def _reply_in(document: dict[str, Any]) -> Reply | None:
    name, status, answer = document.get("name"), document.get("status"), document.get("answered")
    if not isinstance(name, str) or status not in STATUSES:
        return None
    if isinstance(answer, list) and all(type(number) is int for number in answer):
        return Reply(status, tuple(answer), str(document.get("detail", "")))
    if answer is None or type(answer) is int:
        return Reply(status, answer, str(document.get("detail", "")))
    return None


WORST = 12
LONGEST_BLOCK = 4000
STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1.2rem; color: #1c1e21; }
h1 { font-size: 1.6rem; margin-bottom: .3rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin-top: 2.4rem; border-top: 1px solid #ddd; padding-top: 1rem; }
.lead { font-size: 1.1rem; } .note, small { color: #666; font-size: .85rem; }
.verdict { display: inline-block; padding: .1rem .7rem; border-radius: 1rem; color: #fff; font-weight: 600; }
.good { background: #1a7f4b; } .bad { background: #b3261e; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { text-align: left; padding: .35rem .9rem .35rem 0; border-bottom: 1px solid #e6e6e6; }
.grid { border-collapse: separate; border-spacing: 4px; }
.grid th, .grid td { border: 0; padding: .5rem .9rem; text-align: center; }
.grid th { font-weight: 600; color: #444; } .grid td { border-radius: 6px; min-width: 5.5rem; }
.grid td b { display: block; font-size: 1.15rem; } .grid td span { font-size: .75rem; opacity: .85; }
.grid .depth td { padding: 0; border-top: 3px dashed #3949ab; border-radius: 0; color: #3949ab; text-align: left;
  font-size: .8rem; }
.bar { background: #eee; border-radius: 3px; width: 12rem; height: .8rem; } .bar i { display: block; height: 100%;
  border-radius: 3px; background: #3949ab; }
.right { text-align: right; }
pre { background: #f6f7f9; padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; font-size: .85rem;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
"""


@dataclass(frozen=True)
class Model:
    """What the page says of the model; ``word`` and ``depth`` where a config tells them."""

    name: str
    kind: str
    word: str | None = None
    depth: int | None = None


def html_page(
    model: Model,
    report: SolverReport,
    lengths: Sequence[int],
    settings: Mapping[str, Any] | None = None,
    model_tokens: Mapping[str, int] | None = None,
) -> str:
    """The whole page; ``model_tokens``: the model's own tokens of a prompt, by the title of its sizes."""
    title = f"Stress test of {quoted(model.name)}"
    parts = [f"<h1>{_safe(title)}</h1>", _lead(model, report), _grid(model, report, lengths, model_tokens or {})]
    parts += [_families(report.rows), _failures(report.failures), _counts(report), _settings(settings or {})]
    return page_of(title, STYLE, "\n".join(part for part in parts if part))


def _lead(model: Model, report: SolverReport) -> str:
    kind, word = ("good", "passed") if report.ok and report.complete else ("bad", "failed")
    word = "incomplete" if report.ok and not report.complete else word
    mark = f'<span class="verdict {kind}">{word}</span>'
    text = f'<p class="lead">{mark} &nbsp; {_safe(report.verdict)}</p>'
    when = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    made = f"{when}; separation {VERSION}"
    text += f'<p class="note">Task {_safe(report.task)}; {_safe(model.kind)}; seed {report.seed}; {made}.</p>'
    if report.unfinished:
        text += f'<p class="note">The time was over in: {_safe(", ".join(report.unfinished))}.</p>'
    if report.stopped is not None:
        text += f"<p><b>Stopped early:</b> {_safe(report.stopped)}</p>"
    return text


def _grid(model: Model, report: SolverReport, lengths: Sequence[int], model_tokens: Mapping[str, int]) -> str:
    """Accuracy by hops (rows) and length (columns), and a line below the depth of the word.

    The depth is that of one pass: it is not drawn where replies say more than the answer, as a chain of thought may.
    """
    columns = sorted(lengths) or sorted({row.length for row in report.rows})
    levels = sorted({row.hops for row in report.rows}, key=lambda hops: -1 if hops is None else hops)
    lines = [_row(["", *(f"up to {length:,} entries" for length in columns)], "th")]
    drawn = model.depth is None or report.aloud
    for level in levels:
        if not drawn and level is not None and level > (model.depth or 0):
            lines.append(_depth_line(model, len(columns)))
            drawn = True
        name = "all" if level is None else f"L = {level}"
        cells = []
        for place, length in enumerate(columns):
            least = columns[place - 1] if place else 0
            own = [row for row in report.rows if row.hops == level and least < row.length <= length]
            cells.append(_cell(own, model_tokens))
        lines.append(f"<tr><th>{_safe(name)}</th>{''.join(cells)}</tr>")
    if not drawn and levels != [None]:
        lines.append(_depth_line(model, len(columns)))
    word = "" if model.word is None else f'<p class="note">Word of layers: <code>{_safe(model.word)}</code></p>'
    if model.depth is not None and report.aloud:
        said = f"its depth in one pass, {model.depth}, says nothing here: its replies say more than the answer"
        word += f'<p class="note">{_safe(said)}</p>'
    note = "Below each accuracy: Wilson's 95 % interval, a guess, and the sizes; entries are tokens of the task itself"
    word += f'<p class="note">{_safe(note)}{", tokens those of the model" if model_tokens else ""}.</p>'
    table = f'<div class="wide"><table class="grid">{"".join(lines)}</table></div>'
    return f"<h2>Accuracy by hops and length</h2>\n{table}\n{word}"


def _depth_line(model: Model, columns: int) -> str:
    said = f"depth {model.depth}: above, some weights of this word are right at every size; below, no weights are"
    return f'<tr class="depth"><td colspan="{columns + 1}">{_safe(said)}</td></tr>'


def _cell(rows: Sequence[Tally], model_tokens: Mapping[str, int]) -> str:
    right, asked = sum(row.right for row in rows), sum(row.asked for row in rows)
    if not asked:
        return '<td style="background:#f3f3f3;color:#999">–</td>'
    share = right / asked
    low, high = wilson(right, asked)
    lines = [f"{right:,} of {asked:,}", f"{_share(low)} to {_share(high)}"]
    tasks = {row.task.title: row.task for row in rows if row.task is not None}
    guesses = [guess for task in tasks.values() if (guess := chance(task)) is not None]
    if guesses:
        lines.append(f"a guess: {_share(max(guesses))}" + (" at most" if min(guesses) < max(guesses) else ""))
    if tasks:
        title = max(tasks, key=lambda name: tasks[name].prompt_length)
        own = f"; {model_tokens[title]:,} tokens" if title in model_tokens else ""
        lines.append(("up to " if len(tasks) > 1 else "") + title.partition(", ")[2] + own)
    # From red to green by hue; dark text on all of them.
    colour = f"hsl({round(8 + 132 * share**3)} 62% {round(78 - 6 * share)}%)"
    below = "<br>".join(map(_safe, lines))
    return f'<td style="background:{colour}"><b>{_share(share)}</b><span>{below}</span></td>'


def _families(rows: Iterable[Tally]) -> str:
    """Families of all stages, the worst first."""
    sums: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        own = sums.setdefault((row.stage, row.family), [0, 0, 0])
        for place, number in enumerate((row.asked, row.right, row.statuses[UNPARSED])):
            own[place] += number
    asked_of = {key: own for key, own in sums.items() if own[0]}
    lines = [_row(["family", "stage", "accuracy", "", "asked", "unparsed"], "th")]
    for stage, family in sorted(asked_of, key=lambda key: asked_of[key][1] / asked_of[key][0])[:WORST]:
        asked, right, unparsed = asked_of[stage, family]
        share = right / asked
        bar = f'<div class="bar"><i style="width:{100 * share:.1f}%"></i></div>'
        name = _safe(family.replace("_", " "))
        lines.append(_row((name, _safe(stage), _share(share), bar, f"{asked:,}", f"{unparsed:,}")))
    return f'<h2>Families, the worst first</h2>\n<div class="wide"><table>{"".join(lines)}</table></div>'


def _failures(failures: Sequence[Failed]) -> str:
    if not failures:
        return "<h2>Failures</h2>\n<p>None was found.</p>"
    parts = ["<h2>The smallest failures</h2>"]
    for failed in sorted(failures, key=lambda each: each.size):
        reply = failed.reply
        said = f"answered {reply.answer}" if reply.status == ANSWERED else f"{reply.status}: {reply.detail}"
        where = f"found by {failed.stage}, {failed.family.replace('_', ' ')}"
        block = write_block(failed.task.instance(failed.prompt))
        if len(block) > LONGEST_BLOCK:
            block = block[:LONGEST_BLOCK] + " …"
        parts.append(f"<p><b>{_safe(said)}</b>, expected {_safe(failed.expected)} <small>({_safe(where)})</small></p>")
        parts.append(f"<pre>{_safe(block)}</pre>")
    return "\n".join(parts)


def _counts(report: SolverReport) -> str:
    """Replies that are no answers, by why."""
    missed = {status: count for status in STATUSES if status != ANSWERED and (count := report.count(status))}
    if not missed:
        return ""
    words = {NO_CONNECTION: "no connection (not counted as asked)"}
    lines = "".join(_row((_safe(words.get(status, status)), f"{count:,}")) for status, count in missed.items())
    return f"<h2>Without an answer</h2>\n<table>{lines}</table>"


def _settings(settings: Mapping[str, Any]) -> str:
    if not settings:
        return ""
    rows = ((name.replace("_", " "), json_text(value, readable=True)) for name, value in settings.items())
    lines = "".join(_row((_safe(name), f"<code>{_safe(value)}</code>")) for name, value in rows)
    return f'<h2>Settings</h2>\n<div class="wide"><table>{lines}</table></div>'


def _row(cells: Iterable[str], tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _safe(text: object) -> str:
    """Text of the page, its line breaks kept."""
    return "\n".join(map(html, str(text).split("\n")))
