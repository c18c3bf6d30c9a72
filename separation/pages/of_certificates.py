"""docs/certificates.md: limits of the kernel."""

from __future__ import annotations

from separation.pages.parts import PageError, Part, Sentence

PAGE = "docs/certificates.md"
MEGABYTE = 1 << 20


def digits_of_a_number() -> tuple[object, ...]:
    from separation.proving.checker import MAX_DIGITS

    return (f"{MAX_DIGITS:,}",)


def longest_file() -> tuple[object, ...]:
    from separation.proving.checker import MAX_BYTES

    if MAX_BYTES % MEGABYTE:
        raise PageError(f"{MAX_BYTES} bytes are no whole number of megabytes")
    return (MAX_BYTES // MEGABYTE,)


PARTS: tuple[Part, ...] = (
    Sentence(PAGE, "decimal strings beyond (up to {} digits), `", digits_of_a_number),
    Sentence(PAGE, "Files of more than {} MB are not read", longest_file),
)
