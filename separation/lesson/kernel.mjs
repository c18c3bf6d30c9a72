// A second checker of certificates: verdict(text) from docs/certificates.md alone, in BigInt rationals, without dependencies.
//
//     node kernel.mjs FILE            one sentence; exit status 0 accepted, 1 rejected, 2 malformed or declined
//     node kernel.mjs --batch LIST    LIST has a file name on each line; prints "status<TAB>name<TAB>sentence" for each
//
// In a browser: import { checkText } from "./kernel.mjs"; checkText(text, trace) tells trace({at, rule, holds, done}) of
// every step (`rule` is why it would refuse, or what is `done`), and the verdict has `where`, the place that was
// rejected. Names of rules (P1 … P11) are those of the page. Programs, rules Q1 … Q7, are in kernel_programs.mjs; what is
// run on every input or on one is in kernel_runs.mjs.

import { programRules } from "./kernel_programs.mjs";
import { runRules } from "./kernel_runs.mjs";

class Malformed extends Error {}
class Declined extends Error {}
class Rejected extends Error {}

let tracing = null, place = "", row = null, part = null;  // who hears of each step; what is looked at just now
const lookAt = (where) => { place = where; };
const passed = (rule) => { if (tracing !== null) tracing({ at: place, rule, holds: true, done: true }); };

const malformed = (why) => { throw new Malformed(why); };
const declined = (why) => { throw new Declined(why); };
const rejected = (why) => { throw new Rejected(why); };
const require = (holds, why) => {
  if (tracing !== null) tracing({ at: place, rule: why, holds });
  if (!holds) rejected(why);
};
const shaped = (holds, why) => { if (!holds) malformed(why); };
const within = (value, most, what) => { if (value > most) declined(`${what}: more than ${most}`); };

// ------------------------------------------------------------------------------------------------------ work is counted

// In units of about 50 ns, where it is done; no number that is computed has more bits, of both parts together.
const WORK_MOST = 2 ** 27, BITS_MOST = 2 ** 17, LONG = 1n << 64n;
let work = 0;
function spend(units) {
  work += units;
  if (work > WORK_MOST) declined(`more work than ${WORK_MOST} units`);
}
const size = (a) => (a < LONG && a > -LONG ? 64 : bitlength(a));
function counted(a) {  // an integer, just computed
  const bits = size(a);
  within(bits, BITS_MOST, "bits of a number");
  spend(4 + (bits >> 6) + bits * bits / 262144);
  return a;
}

// ---------------------------------------------------------------------------------------------- integers and rationals

const absolute = (a) => (a < 0n ? -a : a);
const least = (a, b) => (a < b ? a : b);
const most = (a, b) => (a > b ? a : b);
const product = (list) => list.reduce((a, b) => counted(a * b), 1n);
const total = (list) => list.reduce((a, b) => a + b, 0n);
function bitlength(a) {
  if (a === 0n) return 0;
  const hex = absolute(a).toString(16);
  return 4 * hex.length - Math.clz32(parseInt(hex[0], 16)) + 28;
}
function gcd(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return absolute(a);
}
// The only way from a certificate's number to a machine's: what counts or addresses members of a list that is there.
const INDEX_MOST = 1n << 26n;
function asIndex(value) {
  within(value, INDEX_MOST, "an index");
  return Number(value);
}
const longest = (lists) => lists.reduce((found, { length }) => (length > found ? length : found), 0);
const floorDivide = (a, b) => {  // b > 0
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
};

class Q {  // numerator / denominator in lowest terms, denominator > 0
  constructor(n, d) { this.n = n; this.d = d; }
  static of(n, d = 1n) {
    if (d === 1n) return new Q(counted(n), 1n);
    if (d < 0n) { n = -n; d = -d; }
    // a power of two, the usual case behind e^x, needs no Euclid, which takes about a step for each bit
    const binary = (d & (d - 1n)) === 0n, bits = size(n) + size(d);
    within(bits, BITS_MOST, "bits of a number");
    spend(16 + (bits >> 2) + (binary ? 0 : bits * bits / 2048));
    const g = binary ? (n === 0n ? d : least(n & -n, d)) : gcd(n, d);
    return g === 1n ? new Q(n, d) : new Q(n / g, d / g);
  }
  add(o) { return this.d === 1n && o.d === 1n ? new Q(counted(this.n + o.n), 1n) : Q.of(this.n * o.d + o.n * this.d, this.d * o.d); }
  sub(o) { return this.d === 1n && o.d === 1n ? new Q(counted(this.n - o.n), 1n) : Q.of(this.n * o.d - o.n * this.d, this.d * o.d); }
  mul(o) { return this.d === 1n && o.d === 1n ? new Q(counted(this.n * o.n), 1n) : Q.of(this.n * o.n, this.d * o.d); }
  div(o) { return Q.of(this.n * o.d, this.d * o.n); }
  neg() { return new Q(-this.n, this.d); }
  abs() { return this.n < 0n ? this.neg() : this; }
  half() { return this.mul(HALF); }
  cmp(o) {
    const x = o.d === 1n ? this.n : counted(this.n * o.d), y = this.d === 1n ? o.n : counted(o.n * this.d);
    return x < y ? -1 : x > y ? 1 : 0;
  }
  lt(o) { return this.cmp(o) < 0; }
  le(o) { return this.cmp(o) <= 0; }
  eq(o) { return this.n === o.n && this.d === o.d; }
  get zero() { return this.n === 0n; }
  get sign() { return this.n < 0n ? -1 : this.n > 0n ? 1 : 0; }
  get whole() { return this.d === 1n; }
  floor() { return floorDivide(this.n, this.d); }
  floorTo(grain) { return new Q(this.div(grain).floor(), 1n).mul(grain); }
  ceilTo(grain) { return this.neg().floorTo(grain).neg(); }
  toString() { spend((size(this.n) + size(this.d)) >> 2); return this.d === 1n ? `${this.n}` : `${this.n}/${this.d}`; }
}
const ZERO = new Q(0n, 1n), ONE = new Q(1n, 1n), HALF = new Q(1n, 2n), TWO = new Q(2n, 1n);
const qmin = (a, b) => (a.le(b) ? a : b);
const qmax = (a, b) => (a.le(b) ? b : a);
const qsum = (list) => list.reduce((a, b) => a.add(b), ZERO);
const qgcd = (a, b) => Q.of(gcd(a.n * b.d, b.n * a.d), a.d * b.d);
const powerOfTwo = (k) => (k >= 0n ? new Q(1n << k, 1n) : new Q(1n, 1n << -k));

// e^x for x rational: [lower, upper], relative error below 2^-bits. Below −6000: 0 and the upper bound of e^-6000.
const EXPONENT_MOST = new Q(6000n, 1n);
const exponentials = new Map();
function exponential(x, bits = 256n) {
  if (x.zero) return [ONE, ONE];
  if (x.lt(EXPONENT_MOST.neg())) return [ZERO, exponential(EXPONENT_MOST.neg(), bits)[1]];
  const key = `${x} ${bits}`;
  if (!exponentials.has(key)) exponentials.set(key, freshExponential(x, bits));
  return exponentials.get(key);
}
function freshExponential(x, bits) {
  spend(1024 + asIndex(bits * bits) / 256);
  const size = x.abs(), halvings = BigInt(bitlength(size.floor())) + 8n, scale = bits + halvings + 64n;
  const small = (size.n << scale) / (size.d << halvings);  // size/2^halvings, below 2^-8, rounded down
  const series = (y, up) => {  // Σ y^k/k!, rounded to one side; the tail is below twice its first term
    let sum = 1n << scale, term = 1n << scale;
    for (let k = 1n; term > 0n; k += 1n) {
      term = (term * y) / (k << scale) + (up && term * y >= (k << scale) ? 1n : 0n);
      sum += term;
    }
    return up ? sum + 4n : sum;
  };
  let low = series(small, false), high = series(small + 1n, true);
  for (let k = 0n; k < halvings; k += 1n) {
    low = (low * low) >> scale;
    high = ((high * high) >> scale) + 1n;
  }
  const one = 1n << scale;
  if (x.n > 0n) return [new Q(low, one), new Q(high, one)].map((q) => Q.of(q.n, q.d));
  const wide = BigInt(bitlength(high)) + bits + 64n;  // 1/high and 1/low with `bits` digits and more behind the first
  return [Q.of((one << wide) / high, 1n << wide), Q.of((one << wide) / low + 1n, 1n << wide)];
}

// ------------------------------------------------------------------------- intervals of numbers too long to write down

// m·2^e with integers m, e; rounded to DIGITS binary digits on the stated side.
const DIGITS = 2304;
function rounded(m, e, up) {
  const excess = bitlength(m) - DIGITS;
  if (excess <= 0) return { m, e };
  const shift = BigInt(excess), floor = m >> shift;  // >> rounds towards −∞
  return { m: up && floor << shift !== m ? floor + 1n : floor, e: e + shift };
}
function plus(a, b, up) {
  if (a.m === 0n) return b;
  if (b.m === 0n) return a;
  const [high, low] = a.e >= b.e ? [a, b] : [b, a];
  const gap = high.e - low.e;
  if (gap <= 4n * BigInt(DIGITS)) return rounded((high.m << gap) + low.m, low.e, up);
  const far = 2n * BigInt(DIGITS);  // low is below one unit of high's last place, moved down by `far`
  const nudge = up ? (low.m > 0n ? 1n : 0n) : (low.m < 0n ? -1n : 0n);
  return rounded((high.m << far) + nudge, high.e - far, up);
}
const negative = (a) => ({ m: -a.m, e: a.e });
const signOf = (a) => (a.m < 0n ? -1 : a.m > 0n ? 1 : 0);

class Interval {
  constructor(lo, hi) { this.lo = lo; this.hi = hi; }
  static of(integer) {
    return new Interval(rounded(integer, 0n, false), rounded(integer, 0n, true));
  }
  add(o) { spend(64); return new Interval(plus(this.lo, o.lo, false), plus(this.hi, o.hi, true)); }
  sub(o) { spend(64); return new Interval(plus(this.lo, negative(o.hi), false), plus(this.hi, negative(o.lo), true)); }
  mul(o) {
    spend(128);
    if (this.lo.m >= 0n && o.lo.m >= 0n) {
      const times = (a, b, up) => rounded(a.m * b.m, a.e + b.e, up);
      return new Interval(times(this.lo, o.lo, false), times(this.hi, o.hi, true));
    }
    const ends = [this.lo, this.hi].flatMap((a) => [o.lo, o.hi].map((b) => ({ m: a.m * b.m, e: a.e + b.e })));
    const exact = (a, b) => signOf(plusExactSign(a, negative(b)));
    const low = ends.reduce((a, b) => (exact(a, b) <= 0 ? a : b)), high = ends.reduce((a, b) => (exact(a, b) >= 0 ? a : b));
    return new Interval(rounded(low.m, low.e, false), rounded(high.m, high.e, true));
  }
  pow(exponent) { return powers([[this, exponent]]); }
  halved() {  // ⌊x/2⌋ of integers
    const half = (a) => (a.e >= 1n ? { m: a.m, e: a.e - 1n } : { m: a.m >> 1n, e: a.e });
    return new Interval(half(this.lo), half(this.hi));
  }
  min(o) { return new Interval(smaller(this.lo, o.lo), smaller(this.hi, o.hi)); }
  max(o) { return new Interval(larger(this.lo, o.lo), larger(this.hi, o.hi)); }
  log2() { return new Interval(logarithm(this.lo, false), logarithm(this.hi, true)); }
  // Certain inequalities alone: of all numbers in the two intervals.
  below(o) { return signOf(plusExactSign(this.hi, negative(o.lo))) < 0; }
  atMost(o) { return signOf(plusExactSign(this.hi, negative(o.lo))) <= 0; }
}
// A number with the sign of a + b; no rounding can change that sign.
function plusExactSign(a, b) {
  if (a.m === 0n) return b;
  if (b.m === 0n || (a.m > 0n) === (b.m > 0n)) return a;
  const top = (x) => x.e + BigInt(bitlength(x.m));
  if (top(a) !== top(b)) return top(a) > top(b) ? a : b;
  const low = least(a.e, b.e);
  return { m: (a.m << (a.e - low)) + (b.m << (b.e - low)), e: low };
}
// The product of all base^exponent, by squares.
function powers(pairs) {
  let result = Interval.of(1n);
  for (let place = BigInt(longest(pairs.map(([, exponent]) => ({ length: bitlength(exponent) })))) - 1n; place >= 0n; place -= 1n) {
    result = result.mul(result);
    for (const [base, exponent] of pairs) if ((exponent >> place) & 1n) result = result.mul(base);
  }
  return result;
}
const smaller = (a, b) => (signOf(plusExactSign(a, negative(b))) <= 0 ? a : b);
const larger = (a, b) => (signOf(plusExactSign(a, negative(b))) <= 0 ? b : a);

// log2(m)·2^digits for m ≥ 1, an integer on the stated side, by squaring: a digit for each square above 2.
function logDigits(m, up, digits) {
  const scale = digits + 84n, length = BigInt(bitlength(m)) - 1n;
  spend(asIndex(digits) * (4 + asIndex(digits) ** 2 / 262144));
  let y = length <= scale ? m << (scale - length) : m >> (length - scale), found = length;
  if (up && length > scale && (y << (length - scale)) !== m) y += 1n;
  if (y === 1n << scale) return length << digits;
  for (let k = 0n; k < digits; k += 1n) {
    y = y * y;
    y = up ? ((y - 1n) >> scale) + 1n : y >> scale;
    found <<= 1n;
    if (y >= 2n << scale) {
      found += 1n;
      y = up ? (y + 1n) >> 1n : y >> 1n;
    }
  }
  return up ? found + 1n : found;
}
const LOG_DIGITS = 256n;
const logarithm = ({ m, e }, up) => rounded((e << LOG_DIGITS) + logDigits(m, up, LOG_DIGITS), -LOG_DIGITS, up);
// log2 of Euler's number is 1/ln 2, and ln 2 = Σ 1/(k·2^k).
const LOG2_E = (() => {
  const scale = 400n;
  let sum = 0n;
  for (let k = 1n; k <= scale; k += 1n) sum += (1n << (scale - k)) / k;
  const low = (1n << (2n * scale)) / (sum + scale + 2n), high = (1n << (2n * scale)) / sum + 1n;
  return new Interval({ m: low, e: -scale }, { m: high, e: -scale });
})();

// ---------------------------------------------------------------------------------------------------- JSON, the dialect

const DEPTH_MOST = 64, SAFE = 1n << 53n, INTEGER_DIGITS = 4000;

// Objects become Maps, integers BigInt; everything that the page refuses as text is malformed here.
function parse(text) {
  let at = 0;
  const space = () => { while (at < text.length && " \t\n\r".includes(text[at])) at += 1; };
  const expect = (character) => { shaped(text[at] === character, `no ${character} at ${at}`); at += 1; };
  const word = (letters, value) => { shaped(text.startsWith(letters, at), `not JSON at ${at}`); at += letters.length; return value; };
  function string() {
    expect('"');
    let result = "";
    for (;;) {
      shaped(at < text.length, "a string does not end");
      const character = text[at];
      at += 1;
      if (character === '"') return result;
      shaped(character >= " ", "a raw control character in a string");
      if (character !== "\\") { result += character; continue; }
      const escape = text[at];
      at += 1;
      const plain = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
      if (escape === "u") {
        const digits = text.slice(at, at + 4);
        shaped(/^[0-9a-fA-F]{4}$/.test(digits), "a bad escape");
        result += String.fromCharCode(parseInt(digits, 16));
        at += 4;
      } else {
        shaped(Object.hasOwn(plain, escape ?? ""), "a bad escape");
        result += plain[escape];
      }
    }
  }
  function number() {
    const match = /-?(?:0|[1-9][0-9]*)/y;
    match.lastIndex = at;
    const found = match.exec(text);
    shaped(found !== null, `not JSON at ${at}`);
    at += found[0].length;
    shaped(!/[.eE0-9]/.test(text[at] ?? ""), "a number with a point, an exponent or a leading zero");
    shaped(found[0].length <= 17, "a number above 2^53");
    return BigInt(found[0]);
  }
  function members(open, close, each) {
    expect(open);
    space();
    if (text[at] === close) { at += 1; return; }
    for (;;) {
      each();
      space();
      if (text[at] === close) { at += 1; return; }
      expect(",");
      space();
    }
  }
  function value(depth) {
    shaped(depth <= DEPTH_MOST, "nested too deeply");
    space();
    switch (text[at]) {
      case "{": {
        const object = new Map();
        members("{", "}", () => {
          const key = string();
          shaped(!object.has(key), `the key ${JSON.stringify(key)} twice`);
          space();
          expect(":");
          object.set(key, value(depth + 1));
        });
        return object;
      }
      case "[": {
        const list = [];
        members("[", "]", () => list.push(value(depth + 1)));
        return list;
      }
      case '"': return string();
      case "t": return word("true", true);
      case "f": return word("false", false);
      case "n": return word("null", null);
      default: return number();
    }
  }
  const result = value(1);
  space();
  shaped(at === text.length, "text behind the value");
  return result;
}

function keyed(value, keys, what, optional = []) {
  shaped(value instanceof Map, `${what} is no object`);
  for (const key of keys) shaped(value.has(key), `${what} has no ${key}`);
  for (const key of value.keys()) shaped(keys.includes(key) || optional.includes(key), `${what} has an unknown key`);
  return Object.fromEntries(value);
}
// Characters that no string has; a list, as what Unicode calls printable changes with its versions.
const HIDDEN = new RegExp("[\\x00-\\x1f\\x7f-\\xa0\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f"
  + "\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ud800-\\uf8ff\\ufdd0-\\ufdef\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\u{110bd}\\u{110cd}"
  + "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{1fffe}\\u{1ffff}\\u{2fffe}\\u{2ffff}\\u{3fffe}-\\u{e007f}"
  + "\\u{efffe}-\\u{10ffff}]", "u");
function string(value, longest = 200) {
  shaped(typeof value === "string", "no string");
  shaped([...value].length <= longest && !HIDDEN.test(value), "a string that is too long or not printable");
  return value;
}
function rational(text) {
  const match = /^(-?)([0-9]+)(?:\/([0-9]+))?$/.exec(text);
  shaped(match !== null && !text.includes("\n"), "no number");
  within(longest([match[2], match[3] ?? ""]), INTEGER_DIGITS, "digits");
  const bottom = BigInt(match[3] ?? "1");
  shaped(bottom !== 0n, "a denominator of 0");
  const top = BigInt(match[2]);
  return Q.of(match[1] ? -top : top, bottom);
}
function signed(value) {
  if (typeof value === "string") {
    const exact = rational(value);
    shaped(exact.whole && absolute(exact.n) > SAFE, "a string that is no integer above 2^53");
    return exact.n;
  }
  shaped(typeof value === "bigint" && absolute(value) <= SAFE, "no integer");
  return value;
}
function integer(value, from = 0n) {
  const result = signed(value);
  shaped(result >= from, `an integer below ${from}`);
  return result;
}
function number(value) {
  if (typeof value === "string") return rational(value);
  shaped(typeof value === "bigint" && absolute(value) <= SAFE, "no number");
  return new Q(value, 1n);
}
function boolean(value) {
  shaped(typeof value === "boolean", "neither true nor false");
  return value;
}
function list(value, length = null) {
  shaped(Array.isArray(value), "no list");
  shaped(length === null || BigInt(value.length) === BigInt(length), "a list of another length");
  spend(8 + 8 * value.length);
  return value;
}
// {size, plain}: an interval, and the integer itself if it was written as one.
function large(value, from = 0n) {
  if (!(value instanceof Map)) {
    const plain = integer(value, from);
    return { size: Interval.of(plain), plain };
  }
  const pairs = list(keyed(value, ["powers"], "a large integer").powers);
  within(pairs.length, 8, "powers");
  const size = powers(pairs.map((pair) => {
    const [base, exponent] = list(pair, 2);
    const power = integer(exponent);
    if (power >= 1n << 512n) declined("an exponent of 2^512 or more");
    return [Interval.of(integer(base, 1n)), power];
  }));
  shaped(Interval.of(from).atMost(size), "a large integer that is too small");
  return { size, plain: null };
}

