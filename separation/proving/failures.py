"""How a proof fails: at a layer, for a kind of token, in a slot, with a reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """Layer 0 is the embedding; the layer after the last is the unembedding."""

    layer: int
    kind: str
    slot: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"layer {self.layer}, kind {self.kind}, slot {self.slot}: {self.message} ({self.rule})"


class ProofFailed(Exception):
    """Raised where an obligation fails; the driver adds layer and kind and goes on with the next obligation.

    ``slot``: a coordinate of the stream, or the name of what else failed (score, hidden[3], answer).
    """

    def __init__(self, rule: str, slot: int | str, message: str) -> None:
        super().__init__(message)
        self.rule, self.slot, self.message = rule, slot, message
