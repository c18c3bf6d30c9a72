"""M2: players who hear one sum and one state per layer know what the forward pass computes.

Players own consecutive tokens. In a full layer every player hears one message: the sum, over all players before it, of
their partial numerators and denominators for its tokens. In a recurrent layer it receives the states before its first
token. Run this way, a causal model over F, R and [FR] in the exact arithmetic model (D2) gives bit for bit the stream
of every token after every layer, however the prompt is cut. Why: sums of integers over disjoint groups of tokens add
up, and the whole is rounded once; a scan over A·B is the scan over B from the state after A, for any step; everything
else is done token by token. So X_i^{(t)}, what player i knows before full layer t+1, is a function of z_i, of the
summed soft messages of layers 1..t and of the states of blocks 0..t, and of z_{≥i} alone. Sums over any group of
senders have β·tokens(i) bits (M1), and can be subtracted from the sum over a larger group.

It needs exact sums (in float16, (2048 + 1) + 1 = 2048 and 2048 + (1 + 1) = 2050), one rounding, a shift that does not
depend on the input (with the largest score as the shift, parts have different scales), and attention to earlier tokens
only. The queries are over uninterpreted weights, values, steps and MLPs; the induction over layers and players that
combines them is by hand, and is also observed on whole runs (M2.run). Theorems A and B are about models, and rest on
this.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import z3

from constructions import build
from proofs_checks.kit.hypotheses import is_full_or_recurrent
from proofs_checks.kit.players import (
    NEXT,
    OUTPUT,
    START,
    STATE,
    STEP,
    STREAM,
    VALUE,
    Arithmetic,
    Exchange,
    Term,
    Terms,
    is_exact,
    require_equal,
    same,
)
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps
from separation.arithmetic import attention_weights
from separation.tasks.two_sum import TwoSumSizes

# --- sums: over two disjoint groups of tokens they add up to those over both, for every cut ---


def _no_tokens(exchange: Exchange) -> None:
    own = exchange.arithmetic
    require_equal("two groups without tokens do not add up", own.plus(own.nothing, own.nothing), own.nothing)


def _one_token_more(exchange: Exchange) -> None:
    """In either group or in none."""
    own = exchange.arithmetic
    token, (first, second, whole) = own.token(*z3.Consts("query stream other", STREAM)), _letters(own)
    in_first, in_second = z3.Bools("in_first in_second")

    def counted(sums: Terms, inside: Term) -> Terms:
        return tuple(z3.If(inside, new, old) for new, old in zip(own.added(sums, token), sums, strict=True))

    split = own.plus(counted(first, in_first), counted(second, in_second))
    held = [*_possible(own), same(own.plus(first, second), whole), z3.Not(z3.And(in_first, in_second))]
    held += [own.possible(own.added(own.nothing, token))]
    require_equal(
        "with one token more two groups do not add up", split, counted(whole, z3.Or(in_first, in_second)), *held
    )


def _taken_away(exchange: Exchange) -> None:
    """One group's sums and those over both give the other's: T.A removes a sender again."""
    own = exchange.arithmetic
    first, second, whole = _letters(own)
    taken = same(own.plus(first, second), own.plus(whole, second))
    require_equal("one group and the whole do not give the other", first, whole, *_possible(own), taken)


def _heard_tokens(exchange: Exchange) -> None:
    """What token i of the player of the tokens a..b−1 attends to is all j < a, and some of its own."""
    sender, receiver, start, stop = z3.Ints("sender receiver start stop")
    heard = exchange.hears(sender, receiver)
    parts = z3.Or(sender < start, z3.And(start <= sender, sender < stop, heard))
    placed = [sender >= 0, start >= 0, start <= receiver, receiver < stop]
    require_equal(
        "a token attends to tokens that are neither earlier players' nor its own", (parts,), (heard,), *placed
    )


def _one_sender_more(exchange: Exchange) -> None:
    """Numerators and totals are sent apart, and the quotient is rounded once by a fixed rule, e.g. ⌊·⌋ with 0/0 = 0."""
    own = exchange.arithmetic
    first, second, _ = _letters(own)
    collected = exchange.collected(first, exchange.sent(second))
    said = own.plus(first, second)
    require_equal("with one sender more the wires do not hold the sum", collected, said, *_possible(own))


def _letters(own: Arithmetic) -> tuple[Terms, Terms, Terms]:
    return own.letters("first"), own.letters("second"), own.letters("whole")


def _possible(own: Arithmetic) -> list[Term]:
    return [own.possible(sums) for sums in _letters(own)]


# --- one layer: two runs that agree in what a player has and is sent, and in nothing else ---


def _third_players(exchange: Exchange) -> None:
    query, stream, here, there = z3.Consts("query stream here there", STREAM)
    sent = (exchange.arithmetic.token(query, stream, other) for other in (here, there))
    require_equal("a soft message depends on third players", *sent)


def _handed_state(exchange: Exchange) -> None:
    state, stream = z3.Const("state", STATE), z3.Const("stream", STREAM)
    handed, after = exchange.handed(state, stream), STEP(state, stream)
    require_equal("the state handed on is not that after the last token", (handed,), (after,))


def _scan(exchange: Exchange) -> None:
    """For any step, a scan continued from the previous player's last state is the forward pass's scan."""
    state, stream = z3.Const("state", STATE), z3.Const("stream", STREAM)
    require_equal("with one token more a scan differs", (exchange.scanned(state, stream),), (STEP(state, stream),))


def _stream_after(exchange: Exchange) -> None:
    """A function of the stream before it, the sums and the state: residual and MLP are token-wise."""
    stream, here, there = z3.Consts("stream here there", STREAM)
    full, linear = z3.Consts("full linear", OUTPUT)
    streams = ((exchange.after(stream, other, full, linear),) for other in (here, there))
    require_equal("a stream depends on other players' tokens", *streams)


# --- broken twins ---

FLOAT, NEAREST = z3.Float16(), z3.RNE()
SHIFTED = z3.Function("e", STREAM, STREAM, STREAM, z3.IntSort())
CEILING = 1000


def _float_sum(one: Terms, two: Terms) -> Terms:
    return tuple(z3.fpAdd(NEAREST, left, right) for left, right in zip(one, two, strict=True))


def _is_whole_float(sums: Terms) -> Term:
    """Some integers that float16 has; it has no 2049."""
    return z3.And(*(z3.Or(*(each == z3.FPVal(whole, FLOAT) for whole in (0, 1, 2, 2048, 2050))) for each in sums))


FLOATS = Arithmetic(
    letters=lambda name: (z3.FP(f"{name}.total", FLOAT),),
    possible=_is_whole_float,
    nothing=(z3.FPVal(0, FLOAT),),
    token=lambda _query, _stream, _other: (z3.FPVal(1, FLOAT),),
    added=_float_sum,
    plus=_float_sum,
)


def _rounded_first(sums: Terms) -> Terms:
    """⌊numerator / total⌋·total."""
    return z3.If(sums[1] == 0, 0, sums[0] / sums[1]) * sums[1], sums[1]


def _clipped(total: Term) -> Term:
    return z3.If(total > CEILING, CEILING, total)


CLIPPED = Arithmetic(
    possible=lambda sums: z3.And(is_exact(sums), sums[1] <= CEILING),
    added=lambda sums, token: (sums[0] + token[0] * token[1], _clipped(sums[1] + token[0])),
    plus=lambda one, two: (one[0] + two[0], _clipped(one[1] + two[1])),
)


# --- hypotheses ---


class Supposed(NamedTuple):
    """Weights by name and size, numbers that are summed, and how scores become weights."""

    built: tuple[Any, ...]
    summands: tuple[Any, ...]
    weights: Callable[[Sequence[int]], Sequence[int]]


def by_a_fixed_shift(scores: Sequence[int]) -> Sequence[int]:
    return [int(weight) for weight in attention_weights(np.array(scores), 1, Fraction(2), 8)]


def by_the_largest_score(scores: Sequence[int]) -> Sequence[int]:
    return [int(weight) for weight in attention_weights(np.array(scores), 1, Fraction(max(scores)), 8)]


def _is_associative(supposed: Supposed) -> bool:
    return len({(a + b) + c for a, b, c in permutations(supposed.summands)}) == 1


def _is_by_itself(supposed: Supposed) -> bool:
    """Each score has the same weight alone as among others."""
    scores = (0, 1, 2)
    return list(supposed.weights(scores)) == [supposed.weights([score])[0] for score in scores]


WITNESS = Supposed(("C2", 2), (2048, 1, 1), by_a_fixed_shift)

STATEMENT = Statement(
    id="M2",
    title="the simulation lemma for F, R and [FR]",
    latex=r"X_i^{(t)}=g\bigl(z_i,\ \textstyle\sum_{j>i}\Pi_{j,i}^{(1..t)},\ \text{states into }i\bigr)=g'(z_{\ge i})",
    english="However the prompt is cut into players, one sum of β bits per token in each full layer and one state in "
    "each recurrent layer tell a player the streams of its tokens, exactly as in the forward pass.",
    subject=Exchange(),
    check=Steps(
        "every n, cut, word over F, R and [FR], and model in exact arithmetic",
        (
            Step("sums without tokens", _no_tokens),
            Step("sums with one token more", _one_token_more),
            Step("a group taken away", _taken_away),
            Step("who is heard", _heard_tokens),
            Step("one sender more", _one_sender_more),
            Step("third players", _third_players),
            Step("the state handed on", _handed_state),
            Step("a scan with one token more", _scan),
            Step("the stream after a layer", _stream_after),
        ),
        {
            "induction over tokens and senders": "Sums over two groups add up for no tokens and for one more, wires "
            "hold the sums after one sender more, and a scan is right after one token more: so for every prompt and "
            "every cut.",
            "induction over layers and players": "Before the first layer a player has the embeddings of its tokens; "
            "if all streams before a layer are the forward pass's, so are parts, sums, states and the streams after "
            "it, in the order of the prompt; logits are read off one stream.",
            "what the streams are a function of": "In the same order X_i^{(t)} is made of z_i, the summed soft "
            "messages of layers 1..t and the states of blocks 0..t, and of z_{≥i} alone, since what is heard comes "
            "from earlier tokens.",
            "heads and coordinates": "They are all alike; a layer has any number of each.",
            "fractions": "Fractional weights are integers over a common denominator, and so are their sums.",
            "the size of the sums": "Sums over c ≤ n − 1 tokens are at most c times what one token adds: M1.",
        },
    ),
    twins={
        "sums in float16": Exchange(FLOATS),
        "a shift that depends on the prompt": Exchange(
            Arithmetic(token=lambda query, stream, other: (SHIFTED(query, stream, other), VALUE(stream)))
        ),
        "every sender adds 1 to the total": Exchange(Arithmetic(nothing=(0, 1))),
        "totals are clipped": Exchange(CLIPPED),
        "a sender is dropped": Exchange(collected=lambda heard, _part: heard),
        "rounded for each sender": Exchange(sent=_rounded_first),
        "later tokens are heard": Exchange(hears=lambda _sender, _receiver: z3.BoolVal(True)),
        "the state before the last token": Exchange(handed=lambda state, _stream: state),
        "every token starts a new scan": Exchange(scanned=lambda _state, stream: STEP(START, stream)),
        "a convolution that is not a state": Exchange(
            after=lambda _own, other, full, linear: NEXT(other, full, linear)
        ),
    },
    speaks_of=("D2",),
    rests_on=("M1",),
    hypotheses=(
        Hypothesis(
            "sums are exact: their order does not matter",
            _is_associative,
            WITNESS._replace(summands=tuple(np.float16(each) for each in WITNESS.summands)),
        ),
        Hypothesis(
            "e(q, k) is a fixed function of q and k, whatever other tokens there are",
            _is_by_itself,
            WITNESS._replace(weights=by_the_largest_score),
        ),
        Hypothesis(
            "tokens attend to themselves and earlier ones",
            lambda supposed: build(*supposed.built).model.causal,
            WITNESS._replace(built=("C4", 2)),
        ),
        Hypothesis(
            "every layer is F, R or [FR]",
            lambda supposed: is_full_or_recurrent(build(*supposed.built).model),
            WITNESS._replace(built=("C7", TwoSumSizes(4, 5))),
        ),
    ),
    witness=WITNESS,
)
