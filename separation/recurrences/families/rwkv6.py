"""RWKV-6 (Finch): gated linear attention that reads before it writes, with a bonus for the token itself."""

from __future__ import annotations

from typing import Any, ClassVar

from separation.recurrences.algebra import outer
from separation.recurrences.decays import RowDecay
from separation.recurrences.recurrence import Input, Inputs, Recurrence, State, Token


class RWKV6(Recurrence):
    """S_t = Diag(w_t) S_{t-1} + k_t v_tᵀ; y_t = r_tᵀ (S_{t-1} + Diag(u) k_t v_tᵀ).

    where w ∈ (0, 1)^{d_k}, r, k ∈ ℝ^{d_k}, v ∈ ℝ^{d_v}, u ∈ ℝ^{d_k} constant.
    Parallel: y_t = Σ_{j<t} (r_tᵀ Diag(w_{j+1} ⊙ … ⊙ w_{t-1}) k_j) v_j + (r_tᵀ Diag(u) k_t) v_t.
    """

    id = "rwkv6"
    name = "RWKV-6"
    paper = "Eagle and Finch: RWKV with Matrix-Valued States and Dynamic Recurrence"
    arxiv = "2404.05892"
    formula = "S = Diag(w)S + k vᵀ; y = rᵀ(S before + Diag(u)k vᵀ)"
    parallel_formula = "y_t = Σ_{j<t} (r_tᵀ Diag(w_{j+1}⊙…⊙w_{t-1}) k_j) v_j + (r_tᵀ Diag(u) k_t) v_t"
    inputs: ClassVar = {
        "r": Input(("d_k",)),
        "k": Input(("d_k",)),
        "v": Input(("d_v",)),
        "w": Input(("d_k",), "gate"),
        "u": Input(("d_k",), constant=True),
    }
    state: ClassVar = {"S": ("d_k", "d_v")}
    beside = "two token shifts of a block keep its last token: 2·width·p"
    reads_before = True

    def step(self, state: State, x: Token) -> State:
        (memory,) = state
        return (memory * x["w"][:, None] + outer(x["k"], x["v"]),)

    def read(self, state: State, x: Token) -> Any:
        bonus = x["r"] @ (x["u"] * x["k"])
        return x["r"] @ state[0] + x["v"] * bonus

    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        decay, (memory,) = RowDecay(xs["w"]), state
        bonus = (xs["r"] * (xs["k"] * xs["u"])).sum(1)
        read = decay.scores_before(xs["r"], xs["k"]) @ xs["v"] + decay.carried_before(xs["r"]) @ memory
        return read + xs["v"] * bonus[:, None], (decay.final(memory) + decay.ending(xs["k"]).T @ xs["v"],)


class ReadAfterWrite(RWKV6):
    """Broken: the token is read with its bonus and once more from the state."""

    reads_before = False
