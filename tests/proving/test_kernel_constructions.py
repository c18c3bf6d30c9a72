"""Whole constructions: the kernel accepts C1 at all sizes and in other forms.

What it accepts is compared with a plain exact evaluation of the model on all inputs. Changed ones: tests/certificates
and tests/fuzzing.
"""

from __future__ import annotations

import itertools
import json

from kernel_cases import SIZES, construction
from run_truth import construction_holds

from separation.proving.kernel import check_text


def test_c1_is_accepted_and_every_field_of_its_claim_is_said() -> None:
    for (m, n), stored in itertools.product(SIZES, (False, True)):
        document = construction(m, n, stored=stored)
        verdict = check_text(json.dumps(document))
        assert verdict.ok, verdict.message
        del document["claim"]["construction"]  # a label, of which nothing is claimed
        heads = [head for layer in document["model"]["layers"] for head in layer["heads"]]
        dim = max(head["W_V"]["shape"][0] for head in heads)
        found = {"attention": "causal", "message": {"heads": 1, "dim": dim, **document["claim"]["precision_bits"]}}
        assert (verdict.kind, verdict.claim) == ("construction", document["claim"] | found)
        if (m, n) in [(2, []), (3, []), (2, [1]), (1, [2])]:
            assert construction_holds(document)
