"""What is certified of stock models, what catches wrong constructions, and runs of commands, as tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from separation.matrix import ROWS, cell, column_of
from separation.tasks.funccomp import Instance, Sizes
from separation.testing import read_prompt, write_prompt
from separation.testing.wrong import WRONG
from tools.docs import PageError, block, fenced, number, printed, table

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


def _matrix(texts: list[str], pure: bool = False) -> str:

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


LEVELS = (1, 2, 3, 6, 10)
CERTIFIED = {
    "docs/stock.md": (("GPT-2", "gpt2", "C1", (3,)),),
    "docs/stock_hybrid.md": (("Olmo-hybrid", "olmo_hybrid", "C2", LEVELS), ("Qwen3-Next", "qwen3_next", "C2", LEVELS)),
    "docs/stock_llama.md": (("Llama", "llama", "C1", LEVELS),),
}
"""For each page the families: title, target, construction, tables."""


def certified_lengths(page: str) -> str:
    """The longest prompts that are certified, in each dtype."""
    from constructions.stock import target_for
    from constructions.stock.kit.target import MAX_TOKENS_ASKED

    rows = []
    for title, name, construction, levels in CERTIFIED[page]:
        for L in levels:
            found = [target_for(name, construction).certified_tokens(L, dtype) for dtype in DTYPES]
            beyond = f"> {number(MAX_TOKENS_ASKED)}"
            rows.append((title, L, *(beyond if (most or 0) > MAX_TOKENS_ASKED else number(most) for most in found)))
    return table(("family", "L", *DTYPES), rows)


for each in CERTIFIED:
    block(each, "certified")(partial(certified_lengths, each))


@block("docs/stress.md", "prompt")
def prompt() -> str:
    case = Instance(Sizes(2, (2,)), 1, [[1, 0], [3, 0, 1, 2]], [1])
    text = write_prompt(case, shots=1)
    if read_prompt(text, case.sizes) != case:
        raise PageError("the prompt does not read back")
    return f"```\n{text}\n```"


@block("docs/stress.md", "wrong")
def wrong() -> str:
    return table(("name", "mistake"), [(f"`{each.name}`", each.mistake) for each in WRONG.values()])


# --- docs/fooling.md, docs/protocol.md, docs/numeric.md ---


@block("docs/fooling.md", "levels")
def levels() -> str:
    shown = printed(("fool", "--word", "FRF", "--L", "3", "--m", "2", "--n", "1,2", "--seed", "2"))
    return fenced(shown.split("decomposition of Theorem A:\n")[1])


@block("docs/protocol.md", "simulate")
def simulated() -> str:
    return fenced(printed(("simulate", "C2", "--L", "2")))


@block("docs/numeric.md", "certified", slow=True)  # tests/numeric/test_crosscheck_verb.py has two rows of it
def certified() -> str:
    from separation.numeric import DTYPES as types
    from separation.verbs.crosscheck import certified_table

    return table(("construction", "path", *types), [row.cells() for row in certified_table().rows])
