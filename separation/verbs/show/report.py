"""The verb `show` and its report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.models.document import attention_name
from separation.proving.construction import Construction
from separation.tasks.catalogue import Task, prompt_tokens, task_to_document
from separation.verbs.options import Options, chosen_construction
from separation.verbs.show.invariant_lines import stage_lines
from separation.verbs.show.layers import layer_to_document
from separation.verbs.show.tables import answer_names, position_names, table_to_document, token_names
from separation.verbs.show.temperature import temperatures

Document = dict[str, Any]


@dataclass(frozen=True)
class ShowReport:
    """A construction to be shown: all of its layers, or one."""

    construction: Construction
    layer: int | None = None

    @property
    def ok(self) -> bool:
        return True

    def document(self) -> Document:
        model, sizes = self.construction.model, self.construction.sizes
        stream, shape = model.stream, self.construction.shape
        symbols = temperatures(model)
        numbers = range(1, len(model.layers) + 1) if self.layer is None else (self.layer,)
        stages = {
            place: stage_lines(self.construction.stages[place], stream, shape)
            for place in sorted({place for number in numbers for place in (number - 1, number)})
        }
        precision = model.precision
        return {
            "ok": self.ok,
            "construction": self.construction.name,
            **_sizes_to_document(sizes),
            "tokens": number_to_json(prompt_tokens(sizes)),
            "attention": attention_name(model),
            "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
            "slots": [{"name": name, "width": width} for name, width in stream.slots],
            "temperature": {symbol: str(value) for value, symbol in symbols.items()},
            "embedding": {
                "positions": table_to_document(model.positions, stream, shape, position_names),
                "tokens": table_to_document(model.tokens, stream, shape, token_names),
            },
            "layers": [
                {
                    "layer": number,
                    **layer_to_document(model.layers[number - 1], stream, symbols),
                    "before": stages[number - 1],
                    "after": stages[number],
                }
                for number in numbers
            ],
            "unembedding": table_to_document(model.unembedding, stream, shape, answer_names),
        }


def _sizes_to_document(task: Task) -> Document:
    """What a model file says of the task; for FuncComp also L."""
    document = task_to_document(task)
    return {"L": len(document["n"]) + 1, **document} if "n" in document else document


def show(construction: str, *, layer: int | None = None, **options: Unpack[Options]) -> ShowReport:
    """The weights and invariants of a construction at given sizes, of one layer (counted from 1) or of all."""
    return describe(chosen_construction(construction, None, options), layer)


def describe(construction: Construction, layer: int | None = None) -> ShowReport:
    """The report of a construction that is already there, a model file's for instance."""
    last = len(construction.model.layers)
    if layer is not None and not 1 <= layer <= last:
        raise InputError(f"layer is {layer}; allowed are 1..{last}")
    return ShowReport(construction, layer)
