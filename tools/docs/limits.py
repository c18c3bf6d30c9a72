"""Constants of the code: one table "limits" a page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any

from tools.docs import BLOCKS, Block, number, table

LIMITS: dict[str, tuple[tuple[str, str], ...]] = {
    "docs/bounds.md": (
        ("bits beyond which numbers are balls", "separation.bounds.powers:EXACT_BITS"),
        ("tables up to which a search is done", "separation.bounds.shortest:MOST_TABLES"),
        ("largest L of `bound --exponents`; by default", "separation.verbs.bound_exponents:MAX_TABLES SHOWN_TABLES"),
        ("H·d·p of CPW's sizes there", "separation.verbs.bound_exponents:PRODUCTS"),
        ("bits of a number in a recurrent state, at least", "separation.architectures.architecture:STATE_BITS"),
        ("bits up to which the kernel's intervals are exact", "separation.proving.kernel:BITS"),
        ("binary digits of the kernel's logarithms", "separation.proving.kernel:DIGITS"),
    ),
    "docs/coq.md": (
        ("bits up to which the inequalities are computed", "proofs_checks.kit.coq.certificates:EXACT_BITS"),
        ("bits of a number that is accepted", "proofs_checks.kit.coq.certificates:LONGEST_BITS"),
        (
            "bits of a power that is multiplied out for a sharper theorem",
            "proofs_checks.kit.coq.sharper:LONGEST_POWER",
        ),
    ),
    "docs/fooling.md": (
        ("observed bits beyond which linear algebra is tried", "separation.fooling.recurrent:BIRTHDAY_BITS"),
        ("first tables whose states are compared", "separation.fooling.recurrent:LOOKED_AT"),
        ("few and many bits of a random state", "separation.fooling.random_models:FEW_BITS MANY_BITS"),
        (
            "bits of an entry of a medium state, of a large one",
            "separation.fooling.random_models:SHORT_ENTRY LONG_ENTRY",
        ),
        ("inputs of a hybrid that are all looked at", "separation.fooling.hybrids.players:EXPLICIT"),
        ("P of a random hybrid", "separation.fooling.random_subjects:SCORE_BITS"),
        ("random tables whose transcripts are counted", "separation.fooling.random_subjects:LOOKED_AT"),
        ("sequences of a block that are all looked at", "separation.fooling.sparse.layer:ENUMERATED"),
        ("seconds of a search", "separation.fooling.budget:DEFAULT_SECONDS"),
    ),
    "docs/numeric.md": (
        ("P = f of the exact run", "separation.numeric.reference:FINE_BITS"),
        (
            "scores of one prompt up to which it runs, for each of",
            "separation.numeric.crosscheck:EXACT_SCORES LONE_PROMPT",
        ),
        ("numbers of a stream up to which it runs", "separation.numeric.crosscheck:EXACT_NUMBERS"),
        ("terms added at a time in float64", "separation.numeric.arithmetic:CHUNK"),
        ("units in the last place that exp may miss", "separation.numeric.arithmetic:EXPONENTIAL_ULPS"),
        (
            "keys in a block; terms added at a time in float32",
            "separation.numeric.arithmetic:LONGEST_BLOCK QUICK_CHUNK",
        ),
        ("L of the table of certified lengths", "separation.verbs.crosscheck:LEVELS"),
        ("tokens up to which families run", "separation.verbs.crosscheck:FAMILY_TOKENS"),
    ),
    "docs/protocol.md": (
        ("layers of a stock model", "separation.protocol.stock:MAX_LAYERS"),
        ("its width", "separation.protocol.stock:MAX_WIDTH"),
        ("its parameters", "separation.protocol.stock:MAX_PARAMETERS"),
    ),
    "docs/proving.md": (
        ("seconds of the search for a wrong answer, by default", "separation.verbs.prove:SECONDS"),
        ("log2 of the inputs that are all run first; last", "separation.proving.refutation:TINY_LOG2 SMALL_LOG2"),
        ("tokens of 2-Sum up to which all answers are compared", "separation.proving.construction:EVERY_ROW"),
        ("steps of the bisection for `allowed_leak`", "separation.proving.diagnosis:BISECTIONS"),
    ),
    "docs/recurrences.md": (
        ("(a) T; tokens of a chunk", "separation.recurrences.checks:SYMBOLIC_TOKENS SYMBOLIC_CHUNK"),
        ("(b) tokens of a chunk", "separation.recurrences.checks:EXACT_CHUNK"),
        ("(c) T", "separation.recurrences.checks:FLOAT_TOKENS"),
        ("(c) T in chunks; tokens of a chunk", "separation.recurrences.checks:CHUNKED_TOKENS FLOAT_CHUNK"),
    ),
    "docs/stock.md": (
        ("significant bits of a weight", "constructions.stock.gpt2.plan:SIGNIFICANT_BITS"),
        ("ε as shipped", "constructions.stock.gpt2.plan:LAYER_NORM_EPSILON"),
        ("−log2 of what a look-up may leak", "constructions.stock.gpt2.plan:LEAK_BITS"),
        ("unit roundoffs that exp may miss", "constructions.stock.gpt2.bound:EXP_UNITS"),
        ("tokens that `export` writes", "separation.verbs.export:MAX_TOKENS"),
    ),
    "docs/stock_hybrid.md": (
        ("s, what a gate is fed", "constructions.stock.kit.hybrid_plan:SATURATION"),
        ("g, the scale of values", "constructions.stock.kit.hybrid_plan:VALUE_SCALE"),
        ("tokens of a position that is exact", "constructions.stock.kit.rotations:MAX_TOKENS"),
    ),
    "docs/stock_llama.md": (
        ("tokens up to which position·2^{-j} is exact", "constructions.stock.kit.rotations:MAX_TOKENS"),
        ("differences with an inequality of their own", "constructions.stock.kit.rotations:ALONE"),
        ("unit of an amplitude", "constructions.stock.kit.rotations:AMPLITUDE_UNIT"),
    ),
}


def limits(rows: Iterable[tuple[str, str]]) -> str:
    """A row for each constant, or for two that belong together."""
    lines = []
    for what, source in rows:
        module, _, names = source.partition(":")
        values = "; ".join(number(constant(module, name)) for name in names.split())
        lines.append((what, values, f"`{module}`: {', '.join(f'`{name}`' for name in names.split())}"))
    return table(("what", "value", "where"), lines)


def constant(module: str, path: str) -> Any:
    """A name of a module, then keys or attributes: EFFORTS.quick.exhausted."""
    value: Any = import_module(module)
    for name in path.split("."):
        value = value[name] if isinstance(value, dict) else getattr(value, name)
    return value


for page, given in LIMITS.items():
    BLOCKS.append(Block(page, "limits", partial(limits, given)))
