"""What the teaching page shows and does not compute itself, as separation/lesson/record.json.

| file | what it collects |
|---|---|
| `book.py` | every statement with its status, its workers, and what its check said of each twin |
| `levels.py` | the decomposition of a small hybrid, level by level, and the pair at its end |
| `hierarchy.py` | words of real models, ceilings as curves, thresholds by L |
| `knowledge.py` | constructions as players: who told whom how many bits, which inputs each still holds possible |
| `examples.py` | certificates to try, good and bad |
"""
