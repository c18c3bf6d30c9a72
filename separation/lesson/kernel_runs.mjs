// Models that are run: docs/certificates.md, "Every input, and one wrong answer", from the page alone.
// Everything about numbers, tasks and the model file comes from kernel.mjs, which imports this file: `tools`.

export function runRules(tools) {
  const { Q, ZERO, ONE, Rejected, shaped, within, require, spend, asIndex, least, product, qmin, exponential, powerOfTwo, keyed, string, integer, number, list,
    tableRow, multiply, addVectors, dot, relu, sized, layout, readTask, readModel, sameTask, programTokens } = tools;

  // ------------------------------------------------------------------------------------ one token behind some others

  // What a head keeps of the tokens so far, and what it says at the next one; nothing that is kept is changed later.
  const weightOf = (model, x) => {  // ⌊2^P·e^x⌋
    require(x.sign <= 0, "a score above the shift");
    const key = `${x.n}/${x.d}`;
    if (!model.exponentials.has(key)) {
      const [low, high] = exponential(x, model.P + 256n).map((bound) => bound.mul(powerOfTwo(model.P)).floor());
      require(low === high, "a weight that the bounds of e^x do not decide");
      model.exponentials.set(key, low);
    }
    return new Q(model.exponentials.get(key), 1n);
  };
  function mean(model, head, query, pairs) {
    spend(8 * pairs.length);
    const weights = pairs.map(([key]) => weightOf(model, dot(query, key).sub(head.shift)));
    const below = weights.reduce((sum, weight) => sum.add(weight), ZERO);
    return Array.from({ length: head.dv }, (_, r) => (below.zero ? ZERO
      : pairs.reduce((sum, [, value], j) => sum.add(weights[j].mul(value[r])), ZERO).div(below).floorTo(model.grain)));
  }
  const STEPS = {
    full(model, head, kept, { q, k, v }) {
      const pairs = [...(kept ?? []), [k, v]];
      return [pairs, mean(model, head, q, pairs)];
    },
    sparse(model, head, kept, { q, k, v }) {
      const pairs = [...(kept?.pairs ?? []), [k, v]], blocks = [...(kept?.blocks ?? [])], B = head.block;
      const place = BigInt(pairs.length) - 1n, own = asIndex(place / B);  // the block of this token
      const heard = blocks.slice(0, own).map((summary, j) => ({ summary, j, score: dot(q, summary[0]) }));
      const opened = heard.slice().sort((a, b) => b.score.cmp(a.score) || a.j - b.j).slice(0, asIndex(least(head.opened, BigInt(own)))).map(({ j }) => j);
      const size = own > 0 || B <= BigInt(pairs.length) ? asIndex(B) : pairs.length;
      const tokens = opened.sort((a, b) => a - b).flatMap((j) => pairs.slice(j * size, (j + 1) * size));
      const said = mean(model, head, q, [...heard.map(({ summary }) => summary), ...tokens, ...pairs.slice(own * size)]);
      if ((place + 1n) % B === 0n) {  // the block is whole: its summary counts, though no token sees it yet
        const last = pairs.slice(own * size);
        const summary = (C, part) => sized(Array.from({ length: C.rows }, (_, r) => (C.at.get(r) ?? []).reduce((sum, [coordinate, amount, offset]) =>
          sum.add(amount.mul(last[asIndex(offset)][part][coordinate])), ZERO)), model);
        blocks.push([summary(head.C_K, 0), summary(head.C_V, 1)]);
      }
      return [{ pairs, blocks }, said];
    },
    linear(model, head, kept, { q, k, v }) {
      const feature = k.map(relu), asked = q.map(relu);
      const S = feature.map((amount, a) => sized(v.map((value, r) => amount.mul(value).add(kept ? kept.S[a][r] : ZERO)), model));
      const n = feature.map((amount, a) => amount.add(kept ? kept.n[a] : ZERO));
      if (head.normalised) sized(n, model);
      const sums = Array.from({ length: head.dv }, (_, r) => dot(asked, S.map((row) => row[r]))), below = dot(asked, n);
      return [{ S, n }, head.normalised ? sums.map((sum) => (below.zero ? ZERO : sum.div(below).floorTo(model.grain))) : sums];
    },
    delta(model, head, kept, { q, k, v, x }) {
      const gate = (name) => (name in head ? sized(addVectors(multiply(head[`W_${name.slice(2)}`], x), multiply(head[name], [ONE])), model) : []);
      const betas = gate("b_B"), alphas = gate("b_A"), clipped = (amount) => qmin(ONE, relu(amount));
      let S = kept ?? Array.from({ length: head.dk }, () => Array(head.dv).fill(ZERO));
      for (let u = 0; u < head.updates; u += 1) {
        const key = k.slice(u * head.dk, (u + 1) * head.dk), value = v.slice(u * head.dv, (u + 1) * head.dv);
        const beta = clipped(betas[u]), alpha = alphas.length > 0 ? clipped(alphas[u]) : ONE;
        const held = value.map((_, r) => dot(key, S.map((row) => row[r])));
        S = S.map((row, a) => sized(row.map((amount, r) =>
          alpha.mul(amount.sub(beta.mul(key[a]).mul(held[r]))).add(beta.mul(key[a]).mul(value[r]))), model));
      }
      return [S, Array.from({ length: head.dv }, (_, r) => dot(q, S.map((row) => row[r])))];
    },
  };
  STEPS.product = STEPS.delta;

  const projected = (head, x, model) => {
    const part = (name) => sized(head[`b_${name}`] && name !== "V" ? addVectors(multiply(head[`W_${name}`], x), multiply(head[`b_${name}`], [ONE]))
      : multiply(head[`W_${name}`], x), model);
    return { q: part("Q"), k: part("K"), v: part("V"), x };
  };
  function afterLayer(model, layer, x, outputs) {
    let y = sized(layer.heads.reduce((sum, head, h) => addVectors(sum, multiply(head.W_O, outputs[h])), x), model);
    for (const mlp of layer.mlps) {
      const hidden = sized(addVectors(multiply(mlp.W_1, y), multiply(mlp.b_1, [ONE])), model);
      y = sized(addVectors(y, addVectors(multiply(mlp.W_2, hidden.map(relu)), multiply(mlp.b_2, [ONE]))), model);
    }
    return y;
  }
  const embedded = (model, row, id) => sized(addVectors(tableRow(model.positions, row, model.d), tableRow(model.tokens, id, model.d)), model);
  // before: what all heads kept of the tokens before, or null.
  function nextToken(model, before, row, id) {
    let x = embedded(model, row, id);
    const kept = model.layers.map((layer, l) => {
      const found = layer.heads.map((head, h) => STEPS[head.type](model, head, before ? before.kept[l][h] : null, projected(head, x, model)));
      x = afterLayer(model, layer, x, found.map(([, said]) => said));
      return found.map(([keep]) => keep);
    });
    return { kept, stream: x };
  }
  function bothWays(model, rows, ids) {
    let stream = ids.map((id, t) => embedded(model, rows[t], id));
    for (const layer of model.layers) {
      const parts = layer.heads.map((head) => stream.map((x) => projected(head, x, model)));
      stream = stream.map((x, t) => afterLayer(model, layer, x, layer.heads.map((head, h) =>
        mean(model, head, parts[h][t].q, parts[h].map(({ k, v }) => [k, v])))));
    }
    return stream;
  }
  // What a stream says, and how far the right logit is above all others (null: there is no other).
  function spoken(model, stream, right) {
    let said = null, top = null, other = null, own = null;
    for (let answer = 0n; answer < model.unembedding.rows; answer += 1n) {
      const row = model.answers[asIndex(answer)];
      const logit = dot(row, stream);
      if (top === null || top.lt(logit)) { top = logit; said = answer; }
      if (answer === right) own = logit;
      else if (other === null || other.lt(logit)) other = logit;
    }
    return { said, above: other === null ? null : own.sub(other) };
  }

  // ------------------------------------------------------------------------------------------------- what is right

  const digitsOf = (value, sizes) => {
    const digits = [];
    for (const size of sizes.slice().reverse()) { digits.unshift(value % size); value /= size; }
    return digits;
  };
  const sizesOf = (kind) => kind.spelled.map(({ size }) => BigInt(size));
  const idsOf = (kind) => product(sizesOf(kind));
  const namesOf = (kind, task) => (task.task === "program" ? kind.distinct : kind.apart ? kind.names : []);

  // {tokens, rows, asked: [[place, right], …]}; null if a promise is broken.
  function rightAnswers(ids, model, kinds, groups) {
    const { task } = model;
    if (task.task === "program") {
      let tokens;
      try {
        tokens = programTokens(ids, task);
      } catch (error) {
        if (error instanceof Rejected) return null;
        throw error;
      }
      const rows = tokens.map(({ kind, values }) => kind.first + (kind.endless ? 0n : BigInt(values.get("position"))));
      const asked = tokens.filter(({ kind }) => kind === task.answering).map(({ place, values }) => [place, BigInt(values.get(task.answer.name))]);
      return { tokens: ids, rows, asked };
    }
    shaped(BigInt(ids.length) === task.tokens, "an input of another length");
    const read = [];
    for (const kind of kinds) for (let j = 0n; j < kind.count && read.length < ids.length; j += 1n) {
      const rest = ids[read.length] - kind.firstId;
      shaped(rest >= 0n && rest < idsOf(kind), "an id of another kind");
      const digits = digitsOf(rest, sizesOf(kind));
      read.push({ kind, place: read.length, values: new Map([["position", j], ...kind.spelled.map(({ name }, i) => [name, digits[i]])]) });
    }
    spend(16 * read.length);
    const rows = ids.map((_, t) => BigInt(t));
    if (task.task === "two_sum") {
      shaped(!ids.includes(0n), "0 does not occur");
      return { tokens: ids, rows, asked: ids.map((x, t) => [t, ids.slice(0, t + 1).includes(task.modulus - x) ? 1n : 0n]) };
    }
    if (task.task === "look_ups") {
      const found = lookedUp(read, task);
      return found && { tokens: ids, rows, asked: found };
    }
    const known = new Map(), tables = new Map();
    for (const { kind, values } of read) {
      if (kind.table > 0) tables.set(kind.table, [...(tables.get(kind.table) ?? []), values.get("value")]);
      else for (const [name, value] of values) known.set(name, value);
    }
    for (let l = 1; l <= task.L; l += 1) {
      const before = known.get(`i${l - 1}`);
      known.set(`i${l}`, tables.get(l)[asIndex(l === 1 ? before : known.get(`w${l - 1}`) * task.N[l - 2] + before)]);
    }
    const said = kinds.filter(({ emits }) => emits !== null).map(({ emits }) => groups[emits].first
      + groups[emits].spelled.reduce((sum, { name, size }) => sum * size + known.get(name), 0n));
    const tokens = [...ids, ...said.slice(0, -1)];
    return { tokens, rows: tokens.map((_, t) => BigInt(t)), asked: said.map((id, k) => [ids.length - 1 + k, id]) };
  }
  function lookedUp(read, task) {
    const of = new Map(task.kinds.map((kind) => [kind, read.filter((token) => token.kind === kind)]));
    const called = (names, token) => String(names.map(({ name }) => token.values.get(name)));
    for (const kind of task.kinds) if (kind.apart && new Set(of.get(kind).map((token) => called(kind.names, token))).size < of.get(kind).length) return null;
    for (const kind of task.kinds) for (const { name } of kind.spelled) {
      if (!kind.of.has(name)) continue;
      const target = task.kinds.find((other) => other.name === kind.of.get(name)), there = new Set(of.get(target).map((token) => called(target.names, token)));
      if (of.get(kind).some((token) => !there.has(String([token.values.get(name)])))) return null;
    }
    for (const { reader, kind, at, told } of task.finds) for (const token of of.get(reader)) {
      const found = of.get(kind).find((other) => called(kind.names, other) === called(at, token));
      for (const [theirs, ours] of told) token.values.set(ours, found.values.get(theirs));
    }
    return of.get(task.kinds.at(-1)).map(({ place, values }) => [place, values.get(task.answer.name)]);
  }
  // All prompts in lexicographic order, no two tokens of a kind with one name.
  function* everyPrompt(task, kinds) {
    const places = [];
    for (const kind of kinds) for (let j = 0n; j < kind.count && BigInt(places.length) < task.tokens; j += 1n) places.push(kind);
    const from = (kind) => kind.firstId + (task.task === "two_sum" ? 1n : 0n);
    const ids = [], names = [], next = [from(places[0])];
    while (next.length > 0) {
      const t = next.length - 1, kind = places[t], id = next[t];
      spend(16);
      ids.length = t;
      names.length = t;
      if (id >= kind.firstId + idsOf(kind)) { next.pop(); continue; }
      next[t] += 1n;
      const apart = namesOf(kind, task), digits = apart.length > 0 ? digitsOf(id - kind.firstId, sizesOf(kind)) : [];
      const name = apart.map((part) => digits[kind.spelled.findIndex((other) => other.name === part.name)]).join(",");
      if (apart.length > 0 && names.some((other, j) => places[j] === kind && other === name)) continue;
      ids.push(id);
      names.push(name);
      if (ids.length < places.length) next.push(from(places[ids.length]));
      else { spend(64 + 16 * ids.length); yield ids.slice(); }
    }
  }

  // --------------------------------------------------------------------------------------------------- the two kinds

  const SHAPE = ["task", "word", "attention", "precision_bits"];
  function readShape(fields, value) {
    const claimed = readTask(fields.task), word = string(fields.word, 2000), bits = keyed(fields.precision_bits, ["P", "p"], "precision_bits");
    shaped(["causal", "both"].includes(fields.attention), "attention is neither causal nor both");
    const P = integer(bits.P), p = integer(bits.p), program = value instanceof Map && value.get("task") instanceof Map && value.get("task").get("task") === "program";
    const { model } = readModel(value, [], program ? 1n << 20n : 1n << 14n);
    const { kinds, groups, rows } = program ? model.task : layout(model);
    within(model.unembedding.rows, 1n << 20n, "answers");
    for (const { heads } of model.layers) for (const head of heads) within(head.dk * head.dv * head.updates * head.updates, 1 << 22, "numbers of one state");
    [model.positions, model.tokens, model.unembedding].forEach((table, i) =>
      shaped(program ? table.rows === rows[i] : table.rows >= rows[i], "a row table of another length"));
    const check = () => {
      require(sameTask(claimed, model.task), "the model is for another task");
      require(word === model.word, "the model has another word");
      require(fields.attention === (model.both ? "both" : "causal"), "the model has another attention");
      require(P === model.P && p === model.p, "the model has another precision");
      model.exponentials = new Map();
      model.answers = Array.from({ length: asIndex(model.unembedding.rows) }, (_, answer) => tableRow(model.unembedding, BigInt(answer), model.d));
    };
    return { model, kinds, groups, check };
  }

  function checkExhaustive(claim, value) {
    const fields = keyed(claim, [...SHAPE, "inputs", "answers", "right", "margin"], "the claim");
    const claimed = ["inputs", "answers", "right"].map((key) => integer(fields[key])), margin = fields.margin === null ? null : number(fields.margin);
    const { model, kinds, groups, check } = readShape(fields, value);
    shaped(model.task.tokens !== null, "an endless kind");
    check();
    let inputs = 0n, answers = 0n, right = 0n, least = null, last = [];
    const path = [];
    for (const ids of everyPrompt(model.task, kinds)) {
      const found = rightAnswers(ids, model, kinds, groups);
      if (found === null) continue;
      const { tokens, rows, asked } = found;
      let streams;
      if (model.both) streams = bothWays(model, rows, tokens);
      else {
        let same = 0;
        while (same < last.length && same < tokens.length && last[same] === tokens[same]) same += 1;
        path.length = same;
        for (let t = same; t < tokens.length; t += 1) path.push(nextToken(model, t === 0 ? null : path[t - 1], rows[t], tokens[t]));
        streams = path.map(({ stream }) => stream);
        last = tokens;
      }
      inputs += 1n;
      for (const [place, truth] of asked) {
        const { said, above } = spoken(model, streams[place], truth);
        answers += 1n;
        if (said === truth) right += 1n;
        if (above !== null && (least === null || above.lt(least))) least = above;
      }
    }
    require(inputs > 0n, "no input meets the promises");
    [inputs, answers, right].forEach((count, i) => require(count === claimed[i], `${["inputs", "answers", "right answers"][i]}: there are ${count}`));
    require(margin === null || (right === answers && least !== null && margin.sign > 0 && margin.le(least)), "the margin is not reached");
    return `this model, word ${model.word || "without heads"}, ${model.both ? "attention both ways" : "causal"}, was run on all ${inputs} inputs of its task: ${right} of ${answers} answers are right`;
  }

  function checkWrong(claim, value) {
    const fields = keyed(claim, [...SHAPE, "input", "place", "said", "right"], "the claim");
    const ids = list(fields.input).map((id) => integer(id)), [place, said, right] = ["place", "said", "right"].map((key) => integer(fields[key]));
    const { model, kinds, groups, check } = readShape(fields, value);
    const found = rightAnswers(ids, model, kinds, groups);
    check();
    require(found !== null, "the input does not meet the promises");
    require(found.asked.some(([t, truth]) => BigInt(t) === place && truth === right), "another answer is right, or none is asked");
    let streams = [];
    if (model.both) streams = bothWays(model, found.rows, found.tokens);
    else {
      let before = null;
      found.tokens.forEach((id, t) => { before = nextToken(model, before, found.rows[t], id); streams.push(before.stream); });
    }
    const answer = spoken(model, streams[asIndex(place)], right);
    require(answer.said === said, `the model says ${answer.said}`);
    require(said !== right, "the answer is right");
    return `this model, word ${model.word || "without heads"}, answers an input of its task wrongly: at token ${place} it says ${said}, and ${right} is right`;
  }
  return { checkExhaustive, checkWrong };
}
