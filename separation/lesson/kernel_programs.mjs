// Constructions whose task is a program: docs/certificates.md, "Programs" and "Proving programs", from the page alone.
// Everything about numbers and the dialect of JSON comes from kernel.mjs, which imports this file: `tools`.
// Machine's numbers are used for indices and sizes alone (of variables, tables, masks of bits), by `asIndex`.

const CASES = 131072;  // joint values that are tried one by one, and entries of a table
const JOINED = 262144;  // where variables are left out one by one
const PAIRS = 262144;  // of names, in one question
const ANSWERS_BY_CASES = 362;  // 362² cases
const RELATIONS = {
  "=": (a, b) => a === b, "≠": (a, b) => a !== b, "<": (a, b) => a < b, ">": (a, b) => a > b, "≤": (a, b) => a <= b, "≥": (a, b) => a >= b,
};
const OPPOSITE = { "=": "≠", "<": "≥", ">": "≤" };
const KEYS = {
  map: ["define", "kind", "name", "size", "inputs", "table"],
  find: ["define", "kind", "name", "target", "where", "read", "best", "default", "once"],
  count: ["define", "kind", "name", "target", "where"],
  scan: ["define", "name", "size", "start", "over"],
};

export function programRules(tools) {
  const { Q, ZERO, ONE, TWO, shaped, within, require, lookAt, spend, counted, bitlength, asIndex, gcd, product, powerOfTwo, qmin, qmax, exponential,
    keyed, string, wordOf, integer, boolean, list, tableRow, logDigits } = tools;
  const unique = (names) => new Set(names).size === names.length;

  // ------------------------------------------------------------------------------------------------ the task's document

  const sizeOf = (value, from = 0n) => asIndex(integer(value, from));
  const cells = (sizes) => asIndex(product(sizes.map((size) => BigInt(size))));
  const named = (members, name, what) => {
    const found = typeof name === "string" ? members.find((member) => member.name === name) : undefined;
    shaped(found !== undefined, `no such ${what}`);
    return found;
  };
  const variableOf = (kind, name) => named(kind.own, name, "variable");

  function readTable(value, sizes, size) {
    const length = cells(sizes);
    within(length, CASES, "entries of a table");
    return list(value, length).map((entry) => {
      if (entry === null) return null;
      const index = integer(entry);
      shaped(index < BigInt(size), "an entry of a table above its size");
      return asIndex(index);
    });
  }
  function addVariable(kind, name, size, definition) {
    shaped(name !== "position" && !kind.own.some((part) => part.name === name), "a name that is not new");
    kind.own.push({ name, size, definition });
  }
  function readInputs(kind, value) {
    const inputs = list(value).map((name) => variableOf(kind, name));
    shaped(unique(inputs), "an input twice");
    return inputs;
  }
  function readWhere(kind, target, value) {
    return list(value).map((atom) => {
      const [a, relation, b] = list(atom, 3);
      shaped(["=", "<", ">"].includes(relation), "an unknown relation");
      return { a: variableOf(target, a), relation, b: typeof b === "string" && wordLike(b) ? variableOf(kind, b) : sizeOf(b) };
    });
  }
  const wordLike = (text) => !/^-?[0-9]/.test(text);

  function readProgram(value) {
    const fields = keyed(value, ["task", "name", "kinds", "definitions", "answer"], "the task");
    string(fields.name);
    within(list(fields.kinds).length, 64, "kinds");
    within(list(fields.definitions).length, 256, "definitions");
    shaped(fields.kinds.length > 0, "no kind");
    const kinds = [];
    let ids = 0n, first = 0n;
    for (const entry of fields.kinds) {
      const read = keyed(entry, ["name", "count", "token", "distinct", "alphabet"], "a kind"), name = wordOf(read.name);
      shaped(!kinds.some((kind) => kind.name === name), "two kinds of one name");
      const endless = read.count === "any", count = endless ? null : integer(read.count, 1n);
      const spelled = list(read.token).map((part) => {
        const [word, size] = list(part, 2);
        return { name: wordOf(word), size: sizeOf(size, 1n), definition: null };
      });
      const own = [...(endless ? [] : [{ name: "position", size: asIndex(count), definition: null }]), ...spelled];
      shaped(unique(["position", ...spelled.map((part) => part.name)]), "two variables of one name");
      const distinct = list(read.distinct).map((word) => named(spelled, word, "variable that is spelled"));
      shaped(unique(distinct), "distinct: a variable twice");
      const spelledIds = product(spelled.map(({ size }) => BigInt(size)));
      let firstId = ids;
      if (read.alphabet === null) ids += spelledIds;
      else {
        const other = named(kinds, read.alphabet, "kind before");
        shaped(String(other.spelled.map(({ size }) => size)) === String(spelled.map(({ size }) => size)), "an alphabet of other sizes");
        firstId = other.firstId;
      }
      kinds.push({ name, index: kinds.length, endless, count, own, spelled, distinct, first, firstId, ids: spelledIds, alphabet: read.alphabet,
        finds: [], counts: [], maps: [] });
      first += endless ? 1n : count;
    }
    shaped(kinds.filter(({ endless }) => endless).length <= 1, "two endless kinds");
    const definitions = fields.definitions.map((entry) => readDefinition(entry, kinds));
    const [kindName, answerName] = list(fields.answer, 2), answering = named(kinds, kindName, "kind");
    const answer = variableOf(answering, answerName);
    const promised = kinds.some(({ distinct }) => distinct.length > 0) || definitions.some(({ promises }) => promises);
    const endless = kinds.some((kind) => kind.endless);
    const length = kinds.reduce((sum, { count }) => sum + (count ?? 0n), 0n);
    return {
      task: "program", kinds, definitions, answering, answer, key: canonical(value), thoughts: null, endless, L: 0,
      tokens: endless ? null : length, rows: [first, ids, BigInt(answer.size)],
      powers: promised || endless ? null : kinds.map((kind) => [kind.ids, kind.count]),
    };
  }
  // The document but for its label, as a text in which the order of keys means nothing.
  function canonical(value, top = true) {
    if (Array.isArray(value)) return `[${value.map((member) => canonical(member, false)).join(",")}]`;
    if (!(value instanceof Map)) return typeof value === "string" ? `"${value}"` : String(value);
    const members = [...value].filter(([key]) => !(top && key === "name")).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([key, member]) => `${key}:${canonical(member, false)}`).join(",")}}`;
  }
  function readDefinition(value, kinds) {
    shaped(value instanceof Map && Object.hasOwn(KEYS, String(value.get("define"))), "an unknown definition");
    const type = value.get("define"), fields = keyed(value, KEYS[type], "a definition"), name = wordOf(fields.name);
    if (type === "scan") return readScan(fields, name, kinds);
    const kind = named(kinds, fields.kind, "kind");
    if (type === "map") {
      const size = sizeOf(fields.size, 1n), inputs = readInputs(kind, fields.inputs);
      const table = readTable(fields.table, inputs.map((part) => part.size), size);
      const map = { type, kind, name, size, inputs, table, promises: table.includes(null) };
      addVariable(kind, name, size, map);
      kind.maps.push(map);
      return map;
    }
    const target = named(kinds, fields.target, "kind"), where = readWhere(kind, target, fields.where);
    if (type === "count") {
      shaped(!target.endless, "a count of an endless kind");
      const count = { type, kind, name, target, where, size: asIndex(target.count + 1n), promises: false };
      addVariable(kind, name, count.size, count);
      kind.counts.push(count);
      return count;
    }
    const once = boolean(fields.once), read = fields.read === null ? null : variableOf(target, fields.read);
    let best = null;
    if (fields.best !== null) {
      const [order, variable] = list(fields.best, 2);
      shaped(order === "largest" || order === "smallest", "an unknown order");
      best = { order, variable: variableOf(target, variable) };
    }
    const otherwise = fields.default === null ? null : sizeOf(fields.default);
    shaped(read !== null || (best === null && otherwise === null), "whether there is a match has neither best nor default");
    const equal = where.filter(({ relation }) => relation === "=").map(({ a }) => a);
    const told = best === null ? equal : [...equal, best.variable];
    const single = target.count === 1n || equal.some((part) => part.name === "position") || (best !== null && best.variable.name === "position")
      || once || (target.distinct.length > 0 && target.distinct.every((part) => told.includes(part)));
    shaped(single || read === null || (best !== null && best.variable === read) || equal.includes(read), "several tokens may be found");
    const size = read === null ? 2 : otherwise === null || otherwise < read.size ? read.size : otherwise + 1;
    const promises = once || (read !== null && otherwise === null);
    const find = { type, kind, name, target, where, read, best, otherwise, once, single, equal, size, promises };
    addVariable(kind, name, size, find);
    kind.finds.push(find);
    return find;
  }
  function readScan(fields, name, kinds) {
    const size = sizeOf(fields.size, 1n), start = sizeOf(fields.start);
    shaped(start < size, "a start above the size");
    const over = list(fields.over).map((entry) => {
      const step = keyed(entry, ["kind", "inputs", "table"], "a step"), kind = named(kinds, step.kind, "kind");
      const inputs = readInputs(kind, step.inputs);
      return { kind, inputs, table: readTable(step.table, [size, ...inputs.map((part) => part.size)], size) };
    });
    shaped(over.length > 0 && unique(over.map(({ kind }) => kind)), "a scan over no kind, or twice over one");
    const scan = { type: "scan", name, size, start, over, promises: over.some(({ table }) => table.includes(null)) };
    for (const { kind } of over) addVariable(kind, name, size, scan);
    return scan;
  }

  // ------------------------------------------------------------------------------ the oracle: definitions, one by one

  // The ids must be an input: as many as there are tokens, and all promises kept; one token at least answers.
  function checkExample(value, task) {
    const tokens = programTokens(list(value).map((id) => integer(id)), task);
    require(tokens.some(({ kind }) => kind === task.answering), "the example has no token that answers");
  }
  // The tokens of an input with all their variables; a promise that is broken rejects.
  function programTokens(ids, task) {
    const fixed = task.kinds.reduce((sum, { count }) => sum + (count ?? 0n), 0n);
    const free = BigInt(ids.length) - fixed;
    shaped(task.endless ? free >= 1n : free === 0n, "the example has another length");
    const tokens = [];
    for (const kind of task.kinds) {
      const many = asIndex(kind.count ?? free), codes = new Set();
      for (let position = 0; position < many; position += 1) {
        let rest = ids[tokens.length] - kind.firstId;
        shaped(rest >= 0n && rest < kind.ids, "the example has an id of another kind");
        const values = new Map(kind.endless ? [] : [["position", position]]);
        for (const { name, size } of [...kind.spelled].reverse()) {
          values.set(name, asIndex(rest % BigInt(size)));
          rest /= BigInt(size);
        }
        const code = String(kind.distinct.map(({ name }) => values.get(name)));
        require(kind.distinct.length === 0 || !codes.has(code), "the example has two tokens that should differ");
        codes.add(code);
        tokens.push({ kind, place: tokens.length, values });
      }
    }
    for (const definition of task.definitions) define(definition, tokens);
    return tokens;
  }
  const cellOf = (numbers, sizes) => numbers.reduce((cell, number, i) => cell * sizes[i] + number, 0);
  function define(definition, tokens) {
    const { type, name, kind, target } = definition, at = (inputs, token) => inputs.map((part) => token.values.get(part.name));
    const promise = (held) => require(held, `the example breaks a promise of ${name}`);
    if (type === "map") {
      const sizes = definition.inputs.map((part) => part.size);
      for (const token of tokens.filter((each) => each.kind === kind)) {
        const found = definition.table[cellOf(at(definition.inputs, token), sizes)];
        promise(found !== null);
        token.values.set(name, found);
      }
      return;
    }
    if (type === "scan") {
      let state = definition.start;
      for (const token of tokens) {
        const step = definition.over.find((each) => each.kind === token.kind);
        if (step === undefined) continue;
        state = step.table[cellOf([state, ...at(step.inputs, token)], [definition.size, ...step.inputs.map((part) => part.size)])];
        promise(state !== null);
        token.values.set(name, state);
      }
      return;
    }
    const equal = definition.where.filter(({ relation }) => relation === "="), order = definition.where.filter(({ relation }) => relation !== "=");
    const groups = new Map();
    for (const token of tokens.filter((each) => each.kind === target)) {
      const code = String(at(equal.map(({ a }) => a), token));
      if (!groups.has(code)) groups.set(code, []);
      groups.get(code).push(token);
    }
    const asked = (b, token) => (typeof b === "object" ? token.values.get(b.name) : b);
    for (const token of tokens.filter((each) => each.kind === kind)) {
      const group = groups.get(String(equal.map(({ b }) => asked(b, token)))) ?? [];
      spend(4 + group.length);
      const matches = group.filter((each) => each.place <= token.place
        && order.every(({ a, relation, b }) => RELATIONS[relation](each.values.get(a.name), asked(b, token))));
      if (type === "count") { token.values.set(name, matches.length); continue; }
      promise(!definition.once || matches.length <= 1);
      if (definition.read === null) { token.values.set(name, matches.length > 0 ? 1 : 0); continue; }
      promise(matches.length > 0 || definition.otherwise !== null);
      if (matches.length === 0) { token.values.set(name, definition.otherwise); continue; }
      const { best } = definition, better = best && RELATIONS[best.order === "largest" ? ">" : "<"];
      const found = matches.reduce((one, other) => (best && better(other.values.get(best.variable.name), one.values.get(best.variable.name)) ? other : one));
      token.values.set(name, found.values.get(definition.read.name));
    }
  }

  // ------------------------------------------------------------------------------------------------------------- forms

  // Variables, monomials and noise symbols have numbers. A form is {exact: Map monomial → Q, noise: Map symbol → Map
  // monomial → Q}; a monomial is a list of [variable, mask], in the order of the variables' numbers; number 0 is the product of nothing.
  let variables, variableNumbers, monomials, monomialNumbers, products, radii, laws, grain, size;
  function forget() {
    [variables, variableNumbers, monomials, monomialNumbers, products, radii, laws] = [[], new Map(), [[]], new Map([["", 0]]), [new Map()], [], []];
  }
  function variable(name, values) {
    if (!variableNumbers.has(name)) {
      variableNumbers.set(name, variables.length);
      variables.push({ name, size: values, elsewhere: null });
    }
    return variableNumbers.get(name);
  }
  const own = (kind, part) => variable(`${kind.name}.${part.name}`, part.size);  // names of kinds have no dot
  function elsewhere(number) {  // the same variable, of the token that is looked at
    const entry = variables[number];
    entry.elsewhere ??= variable(`@${entry.name}`, entry.size);
    return entry.elsewhere;
  }
  function monomial(pairs) {  // null if it is 0
    const masks = new Map();
    for (const [v, mask] of pairs) masks.set(v, (masks.get(v) ?? 0) | mask);
    const sorted = [...masks].filter(([, mask]) => mask > 0).sort(([a], [b]) => a - b);
    if (sorted.some(([v, mask]) => mask >= variables[v].size)) return null;
    const key = sorted.join(";");
    if (!monomialNumbers.has(key)) {
      spend(8);
      monomialNumbers.set(key, monomials.length);
      monomials.push(sorted);
      products.push(new Map());
    }
    return monomialNumbers.get(key);
  }
  function times(a, b) {
    if (a === 0) return b;
    if (b === 0) return a;
    if (!products[a].has(b)) products[a].set(b, monomial([...monomials[a], ...monomials[b]]));
    return products[a].get(b);
  }
  const empty = () => ({ exact: new Map(), noise: new Map() });
  function addTerm(terms, m, amount) {
    if (m === null || amount.zero) return;
    spend(2);
    const sum = terms.has(m) ? terms.get(m).add(amount) : amount;
    if (sum.zero) terms.delete(m);
    else terms.set(m, sum);
  }
  function addTerms(terms, other, scale = ONE) {
    for (const [m, amount] of other) addTerm(terms, m, amount.mul(scale));
    return terms;
  }
  function addForm(form, other, scale = ONE) {
    if (scale.zero) return form;
    addTerms(form.exact, other.exact, scale);
    for (const [symbol, terms] of other.noise) {
      const sum = addTerms(form.noise.get(symbol) ?? new Map(), terms, scale);
      if (sum.size > 0) form.noise.set(symbol, sum);
      else form.noise.delete(symbol);
    }
    return form;
  }
  const constant = (number) => { const form = empty(); addTerm(form.exact, 0, number); return form; };
  function timesTerms(a, b) {
    const result = new Map();
    for (const [m, x] of a) for (const [n, y] of b) addTerm(result, times(m, n), x.mul(y));
    return result;
  }
  function timesExact(form, terms) {
    const result = { exact: timesTerms(form.exact, terms), noise: new Map() };
    for (const [symbol, part] of form.noise) {
      const scaled = timesTerms(part, terms);
      if (scaled.size > 0) result.noise.set(symbol, scaled);
    }
    return result;
  }
  function addNoise(form, radius) {
    if (!radius.zero) {
      form.noise.set(radii.length, new Map([[0, ONE]]));
      radii.push(radius);
    }
    return form;
  }
  function between(low, high) { return addNoise(constant(low.add(high).half()), high.sub(low).half()); }
  const absoluteSum = (terms) => [...terms.values()].reduce((sum, amount) => sum.add(amount.abs()), ZERO);
  const noiseOf = ({ noise }) => [...noise].reduce((sum, [symbol, terms]) => sum.add(absoluteSum(terms).mul(radii[symbol])), ZERO);
  const constantOf = (form) => form.exact.get(0) ?? ZERO;
  const isConstant = (form) => form.noise.size === 0 && [...form.exact.keys()].every((m) => m === 0);
  const mentioned = (terms, found = new Set()) => { for (const m of terms.keys()) for (const [v] of monomials[m]) found.add(v); return found; };
  function mentionedBy(form) {
    const found = mentioned(form.exact);
    for (const terms of form.noise.values()) mentioned(terms, found);
    return found;
  }
  const sameTerms = (a, b) => a.size === b.size && [...a].every(([m, amount]) => b.has(m) && b.get(m).eq(amount));
  // Every variable replaced: by another one (a number), or by its value ({value}).
  function renamed(terms, replace) {
    const result = new Map();
    for (const [m, amount] of terms) {
      const pairs = [];
      let dropped = false;
      for (const [v, mask] of monomials[m]) {
        const other = replace(v);
        if (typeof other === "number") pairs.push([other, mask]);
        else dropped ||= (other.value & mask) !== mask;
      }
      if (!dropped) addTerm(result, monomial(pairs), amount);
    }
    return result;
  }
  function apply(matrix, forms, bias = null) {
    spend(4 * matrix.rows);
    const result = Array.from({ length: matrix.rows }, empty);
    for (const [row, entries] of matrix.at) for (const [column, amount] of entries) addForm(result[row], forms[column], amount);
    if (bias) for (const [row, [[, amount]]] of bias.at) addTerm(result[row].exact, 0, amount);
    return result;
  }

  // -------------------------------------------------------------------------------------------- values of a form by cases

  // Rationals as integers over one denominator.
  function overOne(numbers) {
    let bottom = 1n;
    for (const { d } of numbers) if (bottom % d !== 0n) bottom = counted((bottom / gcd(bottom, d)) * d);
    return { bottom, integers: numbers.map(({ n, d }) => counted(n * (bottom / d))) };
  }
  const sizesOf = (order) => order.map((v) => variables[v].size);
  function strides(sizes) {
    const result = sizes.map(() => 1);
    for (let i = sizes.length - 2; i >= 0; i -= 1) result[i] = result[i + 1] * sizes[i + 1];
    return result;
  }
  // cells[c] += or −= cells[c without a bit], for each bit of each digit: from coefficients to values, and back.
  function overSubsets(values, sizes, sign) {
    const steps = strides(sizes);
    sizes.forEach((length, i) => {
      const step = steps[i], block = step * length;
      for (let bit = 1; bit < length; bit *= 2) {
        spend(1 + (values.length >> 1));
        for (let start = 0; start < values.length; start += block) {
          for (let digit = bit; digit < length; digit = (digit + 1) | bit) {
            const first = start + digit * step, gap = bit * step;
            for (let cell = first; cell < first + step; cell += 1) {
              const other = values[cell - gap];
              if (other !== 0n) values[cell] = sign > 0 ? values[cell] + other : values[cell] - other;
            }
          }
        }
      }
    });
    return values;
  }
  // {bottom, integers}: the values of terms at all joint values of the variables, in mixed radix.
  function valuesOf(terms, order) {
    const sizes = sizesOf(order), steps = strides(sizes), { bottom, integers } = overOne([...terms.values()]);
    const values = Array(cells(sizes)).fill(0n);
    [...terms.keys()].forEach((m, i) => {
      values[monomials[m].reduce((cell, [v, mask]) => cell + mask * steps[order.indexOf(v)], 0)] += integers[i];
    });
    return { bottom, integers: overSubsets(values, sizes, 1) };
  }
  function termsOf(integers, bottom, order) {
    const sizes = sizesOf(order), steps = strides(sizes), terms = new Map();
    overSubsets(integers, sizes, -1).forEach((amount, cell) => {
      if (amount !== 0n) addTerm(terms, monomial(order.map((v, i) => [v, ((cell - (cell % steps[i])) / steps[i]) % sizes[i]])), Q.of(amount, bottom));
    });
    return terms;
  }
  // The form in one variable with these values; undefined is free, and has the coefficient 0.
  function functionOf(v, values) {
    const known = overOne(values.filter((value) => value !== undefined)), found = [];
    let next = 0;
    for (let value = 0; value < variables[v].size; value += 1) {
      let below = 0n;
      for (let mask = value; mask > 0;) {
        mask = (mask - 1) & value;
        spend(1);
        below += found[mask];
      }
      if (values[value] === undefined) found.push(0n);
      else { found.push(known.integers[next] - below); next += 1; }
    }
    const terms = new Map();
    found.forEach((amount, mask) => { if (amount !== 0n) addTerm(terms, monomial([[v, mask]]), Q.of(amount, known.bottom)); });
    return { exact: terms, noise: new Map() };
  }
  // The laws whose variables all occur.
  const lawsOf = (sets, found) => sets.flat().filter((law) => law.variables.every((v) => found.has(v)));
  // Which cells are cases: all atoms and laws hold. Atoms are [variable, relation, variable or {value}].
  function cases(order, atoms, held) {
    const sizes = sizesOf(order), steps = strides(sizes), all = cells(sizes);
    const digit = (cell, place) => ((cell - (cell % steps[place])) / steps[place]) % sizes[place];
    const valid = Array(all).fill(true);
    for (const [a, relation, b] of atoms) {
      const left = order.indexOf(a), right = typeof b === "number" ? order.indexOf(b) : null, holds = RELATIONS[relation];
      spend(all);
      for (let cell = 0; cell < all; cell += 1) if (!holds(digit(cell, left), right === null ? b.value : digit(cell, right))) valid[cell] = false;
    }
    for (const law of held) {
      const places = law.variables.map((v) => order.indexOf(v));
      spend(all);
      for (let cell = 0; cell < all; cell += 1) if (valid[cell] && !law.holds(places.map((place) => digit(cell, place)))) valid[cell] = false;
    }
    return valid;
  }

  // ----------------------------------------------------------------------------------------------------------- maximum

  function occurring(terms, atoms) {
    const found = mentioned(terms);
    for (const [a, , b] of atoms) { found.add(a); if (typeof b === "number") found.add(b); }
    return found;
  }
  // What does not occur and links what does: variables that two maps read alone, whose values occur; and what maps
  // compute, in the end from these and what occurs, if two compute the same, or one is an input of a map whose value occurs.
  function linked(terms, atoms, sets) {
    const occur = occurring(terms, atoms), maps = sets.flat().filter(({ value }) => value);
    const shared = new Set(), once = new Set(), computed = new Set();
    for (const { variables: [v, value, ...more] } of maps) {
      if (more.length > 0 || value === undefined || !occur.has(value) || occur.has(v)) continue;
      (once.has(v) ? shared : once).add(v);
    }
    const known = new Set([...occur, ...shared]);
    let left = maps, twice = false;
    for (;;) {
      const ready = left.filter((law) => law.variables.slice(0, -1).every((v) => known.has(v)));
      if (ready.length === 0) break;
      left = left.filter((law) => !ready.includes(law));
      for (const v of ready.map((law) => law.variables.at(-1)).filter((v) => !occur.has(v))) { twice ||= computed.has(v); computed.add(v); }
      for (const v of computed) known.add(v);
    }
    const between = ({ variables }) => occur.has(variables.at(-1)) && variables.slice(0, -1).some((v) => computed.has(v));
    return shared.size > 0 || twice || maps.some(between) ? [...new Set([...shared, ...computed])] : [];
  }
  // Terms, atoms and laws in parts without a common variable; `more` variables occur too.
  function partsOf(terms, atoms, sets, more = []) {
    const found = occurring(terms, atoms);
    for (const v of more) found.add(v);
    const held = lawsOf(sets, found), leader = new Map([...found].map((v) => [v, v]));
    const find = (v) => { while (leader.get(v) !== v) v = leader.get(v); return v; };
    const join = (group) => group.forEach((v) => leader.set(find(v), find(group[0])));
    for (const m of terms.keys()) join(monomials[m].map(([v]) => v));
    for (const [a, , b] of atoms) if (typeof b === "number") join([a, b]);
    for (const law of held) join(law.variables);
    const parts = new Map();
    for (const v of [...found].sort((a, b) => a - b)) {
      if (!parts.has(find(v))) parts.set(find(v), { order: [], terms: new Map(), atoms: [], laws: [] });
      parts.get(find(v)).order.push(v);
    }
    for (const [m, amount] of terms) if (m !== 0) parts.get(find(monomials[m][0][0])).terms.set(m, amount);
    for (const atom of atoms) parts.get(find(atom[0])).atoms.push(atom);
    for (const law of held) if (law.variables.length > 0) parts.get(find(law.variables[0])).laws.push(law);
    return [...parts.values()];
  }
  const few = (order) => product(sizesOf(order).map((length) => BigInt(length))) <= BigInt(CASES);
  // Laws of maps by which variables are computed one after the other: no law before it mentions what it computes.
  function computing(held) {
    const used = new Set(), chosen = [];
    for (const law of held.filter(({ value }) => value)) {
      const result = law.variables.at(-1);
      if (used.has(result) || law.variables.slice(0, -1).includes(result)) continue;
      chosen.push(law);
      for (const v of law.variables) used.add(v);
    }
    return chosen;
  }
  // The largest value under atoms and laws, or an upper bound of it; null if there is no case.
  function maximum(terms, atoms, sets) {
    const more = linked(terms, atoms, sets), plain = boundOf(terms, atoms, sets, []);
    const joined = more.length === 0 || plain === null ? plain : boundOf(terms, atoms, sets, more);
    return plain === null || joined === null ? null : qmin(plain, joined);
  }
  function boundOf(terms, atoms, sets, more) {
    let sum = terms.get(0) ?? ZERO;
    for (const part of partsOf(terms, atoms, sets, more)) {
      part.computed = computing(part.laws);
      const known = new Set(part.computed.map((law) => law.variables.at(-1))), free = part.order.filter((v) => !known.has(v));
      const decided = few(free) && (known.size === 0 || [...part.terms.keys()].every((m) => few(monomials[m].map(([v]) => v))));
      let largest = decided ? byCases(part, free) : agreement(part) ?? below(part) ?? eliminated(part);
      if (largest === undefined) largest = qmin(positive(part.terms), reach(part.terms));
      if (largest === null) return null;
      sum = sum.add(largest);
    }
    return sum;
  }
  const positive = (terms) => [...terms.values()].reduce((sum, amount) => (amount.sign > 0 ? sum.add(amount) : sum), ZERO);
  // The same bound in ±1 bits, x = (1 + s)/2: a product of up to four bits is spread over all its sub-products.
  function reach(terms) {
    let sum = ZERO;
    const signs = new Map();
    for (const [m, amount] of terms) {
      const bits = monomials[m].flatMap(([v, mask]) => {
        const own = [];
        for (let bit = 1; bit <= mask; bit *= 2) if ((mask & bit) !== 0) own.push(`${v}:${bit}`);
        return own;
      });
      if (bits.length > 4) { if (amount.sign > 0) sum = sum.add(amount); continue; }
      const share = bits.reduce((part) => part.half(), amount);
      for (let some = 0; some < 1 << bits.length; some++) {
        const key = bits.filter((_, i) => (some >> i) % 2 === 1).join(" ");
        signs.set(key, (signs.get(key) ?? ZERO).add(share));
      }
    }
    for (const [key, amount] of signs) sum = sum.add(key !== "" && amount.sign < 0 ? amount.neg() : amount);
    return sum;
  }
  function byCases(part, free) {
    const { order, terms, atoms, laws: held } = part;
    if (part.computed.length > 0) return byComputing(part, free);
    if (atoms.length === 0 && held.length === 0 && order.length === 1 && [...terms.values()].every(({ sign }) => sign < 0)) return ZERO;
    const { bottom, integers } = valuesOf(terms, order), valid = cases(order, atoms, held);
    let largest = null;
    integers.forEach((value, cell) => { if (valid[cell] && (largest === null || value > largest)) largest = value; });
    return largest === null ? null : Q.of(largest, bottom);
  }
  // The same, where maps compute some variables from the free ones: terms of the same variables have one table.
  function byComputing({ order, terms, atoms, laws: held, computed }, free) {
    const { bottom, integers } = overOne([...terms.values()]), groups = new Map();
    [...terms.keys()].forEach((m, i) => {
      const some = monomials[m].map(([v]) => v), key = some.join(" ");
      if (!groups.has(key)) groups.set(key, { some, values: Array(cells(sizesOf(some))).fill(0n) });
      const steps = strides(sizesOf(some));
      groups.get(key).values[monomials[m].reduce((cell, [, mask], place) => cell + mask * steps[place], 0)] += integers[i];
    });
    const tables = [...groups.values()].map(({ some, values }) => ({
      places: some.map((v) => order.indexOf(v)), steps: strides(sizesOf(some)), values: overSubsets(values, sizesOf(some), 1) }));
    const places = (law) => law.variables.map((v) => order.indexOf(v)), at = Array(order.length).fill(0);
    const made = computed.map((law) => ({ value: law.value, from: places(law).slice(0, -1), to: places(law).at(-1), size: variables[law.variables.at(-1)].size }));
    const tests = held.filter((law) => !computed.includes(law)).map((law) => ({ holds: law.holds, from: places(law) }));
    const related = atoms.map(([a, relation, b]) => [order.indexOf(a), RELATIONS[relation], typeof b === "number" ? order.indexOf(b) : null, b.value]);
    const freePlaces = free.map((v) => order.indexOf(v)), sizes = sizesOf(free), steps = strides(sizes), all = cells(sizes);
    spend(all * (1 + 2 * made.length + tests.length + tables.length + related.length));
    let largest = null;
    for (let cell = 0; cell < all; cell += 1) {
      freePlaces.forEach((place, i) => { at[place] = ((cell - (cell % steps[i])) / steps[i]) % sizes[i]; });
      const fits = made.every(({ value, from, to, size: length }) => {
        const found = value(from.map((place) => at[place]));
        if (found === null || found >= length) return false;
        at[to] = found;
        return true;
      });
      if (!fits || !tests.every(({ holds, from }) => holds(from.map((place) => at[place])))) continue;
      if (!related.every(([left, holds, right, value]) => holds(at[left], right === null ? value : at[right]))) continue;
      const sum = tables.reduce((found, { places: where, steps: by, values }) => found + values[where.reduce((c, place, i) => c + at[place] * by[i], 0)], 0n);
      if (largest === null || sum > largest) largest = sum;
    }
    return largest === null ? null : Q.of(largest, bottom);
  }
  const cellsOf = (order) => product(sizesOf(order).map((length) => BigInt(length)));
  // A table is {order, cells}: at the joint values of some variables, joined by commas, an integer; no entry where there is no case.
  function eachCase(order, visit) {
    const sizes = sizesOf(order), at = Array(order.length).fill(0);
    const all = asIndex(cellsOf(order));
    spend(all);
    for (let cell = 0; cell < all; cell += 1) {
      let rest = cell;
      for (let i = sizes.length - 1; i >= 0; i -= 1) { at[i] = rest % sizes[i]; rest = (rest - at[i]) / sizes[i]; }
      visit(at, cell);
    }
  }
  // One part, its variables left out one by one; undefined if one of them stands with too many others, null without a case.
  function eliminated({ order, terms, atoms, laws: held }) {
    let tests = [...held.filter(({ variables: scope }) => scope.length > 0), ...atoms.map(([a, relation, b]) => (typeof b === "number"
      ? { variables: [a, b], holds: ([x, y]) => RELATIONS[relation](x, y) } : { variables: [a], holds: ([x]) => RELATIONS[relation](x, b.value) }))];
    // A variable that a map computes from one other is said by that one: {root, values of the root's values}.
    if (order.some((v) => variables[v].size > JOINED)) return undefined;
    spend(order.reduce((sum, v) => sum + variables[v].size, 0));
    const said = new Map(order.map((v) => [v, { root: v, values: [...Array(variables[v].size).keys()] }]));
    for (const law of computing(held)) {
      if (law.variables.length !== 2) continue;
      const [from, v] = law.variables, { root, values } = said.get(from);
      const images = values.map((x) => (x === null ? null : law.value([x])));
      said.set(v, { root, values: images.map((y) => (y !== null && y < variables[v].size ? y : null)) });
    }
    const { bottom, integers } = overOne([...terms.values()]), groups = new Map();
    [...terms.keys()].forEach((m, i) => {
      const some = monomials[m].map(([v]) => v), roots = [...new Set(some.map((v) => said.get(v).root))].sort((x, y) => x - y), key = roots.join(" ");
      if (!groups.has(key)) groups.set(key, { roots, parts: new Map() });
      const { parts } = groups.get(key);
      if (!parts.has(some.join(" "))) parts.set(some.join(" "), { some, terms: [] });
      parts.get(some.join(" ")).terms.push([m, integers[i]]);
    });
    let tables = [];
    for (const { roots, parts } of groups.values()) {
      if ([roots, ...[...parts.values()].map(({ some }) => some)].some((some) => cellsOf(some) > BigInt(JOINED))) return undefined;
      const sums = [...parts.values()].map(({ some, terms: mine }) => {
        const steps = strides(sizesOf(some)), values = Array(cells(sizesOf(some))).fill(0n);
        for (const [m, amount] of mine) values[monomials[m].reduce((cell, [, mask], place) => cell + mask * steps[place], 0)] += amount;
        return { values: overSubsets(values, sizesOf(some), 1), steps, from: some.map((v) => [roots.indexOf(said.get(v).root), said.get(v).values]) };
      });
      const here = tests.filter((law) => law.variables.every((v) => roots.includes(v)))
        .map((law) => ({ holds: law.holds, from: law.variables.map((v) => roots.indexOf(v)) }));
      const found = new Map();
      spend(cells(sizesOf(roots)) * (here.length + sums.length));
      eachCase(roots, (at) => {
        if (!here.every(({ holds, from }) => holds(from.map((i) => at[i])))) return;
        let value = 0n;
        for (const { values, steps, from } of sums) {
          const digits = from.map(([i, images]) => images[at[i]]);
          if (digits.includes(null)) return;
          value += values[digits.reduce((cell, digit, i) => cell + digit * steps[i], 0)];
        }
        found.set(at.join(), value);
      });
      tables.push(...separated({ order: roots, cells: found }));
    }
    let sum = 0n;
    for (const v of order) {  // what is said of one variable is one table, and none if it is a constant
      const mine = tables.filter((table) => table.order.length === 1 && table.order[0] === v), together = new Map();
      tables = tables.filter((table) => !mine.includes(table));
      for (let x = 0; x < variables[v].size; x += 1) {
        if (mine.every((table) => table.cells.has(String(x)))) together.set(String(x), mine.reduce((all, table) => all + table.cells.get(String(x)), 0n));
      }
      if (together.size === 0) return null;
      const [first] = together.values();
      if ([...together.values()].every((value) => value === first)) sum += first;
      else tables.push({ order: [v], cells: together });
    }
    const title = (v) => variables[v].name.replace(/^(@?)[^.]*\.([^<]*).*$/, "$1$2");  // as the page names it, without the kind
    const before = (a, b) => (title(a) === title(b) ? variables[a].size - variables[b].size : title(a) < title(b) ? -1 : 1);
    const left = new Set([...order].sort(before));
    while (left.size > 0) {
      spend(left.size * (tables.length + tests.length));
      const choices = [...left].map((v) => {
        const here = tests.filter((law) => law.variables.includes(v)), near = tables.filter((table) => table.order.includes(v));
        const others = new Set([...here.flatMap((law) => law.variables), ...near.flatMap((table) => table.order)]);
        others.delete(v);
        const scope = [v, ...[...others].sort(before)], inside = tests.filter((law) => law.variables.every((w) => scope.includes(w)));
        const computed = computing(inside);
        const known = computed.map((law) => law.variables.at(-1)), free = scope.filter((w) => !known.includes(w));
        return { v, here: inside, near, scope, computed, free, size: cellsOf(free) };
      });
      const least = choices.reduce((one, other) => (other.size < one.size ? other : one));
      if (least.size > BigInt(JOINED)) {
        const idle = [...left].find((v) => !tables.some((table) => table.order.includes(v)));
        if (idle === undefined) return undefined;
        tests = tests.filter((law) => !law.variables.includes(idle));  // what holds of it alone is not used
        left.delete(idle);
        continue;
      }
      const most = largestOver(least), { v, scope } = least;
      left.delete(v);
      tables = tables.filter((table) => !table.order.includes(v));
      tests = tests.filter((law) => !law.variables.includes(v));
      if (most.size === 0) return null;
      const [first] = most.values(), others = scope.slice(1);
      if ([...most.values()].some((value) => value !== first)) { tables.push({ order: others, cells: most }); continue; }
      sum += first;  // it only says which cases there are
      if (others.length > 0) tests.push({ variables: others, holds: (values) => most.has(values.join()) });
    }
    return Q.of(sum, bottom);
  }
  // Of all that mentions the first variable of the scope, the largest sum over its values, by the others' values.
  function largestOver({ scope, here, near, computed, free }) {
    const places = (some) => some.map((v) => scope.indexOf(v)), at = Array(scope.length).fill(0), most = new Map();
    const made = computed.map((law) => ({ value: law.value, from: places(law.variables).slice(0, -1), to: places(law.variables).at(-1), size: variables[law.variables.at(-1)].size }));
    const tests = here.filter((law) => !computed.includes(law)).map((law) => ({ holds: law.holds, from: places(law.variables) }));
    const sums = near.map((table) => ({ from: places(table.order), cells: table.cells })), where = places(free);
    spend(asIndex(cellsOf(free)) * (1 + 2 * made.length + tests.length + sums.length));
    eachCase(free, (values) => {
      where.forEach((place, i) => { at[place] = values[i]; });
      const fits = made.every(({ value, from, to, size: length }) => {
        const found = value(from.map((place) => at[place]));
        if (found === null || found >= length) return false;
        at[to] = found;
        return true;
      });
      if (!fits || !tests.every(({ holds, from }) => holds(from.map((place) => at[place])))) return;
      let sum = 0n;
      for (const { from, cells: known } of sums) {
        const value = known.get(from.map((place) => at[place]).join());
        if (value === undefined) return;
        sum += value;
      }
      const key = at.slice(1).join();
      if (!most.has(key) || most.get(key) < sum) most.set(key, sum);
    });
    return most;
  }
  // A table of two variables as the sum of two of one, if it is one in all its cases.
  function separated(table) {
    if (table.order.length !== 2) return [table];
    const sides = [new Map(), new Map()], partners = [new Map(), new Map()];
    spend(4 * table.cells.size);
    for (const key of table.cells.keys()) {
      const pair = key.split(",");
      pair.forEach((x, i) => {
        if (!partners[i].has(x)) partners[i].set(x, []);
        partners[i].get(x).push([pair[1 - i], table.cells.get(key)]);
      });
    }
    for (const root of partners[0].keys()) {
      if (sides[0].has(root)) continue;
      sides[0].set(root, 0n);
      for (const edge = [[0, root]]; edge.length > 0;) {
        const [i, x] = edge.pop();
        for (const [y, value] of partners[i].get(x)) {
          const rest = value - sides[i].get(x);
          if (!sides[1 - i].has(y)) { sides[1 - i].set(y, rest); edge.push([1 - i, y]); }
          else if (sides[1 - i].get(y) !== rest) return [table];
        }
      }
    }
    return table.order.map((v, i) => ({ order: [v], cells: sides[i] }));
  }
  // Σ τ_j·(product of the ±1 bits j − 1) of two variables of one size: 4τ·xy − 2τ·x − 2τ·y for each bit.
  function agreement({ order, terms, atoms }) {
    if (order.length !== 2 || atoms.length > 1 || variables[order[0]].size !== variables[order[1]].size) return null;
    const [x, y] = order, taus = [], length = variables[x].size;
    if (atoms.length === 1 && !(["=", "≠"].includes(atoms[0][1]) && typeof atoms[0][2] === "number" && atoms[0][0] !== atoms[0][2])) return null;
    for (let bit = 1; bit < length; bit *= 2) {
      const both = terms.get(monomial([[x, bit], [y, bit]])) ?? ZERO, alone = both.half().neg();
      if (both.sign <= 0 || [x, y].some((v) => !(terms.get(monomial([[v, bit]])) ?? ZERO).eq(alone))) return null;
      taus.push(both.div(TWO).div(TWO));
    }
    if (terms.size !== 3 * taus.length) return null;
    return atoms.length === 1 && atoms[0][1] === "≠" ? taus.reduce(qmin).mul(TWO).neg() : ZERO;
  }
  // {x, y, g, h}: g(x) + h(y) under the one atom x < y, or x > y, of two variables of one size.
  function orderedPair({ order, terms, atoms }) {
    if (order.length !== 2 || atoms.length !== 1 || variables[order[0]].size !== variables[order[1]].size) return null;
    if (variables[order[0]].size > CASES) return null;
    const [[x, relation, y]] = atoms;
    if (!["<", ">"].includes(relation) || typeof y !== "number" || x === y) return null;
    if ([...terms.keys()].some((m) => monomials[m].length !== 1)) return null;
    const { bottom, integers } = overOne([...terms.values()]), parts = [[], []];
    [...terms.keys()].forEach((m, i) => parts[monomials[m][0][0] === x ? 0 : 1].push([m, integers[i]]));
    const [g, h] = parts.map((part, i) => {
      const values = Array(variables[x].size).fill(0n);
      for (const [m, amount] of part) values[monomials[m][0][1]] = amount;
      return overSubsets(values, [variables[i === 0 ? x : y].size], 1);
    });
    if (relation === ">") { g.reverse(); h.reverse(); }
    return { bottom, g, h };
  }
  function below(part) {
    const pair = orderedPair(part);
    if (pair === null) return null;
    let before = null, largest = null;
    pair.h.forEach((value, y) => {
      if (before !== null && (largest === null || before + value > largest)) largest = before + value;
      if (before === null || pair.g[y] > before) before = pair.g[y];
    });
    return largest === null ? null : Q.of(largest, pair.bottom);
  }
  const negated = (terms) => new Map([...terms].map(([m, amount]) => [m, amount.neg()]));
  function extent(terms, atoms, sets) {  // [least, largest] of exact terms
    const high = maximum(terms, atoms, sets), low = maximum(negated(terms), atoms, sets);
    return high === null || low === null ? null : [low.neg(), high];
  }
  function range(form, kind) {
    const noise = noiseOf(form), found = extent(form.exact, [], [laws[kind.index]]);
    require(found !== null, "no token of a kind keeps its laws");
    return [found[0].sub(noise), found[1].add(noise)];
  }
  function checkSize(forms, kind, what) {  // Q7
    for (const form of forms) {
      if (absoluteSum(form.exact).add(noiseOf(form)).le(size)) continue;
      const [low, high] = range(form, kind);
      require(size.neg().le(low) && high.le(size), `Q7: ${what} of ${kind.name} above 2^(p−f)`);
    }
    return forms;
  }

  // ----------------------------------------------------------------------------------------------------- laws and ghosts

  const alike = (d, e) => d.target === e.target && d.where.length === e.where.length
    && d.where.every(({ a, relation, b }, i) => e.where[i].a === a && e.where[i].relation === relation && e.where[i].b === b)
    && (d.best === null ? e.best === null : e.best !== null && e.best.order === d.best.order && e.best.variable === d.best.variable);
  const findsAlike = (d) => d.kind.finds.filter((e) => alike(d, e));
  const ownOf = (definition) => own(definition.kind, variableOf(definition.kind, definition.name));
  // `d?`: whether there is a match; the same for all finds alike.
  function foundVariable(d) {
    const all = findsAlike(d), asking = all.find((e) => e.read === null);
    return asking ? ownOf(asking) : variable(`${d.kind.name}.${all[0].name}?`, 2);
  }
  // The ghosts of d: what a variable of the token found is called at the reader.
  function ghosts(d) {
    const names = new Map();
    for (const part of d.target.own) {
      const equal = d.where.find(({ a, relation }) => a === part && relation === "="), reading = findsAlike(d).find((e) => e.read === part);
      if (equal) names.set(own(d.target, part), typeof equal.b === "object" ? own(d.kind, equal.b) : { value: equal.b });
      else if (reading) names.set(own(d.target, part), ownOf(reading));
    }
    const prefix = `${d.target.name}.`;
    return (v) => {
      if (!names.has(v)) names.set(v, variable(`${d.kind.name}.${d.name}:${variables[v].name.slice(prefix.length)}`, variables[v].size));
      return names.get(v);
    };
  }
  // Where d finds a token, variables that are values of its variables are below the sizes of these; a find whose default is so
  // excluded finds a token, too. Such a variable is replaced by one of the smaller size.
  function narrower(d) {
    const sizes = new Map(), found = new Set();
    const say = (v, length) => { if (typeof v === "number" && length < (sizes.get(v) ?? variables[v].size)) sizes.set(v, length); };
    for (let left = [d]; left.length > 0;) {
      for (const e of left) {
        found.add(e);
        const ghost = ghosts(e);
        for (const part of e.target.own) say(ghost(own(e.target, part)), part.size);
        for (const { a, relation, b } of e.where) if (relation === "=" && typeof b === "object") say(own(e.kind, b), a.size);
      }
      left = d.kind.finds.filter((e) => !found.has(e) && e.read !== null && e.otherwise !== null && e.otherwise >= (sizes.get(ownOf(e)) ?? e.otherwise + 1));
    }
    return (v) => (sizes.has(v) ? variable(`${variables[v].name}<${sizes.get(v)}`, sizes.get(v)) : v);
  }
  // What definitions say of the token that d finds, where there is one.
  function ghostLaws(d, ghost) {
    const values = d.target.own.flatMap((part) => {
      const there = ghost(own(d.target, part));
      return typeof there === "number" ? among(d.target, part, there) : [];
    });
    return [...ghostMaps(d, ghost), ...values];
  }
  function ghostMaps(d, ghost) {
    return d.target.maps.map(({ inputs, table, name }) => {
      const [result, ...known] = [variableOf(d.target, name), ...inputs].map((part) => ghost(own(d.target, part))), sizes = inputs.map((part) => part.size);
      const value = (numbers) => {
        let next = 0;
        const values = known.map((v) => { if (typeof v !== "number") return v.value; next += 1; return numbers[next - 1]; });
        return sizes.every((length, i) => values[i] < length) ? table[cellOf(values, sizes)] : null;
      };
      const asked = known.filter((v) => typeof v === "number");
      if (typeof result !== "number") return { variables: asked, holds: (numbers) => value(numbers) === result.value };
      return { variables: [...asked, result], value, holds: (numbers) => value(numbers.slice(0, -1)) === numbers.at(-1) };
    });
  }
  function lawsOfKind(kind) {
    const found = kind.maps.map(({ inputs, table, name }) => {
      const sizes = inputs.map((part) => part.size);
      const value = (numbers) => table[cellOf(numbers, sizes)];
      return { variables: [...inputs, variableOf(kind, name)].map((part) => own(kind, part)), value,
        holds: (numbers) => value(numbers.slice(0, -1)) === numbers.at(-1) };
    });
    for (const d of kind.finds) {
      if (d.read === null || d.otherwise === null) continue;
      const law = { variables: [ownOf(d), foundVariable(d)], holds: ([value, yes]) => (yes ? value < d.read.size : value === d.otherwise) };
      found.push(d.otherwise < d.read.size ? law : { ...law, value: ([value]) => (value < d.read.size ? 1 : 0) });
    }
    return [...found, ...kind.own.flatMap((part) => among(kind, part, own(kind, part)))];
  }
  // That v has one of the values of a variable, if these are not all.
  function among(kind, part, v) {
    const values = valuesTaken(kind, part);
    return values === null ? [] : [{ variables: [v], holds: ([x]) => values.has(x) }];
  }
  // What a variable can be by its definition; null: all.
  function valuesTaken(kind, part) {
    part.values ??= new Map();  // a scan has one variable at several kinds, each with a part of its own
    if (!part.values.has(kind)) {
      const found = part.definition ? taken(kind, part.definition) : null;
      part.values.set(kind, found === null || found.size === part.size ? null : found);
    }
    return part.values.get(kind);
  }
  const each = (kind, part) => [...(valuesTaken(kind, part) ?? Array(part.size).keys())];
  function entries(table, sizes, choices) {
    const found = new Set();
    spend(table.length);
    const go = (digits) => {
      if (digits.length < sizes.length) for (const x of choices[digits.length]) go([...digits, x]);
      else if (table[cellOf(digits, sizes)] !== null) found.add(table[cellOf(digits, sizes)]);
    };
    go([]);
    return found;
  }
  function taken(kind, d) {
    const inputSizes = (inputs) => inputs.map((part) => part.size), choices = (of, inputs) => inputs.map((part) => each(of, part));
    if (d.type === "map") return entries(d.table, inputSizes(d.inputs), choices(kind, d.inputs));
    if (d.type === "find" && d.read !== null) {
      const known = valuesTaken(d.target, d.read), more = d.otherwise === null ? [] : [d.otherwise];
      if (known === null && !more.some((value) => value > d.read.size)) return null;  // they follow each other
      if (known === null) within(d.read.size, CASES, "values of a variable to list");
      return new Set([...each(d.target, d.read), ...more]);
    }
    if (d.type !== "scan") return null;
    const found = new Set();
    for (let edge = [d.start]; edge.length > 0;) {
      for (const state of edge) found.add(state);
      const next = new Set();
      for (const { kind: of, inputs, table } of d.over) {
        for (const state of entries(table, [d.size, ...inputSizes(inputs)], [edge, ...choices(of, inputs)])) if (!found.has(state)) next.add(state);
      }
      edge = [...next];
    }
    return found;
  }
  function lawsElsewhere(kind) {
    kind.lawsElsewhere ??= laws[kind.index].map((law) => ({ ...law, variables: law.variables.map(elsewhere) }));
    return kind.lawsElsewhere;
  }
  const toElsewhere = (terms) => renamed(terms, elsewhere);

  // ---------------------------------------------------------------------------------------------------- Q1, Q2: embedding

  // Rows of a table from `first` on as forms of the variables; `maps` are those whose values a segment's digits may be.
  function rowForms(table, first, order, maps, d) {
    const parts = order.filter((v) => variables[v].size > 1), segment = table.segments?.find(({ start }) => start === first);
    const columns = segment && !segment.mirrored ? segmentColumns(segment, parts, maps) : null;
    if (columns !== null) {
      return apply(segment.matrix, columns.map((terms) => ({ exact: terms, noise: new Map() })), null);
    }
    const count = cells(sizesOf(parts));
    require(count <= CASES, "Q1: more rows than are tried");
    const rows = Array.from({ length: count }, (_, x) => tableRow(table, first + BigInt(x), d));
    return Array.from({ length: d }, (_, r) => {
      const { bottom, integers } = overOne(rows.map((row) => row[r]));
      return { exact: integers.every((value) => value === 0n) ? new Map() : termsOf(integers, bottom, parts), noise: new Map() };
    });
  }
  function segmentColumns({ radices, digits }, parts, maps) {
    const wide = radices.filter((radix) => radix > 1n), described = [...parts];
    if (String(wide) !== String(sizesOf(parts))) return null;
    for (const { size: length, values } of digits) {
      const map = maps.find((each) => BigInt(each.size) === length && each.table.every((entry, x) => entry !== null && BigInt(entry) === values[x]));
      if (map === undefined) return null;
      described.push(ownOf(map));
    }
    const columns = [new Map([[0, ONE]])];
    for (const v of described) {
      for (let bit = 1; bit < variables[v].size; bit *= 2) columns.push(new Map([[0, ONE.neg()], [monomial([[v, bit]]), TWO]]));
    }
    return columns;
  }
  function embedding(kind, model) {
    const position = kind.endless ? [] : [own(kind, kind.own[0])];
    const maps = kind.maps.filter(({ inputs }) => inputs.length === 1 && inputs[0].name === "position");
    const places = rowForms(model.positions, kind.first, position, maps, model.d);
    const tokens = rowForms(model.tokens, kind.firstId, kind.spelled.map((part) => own(kind, part)), [], model.d);
    return places.map((form, r) => folded(addForm(form, tokens[r]), kind));
  }
  // Exact terms as a function of the value of a map of the kind; null if they are none.
  function saidIn(terms, map) {
    const inputs = map.inputs.map((part) => own(map.kind, part)), self = ownOf(map), found = mentioned(terms);
    if (![...found].every((v) => v === self || inputs.includes(v)) || (found.size === 1 && found.has(self))) return null;
    const beside = found.has(self);  // the value stands there already, next to inputs
    const order = beside ? [...inputs, self] : inputs;
    if (!few(order) || map.size > CASES) return null;
    const values = Array(map.size).fill(undefined), mine = valuesOf(terms, order);
    const isFunction = map.table.every((image, cell) => {
      if (image === null) return true;
      const value = mine.integers[beside ? cell * map.size + image : cell];
      values[image] ??= value;
      return values[image] === value;
    });
    return isFunction ? functionOf(ownOf(map), values.map((value) => (value === undefined ? undefined : Q.of(value, mine.bottom)))).exact : null;
  }
  // Q2: a form that is a function of a map's value, said in that value where this is simpler.
  function folded(form, kind) {
    const found = mentioned(form.exact);
    if (form.noise.size > 0 || found.size === 0) return form;
    const largest = [...found].reduce((most, v) => (variables[v].size > most ? variables[v].size : most), 0);
    for (const map of [...kind.maps].sort((one, other) => one.size - other.size)) {
      const said = saidIn(form.exact, map);
      if (said === null || said.size > form.exact.size) continue;
      const positional = map.inputs.length === 1 && map.inputs[0].name === "position", simpler = found.size > 1 || map.size < largest;
      if (said.size < form.exact.size || (simpler && !positional)) return { exact: said, noise: new Map() };
    }
    return form;
  }
  // Terms said in a variable that a map defines, if they are a function of it.
  function saidInVariable(terms, kind, name) {
    const map = kind.maps.find((each) => each.name === name);
    return (map === undefined ? null : saidIn(terms, map)) ?? terms;
  }

  // ------------------------------------------------------------------------------------------------------------ Q3: MLP

  function mlp(step, stream, kind) {
    const units = checkSize(apply(step.W_1, stream, step.b_1), kind, "a unit").map((unit) => rectified(unit, kind));
    const sums = apply(step.b_2, [constant(ONE)]);
    for (const [row, entries] of step.W_2.at) {
      const groups = new Map();  // units by cases of the same variables are added up case by case
      for (const [column, amount] of entries) {
        const { form, order, exact, parts } = units[column];
        if (form) { addForm(sums[row], form, amount); continue; }
        const key = String(order);
        if (!groups.has(key)) groups.set(key, { order, exact: [], noise: new Map() });
        const group = groups.get(key);
        group.exact.push([amount, exact]);
        for (const part of parts) {
          if (!group.noise.has(part.symbol)) group.noise.set(part.symbol, []);
          group.noise.get(part.symbol).push([amount, part]);
        }
      }
      for (const { order, exact, noise } of groups.values()) {
        const together = { exact: addedUp(exact, order), noise: new Map() };
        for (const [symbol, parts] of noise) {
          const terms = addedUp(parts, order);
          if (terms.size > 0) together.noise.set(symbol, terms);
        }
        addForm(sums[row], together);
      }
    }
    return checkSize(stream.map((form, r) => folded(addForm(addForm(empty(), form), sums[r]), kind)), kind, "the stream");
  }
  function addedUp(parts, order) {
    const factors = overOne(parts.map(([amount, { bottom }]) => amount.div(new Q(bottom, 1n)))), sum = Array(cells(sizesOf(order))).fill(0n);
    parts.forEach(([, { integers }], i) => {
      const factor = factors.integers[i];
      spend(integers.length);
      integers.forEach((value, cell) => { if (value !== 0n) sum[cell] += factor * value; });
    });
    sum.forEach(counted);
    return termsOf(sum, factors.bottom, order);
  }
  function rectified(unit, kind) {
    const order = [...mentionedBy(unit)].sort((a, b) => a - b);
    if (few(order)) {
      const decided = decidedUnit(unit, order, kind);
      if (decided !== null) return decided;
    }
    const [low, high] = range(unit, kind);
    return { form: between(qmax(ZERO, low), qmax(ZERO, high)) };
  }
  // {form}; or {order, exact, parts}: its values at all joint values of the variables, and those of its noise; null if some
  // case is not decided.
  function decidedUnit(unit, order, kind) {
    const noise = noiseOf(unit), sum = constantOf(unit);
    const spread = [...unit.exact].reduce(([low, high], [m, amount]) => (m === 0 ? [low, high]
      : amount.sign < 0 ? [low.add(amount), high] : [low, high.add(amount)]), [sum.sub(noise), sum.add(noise)]);
    if (spread[0].sign >= 0) return { form: unit };
    if (spread[1].sign <= 0) return { form: empty() };
    const exact = valuesOf(unit.exact, order), parts = [...unit.noise].map(([symbol, terms]) => ({ symbol, ...valuesOf(terms, order) }));
    const valid = cases(order, [], lawsOf([laws[kind.index]], new Set(order))), on = [];
    for (let cell = 0; cell < valid.length; cell += 1) {
      const value = exact.integers[cell];
      let decided = true;
      if (parts.length > 0) {
        const reach = parts.reduce((total, { symbol, bottom, integers }) =>
          (integers[cell] === 0n ? total : total.add(Q.of(integers[cell], bottom).abs().mul(radii[symbol]))), ZERO);
        decided = reach.le(Q.of(value, exact.bottom).abs());
      }
      if (valid[cell] && !decided) return null;
      on.push(valid[cell] && value > 0n);  // off where a law excludes the case
    }
    if (valid.every((there, cell) => !there || exact.integers[cell] >= 0n)) return { form: unit };
    if (valid.every((there, cell) => !there || exact.integers[cell] <= 0n)) return { form: empty() };
    const kept = (part) => ({ ...part, integers: part.integers.map((value, cell) => (on[cell] ? value : 0n)) });
    return { order, exact: kept(exact), parts: parts.map(kept) };
  }

  // ---------------------------------------------------------------------------------------------------- Q4, Q5: attention

  const hull = (ranges) => [ranges.map(([low]) => low).reduce(qmin), ranges.map(([, high]) => high).reduce(qmax)];
  const reachOf = ([low, high]) => qmax(low.abs(), high.abs());
  const LN2 = (() => {  // a lower bound: ln 2 = Σ 1/(k·2^k)
    const scale = 300n;
    let sum = 0n;
    for (let k = 1n; k <= scale; k += 1n) sum += (1n << (scale - k)) / k;
    return Q.of(sum, 1n << scale);
  })();
  const FINE = powerOfTwo(-320n), EXPONENT_MOST = new Q(6000n, 1n);
  const upward = (number) => number.ceilTo(FINE);
  const exponentialAbove = (x) => upward(exponential(x)[1]);

  function fullHead(head, streams, task, P) {
    const parts = task.kinds.map((kind) => {
      const project = (W, what) => checkSize(apply(W, streams[kind.index]), kind, what);
      const [q, k, v] = [project(head.W_Q, "a query"), project(head.W_K, "a key"), project(head.W_V, "a value")];
      return { kind, q, k, v, ranges: v.map((form) => range(form, kind)), far: k.map((form) => toElsewhere(form.exact)) };
    });
    return task.kinds.map((kind) => {
      const seen = parts.slice(0, kind.index + 1).map((part) => ({ ...part, ...scoreOf(parts[kind.index], part) }));
      const reader = { kind, seen, head, P };
      for (const { kind: other, score, rho } of seen) {
        const largest = maximum(score, [], [laws[kind.index], lawsElsewhere(other)]);
        require(largest !== null && largest.add(rho).le(head.shift), `Q4: a score of ${kind.name} above the shift`);
      }
      for (const d of kind.counts) {
        const output = countForms(d, reader);
        if (output !== null) return output;
      }
      let best = null;
      for (const d of kind.finds) {
        const found = pick(d, reader);
        if (found !== null && (best === null || (found.reads !== best.reads ? found.reads : found.lambda.lt(best.lambda)))) best = found;
      }
      if (best !== null) return best.output();
      return Array.from({ length: head.dv }, (_, r) => {
        const [low, high] = hull(seen.map(({ ranges }) => ranges[r]));
        return between(qmin(ZERO, low).floorTo(grain), qmax(ZERO, high));
      });
    });
  }
  // The score of a reader and a kind, exact terms with @, and the reach of its noise.
  function scoreOf(reader, other) {
    const score = new Map();
    let rho = ZERO;
    reader.q.forEach((query, r) => {
      const key = other.k[r], [a, b] = [noiseOf(query), noiseOf(key)];
      addTerms(score, timesTerms(query.exact, other.far[r]));
      const span = ({ exact }) => reachOf(extent(exact, [], []));
      if (!a.zero) rho = rho.add(a.mul(span(key).add(b)));
      if (!b.zero) rho = rho.add(b.mul(span(query)));
    });
    return { score, rho };
  }
  const atomsOf = (d) => d.where.map(({ a, relation, b }) =>
    [elsewhere(own(d.target, a)), relation, typeof b === "object" ? own(d.kind, b) : { value: b }]);
  const minus = (a, b) => addTerms(new Map(a), b, ONE.neg());

  // The weight of other tokens against one of score sigma: a sum over kinds; null if it is not bounded.
  function leak(sigma, rho, chosen, alternatives, given, d, { kind, seen, head, P }, found = [], small = (v) => v) {
    let lambda = ZERO;
    const fewer = (sets) => sets.map((set) => set.map((law) => ({ ...law, variables: law.variables.map(small) })));
    const within = (atoms) => atoms.map(([a, relation, b]) => [small(a), relation, typeof b === "number" ? small(b) : b]);
    for (const { kind: other, score, rho: noise } of seen) {
      const isTarget = other === d.target;
      if (other === chosen && !isTarget) continue;
      let many = other.count === null ? null : new Q(other.count, 1n);
      if (other === chosen && many !== null) many = many.sub(ONE);
      if (many !== null && many.zero) continue;
      const [own, theirs] = fewer([laws[kind.index], found]), sets = [own, lawsElsewhere(other), theirs];
      const difference = renamed(minus(score, sigma), small);
      let sum = ZERO, largest = ZERO;
      for (const alternative of isTarget ? alternatives : [[]]) {
        const atoms = within([...alternative, ...given]);
        const gap = maximum(difference, atoms, sets);
        if (gap === null) continue;
        if (many === null || gap.sign > 0) return null;
        const weight = exponentialAbove(gap), together = prefixSum(difference, atoms, sets, other);
        largest = qmax(largest, weight);
        sum = sum.add(together === null ? weight.mul(many) : qmin(together, weight.mul(many)));
      }
      if (sum.zero) continue;
      const scale = rho.add(noise);
      if (EXPONENT_MOST.lt(scale)) return null;
      lambda = lambda.add(exponentialAbove(scale).mul(qmin(sum, largest.mul(many))));
    }
    const lowest = maximum(negated(renamed(sigma, small)), within(given), fewer([laws[kind.index], found]));
    if (lowest === null) return null;
    const exponent = lowest.neg().sub(rho).sub(head.shift);
    if (!exponent.zero) {
      const room = LN2.mul(new Q(P, 1n)).add(exponent);
      if (room.lt(ONE)) return null;
      const bits = room.floor();
      lambda = lambda.mul(ONE.add(powerOfTwo(bits > 64n ? -64n : -bits)));
    }
    return upward(lambda);
  }
  // Σ e^(g(x) + h(y)) over positions x < y, the largest over y, times e^ of the rest; null if the atoms are others.
  function prefixSum(difference, atoms, sets, other) {
    if (other.endless) return null;
    const position = elsewhere(own(other, other.own[0])), mine = atoms.filter(([a, , b]) => a === position || b === position);
    if (mine.length !== 1 || mine[0][0] !== position) return null;
    const parts = partsOf(difference, atoms, sets), part = parts.find(({ order }) => order.includes(position));
    const pair = orderedPair(part);
    if (pair === null) return null;
    const rest = new Map([...difference].filter(([m]) => !part.terms.has(m)));
    const top = maximum(rest, atoms.filter((atom) => atom !== mine[0]), sets);
    if (top === null) return ZERO;
    // Of all x below y: Σ e^(g(x) − peak), peak the largest g(x); rounded upwards.
    let sum = ZERO, peak = null, largest = ZERO;
    for (let y = 0; y < pair.g.length; y += 1) {
      if (peak !== null) {
        const exponent = Q.of(peak + pair.h[y], pair.bottom);
        if (EXPONENT_MOST.lt(exponent)) return null;
        largest = qmax(largest, upward(sum.mul(exponentialAbove(exponent))));
      }
      if (peak === null || pair.g[y] > peak) {
        sum = peak === null ? ONE : upward(sum.mul(exponentialAbove(Q.of(peak - pair.g[y], pair.bottom)))).add(ONE);
        peak = pair.g[y];
      } else sum = sum.add(exponentialAbove(Q.of(pair.g[y] - peak, pair.bottom)));
    }
    return EXPONENT_MOST.lt(top) ? null : upward(largest.mul(exponentialAbove(top)));
  }
  function pick(d, reader) {
    const { seen, head } = reader, found = seen.find((part) => part.kind === d.target);
    if (found === undefined) return null;
    const target = { ...found, v: found.v.map((form) => (d.read === null || form.noise.size > 0 ? form
      : { exact: saidInVariable(form.exact, d.target, d.read.name), noise: form.noise })) };
    const used = new Set();
    for (const form of target.v) for (const v of mentionedBy(form)) used.add(v);
    if (!d.single) {
      const allowed = [...d.equal, ...(d.best ? [d.best.variable] : [])].map((part) => own(d.target, part));
      if ([...used].some((v) => !allowed.includes(v))) return null;
    }
    const ghost = ghosts(d), near = new Map();
    for (const form of target.k) for (const v of mentioned(form.exact)) near.set(elsewhere(v), ghost(v));
    const sigma = renamed(target.score, (v) => near.get(v) ?? v);
    const atoms = atomsOf(d), missing = atoms.map(([a, relation, b]) => [[a, OPPOSITE[relation], b]]), alternatives = [...missing];
    if (d.best) {
      const ordered = own(d.target, d.best.variable);
      alternatives.push([...atoms, [elsewhere(ordered), d.best.order === "largest" ? "<" : ">", ghost(ordered)]]);
    }
    // Its own variables stand in the relations. Both ways are bounds: with more atoms there may be no closed form.
    const related = d.where.filter(({ relation }) => relation !== "=").flatMap(({ a, relation, b }) => {
      const v = ghost(own(d.target, a));
      return typeof v === "object" ? [] : [[v, relation, typeof b === "object" ? own(d.kind, b) : { value: b }]];
    });
    const small = narrower(d);
    const bounds = [[], ...(related.length > 0 ? [related] : [])]
      .map((atoms) => leak(sigma, target.rho, d.target, alternatives, atoms, d, reader, ghostLaws(d, ghost), small)).filter((bound) => bound !== null);
    if (bounds.length === 0) return null;
    let lambda = bounds.reduce(qmin), standing = null;
    if (d.read === null || d.otherwise !== null) {
      for (const part of seen) {
        if (part.kind === d.target || part.kind.count !== 1n) continue;
        if (mentioned(part.score).size > 0 || part.v.some((form) => mentionedBy(form).size > 0)) continue;
        const weight = leak(part.score, part.rho, part.kind, missing, [], d, reader);
        if (weight !== null && (standing === null || weight.lt(standing.lambda))) standing = { part, lambda: weight };
      }
      if (standing === null) return null;
      lambda = qmax(lambda, standing.lambda);
    }
    const reads = d.read === null || used.has(own(d.target, d.read));
    return { reads, lambda, output: () => pickedForms(d, target, standing, lambda, ghost, seen, head) };
  }
  function pickedForms(d, target, standing, lambda, ghost, seen, head) {
    const symbols = new Map(), share = lambda.div(ONE.add(lambda));
    const fresh = (symbol) => {  // the noise of another token is another number
      if (!symbols.has(symbol)) { symbols.set(symbol, radii.length); radii.push(radii[symbol]); }
      return symbols.get(symbol);
    };
    const told = (form, names) => {
      const result = { exact: renamed(form.exact, names), noise: new Map() };
      for (const [symbol, terms] of form.noise) {
        const said = renamed(terms, names);
        if (said.size > 0) result.noise.set(fresh(symbol), said);
      }
      return result;
    };
    const either = eitherOf(d);
    return Array.from({ length: head.dv }, (_, r) => {
      let form = told(target.v[r], ghost);
      if (standing !== null) {
        form = either(form, told(standing.part.v[r], (v) => v));
      }
      const [low, high] = hull(seen.map(({ ranges }) => ranges[r])), length = high.sub(low);
      const whole = length.zero && low.div(grain).whole;
      return whole ? form : addNoise(form, upward(length.mul(share)).add(grain));
    });
  }
  // What is read where d finds a token, and what elsewhere, as one form.
  function eitherOf(d) {
    const defaults = new Map();
    let asked = new Map([[monomial([[foundVariable(d), 1]]), ONE]]);
    for (const e of findsAlike(d)) {
      if (e.read === null) defaults.set(ownOf(e), { value: 0 });
      else if (e.otherwise !== null) {
        defaults.set(ownOf(e), { value: e.otherwise });
        if (e.otherwise >= e.read.size) {
          within(e.size, CASES, "values of a variable to list");
          asked = functionOf(ownOf(e), Array.from({ length: e.size }, (_, value) => (value === e.otherwise ? ZERO : ONE))).exact;
        }
      }
    }
    const no = addTerms(new Map([[0, ONE]]), asked, ONE.neg());
    return (form, other) => {
      const same = other.noise.size === 0 && sameTerms(renamed(form.exact, (v) => defaults.get(v) ?? v), other.exact);
      return same ? form : addForm(timesExact(form, asked), timesExact(other, no));
    };
  }
  function countForms(d, { kind, seen, head, P }) {
    const target = seen.find((part) => part.kind === d.target);
    if (target === undefined || seen.some(({ rho, v }) => !rho.zero || v.some((form) => form.noise.size > 0))) return null;
    const atoms = atomsOf(d), sets = (other) => [laws[kind.index], lawsElsewhere(other)], scale = powerOfTwo(P);
    const scores = extent(target.score, atoms, sets(d.target));
    if (scores === null || !scores[0].eq(scores[1])) return null;
    const [s] = scores, weighs = exponential(s.sub(head.shift))[0].mul(scale);
    if (weighs.lt(ONE)) return null;
    const nothing = (largest) => largest === null || exponential(largest.sub(head.shift))[1].mul(scale).lt(ONE);
    if (!atoms.every(([a, relation, b]) => nothing(maximum(target.score, [[a, OPPOSITE[relation], b]], sets(d.target))))) return null;
    const single = (forms, holding, other) => forms.map((form) => {
      const ends = extent(toElsewhere(form.exact), holding, sets(other));
      return ends !== null && ends[0].eq(ends[1]) ? ends[0] : null;
    });
    const values = single(target.v, atoms, d.target);
    let many = 0n, sums = Array(head.dv).fill(ZERO);
    for (const part of seen) {
      if (part.kind === d.target) continue;
      const ends = extent(part.score, [], sets(part.kind));
      if (ends !== null && nothing(ends[1])) continue;
      if (ends === null || part.kind === kind || part.kind.endless || !ends[0].eq(s) || !ends[1].eq(s)) return null;
      const theirs = single(part.v, [], part.kind);
      if (theirs.includes(null)) return null;
      many += part.kind.count;
      sums = sums.map((sum, r) => sum.add(theirs[r].mul(new Q(part.kind.count, 1n))));
    }
    if (values.includes(null)) return null;
    return values.map((a, r) => functionOf(ownOf(d), Array.from({ length: d.size }, (_, c) => {
      const all = many + BigInt(c);
      return all === 0n ? ZERO : a.mul(new Q(BigInt(c), 1n)).add(sums[r]).div(new Q(all, 1n)).floorTo(grain);
    })));
  }

  // ------------------------------------------------------------------------------------------------------ Q6: recurrences

  function recurrentHead(head, streams, task) {
    require(head.type !== "sparse" && !(head.type === "linear" && head.normalised), "Q6: no rule for this head");
    const parts = task.kinds.map((kind) => {
      const project = (W, b, what) => checkSize(W ? apply(W, streams[kind.index], b) : [], kind, what);
      const q = project(head.W_Q, head.b_Q, "a query"), k = project(head.W_K, head.b_K, "a key"), v = project(head.W_V, null, "a value");
      const beta = project(head.W_B, head.b_B, "β"), alpha = project(head.W_A, head.b_A, "α");
      return { kind, asked: q, k, v, gates: [...beta, ...alpha], q: q.map(constantOf), numbers: [...k, ...v, ...beta, ...alpha] };
    });
    const constants = parts.every(({ asked }) => asked.every(isConstant));
    for (const scan of task.definitions.filter(({ type }) => type === "scan")) {
      const outputs = constants ? walk(scan, head, parts) : null;
      if (outputs !== null) return outputs.map((forms, index) => checkSize(forms, task.kinds[index], "an output"));
    }
    const outputs = memory(head, parts, task.definitions);
    require(outputs !== null, "Q6, Q8: neither a scan nor a memory explains the state");
    return outputs;
  }
  // The distinct pairs [inputs, numbers] of the tokens of a kind; null if that cannot be told.
  function updates({ kind, numbers }, inputs) {
    if (numbers.some((form) => form.noise.size > 0)) return null;
    const wanted = inputs.map((part) => own(kind, part)), found = new Set(wanted);
    for (const form of numbers) mentioned(form.exact, found);
    const order = [...found].sort((a, b) => a - b);
    if (!few(order)) return null;
    const valid = cases(order, [], lawsOf([laws[kind.index]], found)), sizes = sizesOf(order), steps = strides(sizes), pairs = new Map();
    const tables = numbers.map((form) => valuesOf(form.exact, order));
    for (let cell = 0; cell < valid.length; cell += 1) {
      if (!valid[cell]) continue;
      spend(4 + 2 * numbers.length);
      const at = wanted.map((v) => { const i = order.indexOf(v); return ((cell - (cell % steps[i])) / steps[i]) % sizes[i]; });
      const key = `${at}|${tables.map(({ integers }) => integers[cell])}`;
      if (!pairs.has(key)) pairs.set(key, { at, row: tables.map(({ bottom, integers }) => Q.of(integers[cell], bottom)) });
    }
    return [...pairs.values()];
  }
  const clipped = (number) => qmin(ONE, qmax(ZERO, number));
  // The state after a token with these numbers.
  function updated(S, row, head) {
    const { dk, dv } = head, rounds = head.updates ?? 1;
    spend(32 + 8 * dk * dv * rounds);
    const k = row.slice(0, rounds * dk), v = row.slice(rounds * dk, rounds * (dk + dv)), gates = row.slice(rounds * (dk + dv));
    const fits = (state) => (state.every((line) => line.every((number) => number.abs().le(size))) ? state : null);  // Q7
    if (head.type === "linear") return fits(S.map((line, a) => line.map((number, r) => number.add(qmax(ZERO, k[a]).mul(v[r])))));
    for (let u = 0; u < rounds; u += 1) {
      const key = k.slice(u * dk, (u + 1) * dk), value = v.slice(u * dv, (u + 1) * dv), beta = clipped(gates[u]);
      const alpha = head.type === "delta" ? clipped(gates[1]) : ONE;
      if (beta.zero && alpha.eq(ONE)) continue;
      const held = value.map((_, r) => key.reduce((sum, number, a) => (number.zero ? sum : sum.add(number.mul(S[a][r]))), ZERO));
      S = fits(S.map((line, a) => line.map((number, r) => {
        const scale = beta.mul(key[a]);
        return scale.zero ? alpha.mul(number) : alpha.mul(number.sub(scale.mul(held[r]))).add(scale.mul(value[r]));
      })));
      if (S === null) return null;
    }
    return S;
  }
  const texted = (S) => S.map((line) => line.join(",")).join(";");
  function walk(scan, head, parts) {
    let before = Array.from({ length: head.dk }, () => Array(head.dv).fill(ZERO)), codes = null;  // codes: value → state
    const outputs = [];
    for (const part of parts) {
      const { kind } = part, step = scan.over.find((each) => each.kind === kind);
      const pairs = updates(part, step ? step.inputs : []);
      if (pairs === null) return null;
      if (step) {
        codes ??= new Map([[scan.start, before]]);
        if (!steps(scan, step, pairs, kind, head, codes)) return null;
      } else {
        const states = codes ?? new Map([[null, before]]);
        for (const [value, S] of states) {
          const after = pairs.map(({ row }) => updated(S, row, head));
          if (after.includes(null)) return null;
          const said = new Set(after.map(texted));
          if (said.size > 1 || (kind.count !== 1n && !said.has(texted(S)))) return null;
          states.set(value, after[0]);
        }
        if (codes === null) before = states.get(null);
      }
      const query = part.q.map((number) => (head.type === "linear" ? qmax(ZERO, number) : number));
      const read = (S) => Array.from({ length: head.dv }, (_, r) => query.reduce((sum, number, a) => (number.zero ? sum : sum.add(number.mul(S[a][r]))), ZERO));
      const told = new Map([...(codes ?? new Map([[null, before]]))].map(([value, S]) => [value, read(S)]));
      outputs.push(Array.from({ length: head.dv }, (_, r) => {
        if (!step) return between(...hull([...told.values()].map((numbers) => [numbers[r], numbers[r]])));
        return functionOf(own(kind, variableOf(kind, scan.name)), Array.from({ length: scan.size }, (_2, value) => told.get(value)?.[r]));
      }));
    }
    return codes === null ? null : outputs;
  }
  function steps(scan, step, pairs, kind, head, codes) {
    const sizes = [scan.size, ...step.inputs.map((part) => part.size)], texts = new Map([...codes].map(([value, S]) => [value, texted(S)]));
    let fresh = [...codes.keys()];
    for (let round = 0n; (kind.count === null || round < kind.count) && fresh.length > 0; round += 1n) {
      const next = [];
      for (const value of fresh) {
        for (const { at, row } of pairs) {
          const after = step.table[cellOf([value, ...at], sizes)];
          if (after === null) continue;
          const S = updated(codes.get(value), row, head);
          if (S === null) return false;
          const text = texted(S);
          if (!codes.has(after)) {
            codes.set(after, S);
            texts.set(after, text);
            next.push(after);
          } else if (texts.get(after) !== text) return false;
        }
      }
      fresh = next;
    }
    return true;
  }

  // ---------------------------------------------------------------------------------------------------------- Q8: memory

  // The state as rows that have names. For each kind the forms of what it reads; null if it is no memory.
  function memory(head, parts, definitions) {
    if (head.type === "product" || parts.some(({ v }) => v.some((form) => form.noise.size > 0))) return null;
    const keys = parts.map(({ kind, k, gates }) => vectorsOf(head, kind, k, head.type === "delta" ? gates : []));
    const queries = parts.map(({ kind, asked }) => vectorsOf(head, kind, asked, []));
    if (keys.includes(null) || queries.includes(null)) return null;
    if (head.type === "linear") {
      const sums = Array(head.dv).fill(ZERO);
      for (const { kind, v } of parts) {
        const largest = [...keys[kind.index].rows.values()].flatMap((row) => [...row.values()]).reduce(qmax, ZERO);
        if (largest.zero) continue;
        for (const [r, form] of v.entries()) {
          const reach = reachOf(range(form, kind));
          if (kind.endless && !reach.zero) return null;
          if (!kind.endless) sums[r] = sums[r].add(reach.mul(largest).mul(new Q(kind.count, 1n)));
        }
      }
      if (sums.some((sum) => size.lt(sum))) return null;
    }
    const entries = ({ rows }) => new Set([...rows.values()].flatMap((row) => [...row.keys()]));
    const named = keys.map(entries), outputs = [];
    for (const { kind } of parts) {
      const wanted = entries(queries[kind.index]);
      const heard = parts.filter((part) => part.kind.index <= kind.index && (head.type === "delta" || part.v.some(({ exact }) => exact.size > 0))
        && [...named[part.kind.index]].some((i) => wanted.has(i)));
      if (heard.length === 0) { outputs.push(Array.from({ length: head.dv }, empty)); continue; }
      if (heard.length > 1) return null;
      const [{ kind: target, v }] = heard, ordered = definitions.filter((d) => d.kind === kind && d.target === target);
      let said = null;
      for (const d of ordered) said ??= remembered(d, head, queries[kind.index], keys[target.index], v);
      if (said === null) return null;
      outputs.push(said);
    }
    return outputs;
  }
  // {order, rows}: in each valid case, by its digits as a text, the entries that are not 0.
  function vectorsOf(head, kind, forms, gates) {
    const found = new Set(), rows = new Map(), delta = head.type === "delta";
    if ([...forms, ...gates].some((form) => form.noise.size > 0)) return null;
    for (const form of [...forms, ...gates]) mentioned(form.exact, found);
    const order = [...found].sort((a, b) => a - b);
    if (!few(order)) return null;
    const valid = cases(order, [], lawsOf([laws[kind.index]], found)), tables = forms.map((form) => (form.exact.size > 0 ? valuesOf(form.exact, order) : null));
    const [writes, keeps] = gates.map((form) => valuesOf(form.exact, order));
    for (let cell = 0; cell < valid.length; cell += 1) {
      if (!valid[cell]) continue;
      spend(2 + tables.length);
      const row = new Map(), at = (table) => Q.of(table.integers[cell], table.bottom);
      tables.forEach((table, i) => { if (table !== null && (delta ? table.integers[cell] !== 0n : table.integers[cell] > 0n)) row.set(i, at(table)); });
      if (delta && gates.length > 0) {
        const beta = at(writes);
        if (at(keeps).lt(ONE) || (beta.sign > 0 && beta.lt(ONE))) return null;
        if (beta.sign <= 0) row.clear();
      }
      if (delta && !(row.size === 0 || (row.size === 1 && [...row.values()][0].eq(ONE)))) return null;
      rows.set(String(digitsOf(cell, order)), row);
    }
    return { order, rows };
  }
  function digitsOf(cell, order) {
    const sizes = sizesOf(order), steps = strides(sizes);
    return order.map((_, i) => ((cell - (cell % steps[i])) / steps[i]) % sizes[i]);
  }
  // The different pairs of values of these variables and vectors; null if there are too many cases.
  function namesOf(kind, { order, rows }, parts) {
    const wanted = parts.map((part) => own(kind, part)), found = new Set([...order, ...wanted]), all = [...found].sort((a, b) => a - b);
    if (!few(all)) return null;
    const valid = cases(all, [], lawsOf([laws[kind.index]], found)), pairs = new Map();
    for (let cell = 0; cell < valid.length; cell += 1) {
      if (!valid[cell]) continue;
      spend(4);
      const digits = digitsOf(cell, all), values = wanted.map((v) => digits[all.indexOf(v)]), here = String(order.map((v) => digits[all.indexOf(v)]));
      const key = `${values}|${here}`;
      if (!pairs.has(key)) pairs.set(key, { values, row: rows.get(here) });
    }
    return [...pairs.values()];
  }
  function remembered(d, head, query, key, v) {
    const delta = head.type === "delta";
    if (d.type === "count" ? delta : d.best && !(delta && d.best.order === "largest" && d.best.variable.name === "position")) return null;
    if (!(d.type === "find" && delta && isNear(d, query, key)) && !isMatch(d, query, key)) return null;
    if (d.type === "count") {
      const values = v.map((form) => extent(toElsewhere(form.exact), atomsOf(d), [laws[d.kind.index], lawsElsewhere(d.target)]));
      if (values.some((ends) => ends === null || !ends[0].eq(ends[1]))) return null;
      return values.map(([a]) => functionOf(ownOf(d), Array.from({ length: d.size }, (_, c) => a.mul(new Q(BigInt(c), 1n)))));
    }
    const told = v.map((form) => (d.read === null ? form.exact : saidInVariable(form.exact, d.target, d.read.name)));
    const equal = d.equal.map((part) => own(d.target, part)), ghost = ghosts(d), either = eitherOf(d);
    if (!d.single && !(delta && told.every((terms) => [...mentioned(terms)].every((each) => equal.includes(each))))) return null;
    return told.map((terms) => {
      const form = { exact: renamed(terms, ghost), noise: new Map() };
      return d.read === null || d.otherwise !== null ? either(form, empty()) : form;
    });
  }
  function isMatch(d, query, key) {
    const asked = d.where.filter(({ b }) => typeof b === "object").map(({ b }) => b);
    const mine = namesOf(d.kind, query, asked), there = namesOf(d.target, key, d.where.map(({ a }) => a));
    if (mine === null || there === null || BigInt(mine.length) * BigInt(there.length) > BigInt(PAIRS)) return false;
    return mine.every(({ values, row }) => {
      let next = 0;
      const right = d.where.map(({ b }) => { if (typeof b !== "object") return b; next += 1; return values[next - 1]; });
      return there.every((other) => {
        spend(2 + d.where.length);
        const matches = d.where.every(({ relation }, i) => RELATIONS[relation](other.values[i], right[i]));
        let sum = ZERO;
        for (const [i, amount] of row) if (other.row.has(i)) sum = sum.add(amount.mul(other.row.get(i)));
        return sum.eq(matches ? ONE : ZERO);
      });
    });
  }
  // d finds the token at the place that a map of the reader's place says; no later one has the name asked for.
  function isNear(d, query, key) {
    const maps = new Map(d.kind.maps.filter(({ inputs }) => inputs.length === 1 && inputs[0].name === "position").map((map) => [ownOf(map), map.table]));
    if (d.kind !== d.target || d.where.length !== 1) return false;
    const [{ a, relation, b }] = d.where;
    if (a.name !== "position" || relation !== "=" || typeof b !== "object" || !maps.has(own(d.kind, b))) return false;
    const place = own(d.kind, a), used = [...query.order, ...key.order];
    if (used.some((v) => v !== place && !maps.has(v))) return false;
    const target = maps.get(own(d.kind, b)), count = target.length;
    if ([target, ...used.filter((v) => v !== place).map((v) => maps.get(v))].some((table) => table.includes(null))) return false;
    const at = ({ order, rows }) => Array.from({ length: count }, (_, x) => [...rows.get(String(order.map((v) => (v === place ? x : maps.get(v)[x])))).keys()]);
    const wanted = at(query), names = at(key);
    for (let u = 0; u < count; u += 1) {
      const seen = target[u] <= u, [name] = wanted[u];
      if (seen && (name === undefined || names[target[u]][0] !== name)) return false;
      for (let later = seen ? target[u] + 1 : 0; later <= u; later += 1) {
        spend(2);
        if (name !== undefined && names[later][0] === name) return false;
      }
    }
    return true;
  }

  // --------------------------------------------------------------------------------------------------------- the answer

  function provedMargin(stream, task, model) {
    const kind = task.answering, y = own(kind, task.answer), other = elsewhere(y), many = task.answer.size;
    if (many === 1) return ONE;
    const columns = rowForms(model.unembedding, 0n, [y], [], model.d), form = new Map();
    columns.forEach((column, r) => {
      const difference = minus(renamed(column.exact, () => other), column.exact), noise = noiseOf(stream[r]);
      addTerms(form, timesTerms(saidInVariable(stream[r].exact, kind, task.answer.name), difference));
      if (!noise.zero && difference.size > 0) addTerms(form, distance(column.exact, difference, y, other, many), noise);
    });
    const largest = maximum(form, [[other, "≠", y]], [laws[kind.index]]);
    require(largest !== null, "no token that answers keeps its laws");
    return largest.neg();
  }
  // |U[@y] − U[y]|, or an upper bound of it.
  function distance(column, difference, y, other, many) {
    const bits = [...column].filter(([m]) => m !== 0);
    if (bits.length === 1 && (monomials[bits[0][0]][0][1] & (monomials[bits[0][0]][0][1] - 1)) === 0) {
      // τ·(±1 bit) + constant: the coefficient of the 0/1 bit is 2τ, and |difference| = |2τ|·(x + y − 2xy)
      const [[m, double]] = bits, mask = monomials[m][0][1], scale = double.abs();
      return new Map([[m, scale], [monomial([[other, mask]]), scale], [monomial([[y, mask], [other, mask]]), scale.mul(TWO).neg()]]);
    }
    if (many <= ANSWERS_BY_CASES) {
      const order = [y, other].sort((a, b) => a - b), { bottom, integers } = valuesOf(difference, order);
      return termsOf(integers.map((value) => (value < 0n ? -value : value)), bottom, order);
    }
    const ends = extent(column, [], []);
    return new Map([[0, ends[1].sub(ends[0])]]);
  }

  // --------------------------------------------------------------------------------------------------------- the claim

  // claim: {tokens, integral, stateBits, inputs (null or an integer), margin}, as it was read.
  function checkProgram(claim, model, example) {
    const { task } = model;
    require(claim.tokens === task.tokens, "the prompt has another length");
    require(!claim.integral && claim.stateBits === null, "of a program neither integral nor state bits are claimed");
    if (claim.inputs !== null) {
      require(task.powers !== null, "the number of inputs is not known");
      const digits = 256n + BigInt(bitlength(task.tokens));
      const logarithm = task.powers.reduce((sum, [base, exponent]) => sum + exponent * logDigits(base, false, digits), 0n);
      require(claim.inputs << digits <= logarithm, "there are fewer inputs");
    }
    checkExample(example, task);
    forget();
    [grain, size] = [model.grain, model.size];
    laws = task.kinds.map(lawsOfKind);
    lookAt("embedding");
    let streams = task.kinds.map((kind) => checkSize(embedding(kind, model), kind, "the embedding"));
    model.layers.forEach(({ heads, mlps }, l) => {
      lookAt(`layer ${l + 1}`);
      const outputs = heads.map((head) => (head.type === "full" ? fullHead(head, streams, task, model.P) : recurrentHead(head, streams, task)));
      streams = streams.map((stream, index) => {
        const kind = task.kinds[index];
        const sum = stream.map((form) => addForm(empty(), form));
        heads.forEach((head, h) => apply(head.W_O, checkSize(outputs[h][index], kind, "an output")).forEach((form, r) => addForm(sum[r], form)));
        return mlps.reduce((x, step) => mlp(step, x, kind), checkSize(sum, kind, "the stream"));
      });
    });
    lookAt("the answer");
    const proved = provedMargin(streams[task.answering.index], task, model);
    require(claim.margin.sign > 0 && proved.sign > 0 && claim.margin.le(proved), "the margin is not proved");
  }

  return { readProgram, checkProgram, programTokens };
}
