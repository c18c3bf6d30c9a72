"""Fuzzing of the command line and of the files that it reads: `python -m tools.fuzz --seconds 60`.

Everything follows from a seed, in one process or, with `--workers` or `--dask`, in pieces by several. Verbs and options
are read off the command line itself, so a new verb is tried without a word here. What must never be: a mistake of the
program (exit 70), an exception, more than one line for bad input, something that is not JSON where JSON was asked for,
control characters on standard error.
"""
