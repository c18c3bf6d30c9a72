"""docs/theory.md: sizes at which something is impossible, as the bounds and their statements have them."""

from __future__ import annotations

from itertools import count

from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.writing import table

PAGE = "docs/theory.md"
PRODUCTS = (2, 8, 64, 2048)
"""H·d·p of the table under P.1.1.ours."""
TABLES = (2, 3, 4)
FITTING_ONE_BY_ONE = (2, 3, 4, 5)
"""L of CPW's sizes; for those that follow the H·d·p is one and the same."""
FITTING_ALIKE = range(6, 12)
BUDGETS = (1, 2, 8, 1000, 2**30)
"""β = Λ_t with which the least golden constant is searched for."""


def forty() -> tuple[object, ...]:
    """The point of T.forty, D_2 and the right side of (F), which its check has put to the kernel."""
    from proofs_checks.t_forty import STATEMENT
    from separation.bounds import Point, Rule, evaluate
    from separation.bounds.powers import log2_float

    claim = STATEMENT.subject
    STATEMENT.check(claim)
    ladder = evaluate(Rule.A_FREE, Point(claim.m, (claim.n,), claim.x), claim.beta, (0, claim.linear)).ladder
    reached, last = claim.n * ladder.theta[1], claim.m * claim.n
    right = int(reached * log2_float(last) * 10) / 10  # cut off, as the page has it: 186.1…
    bracket = (claim.beta, claim.x[1], claim.m, claim.n + 1)
    if bracket[0] * (bracket[1] * bracket[2] + bracket[3]) != ladder.D[-1]:
        raise PageError(f"D_2 = {ladder.D[-1]} is not β·(x_1·m + n_1 + 1)")
    point = (claim.beta, claim.linear, claim.m, claim.n, *claim.x)
    return (*point, *bracket, ladder.D[-1], reached, last, right)


def heads_of_forty() -> tuple[object, ...]:
    """β of the smallest head at that length, and the shortest prompt that is found for such a head."""
    from proofs_checks.t_forty import Claim
    from separation.bounds import Evaluation, Message
    from separation.bounds.message import ceil_log2
    from separation.verbs.bound import bound

    claim, least = Claim(), Message(heads=1, dim=1, bits=1, score_bits=0)
    ground = bound(L=2, heads=1, dim=1, bits=1, score_bits=0).found.ground
    if not isinstance(ground, Evaluation) or not ground.certified:
        raise PageError("no prompt is certified for one head of one coordinate and one bit")
    return (claim.beta, claim.tokens, least.beta(ceil_log2(claim.tokens)), ground.point.tokens())


def unordered() -> tuple[object, ...]:
    from proofs_checks.t_unordered import STATEMENT

    pair = STATEMENT.subject
    STATEMENT.check(pair)
    hard = (pair.hard.m, *pair.hard.n, pair.hard.tokens())
    return (pair.beta, pair.linear, *hard, pair.solved.m, *pair.solved.n, pair.solved.length)


def shares() -> tuple[object, ...]:
    from proofs_checks.t_room import Room, total_share

    return (total_share(Room()),)


def golden_constants() -> tuple[object, ...]:
    """The least c with y = c·β, the largest over the β tried; and that of T.room."""
    from proofs_checks.t_room import Room
    from separation.bounds import Rule, least_golden

    least = max(least_golden(Rule.A, 3, beta, [beta] * 3).constant for beta in BUDGETS)
    return (least, Room().constant(3))


def regimes() -> str:
    """⌈log2 n⌉ of the golden sizes with the least y = 2^u, certified here, and log2 n of the paper's regime."""
    from flint import arb

    from proofs_checks.p_1_1_ours import REGIME
    from proofs_checks.regimes import golden_sizes
    from separation.bounds import evaluate
    from separation.bounds.papers import paper_prompt
    from separation.bounds.powers import log2_float

    rows = []
    for L in TABLES:
        ours = []
        for product in PRODUCTS:
            point, log2_tokens = golden_sizes(REGIME, L, product, arb(0))
            states = [REGIME.states(L, product)] * L
            if not evaluate(REGIME.rule, point, product * (2 * log2_tokens + 4), states).certified:
                raise PageError(f"L = {L}, H·d·p = {product}: the golden sizes are not certified")
            ours.append(log2_tokens)
        paper = [round(log2_float(paper_prompt(L, product))) for product in PRODUCTS]
        rows.append((L, *ours, *paper))
    first, *others = PRODUCTS
    return table(("L", f"H·d·p = {first}", *others, f"the paper, {first}", *others), rows)


def least_fitting(L: int) -> int:
    """The least H·d·p at which CPW's sizes fit into the shortest prompt of their regime, n ≤ (H·d·p)^{2^{4L}}.

    From there on they always do: n is a sum of powers of q = H·d·p, the largest of them q^{8(12V+2)/7}, V = 8^{L-1},
    and 8(12V+2)/7 < 16^L; so n/q^{16^L} falls as q grows.
    """
    from flint import arb, ctx

    from separation.bounds import cpw_point
    from separation.bounds.papers import cpw_prompt
    from separation.bounds.powers import BALL_BITS, log2_ball

    for product in count(1):
        with ctx.workprec(BALL_BITS):
            length = cpw_point(L, product).tokens_ball().log() / arb.const_log2()
            regime = log2_ball(cpw_prompt(L, product))
        if length <= regime:
            return product
        if not length > regime:
            raise PageError(f"L = {L}, H·d·p = {product}: the two lengths are too near to each other to compare")
    raise AssertionError


def fitting() -> tuple[object, ...]:
    later = {least_fitting(L) for L in FITTING_ALIKE}
    if len(later) != 1:
        raise PageError(f"CPW's sizes fit from {sorted(later)} on, for different L")
    alone = map(least_fitting, FITTING_ONE_BY_ONE)
    return (*alone, *FITTING_ONE_BY_ONE, *later, FITTING_ALIKE[0], FITTING_ALIKE[-1])


PARTS: tuple[Part, ...] = (
    Sentence(
        PAGE,
        "L = 2, β = {}, Λ = {}: m = {}, n_1 = {}, x = ({}, {}), by the free start: "
        "D_2 = {}·({}·{} + {}) = {} < {}·log2 {} = {}…. The kernel",
        forty,
    ),
    Sentence(
        PAGE,
        "This is about messages of {} bits, however they come about: in the arithmetic model of D2 no full layer has "
        "so few at {} tokens (one head, d = 1, P = 0, p = 1 have β = {}); the shortest prompt found that is consistent "
        "with such a head has {} tokens (`separation",
        heads_of_forty,
    ),
    Sentence(
        PAGE,
        "RF, L = 2, β = {}, Λ = {} bits: impossible at m = {}, n_1 = {}, a prompt of {} tokens; "
        "solved at m = {}, n_1 = {}, a prompt of {} tokens, by",
        unordered,
    ),
    Sentence(PAGE, "D_{ℓ+1} add up to at most {}. So (C_ℓ)", shares),
    Sentence(PAGE, "(The least constants are smaller: {} instead of {} at L = 3.)", golden_constants),
    Block(PAGE, "regimes", regimes),
    Sentence(
        PAGE,
        "from H·d·p = {}, {}, {}, {} on for L = {}, {}, {}, {}, and from {} on for L = {} to {}.\n",
        fitting,
    ),
)
