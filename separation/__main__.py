"""`python -m separation` is the command line."""

from separation.cli import main

main()
