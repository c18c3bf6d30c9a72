"""`simulate`: a construction, a model file or a random model run as players, compared with its forward pass.

`simulate --config`: a stock model from transformers run token by token, compared with what its config.json says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated, Any, Unpack

import numpy as np
from numpy.typing import NDArray

from separation.architectures import config_document
from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, TooFewBits, require_writable
from separation.models import Model, decode, logits_of
from separation.progress import Progress, silent
from separation.protocol import (
    Cut,
    Public,
    RandomShape,
    Simulation,
    StockLayer,
    StockRun,
    Transcript,
    random_model,
    run_stock,
)
from separation.protocol import simulate as run_as_players
from separation.protocol.transcript import figure as drawn
from separation.proving import Construction
from separation.tasks import AnyTask, Instance, load_any_instance
from separation.tasks.funccomp import Sizes, sample, token_ids
from separation.verbs.options import Choice, File, ModelFile, Name, Options, Seed, numbers, only_given
from separation.verbs.report import MARKS, Parts, Report, Table, count, facts_table, named, table_of, timed, written
from separation.verbs.solve import InstanceFile
from separation.verbs.subjects import FUNCCOMP_SIZES, OWN_SIZES, TWO_SUM_SIZES, chosen_sizes, construction_for

EXAMPLES = ("simulate C2 --L 3", "simulate --word RFR --seed 0 --cut 3,5,2")
HELPS = {
    "word": "Without NAME: a random model, e.g. RFR; with it, the variant.",
    "family": "R layers: linear (default) or delta; a random model takes any family.",
}
MAX_TOKENS = 1 << 14
MAX_MESSAGES = 1 << 17
DEFAULT_SIZES = Sizes(4, (4,))
PLAIN_VOCABULARY = 16
"""Of a random model whose prompt is as long as the cut, and no task's."""
MAX_PLAYERS = 12


@timed
def simulate(
    construction: Name = None,
    *,
    model: ModelFile = None,
    instance: InstanceFile = None,
    seed: Seed = 0,
    cut: Annotated[
        Sequence[int] | None, "Tokens of each player, e.g. 3,5,2 (default: z_L, ..., z_1, z_0, w).", numbers
    ] = None,
    heads: Annotated[int | None, "Random model: heads of each kind in a layer."] = None,
    out: Annotated[File, "Write all messages here, as JSON Lines."] = None,
    figure: Annotated[File, "Draw who told whom how many bits: a .svg, .png or .pdf file."] = None,
    progress: Progress = silent,
    **options: Unpack[Options],
) -> SimulateReport:
    """Run one prompt as players: of a construction, of a model file, or of a random model of the word in ``word``."""
    written = require_writable(out, require_figure_path(figure))
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
    write_figure(None if figure is None else drawn(simulation.transcript), figure, lines)
    return SimulateReport(subject, simulation, seed, *written)


@timed
def simulate_stock(
    config: Annotated[str | Path, "A small Hugging Face config.json: run its stock model and count (needs torch)."],
    *,
    seed: Seed = 0,
) -> StockReport:
    """Build the stock model of a config.json with random weights, run it, and count what its layers carry."""
    return StockReport(run_stock(config_document(config), seed), seed)


command = Choice(simulate, config=(None, simulate_stock))


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


class SimulateReport(Report):
    """The players' run and the forward pass, the bits that were sent and their formulas."""

    subject: Subject
    simulation: Simulation
    seed: int
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

    def facts(self) -> dict[str, Any]:
        transcript, model = self.simulation.transcript, self.subject.model
        cut = self.subject.cut
        players = zip(cut.names, cut.ranges, strict=True)
        return {
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
            "generated": self.generated,
            **named(transcript, "soft_bits", "soft_bits_apart", "linear_bits"),
            "on_grid": transcript.public.on_grid,
            "beta": transcript.beta,
            "beta_formula": transcript.formula_beta,
            "lambda": transcript.state_bits,
            "lambda_formula": transcript.formula_state_bits,
            "bits_agree": transcript.agrees,
            **named(transcript, "messages", "sums"),
            **named(self, "out", "figure"),
        }

    def parts(self) -> Parts:
        """The players, the bits of each layer, measured and as formulas, and the verdict."""
        transcript, subject = self.simulation.transcript, self.subject
        bits = f"P = {subject.model.precision.score_bits}, p = {subject.model.precision.bits}"
        word = transcript.public.word
        yield f"{subject.name}: {word} on {count(subject.cut.tokens, 'token')}, {bits}"
        yield f"players: {_players(transcript)}\n"
        yield _layers(transcript)
        yield ""
        if 2 <= len(subject.cut.names) <= MAX_PLAYERS:
            yield _pairs(transcript)
            yield ""
        yield _totals(transcript)
        yield ""
        yield from self._verdict()
        yield written("messages", self.out)
        yield written("picture", self.figure)

    def _verdict(self) -> Parts:
        differs, agrees, expected = self.simulation.differs, self.simulation.transcript.agrees, self.subject.expected
        if self.equal:
            yield f"{MARKS[True]} equal to the forward pass: all streams after every layer, and the logits"
        elif differs is None:
            yield f"{MARKS[False]} the generated tokens are not those of the forward pass"
        else:
            yield f"{MARKS[False]} differs from the forward pass after layer {differs}"
        if agrees is not None:
            verb = "equal" if agrees else "do not equal"
            yield f"{MARKS[agrees]} β and Λ, counted in the messages, {verb} their formulas"
        elif not self.simulation.transcript.public.on_grid:
            yield "– numbers are not multiples of 2^-f: messages have no fixed length, and β has no meaning"
        else:
            yield "– one player alone: no messages to count"
        if expected is not None and self.answer == expected:
            yield f"{MARKS[True]} the answer is {expected}, as the oracle says"
        elif expected is not None:
            answer = "gives no answer" if self.answer is None else f"answers {self.answer}"
            yield f"– the model {answer}; the oracle says {expected}"


