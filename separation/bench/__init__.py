"""How fast and how small: every figure is a ratio to a baseline measured in the same run.

    python -m separation.bench [NAME ...] [--quick] [--json]

| benchmark | what is measured | against |
|---|---|---|
| `closed_form` | the proof in closed form as the prompt grows | the shortest prompt, and L·log2² n |
| `general_path` | the proof by enumeration | the closed form, and one bare matrix product with its exponentials |
| `exact_run` | the exact run | all rows computed, and prompts one at a time |
| `start_up` | `separation --help` | `python -c pass` |
| `tracr_peer` | C1's size, time and reach | the same pointer chase compiled by Tracr |
"""
