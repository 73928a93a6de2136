import { absolute, fromInteger, fromNumber, fused, isNaNIn, nanOf, negated, toNumber } from "./float.ts";
import type { Instruction, Plain } from "./program.ts";
import { each, elementOf, type FloatType, type IntegerType, packed, type Scalar, scalarOf, type Type, unpacked, type Value } from "./type.ts"; // biome-ignore format: one line

/** Takes lines of LLVM IR. */
export interface Lines {
  line(text: string): void;
  /** A new name. */
  fresh(): string;
  /** Declares a function of LLVM and returns its name. */
  intrinsic(name: string, result: string, parameters: readonly string[]): string;
}

/** What an instruction computes from its operands alone, and how LLVM spells it. The prelude of CUDA has the same names. */
export interface Operation {
  does(to: Type, from: readonly Type[], values: readonly Value[], instruction: Instruction): Value;
  llvm(lines: Lines, result: string, to: Type, operands: readonly Operand[], instruction: Instruction): void;
}

export interface Operand {
  readonly type: Type;
  readonly text: string;
}

type OnBits = (type: IntegerType, ...bits: bigint[]) => bigint;
type OnFloats = (type: FloatType, ...bits: bigint[]) => bigint;

const signed = ({ bits }: { readonly bits: number }, value: bigint): bigint => BigInt.asIntN(bits, value);
const wrapped = ({ bits }: { readonly bits: number }, value: bigint): bigint => BigInt.asUintN(bits, value);
const most = ({ bits }: IntegerType): bigint => (1n << BigInt(bits)) - 1n;
const clamped = (type: IntegerType, value: bigint, least: bigint, greatest: bigint): bigint =>
  wrapped(type, value < least ? least : value > greatest ? greatest : value);
const bounds = ({ bits }: IntegerType): readonly [bigint, bigint] => [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]; // biome-ignore format: one line

/** The largest mask of a shift's count that is below the width. */
export const shiftMask = (bits: number): number => 2 ** Math.floor(Math.log2(bits)) - 1;
const count = ({ bits }: IntegerType, by: bigint): bigint => by & BigInt(shiftMask(bits));

/** Elements of a vector constant that are all the same. */
export const splat = (type: Plain, text: string): string =>
  type.kind === "vector" ? `<${Array(type.count).fill(`${type.of.text} ${text}`).join(", ")}>` : text;

const scalarMangled = (type: Scalar): string =>
  type.kind === "integer" ? type.text : { half: "f16", bfloat: "bf16", float: "f32", double: "f64" }[type.text];
export const mangled = (type: Plain): string =>
  type.kind === "vector" ? `v${type.count}${scalarMangled(type.of)}` : scalarMangled(type);

const lifted =
  (does: (type: Scalar, ...bits: bigint[]) => bigint): Operation["does"] =>
  (_, [from], values) =>
    each(from as Plain, values, (...bits) => does(scalarOf(from as Plain), ...bits));

/** `word type a, b`. */
const binary = (word: string, does: OnBits): Operation => ({
  does: lifted(does as never),
  llvm: ({ line }, result, to, [a, b]) => line(`${result} = ${word} ${to.text} ${a?.text}, ${b?.text}`),
});

const floating = (word: string, does: (x: number, y: number) => number): Operation => ({
  ...binary(word, () => 0n),
  does: lifted(((type: FloatType, a: bigint, b: bigint) =>
    fromNumber(type, does(toNumber(type, a), toNumber(type, b)))) as never),
});

/** A function of LLVM over values of one type. */
const called = (name: string, does: OnBits, more: readonly string[] = []): Operation => ({
  does: lifted(does as never),
  llvm: (lines, result, to, operands) => {
    const types = [...operands.map(({ type }) => type.text), ...more.map(() => "i1")];
    const words = [...operands.map(({ text }) => text), ...more];
    const name_ = lines.intrinsic(`llvm.${name}.${mangled(to as Plain)}`, to.text, types);
    lines.line(`${result} = call ${to.text} ${name_}(${words.map((word, at) => `${types[at]} ${word}`).join(", ")})`);
  },
});

