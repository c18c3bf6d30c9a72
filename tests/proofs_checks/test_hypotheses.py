"""What statements suppose: the witness meets what is claimed of it, and what is excluded would make the claim false."""

from __future__ import annotations

from fractions import Fraction

from proofs_checks.statements import m, s1, s2, s3
from separation.bounds import Message


def test_scores_are_as_s1_says_for_codes_alone() -> None:
    def holds(query: tuple[int, ...], key: tuple[int, ...], temperature: int) -> bool:
        """A key that differs from the query scores at most τ·(b − 2), and τ·(b − 2h) exactly."""
        distance = sum(x != y for x, y in zip(query, key, strict=False)) + abs(len(query) - len(key))
        score = temperature * sum(x * y for x, y in zip(query, key, strict=False))
        return score == temperature * (len(query) - 2 * distance) <= temperature * (len(query) - 2)

    assert holds(*s1.WITNESS)
    assert not any(holds(*hypothesis.outside) for hypothesis in s1.STATEMENT.hypotheses[1:])


def test_other_keys_leak_more_than_s2_says_if_a_hypothesis_is_dropped() -> None:
    """In powers of q: as many keys at each distance as there are codes, at most."""
    q = Fraction(1, 10)

    def leaks(keys: s2.Keys) -> bool:
        distances = [sum(x != y for x, y in zip(code, keys.match, strict=True)) for code in keys.others]
        return sum(q**distance for distance in distances) <= (1 + q) ** len(keys.match) - 1

    assert leaks(s2.WITNESS)
    _, distinct, no_match = s2.DISTINCT.hypotheses
    assert not leaks(no_match.outside)
    # Two keys at distance 1 are all there are of b = 2; a third needs a repetition.
    assert not leaks(distinct.outside._replace(others=(*distinct.outside.others, (1, -1))))


def test_a_look_up_is_off_by_more_than_s3_says_if_a_hypothesis_is_dropped() -> None:
    def is_within(seen: s3.LookUp) -> bool:
        bound = s3.error_bound(seen.leak, seen.length, seen.step)
        return abs(seen.out - seen.match_value) <= bound

    assert is_within(s3.WITNESS)
    assert not any(is_within(hypothesis.outside) for hypothesis in s3.LOOK_UP.hypotheses)


def test_the_clip_returns_another_number_if_a_hypothesis_is_dropped() -> None:
    own = s3.CLIPPED
    assert s3.clip(s3.CLIP, own.witness.x) == own.witness.bit
    for hypothesis in own.hypotheses:
        assert s3.clip(s3.CLIP, hypothesis.outside.x) != hypothesis.outside.bit


def test_one_token_more_does_not_fit() -> None:
    """M1 at the edge: four of four tokens, all with the largest weight and value, need a bit more."""
    own = m.MESSAGE
    tokens, power, bits, weights, values = own.hypotheses[0].outside
    logarithm = (tokens - 1).bit_length()
    numerator = sum(weight * value for weight, value in zip(weights, values, strict=True))
    assert 2 * numerator + 1 > 1 << (power + bits + logarithm + 1)
    assert Message(1, 1, bits, power).beta(logarithm) == (power + bits + logarithm + 1) + power + logarithm
