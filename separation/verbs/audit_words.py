"""An audit in plain sentences and short cells: the same words in the terminal, in the HTML page and in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from separation.architectures.architecture import LONGEST_PROMPT_LOG2
from separation.architectures.audit import LENGTHS, Audit, Block, CutModel, Level
from separation.architectures.kinds import KINDS
from separation.bounds import ceil_log2
from separation.bounds.known import how_known, with_knowledge
from separation.bounds.shortest import Found
from separation.bounds.theorems.ceiling import AccuracyBound
from separation.counting import count
from separation.matrix import ROWS, Column, cell

USUAL_CONTEXT = 262_144
NOT_BOUNDED = "not bounded"


def level_row(level: Level) -> tuple[str, ...]:
    """The hops, whether they are followed at all sizes, and the largest accuracy at each length."""
    hops = str(level.first) if level.first == level.last else f"{level.first}–{level.last}"
    return hops, "no" if level.construction is None else f"yes, {level.construction}", *ceiling_cells(level)


def level_lines(audit: Audit) -> tuple[str, ...]:
    """What the columns of accuracies mean, what a chain of thought changes, and how all that is known."""
    legend = "at 4k, 32k, …: no weights are more accurate than this on the hardest sizes found of at most that many"
    legend += f" tokens; {NOT_BOUNDED}: no theorem says anything there"
    return legend, chain_of_thought(audit), known_text(audit)


def help_lines(audit: Audit) -> list[str]:
    """What other layers would change, what the model keeps, and the shortest certified prompts."""
    kv = "–" if audit.kv_bytes is None else f"{audit.kv_bytes:,}"
    kept = f"KV cache {kv} bytes a token, states {-(-audit.state_bits // 8):,} bytes"
    shortest = [(level.first, level.shortest) for level in audit.levels if level.shortest is not None]
    prompts = [f"{_hops(hops)}, shortest certified prompt: {prompt_text(found)}" for hops, found in shortest]
    return [*buys_text(audit), kept, *prompts]


def sentence(audit: Audit) -> str:
    """How many layers, how many hops at all sizes, and from where on more is certified to be impossible."""
    word, depth = audit.word, audit.word.depth
    layers = len(audit.reading.layers)
    full = "all" if word.full == layers else word.full or "none"
    beside = " with R heads beside" if any(word.beside) else ""
    text = f"{audit.name}: {count(layers, 'layer')}, {full} of them full{beside}. "
    if word.full == 0:
        text += f"No full layer: it can answer {_hops(1)} only where its states hold the whole table. "
    elif depth == 0:
        text += f"No weights of this word follow {_hops(1)} at all sizes. "
    else:
        where = word.sizes_solved(depth).replace("all sizes", "every size")
        text += f"At {where} some weights of this word follow {_hops(depth)} in one pass; "
        text += f"no weights follow {depth + 1} at all sizes. "
    return text + _certified(audit)


def _hops(number: int) -> str:
    return count(number, "hop")


def _certified(audit: Audit) -> str:
    level, length = audit.beyond, audit.context or USUAL_CONTEXT
    shortest = level.shortest
    assert shortest is not None
    prompt = f"has {shortest.tokens():,} tokens" if near(shortest) else "is far beyond any prompt"
    text = f"The shortest prompt at which that is certified {prompt} ({with_knowledge(shortest.theorem)})"
    if (tokens := shortest.tokens()) is not None and tokens <= length:
        return f"{text}."
    return f"{text}; at {length:,} tokens nothing is certified at {_hops(level.first)}."


def near(shortest: Found) -> bool:
    """Whether a prompt of this length could be given to a model."""
    return shortest.tokens() is not None and shortest.tokens_log2() <= LONGEST_PROMPT_LOG2


def prompt_text(shortest: Found | None) -> str:
    """125,303 tokens; or far beyond any prompt (2^9.7e6 tokens)."""
    if shortest is None:
        return "–"
    if near(shortest):
        return f"{shortest.tokens():,} tokens"
    power = shortest.tokens_log2()
    digits, _, exponent = f"{power:.1e}".partition("e")  # 2^9.7e6
    return f"far beyond any prompt (2^{f'{power:.0f}' if power < 10_000 else f'{digits}e{int(exponent)}'} tokens)"


def ceiling_text(found: AccuracyBound | None) -> str:
    return NOT_BOUNDED if found is None else f"{100 * float(found.ceiling.value):.3g} %"


def ceiling_cells(level: Level) -> list[str]:
    """One cell for each length."""
    if level.construction is not None:
        return ["solved"] * len(LENGTHS)
    return [ceiling_text(found) for found in level.ceilings]


def length_text(tokens: int) -> str:
    """4k, 32k, 256k, 1M."""
    return f"{tokens >> 20}M" if tokens >= 1 << 20 else f"{tokens >> 10}k"


def chain_of_thought(audit: Audit) -> str:
    if audit.word.full:
        return "With a chain of thought one full layer is enough for every number of hops (C5)."
    return "A chain of thought does not help: without a full layer Theorem C holds with one of any length."


def cut_text(cut: CutModel) -> str:
    """What is certified of the model up to its k-th full layer."""
    level = cut.level
    assert level.shortest is not None
    text = f"{_hops(level.first)}: certified to fail "
    text += "at " * near(level.shortest) + prompt_text(level.shortest)
    best = [(length, found) for length, found in zip(LENGTHS, level.ceilings, strict=True) if found is not None]
    if best:
        length, found = best[-1]
        text += f"; at {length_text(length)} tokens no weights are right more than {ceiling_text(found)} of the time"
    return text


def known_text(audit: Audit) -> str:
    """By which theorems all that is certified here is, and how each of them is known."""
    levels = [level for level in (*audit.levels, *(cut.level for cut in audit.cut)) if level.construction is None]
    names = [level.shortest.theorem for level in levels if level.shortest is not None]
    names += [found.theorem for level in levels for found in level.ceilings if found is not None]
    return f"Certified by: {'; '.join(f'Theorem {name} ({how_known(name)})' for name in sorted(set(names)))}."


def besides(audit: Audit) -> list[str]:
    """The kind of its recurrences, and the tasks of `separation matrix` by their verdicts."""
    column = Column(audit.name, audit.word, audit.kind, audit.state_bits)
    tasks: dict[str, list[str]] = {}
    for row in ROWS.values():
        found = cell(row, column)
        each = found.verdict == "built" and found.scope == "each length"
        verdict = "built, with weights of its own at each length" if each else VERDICTS[found.verdict]
        if row.name != "composition":
            tasks.setdefault(verdict, []).append(row.title.removesuffix(", at every length") if each else row.title)
    lines = [f"Its recurrent layers have {KINDS[audit.kind]}."] if audit.kind is not None else []
    return lines + [f"{verdict}: {'; '.join(titles)}." for verdict, titles in tasks.items()]


VERDICTS = {
    "built": "built",
    "impossible": "impossible for any weights, at some sizes",
    "conditional": "impossible, if TC⁰ ≠ NC¹",
    "open": "open",
}


def buys_text(audit: Audit) -> list[str]:
    """What one more full layer, an R layer in front, and one full layer less would change."""
    lines = [f"One more full layer adds {_hops(audit.one_more_full)}."]
    if audit.word.full == 0:
        lines.append("An R layer in front adds nothing.")
    elif audit.r_in_front and audit.can_move_r:
        lines.append(f"One R layer moved before the second full layer adds {_hops(audit.r_in_front)}.")
    elif audit.r_in_front:
        lines.append(
            f"One R layer in front, a short convolution is enough, adds {_hops(audit.r_in_front)}:"
            " it would do the work of a full layer."
        )
    else:
        lines.append("An R layer in front adds nothing: one stands before the second full layer already.")
    return lines


def windows_text(audit: Audit) -> list[str]:
    """22 sliding windows of 512 tokens count as R."""
    lines = []
    for window, number in audit.windows.items():
        mixers = (mixer for layer in audit.reading.layers for mixer in layer.mixers)
        bits = max(mixer.bits(audit.reading.message.bits) for mixer in mixers if mixer.window == window)
        name = f"{count(number, 'sliding window')} of {count(window, 'token')}"
        counts = "counts" if number == 1 else "count"
        lines.append(f"{name} {counts} as R: keys and values of {count(bits, 'bit')} each.")
    return lines


def needs_text(audit: Audit) -> list[str]:
    """What the blocks carry against what C2 and C3 need."""
    length = audit.context or USUAL_CONTEXT
    if not audit.blocks:
        return ["There is no R layer: every hop costs a full layer, and one more to find the first (C1)."]
    lines = windows_text(audit)
    early = [block.bits for block in audit.blocks if block.index < 2]
    if audit.word.full and audit.word.early and early:
        handed, smallest = ceil_log2(length), min(early)
        verdict = "carry" if smallest >= handed else "do not carry"
        lines.append(
            f"C2 hands one index from token to token: at most {handed} bits at {length:,} tokens, which the R layers"
            f" before the second full layer {verdict} ({smallest:,} bits)."
        )
    table, hops = min(block.largest_table for block in audit.blocks), audit.word.recurrent - 1
    mixers = [mixer for layer in audit.reading.layers for mixer in layer.mixers]
    # A window or a short convolution keeps the last tokens, whatever they say: C3 needs a state that is written to.
    bounded = any(mixer.kind in ("window", "convolution") for mixer in mixers)
    holds = "by its bits alone every state here would hold" if bounded else "every state here holds"
    text = f"C3 stores a whole table of N entries in each state, N·⌈log2 N⌉ bits: {holds} N = {table:,}"
    text += ", but windows and short convolutions keep the last tokens alone." if bounded else "."
    if table < length:
        text += f" A prompt of {length:,} tokens can have larger tables than that."
    elif hops > audit.word.depth:
        text += (
            f" By their bits alone the {audit.word.recurrent} R layers could hold every table of a prompt of {length:,}"
        )
        text += f" tokens and follow {hops} hops, so no count of bits can forbid that many there."
    else:
        text += f" By their bits alone they could hold every table of a prompt of {length:,} tokens."
    return [*lines, text]


def block_rows(blocks: Sequence[Block]) -> list[tuple[str, str, str, str]]:
    """(blocks, R layers, state bits, largest table), equal neighbours in one row."""
    rows = []
    for _, run in groupby(blocks, key=lambda block: (block.layers, block.bits, block.largest_table)):
        some = list(run)
        name = str(some[0].index) if len(some) == 1 else f"{some[0].index}–{some[-1].index}"
        rows.append((name, str(some[0].layers), f"{some[0].bits:,}", f"{some[0].largest_table:,}"))
    return rows


def bytes_text(count: int | None) -> str:
    """81.9 kB; 77.3 MB."""
    if count is None:
        return "–"
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} B"