const calledOnFloats = (name: string, does: OnFloats): Operation => called(name, does as never);

/** An operation whose second operand is repaired first, so that nothing is undefined. */
const guarded = (
  word: string,
  does: OnBits,
  repair: (lines: Lines, type: Plain, text: string) => string,
): Operation => ({
  does: lifted(does as never),
  llvm: (lines, result, to, [a, b]) => {
    const safe = repair(lines, to as Plain, b?.text ?? "");
    lines.line(`${result} = ${word} ${to.text} ${a?.text}, ${safe}`);
  },
});

function masked(lines: Lines, type: Plain, text: string): string {
  const name = lines.fresh();
  lines.line(`${name} = and ${type.text} ${text}, ${splat(type, String(shiftMask(scalarOf(type).bits)))}`);
  return name;
}

function odd(lines: Lines, type: Plain, text: string): string {
  const name = lines.fresh();
  lines.line(`${name} = or ${type.text} ${text}, ${splat(type, "1")}`);
  return name;
}

/** Odd, and 3 in place of -1: the least number over -1 has no quotient. */
function oddAndNotMinusOne(lines: Lines, type: Plain, text: string): string {
  const [name, is, safe] = [odd(lines, type, text), lines.fresh(), lines.fresh()];
  lines.line(`${is} = icmp eq ${type.text} ${name}, ${splat(type, "-1")}`);
  const truth = type.kind === "vector" ? `<${type.count} x i1>` : "i1";
  lines.line(`${safe} = select ${truth} ${is}, ${type.text} ${splat(type, "3")}, ${type.text} ${name}`);
  return safe;
}

const divisor = (type: IntegerType, bits: bigint): bigint => (signed(type, bits | 1n) === -1n ? 3n : signed(type, bits | 1n)); // biome-ignore format: one line

const converted = (word: string, does: (to: Scalar, from: Scalar, bits: bigint) => bigint): Operation => ({
  does: (to, [from], values) =>
    each(to as Plain, values, (bits) => does(scalarOf(to as Plain), scalarOf(from as Plain), bits)),
  llvm: ({ line }, result, to, [a]) => line(`${result} = ${word} ${a?.type.text} ${a?.text} to ${to.text}`),
});

/** A float to an integer that saturates: a function of LLVM whose name has both types. */
const saturated = (name: string, limits: (type: IntegerType) => readonly [bigint, bigint]): Operation => ({
  does: (to, [from], values) =>
    each(to as Plain, values, (bits) => {
      const type = scalarOf(to as Plain) as IntegerType;
      const value = toNumber(scalarOf(from as Plain) as FloatType, bits);
      const [least, greatest] = limits(type);
      if (Number.isNaN(value)) return 0n;
      if (!Number.isFinite(value)) return wrapped(type, value < 0 ? least : greatest);
      return clamped(type, BigInt(Math.trunc(value)), least, greatest);
    }),
  llvm: (lines, result, to, [a]) => {
    const from = a?.type as Plain;
    const name_ = lines.intrinsic(`llvm.${name}.${mangled(to as Plain)}.${mangled(from)}`, to.text, [from.text]);
    lines.line(`${result} = call ${to.text} ${name_}(${from.text} ${a?.text})`);
  },
});

const comparisons: Readonly<Record<string, (type: IntegerType, a: bigint, b: bigint) => boolean>> = {
  eq: (_, a, b) => a === b,
  ne: (_, a, b) => a !== b,
  ult: (_, a, b) => a < b,
  ule: (_, a, b) => a <= b,
  ugt: (_, a, b) => a > b,
  uge: (_, a, b) => a >= b,
  slt: (type, a, b) => signed(type, a) < signed(type, b),
  sle: (type, a, b) => signed(type, a) <= signed(type, b),
  sgt: (type, a, b) => signed(type, a) > signed(type, b),
  sge: (type, a, b) => signed(type, a) >= signed(type, b),
};

