"""How numbers are: exact matrices over ℚ, the fixed-point model of attention, rigorous balls, numbers in JSON."""

from separation.arithmetic.balls import exp_ball, lower_fraction, upper_fraction
from separation.arithmetic.fixed_point import Precision, PrecisionOverflow, attention_weights
from separation.arithmetic.matrices import ExactMatrix, integer_matmul
from separation.arithmetic.numbers import number_from_json, number_to_json

__all__ = [
    "ExactMatrix",
    "Precision",
    "PrecisionOverflow",
    "attention_weights",
    "exp_ball",
    "integer_matmul",
    "lower_fraction",
    "number_from_json",
    "number_to_json",
    "upper_fraction",
]
