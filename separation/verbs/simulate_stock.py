"""`simulate --config`: a stock model from transformers, run token by token, beside what its config.json says."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import read_json
from separation.protocol.stock import StockLayer, StockRun, run_stock


@dataclass(frozen=True)
class StockReport:
    """β and Λ of a real module beside those of its config; ok: it has no more, and needs its cache alone."""

    run: StockRun
    seed: int
    seconds: float

    @property
    def ok(self) -> bool:
        return self.run.covered and self.run.resumed

    def document(self) -> dict[str, Any]:
        run = self.run
        return {
            "ok": self.ok,
            "agrees": run.agrees,
            "covered": run.covered,
            "resumed": run.resumed,
            "model_type": run.config.model_type,
            "seed": self.seed,
            "tokens": run.tokens,
            "word": None if run.word is None else str(run.word),
            "word_config": str(run.config.word),
            "beta": run.beta,
            "beta_config": run.config_beta,
            "lambda": None if run.linear is None else list(run.linear),
            "lambda_config": list(run.config.linear),
            "state_bits": list(run.states),
            "state_bits_config": list(run.config.states),
            "layers": [_layer(number, layer) for number, layer in enumerate(run.layers, start=1)],
            "seconds": self.seconds,
        }


def simulate_stock(config: str | Path, *, seed: int = 0) -> StockReport:
    """Build the stock model of a config.json with random weights, run it, and count what its layers carry."""
    start = time.perf_counter()
    return StockReport(run_stock(read_json(config), seed), seed, time.perf_counter() - start)


def _layer(number: int, layer: StockLayer) -> dict[str, Any]:
    return {
        "layer": number,
        "full": layer.full,
        "heads": None if layer.heads is None else layer.heads[0],
        "dim": None if layer.heads is None else layer.heads[1],
        "carries": [{"what": c.what, "numbers": c.numbers, "bits_each": c.bits_each} for c in layer.carries],
        "bits": layer.bits,
    }
