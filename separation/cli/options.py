"""Options that several verbs share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="A construction, C1 to C7, or a word over F and R.")]
Levels = Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1 (default 3).")]
StartSize = Annotated[int | None, typer.Option("--m", help="Size of table 1, m >= 2 (default 4).")]
Digits = Annotated[str | None, typer.Option("--n", help="n_1,...,n_{L-1}, e.g. 8,8.")]
Tokens = Annotated[int | None, typer.Option(help="Instead of --m and --n: equal powers of two that reach this length.")]
Length = Annotated[int | None, typer.Option("--length", help="2-Sum: number of tokens (default 64).")]
Modulus = Annotated[
    int | None, typer.Option("--modulus", help="2-Sum: odd modulus M (default: next odd number above n^2).")
]
WordOption = Annotated[str | None, typer.Option("--word", help="Variant of C2 or C5, e.g. RFF, FRF; RF, FR, F.")]
Family = Annotated[str | None, typer.Option("--family", help="R layer of C2 or C5: linear (default) or delta.")]
Block = Annotated[int | None, typer.Option("--block", help="C7: tokens in a block (default 4).")]
Opened = Annotated[int | None, typer.Option("--open", help="C7: blocks opened, over all heads (default 1).")]
Bits = Annotated[int | None, typer.Option("--bits", help="p, bits of an activation.")]
ScoreBits = Annotated[int | None, typer.Option("--score-bits", help="P, bits of an attention weight (default p).")]
Beta = Annotated[int | None, typer.Option("--beta", help="beta: bits that one full layer brings to a token.")]
Lambda = Annotated[int | None, typer.Option("--lambda", help="Lambda: bits of all recurrent states together.")]
HeadCount = Annotated[int | None, typer.Option("--heads", help="H, heads of a full layer (instead of --beta).")]
Dimension = Annotated[int | None, typer.Option("--dim", help="d, value dimension of a head.")]
StateBits = Annotated[int | None, typer.Option("--state-bits", help="Bits of one R layer's state.")]
Effort = Annotated[str, typer.Option("--effort", help="How long to search: quick (within a second) or thorough.")]
ModelFile = Annotated[Path | None, typer.Option("--model", help="A model file (JSON or .safetensors) instead of NAME.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Workers = Annotated[int | None, typer.Option(help="Processes that share the work (default: processors).", min=1)]
