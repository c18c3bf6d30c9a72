"""Programs that are in no gallery, from the page alone: against plain Python, proved, and run on random inputs."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import numpy as np
import pytest

from separation.programs import Program, where
from separation.tasks.program.oracle import answers, random_input, spelled

Oracle = Callable[..., list[int]]


def last_different() -> tuple[Program, Oracle]:
    """There is no !=: the latest smaller and the latest larger one, then the later of the two."""
    p = Program("last different")
    _, text = p.start(), p.tokens("text", 4, s=3)
    found = []
    for relation in (text.s < text.s, text.s > text.s):
        found += [text.latest(where(relation), read=v, default=4) for v in (text.s, text.position)]

    def later(a: int, i: int, b: int, j: int) -> int:
        return a if (i + 1) % 5 > (j + 1) % 5 else b

    p.answer(p.map(later, *found, size=5))
    return p, lambda text: [
        next((y["s"] for y in reversed(text[:i]) if y["s"] != x["s"]), 4) for i, x in enumerate(text)
    ]


def most_frequent() -> tuple[Program, Oracle]:
    """Of the letters that occur most often so far the smallest."""
    p = Program("mode")
    _, text = p.start(), p.tokens("text", 4, s=3)
    times = text.count(where(text.s == text.s))
    p.answer(text.smallest(text.s, where(times == text.largest(times, name="top"))))

    def modes(text: list[dict[str, int]]) -> list[int]:
        letters = [token["s"] for token in text]
        return [max(range(3), key=letters[: i + 1].count) for i in range(len(letters))]

    return p, modes


def median_of_fifteen() -> tuple[Program, Oracle]:
    p = Program("median")
    _, once, again, end = p.start(), p.tokens("once", 15, v=4), p.tokens("again", 15, v=4), p.tokens("end", 1)
    p.promise(lambda a, b: a == b, once.find(where(once.position == again.position), read=once.v), again.v)
    less, ties = once.count(where(once.v < again.v)), once.count(
        where(once.v == again.v, once.position < again.position), name="ties"
    )  # fmt: skip
    rank = p.map(lambda a, b: a + b if a + b < 15 else None, less, ties, size=15, name="rank")
    p.answer(again.find(where(rank == 7), read=again.v, at=end, once=True))
    return p, lambda once, **_: [median(token["v"] for token in once)]


def three_back() -> tuple[Program, Oracle]:
    """Names that are made are names, however often; conditions may be handed over together."""
    p = Program("three back")
    _, text = p.start(), p.tokens("text", 4, s=3)
    found = text.s
    for _ in range(3):
        found = text.previous(found, default=3)
    for _ in range(3):
        found = text.latest((where(text.s < 3), where(text.position == text.position)), read=found)
    p.answer(found)
    return p, lambda text: [3, 3, 3, text[0]["s"]]


def clauses() -> tuple[Program, Oracle]:
    """An assignment, then clauses of three literals: do all so far hold?"""
    p = Program("3-SAT")
    _, var = p.start(), p.tokens("var", 3, v=2)
    clause = p.tokens("clause", 3, **{f"{what}{k}": size for k in range(3) for what, size in (("i", 3), ("not", 2))})
    signs = [getattr(clause, f"not{k}") for k in range(3)]
    values = [var.find(where(var.position == getattr(clause, f"i{k}")), read=var.v, name=f"v{k}") for k in range(3)]
    holds = p.map(lambda *x: any(a != b for a, b in zip(x[:3], x[3:], strict=True)), *values, *signs, size=2)
    p.answer(p.scan(lambda so_far, now: so_far & now, holds, start=1, size=2, name="all"))

    def sat(var: list[dict[str, int]], clause: list[dict[str, int]], **_: object) -> list[int]:
        held = [any(var[c[f"i{k}"]]["v"] != c[f"not{k}"] for k in range(3)) for c in clause]
        return [int(all(held[: i + 1])) for i in range(3)]

    return p, sat


def seen_at_every_length() -> tuple[Program, Oracle]:
    """A state keeps whether there was a match; attention would look at any number of tokens."""
    p = Program("a one so far")
    _, text = p.start(), p.tokens("text", any, x=3)
    p.answer(text.exists(where(text.x == 1)))
    return p, lambda text: [int(any(y["x"] == 1 for y in text[: i + 1])) for i in range(len(text))]


def table_for_words_of_every_length() -> tuple[Program, Oracle]:
    """Attention would weigh any number of tokens beside those of the table: a state keeps it."""
    p = Program("a table, then any word")
    _, table, word = p.start(), p.tokens("table", 3, v=4), p.tokens("word", any, x=2)
    place = p.scan(lambda s, x: (s + x) % 3, word.x)
    p.answer(table.find(where(table.position == place), read=table.v))

    def row(table: list[dict[str, int]], word: list[dict[str, int]], **_: object) -> list[int]:
        return [table[sum(y["x"] for y in word[: i + 1]) % 3]["v"] for i in range(len(word))]

    return p, row


def quotient_of_what_is_promised() -> tuple[Program, Oracle]:
    """A rule is not asked where an earlier promise leaves no input, and the answer follows from the cases left."""
    p = Program("quotient")
    token = p.tokens("token", 2, a=4, b=4)
    p.promise(lambda a, b: 0 < b <= a, token.a, token.b)
    p.answer(p.map(lambda a, b: a // b, token.a, token.b))
    return p, lambda token, **_: [x["a"] // x["b"] for x in token]


def loop_body() -> tuple[Program, Oracle]:
    """Each variable of the next thought is a map of some of this one's: no law alone says what all of them are."""
    p = Program("loop body")
    thought = p.tokens("thought", 2, n=4, a=2, b=2)
    n = p.map(lambda n: (n + 1) % 4, thought.n, size=4, name="next_n")
    a = p.map(lambda n, a, b: a ^ b if n > 1 else a, thought.n, thought.a, thought.b, size=2, name="next_a")
    p.next_thought(thought, n=n, a=a, b=p.map(lambda n, b: b ^ (n == 3), thought.n, thought.b, size=2, name="next_b"))

    def body(n: int, a: int, b: int, **_: int) -> int:
        return 4 * ((n + 1) % 4) + 2 * (a ^ b if n > 1 else a) + (1 - b if n == 3 else b)

    return p, lambda thought, **_: [body(**token) for token in thought]


