"""The theorems, one file each: the inequalities at given integers, exact, and nothing of how integers are found.

`search/` finds integers; `catalogue` has each theorem as an object with its inequalities and its search, and `bound`
and `decide` ask all of them. To add a theorem about FuncComp:

1. Write `theorems/theorem_x.py`: a function from the integers in its inequalities to an outcome with all of them.
2. Give the outcome the members of `theorem.Ground`: sizes, β, and the claim and the choice of its certificate.
3. Write its search in `search/`, or a closed form next to the function as in `theorem_c.py`, the shortest example.
4. Write `class TheoremX(FuncCompTheorem[…])` and put an instance into `THEOREMS`, both in `catalogue.py`.
5. Teach the kernel its inequalities (`proving/kernel.py`, docs/certificates.md), so that its certificates are accepted.
6. Test it against a second implementation, and each inequality against a broken twin (tests/bounds).
"""
