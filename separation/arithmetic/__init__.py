"""How numbers are: exact matrices over ℚ, the fixed-point model of attention, rigorous balls, numbers in JSON."""

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.arithmetic.balls import WORKING_BITS as WORKING_BITS
    from separation.arithmetic.balls import ball as ball
    from separation.arithmetic.balls import exp_ball as exp_ball
    from separation.arithmetic.balls import floor_scaled_exp as floor_scaled_exp
    from separation.arithmetic.balls import log_ball as log_ball
    from separation.arithmetic.balls import lower_fraction as lower_fraction
    from separation.arithmetic.balls import upper_fraction as upper_fraction
    from separation.arithmetic.fixed_point import Precision as Precision
    from separation.arithmetic.fixed_point import PrecisionOverflow as PrecisionOverflow
    from separation.arithmetic.fixed_point import attention_weights as attention_weights
    from separation.arithmetic.matrices import FLOAT_EXACT as FLOAT_EXACT
    from separation.arithmetic.matrices import ExactMatrix as ExactMatrix
    from separation.arithmetic.matrices import IntegerArray as IntegerArray
    from separation.arithmetic.matrices import integer_matmul as integer_matmul
    from separation.arithmetic.matrices import largest as largest
    from separation.arithmetic.matrices import narrow as narrow
    from separation.arithmetic.matrices import widen as widen
    from separation.arithmetic.numbers import integer_from_json as integer_from_json
    from separation.arithmetic.numbers import number_from_json as number_from_json
    from separation.arithmetic.numbers import number_to_json as number_to_json

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