// ---------------------------------------------------------------------------------------------------- bounds, decisions

function largeTask(value) {
  const task = keyed(value, ["task", "m", "n"], "the task");
  shaped(task.task === "funccomp", "not FuncComp");
  within(list(task.n).length, 255, "tables");
  return { m: large(task.m, 2n), n: task.n.map((size) => large(size, 1n)) };
}
// N_0, …, N_{L-1}
function tableSizes(m, n, times) {
  const sizes = [m];
  for (const factor of n) sizes.push(times(sizes.at(-1), factor));
  return sizes;
}
const WINDOW_KEYS = ["theorem", "task", "tokens", "beta", "reaches", "message", "tables"];
const BOUND_KEYS = ["theorem", "task", "tokens", "beta", "lambda", "message"];

// Theorems that are not proved in Coq in all their forms, and how those are known that are not.
const BY_HAND = {
  "A2 average": "proved by hand, tested",
  "B2c average": "proved by hand, tested",
  "A3c average": "proved by hand, tested",
  E: "proved by hand, tested",
  "memory": "proved by hand, tested",
  "look": "proved by hand, tested",
  "reach": "proved by hand, tested",
  "period": "proved by hand, tested",
};
// Coq has a form of some of them. With a table more in front it is a step by hand in any case.
function theoremText(theorem, step = false, form = false) {
  const known = step ? "proved by hand, tested" : form ? undefined : BY_HAND[theorem];
  return `Theorem ${theorem}${known === undefined ? "" : `, ${known}`}`;
}
const IMPOSSIBLE = "within these bits solves the task at these sizes in one pass";
const tablesText = (tables) => `${tables} ${tables === 1 ? "table" : "tables"}`;
const fullText = (theorem, full) => {
  const recurrent = theorem[0] !== "B" ? "recurrent ones" : full > 1 ? "no recurrent one before the second" : "no recurrent one";
  return theorem === "C" ? "recurrent layers alone" : `${full} full ${full === 1 ? "layer" : "layers"} and ${recurrent}`;
};

function checkBound(claim, choice) {
  if (claim instanceof Map && claim.get("theorem") === "D") return theoremD(claim, choice);
  if (claim instanceof Map && claim.get("theorem") === "D2") return theoremD2(claim, choice);
  if (claim instanceof Map && typeof claim.get("theorem") === "string" && Object.hasOwn(ROOMS, claim.get("theorem"))) return otherTask(claim, choice);
  if (claim instanceof Map && claim.get("theorem") === "A2W") {
    const [before, after] = windowBound(keyed(claim, WINDOW_KEYS, "the claim"), choice);
    return `no causal model of 1 full layer and windows of reach ${before} before and ${after} behind it ${IMPOSSIBLE} (${theoremText("A2W")})`;
  }
  if (claim instanceof Map && claim.has("tables")) {
    const { said, full } = sharperBound(keyed(claim, [...BOUND_KEYS, "tables"], "the claim"), choice);
    return `no causal model of ${fullText(claim.get("theorem"), full)} ${IMPOSSIBLE} (${said})`;
  }
  const read = readBound(keyed(claim, BOUND_KEYS, "the claim"), choice), said = theoremABC(read), { theorem, n } = read;
  return `no causal model of ${fullText(theorem, theorem === "B" ? n.length + 1 : n.length)} ${IMPOSSIBLE} (${said})`;
}

// Other tasks than FuncComp: four theorems, each one inequality.
const ROOMS = { memory: ["lambda"], look: ["beta", "lambda"], reach: ["reach"], period: ["layers", "values"] };
const OTHER_TASKS = {
  recall: ["pairs", "symbols"], copying: ["length", "symbols"], selective_copying: ["length", "symbols"], two_sum: ["length", "modulus"],
  majority: ["length"], state_based_recall: ["rows", "symbols", "length"], parity: ["length"],
};
function otherTask(claim, choice) {
  const theorem = claim.get("theorem"), read = keyed(claim, ["theorem", "task", ...ROOMS[theorem]], "the claim");
  shaped(choice === null, "these theorems have no choice");
  shaped(read.task instanceof Map && typeof read.task.get("task") === "string", "no task");
  const name = read.task.get("task");
  shaped(Object.hasOwn(OTHER_TASKS, name), "an unknown task");
  const task = keyed(read.task, ["task", ...OTHER_TASKS[name]], "the task");
  const [a, b = 1n, c = 1n] = OTHER_TASKS[name].map((size) => integer(task[size], 1n));
  const room = Object.fromEntries(ROOMS[theorem].map((key) => [key, integer(read[key])]));
  shaped(name !== "recall" || a <= b, "fewer symbols than keys");
  shaped(!OTHER_TASKS[name].includes("symbols") || b >= 2n, "one symbol");
  shaped(name !== "two_sum" || (b >= 3n && b % 2n === 1n), "a modulus that is not odd");
  const told = (bits, h, V, what) => require(Interval.of(bits).below(Interval.of(h).mul(Interval.of(V).log2())), `${what} does not hold`);
  if (theorem === "memory") {
    const shares = a > 1n ? (b - 1n) / (a - 1n) : b - 1n;
    let [h, V] = [a, b];
    if (name === "two_sum") [h, V] = shares >= 2n ? [a - 1n, shares] : [least(a - 1n, b - 1n), 2n];
    if (name === "majority") [h, V] = [1n, a / 2n + 1n];
    if (name === "parity") [h, V] = [1n, least(a, 2n)]; // one bit needs no memory
    told(room.lambda, h, V, "Λ < h·log2 V");
  } else if (theorem === "look") {
    shaped(["recall", "selective_copying"].includes(name), "the theorem applies to other tasks");
    const h = name === "recall" ? a : a / 2n;
    told(room.beta + h * room.lambda, h, b, "β + h·Λ < h·log2 V");
  } else if (theorem === "reach") {
    const distances = { recall: 2n * a - 1n, selective_copying: 2n * a - 1n, two_sum: a - 1n, parity: a - 1n, state_based_recall: a + c - 1n };
    require(room.reach < (distances[name] ?? a), "r < distance does not hold");
  } else {
    shaped(name === "parity" && room.values >= 1n, "the theorem applies to parity");
    require(room.layers * (room.values - 1n) + 2n <= a, "ℓ·(g − 1) + 2 ≤ n does not hold");
  }
  return `no causal model of the theorem's kind and with this room answers every prompt of ${name} at these sizes (${theoremText(theorem)})`;
}

// The typed fields of a bound's claim; `padding` zeros are put in front of lambda (decisions).
function readBound(fields, choice, padding = 0, members = null) {
  const { theorem } = fields;
  shaped(["A", "B", "C"].includes(theorem), "an unknown theorem");
  const { m, n } = largeTask(fields.task);
  const tables = n.length + 1;
  const asked = { A: tables, B: tables + 1, C: 1 }[theorem];
  const lambda = list(fields.lambda, members ?? asked).map((size) => large(size).size);
  lambda.unshift(...Array(padding).fill(Interval.of(0n)));
  shaped(lambda.length === asked, "a list of another length");
  const plain = [m, ...n].every((size) => size.plain !== null);
  const tokens = fields.tokens === null ? null : integer(fields.tokens);
  shaped(tokens === null || plain, "a length, and sizes that are no plain integers");
  shaped(theorem !== "C" || (fields.beta === null && fields.message === null), "Theorem C has neither β nor message");
  const beta = theorem === "C" ? null : integer(fields.beta, 1n);
  let message = null;
  if (fields.message !== null) {
    const { heads, dim, P, p } = keyed(fields.message, ["heads", "dim", "P", "p"], "the message");
    message = { heads: integer(heads), dim: integer(dim), P: integer(P), p: integer(p) };
  }
  let chosen = null;
  if (theorem === "C" || (theorem === "B" && tables === 1)) shaped(choice === null, "a choice where there is none");
  else {
    const { x, reached, free_start } = keyed(choice, ["x", "reached", "free_start"], "the choice");
    const sizes = (values, length) => list(values, length).map((size) => large(size, 1n).size);
    chosen = { x: sizes(x, tables), reached: reached === null ? null : sizes(reached, tables - 1), free: boolean(free_start) };
  }
  return { theorem, m: m.size, n: n.map((size) => size.size), lambda, beta, tokens, message, chosen };
}

function theoremABC({ theorem, m, n, lambda, beta, tokens, message, chosen }) {
  const tables = n.length + 1, zero = Interval.of(0n), one = Interval.of(1n);
  const N = checkPrompt(m, n, beta, tokens, message);
  const equal = (a, b) => a.atMost(b) && b.atMost(a);
  const said = `${theoremText(theorem)}, with ${tablesText(tables)}`;
  const last = N.at(-1).mul(N.at(-1).log2());
  if (theorem === "C") {
    require(lambda[0].below(last), "N·log2 N > Λ does not hold");
    return said;
  }
  const b = Interval.of(beta);
  if (theorem === "B") require(equal(lambda[0], zero), "Theorem B needs Λ_0 = 0");
  if (chosen === null) {
    require(lambda[1].add(b).below(last), "m·log2 m > Λ_1 + β does not hold");
    return said;
  }
  const { x, reached, free } = chosen;
  require(!free || (theorem === "A" && equal(lambda[0], zero)), "free_start needs Theorem A and Λ_0 = 0");
  require(x[0].atMost(m), "(x_0): x_0 ≤ m does not hold");
  const W = n.reduce((p, q) => p.mul(q), one);
  const nAt = (l) => (l === 0 ? one : n[l - 1]);
  let theta = x[0], D = theorem === "B" ? b.mul(W).add(lambda[1]) : lambda[0];
  let paths = x[0], sums = zero;  // x_0⋯x_{l-1}, Σ_{i<l} x_i⋯x_{l-1}·N_{i-1}
  for (let l = 1; l < tables; l += 1) {
    let t = x[l].mul(nAt(l - 1)).mul(theta);
    const start = free && l === 1;
    if (start) theta = t.min(m);
    else {
      if (reached !== null) theta = reached[l - 1];
      else { theta = t.halved().max(one); t = theta.add(theta); }
      const rest = x[l].mul(D).add(one);
      require(theta.atMost(N[l - 1]), `(E_${l}): Θ ≤ N does not hold`);
      const gain = t.sub(theta).mul(N[l - 1].log2().sub(theta.log2())).sub(theta.mul(LOG2_E));
      require(rest.atMost(gain), `(E_${l}) does not hold`);
    }
    const firstTerm = Interval.of(BigInt(theorem === "B" ? l + 1 : l)).mul(x[l]).mul(N[l - 1]);
    let bracket = firstTerm.add(W.add(one).mul(paths)).add(sums);
    [paths, sums] = [paths.mul(x[l]), sums.add(N[l - 1]).mul(x[l])];
    if (theorem === "B" && l === 1) bracket = bracket.add(x[0].mul(x[1]));
    const carried = start ? zero : x[l].mul(D).add(one);
    D = carried.add(lambda[theorem === "B" ? l + 1 : l]).add(b.mul(bracket));
  }
  require(D.below(nAt(tables - 1).mul(theta).mul(N.at(-1).log2())), "(F) does not hold");
  return said;
}

// The sizes N_0 … N_{L-1}; the length of the prompt, and that β is enough for the message.
function checkPrompt(m, n, beta, tokens, message) {
  const N = tableSizes(m, n, (a, b) => a.mul(b));
  const length = N.reduce((a, b) => a.add(b), Interval.of(2n));
  const stated = tokens === null ? length : Interval.of(tokens);
  require(stated.atMost(length) && length.atMost(stated) || tokens === null, "tokens is not the length of the prompt");
  if (message !== null) {
    // k = ⌈log2 length⌉ = bitlength(length − 1), of the upper end
    const top = plus(length.hi, { m: -1n, e: 0n }, true);
    const k = top.e + BigInt(bitlength(top.m));
    const { heads, dim, P, p } = message;
    require(beta >= heads * (dim * (P + p + k + 1n) + P + k), "β is less than what the heads send");
  }
  return N;
}

// ---------------------------------------------------------------------------------------- sharper theorems, and ceilings

const LEAST_TABLES = { B: 1, A2: 2, B2: 2, B2c: 2, A3: 3, "A3.free": 3, A3c: 3, AL: 3, BL: 2 };
const MANY_KEYS = { AL: ["g"], BL: ["x_0", "x_1"] };  // the first keys; Θ_1, …, x_2, … and perhaps ν_1, … follow
const SHARPER_KEYS = {
  A2: ["Theta"], B2: ["x_0", "v", "Theta"], A3: ["g", "u", "Theta_1", "x_2", "Theta_2"], "A3.free": ["Theta_1", "v", "Theta_2"],
};
const times = (...factors) => factors.reduce((a, b) => a.mul(b));
const sum = (...terms) => terms.reduce((a, b) => a.add(b));
const UNIT = Interval.of(1n);

// The fields of a claim that a bound and a ceiling have in common.
function readPrompt(fields, recurrent) {
  const { m, n } = largeTask(fields.task);
  const tokens = fields.tokens === null ? null : integer(fields.tokens);
  shaped(tokens === null || [m, ...n].every((size) => size.plain !== null), "a length, and sizes that are no plain integers");
  shaped(!recurrent || (fields.beta === null && fields.message === null), "neither β nor a message without full layers");
  const beta = recurrent ? 0n : integer(fields.beta, 1n);
  let message = null;
  if (fields.message !== null) {
    const { heads, dim, P, p } = keyed(fields.message, ["heads", "dim", "P", "p"], "the message");
    message = { heads: integer(heads), dim: integer(dim), P: integer(P), p: integer(p) };
  }
  return { m, n, beta, tokens, message };
}

function sharperBound(fields, choice) {
  const { theorem } = fields;
  shaped(typeof theorem === "string" && Object.hasOwn(LEAST_TABLES, theorem), "an unknown theorem");
  const given = integer(fields.tables, 1n), prompt = readPrompt(fields, false);
  shaped(given <= BigInt(prompt.n.length) + 1n, "more tables than the task has");
  const tables = asIndex(given), b = theorem[0] === "B" ? 1 : 0, open = Object.hasOwn(MANY_KEYS, theorem);
  shaped(tables === LEAST_TABLES[theorem] || (open && tables > LEAST_TABLES[theorem]), "another number of tables");
  const Lambda = list(fields.lambda, tables + b).map((size) => large(size).size);
  const some = open && choice instanceof Map && choice.has("nu_1");
  let chosen = null;
  if (theorem === "B") shaped(choice === null, "a choice where there is none");
  else {
    const cube = theorem.endsWith("c") ? ["g", "v", ...(Lambda.at(-1).atMost(Lambda.at(-2)) ? [] : ["omega", "groups"])] : null;
    const names = open ? [...MANY_KEYS[theorem], ...Array.from({ length: tables - 1 }, (_, k) => `Theta_${k + 1}`),
      ...Array.from({ length: tables - 2 }, (_, k) => `x_${k + 2}`),
      ...Array.from({ length: some ? tables - 2 : 0 }, (_, k) => `nu_${k + 1}`)] : cube ?? SHARPER_KEYS[theorem];
    const read = keyed(choice, names, "the choice");
    chosen = Object.fromEntries(names.map((name) => [name, large(read[name], 1n).size]));
  }
  const zero = Interval.of(0n), m = prompt.m.size, all = prompt.n.map((size) => size.size);
  checkPrompt(m, all, prompt.beta, prompt.tokens, prompt.message);
  const bits = Lambda.map((size, t) => (t === 0 ? size : size.sub(Lambda[t - 1])));
  require(bits.every((size) => zero.atMost(size)), "Λ_t decreases");
  require(!b || bits[0].atMost(zero), "Λ_0 is not 0");
  const n = all.slice(0, tables - 1), beta = Interval.of(prompt.beta);
  if (theorem === "B") require(beta.add(bits[1]).below(m.mul(m.log2())), "β + Λ_1 < m·log2 m does not hold");
  else if (open) manyTables(b, beta, bits, m, n, chosen);
  else if (theorem.endsWith("c")) cubeTables(theorem, beta, bits, m, n, chosen);
  else if (tables === 2) twoTables(theorem, beta, bits, m, n[0], chosen);
  else threeTables(theorem, beta, bits, m, n, chosen);
  return { said: `${theoremText(theorem)}, with ${tablesText(tables)}`, full: b ? tables : tables - 1, b };
}

// 2^told·(Θ−1)^draws < size^draws, or ≤; with C(size, Θ−1) as a further factor on the left, and Θ ≤ size, to cover.
function fewValues(told, theta, draws, size, what, cover = false, strict = true) {
  require(!cover || theta.atMost(size), `${what}: Θ is too large`);
  const below = theta.sub(UNIT);
  if (signOf(below.hi) <= 0) return;
  let left = told.add(draws.mul(below.log2()));
  if (cover) left = left.add(logBinomial(size, below));
  const right = draws.mul(size.log2());
  require(strict ? left.below(right) : left.atMost(right), `${what} does not hold`);
}

const exactly = (a) => (a.lo.m === a.hi.m && a.lo.e === a.hi.e && a.lo.e === 0n ? a.lo.m : null);
function logBinomial(N, k) {
  const rest = N.sub(k), top = exactly(N), bottom = exactly(k);
  require(signOf(rest.lo) > 0, "it is not certain that Θ is at most N");
  if (top !== null && bottom !== null && least(bottom, top - bottom) * BigInt(bitlength(top)) <= 20000n) {
    let result = 1n;
    for (let j = 1n; j <= least(bottom, top - bottom); j += 1n) result = (result * (top - j + 1n)) / j;
    return Interval.of(result).log2();
  }
  const root = sum(Interval.of(25n).log2(), N.log2()).sub(sum(Interval.of(157n).log2(), k.log2(), rest.log2()));
  const half = new Interval({ m: 1n, e: -1n }, { m: 1n, e: -1n });
  const tail = rest.mul(N.log2().sub(rest.log2())), bound = k.mul(LOG2_E);
  return sum(k.mul(N.log2().sub(k.log2())), tail.atMost(bound) ? tail : bound, root.mul(half));
}

function twoTables(theorem, beta, bits, m, n, { Theta, x_0: x, v }) {
  let told = bits.at(-2);
  if (theorem === "A2") {
    fewValues(told, Theta, m, m, "(reached)");
    told = told.add(beta.mul(n));
  } else {
    const values = x.mul(v);
    require(values.atMost(m), "x_0·v ≤ m does not hold");
    fewValues(told.add(beta.mul(n)), Theta, x, values, "(reached)");
    told = told.add(beta.mul(sum(n, x, values, n.mul(x))));
  }
  require(told.add(Theta.mul(bits.at(-1))).below(times(n, Theta, m.mul(n).log2())), "(asked) does not hold");
}

function threeTables(theorem, beta, [early, middle, late], m, [n1, n2], { g, u, v, Theta_1, x_2, Theta_2 }) {
  const W = n1.mul(n2), N1 = m.mul(n1), zero = Interval.of(0n);
  let heard, told;
  if (theorem === "A3.free") {
    const E = n1.mul(Theta_1), values = E.mul(v);
    require(early.atMost(zero) && middle.atMost(zero), "Λ_1 is not 0");
    require(Theta_1.atMost(m) && values.atMost(N1), "Θ_1 ≤ m, n_1·Θ_1·v ≤ N_1 do not hold");
    fewValues(beta.mul(W), Theta_2, E, values, "(reached)");
    heard = sum(m, Theta_1, values, n1.sub(UNIT).mul(m.sub(Theta_1)));
    told = Theta_2.mul(late);
  } else {
    require(g.atMost(m) && u.atMost(m), "g ≤ m, u ≤ m do not hold");
    fewValues(early, Theta_1, g, u, "(reached)");
    const some = !middle.atMost(zero), copies = x_2.mul(Theta_1), more = some ? UNIT : zero;
    const drawn = sum(times(x_2, n1, early), times(x_2, beta, W), copies.mul(middle), more);
    fewValues(drawn, Theta_2, copies.mul(n1), N1, "(covered)", true, !some);
    heard = sum(UNIT, m.sub(g), g.mul(Theta_1), times(x_2, n1, u), n1.sub(UNIT).mul(m.sub(u)));
    told = sum(early, middle, copies.mul(late), more, some ? copies.mul(middle) : zero);
  }
  const left = told.add(beta.mul(sum(W, heard, W.mul(Theta_1))));
  require(left.below(times(n2, Theta_2, N1.mul(n2).log2())), "(asked) does not hold");
}

