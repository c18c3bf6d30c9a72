"""The heads of a layer: full attention, recurrences and block-sparse attention, each a few matrices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from separation.arithmetic import ExactMatrix
from separation.models.recurrent_head import RecurrentHead

Shapes = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Head:
    """out_i = Σ_j e(q_i·k_j) v_j / Σ_j e(q_i·k_j), q = W_Q x, k = W_K x, v = W_V x; the stream gets W_O · out.

    where W_Q, W_K: d_k × width; W_V: d_v × width; W_O: width × d_v; e(s) = ⌊2^P exp(s − shift)⌋; j runs over the
    tokens that i sees. The temperature is a factor of W_Q.
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_o: ExactMatrix
    shift: Fraction

    MATRICES: ClassVar = ("w_q", "w_k", "w_v", "w_o")
    READERS: ClassVar = ("w_q", "w_k", "w_v")
    NUMBERS: ClassVar = ("shift",)
    TYPE: ClassVar = "full"
    LETTER: ClassVar = "F"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        return {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}


@dataclass(frozen=True)
class LinearHead:
    """S_t = S_{t-1} + φ_k v_tᵀ, n_t = n_{t-1} + φ_k; out_t = φ_qᵀ S_t / φ_qᵀ n_t, or φ_qᵀ S_t if not ``normalised``.

    where φ_q = relu(W_Q x + b_Q), φ_k = relu(W_K x + b_K), v = W_V x; W_Q, W_K: d_k × width; b_Q, b_K: d_k × 1;
    W_V: d_v × width; W_O: width × d_v. The quotient is rounded down; without one nothing is.
    """

    w_q: ExactMatrix
    b_q: ExactMatrix
    w_k: ExactMatrix
    b_k: ExactMatrix
    w_v: ExactMatrix
    w_o: ExactMatrix
    normalised: bool

    MATRICES: ClassVar = ("w_q", "b_q", "w_k", "b_k", "w_v", "w_o")
    READERS: ClassVar = ("w_q", "w_k", "w_v")
    NUMBERS: ClassVar = ("normalised",)
    TYPE: ClassVar = "linear"
    LETTER: ClassVar = "R"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "b_q": (keys, 1), "b_k": (keys, 1)}

    @property
    def state_entries(self) -> int:
        """d_k·d_v, and d_k for the normaliser."""
        return self.w_k.shape[0] * (self.w_v.shape[0] + self.normalised)


@dataclass(frozen=True)
class DeltaHead:
    """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ; out_t = S_tᵀ q: the gated delta rule.

    where q = W_Q x, k = W_K x, v = W_V x, α = clip(W_A x + b_A), β = clip(W_B x + b_B), clip to [0, 1];
    W_Q, W_K: d_k × width; W_V: d_v × width; W_A, W_B: 1 × width; b_A, b_B: 1 × 1; W_O: width × d_v.
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    w_a: ExactMatrix
    b_a: ExactMatrix
    w_b: ExactMatrix
    b_b: ExactMatrix
    w_o: ExactMatrix

    MATRICES: ClassVar = ("w_q", "w_k", "w_v", "w_a", "b_a", "w_b", "b_b", "w_o")
    READERS: ClassVar = ("w_q", "w_k", "w_v", "w_a", "w_b")
    NUMBERS: ClassVar = ()
    TYPE: ClassVar = "delta"
    LETTER: ClassVar = "R"

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "w_a": (1, width), "b_a": (1, 1), "w_b": (1, width), "b_b": (1, 1)}

    @property
    def state_entries(self) -> int:
        """d_k·d_v."""
        return self.w_k.shape[0] * self.w_v.shape[0]


@dataclass(frozen=True)
class SparseHead:
    """Full attention over the summaries of earlier blocks, the tokens of the opened ones and those of the own block.

    where tokens stand in blocks of B = ``block``; a block of tokens before the own one has the summary key
    C_K (k_1; …; k_B) and the summary value C_V (v_1; …; v_B), C_K: d_k × B·d_k, C_V: d_v × B·d_v; ``opened`` of these
    blocks, those whose summary keys score highest with q (of equals the earlier block), are read token by token
    too; of the own block the tokens up to the query itself. One softmax over all of them, e and ``shift`` as in `Head`.
    """

    w_q: ExactMatrix
    w_k: ExactMatrix
    w_v: ExactMatrix
    c_k: ExactMatrix
    c_v: ExactMatrix
    w_o: ExactMatrix
    shift: Fraction
    block: int
    opened: int

    MATRICES: ClassVar = ("w_q", "w_k", "w_v", "c_k", "c_v", "w_o")
    READERS: ClassVar = ("w_q", "w_k", "w_v")
    NUMBERS: ClassVar = ("shift", "block", "opened")
    TYPE: ClassVar = "sparse"
    LETTER: ClassVar = "S"

    def __post_init__(self) -> None:
        if self.block < 1 or self.opened < 0:
            raise ValueError(f"a block has at least 1 token and 0 or more are opened, got {self.block}, {self.opened}")

    def shapes(self, width: int) -> Shapes:
        keys, values = self.w_q.shape[0], self.w_v.shape[0]
        maps = {"w_q": (keys, width), "w_k": (keys, width), "w_v": (values, width), "w_o": (width, values)}
        return {**maps, "c_k": (keys, self.block * keys), "c_v": (values, self.block * values)}


AnyHead = Head | LinearHead | DeltaHead | SparseHead | RecurrentHead
HEAD_TYPES: dict[str, type[AnyHead]] = {
    head.TYPE: head for head in (Head, LinearHead, DeltaHead, SparseHead, RecurrentHead)
}
STATEFUL = (LinearHead, DeltaHead, RecurrentHead)
StatefulHead = LinearHead | DeltaHead | RecurrentHead

__all__ = [
    "HEAD_TYPES",
    "STATEFUL",
    "AnyHead",
    "DeltaHead",
    "Head",
    "LinearHead",
    "RecurrentHead",
    "Shapes",
    "SparseHead",
    "StatefulHead",
]
