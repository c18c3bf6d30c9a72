"""How many hops a model can compose in one pass, by its config.json: python examples/audit_a_config.py config.json …

Without a file it audits two that ship with the package, by their names.
"""

import sys

from separation import audit

for row in audit(sys.argv[1:] or ["gpt2", "jamba_v0_1"]).document()["rows"]:
    hops, full, recurrent = row["depth"], row["buys"]["one_more_full"], row["buys"]["r_in_front"]
    print(f"{row['name']}, {row['word']}: {hops} hops at every size, {row['first_hard']} by no weights")
    print(f"  one more full layer adds {full} hops, an R layer in front {recurrent}")
