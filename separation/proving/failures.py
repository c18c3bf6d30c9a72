"""How a proof fails: at a layer, for a kind of token, in a slot, by a clause, with a reason in words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from separation.proving.kernel import Rejected

CLAUSES = {
    "P1": "embedding",
    "P3": "score above the shift",
    "P7": "value",
    "P8": "too large",
    "P10": "state",
    "P11": "summary",
    "answer": "answer",
    "no rule": "no rule",
}
"""The clause of a rule that has only one way to fail, or where no more is known."""


@dataclass(frozen=True)
class Failure:
    """Layer 0 is the embedding; the layer after the last is the unembedding.

    ``clause`` names what does not hold (wrong sign, missing bit, leak, …), ``details`` has its numbers and names. Of a
    program the message says all, and there is no kind.
    """

    layer: int
    kind: str
    slot: str
    rule: str
    message: str
    clause: str = ""
    details: dict[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return f"{self._place()}: {self.message} ({self.rule})" if self.kind else self.message

    def _place(self) -> str:
        if self.slot == "answer":
            return f"answer, kind {self.kind}"
        return f"{f'layer {self.layer}' if self.layer else 'embedding'}, kind {self.kind}, slot {self.slot}"

    def document(self) -> dict[str, Any]:
        return dict(vars(self))


class ProofFailed(Rejected):
    """Raised where an obligation fails; the driver adds layer and kind and goes on with the next obligation.

    ``slot``: a coordinate of the stream, or the name of what else failed (score, mlp[3], answer). ``clause`` and
    ``details``: as in `Failure`.
    """

    def __init__(
        self, rule: str, slot: int | str, message: str, clause: str = "", details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.rule, self.slot, self.message = rule, slot, message
        self.clause, self.details = clause or CLAUSES.get(rule, rule), details or {}
