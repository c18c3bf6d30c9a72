"""How numbers are: exact matrices over ℚ, the fixed-point model of attention, rigorous balls, numbers in JSON."""

from separation.lazily import found_in

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.arithmetic.balls import (
        WORKING_BITS,
        ball,
        exp_ball,
        floor_scaled_exp,
        log_ball,
        lower_fraction,
        upper_fraction,
    )
    from separation.arithmetic.fixed_point import Precision, PrecisionOverflow, attention_weights
    from separation.arithmetic.matrices import (
        FLOAT_EXACT,
        ExactMatrix,
        IntegerArray,
        integer_matmul,
        largest,
        narrow,
        widen,
    )
    from separation.arithmetic.numbers import integer_from_json, number_from_json, number_to_json

__all__ = [
    "FLOAT_EXACT",
    "WORKING_BITS",
    "ExactMatrix",
    "IntegerArray",
    "Precision",
    "PrecisionOverflow",
    "attention_weights",
    "ball",
    "exp_ball",
    "floor_scaled_exp",
    "integer_from_json",
    "integer_matmul",
    "largest",
    "log_ball",
    "lower_fraction",
    "narrow",
    "number_from_json",
    "number_to_json",
    "upper_fraction",
    "widen",
]

__getattr__ = found_in(__name__, __all__, "numbers", "balls", "fixed_point", "matrices")
