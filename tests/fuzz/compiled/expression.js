// Random C++ expressions of a wanted type, of variables in scope. None of them is undefined in C++ (with -fwrapv).

export const widths = { i8: 8, u8: 8, i16: 16, u16: 16, i32: 32, u32: 32, i64: 64, u64: 64, i128: 128, u128: 128 };
export const integers = Object.keys(widths);
export const floats = ["f32", "f64"];
export const types = [...integers, ...floats];
const unsigned = (type) => (type.startsWith("i") ? `u${type.slice(1)}` : type);
const wide = (type) => (widths[type] < 32 ? "u32" : unsigned(type));
const modes = ["rn", "rz", "ru", "rd"];

/** What an expression may mention. */
export class Scope {
  constructor(random, { functions = [], arrays = [], objects = [] } = {}) {
    this.random = random;
    /** [name, type] of what can be read. */
    this.variables = [];
    /** [name, element type, elements, a power of two]. */
    this.arrays = arrays;
    /** Objects with a field of each name in `fields`. */
    this.objects = objects;
    /** [name, result type, parameter types]. */
    this.functions = functions;
  }
}

const fields = { a: "i32", b: "u32", c: "i64", d: "i16", e: "u8", f: "f64", g: "u64", h: "f32" };
export const structure = `struct Thing {
  i32 a : 7;
  u32 b : 13;
  i64 c : 37;
  i16 d;
  u8 e;
  f64 f;
  u64 g : 50;
  f32 h;
};
`;
export const fieldNames = Object.keys(fields);
export const fieldType = (name) => fields[name];

function literal(random, type) {
  if (type === "f32" || type === "f64") {
    const value = random.any([
      "0.0",
      "-0.0",
      "1.0",
      "-1.5",
      "0.1",
      "3e38",
      "1e-40",
      "1e-45",
      "16777216.0",
      "2147483648.0",
      "0.5",
      "1e10",
    ]);
    if (random.chance(40)) return `(${type})${random.word() / 2 ** random.below(40)}`;
    return type === "f32" ? `${value}f` : value;
  }
  const special = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "31",
    "32",
    "33",
    "63",
    "64",
    "127",
    "128",
    "255",
    "256",
    "1000",
    "65535",
    "0x80000000u",
    "0x7fffffff",
    "0xffffffffu",
    "0x8000000000000000ull",
    "1000000007",
  ];
  if (random.chance(50)) return `(${type})${random.any(special)}`;
  if (widths[type] === 128)
    return `(((${type})0x${random.word().toString(16)}ull << 80) ^ (${type})0x${random.word().toString(16)}ull * 12345)`;
  const text = `0x${random.word().toString(16)}${widths[type] > 32 ? random.word().toString(16) : ""}ull`;
  return `(${type})${text}`;
}

function leaf(scope, type) {
  const { random } = scope;
  const same = scope.variables.filter(([, of]) => of === type);
  if (same.length > 0 && random.chance(60)) return random.any(same)[0];
  if (scope.variables.length > 0 && random.chance(65)) {
    const [name, of] = random.any(scope.variables);
    return convert(scope, name, of, type);
  }
  return literal(random, type);
}

function convert({ random }, text, from, to) {
  if (from === to) return text;
  const whole = integers.includes(to);
  if (floats.includes(from) && whole) {
    const by =
      widths[to] === 64 || (widths[to] === 128 && random.chance(50))
        ? random.any(["toi64", "tou64"])
        : random.any(["toi32", "tou32"]);
    return `(${to})${by}_${random.any(modes)}(${text})`;
  }
  if (from === "f64" && to === "f32" && random.chance(50)) return `narrow_${random.any(modes)}(${text})`;
  // 128 bits to a float is a library call whose rounding is nvcc's affair.
  if (widths[from] === 128 && !whole) return `(${to})(i64)${text}`;
  if (from === "i32" && to === "f32" && random.chance(40)) return `fi32_${random.any(modes)}(${text})`;
  if (from === "u32" && to === "f32" && random.chance(40)) return `fu32_${random.any(modes)}(${text})`;
  if (from === "i64" && to === "f32" && random.chance(40)) return `fi64_${random.any(modes)}(${text})`;
  if (from === "i64" && to === "f64" && random.chance(40)) return `di64_${random.any(modes)}(${text})`;
  return `(${to})${text}`;
}

/** A condition. */
export function condition(scope, depth) {
  const { random } = scope;
  if (depth > 0 && random.chance(25))
    return `(${condition(scope, depth - 1)} ${random.any(["&&", "||", "!=", "=="])} ${condition(scope, depth - 1)})`;
  if (random.chance(8)) return `!${condition(scope, depth)}`;
  const type = random.any(types);
  return `(${expression(scope, type, depth - 1)} ${random.any(["<", "<=", ">", ">=", "==", "!="])} ${expression(scope, type, depth - 1)})`;
}

