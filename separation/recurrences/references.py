"""Implementations that nobody here wrote, called on the same inputs: one function a family, torch on a CPU.

Each gets the inputs of one head, (T, …) arrays of float32 or float64 numbers, and returns y, (T, d_v). Where it scales
queries by 1/√d_k, here a power of 2, the scale is taken back exactly. Gates are handed over as logarithms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from separation.recurrences.recurrence import Inputs
from separation.recurrences.tracked import UNIT, UNIT_32, Floats

FLA = "flash-linear-attention"
GATE_ROUNDINGS = 6.0
"""exp within 2 units in the last place (4 unit roundoffs) of an argument of at most 1 that was rounded twice."""


@dataclass(frozen=True)
class Reference:
    """``call(function, xs)`` with ``prepare``-d inputs gives y, computed with unit roundoff ``unit``.

    ``gate_roundings``: how many unit roundoffs its gates are off; ``extra(xs, y)``: a bound on what else it does.
    """

    package: str
    module: str
    function: str
    call: Callable[[Any, Inputs], Any]
    unit: float = UNIT_32
    gate_roundings: float = GATE_ROUNDINGS
    prepare: Callable[[Inputs], Inputs] = lambda xs: xs
    extra: Callable[[Inputs, Floats], Floats] = lambda _xs, y: np.zeros_like(y)

    @property
    def bits(self) -> int:
        return 64 if self.unit == UNIT else 32

    def load(self) -> Any:
        """The function; ImportError or AttributeError if the package has it no more."""
        load = _file_alone if self.package == FLA else import_module
        return getattr(load(self.module), self.function)

    def outputs(self, function: Any, xs: Inputs) -> Floats:
        return np.asarray(self.call(function, xs).detach().double().numpy())


def _file_alone(name: str) -> ModuleType:
    """A module by its file, without the packages around it, which want a graphics card and seconds to import."""
    top, *path = name.split(".")
    package = find_spec(top)
    places = package.submodule_search_locations if package is not None else None
    if not places:
        raise ModuleNotFoundError(f"no package {top}")
    file = Path(places[0]).joinpath(*path).with_suffix(".py")
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None or not file.is_file():
        raise ModuleNotFoundError(f"no module {name}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def tensor(array: Any, *axes: int, bits: int = 32) -> Any:
    """The array with axes of length 1 put in, as float32 or float64."""
    import torch

    return torch.tensor(np.expand_dims(np.asarray(array), axes), dtype=torch.float64 if bits == 64 else torch.float32)


def _query(xs: Inputs, name: str = "q") -> Floats:
    return np.asarray(xs[name] * np.sqrt(xs.sizes["d_k"]))


def _log(gates: Any) -> Floats:
    """The float32 logarithm that the gate was made from."""
    return np.asarray(np.log(gates).astype(np.float32), dtype=np.float64)


def _one_head(arrays: Callable[[Inputs], Iterable[Any]], axis: int, **options: Any) -> Callable[[Any, Inputs], Any]:
    """f(arrays) with an axis of length 1 in front and one for the head at ``axis``; y without both."""

    def call(f: Any, xs: Inputs) -> Any:
        found = f(*(tensor(array, 0, axis) for array in arrays(xs)), **options)
        found = found[0] if isinstance(found, tuple) else found
        return found.squeeze(axis)[0]

    return call


def _linear(xs: Inputs) -> Iterable[Any]:
    return (xs[name] for name in "qkv")


def _retention_decay(xs: Inputs) -> Inputs:
    """1 − 2⁻⁵ is the decay of the first head, and not to be chosen."""
    return xs.replaced(gamma=np.float64(1 - 2.0**-5))


def _mamba_decay(xs: Inputs) -> Inputs:
    """A_t = exp(Δ_t ⊗ A) with A from the first token's gates."""
    return xs.replaced(decay=np.exp(xs["delta"][:, None, :] * _log(xs["decay"][0])))


