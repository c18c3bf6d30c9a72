"""The verbs: one file each, with its options, its function (the Python API), its report and its table.

| file | what it holds |
|---|---|
| `command_line` | `main`: from the arguments to the exit status; how every verb ends |
| `commands` | a verb's signature as a command of typer, and its report printed |
| `options` | options that several verbs share, and how what is typed is read |
| `subjects` | from options to sizes and a construction, refused where it would take too long |
| `budgets` | from options to a word of layers, β and Λ, refused where no search could be done |
| `hard_sizes` | certified sizes in words, however long their numbers are |
| `report` | what reports share: JSON, text and HTML from one description; tables |
| `progress` | a bar, or lines, on standard error |
| `check_alone` | `check` with nothing loaded but the kernel |

All others are verbs. Nothing is imported here: a command loads its own verb and no other.
"""

GROUPS = {
    "Everything at once": {
        "verify": "Prove all constructions and check all statements (about half a minute on two free processors).",
        "proofs": "Check the proof book: every statement, its broken twins, what it supposes, and what rests on what.",
        "lesson": "Write the teaching page: see the proof run, and break it. One file, no network.",
    },
    "Upper bounds: constructions": {
        "prove": "Prove a construction, or a model file, for all inputs at given sizes; or refute it with an input.",
        "solve": "Run one instance exactly; show the hops and where attention looked.",
        "show": "Print the weights as named blocks, and the invariants, as in a paper; what a file does not state is"
        " inferred.",
        "infer": "Infer the strongest invariants that the rules give to weights, whatever is stated of them.",
        "programs": "List the gallery of programs, each compiled to exact weights and proved; or show one of them.",
        "constructions": "List all constructions: layers, heads, width, precision and state bits, measured and as"
        " formulas.",
    },
    "Floats: the same weights in torch": {
        "crosscheck": "Run a construction in torch; compare answers with the exact run and errors with proved bounds"
        " (needs torch).",
        "export": "Write a checkpoint that a stock class of transformers loads, and test it with that class (needs"
        " torch).",
    },
    "Lower bounds: what cannot be": {
        "decide": "Decide whether a word of layers solves L-FuncComp, and by which construction; or by which theorem it"
        " does not.",
        "bound": "Find the shortest prompt at which an impossibility is certified, and compare it with what the papers"
        " ask for.",
        "sweep": "Ask bound or decide at every combination of values, shared out over processes or over a cluster.",
        "ceiling": "Bound the accuracy that any model of a word of layers can have on random inputs, at exactly these"
        " sizes.",
        "recurrences": "List the recurrent families with their states in bits; check that each equals its parallel"
        " form.",
        "fool": "Find two inputs that a model cannot tell apart though their answers differ, and run both again.",
    },
    "Your model": {
        "stress": "Put a model of your own to the test: accuracy by family, hop and length, and the smallest failure.",
        "audit": "Say what a model can compose in one pass, what is certified beyond that, and what would help.",
        "compare": "Put words of layers side by side: depth, KV bytes a token, state bytes, and the largest accuracy at"
        " given sizes.",
        "matrix": "Say of tasks such as recall, copying, parity and majority what each architecture can do, and why.",
        "design": "Find the order of layers with the greatest depth for a budget, and how many orders reach it.",
    },
    "Trained models": {
        "experiment": "Train small models and draw their accuracy next to what is proved (needs torch); a stopped one"
        " goes on."
    },
    "The protocol: who tells whom what": {
        "simulate": "Run a model as players who own parts of the prompt; count the bits of all messages."
    },
    "Certificates": {
        "check": "Check a certificate with the standard-library kernel alone: exit 0 accepted, 1 rejected, 2 no"
        " verdict."
    },
}
"""Every verb by its group, with the sentence that `separation --help` shows; its file has the same name."""