// By the cube lemma: A of the v values of each of the `entries` survive what a group of ω queries hears, on average.
function cubeTables(theorem, beta, bits, m, n, { g, v, omega = UNIT, groups = n.at(-1) }) {
  const two = Interval.of(2n), last = n.at(-1), three = theorem === "A3c", rows = three ? n[0] : UNIT;
  const entries = rows.mul(g), N1 = rows.mul(m), heard = sum(times(omega, rows, beta), three ? g.mul(bits[1]) : bits[1]);
  require(!three || bits[0].atMost(Interval.of(0n)), "Λ_0 is not 0");
  require(g.atMost(m) && v.atMost(N1), "g ≤ m, or v at most the number of values, does not hold");
  require(last.atMost(omega.mul(groups)), "the groups are too few");
  const lost = v.sub(UNIT).mul(heard), all = entries.mul(v);
  require(lost.below(all), "A ≥ 1 does not hold");
  const survive = all.sub(lost), N = three ? N1.mul(last) : m.mul(last);
  const own = three ? sum(times(two, sum(m, v, entries)), rows.sub(UNIT).mul(m.sub(g))) : two.mul(g.add(v));
  const told = entries.mul(two.mul(bits[1]).add(beta.mul(Interval.of(4n).mul(last).add(own))));
  const late = times(two, groups, survive, bits.at(-1));
  require(told.add(late).below(times(two, last, survive, N.log2())), "(asked) does not hold");
}

function manyTables(b, beta, bits, m, n, chosen) {
  const L = n.length + 1, N = tableSizes(m, n, (p, q) => p.mul(q)), some = Object.hasOwn(chosen, "nu_1");
  const theta = (l) => chosen[`Theta_${l}`], x = (l) => chosen[`x_${l}`];
  const rows = n.map((size, k) => (some && k < L - 2 ? chosen[`nu_${k + 1}`] : size)), W = rows.reduce((p, q) => p.mul(q), UNIT);
  const first = b ? x(0) : chosen.g;
  require(first.atMost(m), "g ≤ m, or x_0 ≤ m, does not hold");
  require(!some || rows.every((used, k) => k === L - 2 || used.atMost(n[k])), "ν ≤ n does not hold");
  // The used rows of table l, and the unused ones of table l−1, which stand behind them.
  const held = rows.map((used, k) => {
    const own = used.mul(N[k]);
    return some && k > 0 ? own.add(n[k - 1].sub(rows[k - 1]).mul(N[k - 1])) : own;
  });
  let P = beta.mul(W).add(bits[b]), D = theta(1).mul(bits[1 + b]);
  if (b) {
    fewValues(x(1).mul(P), theta(1), x(0).mul(x(1)), m, "(E_1)", true);
    P = P.add(beta.mul(m.add(x(0).mul(x(1)))));
    D = D.add(times(beta, W, x(0)));
  } else fewValues(bits[0], theta(1), first, m, "(reached)");
  // Θ_1·x_2⋯x_{l-1}; x_2⋯x_{l-1}·M + Σ_{1<i<l} x_i⋯x_{l-1}·M_i; the bits of the blocks before
  let Y = theta(1), heard = m.sub(first).add(first.mul(b ? x(1) : theta(1))), earlier = Interval.of(0n);
  for (let l = 2; l < L; l += 1) {
    const draws = times(x(l), rows[l - 2], theta(l - 1));
    fewValues(x(l).mul(P.add(D)).add(UNIT), theta(l), draws, N[l - 1], `(E_${l})`, true, false);
    const own = times(Interval.of(BigInt(l - 1 + b)), x(l), held[l - 2]);
    const bracket = sum(own, b || l > 2 ? Y : UNIT, W.mul(Y), heard);
    earlier = earlier.add(bits[l - 1 + b]);
    D = sum(UNIT, x(l).mul(D), earlier, times(Y, x(l), bits[l + b]), beta.mul(bracket));
    [Y, heard] = [Y.mul(x(l)), heard.add(held[l - 2]).mul(x(l))];
  }
  require(P.add(D).below(times(n.at(-1), theta(L - 1), N.at(-1).log2())), "(F) does not hold");
}

const CEILING_KEYS = {
  "A2 average": ["tau", "excess", "shares"], "A2 union": [], "C' average": ["shares"], "C' union": [],
  "B2c average": ["tau", "groups", "excess", "point", "shares"], "A3c average": ["tau", "groups", "excess", "point", "shares"],
  E: ["payment", "blocks", "x", "shares"],
};

// The tokens of a window, W128, from 2 to 10^9; 0 for other layers. In the depth it counts as R.
function windowOf(layer) {
  const found = typeof layer === "string" ? /^W([1-9][0-9]{0,9})$/.exec(layer) : null;
  const tokens = found === null ? 0n : BigInt(found[1]);
  return tokens >= 2n && tokens <= 1000000000n ? tokens : 0n;
}

function readWord(value) {
  const layers = list(value);
  within(layers.length, 4096, "layers of a word");
  shaped(layers.every((layer) => ["F", "R", "FR"].includes(layer) || windowOf(layer) > 0n), "an unknown layer");
  const full = layers.flatMap((layer, place) => (layer.includes("F") ? [place] : []));
  const before = full.length > 1 ? full[1] : layers.length;
  const depth = full.length === 0 ? 0 : full.length - 1 + (layers.slice(0, before).some((layer) => !layer.includes("F")) ? 1 : 0);
  return { layers, full: full.length, depth };
}

// Theorem A2W: one full layer and windows of reach r_0 before and r_1 behind it, with two tables.
function windowBound(fields, choice) {
  shaped(choice === null && integer(fields.tables) === 2n, "Theorem A2W has no choice, and applies to two tables");
  const reaches = list(fields.reaches, 2).map((reach) => integer(reach)), prompt = readPrompt(fields, false);
  shaped(prompt.n.length >= 1, "fewer than two tables");
  const m = prompt.m.size, n = prompt.n[0].size, N = m.mul(n), [before, after] = reaches;
  checkPrompt(m, prompt.n.map((size) => size.size), prompt.beta, prompt.tokens, prompt.message);
  require(Interval.of(2n * before + after).atMost(m), "2r_0 + r_1 ≤ m does not hold");
  require(Interval.of(prompt.beta).mul(n.add(Interval.of(after))).below(N.mul(N.log2())), "β·(n_1 + r_1) < N·log2 N does not hold");
  return reaches;
}

function checkCeiling(claim, choice) {
  if (claim instanceof Map && claim.get("theorem") === "D'") return sparseCeiling(claim, choice);
  const fields = keyed(claim, ["layers", ...BOUND_KEYS, "ceiling"], "the claim"), { theorem } = fields;
  shaped(typeof theorem === "string" && Object.hasOwn(CEILING_KEYS, theorem), "an unknown theorem");
  const { layers, full, depth } = readWord(fields.layers), prompt = readPrompt(fields, full === 0);
  shaped([prompt.m, ...prompt.n].every((size) => size.plain !== null), "sizes that are no plain integers");
  const m = prompt.m.plain, all = prompt.n.map((size) => size.plain), { beta } = prompt;
  within(bitlength(product([m, ...all])), 16384, "bits of the largest table");
  const Lambda = list(fields.lambda, full + 1).map((size) => integer(size)), ceiling = number(fields.ceiling);
  const chosen = keyed(choice, ["named", ...CEILING_KEYS[theorem]], "the choice");
  const named = list(chosen.named).map((k) => { const read = integer(k, 1n); shaped(read <= 64n, "above 64"); return read; });
  shaped(named.length <= all.length, "more tables in front than there are");
  const shares = theorem.endsWith("union") ? [] : list(chosen.shares).map(number);
  const own = all.slice(0, all.length - named.length);
  const bits = Lambda.map((size, t) => (t === 0 ? size : size - Lambda[t - 1]));
  const N = product([m, ...own]);
  let shown, form = theorem === "A2 average" && bits[0] === 0n;
  const late = { checkPrompt: () => {
    checkPrompt(prompt.m.size, prompt.n.map((size) => size.size), beta, prompt.tokens, prompt.message);
    require(bits.every((size) => size >= 0n), "Λ_t decreases");
  } };
  if (theorem === "E") [shown, form] = theoremE({ layers, full, depth, beta, bits, m, n: own, chosen, shares, late });
  else {
    if (theorem === "A2 average") {
      const tau = number(chosen.tau), excess = chosen.excess === null ? null : number(chosen.excess);
      shaped((excess === null) === (bits[0] === 0n), "excess is for Λ_0 > 0");
      shaped(shares.length === 1, "a list of another length");
      late.checkPrompt();
      require(full === 1 && own.length === 1, "Theorem A2 applies to one full layer and two tables");
      require(tau.cmp(ONE) > 0 || (tau.eq(ONE) && bits[0] === 0n), "τ is too small");
      let rest = ZERO;
      if (excess !== null) {
        const [low, high] = [LOG2_E.hi, LOG2_E.lo].map(({ m: top, e }) => ONE.div(new Q(top, 1n).mul(powerOfTwo(e))));  // ln 2
        require(excess.sign > 0 && high.div(excess).le(EXPONENT_MOST), "excess is below c_τ");
        require(exponential(high.div(excess))[1].sub(ONE).le(tau.mul(low).div(excess)), "excess is below c_τ");
        rest = excess.mul(Q.of(bits[0], m));
      }
      const kappa = Q.of(bits[1], own[0]).add(tau.mul(Q.of(beta * own[0] + bits[0], N)));
      shown = rest.add(sumOfShares(shares, [[Q.of(1n, N), kappa]]));
    } else if (theorem[2] === "c") {
      const three = theorem[0] === "A", tau = number(chosen.tau), c = number(chosen.excess), p = number(chosen.point);
      const groups = integer(chosen.groups, 1n);
      shaped(shares.length === 1 && (own.length === 0 || groups <= own.at(-1)), "a list of another length, or more groups than queries");
      late.checkPrompt();
      require(full === 2 && bits[0] === 0n && own.length === (three ? 2 : 1) && (three || depth === 1), "another word");
      require(tau.cmp(ONE) > 0 && p.sign > 0 && p.cmp(ONE) < 0 && c.sign > 0, "τ is too small, or there is no such point");
      cubeExcess(tau, c, p);
      const n = own.at(-1), size = -floorDivide(-n, groups), entries = three ? m * own[0] : m;
      const heard = three ? size * own[0] * beta + m * bits[1] : size * beta + bits[1];
      const told = bits[1] + beta * (2n * n + 2n * entries + (three ? m : 0n));
      const kappa = Q.of(groups * bits[2], n).add(tau.mul(Q.of(told, N)));
      shown = c.mul(Q.of(heard, entries)).add(sumOfShares(shares, [[Q.of(1n, N), kappa]]));
    } else if (theorem === "A2 union") {
      late.checkPrompt();
      require(full === 1 && own.length === 1 && bits[0] === 0n, "Theorem A2 applies to one full layer, two tables and Λ_0 = 0");
      shown = unionShare(N, m * bits[1] + beta * own[0]);
    } else {
      shaped(theorem === "C' union" || shares.length === 1, "a list of another length");
      late.checkPrompt();
      require(full === 0 || (full === 1 && depth === 0 && own.length === 0), "Theorem C' applies to recurrent layers alone");
      const held = beta + total(bits);
      shown = theorem === "C' union" ? unionShare(N, held) : sumOfShares(shares, [[Q.of(1n, N), Q.of(held, N)]]);
    }
  }
  named.forEach((k, place) => {
    let factorial = 1n;
    for (let j = 2n; j <= k; j += 1n) factorial *= j;
    shown = new Q(k, 1n).mul(shown).add(Q.of(1n, counted(all[own.length + place] ** k * factorial)));
  });
  require(shown.le(ceiling) && ceiling.le(ONE), "the ceiling is not shown");
  const said = `within these bits is right in one pass on more than ${ceiling} of the random inputs of these sizes`;
  return `no causal model of this word ${said} (${theoremText(theorem, named.length > 0, form)})`;
}

// c(1−h(p)) − 1 + τp/(1−p) is convex in p: its tangent at p = u/v is at least 0 at 0 and at 1/(1+τ).
function cubeExcess(tau, c, p) {
  const u = p.n, v = p.d, scale = counted(c.d * tau.d * tau.d * (v - u) * (v - u));
  const scaled = (x) => Interval.of(floorDivide(x.n * scale, x.d)), one = Interval.of(scale);
  const r = Q.of(u, v - u), t = tau, tr = t.mul(r);
  const [rest, whole, some] = [v - u, v, u].map((x) => Interval.of(x).log2()), C = scaled(c), CT = scaled(c.mul(t));
  require(sum(one, scaled(tr.mul(r)), C.mul(whole)).atMost(C.add(C.mul(rest))), "the excess is below c'_τ");
  const left = sum(one, scaled(t), scaled(tr.mul(tr)), CT.add(C).mul(whole));
  require(left.atMost(sum(CT, C, scaled(t), scaled(tr.add(tr)), CT.mul(rest), C.mul(some))), "the excess is below c'_τ");
}

// Theorem E, and whether Coq has this form: the delayed payment, and the quiet one of two tables, where the first share a/b has room for
// as many bits, ⌈b·D_1/m⌉, if ⌊m/x_0⌋·x_0 stands for m; the late one of two tables in A where Λ_0 = 0 and x_0·x_1 ≤ m; idle layers
// behind all others.
function theoremE({ layers, full, depth, beta, bits, m, n, chosen, shares, late }) {
  const L = n.length + 1, b = full === L ? 1 : 0, { payment } = chosen;
  shaped(["full", "late", "quiet", "delayed"].includes(payment), "an unknown payment");
  const blocks = list(chosen.blocks, full + 1).map((block) => integer(block));
  shaped(blocks.every((block, t) => (t === 0 || blocks[t - 1] < block) && block <= BigInt(L)), "blocks: out of order");
  const x = list(chosen.x, L).map((size) => integer(size, 1n));
  shaped(shares.length === L, "a list of another length");
  late.checkPrompt();
  require(L >= 2 && full <= L && blocks.at(-1) < BigInt(L + b), "Theorem E does not apply to so many full layers");
  require(!b || (depth < full && bits[0] === 0n && payment !== "delayed"), "R before the second full layer");
  require(payment !== "quiet" || layers.at(-1) === "F" || blocks.at(-1) < BigInt(L - 1), "R after or beside the last full layer");
  require(x[0] <= m, "x_0 ≤ m does not hold");
  const own = Array(L + b).fill(0n);
  blocks.forEach((block, t) => { own[asIndex(block)] = bits[t]; });
  const Lambda = own.map((_, t) => total(own.slice(0, t + 1)));
  const N = tableSizes(m, n, (p, q) => counted(p * q)), W = product(n);
  const t = [x[0]], terms = [];
  let X = x[0], S = 0n;  // x_0⋯x_{l-1}, Σ_{i<l} x_i⋯x_{l-1}·N_{i-1}
  let D = b ? beta * W + Lambda[1] : Lambda[0];
  const delayed = payment === "delayed" || (payment === "quiet" && L === 2), two = payment === "late" && L === 2 && !b;
  const room = (entries) => floorDivide(-shares[0].d * D, entries), behind = blocks.every((block, place) => block === BigInt(place));
  const form = behind && (delayed ? room(m) === room(m - (m % x[0])) : two && D === 0n && x[0] * x[1] <= m);
  for (let l = 1; l < L; l += 1) {
    const entries = l === 1 ? m : n[l - 2] * t[l - 1];
    t.push(counted(x[l] * (l === 1 ? 1n : n[l - 2]) * t[l - 1]));
    terms.push([Q.of(t[l] - 1n, 2n * N[l - 1]), Q.of(D, entries)]);
    const V = !b && l === 1 && own[0] === 0n ? W : W * X, row = x[l] * N[l - 1], j = l + b, J = BigInt(j);
    const heard = b && l === 1 ? X + X * x[1] : X + S;
    const pays = payment === "delayed" || l === L - 1 ? payment : "full";
    let cost;
    if (pays === "full") cost = Lambda[j] + beta * (J * row + V + heard);
    else if (pays === "late") cost = Lambda[j - 1] + x[l] * own[j] + beta * ((J - 1n) * row + V + heard);
    else if (pays === "quiet") cost = Lambda[j - 1] + beta * ((J - 1n) * row + V + (b && l === 1 ? X : 0n));
    else {
      cost = Lambda[l - 1] + X * x[l] * own[l] + beta * V;
      if (l > 1) cost += beta * (BigInt(l - 1) * row + (l === 2 ? x[0] : X) + S);
    }
    D = counted(x[l] * D + cost);
    [X, S] = [counted(X * x[l]), counted((S + N[l - 1]) * x[l])];
  }
  terms.push([Q.of(1n, N.at(-1)), Q.of(D, n.at(-1) * t.at(-1))]);
  return [sumOfShares(shares, terms), form];
}

// Σ ⟨q;κ⟩, each at most its share.
function sumOfShares(shares, terms) {
  shares.forEach((share, place) => {
    const [q, kappa] = terms[place];
    require(qmin(q, ONE).le(share), "a share is below its q");
    if (q.zero || ONE.le(share)) return;
    const K = -floorDivide(-share.d * kappa.n, kappa.d);
    if (K === 0n) return;
    const [a, b, u, v] = [share.n, share.d, q.n, q.d].map((part) => Interval.of(part)), bits = Interval.of(K);
    const gain = Interval.of(share.n * q.d).log2().sub(Interval.of(share.d * q.n).log2());
    const loss = Interval.of(-floorDivide(-(share.n * q.d - share.d * q.n), q.d)).mul(LOG2_E);
    if (bits.add(loss).atMost(a.mul(gain))) return;
    const miss = Interval.of(share.d - share.n);
    const left = sum(a.mul(a.log2()), miss.mul(miss.log2()), b.mul(v.log2()));
    const right = sum(bits, b.mul(b.log2()), a.mul(u.log2()), miss.mul(Interval.of(q.d - q.n).log2()));
    require(right.atMost(left), "a share is not shown");
  });
  return qsum(shares);
}

function unionShare(N, bits) {
  within(N, 4096n, "entries of a table in a union bound");
  const whole = N ** N;
  if (bits >= BigInt(bitlength(whole))) return ONE;
  let tail = 0n, all = 0n, term = 1n;
  for (let a = N; a > 0n; a -= 1n) {
    tail += term;
    all += least(whole, tail << bits);
    term = (term * a * (N - 1n)) / (N - a + 1n);
  }
  return Q.of(all, whole * N);
}

function sparseCeiling(claim, choice) {
  const keys = ["theorem", "block", "open", "blocks", "summary_bits", "false_alarms", "ceiling"];
  const fields = keyed(claim, keys, "the claim");
  const B = integer(fields.block, 1n), k = integer(fields.open), g = integer(fields.blocks, 1n), r = integer(fields.summary_bits);
  const alarms = number(fields.false_alarms), ceiling = number(fields.ceiling);
  shaped(choice === null && alarms.sign >= 0 && alarms.le(ONE), "a choice, or no share of false alarms");
  require(sumOfShares([ceiling], [[Q.of(k, g).add(alarms), Q.of(r, B)]]).le(ONE), "a ceiling above 1");
  return `one sparse layer of these sizes finds at most ${ceiling} of the matches (${theoremText("D'")})`;
}