class StockReport(Report):
    """β and Λ of a real module and of its config; ok: the module has no more, and needs only its cache."""

    run: StockRun
    seed: int

    @property
    def ok(self) -> bool:
        return self.run.covered and self.run.resumed

    @property
    def compared(self) -> dict[str, tuple[Any, Any]]:
        """What the module has, and what its config says."""
        run, config = self.run, self.run.config
        found = {"word": (run.word, config.word), "beta": (run.beta, run.config_beta)}
        return {**found, "state_bits": (run.states, config.states), "lambda": (run.state_bits, config.state_bits)}

    def facts(self) -> dict[str, Any]:
        run = self.run
        return {
            **named(run, "agrees", "covered", "resumed", "tokens"),
            "model_type": run.config.model_type,
            "seed": self.seed,
            **{name: found for name, (found, _) in self.compared.items()},
            **{f"{name}_config": said for name, (_, said) in self.compared.items()},
            "layers": [_layer(number, layer) for number, layer in enumerate(run.layers, start=1)],
        }

    def parts(self) -> Parts:
        """Each layer as found, then the word, β and Λ next to those of the config, and the verdict."""
        run = self.run
        yield f"{run.config.model_type}, random weights, {count(run.tokens, 'token')}, one at a time\n"
        rows = []
        for index, layer in enumerate(run.layers, start=1):
            letters = ("F" if layer.full else "") + ("R" if layer.carries else "")
            carried = ", ".join(f"{carry.what} {carry.numbers:,} × {carry.bits_each}" for carry in layer.carries)
            heads = None if layer.heads is None else "{} × {}".format(*layer.heads)
            rows.append((f"{index} {letters}", heads, carried or None, layer.bits or None))
        table = table_of("layer", "heads × d", "carries", "bits", rows=rows)
        table.columns[1].justify = table.columns[3].justify = "right"
        yield table
        yield ""
        letters_of = {"word": "word", "beta": "β", "state_bits": "s", "lambda": "Λ"}
        both = [(letters_of[name], *map(_listed, pair)) for name, pair in self.compared.items()]
        yield table_of("", "module", "config", rows=both)
        yield ""
        if run.agrees:
            yield f"{MARKS[True]} β and Λ of the module and of its config agree"
        elif run.covered:
            yield f"{MARKS[True]} β and Λ of the module are smaller than the config says; its bounds hold"
        else:
            yield f"{MARKS[False]} β and Λ of the module differ from those of its config"
        resumed = "gives the same output from the cache alone" if run.resumed else "needs more than the cache"
        yield f"{MARKS[run.resumed]} a second copy of the model {resumed}, bit for bit"


def _constructed(
    name: str | Construction | None,
    file: str | Path | None,
    instance: Instance | None,
    options: Options,
    seed: int,
    lengths: Sequence[int] | None,
) -> Subject:
    subject = construction_for(name, file, instance, options)
    task, sizes = subject.task, subject.sizes
    _require_size(sizes.length)
    word = Public(subject.model, sizes.length).word
    ids = task.prompt(task.sample(seed) if instance is None else instance)
    generated, asked = np.zeros(0, dtype=np.int64), int(task.right_answers(ids[None]).reshape(-1)[-1])
    if task.generated_tokens:
        generated = decode(subject.model, ids, task.generated_tokens)
        ids = np.concatenate([ids, generated[:-1]])
    cut = _chosen_cut(lengths, Cut.of_task(sizes), word)
    said = tuple(generated.tolist())
    return Subject(subject.name, subject.model, ids, cut, task.prompt_length, said, task, asked)


