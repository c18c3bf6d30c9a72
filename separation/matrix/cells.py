"""The verdict on a task and an architecture: built, impossible, conditional or open, with its sentence.

*At all sizes.* Built: some weights with O(log n) bits do it at each size (where a row says so, one set of weights
does it at every length). Impossible: whatever the bits of its states and messages, there are sizes at which no
weights do. Conditional: so, unless TC⁰ = NC¹. Open: neither is known here.

*At a length.* With the model's own bits: which sizes its states can hold at most, and what is certified there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log2
from typing import Any

from separation.architectures.kinds import KINDS
from separation.bounds import Budget, decide
from separation.bounds.capacity import Asked, forbids
from separation.bounds.certificate import capacity_certificate, decision_certificate
from separation.bounds.condition import least_that
from separation.bounds.known import how_known
from separation.counting import count
from separation.files import InputError
from separation.matrix.columns import FADING, IN_TC0, Column
from separation.matrix.rows import Recipe, Row

STATE_VALUES = 1 << 32
"""Values of one number of a state in float32, in which every class computes it."""


@dataclass(frozen=True)
class Cell:
    """``by``: a program or construction, or a theorem; ``scope``: at every length, at each length or at each size."""

    task: str
    column: str
    verdict: str
    by: str | None
    sentence: str
    scope: str | None = None
    known: str | None = None
    recipe: Recipe | None = None
    at_length: dict[str, Any] | None = None

    def document(self) -> dict[str, Any]:
        facts = {"verdict": self.verdict, "by": self.by, "scope": self.scope, "known": self.known}
        return {"column": self.column, **facts, "sentence": self.sentence, "at_length": self.at_length}


def cell(row: Row, column: Column, L: int = 2, tokens: int | None = None, symbols: int = 1 << 16) -> Cell:
    """At all sizes and, with ``tokens``, at prompts of that length with tokens of so many ``symbols``."""
    if column.sparse:
        return _sparse(row, column)
    found = _composition(column, L) if row.name == "composition" else _at_all_sizes(row, column)
    if tokens is None or row.at is None:
        return found
    return Cell(**{**vars(found), "at_length": at_length(row, column, row.at(tokens, symbols))})


def _sparse(row: Row, column: Column) -> Cell:
    if row.name != "two_sum":
        return Cell(row.name, column.name, "open", None, "Of block-sparse layers only 2-Sum is decided here.")
    says = "The summary of a block of B tokens needs about B·log2(M/2B) bits; with as many, C7 does it."
    return Cell(row.name, column.name, "impossible", "D", says, "each size", how_known("D"))


def _composition(column: Column, L: int) -> Cell:
    word, depth = column.word, column.word.depth
    name = ("composition", column.name)
    if depth >= L:
        by = "C1" if word.full > L else "C2"
        tables = f"{count(L, 'table')} {'is' if L == 1 else 'are'}"
        says = f"{tables} followed by construction {by}; up to {depth} are, at {word.sizes_solved(depth)}."
        return Cell(*name, "built", by, says, "each size", "proved for all inputs at given sizes")
    theorem = "C" if word.full == 0 else "B" if word.full == L else "A"
    says = f"Depth {depth}: whatever its bits, there are sizes at which no weights follow {count(L, 'table')}"
    says += f" (Theorem {theorem})."
    return Cell(*name, "impossible", theorem, says, "each size", how_known(theorem))


def _at_all_sizes(row: Row, column: Column) -> Cell:
    def found(verdict: str, by: str | None, sentence: str, **more: Any) -> Cell:
        return Cell(row.name, column.name, verdict, by, sentence, **more)

    def forbidden(theorem: str, sentence: str, scope: str | None = None) -> Cell:
        return found("impossible", theorem, sentence, scope=scope, known=how_known(theorem))

    fits = [recipe for recipe in row.recipes if column.holds(recipe.layers)]
    best = next((recipe for recipe in fits if not recipe.each_length), None)
    if best is not None:
        scope = "every length" if row.every_length else "each size"
        return found("built", best.program, _built_text(best, scope), scope=scope, recipe=best)
    each = next(iter(fits), None)
    later = f" At a length of its own it is built ({each.program})." if each else ""
    if column.windows_alone:
        return forbidden("reach", f"Its windows reach {column.reach:,} tokens back together; longer prompts need more.")
    if row.grows and column.recurrent_alone:
        return forbidden(
            "memory", "Without a full layer its states must keep all that may be asked; sizes outgrow them."
        )
    if row.period and column.without_positions and column.kind in FADING:
        exactly = " (states kept exactly, outputs rounded)" if column.kind == "delta" else ""
        rest = f"With {KINDS[column.kind]} and no positions states rest on equal tokens{exactly}, answers do not."
        return forbidden("period", rest + later, "every length")
    if each is not None:
        more = "; one set of weights for every length is open, as layers with positions are not covered by the theorem"
        return found("built", each.program, _built_text(each, "each length")[:-1] + more + ".", scope="each length",
                     recipe=each)  # fmt: skip
    one_look = column.word.full == 1 and column.letters[0] == "F"
    if one_look and _looks(row):
        if len(column.letters) == 1:
            return forbidden(
                "look", "One look cannot choose what the prompt itself points at; sizes outgrow its messages."
            )
        return found(
            "open", None, "One look, and R only behind it: β + h·Λ < h·log2 V forbids it, and no weights are known."
        )
    if row.nc1 and (column.kind is None or column.kind in IN_TC0) and not column.windows_alone:
        layers = "attention stays" if column.kind is None else f"attention and {KINDS[column.kind]} stay"
        says = f"At a constant depth and O(log n) bits {layers} in TC⁰; words of A5 are complete for NC¹: "
        says += "not, unless both are equal."
        return found("conditional", "TC⁰ ≠ NC¹", says, known="cited: Barrington, 1989; Merrill, Petty, Sabharwal, 2024")
    return found("open", None, _open_text(row, column))


def _looks(row: Row) -> bool:
    return row.at is not None and row.at(64, 2).demand.chooses is not None


def _built_text(recipe: Recipe, scope: str) -> str:
    return f"By the program {recipe.program}, on the layers {recipe.word}, at {scope}; all other layers are idle."


def _open_text(row: Row, column: Column) -> str:
    kind = f" with {KINDS[column.kind]}" if column.kind not in (None, "any") else ""
    known = f"; {row.elsewhere}" if row.elsewhere else ""
    return f"No weights for these layers{kind} are built here, and no theorem here forbids them{known}."


def at_length(row: Row, column: Column, asked: Asked) -> dict[str, Any]:
    """What the model's own bits allow at these sizes: the theorem that applies, its verdict, and how much fits."""
    facts: dict[str, Any] = {"task": asked.document(), "theorem": None, "forbidden": None, "sentence": ""}
    theorem, room = theorem_for(row, column, asked)
    if theorem is None:
        built = any(column.holds(recipe.layers) for recipe in row.recipes)
        says = f"{asked.text}: {'built' if built else 'no theorem applies'}"
        return facts | {"sentence": says + "."}
    if room is None:
        return facts | {
            "theorem": theorem,
            "sentence": f"{asked.text}: give --lambda or --beta to ask the {theorem} theorem.",
        }
    holds = forbids(asked, theorem, room).holds is True
    facts |= {"theorem": theorem, "forbidden": holds, "room": room}
    what = f"certified to fail (the {theorem} theorem)" if holds else "not excluded"
    says = f"{asked.text}: {what}"
    if theorem == "memory":
        h, V = asked.kept
        most = _most(lambda size: size * log2(V) <= room["lambda"]) if V > 1 else 0
        needs = h * log2(V)
        facts |= {"needs_bits": round(needs, 1), "state_bits": room["lambda"], "most": most}
        says += f"; {needs:,.0f} bits are needed, the states have {room['lambda']:,}: at most {most:,} such symbols"
    return facts | {"sentence": says + "."}


