from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from funccomp_cases import SIZES, TINY, instances, quick, small_sizes
from hypothesis import given
from hypothesis import strategies as st

from separation.files import InputError
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, hops, prompt
from separation.tasks.shape import Fact, Variable


def test_the_numbers_of_one_example() -> None:
    sizes = Sizes(3, (2, 5))
    assert sizes.L == 3
    assert sizes.N == (3, 6, 30)
    assert sizes.length == 3 + 6 + 30 + 2
    assert sizes.queries == 10
    assert sizes.vocabulary == 40
    assert [sizes.table_start(level) for level in (3, 2, 1)] == [0, 30, 36]
    assert sizes.count_inputs() == 3 * 10 * 3**3 * 6**6 * 30**30


def test_one_table() -> None:
    sizes = Sizes(4, ())
    assert (sizes.L, sizes.N, sizes.length, sizes.queries, sizes.vocabulary) == (1, (4,), 6, 1, 5)
    assert sizes.shape().kind("w").value == ()
    assert sizes.shape().kind("w").id_count == 1


@pytest.mark.parametrize(
    ("m", "n", "text"),
    [
        (1, (), "m is 1; allowed are 2 and above"),
        (True, (), "m is True; an integer is needed"),
        (2.0, (), "m is 2.0; an integer is needed"),
        (2, (3, 0), "n_2 is 0; allowed are 1 and above"),
        (2, (False,), "n_1 is False; an integer is needed"),
        (2, ("3",), "n_1 is '3'; an integer is needed"),
        (2, [3], "n is [3]; a tuple of integers is needed"),
        (2, 3, "n is 3; a tuple of integers is needed"),
    ],
)
def test_bad_sizes(m: Any, n: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        Sizes(m, n)
    assert str(caught.value) == text


def test_sizes_are_values() -> None:
    sizes = Sizes(3, (2,))
    assert sizes.N == (3, 6)
    assert sizes == Sizes(3, (2,))
    assert hash(sizes) == hash(Sizes(3, (2,)))
    with pytest.raises(dataclasses.FrozenInstanceError):
        sizes.m = 4  # type: ignore[misc]


@pytest.mark.parametrize(
    ("L", "n", "text"),
    [
        (3, [4], "L = 3 needs 2 values of n (n_1, n_2), got 1"),
        (1, [4], "L = 1 needs no values of n, got 1"),
        (2, [], "L = 2 needs 1 value of n (n_1), got 0"),
        (5, [1, 1], "L = 5 needs 4 values of n (n_1..n_4), got 2"),
        (0, [], "L is 0; allowed are 1 and above"),
        (True, [], "L is True; an integer is needed"),
        (2, "4", "n is '4'; a list of integers is needed"),
        (2, [0], "n_1 is 0; allowed are 1 and above"),
    ],
)
def test_from_lists_refuses(L: Any, n: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        Sizes.from_lists(L, 4, n)
    assert str(caught.value) == text


@quick
@given(small_sizes)
def test_from_lists(sizes: Sizes) -> None:
    assert Sizes.from_lists(sizes.L, sizes.m, list(sizes.n)) == sizes


@quick
@given(st.integers(1, 9), st.integers(1, 2**40))
def test_for_tokens_is_the_smallest(L: int, tokens: int) -> None:
    sizes = Sizes.for_tokens(L, tokens)
    assert sizes.L == L
    assert set(sizes.n) <= {sizes.m}
    assert sizes.m.bit_count() == 1
    assert sizes.length >= tokens
    assert sizes.m == 2 or Sizes(sizes.m // 2, (sizes.m // 2,) * (L - 1)).length < tokens


def test_for_tokens_at_the_edge() -> None:
    assert Sizes.for_tokens(2, 22) == Sizes(4, (4,))
    assert Sizes.for_tokens(2, 23) == Sizes(8, (8,))
    assert Sizes.for_tokens(1, 1) == Sizes(2, ())


@pytest.mark.parametrize(
    ("L", "tokens", "text"),
    [
        (0, 5, "L is 0; allowed are 1..1000"),
        (10**9, 5, "L is 1000000000; allowed are 1..1000"),
        (2, 0, "tokens is 0; allowed are 1 and above"),
        (2, 2.5, "tokens is 2.5; an integer is needed"),
    ],
)
def test_for_tokens_refuses(L: Any, tokens: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        Sizes.for_tokens(L, tokens)
    assert str(caught.value) == text


@pytest.mark.parametrize("level", [0, 4, -1])
def test_table_start_refuses(level: int) -> None:
    with pytest.raises(InputError, match=f"level is {level}; allowed are 1..3"):
        Sizes(2, (2, 2)).table_start(level)


@quick
@given(small_sizes)
def test_logarithms_of_the_count(sizes: Sizes) -> None:
    count = sizes.count_inputs()
    assert count == sizes.m * math.prod(sizes.n) * math.prod(size**size for size in sizes.N)
    assert sizes.inputs_log2_floor() == count.bit_length() - 1
    assert sizes.inputs_log2() == pytest.approx(math.log2(count), rel=1e-12)


def test_logarithm_at_huge_powers_of_two() -> None:
    sizes = Sizes(2**24, (2**24, 2**24))
    expected = 24 + 48 + sum(24 * k * 2 ** (24 * k) for k in (1, 2, 3))
    assert sizes.inputs_log2_floor() == expected
    assert sizes.inputs_log2() == pytest.approx(expected)


def test_logarithm_beyond_floats() -> None:
    sizes = Sizes(2**2000, ())
    assert sizes.inputs_log2() == math.inf
    assert sizes.inputs_log2_floor() == 2000 + 2000 * 2**2000


def test_count_is_refused_when_it_is_too_long() -> None:
    # 2^16·16 + 16 bits and one more are too many; 2^15·15 + 15 and one are not.
    with pytest.raises(InputError) as caught:
        Sizes(2**16, ()).count_inputs()
    assert str(caught.value) == "the number of inputs has 1048593 bits; at most 1000000 are written out"
    assert Sizes(2**15, ()).count_inputs() == 2 ** (15 + 15 * 2**15)


@pytest.mark.parametrize("sizes", TINY)
def test_count_is_the_number_of_inputs(sizes: Sizes) -> None:
    assert len(set(enumerate_inputs(sizes))) == sizes.count_inputs()


def test_shape_of_one_example() -> None:
    shape = Sizes(3, (2, 5)).shape()
    assert [kind.name for kind in shape.kinds] == ["table 3", "table 2", "table 1", "z0", "w"]
    assert [kind.start for kind in shape.kinds] == [0, 30, 36, 39, 40]
    assert [kind.first_id for kind in shape.kinds] == [0, 0, 0, 0, 30]
    assert shape.kind("table 3").address == (Variable("digit", 5), Variable("index", 6))
    assert shape.kind("table 2").address == (Variable("digit", 2), Variable("index", 3))
    assert shape.kind("table 1").address == (Variable("index", 3),)
    assert [shape.kind(f"table {level}").value for level in (1, 2, 3)] == [(Variable("value", k),) for k in (3, 6, 30)]
    assert shape.kind("z0").value == (Variable("i0", 3),)
    assert shape.kind("w").value == (Variable("w1", 2), Variable("w2", 5))
    names = {variable.name: variable.size for variable in shape.global_variables}
    assert names == {"w1": 2, "w2": 5, "i0": 3, "i1": 3, "i2": 6, "i3": 30}
    assert shape.facts == (
        Fact("table 1", ("i0",), (("value", "i1"),)),
        Fact("table 2", ("w1", "i1"), (("value", "i2"),)),
        Fact("table 3", ("w2", "i2"), (("value", "i3"),)),
    )
    assert [group.address for group in shape.outputs] == [(Variable("answer", 30),)]
    assert shape.emissions == (Fact("answer", ("i3",), reader="w"),)
    assert shape.vocabulary == 40


@pytest.mark.parametrize("sizes", SIZES)
def test_shape_tiles_the_prompt(sizes: Sizes) -> None:
    shape = sizes.shape()
    assert shape.kinds[0].start == 0
    assert all(kind.stop == after.start for kind, after in zip(shape.kinds, shape.kinds[1:], strict=False))
    assert shape.length == sizes.length
    assert shape.answer_kind.name == "w"
    assert shape.answer_kind.first_id + shape.answer_kind.id_count == shape.vocabulary
    assert all(kind.id_count == sizes.N[int(kind.name[6:]) - 1] for kind in shape.kinds[:-2])


def hops_by_facts(instance: Instance) -> list[int]:
    """The hops from the prompt's tokens and the shape's facts alone."""
    tokens = {(token.kind, token.address): token.value for token in prompt(instance)}
    shape = instance.sizes.shape()
    known: dict[str, int] = {}
    for name in ("z0", "w"):
        variables = [variable.name for variable in shape.kind(name).value]
        known |= dict(zip(variables, tokens[name, ()], strict=True))
    for fact in shape.facts:
        ((own, result),) = fact.values
        assert own == "value"
        (known[result],) = tokens[fact.kind, tuple(known[name] for name in fact.address)]
    return [known[f"i{level}"] for level in range(instance.sizes.L + 1)]


def knowledge(instance: Instance) -> dict[tuple[str, tuple[int, ...]], dict[str, int]]:
    """All variables of every token by definition: address, value, and for tables the hops that follow."""
    sizes, result = instance.sizes, {}
    for token in prompt(instance):
        kind = sizes.shape(causal=False).kind(token.kind)
        known = dict(zip((v.name for v in (*kind.address, *kind.value)), (*token.address, *token.value), strict=True))
        if token.kind.startswith("table"):
            hop, level = token.value[0], int(token.kind[6:])
            for further in range(level + 1, sizes.L + 1):
                hop = instance.tables[further - 1][instance.w[further - 2] * sizes.N[further - 2] + hop]
                known[f"h{further}"] = hop
        result[token.kind, token.address] = known
    return result


@quick
@given(instances())
def test_facts_of_an_encoder_are_true_of_every_reader(instance: Instance) -> None:
    shape, tokens = instance.sizes.shape(causal=False), knowledge(instance)
    shared = {**tokens["w", ()], **{f"i{level}": hop for level, hop in enumerate(hops(instance))}}
    for fact in shape.facts:
        readers = [{}] if fact.reader is None else [own for (kind, _), own in tokens.items() if kind == fact.reader]
        for reader in readers:
            known = {**shared, **reader}
            found = tokens[fact.kind, tuple(known[name] for name in fact.address)]
            assert all(found[own] == known[name] for own, name in fact.values)
            kind = shape.kind(fact.kind)
            assert {own for own, _ in fact.values} == {variable.name for variable in (*kind.value, *kind.further)}


@quick
@given(instances())
def test_facts_define_the_hops(instance: Instance) -> None:
    assert hops_by_facts(instance) == list(hops(instance))
