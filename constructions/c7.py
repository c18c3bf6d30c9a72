"""C7: one (B, k)-sparse layer with B heads solves 2-Sum.

Head h knows an earlier block by its h-th token: summary key and value are the code of that token. The B heads together
see every token, whichever blocks are opened. The stream is that of C6, with a part for each head in three of its slots:

    out       B·b    what each head brought; emptied by the first MLP block
    distance  B      Σ_r |out_hr − mirror_r| for each head h; emptied by the second MLP block
    fired     B      4 for each head that saw y, else 0

Width 1 + 2b + B·(b + 2). A block's summaries hold the B·b bits of its codes, and nothing else.
"""

from __future__ import annotations

from constructions.c6 import Plan
from separation.arithmetic import ExactMatrix
from separation.models import Blocks, SparseHead, Stream
from separation.proving import Construction
from separation.tasks.checks import require_integer
from separation.tasks.two_sum import TwoSumSizes


def build(
    sizes: TwoSumSizes,
    block: int = 4,
    opened: int = 1,
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants; B = ``block``, k = ``opened`` blocks over all heads together; the rest as in C6."""
    require_integer("block", block, 1)
    require_integer("opened", opened, 0)
    keys = most_keys(sizes.length, block, max(opened_by_head(block, opened)))
    plan = Plan(sizes, keys, heads=block, temperature=temperature)
    heads = tuple(sparse_head(plan, number, count) for number, count in enumerate(opened_by_head(block, opened)))
    return plan.construction("C7", heads, bits, score_bits)


def sparse_head(plan: Plan, number: int, opened: int) -> SparseHead:
    """C6's head, which sees of each earlier block the token at offset ``number``, and ``opened`` blocks in full."""
    full, pick = plan.head(number), token_of_block(plan.code_bits, plan.heads, number)
    return SparseHead(
        w_q=full.w_q,
        w_k=full.w_k,
        w_v=full.w_v,
        c_k=pick,
        c_v=pick,
        w_o=full.w_o,
        shift=full.shift,
        block=plan.heads,
        opened=opened,
    )


def token_of_block(width: int, block: int, offset: int) -> ExactMatrix:
    """(u_0; …; u_{B-1}) ↦ u_offset, for vectors of ``width`` numbers."""
    tokens = Stream([(f"token {index}", width) for index in range(block)])
    return Blocks(Stream([("token", width)]), tokens).copy("token", f"token {offset}").build()


def opened_by_head(block: int, opened: int) -> list[int]:
    """⌊k/B⌋ + [h < k mod B] for head h."""
    return [opened // block + (head < opened % block) for head in range(block)]


def most_keys(length: int, block: int, opened: int) -> int:
    """Summaries of all blocks but the own one, the tokens of the opened ones, those of the own block."""
    return -(-length // block) - 1 + block * opened + block
