// A wrong input of a changed model, looked for in the page: the reader's own input first, then random ones.

import { follow, random, sample, tokenIds } from "./funccomp.mjs";
import { Overflow, answer, run } from "./run.mjs";

// {answer, expected, ok, overflow}: what the model says of an input.
function tried(model, instance) {
  const expected = follow(instance).hops.at(-1);
  try {
    const said = answer(model, run(model, tokenIds(instance)).streams.at(-1).at(-1), instance.sizes.N.at(-1)).answer;
    return { answer: said, expected, ok: said === expected };
  } catch (error) {
    if (!(error instanceof Overflow)) throw error;
    return { answer: null, expected, ok: false, overflow: error.message };
  }
}
// Calls `tell(count)` now and then; {instance, found, count}, instance null if all that were tried are right.
export async function wrongInput(
  model,
  first,
  { milliseconds = 2500, most = 4000, stopped = () => false, tell = () => {} },
) {
  const below = random(12345),
    end = performance.now() + milliseconds;
  let instance = first;
  for (let count = 1; count <= most && performance.now() < end; count += 1) {
    const found = tried(model, instance);
    if (!found.ok) return { instance, found, count };
    instance = sample(first.sizes, below);
    if (count % 8 === 0) {
      tell(count);
      await new Promise((done) => setTimeout(done));
      if (stopped()) return { instance: null, count, stopped: true };
    }
    if (count === most || performance.now() >= end) return { instance: null, count };
  }
  return { instance: null, count: 0 };
}
