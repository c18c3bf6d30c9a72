"""How many of what, in words: the one place where a noun gets its s."""

IRREGULAR = {"hypothesis": "hypotheses", "entry": "entries"}


def count(number: int, what: str, written: str | None = None) -> str:
    """3 layers, 1 head, 1,234 tokens; ``written``: the number as it is to stand there.

    >>> count(3, "full layer"), count(1, "head"), count(1234, "token"), count(0, "hypothesis")
    ('3 full layers', '1 head', '1,234 tokens', '0 hypotheses')
    >>> count(1 << 70, "bit", "2^70")
    '2^70 bits'
    """
    noun = what if number == 1 else IRREGULAR.get(what, f"{what}s")
    return f"{f'{number:,}' if written is None else written} {noun}"
