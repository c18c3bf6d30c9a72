"""How a proof fails: at a layer, for a kind of token, in a slot, with a reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Failure:
    """Layer 0 is the embedding; layer L+2 of an (L+1)-layer model would be the unembedding, called ``answer``."""

    layer: int
    kind: str
    slot: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"layer {self.layer}, kind {self.kind}, slot {self.slot}: {self.message} ({self.rule})"


class ProofFailed(Exception):
    """Raised where an obligation fails; the driver adds layer and kind and goes on with the next obligation."""

    def __init__(self, rule: str, row: int | None, message: str) -> None:
        super().__init__(message)
        self.rule, self.row, self.message = rule, row, message