def _mamba_matrix(xs: Inputs) -> Floats:
    return np.asarray((np.log(xs["decay"][0]) / xs["delta"][0]).astype(np.float32))


def _mamba(f: Any, xs: Inputs) -> Any:
    x, delta, b, c = (tensor(xs[name].T, 0) for name in ("x", "delta", "b", "c"))
    return f(x, delta, tensor(_mamba_matrix(xs).T), b, c, D=tensor(xs["skip"]))[0].T


def _mamba2_decay(xs: Inputs) -> Inputs:
    """a_t = exp(Δ_t A) with A = −1/4."""
    return xs.replaced(a=np.exp(-0.25 * xs["delta"]))


def _mamba2(f: Any, xs: Inputs) -> Any:
    """One token after the other: the state is updated in place."""
    import torch

    shape = (xs.sizes["d_v"], xs.sizes["d_k"])
    state, a = torch.zeros(1, 1, *shape), torch.full((1, *shape), -0.25)
    rows = []
    for t in range(xs.tokens):
        delta = torch.full((1, 1, shape[0]), float(xs["delta"][t]))
        x, b, c = (tensor(xs[name][t], 0, 1) for name in ("x", "b", "c"))
        rows.append(f(state, x, delta, a, b, c, D=tensor(np.full(shape[0], xs["skip"]), 0))[0, 0])
    return torch.stack(rows)


def _written(*more: str) -> Callable[[Inputs], Iterable[Any]]:
    """q/√d_k undone, k, v, then further inputs; a gate as its logarithm."""
    return lambda xs: (_query(xs), xs["k"], xs["v"], *(_log(xs[n]) if n == "alpha" else xs[n] for n in more))


def _rwkv6(f: Any, xs: Inputs) -> Any:
    arrays = (_query(xs, "r"), xs["k"], xs["v"], _log(xs["w"]))
    return f(*(tensor(array, 0, 1) for array in arrays), tensor(xs["u"], 0))[0][0, 0]


def _hgrn2(xs: Inputs) -> Iterable[Any]:
    return _query(xs), 1 - xs["f"], xs["v"], _log(xs["f"])


def _rwkv7(xs: Inputs) -> Iterable[Any]:
    """As the kernel of RWKV-7 is called: α = −κ, β = a ⊙ κ."""
    return _query(xs, "r"), xs["k"], xs["v"], -xs["kappa"], xs["a"] * xs["kappa"], _log(xs["w"])


def _mlstm(f: Any, xs: Inputs) -> Any:
    """Gates before their activation: f = σ(·), i = exp(·); eps = 0 is the paper's formula."""
    import torch

    forget = np.log(xs["f"]) - np.log1p(-xs["f"])
    arrays = (_query(xs), xs["k"], xs["v"], np.log(xs["i"]), forget)
    q, k, v, i, gate = (tensor(array, 0, 1, bits=64) for array in arrays)
    return f(q, k, v, i, gate, eps=0.0, dtype_state=torch.float64)[0, 0]


MLSTM_ROUNDINGS = 24.0
"""f and i are exp of sums: exp 4; |log f| ≤ 0.3 from a logit 5; |log i| ≤ 1.3 from a logarithm 6; a sum and a
difference with a stabiliser of at most 1.3, 8. The stabiliser's own error cancels: it scales C, n and 1 alike."""


def _mlstm_roundings(_xs: Inputs, y: Floats) -> Floats:
    """exp(−m) in place of 1 in the denominator: 8 roundings of the quotient."""
    return np.asarray(8 * UNIT * np.abs(y))


def _product(f: Any, xs: Inputs) -> Any:
    steps = xs.tokens * xs.sizes["n_h"]
    k, v, beta = (xs[name].reshape(steps, *xs[name].shape[2:]) for name in ("k", "v", "beta"))
    q, k, v, beta = (tensor(array, 0, 2) for array in (xs["q"], k, v, beta))
    return f(q, k, v, None, beta, scale=1.0, num_householder=xs.sizes["n_h"])[0][0, :, 0]