def _random(options: Options, seed: int, lengths: Sequence[int] | None, heads: int | None) -> Subject:
    """With sizes: on a FuncComp prompt; with a cut alone: on a prompt that is as long as the cut."""
    given = only_given(options)
    for name in (*TWO_SUM_SIZES, OWN_SIZES, "block", "opened"):
        if name in given:
            raise InputError(f"a random model has no {name}; it reads FuncComp prompts, or one as long as the cut")
    word = Word.parse(str(given["word"]))
    sized = {name: given[name] for name in FUNCCOMP_SIZES if name in given}
    if lengths is not None and not sized:
        cut, rng = _chosen_cut(lengths, None, word), Random(seed)
        _require_size(cut.tokens)
        ids = np.array([rng.randrange(PLAIN_VOCABULARY) for _ in range(cut.tokens)])
        vocabulary = answers = PLAIN_VOCABULARY
    else:
        sizes = chosen_sizes(**sized) if sized else DEFAULT_SIZES
        _require_size(sizes.length)
        cut = _chosen_cut(lengths, Cut.of_task(sizes), word)
        ids = np.asarray(token_ids(sample(sizes, seed)))
        vocabulary, answers = sizes.vocabulary, sizes.N[-1]
    each = 2 if heads is None else heads
    shape = RandomShape(word, cut.tokens, vocabulary, answers, each, given.get("family", "linear"))
    model = random_model(shape, seed, given.get("bits"), given.get("score_bits"))
    return Subject(f"random {word}", model, ids, cut, cut.tokens)


def _chosen_cut(lengths: Sequence[int] | None, usual: Cut | None, word: Word) -> Cut:
    """The cut that was asked for, or the usual one, if its players do not send too many messages."""
    cut = usual if lengths is None else Cut.of(lengths) if usual is None else Cut.of(lengths, usual.tokens)
    assert cut is not None
    players = len(cut.lengths)
    sent = players * (players - 1) // 2 * word.full
    if sent > MAX_MESSAGES:
        raise InputError(f"{players} players send {sent} soft messages; at most {MAX_MESSAGES} are accepted")
    return cut


def _require_size(tokens: int) -> None:
    if tokens > MAX_TOKENS:
        raise InputError(f"{tokens} tokens; at most {MAX_TOKENS} are run as players")


def _layer(number: int, layer: StockLayer) -> dict[str, Any]:
    heads, dim = layer.heads or (None, None)
    carries = [named(each, "what", "numbers", "bits_each") for each in layer.carries]
    return {"layer": number, "full": layer.full, "heads": heads, "dim": dim, "carries": carries, "bits": layer.bits}


def _listed(value: Any) -> Any:
    return (", ".join(f"{number:,}" for number in value) or None) if isinstance(value, tuple) else value


def _players(transcript: Transcript) -> str:
    cut = transcript.cut
    named = [f"{name} ({length})" for name, length in zip(cut.names, cut.lengths, strict=True)]
    more = len(named) - MAX_PLAYERS
    return ", ".join(named[:MAX_PLAYERS]) + (f" … and {more} more" if more > 0 else "")


def _layers(transcript: Transcript) -> Table:
    rows, grid = [], transcript.public.on_grid
    for index, layer in enumerate(transcript.public.model.layers, start=1):
        own = [message for message in transcript.messages if message.layer == index]
        soft = sum(message.bits for message in transcript.sums if message.layer == index)
        linear = sum(message.bits for message in own if message.kind == "linear")
        beta = (transcript.betas.get(index) if grid else None, transcript.formula_betas.get(index))
        states = (transcript.states.get(index) if grid else None, transcript.public.state_bits(index))
        rows.append((f"{index} {layer.letter or '–'}", len(own), soft or None, *beta, linear or None, *states))
    columns = ("layer", "messages", "soft bits", "β", "β, formula", "linear bits", "s", "s, formula")
    return table_of(*columns, right_from=1, rows=rows)


def _pairs(transcript: Transcript) -> Table:
    """Bits of all layers from each sender to each receiver."""
    names, bits = transcript.cut.names, Counter[tuple[str, str]]()
    for message in transcript.messages:
        bits[message.sender, message.receiver] += message.bits
    rows = [(sender, *(bits.get((sender, name)) for name in names[1:])) for sender in names[:-1]]
    return table_of("from, to", *names[1:], right_from=1, rows=rows)


def _totals(transcript: Transcript) -> Table:
    rows = [
        ("soft bits", transcript.soft_bits, "the sum over all senders, β for each token that hears one"),
        ("… apart", transcript.soft_bits_apart, "if every sender were charged separately"),
        ("linear bits", transcript.linear_bits, "states passed from one player to the next"),
    ]
    crossing = ", ".join(f"Λ_{t} = {bits:,}" for t, bits in enumerate(transcript.state_bits or ()))
    states = [] if transcript.state_bits is None else [("Λ", f"{crossing} across one boundary")]
    return facts_table([*((name, f"{bits:,}: {what}") for name, bits, what in rows), *states])