function theoremD(claim, choice) {
  const fields = keyed(claim, ["theorem", "modulus", "block", "open", "blocks", "summary_bits"], "the claim");
  const M = integer(fields.modulus, 3n), B = integer(fields.block, 1n), k = integer(fields.open);
  const g = integer(fields.blocks, 1n), r = integer(fields.summary_bits);
  shaped(M % 2n === 1n, "an even modulus");
  shaped(choice === null, "Theorem D has no choice");
  require(g > k, "every block is opened");
  const u = M - 1n, d = u - (u * k) / g, terms = least(B, d);
  within(terms, 1n << 16n, "min(B, d)");
  within(terms * BigInt(bitlength(d)), 1n << 22n, "min(B, d) times the bits of d");
  const less = d === u ? 1n : 0n;
  let V = 1n, binomial = 1n;
  // V − less > 2^r needs more than r bits of V: enough to stop early, as all terms are positive
  const enough = r < 1n << 23n ? 1n << (r + 2n) : null;  // V has fewer bits than 2^23
  for (let t = 1n; t <= terms && (enough === null || V < enough); t += 1n) {
    spend(8 + (size(binomial) + 64) * (size(d) + 64) / 8192);
    binomial = (binomial * (d - t + 1n)) / t;
    V += binomial;
  }
  V -= less;
  const bits = BigInt(bitlength(V));
  require(bits > r + 1n || (bits === r + 1n && V !== 1n << r), "2^r < V does not hold");
  return `no single sparse layer of these sizes solves 2-Sum (${theoremText("D")})`;
}

// Content-free summaries: the tokens behind the last one's answer number at most R^layers, which must leave one out.
function theoremD2(claim, choice) {
  const fields = keyed(claim, ["theorem", "layers", "block", "open", "always", "length"], "the claim");
  const layers = integer(fields.layers, 1n), B = integer(fields.block, 1n), k = integer(fields.open);
  const s = integer(fields.always), n = integer(fields.length, 1n);
  shaped(choice === null, "Theorem D2 has no choice");
  const R = B + k * B + s;
  let rest = n - 1n;  // R^layers ≤ n − 1 iff dividing n − 1 by R, rounded down, layers times leaves something
  for (let layer = 0n; R > 1n && rest > 0n && layer < layers; layer += 1n) {
    spend(8 + (size(rest) + 64) * (size(R) + 64) / 8192);
    rest /= R;
  }
  require(rest > 0n, "the last token may depend on all of them");
  return `no ${layers} sparse layers of these sizes with content-free summaries solve 2-Sum (${theoremText("D2")})`;
}

function checkDecision(claim, choice) {
  shaped(claim instanceof Map, "the claim is no object");
  const solvable = boolean(claim.get("solvable"));
  const C3 = solvable && claim.get("construction") === "C3";
  const windows = !solvable && claim.get("theorem") === "A2W";
  const keys = windows ? WINDOW_KEYS : solvable ? ["construction", ...(C3 ? ["task", "state_bits"] : [])] : [...BOUND_KEYS, ...(claim.has("tables") ? ["tables"] : [])];
  const fields = keyed(claim, ["layers", "L", "solvable", ...keys], "the claim");
  const word = readWord(fields.layers), { layers } = word, L = integer(fields.L, 1n);
  const full = layers.filter((layer) => layer.includes("F"));
  const count = BigInt(full.length), depth = BigInt(word.depth);
  if (solvable) {
    shaped(choice === null, "what is solvable has no choice");
    string(fields.construction);
    if (!C3) {
      require(L <= depth, "L is above the depth of the word");
      require(fields.construction === (count > L ? "C1" : "C2"), "another construction solves this");
      return `this word of layers solves ${L} tables`;
    }
    const task = readTask(fields.task, 2n);
    shaped(task.task === "funccomp" && task.thoughts === null, "C3 is for FuncComp");
    const stateBits = integer(fields.state_bits), N = task.N.at(-1);
    require(full.length === 0, "C3 is for R alone");
    require(BigInt(task.L) === L, "the task has another number of tables");
    require(BigInt(layers.length) > L, "C3 needs more than L layers");
    require(N * BigInt(bitlength(N - 1n)) <= stateBits, "the state is too small for the largest table");
    return `this word of layers solves ${L} tables at these sizes`;
  }
  require(L > depth, "the depth of the word is L or more");
  if (windows) {
    const reaches = windowBound(fields, choice), place = layers.indexOf("F");
    const seen = [layers.slice(0, place < 0 ? 0 : place), layers.slice(place + 1)].map((part) => total(part.map((layer) => windowOf(layer) - 1n)));
    const alone = layers.every((layer) => layer === "F" || windowOf(layer) > 0n);
    require(alone && count === 1n && seen[0] === reaches[0] && seen[1] === reaches[1], "another theorem applies to this word");
    require(BigInt(fields.task.get("n").length) + 1n === L, "the task has another number of tables");
    return `no causal model of this word ${IMPOSSIBLE} (${theoremText("A2W")})`;
  }
  if (!solvable && "tables" in fields) {
    const sharper = sharperBound(fields, choice);
    require(sharper.full === full.length && !(sharper.b && depth === count), "another theorem applies to this word");
    require(BigInt(fields.task.get("n").length) + 1n === L, "the task has another number of tables");
    return `no causal model of this word ${IMPOSSIBLE} (${sharper.said})`;
  }
  shaped(["A", "B", "C"].includes(fields.theorem), "an unknown theorem");
  require(fields.theorem === (full.length === 0 ? "C" : count === L ? "B" : "A"), "another theorem applies to this word");
  shaped(fields.task instanceof Map && Array.isArray(fields.task.get("n")), "no FuncComp");
  require(BigInt(fields.task.get("n").length) + 1n === L, "the task has another number of tables");
  const padding = fields.theorem === "A" ? fields.task.get("n").length - full.length : 0;
  return `no causal model of this word ${IMPOSSIBLE} (${theoremABC(readBound(fields, choice, padding, full.length + 1))})`;
}

// --------------------------------------------------------------------------------------------------------------- tasks

const STYLES = ["hops", "addresses", "records"];

// FuncComp or 2-Sum with its kinds of tokens, groups of ids and numbers of rows.
function readTask(value, smallest = 1n, plain = false) {
  shaped(value instanceof Map, "the task is no object");
  if (value.get("task") === "two_sum") {
    const fields = keyed(value, ["task", "length", "modulus"], "the task");
    const length = integer(fields.length, 1n), modulus = integer(fields.modulus, 3n);
    within(bitlength(most(length, modulus)), 4096, "bits of a size");
    shaped(modulus % 2n === 1n, "an even modulus");
    return { task: "two_sum", length, modulus, thoughts: null, tokens: length, ids: modulus, answers: 2n, L: 0 };
  }
  if (value.get("task") === "look_ups" && !plain) return readLookUps(value);
  if (value.get("task") === "program" && !plain) return readProgram(value);
  const fields = keyed(value, ["task", "m", "n"], "the task", plain ? [] : ["thoughts"]);
  shaped(fields.task === "funccomp", "an unknown task");
  within(list(fields.n).length, 255, "tables");
  const m = integer(fields.m, smallest), n = fields.n.map((size) => integer(size, 1n)), L = n.length + 1;
  const N = tableSizes(m, n, (a, b) => counted(a * b)), W = product(n);
  within(bitlength(N.at(-1)), 4096, "bits of N");
  const thoughts = fields.thoughts ?? null;
  shaped(!value.has("thoughts") || STYLES.includes(thoughts), "an unknown style of thoughts");
  return { task: "funccomp", m, n, L, N, W, thoughts, tokens: total(N) + 2n, ids: N.at(-1) + W, answers: N.at(-1) };
}
const sameTask = (a, b) =>
  a.task === b.task && a.thoughts === b.thoughts && a.length === b.length && a.modulus === b.modulus && a.m === b.m &&
  String(a.n) === String(b.n) && a.key === b.key;

// A task that its document defines; kinds with their names, and finds as pairs of variables.
const WORD = /^[a-z][a-z0-9_]{0,31}$/;
const wordOf = (value) => { shaped(typeof value === "string" && WORD.test(value) && !value.includes("\n"), "no name"); return value; };
function readLookUps(value) {
  const fields = keyed(value, ["task", "name", "kinds", "finds", "answer"], "the task");
  string(fields.name);
  within(longest([list(fields.kinds), list(fields.finds)]), 16, "kinds or finds");
  const kinds = fields.kinds.map(readLookUpKind), named = new Map(kinds.map((kind) => [kind.name, kind]));
  shaped(kinds.length > 0 && named.size === kinds.length, "no kind, or two of one name");
  const powers = [];
  let ids = 0n, first = 0n;
  kinds.forEach((kind, index) => {
    Object.assign(kind, { index, first, firstId: ids });
    first += kind.count;
    ids += product(kind.spelled.map(({ size }) => size));
    if (kind.apart) {
      const codes = product(kind.names.map(({ size }) => size)), from = codes - kind.count + 1n;
      shaped(from > 0n, "more tokens than names");
      if (kind.count * BigInt(bitlength(codes)) <= 65536n) {
        let falling = 1n;
        for (let code = from; code <= codes; code += 1n) falling *= code;
        powers.push([falling, 1n]);
      } else powers.push([from, kind.count]);
    }
    for (const { name, size } of kind.spelled) {
      const target = kind.of.get(name);
      if (target !== undefined) {
        shaped(named.has(target), "a variable of an unknown kind");
        const { names, count } = named.get(target);
        shaped(names.length === 1 && names[0].size === size, "a variable that is no name of its kind");
        powers.push([count, kind.count]);
      } else if (!(kind.apart && kind.names.some((other) => other.name === name))) powers.push([size, kind.count]);
    }
  });
  const finds = fields.finds.map((find) => readFind(find, named));
  const last = kinds.at(-1), answer = last.own.find(({ name }) => name === fields.answer);
  shaped(typeof fields.answer === "string" && answer !== undefined, "the answer is no variable of the last kind");
  const key = JSON.stringify([kinds.map(({ name, count, spelled, of, names }) =>
    [name, `${count}`, spelled.map((part) => [part.name, `${part.size}`, of.get(part.name) ?? null]), names.map((part) => part.name)]),
  finds.map(({ reader, kind, at, told }) => [reader.name, kind.name, at.map((part) => part.name), told]), fields.answer]);
  return { task: "look_ups", kinds, finds, answer, key, powers, thoughts: null, tokens: first, ids, answers: answer.size, L: 0 };
}
function readLookUpKind(value) {
  const fields = keyed(value, ["name", "count", "token", "named_by"], "a kind");
  const name = wordOf(fields.name), count = integer(fields.count, 1n), of = new Map();
  within(list(fields.token).length, 16, "variables");
  const spelled = fields.token.map((entry) => {
    const [variable, size, target] = list(entry, 3);
    if (target !== null) of.set(wordOf(variable), wordOf(target));
    return { name: wordOf(variable), size: integer(size, 1n) };
  });
  const own = [{ name: "position", size: count }, ...spelled];
  shaped(new Set(own.map((part) => part.name)).size === own.length, "two variables of one name");
  within(bitlength(product(own.map(({ size }) => size))), 4096, "bits of a kind");
  const words = list(fields.named_by).map(wordOf), apart = !(words.length === 1 && words[0] === "position");
  const names = words.map((word) => own.find((part) => part.name === word));
  shaped(words.length > 0 && new Set(words).size === words.length && !names.includes(undefined), "unknown names");
  shaped(!apart || !words.some((word) => word === "position" || of.has(word)), "names that are none");
  return { name, count, spelled, names, apart, of, own, address: own.slice(0, 1), mirror: null, emits: null, table: 0 };
}
function readFind(value, named) {
  const fields = keyed(value, ["reader", "kind", "at", "as"], "a find");
  const reader = named.get(fields.reader), kind = named.get(fields.kind);
  shaped(reader !== undefined && kind !== undefined && kind.index < reader.index, "a find of no earlier kind");
  const at = list(fields.at).map((name) => reader.own.find((part) => part.name === wordOf(name)));
  shaped(!at.includes(undefined), "a find at an unknown variable");
  shaped(at.length === kind.names.length && at.every(({ size }, i) => size === kind.names[i].size), "a find at other names");
  shaped(!kind.apart || (at.length === 1 && reader.of.get(at[0].name) === kind.name), "a find of a token that may not be there");
  const told = list(fields.as).map((pair) => {
    const [a, b] = list(pair, 2).map(wordOf), theirs = kind.own.find((part) => part.name === a);
    shaped(theirs !== undefined && !reader.own.some((part) => part.name === b), "a find with a wrong variable");
    reader.own.push({ name: b, size: theirs.size });
    if (kind.of.has(a)) reader.of.set(b, kind.of.get(a));
    return [a, b];
  });
  within(reader.own.length, 64, "variables");
  return { reader, kind, at, told };
}

// An input of the task: the ids of its prompt and the right answer.
function readInput(value, task) {
  shaped(!["look_ups", "program"].includes(task.task), "pairs are for FuncComp and 2-Sum");
  if (task.task === "two_sum") {
    const fields = keyed(value, ["task", "modulus", "x"], "an input");
    shaped(fields.task === "two_sum" && integer(fields.modulus) === task.modulus, "an input of another task");
    const x = list(fields.x, task.length).map((id) => integer(id, 1n));
    shaped(x.every((id) => id < task.modulus), "a number that is not below the modulus");
    return { prompt: x, answer: x.includes(task.modulus - x.at(-1)) ? 1n : 0n };
  }
  const fields = keyed(value, ["task", "m", "n", "z0", "tables", "w"], "an input");
  shaped(fields.task === "funccomp" && integer(fields.m) === task.m, "an input of another task");
  list(fields.n, task.n.length).forEach((size, l) => shaped(integer(size) === task.n[l], "an input of another task"));
  const below = (member, size) => { const id = integer(member); shaped(id < size, "a number above its size"); return id; };
  const z0 = below(fields.z0, task.m);
  const tables = list(fields.tables, task.L).map((table, l) => list(table, task.N[l]).map((entry) => below(entry, task.N[l])));
  const w = list(fields.w, task.L - 1).map((digit, l) => below(digit, task.n[l]));
  let hop = tables[0][asIndex(z0)];
  for (let l = 2; l <= task.L; l += 1) hop = tables[l - 1][asIndex(w[l - 2] * task.N[l - 2] + hop)];
  const spelled = w.reduce((number, digit, l) => number * task.n[l] + digit, 0n);
  return { prompt: [...tables.slice().reverse().flat(), z0, task.N.at(-1) + spelled], answer: hop };
}

// ------------------------------------------------------------------------------------------------------ the model file

const WIDTH_MOST = 1 << 14;

// [[row, column, number], …] in the order of the file, without zeros; shape has null where any number of rows will do.
function readEntries(value, shape, rowsMost) {
  const fields = keyed(value, ["shape", "entries"], "a matrix");
  const [rows, columns] = list(fields.shape, 2).map((size) => integer(size));
  within(rows, rowsMost, "rows");
  shaped(shape[0] === null || rows === BigInt(shape[0]), "a matrix with another number of rows");
  shaped(columns === BigInt(shape[1]), "a matrix with another number of columns");
  const entries = [], places = new Set();
  for (const entry of list(fields.entries)) {
    const [row, column] = list(entry, 3).slice(0, 2).map((place) => integer(place));
    shaped(row < rows && column < columns, "an entry outside its matrix");
    const place = `${row},${column}`;
    shaped(!places.has(place), "an entry twice");
    places.add(place);
    const coefficient = number(entry[2]);
    if (!coefficient.zero) entries.push([row, column, coefficient]);
  }
  return { rows: asIndex(rows), entries };
}
// The entries by rows: a Map row → members.
function byRow(entries, member) {
  const at = new Map();
  for (const entry of entries) {
    const row = asIndex(entry[0]);
    if (!at.has(row)) at.set(row, []);
    at.get(row).push(member(entry));
  }
  return at;
}
// {rows, at: Map row → [[column, number], …]}
function readMatrix(value, shape, rowsMost = BigInt(WIDTH_MOST)) {
  const { rows, entries } = readEntries(value, shape, rowsMost);
  return { rows, at: byRow(entries, ([, column, coefficient]) => [asIndex(column), coefficient]) };
}
// C_K or C_V, size × B·size: {rows, at: Map row → [[coordinate, number, offset in the block], …]}; B may be of any length.
function readSummary(value, size, B) {
  const { rows, entries } = readEntries(value, [size, B * BigInt(size)], BigInt(WIDTH_MOST)), width = BigInt(size);
  return { rows, at: byRow(entries, ([, column, coefficient]) => [asIndex(column % width), coefficient, column / width]) };
}
const entriesOf = (matrix) => [...matrix.at.values()].flat().map(([, coefficient]) => coefficient);

function readRowTable(value, width, storedMost, program = false) {
  shaped(value instanceof Map && value.size === 1, "no row table");
  if (value.has("stored")) {
    const matrix = readMatrix(value.get("stored"), [null, width], storedMost);
    return { stored: matrix, rows: BigInt(matrix.rows) };
  }
  shaped(value.has("declared"), "no row table");
  const segments = list(value.get("declared")).map((segment) => {
    const fields = keyed(segment, ["start", "radices", "matrix"], "a segment", program ? ["mirror", "digits"] : ["mirror"]);
    const start = integer(fields.start), radices = list(fields.radices).map((radix) => integer(radix, 1n));
    within(radices.length, 256, "radices");
    const mirrored = segment.has("mirror");
    if (mirrored) {
      const M = integer(fields.mirror, 3n);
      shaped(M % 2n === 1n && radices.length === 1 && radices[0] === M, "a mirror that is not of its radix, or even");
    }
    const count = product(radices), digits = segment.has("digits") ? list(fields.digits).map((digit) => readDigit(digit, count)) : [];
    const bits = radices.reduce((sum, radix) => sum + bitlength(radix - 1n), 0) * (mirrored ? 2 : 1);
    const further = digits.reduce((sum, digit) => sum + bitlength(digit.size - 1n), 0);
    return { start, radices, mirrored, digits, count, matrix: readMatrix(fields.matrix, [width, 1 + bits + further]) };
  });
  segments.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  let rows = 0n;
  for (const segment of segments) {
    shaped(segment.start === rows, "a row table with gaps or overlaps");
    rows += segment.count;
  }
  return { segments, rows };
}
// A further digit of a segment, with a value for each of its rows.
function readDigit(value, rows) {
  const fields = keyed(value, ["size", "values"], "a digit"), size = integer(fields.size, 1n);
  const values = list(fields.values, rows).map((entry) => integer(entry));
  shaped(values.every((entry) => entry < size), "a digit above its size");
  return { size, values };
}
const bitsOf = (x, length) => Array.from({ length }, (_, j) => ((x >> BigInt(j)) & 1n ? ONE : ONE.neg()));
// Row `place` of a row table, as an array of numbers.
function tableRow(table, place, width) {
  spend(width);
  const row = Array(width).fill(ZERO);
  if (table.stored) {
    for (const [column, coefficient] of table.stored.at.get(asIndex(place)) ?? []) row[column] = coefficient;
    return row;
  }
  spend(4 * table.segments.length);
  const segment = table.segments.find(({ start, count }) => start <= place && place < start + count);
  let x = place - segment.start;
  const vector = [];
  for (const radix of segment.radices.slice().reverse()) {
    vector.unshift(...bitsOf(x % radix, bitlength(radix - 1n)));
    x /= radix;
  }
  if (segment.mirrored) {
    const radix = segment.radices[0];
    vector.push(...bitsOf(radix - (place - segment.start), bitlength(radix - 1n)));
  }
  for (const { size, values } of segment.digits) vector.push(...bitsOf(values[asIndex(place - segment.start)], bitlength(size - 1n)));
  spend(8 * vector.length);
  return multiply(segment.matrix, [ONE, ...vector]);
}
function multiply(matrix, vector) {
  spend(matrix.rows);
  const result = Array(matrix.rows).fill(ZERO);
  for (const [row, entries] of matrix.at) {
    result[row] = entries.reduce((sum, [column, coefficient]) => (vector[column].zero ? sum : sum.add(coefficient.mul(vector[column]))), ZERO);
  }
  return result;
}
const addVectors = (a, b) => a.map((number, r) => number.add(b[r]));
const dot = (a, b) => a.reduce((sum, number, r) => (number.zero || b[r].zero ? sum : sum.add(number.mul(b[r]))), ZERO);
const relu = (number) => (number.sign > 0 ? number : ZERO);

