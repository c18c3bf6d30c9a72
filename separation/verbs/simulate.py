"""`simulate`: a construction, a model file or a random model run as players, compared with its forward pass.

`simulate --config`: a stock model from transformers run token by token, compared with what its config.json says.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, TooFewBits, read_json, require_writable, write_together
from separation.models import Model, decode, logits_of
from separation.progress import Progress
from separation.protocol import Cut, Public, RandomShape, Simulation, StockLayer, StockRun, random_model, run_stock
from separation.protocol import simulate as run_as_players
from separation.protocol.transcript import figure as drawn
from separation.proving import Construction
from separation.tasks import AnyTask, Instance, load_any_instance
from separation.tasks.funccomp import Sizes, sample, token_ids
from separation.verbs.options import FUNCCOMP_SIZES, OWN_SIZES, TWO_SUM_SIZES, Options, chosen_sizes, construction_for

MAX_TOKENS = 1 << 14
MAX_MESSAGES = 1 << 17
DEFAULT_SIZES = Sizes(4, (4,))
PLAIN_VOCABULARY = 16
"""Of a random model whose prompt is as long as the cut, and no task's."""


@dataclass(frozen=True)
class Subject:
    """What is run: a model, one prompt with the generated tokens that it reads again, and who owns which tokens.

    ``prompt``: tokens before the first generated one; ``generated``: all that the model generates, the last one too;
    ``expected``: the oracle's answer, None where nothing is asked.
    """

    name: str
    model: Model
    ids: NDArray[np.int64]
    cut: Cut
    prompt: int
    generated: tuple[int, ...] = ()
    task: AnyTask | None = None
    expected: int | None = None


@dataclass(frozen=True)
class SimulateReport:
    """The players' run and the forward pass, the bits that were sent and their formulas."""

    subject: Subject
    simulation: Simulation
    seed: int
    seconds: float
    out: Path | None = None
    figure: Path | None = None

    @property
    def equal(self) -> bool:
        """Every token's stream after every layer, and the logits, are those of the forward pass."""
        return self.simulation.ok and self.generated == self.subject.generated

    @property
    def ok(self) -> bool:
        return self.equal and self.simulation.transcript.agrees is not False

    @property
    def generated(self) -> tuple[int, ...]:
        """What the last player says at the end of the prompt and at each generated token, if there is a chain."""
        if not self.subject.generated:
            return ()
        stream = self.simulation.stream
        own = stream.tokens(self.subject.prompt - 1, stream.values.shape[1])
        return tuple(int(answer) for answer in logits_of(self.subject.model, own)[0].argmax(axis=1))

    @property
    def answer(self) -> int | None:
        """At the last token; of a chain of thought what its last token says, None if that is not an answer."""
        outputs = np.array([[self.simulation.answers[0]]])
        last = int(outputs.item() if self.subject.task is None else self.subject.task.answers_in(outputs).item())
        return None if last < 0 else last

    def document(self) -> dict[str, Any]:
        transcript, model = self.simulation.transcript, self.subject.model
        cut = self.subject.cut
        players = zip(cut.names, cut.ranges, strict=True)
        linear, formula = transcript.linear, transcript.formula_linear
        return {
            "ok": self.ok,
            "equal": self.equal,
            "differs_after_layer": self.simulation.differs,
            "model": self.subject.name,
            "word": str(transcript.public.word),
            "tokens": cut.tokens,
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "seed": self.seed,
            "players": [{"name": name, "first": start, "tokens": stop - start} for name, (start, stop) in players],
            "answer": self.answer,
            "expected": self.subject.expected,
            "generated": list(self.generated),
            "soft_bits": transcript.soft_bits,
            "soft_bits_apart": transcript.soft_bits_apart,
            "linear_bits": transcript.linear_bits,
            "on_grid": transcript.public.on_grid,
            "beta": transcript.beta,
            "beta_formula": transcript.formula_beta,
            "lambda": None if linear is None else list(linear),
            "lambda_formula": None if formula is None else list(formula),
            "bits_agree": transcript.agrees,
            "messages": [message.document() for message in transcript.messages],
            "sums": [message.document() for message in transcript.sums],
            "out": None if self.out is None else str(self.out),
            "figure": None if self.figure is None else str(self.figure),
            "seconds": self.seconds,
        }


