"""`export NAME --to TARGET DIR` of a program, and `export --known-answers DIR`: stock models whose answers are known.

Weights are proved right in exact arithmetic before they are written. Finds and maps as GPT-2 or Llama are certified in
floats too where the bound on their errors is below the margin. What the stock class computes is run: on all inputs
where these are few; else on seeded ones, and without a certificate nothing is known of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from constructions.programs import program_named
from constructions.stock import Certificate, target_for
from constructions.stock.kit.program_bound import StockProgram, stock_program
from constructions.stock.kit.programs import TARGETS, program_questions, words
from separation.files import InputError, json_text, write_whole
from separation.numeric.stock_folder import (
    ANSWERS,
    MANIFEST,
    SCHEMA,
    Checkpoint,
    publish,
    require_replaceable,
    staged,
    write_checkpoint,
)
from separation.numeric.stock_models import StockCheck, compared, load_stock, plain_torch, questions
from separation.packages import require_packages
from separation.programs import CompiledProgram
from separation.progress import Progress, silent
from separation.tasks.checks import require_one_of
from separation.tasks.funccomp import Sizes
from separation.verbs.options import Seed
from separation.verbs.report import MARKS, Parts, Report, Unbroken, count, facts_table, marked, named, timed

NEEDS = ("export needs", "stock", "torch", "transformers", "tokenizers")
ENDLESS = 96
"""Tokens of an endless kind: more than a chunk, which is 64 tokens in the recurrent layers of the stock classes."""
RUNS = ("sdpa", "eager", "step by step", "in two parts")
"""Attention fused and eager, whole prompts; then token by token with a cache; then the second half after the first."""
DTYPES = ("float32", "float64")
MOST_KNOWN = 16
"""Inputs that are written beside a checkpoint."""
KNOWN: tuple[tuple[str, str, str, str | None], ...] = (
    ("induction", "gpt2", "n=64,V=8", None),
    ("recall", "gpt2", "pairs=16,V=16,queries=8", None),
    ("composition", "gpt2", "m=4,n=4,L=2", None),
    ("two_hop_recall", "llama", "pairs=16,V=32", None),
    ("two_sum", "llama", "n=96,M=31", None),
    ("parity", "olmo_hybrid", "", None),
    ("two_sum", "olmo_hybrid", "n=96,M=7", "R"),
    ("two_sum", "qwen3_next", "n=96,M=7", "R"),
    ("c2", "olmo_hybrid", "", None),
    ("c2", "qwen3_next", "", None),
)
"""(program, class, sizes, word); C2, a recurrent layer and full ones, is no program."""
SCRIPT = '''"""Runs each checkpoint in this folder through transformers in three ways: its answers are known.