const LETTER = { full: "F", linear: "R", delta: "R", product: "R", sparse: "S" };
function readHead(value, d, program) {
  shaped(value instanceof Map && Object.hasOwn(LETTER, String(value.get("type"))), "a head of an unknown type");
  const type = value.get("type");
  shaped(program || type !== "product", "a head of a type that programs alone have");
  const keys = {
    full: ["W_Q", "W_K", "W_V", "W_O", "shift"],
    linear: ["W_Q", "b_Q", "W_K", "b_K", "W_V", "W_O", "normalised"],
    delta: ["W_Q", "W_K", "W_V", "W_A", "b_A", "W_B", "b_B", "W_O"],
    product: ["W_Q", "W_K", "W_V", "W_B", "b_B", "W_O", "updates"],
    sparse: ["W_Q", "W_K", "W_V", "C_K", "C_V", "W_O", "shift", "block", "opened"],
  }[type];
  const fields = keyed(value, ["type", ...keys], "a head");
  const head = { type, W_Q: readMatrix(fields.W_Q, [null, d]), W_V: readMatrix(fields.W_V, [null, d]) };
  const updates = type === "product" ? integer(fields.updates, 1n) : 1n, rounds = asIndex(updates);
  within(updates, 256n, "updates");
  shaped(head.W_V.rows % rounds === 0, "a matrix with another number of rows");
  const dk = head.W_Q.rows, dv = head.W_V.rows / rounds;
  if ("block" in fields) head.block = integer(fields.block, 1n);
  const shapes = {
    W_K: [rounds * dk, d], W_O: [d, dv], b_Q: [dk, 1], b_K: [dk, 1], W_A: [1, d], W_B: [rounds, d], b_A: [1, 1], b_B: [rounds, 1],
  };
  for (const key of keys) if (key in shapes) head[key] = readMatrix(fields[key], shapes[key]);
  if (type === "sparse") Object.assign(head, { C_K: readSummary(fields.C_K, dk, head.block), C_V: readSummary(fields.C_V, dv, head.block) });
  if ("shift" in fields) head.shift = number(fields.shift);
  if ("opened" in fields) head.opened = integer(fields.opened);
  if ("normalised" in fields) head.normalised = boolean(fields.normalised);
  return { ...head, dk, dv, updates: rounds };
}
function readMlp(value, d) {
  const fields = keyed(value, ["W_1", "b_1", "W_2", "b_2"], "an MLP");
  const W_1 = readMatrix(fields.W_1, [null, d]);
  const h = W_1.rows;
  return { W_1, b_1: readMatrix(fields.b_1, [h, 1]), W_2: readMatrix(fields.W_2, [d, h]), b_2: readMatrix(fields.b_2, [d, 1]) };
}

const MODEL_KEYS = ["schema", "task", "attention", "precision", "slots", "positions", "tokens", "unembedding", "layers"];
function readModel(value, extra, storedMost) {
  const fields = keyed(value, [...MODEL_KEYS, ...extra], "the model");
  shaped(fields.schema === "separation.model/1", "an unknown schema of the model");
  const task = readTask(fields.task), program = task.task === "program";
  shaped(fields.attention === "causal" || fields.attention === "both", "an unknown attention");
  const both = fields.attention === "both";
  const { P, p, fraction } = keyed(fields.precision, ["P", "p", "fraction"], "the precision");
  const precision = { P: integer(P), p: integer(p), f: integer(fraction) };
  shaped(precision.f <= precision.p, "a fraction above p");
  within(most(precision.P, precision.p), 4096n, "P and p");
  const names = new Set();
  let width = 0n;
  for (const slot of list(fields.slots)) {
    const entry = keyed(slot, ["name", "width"], "a slot");
    shaped(!names.has(string(entry.name)), "two slots with one name");
    names.add(entry.name);
    width += integer(entry.width);
  }
  within(width, BigInt(WIDTH_MOST), "the width");
  const d = asIndex(width);
  within(list(fields.layers).length, 256, "layers");
  const layers = fields.layers.map((layer) => {
    const { heads, mlps } = keyed(layer, ["heads", "mlps"], "a layer");
    within(longest([list(heads), list(mlps)]), 256, "heads or MLPs of a layer");
    return { heads: heads.map((head) => readHead(head, d, program)), mlps: mlps.map((mlp) => readMlp(mlp, d)) };
  });
  const heads = layers.flatMap((layer) => layer.heads);
  shaped(!both || (task.task === "funccomp" && task.thoughts === null), "attention both ways is for FuncComp without thoughts");
  shaped(!both || heads.every((head) => head.type === "full"), "attention both ways is for full heads");
  const table = (key) => readRowTable(fields[key], d, storedMost, program);
  const model = { task, both, ...precision, d, layers, positions: table("positions"), tokens: table("tokens"), unembedding: table("unembedding") };
  model.word = layers.map((layer) => {
    const letters = [...new Set(layer.heads.map((head) => LETTER[head.type]))].sort().join("");
    return letters.length > 1 ? `[${letters}]` : letters;
  }).join("");
  model.size = powerOfTwo(precision.p - precision.f);
  model.grain = powerOfTwo(-precision.f);
  return { model, fields };
}

// ----------------------------------------------------------------------------------------------------- running a model

const DENOMINATOR_MOST = 2048;
function sized(vector, model) {
  for (const number of vector) {
    if (bitlength(number.d) > DENOMINATOR_MOST) declined("a denominator of more than 2048 bits");
    require(number.abs().le(model.size), "a number above 2^(p−f)");
  }
  return vector;
}
// floor(2^P·e^(score − shift)); the score may not be above the shift.
function weight(score, head, model) {
  const x = score.sub(head.shift);
  require(x.sign <= 0, "a score above the shift");
  const scale = powerOfTwo(model.P);
  const [low, high] = exponential(x, model.P + 256n).map((bound) => bound.mul(scale).floor());
  require(low === high, "a weight that the bounds of e^x do not decide");
  return new Q(low, 1n);
}
function average(pairs, q, head, model) {  // pairs: [[key, value], …]
  const weights = pairs.map(([key]) => weight(dot(q, key), head, model));
  const sum = qsum(weights);
  const sums = Array.from({ length: head.dv }, (_, r) => qsum(pairs.map(([, value], j) => weights[j].mul(value[r]))));
  return { weights, output: sums.map((number) => (sum.zero ? ZERO : number.div(sum).floorTo(model.grain))) };
}
function runFull(head, { q, k, v }, model, [start, stop], heard) {
  return q.map((query, t) => {
    const pairs = k.slice(0, t + 1).map((key, j) => [key, v[j]]);
    const { weights, output } = average(pairs, query, head, model);
    if (t >= stop) {
      for (let r = 0; r < head.dv; r += 1) heard.push(qsum(weights.slice(start, stop).map((e, j) => e.mul(v[start + j][r]))));
      heard.push(qsum(weights.slice(start, stop)));
    }
    return output;
  });
}
function runSparse(head, { q, k, v }, model, [start, stop], heard) {
  const B = asIndex(least(head.block, BigInt(k.length + 1)));
  const summary = (C, tokens) => sized(Array.from({ length: C.rows }, (_, r) =>
    qsum((C.at.get(r) ?? []).map(([coordinate, amount, offset]) => amount.mul(tokens[asIndex(offset)][coordinate])))), model);
  const summaries = [];
  for (let end = B; end <= k.length; end += B) summaries.push([summary(head.C_K, k.slice(end - B, end)), summary(head.C_V, v.slice(end - B, end))]);
  return q.map((query, t) => {
    const g = asIndex(BigInt(t) / BigInt(B)), last = t === q.length - 1;
    const scores = summaries.slice(0, g).map(([key]) => dot(query, key));
    const order = scores.map((_, block) => block).sort((a, b) => scores[b].cmp(scores[a]) || a - b);
    const opened = order.slice(0, asIndex(least(head.opened, BigInt(g)))).sort((a, b) => a - b);
    const tokens = [...opened.flatMap((block) => Array.from({ length: B }, (_, j) => block * B + j)),
      ...Array.from({ length: t - g * B + 1 }, (_, j) => g * B + j)];
    const pairs = [...summaries.slice(0, g), ...tokens.map((j) => [k[j], v[j]])];
    if (last) {
      const block = asIndex(BigInt(start) / BigInt(B));
      require(block * B === start && stop === start + B && block < g && !opened.includes(block), "the tokens that differ are no whole unopened block");
      heard.push(...opened.map((index) => new Q(BigInt(index), 1n)), ...summaries[block][0], ...summaries[block][1]);
    }
    return average(pairs, query, head, model).output;
  });
}
function runLinear(head, { q, k, v }, model, [, stop], heard) {
  let S = Array.from({ length: head.dk }, () => Array(head.dv).fill(ZERO)), n = Array(head.dk).fill(ZERO);
  return q.map((query, t) => {
    const feature = k[t].map(relu);
    S = S.map((row, a) => sized(addVectors(row, v[t].map((number) => feature[a].mul(number))), model));
    n = addVectors(n, feature);
    if (head.normalised) sized(n, model);
    if (t === stop - 1) heard.push(...S.flat(), ...(head.normalised ? n : []));
    const asked = query.map(relu), divisor = dot(asked, n);
    return Array.from({ length: head.dv }, (_, r) => {
      const sum = dot(asked, S.map((row) => row[r]));
      if (!head.normalised) return sum;
      return divisor.zero ? ZERO : sum.div(divisor).floorTo(model.grain);
    });
  });
}
function runDelta(head, { q, k, v, x }, model, [, stop], heard) {
  const clipped = (W, b, stream) => {
    const [number] = sized(addVectors(multiply(W, stream), multiply(b, [ONE])), model);
    return qmin(ONE, relu(number));
  };
  let S = Array.from({ length: head.dk }, () => Array(head.dv).fill(ZERO));
  return q.map((query, t) => {
    const alpha = clipped(head.W_A, head.b_A, x[t]), beta = clipped(head.W_B, head.b_B, x[t]);
    const held = Array.from({ length: head.dv }, (_, r) => dot(k[t], S.map((row) => row[r])));  // kᵀS
    S = S.map((row, a) => sized(row.map((number, r) =>
      alpha.mul(number.sub(beta.mul(k[t][a]).mul(held[r]))).add(beta.mul(k[t][a]).mul(v[t][r]))), model));
    if (t === stop - 1) heard.push(...S.flat());
    return Array.from({ length: head.dv }, (_, r) => dot(query, S.map((row) => row[r])));
  });
}
const RUNS = { full: runFull, sparse: runSparse, linear: runLinear, delta: runDelta };

// What each token says, and what each head hears of the tokens start … stop−1.
function runModel(model, ids, differ) {
  let x = ids.map((id, t) => sized(addVectors(tableRow(model.positions, BigInt(t), model.d), tableRow(model.tokens, id, model.d)), model));
  const heard = [];
  for (const { heads, mlps } of model.layers) {
    let next = x;
    for (const head of heads) {
      const seen = [];
      const project = (W, b) => x.map((stream) => sized(b ? addVectors(multiply(W, stream), multiply(b, [ONE])) : multiply(W, stream), model));
      const parts = { q: project(head.W_Q, head.b_Q), k: project(head.W_K, head.b_K), v: project(head.W_V), x };
      const outputs = RUNS[head.type](head, parts, model, differ, seen);
      next = next.map((stream, t) => addVectors(stream, multiply(head.W_O, outputs[t])));
      heard.push(seen);
    }
    x = next.map((stream) => sized(stream, model));
    for (const mlp of mlps) {
      x = x.map((stream) => {
        const hidden = sized(addVectors(multiply(mlp.W_1, stream), multiply(mlp.b_1, [ONE])), model);
        return sized(addVectors(stream, addVectors(multiply(mlp.W_2, hidden.map(relu)), multiply(mlp.b_2, [ONE]))), model);
      });
    }
  }
  const says = (stream) => {
    let best = 0n, largest = null;
    for (let v = 0n; v < model.unembedding.rows; v += 1n) {
      const logit = dot(tableRow(model.unembedding, v, model.d), stream);
      if (largest === null || largest.lt(logit)) { largest = logit; best = v; }
    }
    return best;
  };
  return { says: (t) => says(x[t]), heard };
}

// --------------------------------------------------------------------------------------------------------------- pairs

const PAIR_KEYS = ["word", "differ", "a", "b", "expected_a", "expected_b", "output_a", "output_b", "transcript"];

function checkPair(claim, value) {
  const fields = keyed(claim, PAIR_KEYS, "the claim");
  const { model } = readModel(value, [], 1n << 14n);
  const { task, layers } = model;
  within(model.unembedding.rows, 1n << 20n, "answers");
  shaped(!model.both && task.thoughts === null, "pairs are for causal attention without thoughts");
  const types = layers.flatMap((layer) => layer.heads.map((head) => head.type));
  shaped(!types.includes("sparse") || (layers.length === 1 && model.word === "S"), "sparse heads beside other layers");
  for (const { heads } of layers) for (const head of heads) within(head.dk * head.dv, 1 << 22, "numbers of one state");
  const inputs = [readInput(fields.a, task), readInput(fields.b, task)];
  const length = inputs[0].prompt.length;
  const ends = list(fields.differ, 2).map((place) => integer(place));
  shaped(ends[0] < ends[1] && ends[1] < BigInt(length), "a part that is empty or includes the last token");
  const differ = ends.map(asIndex), [start, stop] = differ;
  const outputs = [fields.output_a, fields.output_b].map((output) => list(output).map((id) => integer(id)));
  for (const output of outputs) {
    shaped(output.length >= 1, "no output");
    within(output.length, 256, "generated tokens");
    shaped(output.length === 1 || !types.includes("sparse"), "a sparse layer generates one token");
    shaped(BigInt(length + output.length - 1) <= model.positions.rows, "more tokens than positions");
    shaped(output.length === 1 || model.unembedding.rows <= model.tokens.rows, "an answer that is no token");
  }
  shaped(model.positions.rows >= task.tokens && model.tokens.rows >= task.ids && model.unembedding.rows >= task.answers, "a row table that is too short");
  const expected = [integer(fields.expected_a), integer(fields.expected_b)];
  const transcript = list(fields.transcript).map((entry) => {
    const { layer, head, numbers } = keyed(entry, ["layer", "head", "numbers"], "an entry of the transcript");
    return { layer: integer(layer), head: integer(head), numbers: list(numbers).map(number) };
  });
  require(string(fields.word, 2000) === model.word, "the model has another word");
  const [a, b] = inputs;
  require(a.prompt.every((id, t) => id === b.prompt[t] || (start <= t && t < stop)), "the inputs differ elsewhere");
  require(String(outputs[0]) === String(outputs[1]), "the outputs differ");
  require(outputs[0].every((id) => id < model.unembedding.rows), "an output that is no answer");
  inputs.forEach((input, i) => require(input.answer === expected[i], "another answer is right"));
  require(a.answer !== b.answer, "both inputs have the same right answer");
  const places = layers.flatMap((layer, l) => layer.heads.map((_, h) => [BigInt(l + 1), BigInt(h)]));
  require(places.length === transcript.length, "the transcript has an entry for each head");
  require(places.every(([l, h], i) => transcript[i].layer === l && transcript[i].head === h), "the transcript names other heads");
  for (const input of inputs) {
    const { says, heard } = runModel(model, [...input.prompt, ...outputs[0].slice(0, -1)], differ);
    heard.forEach((numbers, i) => {
      const claimed = transcript[i].numbers;
      require(claimed.length === numbers.length && numbers.every((n, j) => n.eq(claimed[j])), "a head hears other numbers");
    });
    outputs[0].forEach((id, i) => require(says(length - 1 + i) === id, "the model says another token"));
  }
  return "two inputs with different right answers, which this model answers alike";
}

const MAP_KEYS = ["modulus", "block", "open", "blocks", "x", "a", "b", "expected_a", "expected_b", "opened", "swaps"];

function checkMapPair(claim, map) {
  const fields = keyed(claim, MAP_KEYS, "the claim");
  const M = integer(fields.modulus, 3n), B = integer(fields.block, 1n), k = integer(fields.open), g = integer(fields.blocks, 1n);
  shaped(M % 2n === 1n, "an even modulus");
  within(g * B, 1n << 22n, "tokens of a map");
  const x = integer(fields.x, 1n), size = asIndex(B);
  const tokens = (values, length) => list(values, length).map((value) => {
    const id = integer(value, 1n);
    shaped(id < M, "a number that is not below the modulus");
    return id;
  });
  const block = (value) => { const id = integer(value); shaped(id < g, "no such block"); return id; };
  const a = tokens(fields.a, g * B + 1n), b = tokens(fields.b, g * B + 1n);
  const opened = list(fields.opened).map(block);
  const swaps = list(fields.swaps).map((swap) => {
    const entry = keyed(swap, ["block", "with"], "a swap");
    return { block: block(entry.block), with: tokens(entry.with, B) };
  });
  const expected = [integer(fields.expected_a), integer(fields.expected_b)];
  const summary = readMap(map, M, B, g);
  const part = (input, place) => input.slice(asIndex(place) * size, (asIndex(place) + 1) * size);
  require(x < M && a.at(-1) === M - x, "the last number of a is not M − x");
  require(!a.includes(x), "x is in a");
  require(new Set(swaps.map((swap) => swap.block)).size === swaps.length, "a block is swapped twice");
  for (const swap of swaps) {
    require(swap.with.includes(x), "a swap without x");
    require(summary(swap.block, swap.with) === summary(swap.block, part(a, swap.block)), "a swap with another summary");
  }
  require(BigInt(swaps.length) > k, "too few swaps");
  require(opened.every((id, i) => i === 0 || opened[i - 1] < id) && BigInt(opened.length) <= k, "opened is not increasing, or too long");
  const swapped = (swap) => [...a.slice(0, asIndex(swap.block) * size), ...swap.with, ...a.slice((asIndex(swap.block) + 1) * size)];
  require(swaps.some((swap) => !opened.includes(swap.block) && String(swapped(swap)) === String(b)), "b is not a with an unopened block swapped");
  require(expected[0] === 0n && expected[1] === 1n, "other answers are right");
  return "two inputs with different right answers, alike for every sparse layer that compresses blocks by this map";
}
// summary(place, block) as a string
function readMap(map, M, B, g) {
  shaped(map instanceof Map, "no map");
  if (map.get("type") === "table") {
    within(B * BigInt(bitlength(M - 1n)), 40n, "bits of a block");
    const rows = (M - 1n) ** B;
    within(rows * g, 1n << 22n, "summaries");
    const tables = list(keyed(map, ["type", "tables"], "the map").tables, g).map((table) => list(table, rows).map((entry) => integer(entry)));
    return (place, block) => String(tables[asIndex(place)][asIndex(block.reduce((row, id) => row * (M - 1n) + id - 1n, 0n))]);
  }
  const fields = keyed(map, ["type", "modulus", "rows"], "the map");
  shaped(fields.type === "linear", "an unknown type of map");
  const q = integer(fields.modulus, 1n);
  const small = (value) => { shaped(typeof value === "bigint" && absolute(value) <= SAFE, "no integer up to 2^53"); return value; };
  const places = list(fields.rows, g).map((rows) => list(rows).map((row) => list(row, B).map(small)));
  return (place, block) => places[asIndex(place)].map((row) => {
    const sum = total(row.map((coefficient, j) => coefficient * block[j]));
    return ((sum % q) + q) % q;
  }).join(",");
}

// ------------------------------------------------------------------------------------- constructions: kinds and groups