/** An expression of a type, in parentheses where it needs them. */
export function expression(scope, type, depth) {
  const { random } = scope;
  if (depth <= 0) return leaf(scope, type);
  const e = (of = type) => expression(scope, of, depth - 1);
  const roll = random.below(100);
  if (roll < 8) return `(${condition(scope, depth - 1)} ? ${e()} : ${e()})`;
  if (roll < 14 && scope.arrays.length > 0) {
    const [name, of, count] = random.any(scope.arrays);
    return convert(scope, `${name}[${e("u32")} & ${count - 1}]`, of, type);
  }
  if (roll < 18 && scope.objects.length > 0) {
    const field = random.any(fieldNames);
    return convert(scope, `${random.any(scope.objects)}.${field}`, fields[field], type);
  }
  if (roll < 22 && scope.functions.length > 0) {
    const [name, of, parameters] = random.any(scope.functions);
    return convert(
      scope,
      `${name}(${parameters.map((each) => expression(scope, each, depth - 2)).join(", ")})`,
      of,
      type,
    );
  }
  if (roll < 36) {
    const from = random.any(types);
    return `(${convert(scope, e(from), from, type)})`;
  }
  return floats.includes(type) ? floating(scope, type, e) : integral(scope, type, e);
}

function floating({ random }, type, e) {
  const p = type === "f32" ? "f" : "d";
  const n = type === "f32" ? "32" : "64";
  const x = type === "f32" ? "f" : "";
  switch (random.below(12)) {
    case 0:
      return `${p}${random.any(["add", "sub", "mul", "div"])}_${random.any(modes)}(${e()}, ${e()})`;
    case 1:
      return `fma${n}_${random.any(modes)}(${e()}, ${e()}, ${e()})`;
    case 2:
      return `${p}${random.any(["rcp", "sqrt"])}_${random.any(modes)}(${e()})`;
    case 3:
      return `${random.any(["least", "most", "signed_as"])}<${type}>(${e()}, ${e()})`;
    case 4:
      return `${random.any(["fabs", "floor", "ceil", "trunc", "rint", "round", "sqrt"])}${x}(${e()})`;
    case 5:
      return `${random.any(["fmod", "remainder", "nextafter", "fdim"])}${x}(${e()}, ${e()})`;
    case 6:
      return `ldexp${x}(${e()}, (i32)(${e("i32")} % 200))`;
    case 7:
      return `-(${e()})`;
    case 8:
      return type === "f32" ? `bits<f32>(${e("u32")})` : `bits<f64>(${e("u64")})`;
    default:
      return `(${e()} ${random.any(["+", "-", "*", "/"])} ${e()})`;
  }
}

function integral({ random }, type, e) {
  const width = widths[type];
  const sign = type[0];
  const T = (text) => `(${type})(${text})`;
  const roll = random.below(16);
  if (roll < 5) return T(`(${wide(type)})${e()} ${random.any(["+", "-", "*", "&", "|", "^"])} (${wide(type)})${e()}`);
  if (roll < 6) return T(`~${e()}`);
  if (roll < 7) return T(`0 - (${wide(type)})${e()}`);
  if (roll < 8) return T(`(${wide(type)})${e()} << (${e("u32")} & ${width - 1})`);
  if (roll < 9) return T(`${e()} >> (${e("u32")} & ${width - 1})`);
  if (roll < 10) return `${random.any(["over", "rest"])}<${type}>(${e()}, ${e()})`;
  if (roll < 11) return T(`${e()} ${random.any(["/", "%"])} ${random.any(["3", "5", "7", "10", "16", "100", "127"])}`);
  if (roll < 12) return T(`${e()} ${random.any(["<<", ">>"])} ${random.below(width)}`.replace(/<</, () => "<<"));
  if (width === 32 || width === 64) {
    const u = `u${width}`;
    if (roll < 13) return T(`${random.any(["popc", "leading", "first", "mirror"])}((${u})${e()})`);
    if (roll < 14) return `high(${e()}, ${e()})`;
    if (width === 64) {
      if (roll < 15) return T(`(${sign}128)${e()} * ${e()} >> ${random.below(100)}`);
      return T(`raw(${e("f64")})`);
    }
    if (roll < 15) return `${random.any(["mul24", "half_sum", "half_up"])}(${e()}, ${e()})`;
    const three = random.any(["permute", "funnel_l", "funnel_r", "funnel_lc", "funnel_rc"]);
    const two = random.any([
      "vadd4",
      "vsub2",
      "vmaxs4",
      "vminu2",
      "vabsdiffu4",
      "vaddss2",
      "vsubus4",
      "vcmpgts2",
      "vseteq4",
      "vavgu4",
    ]);
    return random.any([
      () => `${random.any(["dots", "pair_dot"])}(${e()}, ${e()}, ${e()})`,
      () => T(`apart(${e()}, ${e()}, ${e("u32")})`),
      () => T(`${three}(${e("u32")}, ${e("u32")}, ${e("u32")})`),
      () => T(`${two}(${e("u32")}, ${e("u32")})`),
      () => T(`raw(${e("f32")})`),
    ])();
  }
  return T(`${e()} ${random.any(["+", "^", "&"])} ${e()}`);
}
