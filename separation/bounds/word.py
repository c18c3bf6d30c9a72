"""Words of layers: F full attention, R recurrent, W(k) a window of k tokens, K(c) chunks of c tokens, [FR] F and R side
by side; their depth."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from separation.files import InputError
from separation.tasks.checks import require_integer, shown

MAX_LAYERS = 4096
MAX_TEXT = 10_000
_BESIDE = {"[FR]", "[RF]"}
_ACCEPTED = "a word is made of F, R, W(128), K(8192) and [FR], with repetition like F3 or (RRF)4"
LONGEST_WINDOW = 10**9


@dataclass(frozen=True)
class Word:
    """The layers from the first to the last: "F", "R", "W128" for a window of 128 tokens, "K8192" for attention inside
    chunks of 8,192, or "FR" (R heads and F heads side by side in one layer). A window hands z_0 to the token behind it,
    as R does: in the depth it counts as R. A chunk layer is a window of its length whose mask has fewer edges: all that
    is impossible for the window is for it, and it hands z_0 to w if both stand in one chunk (`split_by_chunks`)."""

    layers: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Word:
        """RFFR; F3 = FFF; (RRF)4; W(128)F; [FR]F: a letter, [FR] or a group, each with an optional count."""
        if not isinstance(text, str) or not text:
            raise InputError(f"no word given; {_ACCEPTED}")
        if len(text) > MAX_TEXT:
            raise InputError(f"the word has {len(text)} characters; at most {MAX_TEXT} are read")
        return cls(tuple(_layers(text)))

    def __str__(self) -> str:
        """The layers with runs counted: R3F, [FR]2."""
        runs = ((letter, sum(1 for _ in run)) for letter, run in itertools.groupby(self.layers))
        names = {"F": "F", "R": "R", "FR": "[FR]"}
        texts = ((names.get(letter, f"{letter[0]}({letter[1:]})"), count) for letter, count in runs)
        return "".join(f"{text}{count if count > 1 else ''}" for text, count in texts)

    @property
    def full(self) -> int:
        """#F: layers with full-attention heads."""
        return sum("F" in layer for layer in self.layers)

    @property
    def recurrent(self) -> int:
        """#R: layers with recurrent heads, alone or next to F heads, and windows."""
        return len(self.carriers)

    @property
    def carriers(self) -> tuple[int, ...]:
        """For each layer that hands something on from token to token: the length of its window, 0 if recurrent."""
        return tuple(window_of(layer) for layer in self.layers if carries(layer))

    @property
    def windows_alone(self) -> bool:
        """There are windows, and no recurrent heads."""
        return bool(self.carriers) and all(self.carriers)

    @property
    def reaches(self) -> tuple[int, int]:
        """Σ (k−1) over the windows of k tokens before the first full layer, and over those behind it."""
        first = next((place for place, layer in enumerate(self.layers) if "F" in layer), len(self.layers))
        return reach_of(self.layers[:first]), reach_of(self.layers[first:])

    @property
    def reach_between(self) -> int:
        """Σ (k−1) over the windows of k tokens between the first full layer and the second."""
        return reach_of(self.early_layers) - self.reaches[0]

    @property
    def early_layers(self) -> tuple[str, ...]:
        """The layers without full attention before the second full layer; with one full layer: all of them."""
        places = [place for place, layer in enumerate(self.layers) if "F" in layer]
        end = places[1] if len(places) > 1 else len(self.layers)
        return tuple(layer for layer in self.layers[:end] if "F" not in layer)

    @property
    def chunks_alone(self) -> tuple[int, ...]:
        """The lengths of the chunks that hand z_0 to w, if no R layer and no window can: () where one can."""
        lengths = tuple(window_of(layer) for layer in self.early_layers)
        return lengths if self.full and all(layer[0] == "K" for layer in self.early_layers) else ()

    def split_by_chunks(self, tokens: int) -> bool:
        """Whether w, the last of so many tokens, begins a chunk of each layer that could hand z_0 to it.

        >>> [Word.parse("K(8)F").split_by_chunks(tokens) for tokens in (8, 9, 10)]
        [False, True, False]
        """
        return bool(self.chunks_alone) and all((tokens - 1) % length == 0 for length in self.chunks_alone)

    def sizes_solved(self, L: int) -> str:
        """At which sizes this word solves L tables, L at most its depth: a chunk hands on z_0 to its own tokens alone.

        >>> [Word.parse(word).sizes_solved(1) for word in ("W(8)F", "FK(8)F")]
        ['all sizes', 'all sizes']
        >>> Word.parse("K(8)F").sizes_solved(1)
        'all sizes at which z_0 and w stand in one chunk'
        """
        return (
            "all sizes at which z_0 and w stand in one chunk" if self.full <= L and self.chunks_alone else "all sizes"
        )

    def depth_behind(self, pads: int) -> int:
        """The depth with neutral tokens between z_0 and w: a window counts as R only as far as it and others reach.

        >>> [Word.parse("W(4)FW(3)F").depth_behind(pads) for pads in (0, 4, 5)]
        [2, 2, 1]
        """
        if not self.full:
            return 0
        return self.full - 1 + ("R" in self.early_layers or reach_of(self.early_layers) > pads)

    @property
    def blocks(self) -> tuple[int, ...]:
        """How many R layers are in block t = 0..#F: after the t-th full layer and before the next."""
        counts = [0]
        for layer in self.layers:
            if "F" not in layer:
                counts[-1] += 1
            else:
                counts.append(0)
        return tuple(counts)

    @property
    def beside(self) -> tuple[bool, ...]:
        """Whether the t-th full layer has R heads as well, t = 1..#F."""
        return tuple(layer == "FR" for layer in self.layers if "F" in layer)

    @property
    def early(self) -> bool:
        """Some R layer comes before the second full layer; with one full layer: there is an R layer anywhere."""
        return any(self.blocks[:2])

    @property
    def depth(self) -> int:
        """0 without F; else #F − 1 + [some R before the second F]: the largest L solved at all sizes.

        >>> [Word.parse(word).depth for word in ("R4", "F3", "RF3", "[FR]F2", "(RRF)4")]
        [0, 2, 3, 2, 4]
        """
        return self.full - 1 + self.early if self.full else 0

    def cumulative_bits(self, state_bits: Sequence[int]) -> tuple[int, ...]:
        """Λ_t for t = 0..#F: the state bits of the R layers in blocks 0..t and of the R heads in full layers 1..t.

        where ``state_bits`` has one number for each layer with R in it, from the first to the last.
        """
        if len(state_bits) != self.recurrent:
            raise InputError(f"{self} has {self.recurrent} layers with R, got state bits of {len(state_bits)}")
        bits = iter(state_bits)
        totals = [0]
        for layer in self.layers:
            if "F" in layer:
                totals.append(totals[-1])
            if carries(layer):
                totals[-1] += require_integer("state bits", next(bits), 0)
        return tuple(totals)

    def capped_state_bits(self, total: int) -> tuple[int, ...]:
        """Λ_t when all R layers together have ``total`` bits: 0 as long as no R was passed, then the total."""
        passed = [sum(self.blocks[: t + 1]) + sum(self.beside[:t]) > 0 for t in range(self.full + 1)]
        return tuple(require_integer("lambda", total, 0) if some else 0 for some in passed)

    def separate_state_bits(self, state_bits: int | Sequence[int]) -> tuple[int, ...]:
        """Λ_t for theorems that charge every block for itself, λ_t = Λ_t − Λ_{t-1}: λ_t is 0 where block t has no R.

        What they say holds for every model whose blocks have at most these λ_t; a model with a smaller Λ_0 and the same
        Λ_1 is not meant. A single number, the bits of all R layers together, therefore counts in full for every block
        with R: wherever they are, none has more. Λ_0..Λ_#F given one by one are kept where the word has R.

        >>> [Word.parse("RFR").separate_state_bits(bits) for bits in (8, (8, 9))]
        [(8, 16), (8, 9)]
        """
        if isinstance(state_bits, int):
            require_integer("lambda", state_bits, 0)
            return tuple(state_bits * sum(self._has_r(block) for block in range(t + 1)) for t in range(self.full + 1))
        if len(state_bits) != self.full + 1:
            raise InputError(
                f"{self} needs {self.full + 1} values of Lambda (one for each block), got {len(state_bits)}"
            )
        result: list[int] = []
        for block, bits in enumerate(state_bits):
            require_integer(f"Lambda_{block}", bits, 0)
            some, before = self._has_r(block), result[-1] if result else 0
            if some and bits < before:
                raise InputError("Lambda_t counts blocks 0..t, so it never decreases")
            result.append(bits if some else before)
        return tuple(result)

    def _has_r(self, block: int) -> bool:
        """Some R stands in block t, or beside the t-th full layer."""
        return self.blocks[block] > 0 or (block > 0 and self.beside[block - 1])


