"""Bad input of every verb: exit 2, one line that says what is wrong, nothing on standard output, nothing written."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from separation.files import InputError
from separation.verbs.command_line import run
from separation.verbs.options import numbers, two_shares
from tools.fuzz.__main__ import wrong
from tools.fuzz.commands import Commands, numeric_options

SPARSE = "bound --sparse --modulus 13 --block 2 --open 2 --blocks 5"
REFUSED = {
    # sizes, names and files
    "prove C1 --L 0": "L is 0",
    "prove C1 --L 100000": "at most 128",
    "prove C1 --L 1 --m 1": "m is 1; allowed are 2 and above",
    "prove C1 --L 2 --m 2 --n 0": "n_1 is 0",
    "prove C1 --L 3 --m 4 --n 4": "L = 3 needs 2 values of n",
    "prove C1 --L 2 --m 4 --n four": "--n is 'four'",
    "prove C1 --m four": "--m",
    "prove C1 --m 4 --tokens 100": "either --tokens or",
    "prove C99": "unknown construction 'C99'",
    "prove mine.py": "FILE.py:program",
    "prove copying --sizes n=99999999999": "copying has prompts of 199,999,999,998 tokens",
    "prove": "either the name of a construction or --model",
    "prove C1 --model x.json": "either the name of a construction or --model",
    "solve --model x.json --L 3": "brings its own sizes",
    "prove C1 --path sideways": "closed, general, both",
    "prove C1 --frobnicate": "No such option",
    "frobnicate": "No such command",
    "prove C1 --bits 0": "bits is 0",
    "prove C1 --L 2 --L 3": "--L is given twice",
    "sweep bound --L 2 --beta=8 --lambda 0 --beta 64": "--beta is given twice",
    "solve C1 --seed 1 --seed 1": "--seed is given twice",
    "check no-such-file.json": "cannot read",
    "check .": "not a regular file",
    "check": "FILE is missing: A certificate, written by --out of prove, bound, decide or fool",
    "check --schema proof": "there is no schema 'proof'; there are construction, bound, decision, ceiling, pair, ",
    "check --schema bound --replay": "--schema does not go with --replay",
    "check c.json --schema bound": "--schema does not go with FILE",
    "solve C1 --instance no-such-file.json": "cannot read",
    "prove --model no-such-file.json": "cannot read",
    "prove C1 --L 8 --tokens 1048576 --path general": "GB",
    "solve C1 --L 8 --tokens 1048576": "tokens",
    "prove C1 --out /dev/null": "not a regular file",
    "prove C1 --out .": "is a folder",
    "prove C1 --out no/such/folder/x.json": "cannot write",
    "show C1 --L 3 --layer 9": "layer is 9",
    "prove C1 --l 2": "No such option: --l; did you mean --L?",
    "solve C1 --L 3 --m 8 --n 8,8 --figure a.png": "up to 128 tokens",
    "solve C1 --L 1 --figure a.gif": "a file that ends in",
    "compare RF --L 64": "at most 16 tables",
    # constructions
    "prove RRF --L 2": "the word 'RRF' has depth 1",
    "prove RR --L 1": "depth 0",
    "prove FXR": "unknown construction 'FXR'",
    "prove C1 --word RF": "C1 has no option word",
    "prove C2 --L 2 --word FFR": "RFF or FRF",
    "prove C2 --family mamba": "linear",
    "prove C5 --word RR": "RF, FR, F",
    "prove C6 --L 3": "C6 has no --L",
    "prove C6 --modulus 8": "odd",
    "prove C6 --length 0": "length is 0",
    "prove parity --exhaustive": "not every input can be run: the task has inputs of any length",
    "prove parity --path both": "a program does not go with --path",
    "prove C7 --block 0": "block is 0",
    "prove C7 --block 100000": "block is 100000",
    "prove C7 --open -1": "opened is -1",
    "prove C6 --block 3": "C6 has no option block",
    "prove C3 --L 8 --tokens 1048576": "C3",
    "constructions --L 2 --n 1,2": "needs",
    "constructions --L 100 --block 1000": "block is 1000; allowed are 1..256",
    "constructions --L 1 --length 1 --open -1": "opened is -1",
    # decide and bound
    "decide FXR --L 2": "a word is made of F, R, W(128), K(8192) and [FR]",
    "decide '' --L 2": "no word given",
    "decide RF": "--L is missing",
    "decide '(FR' --L 2": "(",
    "decide FR --L 0": "L is 0",
    "bound --L 1000 --beta 8": "at most 128",
    "bound --beta 8": "--L",
    "bound --L 2 --beta 0": "beta is 0",
    "bound --L 2 --beta 8 --lambda -1": "lambda is -1",
    "bound --L 2 --beta 8 --heads 2": "both given",
    "bound --L 2 --heads 8": "dim is missing",
    "bound --L 2 --beta 8 --full-layers 5": "full layers",
    "bound --L 2 --config x.json": "leave out --L",
    "bound --config no-such-file.json": "cannot read",
    "bound --config nobody": "'nobody' is no file, and no shipped config is called so; there are jamba_v0_1",
    "compare nobody": "'nobody' is no file, and no shipped config is called so",
    "bound --L 2 --beta 8 --linear-layers 3": "state bits are missing",
    "bound --L 2 --beta 8 --state-bits 3": "linear layers are missing",
    "decide F3 --L 2 --effort x": "allowed are quick, thorough",
    "decide FR --L 2 --n 4": "--n needs --m",
    # exponents
    "bound --exponents --beta 8": "--exponents does not go with --beta",
    "bound --exponents --L 1000": "L is 1000; allowed are 2..64",
    "bound --figure x.jpg": "a file that ends in .svg, .png, .pdf is needed",
    "bound --exponents --sparse": "--exponents does not go with --sparse",
    "bound --bracket --beta 8": "--bracket does not go with --beta",
    # sparse layers
    "bound --sparse --modulus 13": "--block is missing",
    f"{SPARSE} --L 2": "--sparse does not go with --L",
    "bound --sparse --modulus 13 --block 2 --open 2 --blocks 2": "2 of 2 blocks are opened",
    SPARSE.replace("13", "12"): "modulus is 12; an odd number is needed",
    SPARSE.replace("--block 2", "--block 0"): "block is 0",
    f"{SPARSE} --summary-bits -1": "summary bits is -1",
    "bound --sparse --modulus 1000000000001 --block 1000000000000 --open 2 --blocks 5": "too many digits",
    "bound --L 2 --beta 8 --block 2": "--block needs --sparse",
    f"{SPARSE} --summary-bits 6 --out d.json": "6 summary bits are not too few; 6 are needed",
    # ceiling
    "ceiling RF --m 8 --n 8 --beta 8 --lambda 8 --against beta": "without --figure does not go with --against",
    "ceiling --m 4": "WORD is missing",
    "ceiling RF --beta 8": "--m is missing",
    "ceiling R --L 1 --m 2": "lambda is missing",
    "decide RF --L 1 --m 2 --lambda 1": "beta is missing",
    "ceiling RF --m 4 --n 4": "beta is missing",
    "ceiling RF --L 3 --m 4 --n 4 --beta 8": "L = 3 needs 2",
    "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8,8,8": "needs 2 values of Lambda",
    "ceiling RFR --m 9 --n 9 --beta 8 --lambda 8,4": "never decreases",
    "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8,x": "a list of integers",
    "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8 --thoughts 3": "no theorem applies to it",
    "bound --L 2 --beta 8 --thoughts 1": "no theorem applies to it",
    "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8 --figure c.svg --against m": "allowed are length, lambda, beta",
    "ceiling RF --m 2 --n 2 --beta 99 --out c.json": "says nothing",
    "bound --L 2 --beta 8 --accuracy 0": "above 0 and at most 1",
    "bound --L 2 --beta 8 --accuracy nan": "a number like",
    "bound --L 2 --word RF --beta 8 --full-layers 1": "leave out",
    "bound --L 2 --word RFF --beta 8": "a larger L is needed",
    "bound --sparse --errors 0.05 --block 4": "two shares",
    "bound --L 2 --beta 8 --errors 0.1,0.1": "--errors needs --sparse",
    "ceiling RF --sparse": "--sparse does not go with",
    "ceiling --sparse --open 1": "--block is missing",
    "bound --sparse --errors 2,0 --block 4 --open 1 --blocks 4": "from 0 to 1",
    # compare
    "compare RXF": "character 2 of the word is 'X'",
    "compare RF --L 2 --m 4 --n 2,2": "L = 2 needs",
    "compare RF --kv-heads 2": "--kv-heads needs --heads",
    "compare RF --kv-heads 9 --heads 8 --dim 4 --bits 8": "more than the 8 heads",
    "compare RF --beta 8 --heads 8": "both given",
    "compare" + 65 * " RF": "at most 64 are compared",
    # design
    "design --layers 4 --full 5": "5 full layers do not fit into 4 layers",
    "design --layers 4": "give --full, or --kv-bytes",
    "design --layers 4 --full 2 --L 0": "L is 0",
    "design --layers 4 --kv-bytes 5": "--length, --heads, --dim missing",
    "design --layers 4 --full 2 --bits 8": "--bits says how wide",
    "design --layers 4 --kv-bytes 5 --length 9 --heads 1 --dim 1": "pays for no full layer: one keeps 36 bytes",
    "design --layers 4 --full 2 --state-bits -1": "state bits is -1",
    "design --layers 99999 --full 2": "layers is 99999",
    "design --layers 6 --full 2 --window 128 --state-bits 8": "does not go with --state-bits",
    "design --layers 6 --full 2 --window 1": "window is 1",
    # audit
    "audit": "give a config.json, the name of a shipped one, or --all",
    "audit jamba_v0_1 --sort size": "--sort is 'size'; allowed are depth, state, kv, name",
    "audit jamba_v0_1 --all": "leave out the files, or leave out --all",
    "audit nowhere": "'nowhere' is no file, and no shipped config is called so; there are jamba_v0_1",
    "audit nowhere.json": "cannot read nowhere.json",
    "audit jamba_v0_1 --figure a.txt": "--figure is 'a.txt'; a file that ends in",
    "audit jamba_v0_1 --report no/such/folder/a.html": "no such folder",
    "audit jamba_v0_1 --L 0": "L is 0",
    "audit jamba_v0_1 --L 99": "at most 8 beyond the depth, 12 for Jamba-v0.1",
    "audit" + 65 * " gpt2": "at most 64 are audited together",
    # fool
    "fool --word RF --L 2 --thoughts 3": "--thoughts, --workers and --dask are for words in R alone",
    "fool --word X": "a word is made of F, R, W(128), K(8192) and [FR]",
    "fool --state-bits 0": "state-bits is 0; allowed are 1",
    "fool --m 1": "m is 1; allowed are 2 and above",
    "fool --L 1000000000000000000000000000000 --family rwkv7": "allowed are 1..1024",
    "fool --seconds 0": "seconds is 0.0; a number above 0 is needed",
    "fool --samples 0": "samples is 0; allowed are 1 and above",
    "fool --workers 0": "workers is 0; allowed are 1..64",
    "fool --block 3": "--block needs --sparse",
    "fool --sparse --m 4": "--sparse does not go with --m",
    "fool --workers 2 --dask tcp://127.0.0.1:9": "workers and dask do not go together",
    "fool --word F --family gla": "--family has no meaning for the word F",
    "fool --sparse --modulus 10": "modulus is 10; an odd integer is needed",
    "fool --family transformer": "family is 'transformer'; known are linear",
    "fool --family gla --state-bits 6": "leave out --state-bits or --family",
    "fool --thoughts 999": "thoughts is 999; allowed are 0..64",
    "fool --word F --state-bits 9": "has no meaning for the word F",
    "fool --word RF --bits 2": "give more --bits",
    "fool --word RF --bits 9 --state-bits 9": "give either --bits or --state-bits",
    "fool --word RF --state-bits 3": "the state of a layer has 4 numbers",
    "fool --word R --bits 3": "are for words with F",
    "fool --model missing.json": "cannot read missing.json",
    "fool --model missing.json --m 3": "a model file brings its own sizes: leave out --m",
    "fool --out missing/pair.json": "no such folder",
    # sweep and proofs
    "sweep prove --L 1": "'prove' cannot be swept; bound and decide can",
    "sweep bound --beta 4": "L is missing: bound needs it",
    "sweep decide --L 1": "word is missing: decide needs it",
    "sweep bound --L 1..999 --beta 0..999": "999,000 combinations; at most 100,000",
    "sweep bound --L x": "--L is 'x'",
    "proofs --chapter X": "no chapter 'X'; there are D (definitions), S",
    "proofs T.C --coq": "--coq does not go with ID",
    "proofs s1": "the book has no statement 's1'; near it are S1",
    "proofs zzz": "the book has no statement 'zzz'; there are ",
    "proofs S1 --graph book.svg": "a statement's ID does not go with --graph",
    "proofs S1 --markdown": "a statement's ID does not go with --markdown",
    "proofs --graph book.txt": "a file that ends in .svg, .png, .pdf, .dot is needed",
    "proofs --record .": "--record needs --coq",
    "proofs --coq --markdown": "--coq does not go with",
    "proofs --no-check": "ID is missing: One statement in full, e.g. C1 or T.depth.",
    # crosscheck
    "crosscheck C1 --dtype float8": "dtype is 'float8'; known are float64, float32, float16, bfloat16",
    "crosscheck C1 --path half": "path is 'half'; known are rows, full",
    "crosscheck C1 --instances 1000000000": "1000000000 instances of ",
    "crosscheck C1 --device abacus": "device is 'abacus'; known are auto, cpu, cuda, mps",
    "crosscheck C1 --L 4 --tokens 100000000": "float runs take at most 4194304",
    "crosscheck C1 --L 2 --tokens 100000 --path full": "whole matrices are computed up to 16384",
    # simulate
    "simulate": "give the name of a construction, --model FILE, --word WORD or --config FILE",
    "simulate --word RXF": "character 2 of the word is 'X'; a word is made of F, R, W(128), K(8192) and [FR]",
    "simulate --word RFR --L 2 --cut 3,5": "the cut covers 8 tokens, the prompt has 22; lengths of at least",
    "simulate --word RFR --cut 3,0": "the cut is [3, 0]; a list of lengths, each at least 1, is needed",
    "simulate --word RFR --cut 3,x": "--cut is '3,x'; a list of integers like 8,8 is needed",
    "simulate C1 --cut 5": "the cut covers 5 tokens, the prompt has 86",
    "simulate --word R --bits 3": "layer 1: an activation (state) needs more than p = 3 bits",
    "simulate --word F --bits 1": "bits is 1; allowed are 4..4096",
    "simulate C7": "the protocol is for the layers F, R and [FR]; layer 1 is S",
    "simulate C4 --L 2": "the protocol is for causal models; this one is an encoder",
    "simulate --word R --family x": "family is 'x'; known are linear-normalised",
    "simulate --word R --heads 0": "heads is 0",
    "simulate C1 --heads 3": "heads are for random models",
    "simulate --word R --length 5": "a random model has no length",
    "simulate --word F --figure a.gif": "--figure is 'a.gif'; a file that ends in .svg, .png, .pdf is needed",
    "simulate C1 --tokens 100000": "tokens; at most 16384 are run as players",
    "simulate --word F200": "the word has 200 layers; random models have at most 64",
    f"simulate --word F2 --cut {','.join(['1'] * 600)}": "600 players send 359400 soft messages; at most 131072",
    # stress
    "stress nothing": "no model",
    "stress": "MODEL is missing",
    "stress a:b --L 4..1": "--L is",
    "stress a:b --lengths 0": "--lengths is",
    "stress a:b --lengths 3 --L 4": "no sizes",
    "stress a:b --seconds 0": "--seconds is",
    "stress a:b --task chess": "--task is",
    "stress a:b --task two_sum --L 2": "has no hops",
    "stress a:b --weights w.pt": "not a .safetensors file",
    "stress x --url nowhere": "--url is",
    "stress a:b --reads minds": "--reads is",
    "stress a:b --resume": "--results",
    "stress a:b --report no/such/folder.html": "cannot write",
    "stress a:b --limit 0": "--limit is",
    "stress a:b --limit inf": "--limit is inf; a number of seconds above 0, at most 1,000,000",
    "stress C1 --task two_sum": "for the task funccomp",
    "stress a:b --task inductoin": "known are funccomp, mqar, two_sum, a program of the gallery",
    "stress a:b --task induction --sizes k=3": "induction has the sizes n, V",
    "stress a:b --task induction --sizes n=x": "integers like n=4 are needed",
    "stress a:b --task induction --sizes n=3,V=2,n=4": "each size is given once",
    "stress a:b --task nowhere.py:": "no name follows nowhere.py:",
    "stress a:b --sizes n=3": "--sizes are those of a program",
    "stress a:b --task nowhere.py:program": "there is no file nowhere.py",
    "stress a:b --write-dataset d": "--write-dataset does not go with MODEL",
    "stress --write-dataset ../there/file": "not a folder",
    # export
    "export C1 --to gpt2": "DIR is missing",
    "export C2 --to qwen3_next --onnx b": "--onnx takes --to gpt2",
    "export C1 --L 1 --m 2 --to llama --onnx a.onnx --dtype float16": "--onnx writes float32",
    "export C1 --to gpt2 --tokens 9000 --onnx b": "at most 4096",
    "export --benchmark c --to gpt2": "--benchmark does not go with --to",
    "export --benchmark c --L 2": "--benchmark does not go with --L",
    "export C2 --to gpt2 x": "--to gpt2 takes C1, not C2",
    "export C1 --to bert x": "--to is 'bert'; known are gpt2",
    "export C1 --to gpt2 x --dtype int8": "--dtype is 'int8'; allowed are float32, float64",
    "export C1 --to gpt2 x --L 2 --tokens 1000000": "at most 131072 are exported",
    "export C1 --to gpt2 ../there/full": "the folder is not empty and is not an earlier export",
    "export C1 --to gpt2 ../there/file": "it is not a folder",
    "export C1 --to gpt2 ../there/link": "it is not a folder",
    "export C1 --to gpt2 nowhere/x": "is not a folder that can be written",
    f"export C1 --to gpt2 {'a' * 250}": "name too long",
    f"export C1 --to gpt2 {'a' * 300}": "name too long",
    "export C1 --L 1 --m 2 --to llama --onnx .": "it is a folder",
    "export --benchmark ../there/full": "not empty",
    # matrix, experiment, lesson
    "matrix RF:mamba": "the kind of R is 'mamba'",
    "matrix F:delta": "there is no R",
    "matrix F --why sums": "allowed are composition",
    "matrix F R --why recall --out x.json": "one architecture",
    "matrix RF --tokens 2": "tokens is 2",
    "matrix nosuchmodel": "character 1 of the word",
    "matrix gpt2 --beta 3": "brings its own bits, does not go with --beta",
    "experiment dept": "no experiment is called 'dept'",
    "experiment depth --quick --device abacus --out made": "device is 'abacus'; known are auto, cpu, cuda, mps",
    "lesson --out nowhere/lesson.html": "cannot write",
    # nobody answers
    "sweep bound --L 1 --beta 4 --dask tcp://127.0.0.1:9": "no Dask scheduler answers at tcp://127.0.0.1:9: Connection",
    "sweep bound --L 1 --beta 4 --dask here": "'here' is no address of a Dask scheduler",
    "sweep bound --L 1 --beta 4 --dask tcp://here:x": "'tcp://here:x' is no address of a Dask scheduler",
    # huge numbers
    f"decide RF --L 2 --heads {10**18} --dim {10**18} --bits 4": "beta is",
    f"bound --L 2 --heads 2 --dim 4 --bits 4 --linear-layers {10**18} --state-bits 10": "lambda is 100000000000000000",
    # judged before any work
    "bound --L 1 --beta 8 --lambda 8 --latex --out o1.json": "symbols are there for",
    "bound --L 2 --beta 8 --lambda=--5": "--lambda is '--5'",
    "prove C1 --L 1 --out a.json --write-model a.json": "two outputs have the same name",
    "simulate C1 --L 1 --out a.svg --figure ./a.svg": "two outputs have the same name",
}


def wrongs(code: int, out: str, err: str, said: str) -> list[str]:
    """What is wrong with the way in which a command line was refused; progress is no line."""
    err = re.sub("^separation:  .*\n", "", err, flags=re.MULTILINE)
    found = {
        "status": code == 2,
        "output": out == "",
        "lines": err.count("\n") == 1 and err.startswith("separation: error: "),
        "text": said.lower() in err.lower(),
    }
    return [what for what, holds in found.items() if not holds]


def test_every_line_is_refused_in_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there / "full"):
        folder.mkdir(parents=True)
    (there / "full" / "separation.json").write_text('{"schema": "another"}')
    (there / "file").write_text("")
    (there / "link").symlink_to(there / "full")
    monkeypatch.chdir(here)
    found, before = {}, sorted(there.rglob("*"))
    for line, said in REFUSED.items():
        begin = time.process_time()
        code, captured = run(shlex.split(line)), capfd.readouterr()
        wrong = wrongs(code, captured.out, captured.err, said) + [path.name for path in here.iterdir()]
        wrong += [] if sorted(there.rglob("*")) == before else ["another folder"]
        if wrong or time.process_time() - begin > 5:
            found[line] = (wrong, captured.err)
    assert found == {}


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.exit(5)", "own.py cannot be run: SystemExit: 5"),
        ("program = lambda: program()", "own.py:program cannot be run: RecursionError: "),
        ("program = lambda: 1 / 0", "own.py:program cannot be run: ZeroDivisionError: division by zero"),
    ],
)
def test_a_mistake_in_a_file_of_ones_own_is_one_line(
    code: str, said: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(code)
    assert run(["prove", "own.py:program"]) == 2
    error = capfd.readouterr().err
    assert error.startswith(f"separation: error: {said}")
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", ["--device", "--dtype", "--path"])
def test_refused_before_anything_is_built(
    option: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("constructions.build", _never)
    assert run(["crosscheck", "C1", option, "zz", "--tokens", "1000000"]) == 2
    assert "zz" in capfd.readouterr().err


def _never(*_: object, **__: object) -> None:
    raise AssertionError("work was done before the options were judged")


def test_lists_are_read_strictly() -> None:
    for text in ("--5", "-", "5-", "1,--2", "٣", "1_000", "+1", "0x1", "1" * 4001):
        with pytest.raises(InputError, match="a list of integers like 8,8 is needed"):
            numbers(text, "--n")
    assert numbers(" 8, -3,", "--n") == [8, -3]
    assert numbers("", "--n") == []
    assert [float(part) for part in two_shares("0.5,1/4", "--errors")] == [0.5, 0.25]


CHEAP_LINES = {
    "decide": "decide RF --L 3 --beta 8 --lambda 8",
    "bound": "bound --L 2 --beta 8 --lambda 8",
    "ceiling": "ceiling RF --L 2 --m 16 --n 16 --beta 8 --lambda 8",
    "sweep": "sweep decide --word RF --L 2 --beta 8 --lambda 8 --workers 1",
    "compare": "compare RF FR --L 2 --m 16 --n 16 --beta 8 --lambda 8",
    "design": "design --layers 4 --full 2 --L 2",
    "audit": "audit gpt2",
    "show": "show C1 --L 1 --m 2",
    "solve": "solve C6 --length 4",
    "simulate": "simulate C1 --L 1 --m 2",
    "fool": "fool --word R --L 1 --m 4 --state-bits 6 --workers 1 --samples 50 --seconds 1",
}
"""Verbs whose every answer takes a fraction of a second."""


@pytest.mark.parametrize("verb", CHEAP_LINES)
@pytest.mark.usefixtures("remembered_searches")
def test_a_huge_number_in_every_option_of_a_cheap_verb(
    verb: str, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for option in numeric_options(verb):
        words = Commands.with_value(CHEAP_LINES[verb].split(), option, str(2**200))
        begin = time.process_time()
        status = run(words)
        captured = capfd.readouterr()
        assert not wrong(words, status, captured.out, captured.err), words
        assert status in (0, 1, 2), words
        assert time.process_time() - begin < 5, words


def test_the_largest_budget_is_answered(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(f"bound --L 2 --beta 8 --lambda {10**18}".split()) == 0, capfd.readouterr().err
    assert "shorter than golden" in capfd.readouterr().out
