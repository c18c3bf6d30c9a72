"""README.md: the statements of the proof book, and the few numbers beside its commands."""

from __future__ import annotations

from separation.pages.parts import Block, PageError, Part, Sentence

PAGE = "README.md"


def statements() -> str:
    from separation.verbs.proofs import proofs

    report = proofs(workers=1)
    failed = [row.statement.id for row in report.rows if not row.ok]
    if failed:
        raise PageError(f"{', '.join(failed)} does not hold: separation proofs says why")
    return report.markdown()


def million_tokens() -> tuple[object, ...]:
    from separation.tasks.funccomp import Sizes

    return (f"{Sizes.for_tokens(8, 1 << 20).length / 10**6:.0f}-million-token",)


def margin() -> tuple[object, ...]:
    from separation.verbs.prove import prove

    found = prove("C1", L=3, m=4, n=(4, 4)).margin
    if found is None:
        raise PageError("C1 is not proved at m = 4, n = (4, 4)")
    return (found.numerator, found.denominator)


def families() -> tuple[object, ...]:
    from separation.recurrences import FAMILIES

    return (len(FAMILIES),)


PARTS: tuple[Part, ...] = (
    Block(PAGE, "statements", statements, slow=True),  # tests/proofs_checks/test_statements.py compares row by row
    Sentence(PAGE, "--L 8 --tokens 1048576 # all inputs of a {} prompt", million_tokens),
    Sentence(PAGE, "report.ok, report.margin # True, Fraction({}, {})\n", margin),
    Sentence(PAGE, "| `separation/recurrences/` | {} linear attentions as recurrences", families),
)
