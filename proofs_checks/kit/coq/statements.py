"""Which statement of the book is which theorem in Coq, and what differs between the two."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class InCoq:
    """A statement of the book and the final theorems, or lemmas, that say it or part of it.

    ``whole``: what is proved in Coq implies the statement as docs/statements.md has it, for models of the kind of
    Definitions.v. ``differs`` says what is more, less or other there. ``same``: nothing but a form differs, at least at
    the book's sizes, so that the book may call it proved in Coq (`proofs_checks.kit.coq.record`); the calculator's
    inequalities are compared with those of Coq (`proofs_checks.kit.coq.comparison`).
    """

    id: str
    theorems: tuple[str, ...]
    whole: bool
    differs: str
    same: bool = False


ABSTRACT = "activations of any type and exact look-ups in place of the project's integer weights"
SQUARES = "weights by squares in place of the project's codes, at every size"
BUILT = "and these weights themselves, on all inputs of tiny sizes"
CONSTANTS = "m = 16·Πa·x_0 in place of 6·Πx, x_ℓ = 2·a_ℓ, Λ_0 + 1 in place of max(1, 2Λ_0), and y larger"
COUNTED = "Θ_ℓ free, t_ℓ odd or even, the binomial itself; the form with 𝖾 follows, for every fraction above 𝖾"
LEMMAS = (
    *("averaging", "cover", "fixing_one", "fixing", "averaging_and_cover", "end_for_output", "layers_step"),
    "acts_causal",
)
EXACT_D = ("T_D_bound", "T_D_bound_full", "T_D_enough", "T_D_enough_full")
CLOSED_FORMS = ("T_C_prime_closed", "T_C_prime_closed_thought", "T_C_prime_closed_one")
BLOCKS = "T_blocks_exact"
OLDER = "A is 0, and nothing is claimed, where it would be negative; the second theorem is for older certificates"
EVERY_TABLE = ("C1_every_table", "C1_every_table_three", "C1_every_table_large")

IN_COQ = (
    InCoq("L", LEMMAS, True, "counted, not in probabilities; any number of answers, not bits", same=True),
    InCoq(
        "M1",
        ("M1_softmax", "M1_online"),
        True,
        "⌈log2 n⌉ is any k with n ≤ 2^k; and floating point from left to right",
        same=True,
    ),
    InCoq("M2", ("M2_exact",), True, "models; what the players of a run send is not written out", same=True),
    InCoq("R.families", ("R_families",), False, "eight of the sixteen, with states of numbers cut to p bits"),
    InCoq(
        "P.1.1",
        ("main_separation_regime", "main_separation_paper", "main_separation"),
        False,
        "for H·d·p from some number on that depends on L; with weights that solve the same sizes",
    ),
    InCoq("T.A", ("T_A", "T_A_free", "E_of_the_docs", "T_A_exact"), True, COUNTED, same=True),
    InCoq("T.B", ("T_B", "T_B_one", "E_of_the_docs", "T_B_exact"), True, "D_1 always with Λ_1; " + COUNTED, same=True),
    InCoq("T.C", ("T_C", "T_C_thought", "identities_answer"), True, "nothing", same=True),
    InCoq("T.D", ("T_D_two_sum", *EXACT_D, "T_D_criterion"), True, "nothing", same=True),
    InCoq(
        "T.D.average",
        ("T_D_average_near", "T_D_average"),
        True,
        "what stands near the query has any rational odds, or is fixed; ⟨k/g + ε; r/B⟩ by its integer form, "
        "every fraction above it; not the remark on what comes close",
    ),
    InCoq("T.D.several", ("T_D_several",), False, "that they fail (D2); C8 is built in Python"),
    InCoq("T.A2", ("T_A2", BLOCKS), True, "nothing", same=True),
    InCoq("T.A2W", ("T_A2_W", "T_A2_W_exact"), True, "windows are any functions of the tokens in reach", same=True),
    InCoq("L8", ("cube",), True, "counted, by Kraft's inequality, in place of entropies", same=True),
    InCoq("T.B2c", ("T_B2c", "T_B2", BLOCKS), True, OLDER, same=True),
    InCoq("T.A3c", ("T_A3c", "T_A3_free", BLOCKS), True, OLDER, same=True),
    InCoq("T.A3", ("T_A3", "T_A3_quiet", BLOCKS), True, "one theorem for each form; Θ_1 ≤ m follows", same=True),
    InCoq("T.AL", ("T_A_L_rows", "T_A_L", BLOCKS), True, "the recursion is a fixpoint over the sizes", same=True),
    InCoq(
        "T.BL",
        ("T_B_L_rows", "T_B_L", BLOCKS),
        True,
        "the recursion is a fixpoint over the sizes; x_0 ≤ m is asked for",
        same=True,
    ),
    InCoq(
        "T.C.average",
        ("T_C_prime", "T_C_prime_thought", "T_C_prime_one", *CLOSED_FORMS),
        True,
        "both sides times N^(N+1) and the number of inputs; ⟨1/N; Λ/N⟩ by its integer form, every fraction above it; "
        "not the remark on what comes close",
        same=True,
    ),
    InCoq(
        "T.A2.average",
        ("T_A2_average", "T_A2_average_closed", "T_A2_average_early"),
        False,
        "the nested shares and the union form; not, with λ_0 > 0, the sum with τ",
    ),
    InCoq(
        "T.E",
        ("T_E_A_spread", "T_E_B_spread", "T_E_A", "T_E_B", "T_E_two"),
        False,
        "kind A, delayed or of two tables late; D_1/m if x_0 divides m, else D_1/(⌊m/x_0⌋·x_0), or D_1/x_0; all shares "
        "over one b; of kind B delayed",
    ),
    InCoq("T.pad", ("T_pad",), True, "nothing", same=True),
    InCoq("T.forty", ("T_forty",), True, "not the remark on heads of D2", same=True),
    InCoq("T.golden", ("T_golden_A", "T_golden_B"), True, CONSTANTS, same=True),
    InCoq("T.hard", ("T_depth",), True, "at most 34·y^F_{2L+2} tokens; " + CONSTANTS, same=True),
    InCoq("T.depth", ("T_depth", "main_depth"), True, "the half that solves: " + SQUARES, same=True),
    InCoq(
        "C1",
        ("C1", "C1_built", "C1_built_three", *EVERY_TABLE),
        False,
        f"{ABSTRACT}; {BUILT}, and by the invariant for all tables at three larger ones",
    ),
    InCoq(
        "C1.squares",
        ("squares_solve", "squares_shape", "squares_width"),
        True,
        "the weights as functions of the sizes; a test compares them with those built here",
        same=True,
    ),
    InCoq(
        "C2",
        ("C2_rec_first", "C2_full_first", "C2_built_rec_first", "C2_built_full_first", "main_depth"),
        False,
        f"{SQUARES}; {BUILT}",
    ),
    InCoq("C2.words", ("T_depth", "main_depth"), False, SQUARES),
    InCoq("C3", ("C3", "C3_squares"), False, SQUARES + "; two numbers of 2k + 1 bits are stored for an entry"),
    InCoq("C6", ("C6_squares",), False, SQUARES + ", and no MLP"),
    InCoq(
        "C5",
        ("C5_squares_RF", "C5_squares_FR", "C5_full_alone"),
        False,
        f"RF and FR: {SQUARES}, 3L and L numbers of b + 1 bits with m² and n_ℓ, or m and n_ℓ, at most 2^b, and the "
        f"tokens said are addresses; F alone: {ABSTRACT}",
    ),
)


def statements_of(theorem: str) -> tuple[str, ...]:
    """The ids of the statements that a theorem says, or says part of."""
    return tuple(link.id for link in IN_COQ if theorem in link.theorems)
