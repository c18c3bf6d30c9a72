"""The pages of the theory: statements by their own texts, worked examples, bounds, Coq."""

from __future__ import annotations

import math
import re
from itertools import count
from textwrap import fill

from constructions.bracket_table import bracket_rows
from proofs_checks import Statement, all_statements, statement
from proofs_checks.kit.book import explanation
from proofs_checks.kit.coq.files import final_theorems, sources
from proofs_checks.kit.coq.statements import IN_COQ, statements_of
from separation.bounds import Budget, Message, Rule, Word, bound, evaluate, golden_parameters, paper_linear_layers
from separation.bounds.papers import paper_prompt
from separation.bounds.powers import log2_float
from separation.bounds.schedules import delayed_exponent, least_factor
from separation.tasks import load_any_instance
from separation.tasks.funccomp import Instance, prompt
from separation.verbs.bound import bound as bound_verb
from tools.docs import PageError, block, number, printed, table

WIDTH = 100


@block("docs/statements.md", "texts")
def texts() -> str:
    return "\n".join(section(own, explanation(own)) for own in all_statements())


def section(own: Statement, explained: str) -> str:
    """The title, the sentence, the formula, the explanation of its file, and what it leans on."""
    parts = [f"## {own.id} — {own.title}", _wrapped(f"*{own.english}*"), f"```math\n{own.latex}\n```"]
    parts += [each if each.startswith("    ") else _wrapped(each) for each in explained.split("\n\n")]
    leans = [(name, ids) for name, ids in (("Rests on", own.rests_on), ("Applies to", own.applies_to)) if ids]
    parts += [_wrapped("; ".join(f"{name} {', '.join(ids)}" for name, ids in leans) + ".")] if leans else []
    return "\n\n".join(parts) + "\n"


def _wrapped(text: str) -> str:
    return fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


# --- docs/statements.md ---


@block("docs/statements.md", "statements", slow=True)  # tests/proofs_checks/test_statements.py compares row by row
def statements() -> str:
    return printed(("proofs", "--markdown"))


# --- docs/theory.md ---


@block("docs/theory.md", "running")
def running() -> str:
    """The prompt of docs/figures/running.json, token by token."""
    from tools.docs.figures import ROOT, RUNNING

    instance = load_any_instance(ROOT / RUNNING)
    if not isinstance(instance, Instance):
        raise PageError(f"{RUNNING} is no input of FuncComp")
    tokens = prompt(instance)
    rows = (
        ("table", *(token.kind.replace("z0", "z_0") for token in tokens)),
        ("entry", *(token.index if token.address else "" for token in tokens)),
        ("says", *(token.value[0] for token in tokens)),
    )
    return table(("token", *range(1, len(tokens) + 1)), rows)


@block("docs/theory.md", "twelve")
def twelve() -> str:
    """The shortest prompt of section 6 at β = 8 without R, against all shorter ones: β < m·log2 N is 2^β < N^m."""
    beta = 8
    sizes = (
        (m, n) for tokens in count(4) for m in range(2, tokens) for n in range(1, tokens) if m + m * n + 2 == tokens
    )
    m, n = next((m, n) for m, n in sizes if 2**beta < (m * n) ** m)
    rows = (
        ("β, Λ_1", f"{beta}, 0"),
        ("m, n_1, Θ", f"{m}, {n}, {m}"),
        ("told, at most", f"2^(β·n_1) = {2 ** (beta * n):,} messages"),
        ("asked for", f"N^(n_1·Θ) = {m * n}^{n * m} = {(m * n) ** (n * m):,} answers"),
        ("tokens, the fewest for which this holds", m + m * n + 2),
    )
    return table(("what", "value"), rows)


@block("docs/theory.md", "forty")
def forty() -> str:
    """The sizes of T.forty, whose check has put them to the kernel; D_2 = β·(x_1·m + n_1 + 1) by the free start."""
    own = statement("T.forty")
    claim = own.subject
    own.check(claim)
    (x0, x1), N = claim.x, claim.m * claim.n
    told, hidden = claim.beta * (x1 * claim.m + claim.n + 1), claim.n * min(x0 * x1, claim.m)
    least = Message(heads=1, dim=1, bits=1, score_bits=0).beta((claim.tokens - 1).bit_length())
    consistent = bound_verb(L=2, heads=1, dim=1, bits=1, score_bits=0, theorem="A").document()["ours"]["tokens"]
    rows = (
        ("β, Λ", f"{claim.beta}, {claim.state_bits}"),
        ("m, n_1, x", f"{claim.m}, {claim.n}, {claim.x}"),
        ("tokens", claim.tokens),
        ("D_2 = β·(x_1·m + n_1 + 1)", told),
        ("n_1·Θ_1·log2 N_1", f"{hidden}·log2 {N} = {math.floor(hidden * math.log2(N) * 10) / 10}…"),
        ("β of one head with d = 1, P = 0, p = 1 at this length", least),
        ("tokens of the shortest prompt found for such a head", consistent),
    )
    return table(("what", "value"), rows)


@block("docs/theory.md", "unordered")
def unordered() -> str:
    own = statement("T.unordered")
    pair = own.subject
    own.check(pair)
    rows = (
        ("impossible", pair.beta, pair.state_bits, pair.hard.m, *pair.hard.n, pair.hard.tokens()),
        ("solved", pair.beta, pair.state_bits, pair.solved.m, *pair.solved.n, pair.solved.length),
    )
    return table(("RF, L = 2", "β", "Λ", "m", "n_1", "tokens"), rows)