const variable = (name, size) => ({ name, size });
function bitNames({ name, size: values }) {
  const length = bitlength(values - 1n);
  spend(4 + 4 * length);
  return Array.from({ length }, (_, j) => `${name}.${j}`);
}
const bitsOfAll = (variables) => variables.flatMap(bitNames);
const namesOf = (kind) => kind.names ?? kind.address;  // what tells its tokens apart

// {kinds, groups, globals}: what the page's tables of the task say.
function layout(model) {
  if (model.task.task === "look_ups") return lookUpLayout(model);
  return model.task.task === "two_sum" ? twoSumLayout(model) : funcCompLayout(model);
}
function lookUpLayout({ task }) {
  task.kinds.at(-1).emits = 0;
  return { kinds: task.kinds, groups: [{ first: 0n, spelled: [task.answer] }], globals: [], rows: [task.tokens, task.ids, task.answers] };
}
function twoSumLayout({ task, layers }) {
  const x = variable("x", task.modulus), y = variable("y", task.modulus), position = variable("position", task.length);
  const seen = layers.flatMap((layer, l) => layer.heads.map((_, h) => variable(`seen ${l + 1}/${h}`, 2n)));
  const kind = { name: "x", index: 0, count: task.length, first: 0n, address: [position], spelled: [x], firstId: 0n, mirror: y,
    own: [position, x, y, ...seen], emits: null, table: 0 };
  return { kinds: [kind], groups: [{ first: 0n, spelled: [variable("answer", 2n)] }], globals: [], rows: [task.length, task.modulus, 2n] };
}
function funcCompLayout({ task, both }) {
  const { m, n, L, N, W, thoughts } = task;
  within(bitlength(N.at(-1)) * (both ? L * L : L), 1 << 20, "bits of N times tables");
  const w = n.map((size, l) => variable(`w${l + 1}`, size));
  const hops = [variable("i0", m), ...N.map((size, l) => variable(`i${l + 1}`, size))];
  const kinds = [];
  const add = (kind) => kinds.push({ index: kinds.length, address: [], mirror: null, emits: null, table: 0, later: [], ...kind });
  for (let l = L; l >= 1; l -= 1) {
    const index = variable("index", l === 1 ? m : N[l - 2]);
    const later = both ? Array.from({ length: L - l }, (_, e) => variable(`h${l + 1 + e}`, N[l + e])) : [];
    add({ name: `table ${l}`, count: N[l - 1], address: l === 1 ? [index] : [variable("digit", n[l - 2]), index],
      spelled: [variable("value", N[l - 1])], firstId: 0n, table: l, later });
  }
  add({ name: "z0", count: 1n, spelled: [hops[0]], firstId: 0n });
  add({ name: "w", count: 1n, spelled: w, firstId: N.at(-1) });
  const groups = [{ first: 0n, spelled: [hops[L]] }];
  let ids = task.ids;
  const group = (name, spelled) => {
    groups.push({ name, first: ids, spelled });
    ids += product(spelled.map((part) => part.size));
  };
  if (thoughts !== null) groups.push({ first: N.at(-1), spelled: w });
  if (thoughts === "hops") for (let l = 1; l <= L; l += 1) group(`hop ${l}`, [hops[l]]);
  if (thoughts === "addresses") for (let l = 2; l <= L; l += 1) group(`address ${l}`, [w[l - 2], hops[l - 1]]);
  if (thoughts === "records") for (let l = 0; l <= L; l += 1) group(`record ${l}`, [...w, hops[l]]);
  const emitted = thoughts === null ? [0] : groups.slice(2).map((_, i) => i + 2);
  if (thoughts === "addresses") emitted.push(0);
  kinds.at(-1).emits = emitted[0];
  emitted.slice(0, -1).forEach((index, i) => {
    const { name, spelled, first } = groups[index];
    add({ name, count: 1n, spelled, firstId: first, emits: emitted[i + 1] });
  });
  let first = 0n;
  for (const kind of kinds) {
    kind.first = first;
    first += kind.count;
    kind.own = [...kind.address, ...kind.spelled, ...kind.later];
  }
  return { kinds, groups, globals: [...w, ...hops], rows: [first, ids, thoughts === null ? N.at(-1) : ids] };
}

// Facts: what a reader of kind K knows of one token of kind T; each a Map from T's own bits to the reader's.
function facts(K, T, { task, both }) {
  if (task.task === "two_sum") return [];
  if (task.task === "look_ups") {
    return task.finds.filter(({ reader, kind }) => reader.index === K.index && kind.index === T.index).map(({ at, told }) => {
      const pairs = [...T.names.map((part, i) => [part, at[i].name]),
        ...told.map(([a, b]) => [T.own.find((part) => part.name === a), b])];
      return new Map(pairs.flatMap(([part, name]) => bitNames(part).map((bit, j) => [bit, `${name}.${j}`])));
    });
  }
  if (!both && !(T.index < K.index || (T.index === K.index && T.count === 1n))) return [];
  if (T.table === 0) return [new Map()];
  const l = T.table;
  const fact = (pairs) => {
    const names = new Map();
    for (const own of T.own) bitNames(own).forEach((bit, j) => names.set(bit, `${pairs[own.name]}.${j}`));
    return names;
  };
  const common = { digit: `w${l - 1}` };
  const globally = { ...common, index: `i${l - 1}`, value: `i${l}` }, ofReader = { ...common, value: `h${l}` };
  ofReader.index = l - 1 === K.table ? "value" : `h${l - 1}`;
  for (const { name } of T.later) {
    globally[name] = `i${name.slice(1)}`;
    ofReader[name] = name;
  }
  return both && K.table > 0 && K.table < l ? [fact(globally), fact(ofReader)] : [fact(globally)];
}

// {l, j, q} if the symbol is a bit of `iℓ at j mod q`: what table ℓ says at (w_{ℓ-1}, x), x being i_{ℓ-1} with j for its
// last log2 q bits, which must be an index whatever i_{ℓ-1} is; else null.
function supposed(symbol, { L, N }) {
  const found = /^i([0-9]{1,3}) at ([0-9]{1,5}) mod ([0-9]{1,5})\.([0-9]{1,5})$/.exec(symbol);
  if (found === null || N === undefined) return null;
  const [l, j, q, place] = found.slice(1).map((digits) => asIndex(BigInt(digits)));
  if (symbol !== `i${l} at ${j} mod ${q}.${place}` || l < 2 || l > L || q < 2 || q > WIDTH_MOST || (q & (q - 1)) !== 0) return null;
  const size = N[l - 2], divides = size % BigInt(q) === 0n && j < q;
  const all = BigInt(q) === 1n << BigInt(bitlength(size - 1n)) && BigInt(j) < size;
  return (divides || all) && place < bitlength(N[l - 1] - 1n) ? { l, j, q, values: asIndex(least(size, BigInt(q))) } : null;
}
const codeOf = (j, q) => Array.from({ length: bitlength(BigInt(q)) - 1 }, (_, k) => ((j >> k) & 1 ? ONE : ONE.neg()));
// The fact that a query asks for which has constants in place of the last bits of the index; null if it has none.
function suppose(T, fact, table, task) {
  if (!(T.table >= 2)) return null;
  const bits = bitNames(T.address.at(-1)), asksConstant = (bit) => [...columnOf(table, bit).keys()].join() === "1";
  let fixed = bits.findIndex((bit) => !asksConstant(bit));
  if (fixed < 0) fixed = bits.length;
  if (fixed > 14 || bits.slice(fixed).some(asksConstant)) return null;
  const j = bits.slice(0, fixed).reduce((sum, bit, k) => sum + (columnOf(table, bit).get("1").sign > 0 ? 1 << k : 0), 0);
  const name = `i${T.table} at ${j} mod ${1 << fixed}`;
  if (supposed(`${name}.0`, task) === null) return null;
  const told = bitNames(T.spelled[0]).map((bit, k) => [bit, `${name}.${k}`]);
  return new Map([...bitsOfAll(T.address).filter((bit) => !bits.slice(0, fixed).includes(bit)).map((bit) => [bit, fact.get(bit)]), ...told]);
}

// --------------------------------------------------------------------------------------------------- symbols and forms

// A form is a Map from symbols to coefficients that are not 0. Names of noise symbols begin with "~".
class Symbols {
  constructor() { this.radii = new Map(); this.searches = new Map(); this.copies = new Map(); }
  fresh(radius) {
    const symbol = `~${this.radii.size}`;
    this.radii.set(symbol, radius);
    return symbol;
  }
  radius(symbol) { return this.radii.get(symbol) ?? ONE; }
}
const isNoise = (symbol) => symbol[0] === "~";
const isBit = (symbol) => symbol !== "1" && !isNoise(symbol);
const coefficient = (form, symbol) => form.get(symbol) ?? ZERO;
function addTo(form, symbol, amount) {
  const sum = coefficient(form, symbol).add(amount);
  if (sum.zero) form.delete(symbol);
  else form.set(symbol, sum);
}
function addScaled(form, other, scale) {
  if (!scale.zero) for (const [symbol, amount] of other) addTo(form, symbol, amount.mul(scale));
  return form;
}
const formSum = (a, b) => addScaled(new Map(a), b, ONE);
const constant = (number) => (number.zero ? new Map() : new Map([["1", number]]));
const noiseOf = (symbols, radius) => (radius.zero ? new Map() : new Map([[symbols.fresh(radius), ONE]]));
function spread(form, symbols) {  // Σ_{s≠1} |c_s|·radius_s
  let sum = ZERO;
  for (const [symbol, amount] of form) if (symbol !== "1") sum = sum.add(amount.abs().mul(symbols.radius(symbol)));
  return sum;
}
const reach = (form, symbols) => spread(form, symbols).add(coefficient(form, "1").abs());
function range(form, symbols) {
  const middle = coefficient(form, "1"), half = spread(form, symbols);
  return [middle.sub(half), middle.add(half)];
}
const hull = (ranges) => [ranges.map(([low]) => low).reduce(qmin), ranges.map(([, high]) => high).reduce(qmax)];
function apply(matrix, forms, bias = null) {
  spend(4 * matrix.rows);
  const result = Array.from({ length: matrix.rows }, () => new Map());
  for (const [row, entries] of matrix.at) for (const [column, amount] of entries) addScaled(result[row], forms[column], amount);
  if (bias) for (const [row, [[, amount]]] of bias.at) addTo(result[row], "1", amount);
  return result;
}
// M[b][a] = Σ_r q_r[a]·k_r[b], as a Map from b to forms in the query's symbols
function scoreTable(q, k) {
  const table = new Map();
  k.forEach((key, r) => {
    for (const [b, amount] of key) {
      if (!table.has(b)) table.set(b, new Map());
      addScaled(table.get(b), q[r], amount);
    }
  });
  for (const [b, column] of table) if (column.size === 0) table.delete(b);
  return table;
}
const columnOf = (table, b) => table.get(b) ?? new Map();
function top(table, symbols, without = new Set()) {
  let sum = coefficient(columnOf(table, "1"), "1");
  for (const [b, column] of table) {
    if (without.has(b)) continue;
    sum = sum.add(b === "1" ? spread(column, symbols) : reach(column, symbols).mul(symbols.radius(b)));
  }
  return sum;
}
function checkSize(forms, { model, symbols }, what) {  // P8
  forms.forEach((form, index) => {
    part = { what, index };
    require(reach(form, symbols).le(model.size), `P8: ${what} above 2^(p−f)`);
  });
  part = null;
  return forms;
}

// ------------------------------------------------------------------------------------------------------ P1: embeddings

// The rows of a table from `first` on, over the variables, as forms of their bits; mirror: {variable, claimed forms}.
function rowForms(table, first, variables, mirror, d) {
  return table.stored ? storedForms(table, first, variables, mirror, d) : declaredForms(table, first, variables, mirror, d);
}
function evaluate(form, values) {
  let sum = ZERO;
  for (const [symbol, amount] of form) sum = sum.add(amount.mul(values.get(symbol)));
  return sum;
}
function assignment(variables, numbers) {
  const values = new Map([["1", ONE]]);
  variables.forEach((part, i) => bitNames(part).forEach((name, j) => values.set(name, (numbers[i] >> BigInt(j)) & 1n ? ONE : ONE.neg())));
  return values;
}
function storedForms(table, first, variables, mirror, d) {
  const count = product(variables.map((part) => part.size));
  if (mirror) {
    const parts = [variables[0], mirror.variable], allowed = new Set(["1", ...bitsOfAll(parts)]);
    require(mirror.claimed.every((form) => [...form.keys()].every((symbol) => allowed.has(symbol))), "P1: forms of tokens in other symbols");
    for (let x = 1n; x < count; x += 1n) {
      const values = assignment(parts, [x, count - x]), row = tableRow(table, first + x, d);
      require(mirror.claimed.every((form, r) => evaluate(form, values).eq(row[r])), "P1: a row is not what the invariant says");
    }
    return mirror.claimed;
  }
  const base = tableRow(table, first, d), forms = base.map(constant), steps = [];
  let stride = count;
  for (const part of variables) {
    stride /= part.size;
    bitNames(part).forEach((name, j) => {
      const row = tableRow(table, first + (stride << BigInt(j)), d);
      steps.push(row.map((number, r) => number.sub(base[r])));
      steps.at(-1).forEach((step, r) => { addTo(forms[r], "1", step.half()); addTo(forms[r], name, step.half()); });
    });
  }
  for (let x = 0n; x < count; x += 1n) {
    let rest = x;
    const numbers = variables.slice().reverse().map((part) => { const digit = rest % part.size; rest /= part.size; return digit; }).reverse();
    const values = assignment(variables, numbers), row = tableRow(table, first + x, d);
    require(forms.every((form, r) => evaluate(form, values).eq(row[r])), "P1: stored rows that are not affine in the bits");
  }
  return forms;
}
function declaredForms(table, first, variables, mirror, d) {
  const segment = table.segments.find(({ start }) => start === first);
  require(segment !== undefined, "P1: no segment starts at the first row");
  const radices = segment.radices.filter((radix) => radix > 1n), parts = variables.filter((part) => part.size > 1n);
  let columns;
  if (radices.length === parts.length && radices.every((radix, i) => radix === parts[i].size)) {
    columns = bitsOfAll(parts);
    if (segment.mirrored) {
      require(mirror !== null, "P1: a mirrored segment, and no mirror variable");
      columns.push(...bitNames(mirror.variable));
    }
  } else {
    const fits = radices.length === 1 && !segment.mirrored && parts.length <= 1 && radices[0] >= (parts[0]?.size ?? 1n);
    require(fits, "P1: the radices of a segment are not the sizes of the variables");
    const names = bitsOfAll(parts);
    columns = Array.from({ length: bitlength(radices[0] - 1n) }, (_, j) => names[j] ?? null);
  }
  const symbols = [constant(ONE), ...columns.map((name) => (name === null ? constant(ONE.neg()) : new Map([[name, ONE]])))];
  return apply(segment.matrix, symbols);
}
function embedding(kind, { model }, claimed) {
  const positions = rowForms(model.positions, kind.first, kind.address, null, model.d);
  const bare = claimed.map((form) => new Map([...form].filter(([symbol]) => !isNoise(symbol))));
  const mirror = kind.mirror && { variable: kind.mirror, claimed: bare.map((form, r) => addScaled(form, positions[r], ONE.neg())) };
  const tokens = rowForms(model.tokens, kind.firstId, kind.spelled, mirror, model.d);
  return positions.map((form, r) => formSum(form, tokens[r]));
}

// ------------------------------------------------------------------------------------------ attention: P3 to P5 and P11

// v_T renamed by a fact: mapped and global bits stay bits, every other symbol becomes fresh noise, shared by coordinates.
function renamed(forms, fact, { symbols, globalBits, model }) {
  const fresh = new Map();
  const rename = (symbol) => {
    if (symbol === "1") return symbol;
    if (fact.has(symbol)) return fact.get(symbol);
    if (globalBits.has(symbol) || supposed(symbol, model.task) !== null) return symbol;
    if (!fresh.has(symbol)) fresh.set(symbol, symbols.fresh(symbols.radius(symbol)));
    return fresh.get(symbol);
  };
  return forms.map((form) => {
    const result = new Map();
    for (const [symbol, amount] of form) addTo(result, rename(symbol), amount);
    return result;
  });
}
const visible = (K, { kinds, model }) => (model.both ? kinds : kinds.slice(0, K.index + 1));
const upper = (x) => exponential(x)[1];
const short = (number) => number.ceilTo(powerOfTwo(-256n));  // a bound on the same side that does not grow with its factors

function checkShift(head, parts, K, context) {  // P3
  const { symbols } = context, { q } = parts[K.index];
  for (const J of visible(K, context)) {
    place = `${place.split(",")[0]}, ${K.name}`;
    const { k } = parts[J.index];
    const byReach = qsum(q.map((form, r) => reach(form, symbols).mul(reach(k[r], symbols))));
    require(qmin(top(scoreTable(q, k), symbols), byReach).le(head.shift), "P3: a score above the shift");
  }
}
// The offset of a sparse head: its summaries are the tokens at this place of their blocks. Without coordinates, any is.
function offsetOf(head) {
  let offset = null;
  for (const { rows, at } of [head.C_K, head.C_V]) for (let r = 0; r < rows; r += 1) {
    const [[coordinate, amount, place] = [], ...others] = at.get(r) ?? [];
    require(others.length === 0 && coordinate === r && amount.eq(ONE) && place === (offset ?? place), "P3: a summary that is not one token of its block");
    offset = place;
  }
  return offset ?? 0n;
}
function shownNumber({ n, d }) {  // rounded up to millionths
  const millionths = -floorDivide(-n * 1000000n, d), digits = `${millionths % 1000000n}`.padStart(6, "0").replace(/0+$/, "");
  return `${millionths / 1000000n}${digits && "."}${digits}`;
}
const roundedUp = (number, { model }) => number.ceilTo(powerOfTwo(-most(32n, model.f + 8n)));

