"""An ONNX graph, node by node: weights are stored in it, and layers are operators of the standard.

Two styles. In ``standard`` a layer is one operator of the standard (LayerNormalization, Attention, RotaryEmbedding, …),
so that the program that runs the graph brings an implementation of that layer. In ``plain`` it is spelled out in
products of matrices, sums, quotients, roots, Softmax, Relu and Sigmoid, which is what verifiers of networks read.

Two programs that nobody here wrote run a graph: onnxruntime, and the reference evaluator of the standard.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.numeric.stock_models import StockCheck, compared, in_batches
from separation.progress import Progress
from separation.version import VERSION

OPSET = {"standard": 24, "plain": 17}
IR_VERSION = {"standard": 11, "plain": 8}
"""Of the file format: the first that knows the operators, so that older programs read it too."""
BIAS_OF_HIDDEN = -1.0e4
"""What is added to a score that a row may not see, in the plain style: e^-10000 is 0 in every float type."""

Array = NDArray[Any]


class Graph:
    """Names of tensors in, name of the result out; ``build`` gives the model."""

    def __init__(self, style: str = "standard") -> None:
        from onnx import helper, numpy_helper

        self.style, self.plain = style, style == "plain"
        self._helper, self._numpy_helper = helper, numpy_helper
        self._nodes: list[Any] = []
        self._stored: list[Any] = []

    def stored(self, array: Array) -> str:
        """A constant: weights in float32, shapes and indices in int64."""
        array = np.asarray(array)
        kept = array.astype(np.int64 if np.issubdtype(array.dtype, np.integer) else np.float32)
        name = f"constant_{len(self._stored)}"
        self._stored.append(self._numpy_helper.from_array(kept, name))
        return name

    def node(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """One operator with one result."""
        name = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(self._helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def linear(self, x: str, weight: Array, bias: Array | None = None) -> str:
        """x·W + b, with W of shape inputs × outputs."""
        product = self.node("MatMul", x, self.stored(weight))
        return product if bias is None else self.node("Add", product, self.stored(bias))

    def layer_norm(self, x: str, gain: Array, bias: Array, epsilon: float) -> str:
        if not self.plain:
            return self.node("LayerNormalization", x, self.stored(gain), self.stored(bias), axis=-1, epsilon=epsilon)
        centred = self.node("Sub", x, self.node("ReduceMean", x, axes=[-1], keepdims=1))
        scaled = self.node("Mul", self._over_root_mean_square(centred, epsilon), self.stored(gain))
        return self.node("Add", scaled, self.stored(bias))

    def rms_norm(self, x: str, gain: Array, epsilon: float) -> str:
        if not self.plain:
            return self.node("RMSNormalization", x, self.stored(gain), axis=-1, epsilon=epsilon)
        return self.node("Mul", self._over_root_mean_square(x, epsilon), self.stored(gain))

    def _over_root_mean_square(self, x: str, epsilon: float) -> str:
        squares = self.node("ReduceMean", self.node("Mul", x, x), axes=[-1], keepdims=1)
        return self.node("Div", x, self.node("Sqrt", self.node("Add", squares, self.stored(np.array(epsilon)))))

    def causal_attention(self, query: str, key: str, value: str, heads: int, head_width: int, length: int) -> str:
        """softmax(q·k/√d) v for each head, over rows up to its own; all of shape batch × rows × heads·d."""
        if not self.plain:
            attributes = {"q_num_heads": heads, "kv_num_heads": heads, "is_causal": 1}
            return self.node("Attention", query, key, value, **attributes)
        q, k, v = (self._split_heads(part, heads, head_width, length) for part in (query, key, value))
        scores = self.node("MatMul", q, self.node("Transpose", k, perm=[0, 1, 3, 2]))
        scores = self.node("Mul", scores, self.stored(np.array(1 / math.sqrt(head_width))))
        hidden = np.triu(np.full((length, length), BIAS_OF_HIDDEN), k=1)
        weights = self.node("Softmax", self.node("Add", scores, self.stored(hidden)), axis=-1)
        found = self.node("Transpose", self.node("MatMul", weights, v), perm=[0, 2, 1, 3])
        return self.node("Reshape", found, self.stored(np.array([-1, length, heads * head_width])))

    def _split_heads(self, x: str, heads: int, head_width: int, length: int) -> str:
        parts = self.node("Reshape", x, self.stored(np.array([-1, length, heads, head_width])))
        return self.node("Transpose", parts, perm=[0, 2, 1, 3])

    def gelu(self, x: str) -> str:
        """The tanh form that GPT-2 ships; in the plain style x·sigmoid(√(8/π)·(x + 0.044715·x³)), which is the same."""
        if not self.plain:
            return self.node("Gelu", x, approximate="tanh")
        cube = self.node("Mul", self.node("Mul", x, x), x)
        inside = self.node("Add", x, self.node("Mul", cube, self.stored(np.array(0.044715))))
        scaled = self.node("Mul", inside, self.stored(np.array(math.sqrt(8 / math.pi))))
        return self.node("Mul", x, self.node("Sigmoid", scaled))

    def silu(self, x: str) -> str:
        return self.node("Mul", x, self.node("Sigmoid", x)) if self.plain else self.node("Swish", x)

    def last_row(self, x: str, length: int) -> str:
        """batch × rows × width → batch × width."""
        return self.node("Gather", x, self.stored(np.array(length - 1)), axis=1)

    def build(self, source: tuple[str, str, list[Any]], result: str, outputs: int, about: str) -> Any:
        """The checked model; ``source`` is the input's name, element type and shape, ``result`` becomes `logits`."""
        import onnx

        helper = self._helper
        self._nodes.append(helper.make_node("Identity", [result], ["logits"]))
        name, kind, shape = source
        given = helper.make_tensor_value_info(name, getattr(onnx.TensorProto, kind), shape)
        batch = shape[0]
        result = helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, [batch, outputs])
        graph = helper.make_graph(self._nodes, "separation", [given], [result], self._stored, doc_string=about)
        opset = [helper.make_opsetid("", OPSET[self.style])]
        model = helper.make_model(graph, opset_imports=opset, ir_version=IR_VERSION[self.style])
        model.producer_name, model.producer_version = "separation", VERSION
        onnx.checker.check_model(model, full_check=True)
        return model


Logits = NDArray[np.float64]
Run = Callable[[NDArray[Any]], Logits]


def with_onnxruntime(model: Any) -> Run:
    """onnxruntime on one core of the processor."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return _by_name(session.get_inputs()[0].name, lambda given: session.run(None, given)[0])


def with_reference(model: Any) -> Run:
    """`onnx.reference`, which follows the text of the standard in numpy, and is slow."""
    from onnx.reference import ReferenceEvaluator

    evaluator: Any = ReferenceEvaluator(model)
    return _by_name(evaluator.input_names[0], lambda given: evaluator.run(None, given)[0])


RUNNERS: dict[str, Callable[[Any], Run]] = {"onnxruntime": with_onnxruntime, "reference": with_reference}


def check_graph(
    model: Any,
    runner: str,
    prompts: NDArray[np.int64],
    expected: NDArray[np.int64],
    ideal: Logits | None = None,
    progress: Progress | None = None,
) -> StockCheck:
    """Every prompt's answer is the argmax of the logits; ``ideal``: what the logits are in exact arithmetic."""
    logits = in_batches(RUNNERS[runner](model), prompts, progress)
    return compared(runner, (), logits, expected, ideal)


def _by_name(name: str, run: Callable[[dict[str, Any]], Any]) -> Run:
    return lambda given: np.asarray(run({name: given}), dtype=np.float64)