/** What is so of two numbers; the letter before says what is so when one of them is none. */
const floatComparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
};

export const words = {
  icmp: Object.keys(comparisons),
  fcmp: ["ord", "uno", ...["o", "u"].flatMap((first) => Object.keys(floatComparisons).map((word) => first + word))],
  reduce: ["add", "mul", "and", "or", "xor", "umax", "umin", "smax", "smin"],
  overflow: ["uadd", "sadd", "usub", "ssub", "umul", "smul"],
};

function fcmp(word: string, a: number, b: number): boolean {
  const unordered = Number.isNaN(a) || Number.isNaN(b);
  if (word === "ord" || word === "uno") return unordered === (word === "uno");
  return unordered ? word.startsWith("u") : floatComparisons[word.slice(1)]?.(a, b) === true;
}

const compared = (word: string, does: (word: string, type: Scalar, a: bigint, b: bigint) => boolean): Operation => ({
  does: (to, [from], values, instruction) =>
    each(to as Plain, values, (a = 0n, b = 0n) => BigInt(does(instruction.word ?? "", scalarOf(from as Plain), a, b))),
  llvm: ({ line }, result, _, [a, b], instruction) =>
    line(`${result} = ${word} ${instruction.word} ${a?.type.text} ${a?.text}, ${b?.text}`),
});

/** The exact result of an operation that may overflow. */
const wide = (word: string, type: IntegerType, a: bigint, b: bigint): bigint => {
  const [x, y] = word.startsWith("s") ? [signed(type, a), signed(type, b)] : [a, b];
  return word.endsWith("add") ? x + y : word.endsWith("sub") ? x - y : x * y;
};

const reversed = ({ bits }: IntegerType, value: bigint, unit: number): bigint => {
  let result = 0n;
  for (let at = 0; at < bits; at += unit) result = (result << BigInt(unit)) | ((value >> BigInt(at)) & ((1n << BigInt(unit)) - 1n)); // biome-ignore format: one line
  return result;
};

const ones = (value: bigint): number => value.toString(2).replaceAll("0", "").length;
const length = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** The index of a vector's element that a number stands for. */
const place = (elements: number, index: bigint): number =>
  Number((elements & (elements - 1)) === 0 ? index & BigInt(elements - 1) : index % BigInt(elements));

function placed(lines: Lines, elements: number, text: string): string {
  const name = lines.fresh();
  const power = (elements & (elements - 1)) === 0;
  lines.line(`${name} = ${power ? "and" : "urem"} i32 ${text}, ${power ? elements - 1 : elements}`);
  return name;
}

const replaced = (value: Value, at: number, by: Value): Value => (value as Value[]).map((old, index) => (index === at ? by : old)); // biome-ignore format: one line

