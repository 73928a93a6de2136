// Random operands of each conversion between number types: what ptxrun gives is checked against its neighbours in the
// target type, not computed a second time. Needs a build first (`npm run build`).
//
//   node tests/sweep/cvt.js f64.f16.rz s64.f32.rn [--count 10000000] [--seed 1]
//   node tests/sweep/cvt.js all
import { parseArgs } from "node:util";
import { match } from "../../dist/isa/index.js";
import { scalarOf } from "../../dist/numeric/index.js";

const view = new DataView(new ArrayBuffer(8));

/** exponent and fraction bits; `over` is the code above the largest number, none where it saturates. */
const formats = {
  f16: { e: 5, f: 10, last: 0x7bff, over: 0x7c00, sign: 15 },
  bf16: { e: 8, f: 7, last: 0x7f7f, over: 0x7f80, sign: 15 },
  tf32: { e: 8, f: 10, last: 0x3fbff, over: 0x3fc00, sign: 18, pad: 13 },
  f32: { e: 8, f: 23, last: 0x7f7fffff, over: 0x7f800000, sign: 31 },
  f64: { e: 11, f: 52 },
  e5m2: { e: 5, f: 2, last: 0x7b, sign: 7 },
  e4m3: { e: 4, f: 3, last: 0x7e, sign: 7 },
  e3m2: { e: 3, f: 2, last: 0x1f, sign: 5 },
  e2m3: { e: 2, f: 3, last: 0x1f, sign: 5 },
  e2m1: { e: 2, f: 1, last: 7, sign: 3 },
};
const isInteger = (type) => /^[us]\d/.test(type);
const widthOf = (type) => (isInteger(type) ? Number(type.slice(1)) : type === "f64" ? 64 : 32);

/** The number of a positive code, the one above the largest counted as if exponents went on. */
function decoder({ e, f }) {
  const bias = 2 ** (e - 1) - 1;
  const hidden = 2 ** f;
  return (code) => {
    const exponent = Math.floor(code / hidden);
    const fraction = code % hidden;
    return exponent === 0 ? fraction * 2 ** (1 - bias - f) : (hidden + fraction) * 2 ** (exponent - bias - f);
  };
}

/** Does this code stand for the number `size` rounded in that direction? Numbers and bigints compare exactly. */
function judgeOf(to, rnd) {
  const format = formats[to];
  const { last, over = last } = format;
  const decode = decoder(format);
  return (size, negative, code) => {
    const at = decode(code);
    if (size === Number.POSITIVE_INFINITY) return code === over;
    const direction = rnd === "rn" ? rnd : rnd === "rz" || (rnd === "rp") === negative ? "down" : "up";
    if (direction === "down") return at <= size && (code === last || size < decode(code + 1)) && code <= last;
    if (direction === "up" && code === over && over !== last) return size > decode(last);
    const saturated = over === last && code === last && at < size;
    if (direction === "up") return saturated || (at >= size && (code === 0 || decode(code - 1) < size));
    const odd = code % 2 === 1;
    const low = code === 0 ? 0 : (at + decode(code - 1)) / 2;
    if (odd ? size <= low : size < low) return false;
    if (code === over) return true;
    const high = (at + decode(code + 1)) / 2;
    return odd ? size < high : size <= high;
  };
}

/** f64 from an integer of 64 bits: its neighbours are bigints. */
function judgeF64(rnd) {
  return (size, negative, code) => {
    view.setBigUint64(0, code);
    const at = BigInt(view.getFloat64(0));
    if (at === size) return true;
    view.setBigUint64(0, at < size ? code + 1n : code - 1n);
    const other = BigInt(view.getFloat64(0));
    const between = at < size ? size < other : other < size;
    if (!between) return false;
    if (rnd === "rz" || (rnd !== "rn" && (rnd === "rp") === negative)) return at < size;
    if (rnd !== "rn") return at > size;
    const [near, far] = [at < size ? size - at : at - size, at < size ? other - size : size - other];
    return near < far || (near === far && (code & 1n) === 0n);
  };
}

function judgeInteger(to, rnd) {
  const width = Number(to.slice(1));
  const signed = to.startsWith("s");
  const least = signed ? -(2n ** BigInt(width - 1)) : 0n;
  const most = least + 2n ** BigInt(width) - 1n;
  return (x, bits) => {
    const n = signed ? BigInt.asIntN(width, BigInt(bits)) : BigInt(bits);
    if (n === least && x <= least) return true;
    if (n === most && x >= most) return true;
    if (Math.abs(x) >= 2 ** 52) return n === BigInt(x);
    const at = Number(n);
    if (rnd === "rmi" || (rnd === "rzi" && x >= 0)) return at <= x && x < at + 1;
    if (rnd === "rpi" || rnd === "rzi") return at >= x && x > at - 1;
    return n % 2n === 0n ? Math.abs(x - at) <= 0.5 : Math.abs(x - at) < 0.5;
  };
}