def _window(f: Any, xs: Inputs) -> Any:
    q, k, v = (tensor(xs[name], 0, 2, bits=64) for name in "qkv")
    return f(q, k, v, scale=1.0, window_size=xs["window"])[0][0, :, 0]


def _shifted_softmax(xs: Inputs, y: Floats) -> Floats:
    """Scores less their maximum are rounded: a weight moves by exp(±2u·max|s|), a quotient of sums by its square."""
    largest = np.abs(xs["q"] @ xs["k"].T).max()
    return np.full_like(y, np.expm1(8 * UNIT * largest) * np.abs(xs["v"]).max())


def _rnn(f: Any, xs: Inputs) -> Any:
    import torch

    network = f(xs.sizes["d_k"], xs.sizes["d"], nonlinearity="relu", dtype=torch.float64)
    weights = {"weight_ih_l0": xs["U"], "weight_hh_l0": xs["W"], "bias_ih_l0": xs["b"], "bias_hh_l0": 0 * xs["b"]}
    network.load_state_dict({name: tensor(array, bits=64) for name, array in weights.items()})
    return network(tensor(xs["x"], bits=64))[0]


def _fla(module: str, function: str, call: Callable[[Any, Inputs], Any], **more: Any) -> Reference:
    return Reference(FLA, f"fla.ops.{module}", function, call, **more)


def _stock(module: str, function: str, call: Callable[[Any, Inputs], Any], **more: Any) -> Reference:
    return Reference("transformers", f"transformers.models.{module}", function, call, **more)


REFERENCES: dict[str, Reference] = {
    "linear": _fla(
        "linear_attn.naive", "naive_recurrent_linear_attn", _one_head(_linear, 2, scale=1.0, normalize=False)
    ),
    # Their denominator has 1e-10 more; it is at least 1/4 here, and float32 does not see the difference.
    "linear-normalised": _fla(
        "linear_attn.naive", "naive_recurrent_linear_attn", _one_head(_linear, 2, scale=1.0, normalize=True)
    ),
    "retnet": _fla("retention.naive", "naive_retention", _one_head(_written(), 1), prepare=_retention_decay),
    "gla": _fla("gla.naive", "naive_recurrent_gla", _one_head(_written("alpha"), 2)),
    "mamba": _stock("mamba.modeling_mamba", "mamba_selective_scan", _mamba, prepare=_mamba_decay),
    "mamba2": _stock("mamba2.modeling_mamba2", "mamba2_selective_state_update", _mamba2, prepare=_mamba2_decay),
    "delta-net": _fla("delta_rule.naive", "delta_rule_recurrence", _one_head(_written("beta"), 1)),
    "gated-delta-net": _fla(
        "gated_delta_rule.naive", "naive_recurrent_gated_delta_rule", _one_head(_written("beta", "alpha"), 2)
    ),
    "kimi-delta": _fla("kda.naive", "naive_recurrent_kda", _one_head(_written("alpha", "beta"), 2)),
    "rwkv6": _fla("rwkv6.recurrent_naive", "naive_recurrent_rwkv6", _rwkv6),
    "rwkv7": _fla("generalized_delta_rule.dplr.naive", "dplr_recurrence", _one_head(_rwkv7, 1)),
    "mlstm": _stock(
        "xlstm.modeling_xlstm",
        "mlstm_recurrent_sequence_native",
        _mlstm,
        unit=UNIT,
        gate_roundings=MLSTM_ROUNDINGS,
        extra=_mlstm_roundings,
    ),
    "hgrn2": _fla("gla.naive", "naive_recurrent_gla", _one_head(_hgrn2, 2)),
    "delta-product": _fla("gated_delta_product.naive", "naive_recurrent_gated_delta_product", _product),
    "sliding-window": _fla("attn.naive", "naive_parallel_attn", _window, unit=UNIT, extra=_shifted_softmax),
    "rnn": Reference("torch", "torch.nn", "RNN", _rnn, unit=UNIT),
}
