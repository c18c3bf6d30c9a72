"""What a graph can say for all inputs of a box: every tensor as balls that contain it, operator by operator.

The arithmetic is that of real numbers: weights are the stored floats, taken exactly, and nothing is rounded but the
balls, outward. So what is shown holds for the network as a function of real numbers, which is what VNN-LIB asks about;
a run in floats differs from that by its roundings. Nothing is assumed of where the graph comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from separation.arithmetic import lower_fraction

Balls = NDArray[Any]
"""Object arrays of arb."""


class CannotEnclose(Exception):
    """An operator without a rule here, or a quotient or root that a box does not allow."""


def box(low: Sequence[float], high: Sequence[float]) -> Balls:
    """Balls that contain the intervals; ends are floats, taken exactly."""
    return _balls([arb(one).union(arb(other)) for one, other in zip(low, high, strict=True)])[None, :]


def enclose(model: Any, given: Balls) -> Balls:
    """Balls that contain each output, for every input in the balls ``given``; InputError never, CannotEnclose maybe."""
    from onnx import helper, numpy_helper

    tensors: dict[str, Any] = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    tensors[model.graph.input[0].name] = given
    for node in model.graph.node:
        rule = RULES.get(node.op_type)
        if rule is None:
            raise CannotEnclose(f"no rule for the operator {node.op_type}")
        attributes = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        tensors[node.output[0]] = rule(*(tensors[name] for name in node.input), **attributes)
    found: Balls = tensors[model.graph.output[0].name]
    return found


def least_lead(outputs: Balls, right: int) -> Fraction:
    """At most the least distance by which output ``right`` is above every other one, over the whole box."""
    (row,) = outputs
    if not all(output.is_finite() for output in row):
        raise CannotEnclose("an output without bounds")
    return min(lower_fraction(row[right] - other) for number, other in enumerate(row) if number != right)


def _balls(values: Any) -> Balls:
    """Floats as exact balls; balls as they are."""
    array = np.asarray(values)
    return array if array.dtype == object else np.asarray(np.frompyfunc(lambda x: arb(float(x)), 1, 1)(array))


def _each(function: Callable[[arb], arb]) -> Callable[..., Balls]:
    entries = np.frompyfunc(function, 1, 1)
    return lambda x: np.asarray(entries(_balls(x)))


def _relu(x: arb) -> arb:
    return x.max(arb(0))


def _sigmoid(x: arb) -> arb:
    """1 / (1 + e^-x) grows with x: its ends are those of the interval."""
    return (1 / (1 + (-x.lower()).exp())).union(1 / (1 + (-x.upper()).exp()))


def _root(x: arb) -> arb:
    if not x > 0:
        raise CannotEnclose("a root of what may not be above 0")
    return x.sqrt()


def _divide(x: Balls, y: Balls) -> Balls:
    if not all(number > 0 or number < 0 for number in _balls(y).reshape(-1)):
        raise CannotEnclose("a quotient by what may be 0")
    return np.asarray(_balls(x) / _balls(y))


def _multiply(x: Balls, y: Balls) -> Balls:
    """A square is one: no number of it is below 0."""
    if x is y:
        return _each(lambda number: (number * number).max(arb(0)))(x)
    return np.asarray(_balls(x) * _balls(y))


def _softmax(x: Balls, axis: int) -> Balls:
    """1 / (1 + Σ_{j≠i} e^{s_j − s_i}), which falls with every difference: its ends are those of the differences."""
    if axis not in (-1, np.ndim(x) - 1):
        raise CannotEnclose("Softmax over another axis than the last")
    rows = _balls(x).reshape(-1, x.shape[-1])
    found = np.empty(rows.shape, dtype=object)
    for number, row in enumerate(rows):
        for i, own in enumerate(row):
            apart = [score - own for j, score in enumerate(row) if j != i]
            least = sum((each.upper().exp() for each in apart), arb(1))
            most = sum((each.lower().exp() for each in apart), arb(1))
            found[number, i] = (1 / least).union(1 / most)
    return found.reshape(x.shape)


def _mean(x: Balls, axes: Sequence[int], keepdims: int) -> Balls:
    if list(axes) != [-1] or not keepdims:
        raise CannotEnclose("ReduceMean over other axes than the last")
    return np.asarray(_balls(x).sum(axis=-1, keepdims=True) / arb(x.shape[-1]))


def _product(x: Balls, y: Balls) -> Balls:
    return np.asarray(np.matmul(_balls(x), _balls(y)))


def _reshape(x: Balls, shape: NDArray[np.int64]) -> Balls:
    return np.asarray(x).reshape([int(size) for size in shape])


RULES: dict[str, Callable[..., Any]] = {
    "Add": lambda x, y: np.asarray(_balls(x) + _balls(y)),
    "Div": _divide,
    "Gather": lambda x, index, axis: np.take(_balls(x), int(index), axis=axis),
    "Identity": lambda x: x,
    "MatMul": _product,
    "Mul": _multiply,
    "ReduceMean": _mean,
    "Relu": _each(_relu),
    "Reshape": _reshape,
    "Sigmoid": _each(_sigmoid),
    "Softmax": _softmax,
    "Sqrt": _each(_root),
    "Sub": lambda x, y: np.asarray(_balls(x) - _balls(y)),
    "Transpose": lambda x, perm: np.transpose(x, perm),
}