prefill: the whole prompt at once; steps: token by token with a cache; parts: the second half after the first, cached.
"""
import json, pathlib, sys
import torch, transformers

failed = False
for folder in sorted(p.parent for p in pathlib.Path(__file__).parent.glob("*/known_answers.json")):
    known = json.loads((folder / "known_answers.json").read_text())
    ids, answers, first = torch.tensor(known["inputs"]), torch.tensor(known["answers"]), known["first_asked"]
    name = json.loads((folder / "config.json").read_text())["architectures"][0]
    model = getattr(transformers, name).from_pretrained(folder, local_files_only=True).eval()
    length = ids.shape[1]
    for way, ends in {"prefill": [length], "steps": range(1, length + 1), "parts": [length // 2, length]}.items():
        logits, cache, start = [], None, 0
        with torch.inference_mode():
            for end in ends:
                out = model(ids[:, start:end], past_key_values=cache, use_cache=True)
                logits, cache, start = [*logits, out.logits], out.past_key_values, end
        wrong = (torch.cat(logits, 1)[:, first:first + answers.shape[1]].argmax(-1) != answers).sum().item()
        failed |= wrong > 0
        print(f"{folder.name}: {way}: {answers.numel() - wrong} of {answers.numel()} right", flush=True)
sys.exit(failed)
'''


def compiled_for_export(name: str, sizes: str, word: str | None, tokens: int | None) -> CompiledProgram:
    """The weights of a program; of one without end at so many tokens of the endless kind."""
    program = program_named(name, sizes).definitions
    if tokens is not None and not program.is_endless:
        raise InputError(f"--tokens is for programs of any length; {name} has its own sizes, --sizes")
    return CompiledProgram.of(program.at_length(tokens or ENDLESS) if program.is_endless else program, word)


def program_checkpoint(
    compiled: CompiledProgram, to: str, dtype: str = "float32"
) -> tuple[CompiledProgram, Checkpoint, StockProgram]:
    """The weights in the form that is proved, the tensors of a stock class, and what is certified of them.

    Floats have no P, and each layer adds to their error: of two forms that could be chosen they have that with fewer
    layers.
    """
    require_one_of("--to", to, TARGETS)
    if compiled.other is not None and compiled.other.layers < compiled.layers:
        compiled = replace(compiled.other, other=compiled)
    TARGETS[to](compiled.program, compiled.model, dtype)  # says first what the class cannot compute
    compiled, proof = compiled.proved()
    program = compiled.program
    if not proof.ok:
        raise InputError(f"{program.name} is not proved, so it is not exported: {proof.failure}")
    built = stock_program(compiled, to, dtype)
    return compiled, Checkpoint(program.name, program, built.config, built.tensors, tuple(words(program))), built


@timed
def export_program(
    compiled: CompiledProgram,
    path: str | Path,
    to: str,
    dtype: str = "float32",
    seed: int = 0,
    progress: Progress = silent,
) -> ProgramExport:
    """Build, write next to ``path``, load with the stock class, run, and only if every answer is right rename."""
    path = Path(path).absolute()
    require_one_of("--dtype of a program", dtype, DTYPES)
    require_replaceable(path)
    require_packages(*NEEDS)
    progress(0.0, "weights and proof")
    compiled, checkpoint, built = program_checkpoint(compiled, to, dtype)
    certificate = built.certificate
    said = None if certificate is None else certificate.document()
    prompts, expected, every = program_questions(compiled.program, seed)
    with staged(path) as folder:
        write_checkpoint(folder, checkpoint, dtype, {"target": to, "dtype": dtype, "certificate": said})
        checks = tuple(checked(folder, prompts, expected, compiled.program.asked[0], progress))
        right = all(check.ok and not leaves(certificate, check) for check in checks)
        if right:
            publish(folder, path)
    return ProgramExport(to, checkpoint, path if right else None, certificate, checks, every, dtype, len(prompts))


def leaves(certificate: Certificate | None, check: StockCheck) -> bool:
    """Was a right logit seen nearer to another one than the certificate allows?"""
    if certificate is None or not certificate.ok or certificate.lead is None or check.least_lead is None:
        return False
    return check.least_lead < certificate.margin - certificate.lead


def checked(
    folder: Path, prompts: NDArray[np.int64], expected: NDArray[np.int64], first: int, progress: Progress
) -> list[StockCheck]:
    """What the stock class answers at each token that is asked, in all ways of running it."""
    import torch

    found, length = [], prompts.shape[1]
    eager, fused = load_stock(folder, "eager"), load_stock(folder, "sdpa")
    for number, run in enumerate(RUNS):
        progress((number + 0.5) / len(RUNS), run)
        model, complaints = eager if run == "eager" else fused
        halves = sorted({max(1, length // 2), length})
        ends = {"step by step": [*range(1, length + 1)], "in two parts": halves}.get(run, [length])
        parts, cache, start = [], None, 0
        with torch.inference_mode(), plain_torch(model):
            for end in ends:
                out = model(torch.tensor(prompts[:, start:end]), past_key_values=cache, use_cache=True)
                parts.append(out.logits.double().numpy())
                cache, start = out.past_key_values, end
        logits = np.concatenate(parts, axis=1)[:, first : first + expected.shape[1]]
        found.append(compared(run, complaints, logits.reshape(-1, logits.shape[-1]), expected.reshape(-1), None))
    return found


class Exported(Report):
    """Weights that were written and run: ok if every answer was right, here and, as is certified, for all inputs.

    ``path`` is None where an answer was wrong: then nothing is written. ``every_input``: all that can be asked was.
    """

    target: str
    checkpoint: Checkpoint
    path: Path | None
    certificate: Certificate | None
    checks: tuple[StockCheck, ...]
    every_input: bool
    dtype: str = "float32"

    @property
    def certified(self) -> bool:
        return self.certificate is not None and self.certificate.ok

    @property
    def ok(self) -> bool:
        """Right answers, certified, and no logit was seen to leave the bound."""
        bound = None if self.certificate is None else self.certificate.bound
        right = self.path is not None and all(check.ok for check in self.checks)
        within = bound is not None and max(check.max_error or 0.0 for check in self.checks) <= bound
        return right and self.certified and within

    def facts(self) -> dict[str, Any]:
        return {
            **named(self, "path", "target", "dtype", "certificate", "checks"),
            "parameters": self.checkpoint.parameters,
            "class": self.checkpoint.config["architectures"][0],
            "tokens": self.checkpoint.sizes.length,
        }

    @property
    def title(self) -> str:
        checkpoint = self.checkpoint
        return f"{checkpoint.construction} as {checkpoint.config['architectures'][0]}, {self.dtype}"

    def floats(self, how: str) -> str:
        """That the floats are certified, and how; or why they are not."""
        if self.certified:
            return f"certified{how}"
        reason = f"no bound is known for {self.target}" if self.certificate is None else self.certificate.reason
        return f"not certified in {self.dtype}: {reason or 'the bound is too large'}"

    def check_rows(self, what: str, first: str = "") -> Iterator[tuple[str, str]]:
        """A row for each run: how many answers were right, and by how much, with ``first`` said of the first; then
        what was complained of."""
        for check in self.checks:
            lead = "" if check.least_lead is None else f", least lead of a logit {check.least_lead:.4g}"
            lead += "" if check.max_error is None else f", logits off by up to {check.max_error:.2g}"
            more = first if check.instances == self.checks[0].instances else ""
            right = f"{check.instances - check.mismatches:,} of {check.instances:,} {what}{more}"
            yield check.attention, f"{MARKS[check.ok]} {right}{lead}"
            for complaint in check.complaints:
                yield "", f"{MARKS[False]} {complaint}"


class ProgramExport(Exported):
    """A program in a folder that a stock class loads."""

    inputs: int = 0

    @property
    def ok(self) -> bool:
        """Every answer asked for was right; and if only some were, no bound on all others failed."""
        return self.path is not None and (self.certified or self.certificate is None or self.every_input)

    @property
    def known(self) -> str:
        """How it is known that the floats answer rightly, or that it is not."""
        found, how = self.certificate, f" for all inputs in {self.dtype}: logits off by at most "
        if found is not None and found.ok:
            how += f"{found.bound:.2g}, margin {found.margin:.4g} less {found.lead:.2g} at most"
        return f"{self.floats(how)}; {'all ' if self.every_input else ''}{count(self.inputs, 'input')} run"

    def facts(self) -> dict[str, Any]:
        program = {"program": self.checkpoint.sizes.name}
        return {**super().facts(), **program, **named(self, "inputs", "every_input", "known")}

    def parts(self) -> Parts:
        tokens = count(self.checkpoint.sizes.length, "token")
        rows = [
            ("model", self.title),
            ("prompt", f"{tokens}, vocabulary {self.checkpoint.config['vocab_size']:,}"),
            ("parameters", self.checkpoint.parameters),
            ("weights", f"{MARKS[True]} proved for all inputs, in exact arithmetic"),
            ("floats", f"{MARKS[self.certified or (None if self.ok else False)]} {self.known}"),
            *self.check_rows("answers right"),
        ]
        yield facts_table([*rows, ("time", f"{self.seconds:.2f} s")])
        yield end_line(self)


def end_line(report: Any, more: str = "") -> Unbroken:
    """Where it was written, if every answer was right."""
    return marked(report.ok, "nothing written" if report.path is None else f"written to {report.path}{more}")


# ---- checkpoints with known answers


@timed
def export_known_answers(
    known_answers: Annotated[
        str | Path, "Instead: a new folder of models with inputs and their answers, to test kernels and caches."
    ],
    *,
    seed: Seed = 0,
    progress: Progress = silent,
) -> KnownAnswers:
    """A handful of checkpoints, each with inputs and answers, and a script that runs them; all run before."""
    path = Path(known_answers).absolute()
    require_replaceable(path)
    require_packages(*NEEDS)
    rows: list[KnownRow] = []
    with staged(path) as room:
        for number, (name, to, sizes, word) in enumerate(KNOWN):
            progress(number / len(KNOWN), f"{name} as {to}")
            folder, certificate = room / f"{to}-{name}", None
            if name == "c2":
                composed = Sizes(4, (4,))
                checkpoint = target_for(to, "C2").build(composed)
                checkpoint = replace(checkpoint, config={**checkpoint.config, "use_cache": True})
                prompts, last, _ = questions(composed, seed)
                expected, first = last[:, None], composed.length - 1
            else:
                compiled = compiled_for_export(name, sizes, word, None)
                compiled, checkpoint, built = program_checkpoint(compiled, to)
                first, certificate = compiled.program.asked[0], built.certificate
                prompts, expected, _ = program_questions(compiled.program, seed)
            prompts, expected = prompts[:MOST_KNOWN], expected[:MOST_KNOWN]
            folder.mkdir()
            said = None if certificate is None else certificate.document()
            write_checkpoint(folder, checkpoint, "float32", {"target": to, "dtype": "float32", "certificate": said})
            known = {"inputs": prompts.tolist(), "first_asked": first, "answers": expected.tolist()}
            write_whole(folder / ANSWERS, json_text(known) + "\n")
            checks = tuple(checked(folder, prompts, expected, first, silent))
            rows.append(KnownRow(folder.name, prompts.shape[1], expected.size, checks))
        write_whole(room / "run.py", SCRIPT)
        write_whole(room / MANIFEST, json_text({"schema": SCHEMA, "known_answers": True}, indent=2) + "\n")
        right = all(row.ok for row in rows)
        if right:
            publish(room, path)
    return KnownAnswers(tuple(rows), path if right else None)


@dataclass(frozen=True)
class KnownRow:
    """One checkpoint: tokens of a prompt, answers that are known, and what the class said in all ways of running it."""

    name: str
    tokens: int
    answers: int
    checks: tuple[StockCheck, ...]

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)

    def document(self) -> dict[str, Any]:
        return named(self, "name", "tokens", "answers", "ok", "checks")


class KnownAnswers(Report):
    """The folder of checkpoints, written if every one answers rightly here."""

    rows: tuple[KnownRow, ...]
    path: Path | None

    @property
    def ok(self) -> bool:
        return self.path is not None

    def parts(self) -> Parts:
        right = sum(row.ok for row in self.rows)
        yield f"{right} of {len(self.rows)} checkpoints answer as they should, in every way of running them."
        for row in self.rows:
            leads = [check.least_lead for check in row.checks if check.least_lead is not None]
            lead = f", least lead {min(leads):.4g}" if leads else ""
            wrong = "".join(f"; {c.attention}: {c.mismatches} wrong" for c in row.checks if not c.ok)
            yield marked(
                row.ok, f"{row.name}: {count(row.tokens, 'token')}, {count(row.answers, 'answer')}{lead}{wrong}"
            )
        yield end_line(self, f": python {self.path}/run.py ({self.seconds:.0f} s)")
