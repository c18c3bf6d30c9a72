"""Mutation testing: mutmut's changes of the kernel, of bounds and of proving, each run against the tests that reach it.

    python -m tools.mutation kernel                     every mutant of the kernel
    python -m tools.mutation bounds --sample 300        300 seeded ones

How it is done is in docs/mutation.md; the results are written there by this package.
"""
