"""`python -m tools.docs.peer`: programs of Tracr's library on every input, into docs/gallery/tracr.json; needs `peer`.

The table in docs/gallery.md is made of that file, as most who build the pages do not have Tracr.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from separation.files import json_text, write_whole
from separation.programs import Program
from separation.version import VERSION
from tools.docs import block, table

ROOT = Path(__file__).resolve().parents[2]
RECORDED = "docs/gallery/tracr.json"
OURS = {"hist": "histogram", "sort": "sorting", "frac_prevs": "majority_by_attention", "shuffle_dyck": "dyck1"}
"""The program of the gallery that asks nearly the same; it is proved for all inputs, at larger sizes too."""


def cases() -> dict[str, tuple[Any, Any, int]]:
    """(program, letters, longest sequence): small enough for every sequence to be run."""
    from tracr.compiler import lib
    from tracr.rasp import rasp

    found = rasp.Aggregate(rasp.Select(rasp.indices, rasp.tokens, rasp.Comparison.EQ), rasp.indices)
    twice = rasp.Aggregate(rasp.Select(rasp.indices, rasp.tokens, rasp.Comparison.EQ), found)
    return {
        "frac_prevs": (lib.make_frac_prevs(rasp.tokens == "x"), "xy", 8),
        "hist": (lib.make_hist(), "abc", 5),
        "sort": (lib.make_sort(rasp.tokens, rasp.tokens, max_seq_len=5, min_key=1), (1, 2, 3), 5),
        "reverse": (lib.make_reverse(rasp.tokens), "abc", 5),
        "count": (lib.make_count(rasp.tokens, "a"), "ab", 7),
        "pair_balance": (lib.make_pair_balance(rasp.tokens, "(", ")"), "()a", 5),
        "shuffle_dyck": (lib.make_shuffle_dyck(["()"]), "()", 7),
        "sort_unique": (lib.make_sort_unique(rasp.tokens, rasp.tokens), (1, 2, 3, 4), 4),
        "a pointer followed twice": (twice, (1, 2, 3, 4), 4),
    }


def record() -> None:
    rows = []
    for name, (sop, letters, length) in cases().items():
        own = Program.from_rasp(sop, letters, length)
        found = own.accuracy()
        config = own.weights.config
        shape = {"layers": config.num_layers, "heads": config.num_heads, "width": len(own.model.residual_labels)}
        row = {**found.document(), "name": name, "letters": len(letters), "length": length, **shape}
        print(name, row["sentence"], flush=True)
        rows.append(row | {"wrong": None if found.wrong is None else [list(map(str, part)) for part in found.wrong]})
    write_whole(ROOT / RECORDED, json_text({"version": VERSION, "tracr": "1.0.0", "rows": rows}, indent=1) + "\n")


@block("docs/gallery.md", "tracr")
def tracr() -> str:
    rows = json.loads((ROOT / RECORDED).read_text(encoding="utf-8"))["rows"]
    shown = []
    for row in rows:
        wrong = ""
        if row["wrong"] is not None:
            case, due, said = (" ".join(part) for part in row["wrong"])
            wrong = f"`{case}` gives `{said}`, due is `{due}`"
        shape = f"{row['layers']} {'layer' if row['layers'] == 1 else 'layers'}, width {row['width']}"
        ours = f"`{OURS[row['name']]}`" if row["name"] in OURS else ""
        shown.append((row["name"], f"{row['letters']}, up to {row['length']}", shape, row["sentence"], wrong, ours))
    return table(("program", "letters, length", "Tracr's model", "exact accuracy", "first wrong", "gallery"), shown)


if __name__ == "__main__":
    record()
