"""What is certified of stock models, what catches wrong constructions, and runs of commands, as tables."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tools.docs import PageError, block, fenced, number, said, table

if TYPE_CHECKING:
    from separation.tasks import Instance


DTYPES = ("float64", "float32", "float16", "bfloat16")


MODELS = (
    "jamba_v0_1",
    "qwen3_next_80b_a3b",
    "olmo_hybrid_7b",
    "granite_4_0_h_small",
    "gpt_oss_20b",
    "lfm2_1_2b",
    "gpt2",
)
PURE = (("Mamba-2 2.7B", "R64:diagonal", 1358692352), ("xLSTM 7B", "R32:diagonal", 1075847168))
"""Their words and states as the modules of transformers have them: 64 layers of 80·64·128 numbers and convolutions of 4
tokens; 32 layers of 8·256·512 numbers and normalisers."""


@block("docs/matrix.md", "words")
def matrix_of_words() -> str:
    recurrent = [f"R:{kind}" for kind in ("diagonal", "delta", "reflections", "product")]
    return _matrix(["F", "FF", *recurrent, "RF:diagonal", "RF:delta", "RF:product", "FR:diagonal"])


@block("docs/matrix.md", "models")
def matrix_of_models() -> str:
    return _matrix(list(MODELS), pure=True)


@block("docs/matrix.md", "at 32768 tokens")
def matrix_at_a_length() -> str:
    from dataclasses import replace

    from separation.matrix import ROWS, cell, column_of

    rows = []
    for name, word, bits in PURE:
        column = replace(column_of(word, state_bits=bits), name=name)
        for task in ("recall", "copying"):
            found = cell(ROWS[task], column, tokens=32768).at_length or {}
            rows.append((name, task, number(round(found["needs_bits"])), number(bits), number(found["most"])))
    return table(("model", "task at 32,768 tokens", "bits needed", "state bits", "symbols that fit at most"), rows)


def _matrix(texts: list[str], pure: bool = False) -> str:
    from dataclasses import replace

    from separation.matrix import ROWS, cell, column_of

    columns = [column_of(text) for text in texts]
    if pure:
        columns += [replace(column_of(word), name=name) for name, word, _ in PURE]
    marks = {"each length": "built at each length", "impossible": "**no**", "conditional": "no, if TC⁰ ≠ NC¹"}
    rows = []
    for row in ROWS.values():
        cells = [cell(row, column) for column in columns]
        shown = (marks.get(c.scope or "", marks.get(c.verdict, c.verdict)) if c.verdict == "built" else
                 marks.get(c.verdict, c.verdict) for c in cells)  # fmt: skip
        rows.append((row.title.replace("L tables", "2 tables"), *shown))
    names = [f"{c.name} ({c.kind})" if pure and c.kind else c.name for c in columns]
    return table(("task", *names), rows)


@block("docs/stock.md", "certificates")
def gpt2_certificates() -> str:
    from constructions.stock.gpt2.bound import certify_plan
    from constructions.stock.gpt2.plan import Gpt2Plan
    from separation.tasks.funccomp import Sizes

    rows = []
    for m, n in ((2, 0), (2, 1), (4, 2), (8, 2), (64, 1), (2, 9), (2, 11), (256, 1), (1024, 1)):
        plan = Gpt2Plan(Sizes(m, (m,) * n))
        found = {dtype: certify_plan(plan, dtype) for dtype in DTYPES}
        written = (", ".join([str(m)] * n) or "–") if n < 4 else f"{m}, {n} times"
        bounds = [f"{found[dtype].bound:.1e}" for dtype in ("float32", "float64")]
        (short,) = {found[dtype].bound for dtype in ("bfloat16", "float16")}
        sizes = (1 + n, m, written, f"{plan.sizes.length:,}", plan.width)
        rows.append((*sizes, number(found["float32"].margin), *bounds, f"{short:g}"))
    return table(("L", "m", "n", "tokens", "width", "margin", "float32", "float64", "bfloat16, float16"), rows)


@block("docs/stock.md", "certified")
def gpt2_certified() -> str:
    from constructions.stock.gpt2 import TARGET
    from constructions.stock.kit.target import MAX_TOKENS_ASKED

    found = [TARGET.certified_tokens(3, dtype) for dtype in DTYPES]
    shown = [f"> {number(MAX_TOKENS_ASKED)}" if (most or 0) > MAX_TOKENS_ASKED else number(most) for most in found]
    return table(("L", *DTYPES), [(3, *shown)])


@block("docs/stock_hybrid.md", "certified")
def hybrid_certified() -> str:
    from constructions.stock import target_for

    rows = []
    for title, target in (("Olmo-hybrid", "olmo_hybrid"), ("Qwen3-Next", "qwen3_next")):
        longest = target_for(target, "C2").certified_tokens
        for L in (1, 2, 3, 6, 10):
            (long,) = {longest(L, dtype) for dtype in ("float32", "float64")}
            rows.append((title, L, *map(number, (long, longest(L, "float16"), longest(L, "bfloat16")))))
    return table(("family", "L", "float32, float64", "float16", "bfloat16"), rows)


@block("docs/stock_llama.md", "bounds")
def llama_bounds() -> str:
    from constructions.stock.kit.rotations import UNITS
    from constructions.stock.llama.bound import certify_plan
    from constructions.stock.llama.plan import LlamaPlan
    from separation.tasks.funccomp import Sizes

    rows = []
    for m, n in ((16, 1), (8, 2), (2, 5)):
        plan = LlamaPlan(Sizes(m, (m,) * n))
        found = [certify_plan(plan, dtype).bound for dtype in UNITS]
        shown = ["none" if bound is None else f"{bound:.1e}" for bound in found]
        rows.append((1 + n, m, f"{plan.sizes.length:,}", plan.stream.width, *shown))
    return table(("L", "m = n_1 = …", "tokens", "width", *UNITS), rows)


@block("docs/stock_llama.md", "certified")
def llama_certified() -> str:
    from constructions.stock.kit.rotations import UNITS
    from constructions.stock.llama import TARGET

    rows = [(L, *(number(TARGET.certified_tokens(L, dtype)) for dtype in UNITS)) for L in (1, 2, 3, 6, 10)]
    return table(("L", *UNITS), rows)


@block("docs/stock_llama.md", "amplitudes")
def llama_amplitudes() -> str:
    """Σ a_j of the amplitudes found, and the gap that as many equal ones would leave."""
    from constructions.stock.kit.rotations import least_gap, tuned

    rows = []
    for tokens in (4, 274, 4096, 1 << 24):
        found = tuned(tokens)
        equal = f"{float(least_gap(tokens, (Fraction(1),) * found.used)):.2f}" if tokens <= 4096 else "–"
        rows.append((number(tokens), f"{float(found.total):.1f}", equal))
    return table(("tokens", "Σ a_j", "gap with equal amplitudes"), rows)


@block("docs/stress.md", "prompt")
def prompt() -> str:
    from separation.tasks.funccomp import Instance, Sizes
    from separation.testing import read_prompt, write_prompt

    case = Instance(Sizes(2, (2,)), 1, [[1, 0], [3, 0, 1, 2]], [1])
    text = write_prompt(case, shots=1)
    if read_prompt(text, case.sizes) != case:
        raise PageError("the prompt does not read back")
    return f"```\n{text}\n```"


@block("docs/stress.md", "wrong")
def wrong() -> str:
    """Each wrong construction with the stage that catches it first and the smallest failure; the right ones pass."""
    from separation.testing import check_solver, task_name
    from separation.testing.adapters.choosing import construction_solver
    from separation.testing.wrong import WRONG

    rows = []
    for each in WRONG.values():
        task, solver = task_name(each.sizes), construction_solver(each.construction())
        report = check_solver(solver, task, sizes=each.sizes, tokens=True, seconds=600, limit=None, instances=64)
        if report.failure is None:
            raise PageError(f"{each.name} is not caught")
        shown = _not_plain(report.failure)
        answers = _written(report.expected), _written(report.answered)
        rows.append((f"`{each.name}`", each.mistake, report.stage, f"`{shown}`", *answers))
    return table(("name", "mistake", "caught by", "smallest failure", "expected", "answered"), rows)


def _not_plain(instance: Instance) -> str:
    """What an instance has that the plainest one has not; the last lines of FuncComp, z0 and w, in any case."""
    from separation.testing import plain_task
    from separation.testing.text import write_block

    task = plain_task(instance.sizes)
    plainest = task.instance(task.plainest_prompt())
    pairs = zip(write_block(instance).split("\n")[1:], write_block(plainest).split("\n")[1:], strict=True)
    shown = []
    for line, plain in pairs:
        name, _, rest = line.partition(": ")
        entries = rest.split(" ")
        kept = [own for own, other in zip(entries, plain.partition(": ")[2].split(" "), strict=True) if own != other]
        if kept or len(entries) == 1:
            shown.append(f"{name}: {' '.join(kept or entries)}")
    return "; ".join(shown)


def _written(answer: object) -> str:
    return " ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)


# --- docs/fooling.md, docs/protocol.md, docs/numeric.md ---


@block("docs/fooling.md", "levels")
def levels() -> str:
    shown = said("fool", "--word", "FRF", "--L", "3", "--m", "2", "--n", "1,2", "--seed", "2")
    return fenced(shown.split("decomposition of Theorem A:\n")[1])


@block("docs/protocol.md", "simulate")
def simulated() -> str:
    return fenced(said("simulate", "C2", "--L", "2"))


@block("docs/numeric.md", "certified", slow=True)  # tests/numeric/test_crosscheck_verb.py has two rows of it
def certified() -> str:
    from separation.numeric import DTYPES as types
    from separation.verbs.crosscheck import certified_table

    return table(("construction", "path", *types), [row.cells() for row in certified_table().rows])
