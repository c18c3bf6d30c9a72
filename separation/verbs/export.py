"""`export`: a construction as a checkpoint that a stock class of transformers loads, and what that class answers.

`export --onnx FILE`: the same weights as an ONNX graph, and what two programs that run such graphs answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Unpack

from constructions.programs import is_program
from constructions.stock import target_for
from separation.files import InputError, require_writable, write_whole
from separation.numeric.onnx.graph import check_graph
from separation.numeric.onnx.networks import stock_graph
from separation.numeric.stock_folder import instance_text, publish, require_replaceable, staged, write_checkpoint
from separation.numeric.stock_models import check_stock, questions, spread
from separation.packages import require_packages
from separation.progress import Progress, part_of, silent
from separation.tasks.checks import require_one_of, shown
from separation.tasks.funccomp import FuncComp, Sizes, answer, sample, sizes_to_document
from separation.verbs.export_programs import (
    NEEDS,
    Exported,
    ProgramExport,
    compiled_for_export,
    end_line,
    export_program,
)
from separation.verbs.options import Argument, Choice, File, FuncCompSizes, Option, Seed, refuse
from separation.verbs.report import MARKS, Parts, count, facts_table, named, timed
from separation.verbs.subjects import chosen_sizes

EXAMPLES = ("export C1 --L 3 --to gpt2 model-folder", "export induction --sizes n=64,V=8 --to gpt2 model-folder")
DTYPES = ("float32", "float64", "bfloat16", "float16")
MAX_TOKENS = 1 << 17
"""The stock classes compute every row of every layer: beyond this nobody waits for the check."""
EAGER_TOKENS = 1 << 11
"""Eager attention keeps all scores; up to this length it is checked as well as the fused one."""
SHOWN_TOKENS = 1 << 9
TARGETS = ("gpt2", "llama")
"""Of the stock classes, those made of operators that ONNX has."""
ONNX_TOKENS = 1 << 12
"""The programs keep all scores of a prompt at once."""
REFERENCE_PAIRS = 1 << 20
"""Pairs of tokens, over all prompts and layers, that the slow reference evaluator is asked for."""


@timed
def export(
    construction: Annotated[str, Argument(metavar="NAME", help="A construction that the target takes, or a program.")],
    path: Annotated[File, Argument(metavar="DIR", help="A new folder, or that of an earlier export.")] = None,
    *,
    to: Annotated[str, "The stock model: gpt2, llama, olmo_hybrid or qwen3_next."],
    onnx: Annotated[
        File, "Write an ONNX graph too, or alone if there is no DIR (gpt2, llama); two programs test it."
    ] = None,
    own_sizes: Annotated[str, Option("Sizes of a program, e.g. n=64,V=8.", ("--sizes",))] = "",
    word: Annotated[str | None, "Layers of a program, e.g. FF or R."] = None,
    dtype: Annotated[str, "float32, float64, bfloat16 or float16."] = "float32",
    seed: Seed = 0,
    progress: Progress = silent,
    **given: Unpack[FuncCompSizes],
) -> ExportReport | OnnxReport | ProgramExport:
    """Build, write next to ``path``, load with the stock class, check its answers, and only then rename to ``path``.

    With ``onnx`` the same weights are also written as an ONNX graph to that file, or alone without a ``path``.
    """
    if path is not None and is_program(construction):
        tokens = given.pop("tokens", None)
        refuse("a program", {**given, "onnx": onnx})
        compiled = compiled_for_export(construction, own_sizes, word, tokens)
        return export_program(compiled, path, to, dtype, seed, progress)
    if own_sizes or word is not None:
        raise InputError("--sizes and --word are for programs")
    if dtype != "float32" and (path is None or onnx is not None):
        raise InputError(f"--onnx writes float32, not {dtype[:20]}")
    if path is None:
        if onnx is None:
            raise InputError("DIR is missing: a new folder, or that of an earlier export; or --onnx FILE alone")
        return export_onnx(construction, onnx, to=to, seed=seed, progress=progress, **given)
    path = Path(path).absolute()
    target = target_for(to, construction)
    require_one_of("--dtype", dtype, DTYPES)
    sizes = chosen_sizes(**given)
    if sizes.length > MAX_TOKENS:
        raise InputError(f"a prompt has {sizes.length} tokens at these sizes; at most {MAX_TOKENS} are exported")
    require_replaceable(path)
    require_packages(*NEEDS)
    if onnx is not None:
        require_graph(to, sizes, onnx)
    progress(0.0, "weights")
    checkpoint = target.build(sizes)
    certificate = target.certify(checkpoint, dtype)
    longest = target.certified_tokens(sizes.L, dtype)
    manifest = {"target": to, "dtype": dtype, "certificate": certificate.document()}
    prompts, expected, every = questions(sizes, seed)
    ideal = target.ideal_logits(target.plan(sizes), expected)
    ways = ("sdpa", "eager") if sizes.length <= EAGER_TOKENS else ("sdpa",)
    checks = []
    with staged(path) as folder:
        write_checkpoint(folder, checkpoint, dtype, manifest)
        for number, way in enumerate(ways):
            part = part_of(progress, number, len(ways), f"{way} attention, ")
            checks.append(check_stock(folder, way, prompts, expected, part, ideal))
        where = path if all(check.ok for check in checks) else None
        if where is not None:
            publish(folder, where)
    graph = None
    if onnx is not None and where is not None:
        graph = export_onnx(construction, onnx, to=to, L=sizes.L, m=sizes.m, n=sizes.n, seed=seed, progress=progress)
    return ExportReport(to, checkpoint, where, certificate, tuple(checks), every, dtype, longest, graph)


command = Choice(
    export,
    benchmark=(None, "export_benchmark.export_benchmark"),
    known_answers=(None, "export_programs.export_known_answers"),
)


@timed
def export_onnx(
    construction: str,
    path: str | Path,
    *,
    to: str,
    seed: int = 0,
    progress: Progress = silent,
    **given: Unpack[FuncCompSizes],
) -> OnnxReport:
    """Build the weights, run their graph in float32 with both programs, and only then write ``path``; without torch."""
    path = Path(path).absolute()
    target = target_for(to, construction)
    sizes = chosen_sizes(**given)
    require_graph(to, sizes, path)
    progress(0.0, "weights")
    plan = target.plan(sizes)
    checkpoint = target.checkpoint(plan)
    certificate = target.certify(checkpoint, "float32")
    model = stock_graph(checkpoint.config, checkpoint.tensors, sizes.length)
    prompts, expected, every = questions(sizes, seed)
    ideal = target.ideal_logits(plan, expected)
    checks = []
    for number, runner in enumerate(("onnxruntime", "reference")):
        part = part_of(progress, number, 2, f"{runner}, ")
        few = REFERENCE_PAIRS // (sizes.length**2 * (sizes.L + 1)) if runner == "reference" else len(prompts)
        chosen = spread(len(prompts), few)
        exact = None if ideal is None else ideal[chosen]
        checks.append(check_graph(model, runner, prompts[chosen], expected[chosen], exact, part))
    data = model.SerializeToString()
    where = path if all(check.ok for check in checks) else None
    if where is not None:
        write_whole(where, data)
    return OnnxReport(to, checkpoint, where, certificate, tuple(checks), every, size=len(data))


def require_graph(to: str, sizes: Sizes, path: str | Path) -> None:
    """Refuse, before any work is done, what cannot be written as a graph."""
    if to not in TARGETS:
        raise InputError(f"--onnx takes --to {' or --to '.join(TARGETS)}, not {shown(to)}")
    if sizes.length > ONNX_TOKENS:
        raise InputError(f"a prompt has {sizes.length} tokens at these sizes; --onnx writes at most {ONNX_TOKENS}")
    require_packages("ONNX needs", "onnx", "onnx", "onnxruntime")
    require_writable(path)


class FuncCompExport(Exported):
    """A construction for FuncComp; ``every_input`` is said of look-ups."""

    @property
    def sizes(self) -> Sizes:
        return self.checkpoint.sizes  # type: ignore[no-any-return]

    def facts(self) -> dict[str, Any]:
        return {
            **super().facts(),
            "construction": self.checkpoint.construction,
            "task": sizes_to_document(self.sizes),
            "vocabulary": self.sizes.vocabulary,
            "every_look_up_asked": self.every_input,
        }

    def rows(self, longest: int | None = None) -> Iterator[tuple[str, str]]:
        """The task, what is certified of the floats, up to which length, and what each run answered."""
        yield "task", FuncComp(self.sizes).title.removeprefix("FuncComp, ")
        found, further = self.certificate, f"; at this L up to {longest:,} tokens" if longest else ""
        assert found is not None
        how = "" if found.bound is None else f"{found.bound:.2g}{found.up_to}, margin {found.margin:.4g}{further}"
        yield "all inputs", f"{MARKS[self.certified]} {self.floats(f': logits off by at most {how}')}"
        yield from self.run_rows()

    def run_rows(self) -> Iterator[tuple[str, str]]:
        yield from self.check_rows("inputs right", ", every look-up among them" if self.every_input else "")


class OnnxReport(FuncCompExport):
    """A written graph, of ``size`` bytes."""

    size: int = 0

    def facts(self) -> dict[str, Any]:
        checks = [{"run": check.attention, **check.document()} for check in self.checks]
        for check in checks:
            del check["attention"]
        return {**super().facts(), "bytes": self.size, "checks": checks}

    def parts(self) -> Parts:
        """The graph, what is certified of its weights, and what each program answered."""
        inputs = f"ids, {self.sizes.length:,} of them, vocabulary {self.sizes.vocabulary:,}; output: the last logits"
        graph = [("graph", f"{self.title}, {self.size:,} bytes"), ("input", inputs)]
        yield facts_table([*graph, *self.rows(), ("time", f"{self.seconds:.2f} s")])
        yield end_line(self)


class ExportReport(FuncCompExport):
    """A written folder that the stock class loaded without complaint; and the graph of the same weights, if asked."""

    certified_tokens: int | None = None
    onnx: OnnxReport | None = None

    @property
    def ok(self) -> bool:
        return super().ok and (self.onnx is None or self.onnx.ok)

    def facts(self) -> dict[str, Any]:
        config = self.checkpoint.config
        return {
            **super().facts(),
            "layers": _size(config, "n_layer", "num_hidden_layers"),
            "width": _size(config, "n_embd", "hidden_size"),
            "heads": _size(config, "n_head", "num_attention_heads"),
            **named(self, "certified_tokens", "onnx"),
            "example": self.example(),
        }

    def example(self) -> dict[str, Any] | None:
        """A text that the tokenizer reads, and its answer; None where it would fill the screen."""
        if self.sizes.length > SHOWN_TOKENS:
            return None
        instance = sample(self.sizes, 0)
        return {"text": instance_text(instance), "answer": answer(instance)}

    def parts(self) -> Parts:
        """What was written, what is certified of it, and what the stock class answered."""
        facts = self.facts()
        rows = [
            ("model", self.title),
            ("prompt", f"{self.sizes.length:,} tokens, vocabulary {self.sizes.vocabulary:,}"),
            ("sizes", f"{facts['layers']} layers, width {facts['width']}, {count(facts['heads'], 'head')}"),
            ("parameters", f"{facts['parameters']:,}"),
            *self.rows(self.certified_tokens),
        ]
        if self.onnx is not None:
            rows.append(("ONNX", f"{MARKS[self.onnx.ok]} {self.onnx.path or 'nothing written'}"))
            rows += self.onnx.run_rows()
        yield facts_table([*rows, ("time", f"{self.seconds:.2f} s")])
        example = self.example()
        if example is not None:
            yield f"a text that its tokenizer reads: {example['text']}"
            yield f"its answer: {example['answer']}"
        yield end_line(self)


def _size(config: dict[str, Any], *names: str) -> int | None:
    return next((config[name] for name in names if name in config), None)
