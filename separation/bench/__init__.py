"""How fast and how small: every figure is a ratio to a baseline measured in the same run.

    python -m separation.bench [NAME ...] [--quick] [--json]

| benchmark | what is measured | against |
|---|---|---|
| `protocol` | the run as players | the forward pass |
| `float_runs` | the last row of a float run | a stock GPT-2, reading the keys once, prompts one at a time |
| `stress_kit` | the stress kit with C1 as its solver | C1's exact run alone |
| `start_up` | `separation --help`, and `separation check` of a small certificate | `python -c pass` |
| `workers` | the same pieces of work by two workers | one worker |
| `lesson_page` | the teaching page until it is usable, in Chromium | an empty page |
"""
