"""`python -m separation` is the command line."""

from separation.verbs.command_line import main

main()
