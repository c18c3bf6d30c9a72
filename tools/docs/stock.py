"""What is certified of stock models, as tables."""

from __future__ import annotations

from fractions import Fraction

from tools.docs.block import block, number, table

DTYPES = ("float64", "float32", "float16", "bfloat16")


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
