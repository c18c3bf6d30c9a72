"""A task of one's own, two-hop recall, as a program: ten lines, exact weights, a proof for all inputs, a certificate.

The prompt: pairs of a key and a value, keys distinct; then one query, a key. The answer is the value of the value. The
definitions are the task: oracle, prompts, weights and proof all follow from them.
"""

from separation.programs import Program, where

p = Program("two-hop recall")
pair = p.tokens("pair", 6, key=8, value=8, distinct="key")
query = p.tokens("query", 1, asked=8)
middle = pair.find(where(pair.key == query.asked), read=pair.value, name="middle")
p.answer(pair.find(where(pair.key == middle), read=pair.value, name="end"))

compiled = p.compile()
print(compiled.show())
proof = compiled.prove()
print(proof.sentence)
assert proof.ok

task = compiled.construction.task
instance = task.sample(seed=0)
print("prompt", instance.ids, "answers", compiled.run(instance.ids), "as the definitions say", p.run(instance.ids))
assert compiled.run(instance.ids) == p.run(instance.ids)
