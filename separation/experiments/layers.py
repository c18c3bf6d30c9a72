"""The layers that are trained: full attention, the gated delta rule, and a gated MLP; what crosses a cut is rounded.

    F:  y_t = Σ_{j≤t} softmax_j(q_t·k_j/√d)·v_j
    R:  S_t = α_t·S_{t-1}·(I − b_t·k_t k_tᵀ) + b_t·v_t k_tᵀ,   y_t = S_t q_t

where a cut lies behind every table. With ``bits`` = p, all that passes a cut is rounded to p bits a number: the state
of an R layer (d_v·d_k numbers: Λ), and of an F layer, for each later token, the mean of the values before the cut and
the logarithm of their weight (d + 1 numbers: β). z_0 and w lie behind the last cut: what passes between them is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

LARGEST_LOG_WEIGHT = 16.0


def rounded(values: Tensor, bits: int, largest: float = 1.0) -> Tensor:
    """The nearest of 2^bits equally spaced numbers in [−largest, largest]; the gradient passes as if nothing happened.

    >>> rounded(torch.tensor([-3.0, -0.1, 0.1, 0.9]), bits=1).tolist()
    [-1.0, -1.0, 1.0, 1.0]
    """
    clipped = values.clamp(-largest, largest)
    steps = 2**bits - 1
    grid = torch.floor((clipped / largest + 1) / 2 * steps + 0.5).clamp(0, steps)
    return clipped + (largest * (2 * grid / steps - 1) - clipped).detach()


class Mixer(nn.Module):
    """What moves information between tokens. ``cuts``: the first position behind each table; ``bits``: p, or None."""

    rounding = True
    """False only while a recipe trains with unrounded numbers first; a trained model rounds."""

    def __init__(self, cuts: Sequence[int], bits: int | None) -> None:
        super().__init__()
        self.cuts, self.bits = tuple(cuts), bits
        self.crossed: list[Tensor] | None = None
        """If this is a list, what passes each cut through the layer's state is put there."""

    @property
    def message_bits(self) -> int:
        """β: what all earlier players together tell one token through this layer; 0 if it is no full layer."""
        return 0

    @property
    def state_bits(self) -> int:
        """Λ of this layer: what passes one cut; 0 if it has no state."""
        return 0

    def note(self, state: Tensor) -> Tensor:
        if self.crossed is not None:
            self.crossed.append(state.detach())
        return state

    def passed(self, values: Tensor, largest: float = 1.0) -> Tensor:
        """What arrives behind a cut."""
        return rounded(values, self.bits, largest) if self.bits is not None and self.rounding else values

    def segments(self, length: int) -> list[tuple[int, int]]:
        """Positions from one cut to the next: the players, but for z_0 and w, who are one here."""
        return list(pairwise((0, *self.cuts, length)))


class FullAttention(Mixer):
    """F: one softmax head over all earlier tokens, or over a window of the last ones."""

    def __init__(
        self, width: int, head: int, cuts: Sequence[int], bits: int | None = None, window: int | None = None
    ) -> None:
        super().__init__(cuts, bits)
        self.head, self.window = head, window
        self.project = nn.Linear(width, 3 * head, bias=False)
        self.out = nn.Linear(head, width, bias=False)

    @property
    def message_bits(self) -> int:
        return 0 if self.window else (self.head + 1) * (self.bits or 0)

    @property
    def state_bits(self) -> int:
        """A window is a state: its keys and values."""
        return 2 * self.head * self.window * (self.bits or 0) if self.window else 0

    def forward(self, stream: Tensor) -> Tensor:
        query, key, value = self.project(stream).split(self.head, dim=-1)
        if self.window is not None and self.bits is not None:
            key, value = rounded(torch.tanh(key), self.bits), rounded(torch.tanh(value), self.bits)
            for stop in (*self.cuts, stream.shape[1]):
                self.note(torch.cat([part[:, max(0, stop - self.window) : stop] for part in (key, value)], -1))
        scores = query @ key.transpose(-1, -2) / math.sqrt(self.head)
        scores = scores.masked_fill(~self._visible(stream.shape[1], stream.device), -torch.inf)
        if self.bits is None or self.window is not None:
            return self.out(torch.softmax(scores, -1) @ value)
        value, segments = torch.tanh(value), self.segments(stream.shape[1])
        parts = [self._heard(scores[:, start:stop], value, start) for start, stop in segments]
        return self.out(torch.cat(parts, 1))

    def _heard(self, scores: Tensor, value: Tensor, start: int) -> Tensor:
        """What the tokens of one player hear: from earlier players a mean and a weight, rounded; the rest exact."""
        if start == 0:
            return torch.softmax(scores, -1) @ value
        earlier, own = scores[..., :start], scores[..., start:]
        mean = self.passed(torch.softmax(earlier, -1) @ value[:, :start])
        weight = self.passed(torch.logsumexp(earlier, -1, keepdim=True), LARGEST_LOG_WEIGHT)
        shares = torch.softmax(torch.cat([weight, own], -1), -1)
        return shares[..., :1] * mean + shares[..., 1:] @ value[:, start:]

    def _visible(self, length: int, device: torch.device) -> Tensor:
        ones = torch.ones(length, length, dtype=torch.bool, device=device)
        earlier = ones.tril()
        return earlier if self.window is None else earlier & ~ones.tril(-self.window)


