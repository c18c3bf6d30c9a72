"""docs/theory.md: sizes that a statement of the proof book names."""

from __future__ import annotations

from separation.pages.parts import PageError, Part, Sentence

PAGE = "docs/theory.md"


def least_bits() -> tuple[object, ...]:
    """The least p with which C1 is proved at its smallest size, with P = 0."""
    from constructions.c1 import build
    from separation.proving import prove
    from separation.tasks.funccomp import Sizes

    for bits in range(1, 9):
        built = build(Sizes(2, ()), bits=bits, score_bits=0)
        if prove(built.model, built.stages, built.shape).ok:
            return (bits,)
    raise PageError("C1 is not proved with 8 bits")


def sparse_cases() -> tuple[object, ...]:
    from proofs_checks.c7_exhaustive import CASES

    blocks = {block for _, block, _ in CASES}
    if blocks != set(range(min(blocks), max(blocks) + 1)):
        raise PageError(f"block lengths {sorted(blocks)} are no range")
    return (min(blocks), max(blocks), *sorted({opened for _, _, opened in CASES}))


def encoder_tables() -> tuple[object, ...]:
    from proofs_checks.c4_exhaustive import SIZES

    return (min(sizes.L for sizes in SIZES), max(sizes.L for sizes in SIZES))


def states_of_an_automaton() -> tuple[object, ...]:
    """The least number of states with which some automaton is right, and one less."""
    from proofs_checks.t_c_thought import SIZES, least_states

    found = least_states(SIZES)
    return (found, found - 1)


def affine_families() -> tuple[object, ...]:
    from proofs_checks.p_2_2 import LINEAR

    return (len(LINEAR),)


def bits_of_one_layer() -> tuple[object, ...]:
    """The d of C6.bits' keys, and H·d·p/⌈log2 M⌉, the same at all sizes that are run."""
    from proofs_checks.c6_bits import build, product
    from proofs_checks.c6_exhaustive import SIZES

    found = set()
    for sizes in SIZES:
        model = build(sizes)
        d, rest = divmod(product(model), len(model.layers[0].heads) * model.precision.bits)
        factor, odd = divmod(product(model), sizes.code_bits)
        if rest or odd:
            raise PageError(f"{sizes}: H·d·p = {product(model)} is no multiple of H·p and of ⌈log2 M⌉")
        found.add((d, factor))
    if len(found) != 1:
        raise PageError(f"d and H·d·p/⌈log2 M⌉ depend on the sizes: {sorted(found)}")
    return found.pop()


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "and at small sizes p = {} is.", least_bits),
    Sentence(PAGE, "At tiny sizes, with {} to {} tables and degenerate digits", encoder_tables),
    Sentence(PAGE, "block lengths {} to {} (one longer than the prompt) and {} or {} opened blocks", sparse_cases),
    Sentence(PAGE, "up to two tokens of thought: {} = N^N states are enough, {} are not.", states_of_an_automaton),
    Sentence(PAGE, "One head, d = {}, p = 2⌈log2 M⌉: H·d·p = {}⌈log2 M⌉. It lives", bits_of_one_layer),
    Sentence(PAGE, "The step of {} families is affine in the state", affine_families),
)
