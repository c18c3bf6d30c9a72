"""The corpus of certificates: `python -m tools.corpus` writes the folder corpus/, byte for byte the same each time.

| file | what it holds |
|---|---|
| `entries` | an entry of the manifest, and ways to change a document |
| `constructions` | constructions that hold, from the project's own weights |
| `variants` | the same models written in other ways |
| `wrong_constructions`, `breaking` | constructions that are false or that no rule shows, and how they are made |
| `bounds`, `decisions` | theorems A to D, each next to its false neighbour |
| `sharper` | bounds by A2 to BL, decisions by them, and accuracy ceilings |
| `pairs`, `changed_pairs` | pairs of inputs and of compression maps; the same with single changes |
| `single_rules` | what one rule alone keeps from being accepted |
| `texts`, `limits` | what is not a certificate; what is beyond the limits of a checker |
"""
