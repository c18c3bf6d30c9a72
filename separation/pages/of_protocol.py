"""docs/protocol.md: the example, and the limits on stock models."""

from __future__ import annotations

from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.writing import fenced, printed

PAGE = "docs/protocol.md"


def example() -> str:
    """What `separation simulate C2 --L 2` prints."""
    from separation.display.simulate import show_simulate
    from separation.verbs.simulate import simulate

    return fenced(printed(show_simulate, simulate("C2", L=2)))


def default_sizes() -> tuple[object, ...]:
    from separation.verbs.simulate import DEFAULT_SIZES

    if set(DEFAULT_SIZES.n) != {DEFAULT_SIZES.m}:
        raise PageError(f"{DEFAULT_SIZES} has more than one number")
    return (DEFAULT_SIZES.m,)


def stock_limits() -> tuple[object, ...]:
    from separation.protocol.stock_model import MAX_LAYERS, MAX_PARAMETERS, MAX_WIDTH

    return (MAX_LAYERS, MAX_WIDTH, MAX_PARAMETERS // 10**6)


def state_bits() -> tuple[object, ...]:
    from separation.bounds.config_fields import DTYPE_BITS
    from separation.bounds.families import STATE_BITS

    return (DTYPE_BITS["bfloat16"], STATE_BITS)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "else FuncComp with m = n_1 = {}.\n", default_sizes),
    Block(PAGE, "simulate", example),
    Sentence(PAGE, "(up to {} layers of width {} and {} million parameters;", stock_limits),
    Sentence(PAGE, "in bfloat16 keeps its state in {} bits where the config is read as {}. Both are", state_bits),
)