function lookUps(head, parts, K, context) {  // P4
  const { model, symbols } = context, seen = visible(K, context), { q } = parts[K.index];
  const widths = Array.from({ length: head.dv }, (_, r) => {
    const [low, high] = hull(seen.map((J) => range(parts[J.index].v[r], symbols)));
    return high.sub(low);
  });
  const found = [];
  for (const T of seen) {
    const known = facts(K, T, model);
    const constants = known.length > 0 ? suppose(T, known[0], scoreTable(q, parts[T.index].k), model.task) : null;
    for (const fact of constants === null ? known : [...known, constants]) {
      const lambda = lookUpWeight(head, parts, K, T, fact, context, q, seen);
      if (lambda === null) continue;
      const share = lambda.div(ONE.add(lambda));
      const forms = renamed(parts[T.index].v, fact, context).map((form, r) =>
        formSum(form, noiseOf(symbols, roundedUp(widths[r].mul(share), context).add(model.grain))));
      passed(`P4: the match outweighs all other keys of ${T.name}, leak at most ${shownNumber(lambda)}`);
      found.push({ lambda, forms });
    }
  }
  return found.sort((a, b) => a.lambda.cmp(b.lambda)).map(({ forms }) => forms);
}
// λ, an upper bound of what all other tokens weigh against the match; null if the rule does not apply.
function lookUpWeight(head, parts, K, T, fact, { model, symbols }, q, seen) {
  const bits = bitsOfAll(namesOf(T)), allowed = new Set(["1", ...bits]), { k } = parts[T.index];
  const table = scoreTable(q, k), taus = [];
  if ([...table].some(([symbol, column]) => column.size > 0 && !allowed.has(symbol))) return null;
  for (const bit of bits) {
    const column = columnOf(table, bit), named = fact.has(bit);  // else it meets the query's constant, of either sign
    const tau = named ? coefficient(column, fact.get(bit)) : coefficient(column, "1").abs();
    if (column.size !== 1 || tau.sign <= 0) return null;
    taus.push(tau);
  }
  const ones = columnOf(table, "1");
  if ([...ones.keys()].some(isBit)) return null;
  const sigma = qsum(taus).add(coefficient(ones, "1")), rho = spread(ones, symbols), twice = rho.mul(TWO);
  if (EXPONENT_MOST.lt(twice)) return null;
  const odds = (exponents) => exponents.reduce((p, e) => short(p.mul(ONE.add(upper(e.mul(TWO).neg())))), ONE);
  let lambda = ZERO;
  if (bits.length > 0) {
    const nearest = upper(taus.reduce(qmin).mul(TWO).neg());
    lambda = qmin(odds(taus), ONE.add(new Q(T.count - 1n, 1n).mul(nearest))).sub(ONE).mul(upper(twice));
  }
  for (const J of seen) {
    if (J === T) continue;
    const other = scoreTable(q, parts[J.index].k), address = bitsOfAll(namesOf(J));
    const heights = address.map((bit) => reach(columnOf(other, bit), symbols));
    const exponent = rho.sub(sigma).add(top(other, symbols, new Set(address))).add(qsum(heights));
    if (EXPONENT_MOST.lt(exponent)) return null;
    lambda = lambda.add(upper(exponent).mul(qmin(odds(heights), new Q(J.count, 1n))));
  }
  if (rho.zero && sigma.eq(head.shift)) return short(lambda);
  const match = exponential(sigma.sub(rho).sub(head.shift))[0].mul(powerOfTwo(model.P)).floor();
  return match >= 1n ? short(lambda.mul(ONE.add(Q.of(1n, match)))) : null;
}
function hullForms(values, length, { model, symbols }) {  // P5, of lists of value forms
  return Array.from({ length }, (_, r) => {
    const [low, high] = hull(values.map((v) => range(v[r], symbols)));
    const from = qmin(ZERO, low).floorTo(model.grain), to = qmax(ZERO, high);
    return formSum(constant(from.add(to).half()), noiseOf(symbols, to.sub(from).half()));
  });
}
function search(head, parts, layer, place, context) {  // P11; null if it does not apply
  const { model, symbols, kinds: [kind] } = context;
  if (model.task.task !== "two_sum") return null;
  const { q, k, v } = parts[0], xs = bitNames(kind.spelled[0]), ys = bitNames(kind.mirror), b = xs.length;
  const table = scoreTable(q, k), taus = xs.map((bit, j) => coefficient(columnOf(table, bit), ys[j]));
  if (taus.some((tau, j) => tau.sign <= 0 || columnOf(table, xs[j]).size !== 1)) return null;
  const ones = columnOf(table, "1");
  if ([...table.keys()].some((symbol) => symbol !== "1" && !xs.includes(symbol)) || [...ones.keys()].some((symbol) => symbol !== "1")) return null;
  if (head.dv !== b || !coefficient(ones, "1").add(qsum(taus)).eq(head.shift)) return null;
  const copied = v.map((form) => (form.size === 1 ? xs.findIndex((bit) => coefficient(form, bit).eq(ONE)) : -1));
  if (copied.includes(-1) || new Set(copied).size !== b) return null;
  const n = model.task.length, B = head.block ?? 1n;
  const rivals = head.type === "full" ? n : (n + B - 1n) / B - 1n + B * (head.opened + 1n);
  const lambda = new Q(rivals - 1n, 1n).mul(upper(taus.reduce(qmin).mul(TWO).neg()));
  const lost = roundedUp(lambda.mul(TWO).div(ONE.add(lambda)), context);
  const found = { seen: `seen ${layer}/${place}.0`, products: [], least: ONE.sub(lost).sub(model.grain),
    sum: new Q(BigInt(b) - 2n, 1n).add(new Q(BigInt(b), 1n).mul(model.grain)) };
  return copied.map((j) => {
    const output = symbols.fresh(ONE), times = symbols.fresh(ONE);
    symbols.copies.set(output, { bit: ys[j], product: times });
    symbols.searches.set(times, { found, output, bit: ys[j] });
    found.products.push(times);
    return new Map([[output, ONE]]);
  });
}
// The range of c_1 + Σ c_r·p_r, if the search finds something (seen) or not.
function searchRange(form, found, seen) {
  const highest = (sign) => {
    const c = found.products.map((symbol) => coefficient(form, symbol).mul(sign));
    const start = coefficient(form, "1").mul(sign);
    if (seen) return start.add(qsum(c.map((amount) => qmax(amount, amount.mul(found.least)))));
    const a = qmax(ZERO, c.reduce(qmin));
    const plainly = qsum(c.map((amount) => amount.abs()));
    return start.add(qmin(plainly, a.mul(found.sum).add(qsum(c.map((amount) => amount.sub(a).abs())))));
  };
  return [highest(ONE.neg()).neg(), highest(ONE)];
}

// ----------------------------------------------------------------------------------- linear attention, the delta rule

// relu(form) as a feature: {height, signs: Map bit → ±1, or null if it is only some number in [0, height]}
function featureOf(form, symbols) {
  const [, high] = range(form, symbols), bits = [...form].filter(([symbol]) => isBit(symbol));
  if (high.sign <= 0) return { height: ZERO, signs: null };
  const noisy = [...form.keys()].some(isNoise);
  const peaked = !noisy && bits.every(([, amount]) => high.le(amount.abs().mul(TWO)));
  return { height: high, signs: peaked ? new Map(bits.map(([bit, amount]) => [bit, amount.sign])) : null };
}
// For each kind the features of q and k.
function features(head, parts, { symbols, kinds }) {
  if (head.type === "linear") return parts.map(({ q, k }) => ({ q: q.map((form) => featureOf(form, symbols)), k: k.map((form) => featureOf(form, symbols)) }));
  const written = [];  // P10
  return parts.map(({ q, k, alpha, beta }, index) => {
    require(ONE.le(range(alpha, symbols)[0]), "P10: α may be below 1");
    const [low, high] = range(beta, symbols), writes = high.sign > 0;
    if (writes) {
      require(kinds[index].count === 1n && ONE.le(low), "P10: a kind that writes has several tokens, or β below 1");
      require(k.every((form) => [...form.keys()].every((symbol) => symbol === "1")), "P10: a key that is not constant");
      const key = k.map((form) => coefficient(form, "1"));
      require(key.every((number) => number.sign >= 0) && dot(key, key).eq(ONE), "P10: a key that is no unit vector");
      require(written.every((other) => dot(key, other).zero), "P10: keys that are not orthogonal");
      written.push(key);
    }
    const asked = q.map((form) => (range(form, symbols)[0].sign >= 0 ? featureOf(form, symbols) : { height: reach(form, symbols), signs: null }));
    return { q: asked, k: k.map((form) => (writes ? featureOf(form, symbols) : { height: ZERO, signs: null })) };
  });
}
const sameSigns = (signs, bits, names) =>
  signs !== null && signs.size === bits.length && bits.every((bit) => signs.has(names ? names.get(bit) : bit));

// g, if the features look up exactly the token of kind T that the fact is about, else null.
function lookedUp(q, k, T, fact) {
  const bits = bitsOfAll(namesOf(T)), sums = new Map();
  for (let a = 0; a < q.length; a += 1) {
    if (q[a].height.zero || k[a].height.zero) continue;
    if (!sameSigns(k[a].signs, bits, null) || !sameSigns(q[a].signs, bits, fact)) return null;
    if (bits.some((bit) => k[a].signs.get(bit) !== q[a].signs.get(fact.get(bit)))) return null;
    const pattern = bits.map((bit) => (k[a].signs.get(bit) > 0 ? 1 : 0)).join("");
    sums.set(pattern, (sums.get(pattern) ?? ZERO).add(q[a].height.mul(k[a].height)));
  }
  const kept = [...sums].filter(([pattern]) => {
    let at = 0;
    return namesOf(T).every(({ size }) => {
      let digit = 0n;
      bitNames({ name: "", size }).forEach((_, j) => { if (pattern[at + j] === "1") digit += 1n << BigInt(j); });
      at += bitlength(size - 1n);
      return digit < size;
    });
  });
  if (BigInt(kept.length) !== product(namesOf(T).map(({ size }) => size)) || kept.some(([, sum]) => !sum.eq(kept[0][1]))) return null;
  return kept[0][1];
}
function linearDescriptions(head, parts, sorted, K, context) {  // P9
  const { model, symbols } = context, seen = visible(K, context), { q } = sorted[K.index];
  const scoreOf = (J) => qsum(q.map((feature, a) => feature.height.mul(sorted[J.index].k[a].height)));
  const scores = seen.map(scoreOf), heard = seen.filter((_, i) => scores[i].sign > 0);
  const normalised = head.normalised ?? false;
  let choices = [];
  if (heard.length === 1 || (heard.length > 1 && !normalised)) {
    choices = [[]];
    for (const T of heard) {
      const options = facts(K, T, model).map((fact) => ({ T, fact, g: lookedUp(q, sorted[T.index].k, T, fact) })).filter(({ g }) => g !== null);
      choices = choices.flatMap((chosen) => options.map((option) => [...chosen, option]));
    }
  }
  const result = choices.map((chosen) => {
    const forms = Array.from({ length: head.dv }, () => (normalised ? noiseOf(symbols, model.grain) : new Map()));
    for (const { T, fact, g } of chosen) {
      renamed(parts[T.index].v, fact, context).forEach((form, r) => addScaled(forms[r], form, normalised ? ONE : g));
    }
    return forms;
  });
  if (normalised && heard.length > 0) result.push(hullForms(heard.map((J) => parts[J.index].v), head.dv, context));
  else {
    result.push(Array.from({ length: head.dv }, (_, r) => noiseOf(symbols,
      qsum(seen.map((J, i) => new Q(J.count, 1n).mul(scores[i]).mul(reach(parts[J.index].v[r], symbols)))))));
    checkSize(result[0], context, "the output of a head");
  }
  return result;
}
function step(form) {  // of a form without noise
  let start = coefficient(form, "1"), grain = ZERO;
  for (const [symbol, amount] of form) {
    if (symbol === "1") continue;
    start = start.sub(amount);
    grain = qgcd(grain, amount.mul(TWO));
  }
  return qgcd(grain, start);
}
// The states of a head are within size (P9); gives their bits, null if they are unknown.
function stateBits(head, parts, sorted, { model, symbols, kinds }, integral) {
  let bits = 0n;
  for (let a = 0; a < head.dk; a += 1) {
    for (let r = 0; r < head.dv + (head.normalised ? 1 : 0); r += 1) {
      let low = ZERO, high = ZERO, grain = ZERO, known = true;
      kinds.forEach((J, index) => {
        const { height, signs } = sorted[index].k[a];
        if (height.zero) return;
        const v = r < head.dv ? parts[index].v[r] : constant(ONE);
        const alone = signs !== null && bitsOfAll(namesOf(J)).every((bit) => signs.has(bit));
        const times = height.mul(alone ? ONE : new Q(J.count, 1n)), [from, to] = range(v, symbols);
        low = low.add(times.mul(qmin(ZERO, from)));
        high = high.add(times.mul(qmax(ZERO, to)));
        if ([...v.keys()].some(isNoise) || (v.size > 0 && signs === null)) {
          if (integral) grain = qgcd(grain, model.grain);
          else known = false;
        } else grain = qgcd(grain, height.mul(step(v)));
      });
      require(low.neg().le(model.size) && high.le(model.size), "P9: a state above 2^(p−f)");
      if (!known) bits = null;
      else if (bits !== null && !grain.zero) bits += BigInt(bitlength(high.sub(low).div(grain).floor()));
    }
  }
  return bits;
}

// --------------------------------------------------------------------------------------------------------- P6: the MLP

function withBit(form, bit, sign, symbols) {  // the form with this bit = sign
  const result = new Map();
  for (const [symbol, amount] of form) {
    const copy = symbols.copies.get(symbol);
    if (symbol === bit) addTo(result, "1", amount.mul(sign));
    else if (copy?.bit === bit) addTo(result, copy.product, amount.mul(sign));
    else addTo(result, symbol, amount);
  }
  return result;
}
const oneSign = ([low, high]) => low.sign >= 0 || high.sign <= 0;
const reluOf = (form, [low]) => (low.sign >= 0 ? form : new Map());

// {plain: form}, or {bit, cases: [relu for +1, relu for −1]}, or {bent: true}
function unit(h, symbols) {
  const all = range(h, symbols);
  if (oneSign(all)) return { plain: reluOf(h, all) };
  const bits = [...h.keys()].filter(isBit), noise = [...h.keys()].filter(isNoise);
  if (bits.length > 0) {
    const size = (bit) => coefficient(h, bit).abs();
    const bit = bits.reduce((a, b) => (size(a).cmp(size(b)) || (a < b ? 1 : -1)) > 0 ? a : b);
    const cases = [ONE, ONE.neg()].map((sign) => withBit(h, bit, sign, symbols)), ranges = cases.map((form) => range(form, symbols));
    if (ranges.every(oneSign)) return { bit, cases: cases.map((form, i) => reluOf(form, ranges[i])) };
    return { bent: true };
  }
  const searches = new Set(noise.map((symbol) => symbols.searches.get(symbol)?.found));
  const [found] = searches;
  if (searches.size === 1 && found) {
    const ranges = [searchRange(h, found, true), searchRange(h, found, false)];
    if (ranges.every(oneSign)) return { bit: found.seen, cases: ranges.map((bounds) => reluOf(h, bounds)) };
  }
  return { bent: true };
}
// {place, value}: a unit that selects is the value where i_{ℓ-1} is j modulo q, and 0 elsewhere; null for any other unit.
function selects(h, symbols, task) {
  spend(8 * h.size);
  const told = [...h.keys()].map((symbol) => [symbol, supposed(symbol, task)]).filter(([, at]) => at !== null);
  if (told.length === 0 || told.some(([, at]) => at.l !== told[0][1].l || at.j !== told[0][1].j || at.q !== told[0][1].q)) return null;
  const [, at] = told[0], signs = codeOf(at.j, at.q);
  const sizes = signs.map((sign, k) => coefficient(h, `i${at.l - 1}.${k}`).mul(sign));
  if (sizes.some((size) => size.sign <= 0) || h.size !== signs.length + told.length + (h.has("1") ? 1 : 0)) return null;
  const value = new Map(told.map(([symbol]) => [`i${at.l}.${symbol.slice(symbol.lastIndexOf(".") + 1)}`, h.get(symbol)]));
  addTo(value, "1", coefficient(h, "1").add(qsum(sizes)));
  const [low, high] = range(value, symbols);
  return low.sign >= 0 && high.le(sizes.reduce(qmin).mul(TWO)) ? { at, value } : null;
}
// Of units that select, for each ℓ and q: if those of every j add the same to the stream, those of j = 0 stand for all.
function selection(hidden, column, symbols, task) {
  const groups = new Map(), result = new Map();
  hidden.forEach((h, u) => {
    const found = selects(h, symbols, task);
    if (found === null) return;
    const key = `${found.at.l} ${found.at.q}`;
    if (!groups.has(key)) {
      spend(4 * found.at.values);
      groups.set(key, Array.from({ length: found.at.values }, () => []));
    }
    groups.get(key)[found.at.j].push([u, found.value]);
  });
  for (const cases of groups.values()) {
    const sums = cases.map((units) => {
      const rows = new Map();
      for (const [u, value] of units) for (const [row, amount] of column[u]) rows.set(row, addScaled(rows.get(row) ?? new Map(), value, amount));
      return rows;
    });
    const alike = (rows) => [...new Set([...rows.keys(), ...sums[0].keys()])].every((row) =>
      addScaled(new Map(rows.get(row) ?? []), sums[0].get(row) ?? new Map(), ONE.neg()).size === 0);
    if (sums.every(alike)) cases.forEach((units, j) => units.forEach(([u, value]) => result.set(u, { plain: j === 0 ? value : new Map() })));
  }
  return result;
}
function mlpStep(mlp, y, context) {
  const { symbols } = context;
  const hidden = checkSize(apply(mlp.W_1, y, mlp.b_1), context, "a unit of an MLP");
  const column = Array.from({ length: hidden.length }, () => []);  // of W_2
  for (const [row, entries] of mlp.W_2.at) for (const [u, amount] of entries) column[u].push([row, amount]);
  const selected = selection(hidden, column, symbols, context.model.task);
  const units = hidden.map((h, u) => selected.get(u) ?? unit(h, symbols));
  const result = y.map((form) => new Map(form));
  for (const [row, [[, amount]]] of mlp.b_2.at) addTo(result[row], "1", amount);
  const split = new Map(), groups = new Map();
  units.forEach((found, u) => {
    if (found.plain) for (const [row, amount] of column[u]) addScaled(result[row], found.plain, amount);
    else if (found.bit) {
      if (!split.has(found.bit)) split.set(found.bit, new Map());
      const sums = split.get(found.bit);  // row → the sums of both cases
      for (const [row, amount] of column[u]) {
        if (!sums.has(row)) sums.set(row, [new Map(), new Map()]);
        found.cases.forEach((form, i) => addScaled(sums.get(row)[i], form, amount));
      }
    } else bend(groups, hidden[u], column[u]);
  });
  for (const [bit, sums] of split) joinSplit(result, bit, sums, symbols);
  for (const group of groups.values()) addBent(result, group, symbols);
  return result;
}
function joinSplit(result, bit, sums, symbols) {
  const fresh = new Map();
  const times = (symbol) => {  // bit·symbol
    if (symbol === "1") return bit;
    const found = symbols.searches.get(symbol);
    if (found?.bit === bit) return found.output;
    if (!fresh.has(symbol)) fresh.set(symbol, symbols.fresh(symbols.radius(symbol)));
    return fresh.get(symbol);
  };
  for (const [r, [positive, negativeCase]] of [...sums].sort(([x], [y]) => x - y)) {
    const form = result[r];
    addScaled(form, positive, HALF);
    addScaled(form, negativeCase, HALF);
    const difference = addScaled(new Map(positive), negativeCase, ONE.neg());
    for (const [symbol, amount] of difference) addTo(form, times(symbol), amount.half());
  }
}
// A bent unit h = a + b·t joins the group of its t or of −t; the first unit of a group gives t, with b > 0.
function bend(groups, h, column) {
  const a = coefficient(h, "1"), rest = [...h].filter(([symbol]) => symbol !== "1").sort(([x], [y]) => (x < y ? -1 : 1));
  const b = qsum(rest.map(([, amount]) => amount.abs()));
  const keyOf = (divisor) => rest.map(([symbol, amount]) => `${symbol}*${amount.div(divisor)}`).join("+");
  const [key, opposite] = [keyOf(b), keyOf(b.neg())];
  if (groups.has(opposite)) groups.get(opposite).units.push({ a, b: b.neg(), column });
  else {
    if (!groups.has(key)) groups.set(key, { t: new Map(rest.map(([symbol, amount]) => [symbol, amount.div(b)])), units: [] });
    groups.get(key).units.push({ a, b, column });
  }
}
function addBent(result, { t, units }, symbols) {
  const end = reach(t, symbols), points = [end.neg(), end];
  for (const { a, b } of units) {
    const point = a.div(b).neg();
    spend(points.length);
    if (point.abs().lt(end) && !points.some((other) => other.eq(point))) points.push(point);
  }
  points.sort((x, y) => x.cmp(y));
  const rows = new Map();
  for (const { a, b, column } of units) for (const [row, amount] of column) {
    if (!rows.has(row)) rows.set(row, points.map(() => ZERO));
    points.forEach((point, i) => { rows.get(row)[i] = rows.get(row)[i].add(amount.mul(relu(a.add(b.mul(point))))); });
  }
  const shared = [];  // {deviation, symbol}
  for (const [row, values] of [...rows].sort(([x], [y]) => x - y)) {
    const slope = values.at(-1).sub(values[0]).div(end.mul(TWO)), from = values[0].add(slope.mul(end));
    if (values.every((value, i) => value.eq(from.add(slope.mul(points[i]))))) {
      addScaled(result[row], t, slope);
      addTo(result[row], "1", from);
      continue;
    }
    let best = null;
    for (const [symbol, amount] of t) {
      const c = coefficient(result[row], symbol).div(amount);
      const g = values.map((value, i) => value.add(c.mul(points[i]))), [low, high] = [g.reduce(qmin), g.reduce(qmax)];
      const middle = low.add(high).half(), half = high.sub(low).half();
      const rest = addScaled(new Map(result[row]), t, c.neg());
      addTo(rest, "1", middle);
      const cost = reach(rest, symbols).add(half);
      if (best === null || (cost.cmp(best.cost) || c.cmp(best.c)) < 0) best = { c, cost, rest, half, deviation: g.map((value) => value.sub(middle)) };
    }
    result[row] = best.rest;
    const twin = shared.map(({ deviation, symbol }) => ({ symbol, ratio: multiple(best.deviation, deviation) })).find(({ ratio }) => ratio !== null);
    if (twin) addTo(result[row], twin.symbol, twin.ratio);
    else if (!best.half.zero) {
      shared.push({ deviation: best.deviation, symbol: symbols.fresh(best.half) });
      addTo(result[row], shared.at(-1).symbol, ONE);
    }
  }
}
function multiple(vector, other) {  // vector = ratio·other
  const place = other.findIndex((number) => !number.zero), ratio = vector[place].div(other[place]);
  return vector.every((number, i) => number.eq(ratio.mul(other[i]))) ? ratio : null;
}