class GatedDelta(Mixer):
    """R: one head of the gated delta rule, its state d_v × d_k."""

    def __init__(self, width: int, keys: int, values: int, cuts: Sequence[int], bits: int | None = None) -> None:
        super().__init__(cuts, bits)
        self.keys, self.values = keys, values
        self.project = nn.Linear(width, 2 * keys + values, bias=False)
        self.gates = nn.Linear(width, 2)
        nn.init.zeros_(self.gates.weight)
        self.gates.bias.data = torch.tensor([4.0, 0.0])  # at first almost nothing is forgotten
        self.out = nn.Linear(values, width, bias=False)

    @property
    def state_bits(self) -> int:
        return self.keys * self.values * (self.bits or 0)

    def forward(self, stream: Tensor) -> Tensor:
        query, key, value = self.project(stream).split([self.keys, self.keys, self.values], -1)
        parts = [nn.functional.normalize(query, dim=-1), nn.functional.normalize(key, dim=-1), torch.tanh(value)]
        parts += torch.sigmoid(self.gates(stream)).split(1, -1)
        state, outputs = stream.new_zeros(len(stream), self.values, self.keys), []
        for start, stop in self.segments(stream.shape[1]):
            output, state = parallel(state, *(part[:, start:stop] for part in parts))
            state = self.note(self.passed(state))
            outputs.append(output)
        return self.out(torch.cat(outputs, 1))


def parallel(
    state: Tensor, query: Tensor, key: Tensor, value: Tensor, kept: Tensor, written: Tensor
) -> tuple[Tensor, Tensor]:
    """All tokens of a segment at once, from a state S; and the state behind them.

    S_t = γ_t·S + Σ_{i≤t} (γ_t/γ_i)·u_i k_iᵀ, where γ_t = α_1⋯α_t and (I + A)·U = diag(b)·(V − γ·S k),
    A_{ti} = b_t·(γ_t/γ_i)·(k_t·k_i) below the diagonal.
    """
    decay = torch.log(kept).cumsum(1)
    total, ratio = torch.exp(decay), torch.exp((decay - decay.transpose(1, 2)).tril())
    identity = torch.eye(key.shape[1], device=key.device, dtype=key.dtype)
    mixing = identity + (written * ratio * (key @ key.transpose(1, 2))).tril(-1)
    missing = written * (value - total * (key @ state.transpose(1, 2)))
    update = torch.linalg.solve_triangular(mixing, missing, upper=False, unitriangular=True)
    output = total * (query @ state.transpose(1, 2)) + (ratio * (query @ key.transpose(1, 2))).tril() @ update
    behind = total[:, -1:] * state + (ratio[:, -1, :, None] * update).transpose(1, 2) @ key
    return output, behind


class Slots(Mixer):
    """M: full attention over a summary: every token adds to s slots, S_t = S_{t-1} + a_t v_tᵀ; softmax reads them."""

    def __init__(self, width: int, slots: int, values: int, cuts: Sequence[int], bits: int | None = None) -> None:
        super().__init__(cuts, bits)
        self.slots, self.values = slots, values
        self.project = nn.Linear(width, slots + values, bias=False)
        self.query = nn.Linear(width, slots, bias=False)
        self.out = nn.Linear(values, width, bias=False)

    @property
    def state_bits(self) -> int:
        return self.slots * self.values * (self.bits or 0)

    def forward(self, stream: Tensor) -> Tensor:
        shares, value = self.project(stream).split([self.slots, self.values], -1)
        added = torch.softmax(shares, -1)[..., None] * torch.tanh(value)[..., None, :]
        state, outputs = stream.new_zeros(len(stream), 1, self.slots, self.values), []
        for start, stop in self.segments(stream.shape[1]):
            states = state + added[:, start:stop].cumsum(1)
            outputs.append((torch.softmax(self.query(stream[:, start:stop]), -1)[..., None] * states).sum(2))
            state = self.note(states[:, -1:] if self.bits is None else rounded(states[:, -1:], self.bits))
        return self.out(torch.cat(outputs, 1))


class GatedMLP(nn.Module):
    """x ↦ W_3(silu(W_1 x) ∘ W_2 x), as wide as its input or as ``outer`` says."""

    def __init__(self, width: int, inner: int, outer: int | None = None) -> None:
        super().__init__()
        self.into = nn.Linear(width, 2 * inner, bias=False)
        self.out = nn.Linear(inner, outer or width, bias=False)

    def forward(self, stream: Tensor) -> Tensor:
        gate, value = self.into(stream).chunk(2, -1)
        return self.out(nn.functional.silu(gate) * value)