/** xorshift on 32 bits. */
function sequence(seed) {
  let x = seed >>> 0 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

/** Operands: any bits; few bits about powers of two; floats with exponents that the target has. */
function drawing(from, to, random) {
  const wide = widthOf(from) === 64;
  if (isInteger(from)) {
    if (!wide) return () => random() >>> (random() & 31);
    return () => {
      const any = ((BigInt(random()) << 32n) | BigInt(random())) >> BigInt(random() & 63);
      const ties =
        random() & 3 ? any : (1n << BigInt(random() & 63)) + (BigInt(random() & 0xfff) << BigInt(random() & 51));
      return BigInt.asUintN(64, random() & 1 ? ties : -ties);
    };
  }
  const reach = isInteger(to) ? Number(to.slice(1)) + 2 : 2 ** ((formats[to]?.e ?? 8) - 1) + (formats[to]?.f ?? 0) + 2;
  return () => {
    const size =
      reach > 126 && !wide
        ? random() % 255
        : Math.min(Math.max(127 - reach + (random() % (2 * reach)), 0), wide ? 400 : 255);
    const exponent = wide ? size + 896 : size;
    // Long runs of equal bits from some place on: ties, and what lies beside them.
    const place = random() % 24;
    const tail = random() & 1 ? 2 ** place - 1 : 0;
    const high = (random() & 3 ? (random() & 0x7fffff & ~(2 ** place - 1)) | tail : random() & 0x7fffff) >>> 0;
    const sign = random() & 1;
    if (!wide) return ((sign << 31) | ((exponent & 255) << 23) | high) >>> 0;
    const low = [0, 0, 1, 0x1fffffff, 0x10000000, random() & 0x1fffffff][random() % 6];
    return (BigInt(sign) << 63n) | (BigInt(exponent) << 52n) | (BigInt(high) << 29n) | BigInt(low);
  };
}

function numberOf(from) {
  if (from === "f32") {
    return (bits) => {
      view.setUint32(0, bits);
      return view.getFloat32(0);
    };
  }
  if (from === "f64") {
    return (bits) => {
      view.setBigUint64(0, bits);
      return view.getFloat64(0);
    };
  }
  const width = Number(from.slice(1));
  if (width === 64) return from === "s64" ? (bits) => BigInt.asIntN(64, bits) : (bits) => bits;
  return from === "s32" ? (bits) => bits | 0 : (bits) => bits;
}

/** cvt's entry in the table; of a format that only pairs have, one of its lanes. */
function conversion(from, to, rnd) {
  const packed = /^e/.test(to);
  const operation = match("cvt", packed ? [rnd, "satfinite", `${to}x2`, from] : [rnd, to, from]).candidates[0].plan()
    .op;
  return scalarOf(packed ? operation.result.lanes[0].operation : operation);
}

function sweep(name, count, seed) {
  const [from, to, rnd] = name.split(".");
  const run = conversion(from, to, rnd);
  const value = numberOf(from);
  const draw = drawing(from, to, sequence(seed));
  const judge = isInteger(to) ? judgeInteger(to, rnd) : to === "f64" ? judgeF64(rnd) : judgeOf(to, rnd);
  const sign = to === "f64" ? 2n ** 63n : 2 ** (formats[to]?.sign ?? 0);
  const unit = 2 ** (formats[to]?.pad ?? 0);
  let wrong = 0;
  let example = "";
  for (let i = 0; i < count; i++) {
    const bits = draw();
    const x = value(bits);
    if (Number.isNaN(x)) continue;
    const got = run(bits);
    let right;
    if (isInteger(to)) right = judge(x, got);
    else {
      const negative = x < 0 || Object.is(x, -0);
      const code = to === "f64" ? got % sign : (got / unit) % sign;
      right =
        judge(negative ? -x : x, negative, code) && (to === "f64" ? got >= sign : got / unit >= sign) === negative;
    }
    if (!right && wrong++ === 0) example = `0x${bits.toString(16)} gives 0x${got.toString(16)}`;
  }
  return { wrong, example };
}

function everyName() {
  const directions = ["rn", "rz", "rm", "rp"];
  const names = [];
  for (const from of ["u32", "s32", "u64", "s64"])
    for (const to of from.endsWith("64") ? ["f16", "bf16", "f32", "f64"] : ["f16", "bf16", "f32"])
      for (const rnd of directions) names.push(`${from}.${to}.${rnd}`);
  for (const from of ["f32", "f64"]) {
    for (const to of ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"])
      for (const rnd of directions) names.push(`${from}.${to}.${rnd}i`);
    for (const to of from === "f64" ? ["f16", "bf16", "f32"] : ["f16", "bf16"])
      for (const rnd of directions) names.push(`${from}.${to}.${rnd}`);
  }
  for (const to of ["tf32", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1"]) names.push(`f32.${to}.rn`);
  names.push("f32.tf32.rz");
  return names;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "10000000" }, seed: { type: "string", default: "1" } },
});
const every = everyName();
const names = positionals.includes("all") ? every : positionals;
const unknown = names.filter((name) => !every.includes(name));
const count = Number(options.count);
if (names.length === 0 || unknown.length > 0 || !(count > 0)) {
  console.error(`usage: node tests/sweep/cvt.js ${every[0]}|...|all [--count N] [--seed N]`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    const start = performance.now();
    const { wrong, example } = sweep(name, count, Number(options.seed));
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${name}: ${count} operands in ${seconds} s, ${wrong} wrong ${example}`.trim());
    if (wrong > 0) process.exitCode = 1;
  }
}