def simulate(
    construction: str | Construction | None = None,
    *,
    model: str | Path | None = None,
    instance: str | Path | Instance | None = None,
    seed: int = 0,
    cut: Sequence[int] | None = None,
    heads: int | None = None,
    out: str | Path | None = None,
    figure: str | Path | None = None,
    progress: Progress | None = None,
    **options: Unpack[Options],
) -> SimulateReport:
    """Run one prompt as players: of a construction, of a model file, or of a random model of the word in ``word``.

    where ``cut`` has the tokens of each player, by default FuncComp's L + 2; ``heads`` is for random models. ``out``
    gets all messages as JSON Lines, ``figure`` a picture.
    """
    start = time.perf_counter()
    require_writable(out, figure)
    if figure is not None:
        require_figure_path(figure)
    if isinstance(instance, (str, Path)):
        instance = load_any_instance(instance)
    unnamed = construction is None and model is None
    if unnamed and options.get("word") is None:
        raise InputError("give the name of a construction, --model FILE, --word WORD or --config FILE")
    try:
        if unnamed:
            if instance is not None:
                raise InputError("a random model reads a random prompt; leave out the instance")
            subject = _random(options, seed, cut, heads)
        else:
            if heads is not None:
                raise InputError("heads are for random models: give a word and no construction")
            subject = _constructed(construction, model, instance, options, seed, cut)
        simulation = run_as_players(subject.model, subject.ids, subject.cut, progress=progress)
    except PrecisionOverflow as error:
        raise TooFewBits(f"{error}; more bits are needed, or another model") from None
    lines = {} if out is None else {Path(out): "".join(f"{line}\n" for line in simulation.transcript.lines())}
    if figure is not None:
        write_figure(drawn(simulation.transcript), figure, lines)
    else:
        write_together(lines)
    written = (None if path is None else Path(path) for path in (out, figure))
    return SimulateReport(subject, simulation, seed, time.perf_counter() - start, *written)


def _constructed(
    name: str | Construction | None,
    file: str | Path | None,
    instance: Instance | None,
    options: Options,
    seed: int,
    lengths: Sequence[int] | None,
) -> Subject:
    _require_size(_tokens_asked(name, options))
    subject, _ = construction_for(name, file, instance, options)
    task, sizes = subject.task, subject.sizes
    _require_size(sizes.length)
    Public(subject.model, sizes.length)
    ids = task.prompt(task.sample(seed) if instance is None else instance)
    generated, asked = np.zeros(0, dtype=np.int64), int(task.right_answers(ids[None]).reshape(-1)[-1])
    if task.generated_tokens:
        generated = decode(subject.model, ids, task.generated_tokens)
        ids = np.concatenate([ids, generated[:-1]])
    cut = _chosen_cut(lengths, Cut.of_task(sizes), subject.model)
    said = tuple(generated.tolist())
    return Subject(subject.name, subject.model, ids, cut, task.prompt_length, said, task, asked)


def _tokens_asked(name: str | Construction | None, options: Options) -> int:
    """Tokens of a FuncComp prompt at the sizes that were asked for, before anything is built; else 0."""
    sized: dict[str, Any] = {option: options[option] for option in FUNCCOMP_SIZES if options.get(option) is not None}  # type: ignore[literal-required]
    return chosen_sizes(**sized).length if isinstance(name, str) and sized else 0


def _random(options: Options, seed: int, lengths: Sequence[int] | None, heads: int | None) -> Subject:
    """With sizes: on a FuncComp prompt; with a cut alone: on a prompt that is as long as the cut."""
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in (*TWO_SUM_SIZES, OWN_SIZES, "block", "opened"):
        if name in given:
            raise InputError(f"a random model has no {name}; it reads FuncComp prompts, or one as long as the cut")
    word = Word.parse(str(given["word"]))
    sized = {name: given[name] for name in FUNCCOMP_SIZES if name in given}
    if lengths is not None and not sized:
        cut = Cut.of(lengths)
        rng = Random(seed)
        _require_size(cut.tokens)
        ids = np.array([rng.randrange(PLAIN_VOCABULARY) for _ in range(cut.tokens)])
        vocabulary, answers = PLAIN_VOCABULARY, PLAIN_VOCABULARY
    else:
        sizes = chosen_sizes(**sized) if sized else DEFAULT_SIZES
        _require_size(sizes.length)
        cut = _chosen_cut(lengths, Cut.of_task(sizes))
        ids = np.asarray(token_ids(sample(sizes, seed)))
        vocabulary, answers = sizes.vocabulary, sizes.N[-1]
    shape = RandomShape(
        word, cut.tokens, vocabulary, answers, 2 if heads is None else heads, given.get("family", "linear")
    )
    model = random_model(shape, seed, given.get("bits"), given.get("score_bits"))
    _require_messages(cut, word)
    return Subject(f"random {word}", model, ids, cut, cut.tokens)


def _chosen_cut(lengths: Sequence[int] | None, usual: Cut, model: Model | None = None) -> Cut:
    cut = usual if lengths is None else Cut.of(lengths, usual.tokens)
    if model is not None:
        _require_messages(cut, Public(model, cut.tokens).word)
    return cut


def _require_messages(cut: Cut, word: Word) -> None:
    players = len(cut.lengths)
    count = players * (players - 1) // 2 * word.full
    if count > MAX_MESSAGES:
        raise InputError(f"{players} players send {count} soft messages; at most {MAX_MESSAGES} are accepted")


def _require_size(tokens: int) -> None:
    if tokens > MAX_TOKENS:
        raise InputError(f"{tokens} tokens; at most {MAX_TOKENS} are run as players")


@dataclass(frozen=True)
class StockReport:
    """β and Λ of a real module and of its config; ok: the module has no more, and needs only its cache."""

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
