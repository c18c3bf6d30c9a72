"""The verbs, one module each; every verb returns a report with `ok` and `document()`, the JSON of the command line.

Nothing is imported here: a command loads its own verb and no other.
"""