def _most(fits: Callable[[int], bool]) -> int:
    return least_that(lambda size: not fits(size), 1) - 1


def theorem_for(row: Row, column: Column, asked: Asked) -> tuple[str | None, dict[str, int] | None]:
    """The theorem of `bounds.capacity` that applies to this architecture, and its numbers; None if not known."""
    if any(
        column.holds(recipe.layers) for recipe in row.recipes if not recipe.each_length or not column.recurrent_alone
    ):
        return None, None
    if column.windows_alone:
        return "reach", {"reach": column.reach}
    if row.name == "parity" and column.without_positions and column.counts_steps:
        return "period", {"layers": len(column.letters), "values": STATE_VALUES}
    if column.recurrent_alone:
        return "memory", None if column.state_bits is None else {"lambda": column.state_bits}
    if column.word.full == 1 and column.letters[0] == "F" and asked.demand.chooses is not None:
        beta = column.beta_at(asked.distance + 2)
        states = 0 if len(column.letters) == 1 else column.state_bits
        return "look", None if beta is None or states is None else {"beta": beta, "lambda": states}
    return None, None


def certificate_of(row: Row, column: Column, found: Cell, asked: Asked | None, L: int = 2) -> dict[str, Any]:
    """A file for the kernel: the program's proof at its small sizes, or the theorem at the sizes asked for."""
    if row.name == "composition":
        known = column.message is not None or None not in (column.beta, column.state_bits)
        budget = Budget(column.beta, column.message, column.state_bits) if known else Budget.example()
        return decision_certificate(decide(column.word, L, budget))
    if found.recipe is not None:
        from constructions.programs import gallery

        proof = gallery(found.recipe.program, False, **found.recipe.sizes).compile(word=found.recipe.word).prove()
        if proof.certificate is None:
            raise InputError(f"no certificate: {proof.failure}")
        return dict(proof.certificate)
    theorem, room = (None, None) if asked is None else theorem_for(row, column, asked)
    if asked is None or theorem is None or room is None:
        raise InputError(f"no certificate: {row.name} for {column.name} needs --tokens, and bits that are known")
    return capacity_certificate(asked, theorem, room)