def carries(layer: str) -> bool:
    """Whether a layer hands something on from token to token: R, a window, or R heads beside F."""
    return layer != "F"


def window_of(layer: str) -> int:
    """The length of a window, or of chunks; 0 for other layers."""
    return int(layer[1:]) if layer[0] in "WK" else 0


def reach_of(layers: Sequence[str]) -> int:
    """Σ (k−1) over windows of k tokens: how far they see together."""
    return sum(max(0, window_of(layer) - 1) for layer in layers)


def _window(text: str, position: int) -> tuple[int, int]:
    """The length that stands in brackets behind a W or a K, and the position behind them."""
    found = re.compile(r"\(([0-9]{1,10})\)").match(text, position)
    if found is None or not 2 <= int(found[1]) <= LONGEST_WINDOW:
        raise InputError(
            f"character {position} of the word: a window is written with its length in tokens, W(128), from 2 to "
            f"{LONGEST_WINDOW}; {_ACCEPTED}"
        )
    return int(found[1]), found.end()


def _layers(text: str) -> list[str]:
    """One pass with a stack of open groups: the layers of the innermost group grow, a closed group joins its parent."""
    open_groups: list[list[str]] = [[]]
    position = 0
    while position < len(text):
        letter = text[position]
        position += 1
        if letter == "(":
            open_groups.append([])
            continue
        if letter in "FR":
            item = [letter]
        elif letter in "WK":
            length, position = _window(text, position)
            item = [f"{letter}{length}"]
        elif letter == "[":
            if text[position - 1 : position + 3] not in _BESIDE:
                raise InputError(
                    f"character {position} of the word: only [FR] may stand in square brackets; {_ACCEPTED}"
                )
            item, position = ["FR"], position + 3
        elif letter == ")":
            if len(open_groups) == 1:
                raise InputError(f"character {position} of the word closes a group that was never opened; {_ACCEPTED}")
            item = open_groups.pop()
            if not item:
                raise InputError(f"character {position} of the word closes an empty group; {_ACCEPTED}")
        else:
            raise InputError(f"character {position} of the word is {shown(letter)}; {_ACCEPTED}")
        count, position = _count(text, position)
        if len(open_groups[-1]) + len(item) * count > MAX_LAYERS:
            raise InputError(f"the word has more than {MAX_LAYERS} layers, which is all that is read")
        open_groups[-1] += item * count
    if len(open_groups) > 1:
        raise InputError(f"{len(open_groups) - 1} group(s) of the word are never closed; {_ACCEPTED}")
    return open_groups[0]


def _count(text: str, position: int) -> tuple[int, int]:
    """The number that starts at a position (1 if there is none), and the position after it."""
    end = position
    while end < len(text) and text[end] in "0123456789":
        end += 1
    if end - position > len(str(MAX_LAYERS)):
        raise InputError(f"the word has more than {MAX_LAYERS} layers, which is all that is read")
    count = int(text[position:end] or 1)
    if count == 0:
        raise InputError(f"character {position + 1} of the word repeats something 0 times; a count is at least 1")
    return count, end
