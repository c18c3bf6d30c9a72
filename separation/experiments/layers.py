"""The layers that are trained: full attention, the gated delta rule, and a gated MLP; what crosses a cut is rounded.

    F:  y_t = Σ_{j≤t} softmax_j(q_t·k_j/√d)·v_j
    R:  S_t = α_t·S_{t-1}·(I − b_t·k_t k_tᵀ) + b_t·v_t k_tᵀ,   y_t = S_t q_t

where a cut lies behind every table. With ``bits`` = p, all that passes a cut is rounded to p bits a number: the state
of an R layer (d_v·d_k numbers: Λ), and of an F layer, for each later token, the mean of the values before the cut and
the logarithm of their weight (d_v + 1 numbers: β). z_0 and w lie behind the last cut: between them all is exact.

A stream holds the tokens of the tables, then z_0 and w of each of K queries: (batch, T + 2K, width). A query sees the
tables and itself, as if it were asked alone; with K = 1 this is the prompt of the task.
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

    def __init__(self, cuts: Sequence[int], bits: int | None) -> None:
        super().__init__()
        self.cuts, self.bits = tuple(cuts), bits

    @property
    def message_bits(self) -> int:
        """β: what all earlier players together tell one token through this layer; 0 if it is no full layer."""
        return 0

    @property
    def state_bits(self) -> int:
        """Λ of this layer: what passes one cut; 0 if it has no state."""
        return 0

    def passed(self, values: Tensor, largest: float = 1.0) -> Tensor:
        """What arrives behind a cut."""
        return rounded(values, self.bits, largest) if self.bits is not None else values

    def segments(self) -> list[tuple[int, int]]:
        """Positions of each table: the players before z_0 and w, who are one here."""
        return list(pairwise((0, *self.cuts)))

    def queries(self, stream: Tensor) -> Tensor:
        """(batch, K, 2, …): z_0 and w of every query."""
        asked = stream[:, self.cuts[-1] :]
        return asked.unflatten(1, (asked.shape[1] // 2, 2))


class FullAttention(Mixer):
    """F: one softmax head over all earlier tokens; queries and keys of ``match`` numbers, values of ``head``."""

    def __init__(self, width: int, match: int, head: int, cuts: Sequence[int], bits: int | None = None) -> None:
        super().__init__(cuts, bits)
        self.match, self.head = match, head
        self.query, self.key = (nn.Linear(width, match, bias=False) for _ in range(2))
        self.value = nn.Linear(width, head, bias=False)
        self.out = nn.Linear(head, width, bias=False)

    @property
    def message_bits(self) -> int:
        return (self.head + 1) * (self.bits or 0)

    def forward(self, stream: Tensor, last: bool = False) -> Tensor:
        """What is added to the stream; with ``last`` only at the queries."""
        tables = self.cuts[-1]
        asking = self.query(stream[:, tables:] if last else stream) / math.sqrt(self.match)
        key, value = self.key(stream), torch.tanh(self.value(stream))
        parts = []
        for start, stop in () if last else self.segments():
            query, own = asking[:, start:stop], slice(start, stop)
            parts.append(self._heard(query, key[:, :start], value[:, :start], key[:, own], value[:, own]))
        asking = asking if last else asking[:, tables:]
        asking = asking.unflatten(1, (asking.shape[1] // 2, 2))
        queries = self._heard(asking, key[:, :tables], value[:, :tables], self.queries(key), self.queries(value))
        return self.out(torch.cat([*parts, queries.flatten(1, 2)], 1))

    def _heard(self, query: Tensor, key: Tensor, value: Tensor, own_key: Tensor, own_value: Tensor) -> Tensor:
        """What the tokens of one player hear: from earlier players a mean and a weight, rounded; the rest exact."""
        own = query @ own_key.transpose(-1, -2)
        later = torch.ones(own.shape[-2:], dtype=torch.bool, device=own.device).triu(1)
        own = own.masked_fill(later, -torch.inf)
        if not key.shape[1]:
            return torch.softmax(own, -1) @ own_value
        scores = query.flatten(1, -2) @ key.transpose(1, 2)
        mean = self.passed(torch.softmax(scores, -1) @ value).view(*query.shape[:-1], value.shape[-1])
        weight = self.passed(torch.logsumexp(scores, -1), LARGEST_LOG_WEIGHT).view(*query.shape[:-1], 1)
        shares = torch.softmax(torch.cat([weight, own], -1), -1)
        return shares[..., :1] * mean + shares[..., 1:] @ own_value


class Window(Mixer):
    """W: one softmax head over the last ``window`` tokens; their keys and values are a state that is handed on."""

    def __init__(self, width: int, head: int, window: int, cuts: Sequence[int], bits: int | None = None) -> None:
        super().__init__(cuts, bits)
        self.head, self.window = head, window
        self.project = nn.Linear(width, 3 * head, bias=False)
        self.out = nn.Linear(head, width, bias=False)

    @property
    def state_bits(self) -> int:
        return 2 * self.head * self.window * (self.bits or 0)

    def forward(self, stream: Tensor, last: bool = False) -> Tensor:
        """What is added to the stream; with ``last`` only at the queries."""
        tables = self.cuts[-1]
        query, key, value = self.project(stream).split(self.head, -1)
        key, value = self.passed(torch.tanh(key)), self.passed(torch.tanh(value))
        parts = [] if last else [self._seen(query[:, :tables], key[:, :tables], value[:, :tables])]
        earlier = torch.cat([key, value], -1)[:, None, max(0, tables - self.window) : tables]
        asked = self.queries(torch.cat([key, value], -1))
        key, value = torch.cat([earlier.expand(-1, asked.shape[1], -1, -1), asked], 2).chunk(2, -1)
        parts.append(self._seen(self.queries(query), key, value).flatten(1, 2))
        return self.out(torch.cat(parts, 1))

    def _seen(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        """The last tokens of ``key`` ask."""
        scores = query @ key.transpose(-1, -2) / math.sqrt(self.head)
        place = torch.arange(key.shape[-2], device=key.device)
        back = place[-query.shape[-2] :, None] - place
        return torch.softmax(scores.masked_fill((back < 0) | (back >= self.window), -torch.inf), -1) @ value


class GatedDelta(Mixer):
    """R: one head of the gated delta rule, its state d_v × d_k; ``updates`` delta updates a token (DeltaProduct).

    An update multiplies the state by I − b·k kᵀ with b in (0, 1), or with ``negative`` in (0, 2): then it can reflect.
    """

    def __init__(
        self,
        width: int,
        keys: int,
        values: int,
        cuts: Sequence[int],
        bits: int | None = None,
        updates: int = 1,
        negative: bool = False,
        kept: float = 4.0,
    ) -> None:
        super().__init__(cuts, bits)
        self.keys, self.values, self.updates, self.largest = keys, values, updates, 2 if negative else 1
        self.project = nn.Linear(width, keys + updates * (keys + values), bias=False)
        self.gates = nn.Linear(width, 1 + updates)
        nn.init.zeros_(self.gates.weight)
        self.gates.bias.data = torch.tensor([kept] + [0.0] * updates)  # at first almost nothing is forgotten
        self.out = nn.Linear(values, width, bias=False)

    @property
    def state_bits(self) -> int:
        return self.keys * self.values * (self.bits or 0)

    def forward(self, stream: Tensor, last: bool = False) -> Tensor:
        """What is added to the stream; with ``last`` only at the queries."""
        times = self.updates
        query, key, value = self.project(stream).split([self.keys, times * self.keys, times * self.values], -1)
        key = nn.functional.normalize(key.unflatten(-1, (times, -1)), dim=-1)
        value, gates = torch.tanh(value).unflatten(-1, (times, -1)), self.gates(stream)
        kept = nn.functional.pad(nn.functional.logsigmoid(gates[..., :1]), (0, times - 1))  # once a token
        written = self.largest * torch.sigmoid(gates[..., 1:])
        parts = [nn.functional.normalize(query, dim=-1), key, value, kept[..., None], written[..., None]]
        state, outputs = stream.new_zeros(len(stream), self.values, self.keys), []
        for start, stop in self.segments():
            output, state = self._scanned(state, *(part[:, start:stop] for part in parts))
            state = self.passed(state)
            outputs += [] if last else [output]
        output, _ = self._scanned(state[:, None], *(self.queries(part) for part in parts))
        return self.out(torch.cat([*outputs, output.flatten(1, 2)], 1))

    def _scanned(self, state: Tensor, query: Tensor, *parts: Tensor) -> tuple[Tensor, Tensor]:
        """Each update as a step of its own; a token reads behind its last one."""
        query = query.repeat_interleave(self.updates, -2)
        output, state = parallel(state, query, *(part.flatten(-3, -2) for part in parts))
        return output[..., self.updates - 1 :: self.updates, :], state


def parallel(
    state: Tensor, query: Tensor, key: Tensor, value: Tensor, log_kept: Tensor, written: Tensor
) -> tuple[Tensor, Tensor]:
    """All tokens of a segment at once, from a state S; and the state behind them.

    S_t = γ_t·S + Σ_{i≤t} (γ_t/γ_i)·u_i k_iᵀ, where γ_t = α_1⋯α_t and (I + A)·U = diag(b)·(V − γ·S k),
    A_{ti} = b_t·(γ_t/γ_i)·(k_t·k_i) below the diagonal.
    """
    decay = log_kept.cumsum(-2)
    total, ratio = torch.exp(decay), torch.exp((decay - decay.transpose(-1, -2)).tril())
    identity = torch.eye(key.shape[-2], device=key.device, dtype=key.dtype)
    mixing = identity + (written * ratio * (key @ key.transpose(-1, -2))).tril(-1)
    missing = written * (value - total * (key @ state.transpose(-1, -2)))
    update = torch.linalg.solve_triangular(mixing, missing, upper=False, unitriangular=True)
    output = total * (query @ state.transpose(-1, -2)) + (ratio * (query @ key.transpose(-1, -2))).tril() @ update
    behind = total[..., -1:, :] * state + (ratio[..., -1, :, None] * update).transpose(-1, -2) @ key
    return output, behind


class GatedMLP(nn.Module):
    """x ↦ W_3(silu(W_1 x) ∘ W_2 x), as wide as its input or as ``outer`` says."""

    def __init__(self, width: int, inner: int, outer: int | None = None) -> None:
        super().__init__()
        self.into = nn.Linear(width, 2 * inner, bias=False)
        self.out = nn.Linear(inner, outer or width, bias=False)

    def forward(self, stream: Tensor) -> Tensor:
        gate, value = self.into(stream).chunk(2, -1)
        return self.out(nn.functional.silu(gate) * value)


def stacked(mixers: Sequence[Mixer], width: int, inner: int) -> tuple[nn.ModuleList, nn.ModuleList, nn.ModuleList]:
    """Mixers, MLPs and norms of a word. At first F adds to the stream, and other mixers and MLPs add nothing."""
    mlps = [GatedMLP(width, inner) for _ in mixers]
    for layer in (*mixers, *mlps):
        if not isinstance(layer, FullAttention):
            nn.init.zeros_(layer.get_parameter("out.weight"))
    return nn.ModuleList(mixers), nn.ModuleList(mlps), nn.ModuleList([nn.RMSNorm(width) for _ in range(2 * len(mlps))])