def sum_from_the_highest_bit(by: str = "equal") -> tuple[Program, Oracle]:
    """A carry comes from the first column behind this one whose bits are equal; ``by``: what `half` is defined by."""
    p = Program("sum from the highest bit")
    _, column, place = p.start(), p.tokens("column", 3, a=2, b=2), p.tokens("place", 3)
    equal = p.map(lambda a, b: a == b, column.a, column.b, size=2, name="equal")
    half = p.map(lambda e: 1 - e, equal) if by == "equal" else p.map(lambda a, b: a ^ b, column.a, column.b)
    behind = where(equal == 1, column.position > place.position)
    carry = column.first(behind, read=column.a, default=0, name="carry")
    p.answer(
        p.map(lambda h, c: h ^ c, column.find(where(column.position == place.position), read=half, name="h"), carry)
    )

    def added(column: list[dict[str, int]], **_: object) -> list[int]:
        total = sum(int("".join(str(c[name]) for c in column), 2) for name in "ab")
        return [total >> bit & 1 for bit in (2, 1, 0)]

    return p, added


def after_backspaces(asked: str = "key") -> tuple[Program, Oracle]:
    """The last letter that no backspace (key 2) took away: the latest one pushed at this height."""
    p = Program("after backspaces")
    _, text = p.start(), p.tokens("text", 4, key=3)
    p.scan(lambda h, key: min(h + 1, 4) if key < 2 else max(h - 1, 0), text.key, size=5, name="height")
    pushed = where(text.key < 2)
    if asked == "letter":
        pushed = where(p.map(lambda key: key < 2, text.key, size=2, name="letter") == 1)
    p.answer(text.latest((pushed, where(text.height == text.height)), read=text.key, default=2, name="top"))

    def left(text: list[dict[str, int]], **_: object) -> list[int]:
        stack, tops = [], []
        for token in text:
            stack = [*stack, token["key"]] if token["key"] < 2 else stack[:-1]
            tops.append(stack[-1] if stack else 2)
        return tops

    return p, left


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (sum_from_the_highest_bit("a, b")[0], "said in carry, h:equal (equal of the token that h finds)"),
        (after_backspaces("letter")[0], "said in top? (whether top finds a token)"),
    ],
)
def test_what_does_not_follow_says_in_which_variables_the_weights_hold_it(program: Program, line: str) -> None:
    """The same two programs are proved as the page says what helps."""
    found = program.compile(bit_by_bit=False).prove()
    assert not found.ok
    assert found.failure.endswith(f"answer: a wrong answer is not below the right one: what stands there is {line}")


@pytest.mark.parametrize(
    "made",
    [
        sum_from_the_highest_bit,
        after_backspaces,
        last_different,
        most_frequent,
        three_back,
        median_of_fifteen,
        clauses,
        seen_at_every_length,
        table_for_words_of_every_length,
        quotient_of_what_is_promised,
        loop_body,
    ],
)
def test_it_means_what_plain_python_says_and_is_proved(made: Callable[[], tuple[Program, Oracle]]) -> None:
    program, oracle = made()
    compiled, proof = program.compile().proved()
    assert proof.ok, proof.failure
    definitions, random = program.definitions, np.random.default_rng(0)
    for number in range(60):
        ids = random_input(definitions, random)
        tokens: dict[str, list[dict[str, int]]] = {}
        for kind, token in spelled(definitions, ids):
            tokens.setdefault(kind, []).append(token)
        tokens.pop("start", None)
        right = answers(definitions, ids)
        assert oracle(**tokens) == right
        assert number > 5 or compiled.run(ids) == right