// ----------------------------------------------------------------------------------------------------- P7, the layers

function contained(derived, { forms, noise }, context) {  // P7
  const { symbols } = context, unknown = new Set(noise);
  const rows = derived.map((form, r) => addScaled(new Map(form), forms[r], ONE.neg()));
  const used = new Map();  // row → its unknown
  for (const symbol of noise) {
    spend(4 * rows.length);
    const row = rows.findIndex((form, r) => !used.has(r) && form.has(symbol));
    require(row >= 0, "P7: noise columns that are not independent");
    used.set(row, symbol);
    const lead = rows[row].get(symbol);
    rows.forEach((form, r) => { if (r !== row && form.has(symbol)) addScaled(form, rows[row], form.get(symbol).div(lead).neg()); });
  }
  rows.forEach((form, r) => {
    row = r;
    const symbol = used.get(r);
    if (symbol === undefined) { require(reach(form, symbols).zero, "P7: what is derived is not in the claimed invariant"); return; }
    const lead = form.get(symbol), rest = new Map(form);
    rest.delete(symbol);
    require([...rest.keys()].every((other) => !unknown.has(other)), "P7: noise columns that are not independent");
    require(reach(rest, symbols).div(lead.abs()).le(symbols.radius(symbol)), "P7: a radius that is too small");
  });
  row = null;
  checkSize(forms, context, "an invariant");
}
function readInvariants(value, model, context) {
  const { kinds, globalBits, symbols } = context;
  within(BigInt(model.layers.length + 1) * BigInt(kinds.length) * BigInt(model.d), 1n << 22n, "stages × kinds × width");
  return list(value, model.layers.length + 1).map((stage) => {
    const fields = keyed(stage, kinds.map((kind) => kind.name), "a stage");
    return kinds.map((kind) => {
      const entry = keyed(fields[kind.name], ["forms", "noise"], "an invariant");
      const own = new Set(["1", ...bitsOfAll(kind.own)]);
      const forms = Array.from({ length: model.d }, () => new Map()), places = new Set();
      const rowOf = (row) => { const r = integer(row); shaped(r < BigInt(model.d), "no such row"); return asIndex(r); };
      const place = (key) => { shaped(!places.has(key), "a place twice"); places.add(key); };
      for (const item of list(entry.forms)) {
        const [row, symbol, amount] = list(item, 3);
        shaped(own.has(symbol) || globalBits.has(symbol) || supposed(symbol, model.task) !== null, "an unknown symbol");
        place(`${rowOf(row)} ${symbol}`);
        addTo(forms[rowOf(row)], symbol, number(amount));
      }
      const noise = [];
      list(entry.noise).forEach((item, j) => {
        const { radius, column } = keyed(item, ["radius", "column"], "a noise entry"), size = number(radius);
        shaped(size.sign >= 0, "a negative radius");
        const symbol = size.zero ? null : symbols.fresh(size);
        if (symbol) noise.push(symbol);
        for (const pair of list(column)) {
          const [row, amount] = list(pair, 2);
          place(`${rowOf(row)} ~${j}`);
          const exact = number(amount);
          if (symbol) addTo(forms[rowOf(row)], symbol, exact);
        }
      });
      return { forms, noise };
    });
  });
}

const COMBINATIONS = 64;
function* combinations(lists) {  // the last list changes fastest
  const places = lists.map(() => 0);
  for (let tried = 0; tried < COMBINATIONS; tried += 1) {
    yield lists.map((options, i) => options[places[i]]);
    let i = lists.length - 1;
    while (i >= 0 && places[i] === lists[i].length - 1) { places[i] = 0; i -= 1; }
    if (i < 0) return;
    places[i] += 1;
  }
}
function project(head, x, context) {
  const check = (forms, what) => checkSize(forms, context, what);
  const part = { q: check(apply(head.W_Q, x, head.b_Q), "a query"), k: check(apply(head.W_K, x, head.b_K), "a key"), v: check(apply(head.W_V, x), "a value") };
  if (head.type === "delta") {
    [part.alpha] = check(apply(head.W_A, x, head.b_A), "α");
    [part.beta] = check(apply(head.W_B, x, head.b_B), "β");
  }
  return part;
}
// The descriptions of a head's output at each kind.
function describe(head, layer, place, x, context, totals) {
  const { kinds, integral } = context;
  const parts = x.map((forms) => project(head, forms, context));
  if (head.type === "linear" || head.type === "delta") {
    const sorted = features(head, parts, context);
    if (integral) {
      const whole = ({ height, signs }) => height.zero || (signs !== null && height.whole);
      require(sorted.every(({ q, k }) => [...q, ...k].every(whole)), "integral: a feature that is no peak of whole height");
    }
    const bits = stateBits(head, parts, sorted, context, integral);
    totals.stateBits = bits === null || totals.stateBits === null ? null : totals.stateBits + bits;
    return kinds.map((K) => linearDescriptions(head, parts, sorted, K, context));
  }
  const offset = head.type === "sparse" ? offsetOf(head) : 0n;
  return kinds.map((K) => {
    checkShift(head, parts, K, context);
    const found = search(head, parts, layer, place, context);
    if (found) totals.searches.push({ seen: `seen ${layer}/${place}.0`, block: head.block ?? 1n, offset });
    const hulls = hullForms(visible(K, context).map((J) => parts[J.index].v), head.dv, context);
    return [...(found ? [found] : []), ...(head.type === "full" ? lookUps(head, parts, K, context) : []), hulls];
  });
}
function checkLayer({ heads, mlps }, layer, x, claimed, context, totals) {
  place = `layer ${layer}`;
  const described = heads.map((head, place) => describe(head, layer, place, x, context, totals));
  context.kinds.forEach((K) => {
    let failure = null;
    place = `layer ${layer}, ${K.name}`;
    for (const chosen of combinations(described.map((ofHead) => ofHead[K.index]))) {
      try {
        let y = x[K.index].map((form) => new Map(form));
        chosen.forEach((forms, h) => apply(heads[h].W_O, forms).forEach((form, r) => addScaled(y[r], form, ONE)));
        for (const mlp of mlps) y = mlpStep(mlp, checkSize(y, context, "the stream"), context);
        passed("P6: the MLP, every unit for every value of its input");
        contained(y, claimed[K.index], context);
        return;
      } catch (error) {
        if (!(error instanceof Rejected)) throw error;
        failure ??= Object.assign(error, { row, part });
        [row, part] = [null, null];
      }
    }
    throw Object.assign(new Rejected(`layer ${layer}, ${K.name}: ${failure.message}`), { where: { layer, kind: K.name, row: failure.row, part: failure.part } });
  });
}

// ---------------------------------------------------------------------------------------------------------- the answer

function provedMargin(x, context, totals) {
  const { model, groups, kinds, symbols } = context;
  const rows = groups.map(({ first, spelled }) => rowForms(model.unembedding, first, spelled, null, model.d));
  if (model.task.task === "two_sum") return searchMargin(scoreTable(x[0], rows[0]), totals.searches, symbols);
  const margins = [];
  for (const kind of kinds.filter(({ emits }) => emits !== null)) {
    const tables = rows.map((keys) => scoreTable(x[kind.index], keys)), right = tables[kind.emits];
    const noiseOfColumn = (column) => qsum([...column].filter(([a]) => isNoise(a)).map(([a, amount]) => amount.abs().mul(symbols.radius(a))));
    for (const [b, column] of right) require([...column.keys()].every((a) => a === b || isNoise(a)), "the answer: a symbol too many");
    const rho = qsum([...right.values()].map(noiseOfColumn)), bits = bitsOfAll(groups[kind.emits].spelled);
    const taus = bits.map((bit) => coefficient(columnOf(right, bit), bit));
    const sigma = coefficient(columnOf(right, "1"), "1").add(qsum(taus));
    bits.forEach((bit, i) => margins.push(taus[i].sub(noiseOfColumn(columnOf(right, bit))).mul(TWO)));
    tables.forEach((table, g) => { if (g !== kind.emits) margins.push(sigma.sub(rho).sub(top(table, symbols))); });
  }
  require(margins.length > 0, "the answer: nothing is told apart");
  return margins.reduce(qmin);
}
function searchMargin(table, searches, symbols) {
  const logit = addScaled(new Map(), columnOf(table, "answer.0"), TWO);
  const heads = searches.filter(({ seen }) => coefficient(logit, seen).sign > 0);
  const whole = heads.some(({ block }) => {
    const offsets = new Set(heads.filter((head) => head.block === block).map((head) => head.offset));
    return BigInt(offsets.size) === block;  // offsets are below the block's length
  });
  require(whole, "the answer: no heads that search at all offsets");
  const a = heads.map(({ seen }) => coefficient(logit, seen)), rest = new Map(logit);
  for (const { seen } of heads) rest.delete(seen);
  const low = coefficient(logit, "1").sub(qsum(a)), rho = spread(rest, symbols);
  return qmin(low.neg().sub(rho), low.add(a.reduce(qmin).mul(TWO)).sub(rho));
}

// ------------------------------------------------------------------------------------------------------- constructions

const CONSTRUCTION_KEYS = ["construction", "task", "word", "tokens", "width", "layers", "heads", "precision_bits", "integral",
  "state_bits", "inputs_covered_log2", "margin"];

// [[base, exponent], …]: their powers multiplied are the number of inputs.
function inputPowers(task) {
  if (task.task === "two_sum") return [[task.modulus - 1n, task.length]];
  if (task.task === "look_ups") return task.powers;
  return [[task.m * task.W, 1n], ...task.N.map((size) => [size, size])];
}
// 2^claimed inputs or more: an exponent, at most the number of tokens, multiplies the error of a logarithm.
function enoughInputs(task, claimed) {
  const digits = LOG_DIGITS + BigInt(bitlength(task.tokens));
  return claimed << digits <= total(inputPowers(task).map(([base, exponent]) => exponent * logDigits(base, false, digits)));
}
function checkWhole(model) {  // of `integral`: the matrices
  const scale = powerOfTwo(model.f);
  const parts = model.layers.flatMap(({ heads, mlps }) => [...heads, ...mlps]);
  for (const part of parts) for (const [key, matrix] of Object.entries(part)) {
    if (/^[WC]_/.test(key)) require(entriesOf(matrix).every((number) => number.whole), "integral: a weight that is not whole");
    if (/^b_/.test(key)) require(entriesOf(matrix).every((number) => number.mul(scale).whole), "integral: a bias that is no multiple of 2^-f");
  }
}
const { readProgram, checkProgram, programTokens } = programRules({ Q, ZERO, ONE, TWO, shaped, within, require, lookAt, spend, counted, bitlength, asIndex, gcd,
  product, powerOfTwo, qmin, qmax, exponential, keyed, string, wordOf, integer, boolean, list, tableRow, logDigits });

function checkConstruction(claim, value, example) {
  const fields = keyed(claim, CONSTRUCTION_KEYS, "the claim", ["attention"]);
  string(fields.construction);
  shaped(!claim.has("attention") || ["causal", "both"].includes(fields.attention), "attention is neither causal nor both");
  const claimedTask = readTask(fields.task), word = string(fields.word, 2000);
  const program = claimedTask.task === "program";
  const sizes = ["tokens", "width", "layers", "heads", "inputs_covered_log2"].map((key) =>
    (program && fields[key] === null && ["tokens", "inputs_covered_log2"].includes(key) ? null : integer(fields[key])));
  const bits = keyed(fields.precision_bits, ["P", "p"], "precision_bits"), P = integer(bits.P), p = integer(bits.p);
  const integral = boolean(fields.integral), margin = number(fields.margin);
  const claimedBits = fields.state_bits === null ? null : integer(fields.state_bits);
  const { model, fields: { invariants } } = readModel(value, program ? [] : ["invariants"], 1n << 20n);
  shaped(program === (model.task.task === "program") && program === (example !== undefined), "an example is for programs");
  const { kinds, groups, globals, rows } = program ? model.task : layout(model);
  [model.positions, model.tokens, model.unembedding].forEach((table, i) => shaped(table.rows === rows[i], "a row table of another length"));
  const [tokens, width, layers, heads, inputs] = sizes;
  require(sameTask(claimedTask, model.task), "the model is for another task");
  require(word === model.word, "the model has another word");
  require(!claim.has("attention") || fields.attention === (model.both ? "both" : "causal"), "the model has another attention");
  require(width === BigInt(model.d), "the model has another width");
  require(layers === BigInt(model.layers.length), "the model has another number of layers");
  require(heads === BigInt(longest(model.layers.map((layer) => layer.heads))), "the model has other heads");
  require(P === model.P && p === model.p, "the model has another precision");
  const attention = model.both ? "attention both ways" : "causal", { task, thoughts } = model.task;
  if (program) {
    checkProgram({ tokens, integral, stateBits: claimedBits, inputs, margin }, model, example);
    return `this model, word ${word || "without heads"}, causal, answers every input of the program that the file writes down with margin ${margin}`;
  }
  require(tokens === model.task.tokens, "the prompt has another length");
  require(enoughInputs(model.task, inputs), "there are fewer inputs");
  const context = { model, kinds, groups, symbols: new Symbols(), globalBits: new Set(bitsOfAll(globals)), integral };
  const stages = readInvariants(invariants, model, context);

  for (const kind of kinds) {
    place = `embedding, ${kind.name}`;
    passed("P1: the rows of the tables, as forms");
    const derived = embedding(kind, context, stages[0][kind.index].forms);
    contained(derived, stages[0][kind.index], context);
    if (integral) require(derived.every((form) => step(form).mul(powerOfTwo(model.f)).whole), "integral: the embedding");
  }
  if (integral) checkWhole(model);
  const totals = { stateBits: 0n, searches: [] };
  model.layers.forEach((layer, l) => checkLayer(layer, l + 1, stages[l].map(({ forms }) => forms), stages[l + 1], context, totals));
  place = "the answer";
  const proved = provedMargin(stages.at(-1).map(({ forms }) => forms), context, totals);
  require(margin.sign > 0 && proved.sign > 0 && margin.le(proved), "the margin is not proved");
  require(claimedBits === null || (totals.stateBits !== null && totals.stateBits <= claimedBits), "the states need more bits");
  const whole = `every input of ${task}${thoughts === null ? "" : ` with thoughts (${thoughts})`} of these sizes`;
  return `this model, word ${word || "without heads"}, ${attention}, answers ${whole} with margin ${margin}`;
}

const { checkExhaustive, checkWrong } = runRules({ Q, ZERO, ONE, Rejected, shaped, within, require, spend, asIndex, least, product, qmin, exponential,
  powerOfTwo, keyed, string, integer, number, list, tableRow, multiply, addVectors, dot, relu, sized, layout, readTask, readModel, sameTask, programTokens });

// ------------------------------------------------------------------------------------------------------------ verdicts

const KINDS = {
  bound: { keys: ["choice"], check: (fields) => checkBound(fields.claim, fields.choice) },
  decision: { keys: ["choice"], check: (fields) => checkDecision(fields.claim, fields.choice) },
  construction: { keys: ["model"], check: (fields) => checkConstruction(fields.claim, fields.model, fields.example) },
  ceiling: { keys: ["choice"], check: (fields) => checkCeiling(fields.claim, fields.choice) },
  pair: { keys: ["model"], check: (fields) => checkPair(fields.claim, fields.model) },
  exhaustive: { keys: ["model"], check: (fields) => checkExhaustive(fields.claim, fields.model) },
  wrong: { keys: ["model"], check: (fields) => checkWrong(fields.claim, fields.model) },
};

function checkDocument(document) {
  shaped(document instanceof Map, "a certificate is an object");
  const kind = document.get("kind");
  shaped(typeof kind === "string" && Object.hasOwn(KINDS, kind), "an unknown kind");
  const onMap = kind === "pair" && document.has("map");
  const fields = keyed(document, ["schema", "kind", "tool", "claim", ...(onMap ? ["map"] : KINDS[kind].keys)], "the certificate", kind === "construction" ? ["example"] : []);
  shaped(fields.schema === "separation.certificate/1", "an unknown schema");
  string(fields.tool);
  return `${kind}: ${onMap ? checkMapPair(fields.claim, fields.map) : KINDS[kind].check(fields)}`;
}

// Where a rule failed that is about a whole layer: {layer, kind, row, part}.
function placed() {
  const match = /^layer (\d+)(?:, (.*))?$/.exec(place);
  return match && { layer: asIndex(BigInt(match[1])), kind: match[2] ?? null, row, part };
}

// {verdict: "accepted" | "rejected" | "malformed" | "declined", sentence}
export function checkText(text, trace = null) {
  exponentials.clear();
  work = 0;
  [tracing, place, row, part] = [trace, "", null, null];
  const say = (verdict, why, where = null) => ({ verdict, sentence: `${verdict}: ${why}`, where });
  try {
    return say("accepted", checkDocument(parse(text)));
  } catch (error) {
    if (error instanceof Malformed) return say("malformed", error.message);
    if (error instanceof Rejected) return say("rejected", error.message, error.where ?? placed());
    if (error instanceof Declined) return say("declined", error.message);
    if (error instanceof RangeError) return say("declined", `beyond what the interpreter can hold: ${error.message}`);
    throw error;
  } finally {
    tracing = null;
  }
}

export { Q, exponential };
export const STATUS = { accepted: 0, rejected: 1, malformed: 2, declined: 2 };
const FILE_MOST = 1 << 26;

async function main(words) {
  const { readFileSync, statSync } = await import("node:fs");
  const checkFile = (name) => {
    let text;
    try {
      if (statSync(name).size > FILE_MOST) return { verdict: "declined", sentence: "declined: a file of more than 2^26 bytes" };
      text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(name));
    } catch (error) {
      return { verdict: "malformed", sentence: `malformed: ${error.message}` };
    }
    try {
      return checkText(text);
    } catch (error) {  // a defect of this file: never a verdict about the certificate
      return { verdict: "declined", sentence: `declined: internal error: ${error.stack}` };
    }
  };
  if (words[0] === "--batch" && words.length === 2) {
    for (const name of readFileSync(words[1], "utf8").split("\n").filter((line) => line !== "")) {
      const { verdict, sentence } = checkFile(name);
      console.log(`${STATUS[verdict]}\t${name}\t${sentence}`);
    }
    return 0;
  }
  if (words.length !== 1 || words[0].startsWith("--")) {
    console.error("usage: node kernel.mjs FILE | node kernel.mjs --batch LIST");
    return 2;
  }
  const { verdict, sentence } = checkFile(words[0]);
  console.log(sentence);
  return STATUS[verdict];
}

if (typeof process !== "undefined" && process.versions?.node && process.argv[1]) {
  const { pathToFileURL } = await import("node:url");
  const { realpathSync } = await import("node:fs");
  if (import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) process.exitCode = await main(process.argv.slice(2));
}
