"""What comes from outside, integers, seeds and documents: each refusal is one short line that names the field."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from separation.files import InputError, read_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Sizes = TypeVar("Sizes")
Instance = TypeVar("Instance")

# Python refuses to write integers of more than 4300 digits, and nobody reads more than these.
_WRITTEN_BITS = 200
MAX_COUNT_BITS = 10**6


def shown(value: object) -> str:
    """A value as one short line, whatever it is."""
    if isinstance(value, int) and value.bit_length() > _WRITTEN_BITS:
        return f"an integer of {value.bit_length()} bits"
    try:
        return " ".join(reprlib.repr(value).split())
    except ValueError:  # a huge integer further inside
        return f"a {type(value).__name__}"


def require_integer(field: str, value: object, low: int, high: int | None = None) -> int:
    """value ∈ {low..high}, an int and no bool; without ``high`` there is no upper end."""
    if type(value) is not int:
        raise InputError(f"{field} is {shown(value)}; an integer is needed")
    if value < low or (high is not None and value > high):
        allowed = f"{low}..{shown(high)}" if high is not None else f"{low} and above"
        raise InputError(f"{field} is {shown(value)}; allowed are {allowed}")
    return value


def require_one_of(field: str, value: object, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise InputError(f"{field} is {shown(value)}; allowed are {', '.join(allowed)}")


def require_integers(field: str, values: object, length: int, low: int, high: int) -> tuple[int, ...]:
    """``length`` integers in {low..high}, from a list, a tuple or an array of integers."""
    numbers = as_list(field, values)
    if len(numbers) != length:
        raise InputError(f"{field} has length {len(numbers)}; {shown(length)} are needed")
    # The quick test of all of them at once; only a failure is worth the slow search for the first bad one.
    if set(map(type, numbers)) != {int} or min(numbers) < low or max(numbers) > high:
        for index, number in enumerate(numbers):
            require_integer(f"{field}[{index}]", number, low, high)
    return tuple(numbers)


def as_list(field: str, values: object) -> list[Any]:
    if isinstance(values, (list, tuple)):
        return list(values)
    import numpy as np

    if isinstance(values, np.ndarray) and values.ndim == 1 and (values.dtype.kind in "iu" or values.size == 0):
        return list(values.tolist())
    raise InputError(f"{field} is {shown(values)}; a list of integers is needed")


def generator(seed: int) -> np.random.Generator:
    """The random source of a seed ≥ 0: the same seed gives the same inputs."""
    import numpy as np

    return np.random.default_rng(require_integer("seed", seed, 0))


def draws(
    draw: Callable[[Sizes, np.random.Generator], Instance], sizes: Sizes, seed: int, count: int
) -> Iterator[Instance]:
    """``count`` independent draws from the source of the seed."""
    random = generator(seed)
    for _ in range(require_integer("count", count, 0)):
        yield draw(sizes, random)


def require_keys(document: object, task: str, keys: tuple[str, ...]) -> dict[str, Any]:
    """An object with exactly these keys, for this task."""
    if not isinstance(document, dict):
        raise InputError(f"an instance is {shown(document)}; an object with the keys {', '.join(keys)} is needed")
    for key in document:
        if key not in keys:
            raise InputError(f"{shown(key)} is no key of an instance; its keys are {', '.join(keys)}")
    for key in keys:
        if key not in document:
            raise InputError(f"{key} is missing; an instance has the keys {', '.join(keys)}")
    if document["task"] != task:
        raise InputError(f"task is {shown(document['task'])}; {task!r} is needed")
    return document


def described_ids(document: object, task: str) -> tuple[object, tuple[int, ...]]:
    """The description and the ids of an instance that is written as its prompt."""
    found = require_keys(document, task, ("task", "description", "ids"))
    ids = found["ids"]
    if not isinstance(ids, list) or not all(type(number) is int for number in ids):
        raise InputError(f"ids is {shown(ids)}; a list of integers is needed")
    return found["description"], tuple(ids)


def load_document(path: str | Path, parse: Callable[[object], Instance]) -> Instance:
    """What ``parse`` makes of the JSON in a file; its errors get the file's name."""
    document = read_json(path)
    try:
        return parse(document)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def packaged_schema(task: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a task's instances: all that can be said without arithmetic."""
    import json
    from importlib.resources import files

    schema: dict[str, Any] = json.loads(
        files(f"separation.tasks.{task}").joinpath("instance.schema.json").read_text("utf-8")
    )
    return schema


class CountedInputs:
    """Sizes whose number of inputs is a product of powers; all three functions are exact or say that they are not."""

    @property
    def input_powers(self) -> Sequence[tuple[int, int]]:
        """(base, exponent) pairs whose product is the number of inputs."""
        raise NotImplementedError

    def inputs_log2(self) -> float:
        """log2 of the number of inputs as a float; infinite when it has no float."""
        try:
            return math.fsum(exponent * math.log2(base) for base, exponent in self.input_powers)
        except OverflowError:
            return math.inf

    def inputs_log2_floor(self) -> int:
        """⌊log2 of the number of inputs⌋, exact at all sizes."""
        return floor_log2_of_powers(self.input_powers)

    def count_inputs(self) -> int:
        """The number of inputs, exact; refused when it is too long to be of use."""
        bits = self.inputs_log2_floor() + 1
        if bits > MAX_COUNT_BITS:
            raise InputError(f"the number of inputs has {shown(bits)} bits; at most {MAX_COUNT_BITS} are written out")
        return math.prod(base**exponent for base, exponent in self.input_powers)


def rows_in_blocks(sizes: CountedInputs, radices: Iterable[int], block: int) -> Iterator[NDArray[np.int64]]:
    """All rows of digits below the radices, as many as inputs, in lexicographic order and in blocks; the rest last."""
    import numpy as np

    require_integer("block", block, 1)
    bits = sizes.inputs_log2_floor() + 1
    if bits > 62:
        raise InputError(f"the number of inputs has {shown(bits)} bits; at most 62 are enumerated in blocks")
    count, places = sizes.count_inputs(), list(radices)
    for start in range(0, count, block):
        rest = np.arange(start, min(start + block, count), dtype=np.int64)
        rows = np.empty((len(rest), len(places)), dtype=np.int64)
        for place in reversed(range(len(places))):
            rest, rows[:, place] = np.divmod(rest, places[place])
        yield rows


def floor_log2_of_powers(powers: Sequence[tuple[int, int]], bits: int | None = None) -> int:
    """⌊log2 Π base^exponent⌋ for pairs (base ≥ 1, exponent ≥ 0), exact however large the product is.

    Factors 2 are counted; of the rest the logarithm is irrational, or 0, so a ball of ``bits`` bits around it, twice as
    many each time, ends by holding no whole number.
    """
    from flint import arb, ctx

    if bits is None:
        # An exponent e multiplies the error by e; 64 bits more nearly always decide at once.
        bits = 64 + sum(exponent.bit_length() for _, exponent in powers)
    twos = [(base & -base).bit_length() - 1 for base, _ in powers]
    odd = [(base >> two, exponent) for two, (base, exponent) in zip(twos, powers, strict=True) if base >> two > 1]
    whole = None
    while whole is None:
        with ctx.workprec(max(2, bits)):
            logarithm = sum((exponent * arb(base).log() for base, exponent in odd), arb(0)) / arb(2).log()
            whole = logarithm.floor().unique_fmpz()
        bits *= 2
    return int(whole) + sum(two * exponent for two, (_, exponent) in zip(twos, powers, strict=True))