/** All operations by name. */
export const operations: Readonly<Record<string, Operation>> = {
  add: binary("add", (type, a = 0n, b = 0n) => wrapped(type, a + b)),
  sub: binary("sub", (type, a = 0n, b = 0n) => wrapped(type, a - b)),
  mul: binary("mul", (type, a = 0n, b = 0n) => wrapped(type, a * b)),
  and: binary("and", (_, a = 0n, b = 0n) => a & b),
  or: binary("or", (_, a = 0n, b = 0n) => a | b),
  xor: binary("xor", (_, a = 0n, b = 0n) => a ^ b),
  shl: guarded("shl", (type, a = 0n, b = 0n) => wrapped(type, a << count(type, b)), masked),
  lshr: guarded("lshr", (type, a = 0n, b = 0n) => a >> count(type, b), masked),
  ashr: guarded("ashr", (type, a = 0n, b = 0n) => wrapped(type, signed(type, a) >> count(type, b)), masked),
  udiv: guarded("udiv", (_, a = 0n, b = 0n) => a / (b | 1n), odd),
  urem: guarded("urem", (_, a = 0n, b = 0n) => a % (b | 1n), odd),
  sdiv: guarded("sdiv", (type, a = 0n, b = 0n) => wrapped(type, signed(type, a) / divisor(type, b)), oddAndNotMinusOne),
  srem: guarded("srem", (type, a = 0n, b = 0n) => wrapped(type, signed(type, a) % divisor(type, b)), oddAndNotMinusOne),
  fshl: called("fshl", (type, a = 0n, b = 0n, c = 0n) => {
    const by = c % BigInt(type.bits);
    return wrapped(type, ((a << BigInt(type.bits)) | b) >> (BigInt(type.bits) - by));
  }),
  fshr: called("fshr", (type, a = 0n, b = 0n, c = 0n) =>
    wrapped(type, ((a << BigInt(type.bits)) | b) >> (c % BigInt(type.bits))),
  ),
  umin: called("umin", (_, a = 0n, b = 0n) => (a < b ? a : b)),
  umax: called("umax", (_, a = 0n, b = 0n) => (a > b ? a : b)),
  smin: called("smin", (type, a = 0n, b = 0n) => (signed(type, a) < signed(type, b) ? a : b)),
  smax: called("smax", (type, a = 0n, b = 0n) => (signed(type, a) > signed(type, b) ? a : b)),
  uaddsat: called("uadd.sat", (type, a = 0n, b = 0n) => clamped(type, a + b, 0n, most(type))),
  usubsat: called("usub.sat", (type, a = 0n, b = 0n) => clamped(type, a - b, 0n, most(type))),
  saddsat: called("sadd.sat", (type, a = 0n, b = 0n) => clamped(type, signed(type, a) + signed(type, b), ...bounds(type))), // biome-ignore format: one line
  ssubsat: called("ssub.sat", (type, a = 0n, b = 0n) => clamped(type, signed(type, a) - signed(type, b), ...bounds(type))), // biome-ignore format: one line
  abs: called("abs", (type, a = 0n) => wrapped(type, signed(type, a) < 0n ? -signed(type, a) : a), ["false"]),
  ctpop: called("ctpop", (type, a = 0n) => wrapped(type, BigInt(ones(a)))),
  ctlz: called("ctlz", (type, a = 0n) => wrapped(type, BigInt(type.bits - length(a))), ["false"]),
  cttz: called("cttz", (type, a = 0n) => wrapped(type, BigInt(a === 0n ? type.bits : length(a & -a) - 1)), ["false"]),
  bswap: called("bswap", (type, a = 0n) => reversed(type as IntegerType, a, 8)),
  bitreverse: called("bitreverse", (type, a = 0n) => reversed(type as IntegerType, a, 1)),
  icmp: compared("icmp", (word, type, a, b) => comparisons[word]?.(type as IntegerType, a, b) === true),
  fcmp: compared("fcmp", (word, type, a, b) => fcmp(word, toNumber(type as FloatType, a), toNumber(type as FloatType, b))), // biome-ignore format: one line
  overflow: {
    does: (to, [from], values, { word = "" }) =>
      each(to as Plain, values, (a = 0n, b = 0n) => {
        const type = scalarOf(from as Plain) as IntegerType;
        const exact = wide(word, type, a, b);
        return BigInt(exact !== (word.startsWith("s") ? signed(type, exact) : wrapped(type, exact)));
      }),
    llvm: (lines, result, to, [a, b], { word }) => {
      const type = a?.type as Plain;
      const both = lines.fresh();
      const pair = `{ ${type.text}, ${to.text} }`;
      const name = lines.intrinsic(`llvm.${word}.with.overflow.${mangled(type)}`, pair, [type.text, type.text]);
      lines.line(`${both} = call ${pair} ${name}(${type.text} ${a?.text}, ${type.text} ${b?.text})`);
      lines.line(`${result} = extractvalue ${pair} ${both}, 1`);
    },
  },
  select: {
    does: (to, [of], [condition, a, b]) =>
      of?.kind === "vector"
        ? each(to as Plain, [condition ?? 0n, a ?? 0n, b ?? 0n], (c, x = 0n, y = 0n) => (c === 1n ? x : y))
        : ((condition === 1n ? a : b) as Value),
    llvm: ({ line }, result, to, [c, a, b]) =>
      line(`${result} = select ${c?.type.text} ${c?.text}, ${to.text} ${a?.text}, ${to.text} ${b?.text}`),
  },
  zext: converted("zext", (_, __, bits) => bits),
  sext: converted("sext", (to, from, bits) => wrapped(to, signed(from, bits))),
  trunc: converted("trunc", (to, _, bits) => wrapped(to, bits)),
  bitcast: {
    ...converted("bitcast", () => 0n),
    does: (to, [from], [value]) => unpacked(to as Plain, packed(from as Plain, value ?? 0n)),
  },
  freeze: {
    does: (_, __, [value]) => value as Value,
    llvm: ({ line }, result, to, [a]) => line(`${result} = freeze ${to.text} ${a?.text}`),
  },
  fadd: floating("fadd", (x, y) => x + y),
  fsub: floating("fsub", (x, y) => x - y),
  fmul: floating("fmul", (x, y) => x * y),
  fdiv: floating("fdiv", (x, y) => x / y),
  fneg: {
    does: lifted(((type: FloatType, a: bigint) => negated(type, a)) as never),
    llvm: ({ line }, result, to, [a]) => line(`${result} = fneg ${to.text} ${a?.text}`),
  },
  fabs: calledOnFloats("fabs", (type: FloatType, a: bigint) => absolute(type, a)),
  fma: calledOnFloats("fma", (type: FloatType, a: bigint, b: bigint, c: bigint) => fused(type, a, b, c)),
  sqrt: calledOnFloats("sqrt", (type: FloatType, a: bigint) => fromNumber(type, Math.sqrt(toNumber(type, a)))),
  floor: calledOnFloats("floor", (type: FloatType, a: bigint) => fromNumber(type, Math.floor(toNumber(type, a)))),
  ceil: calledOnFloats("ceil", (type: FloatType, a: bigint) => fromNumber(type, Math.ceil(toNumber(type, a)))),
  ftrunc: calledOnFloats("trunc", (type: FloatType, a: bigint) => fromNumber(type, Math.trunc(toNumber(type, a)))),
  rint: calledOnFloats("rint", (type: FloatType, a: bigint) => fromNumber(type, toEven(toNumber(type, a)))),
  sitofp: converted("sitofp", (to, from, bits) => fromInteger(to as FloatType, signed(from, bits))),
  uitofp: converted("uitofp", (to, _, bits) => fromInteger(to as FloatType, bits)),
  fptosi: saturated("fptosi.sat", bounds),
  fptoui: saturated("fptoui.sat", (type) => [0n, most(type)]),
  fpext: converted("fpext", (to, from, bits) => fromNumber(to as FloatType, toNumber(from as FloatType, bits))),
  fptrunc: converted("fptrunc", (to, from, bits) => fromNumber(to as FloatType, toNumber(from as FloatType, bits))),
  extract: {
    does: (_, __, [value], { at: [index = 0] = [] }) => elementOf(value as Value, index),
    llvm: ({ line }, result, _, [a], { at: [index] = [] }) =>
      line(`${result} = extractelement ${a?.type.text} ${a?.text}, i32 ${index}`),
  },
  extractAt: {
    does: (_, [from], [value, index]) =>
      elementOf(value as Value, place((from as { count: number }).count, index as bigint)),
    llvm: (lines, result, _, [a, b]) => {
      const index = placed(lines, (a?.type as { count: number } | undefined)?.count ?? 1, b?.text ?? "");
      lines.line(`${result} = extractelement ${a?.type.text} ${a?.text}, i32 ${index}`);
    },
  },
  insert: {
    does: (_, __, [value, element], { at: [index = 0] = [] }) => replaced(value as Value, index, element as Value),
    llvm: ({ line }, result, to, [a, b], { at: [index] = [] }) =>
      line(`${result} = insertelement ${to.text} ${a?.text}, ${b?.type.text} ${b?.text}, i32 ${index}`),
  },
  insertAt: {
    does: (to, __, [value, element, index]) =>
      replaced(value as Value, place((to as { count: number }).count, index as bigint), element as Value),
    llvm: (lines, result, to, [a, b, c]) => {
      const index = placed(lines, (to as { count: number }).count, c?.text ?? "");
      lines.line(`${result} = insertelement ${to.text} ${a?.text}, ${b?.type.text} ${b?.text}, i32 ${index}`);
    },
  },
  shuffle: {
    does: (_, [from], [a, b], { at = [] }) => {
      const { count } = from as { count: number };
      return at.map((index) => elementOf((index < count ? a : b) as Value, index % count));
    },
    llvm: ({ line }, result, _, [a, b], { at = [] }) =>
      line(`${result} = shufflevector ${a?.type.text} ${a?.text}, ${b?.type.text} ${b?.text}, <${at.length} x i32> <${at.map((index) => `i32 ${index}`).join(", ")}>`), // biome-ignore format: one line
  },
  build: {
    does: (_, __, values) => values,
    llvm: (lines, result, to, operands) => {
      let before = "zeroinitializer";
      for (const [at, { type, text }] of operands.entries()) {
        const name = at === operands.length - 1 ? result : lines.fresh();
        lines.line(`${name} = insertelement ${to.text} ${before}, ${type.text} ${text}, i32 ${at}`);
        before = name;
      }
    },
  },
  reduce: {
    does: (to, [from], [value], { word = "" }) =>
      (value as bigint[]).reduce(
        (sum, element) => operations[word]?.does(to, [to], [sum, element], from as never) as bigint,
      ),
    llvm: (lines, result, to, [a], { word }) => {
      const name = lines.intrinsic(`llvm.vector.reduce.${word}.${mangled(a?.type as Plain)}`, to.text, [
        a?.type.text ?? "",
      ]);
      lines.line(`${result} = call ${to.text} ${name}(${a?.type.text} ${a?.text})`);
    },
  },
  field: {
    does: (_, __, [value], { at: [index = 0] = [] }) => elementOf(value as Value, index),
    llvm: ({ line }, result, _, [a], { at: [index] = [] }) =>
      line(`${result} = extractvalue ${a?.type.text} ${a?.text}, ${index}`),
  },
  pack: {
    does: (_, __, values) => values,
    llvm: (lines, result, to, operands) => {
      let before = "zeroinitializer";
      for (const [at, { type, text }] of operands.entries()) {
        const name = at === operands.length - 1 ? result : lines.fresh();
        lines.line(`${name} = insertvalue ${to.text} ${before}, ${type.text} ${text}, ${at}`);
        before = name;
      }
    },
  },
};

function toEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  const whole = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
  // The sign of a zero is that of the number.
  return whole === 0 ? (value < 0 || Object.is(value, -0) ? -0 : 0) : whole;
}

/** A value of a float type, with one NaN for all. */
export const settled = (type: Type, value: Value): Value =>
  type.kind === "struct"
    ? type.fields.map((field, at) => settled(field, elementOf(value, at)))
    : scalarOf(type).kind === "float"
      ? each(type, [value], (bits = 0n) => {
          const format = scalarOf(type) as FloatType;
          return isNaNIn(format, bits) ? nanOf(format) : bits;
        })
      : value;
