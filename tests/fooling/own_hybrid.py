"""The example of docs/fooling.md: a small torch hybrid, one recurrent layer of twelve bits and one full layer."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class SmallHybrid(nn.Module):
    """R then F: a state of four numbers, each one of eight; then full attention over all tokens so far."""

    def __init__(self, vocabulary: int, answers: int, width: int = 8) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.write, self.keep = nn.Linear(width, 4), nn.Linear(width, 4)
        self.query, self.key, self.value = (nn.Linear(4, 4) for _ in range(3))
        self.answer = nn.Linear(4, answers)

    def scan(self, ids: Any) -> Any:
        """The state after each token: quarters from −1 to 3/4."""
        state, states = torch.zeros(len(ids), 4), []
        for token in self.embed(ids).unbind(dim=1):
            new = torch.sigmoid(self.keep(token)) * state + torch.tanh(self.write(token))
            state = (new * 4).round().clamp(-4, 3) / 4
            states.append(state)
        return torch.stack(states, dim=1)

    def state(self, ids: Any) -> Any:
        """All that the recurrent layer carries past the last of these tokens."""
        return self.scan(ids)[:, -1]

    def forward(self, ids: Any) -> Any:
        """Logits at the last token, which attends to what the first layer says at every token."""
        seen = self.scan(ids)
        scores = self.query(seen[:, -1:]) @ self.key(seen).transpose(1, 2)
        return self.answer((scores.softmax(dim=-1) @ self.value(seen))[:, 0])