@block("docs/theory.md", "regimes")
def regimes() -> str:
    """⌈log2 n⌉ of certified golden sizes with the least y = 2^u, and log2 n of the paper's regime.

    2^{3L²} linear layers before and after each full one have q(q+1) bits each, q = H·d·p; with P ≤ p a message has at
    most q(2⌈log2 n⌉+4) bits.
    """

    def log2_tokens(L: int, q: int) -> int:
        states = 2 * L * paper_linear_layers(L) * q * (q + 1)
        for u in count(1):
            point = golden_parameters(Rule.A, L, 1 << u, states)
            k = math.ceil(point.tokens_log2())
            if evaluate(Rule.A, point, q * (2 * k + 4), [states] * L).certified:
                return k
        raise PageError(f"L = {L}, H·d·p = {q}: no golden sizes are certified")

    products = (2, 8, 64, 2048)
    rows = []
    for L in (2, 3, 4):
        papers = (round(log2_float(paper_prompt(L, product))) for product in products)
        rows.append((L, *(log2_tokens(L, product) for product in products), *papers))
    first, *others = products
    return table(("L", f"H·d·p = {first}", *others, f"the paper, {first}", *others), rows)


# --- docs/bounds.md ---


@block("docs/bounds.md", "thresholds")
def thresholds() -> str:
    rows = []
    for theorem, L in (("A", 2), ("A", 3), ("A", 4), ("A", 6), ("B", 2), ("B", 3)):
        found = bound(L, Budget(beta=8, total=8), full_layers=L - (theorem == "A"), theorem=theorem)
        assert found.golden is not None
        logs = [f"{each.tokens_log2():.2f}" for each in (found.golden.evaluation, found.shortest)]
        rows.append((theorem, L, found.golden.y, *logs))
    return table(("theorem", "L", "golden y", "golden", "shortest found"), rows)


@block("docs/bounds.md", "sharper")
def sharper_prompts() -> str:
    cases = (("F", 2, 0), ("RF", 2, 8), ("FR", 2, 8), ("RFR", 2, 8), ("FF", 2, 0), ("FF", 3, 0), ("RFF", 3, 8))
    rows = []
    for text, L, bits in (*cases, ("RFRFR", 3, 8), ("FFF", 3, 0), ("RFFF", 4, 8), ("FFFF", 4, 0)):
        found = bound(L, Budget(beta=8, total=bits), word=Word.parse(text)).document()
        older = min(found["by_theorem"][name]["tokens_log2"] for name in ("A", "B") if name in found["by_theorem"])
        ours = found["ours"]
        shown = ", ".join(map(str, ours["lambda"]))
        rows.append(
            (text, L, shown, ours["theorem"], number(ours["tokens"]), f"{ours['tokens_log2']:.2f}", f"{older:.2f}")
        )
    return table(("word", "L", "Λ", "theorem", "tokens", "log2", "log2 by A or B"), rows)


@block("docs/bounds.md", "delayed")
def delayed_exponents() -> str:
    rows = [
        (
            L,
            delayed_exponent("A_L", L) if L >= 3 else "–",
            delayed_exponent("B_L", L),
            least_factor("A_L", L, 8) if L >= 3 else "–",
            least_factor("B_L", L, 8),
        )
        for L in range(2, 7)
    ]
    return table(("L", "A_L", "B_L", "c of A_L", "c of B_L"), rows)


@block("docs/bounds.md", "bracket")
def bracketed_thresholds() -> str:
    rows = []
    for row in bracket_rows():
        excluded, ratio = ("–", "–") if row.ratio is None else (number(row.impossible), f"{row.ratio:.2f}")
        bits = ", ".join(map(str, row.state_bits))
        weights = "–" if row.weights_beta is None else number(row.weights_beta)
        rows.append((row.word, row.m, row.n1, bits, excluded, number(row.built), ratio, row.known, weights))
    head = (
        "word",
        "m",
        "n_1",
        "Λ",
        "impossible at β =",
        "built with β =",
        "ratio",
        "built, known by",
        "β of the weights",
    )
    return table(head, rows)


# --- docs/coq.md ---


@block("docs/coq.md", "theorems")
def theorems() -> str:
    """Each final theorem with the comment above it."""
    texts, rows = sources(), []
    for each in final_theorems():
        comment = re.search(rf"\(\*\* ((?:(?!\*\)).)*?) \*\)\nTheorem {each.name}\b", texts[each.stated_in], re.DOTALL)
        if comment is None:
            raise PageError(f"{each.stated_in} has no comment before {each.name}")
        ids = ", ".join(statements_of(each.name)) or "–"
        rows.append((f"`{each.name}`", f"`{each.file}`, `{each.proved_by}`", " ".join(comment[1].split()), ids))
    return table(("theorem", "proved in", "what it says", "statements"), rows)


@block("docs/coq.md", "correspondence")
def correspondence() -> str:
    """Statement by statement: which theorem it is, whether all of it, and what differs."""
    rows = []
    for link in IN_COQ:
        names = ", ".join(f"`{name}`" for name in link.theorems)
        rows.append((link.id, names, "the same" if link.same else "yes" if link.whole else "part", link.differs))
    return table(("statement", "in Coq", "all of it", "what differs"), rows)
