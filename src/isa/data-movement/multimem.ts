import type { MemoryOrder, MemoryScope } from "../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import { argument, b, max, min, operation as operationOf, plus, round } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { specificToo } from "../form/bulk-operands.ts";
import { bitsOf, of, to } from "../form/classes.ts";
import { type Conflict, type Form, form, type Since, unspecified } from "../form/define.ts";
import type { InstructionType } from "../form/instruction-type.ts";
import type { AddressClass, RegisterClass, VectorClass } from "../form/operands.ts";
import { addFloat, scalarOps } from "../form/updates.ts";

const ss = ["global"] as const;
const scope = ["cta", "cluster", "gpu", "sys"] as const;
const vec = ["v2", "v4", "v8"] as const;
const integers = ["b32", "b64", "u32", "u64", "s32", "s64"] as const;
const eighths = ["e4m3", "e5m2", "e4m3x2", "e5m2x2", "e4m3x4", "e5m2x4"] as const;
const floats = ["f32", "f64", "f16", "f16x2", "bf16", "bf16x2", ...eighths] as const;
const sums = ["f32", "f64", "f16", "f16x2", "bf16", "bf16x2"] as const;
type FloatType = (typeof floats)[number];
type Type = (typeof integers)[number] | FloatType;
type Vec = (typeof vec)[number] | undefined;

const place = (space: string | undefined): AddressClass => ({
  kind: "address",
  space: space === undefined ? "generic" : "global",
});

/** What a register of each type is; the types of eight bits have no class of their own. */
const held: Readonly<Record<Type, InstructionType>> = {
  b32: "b32", b64: "b64", u32: "u32", u64: "u64", s32: "s32", s64: "s64", f32: "f32", f64: "f64",
  f16: "f16", f16x2: "f16x2", bf16: "bf16", bf16x2: "bf16x2",
  e4m3: "b8", e5m2: "b8", e4m3x2: "b16", e5m2x2: "b16", e4m3x4: "b32", e5m2x4: "b32",
}; // biome-ignore format: a table

const vector = (vec: Vec, register: RegisterClass): RegisterClass | VectorClass =>
  vec === undefined ? register : { kind: "vector", count: Number(vec.slice(1)), of: register };

const bitsIn = (vec: Vec, type: Type): number => bitsOf(held[type]) * (vec === undefined ? 1 : Number(vec.slice(1)));

/** A vector of floats fills 32, 64 or 128 bits; f64 stands alone. */
const size = (vec: Vec, type: Type): Conflict | undefined => {
  const bits = bitsIn(vec, type);
  if (vec !== undefined && type === "f64") return [vec, ".f64, which stands alone"];
  if (bits === 32 || bits === 64 || bits === 128) return undefined;
  return vec === undefined
    ? ["", `.${type} alone: it fills ${bits} bits, not 32, 64 or 128`]
    : [vec, `.${type}: it fills ${bits} bits, not 32, 64 or 128`];
};

const integerOps: Readonly<Record<string, readonly string[]>> = {
  add: ["u32", "s32", "u64"], and: ["b32", "b64"], or: ["b32", "b64"], xor: ["b32", "b64"],
  min: ["u32", "s32", "u64", "s64"], max: ["u32", "s32", "u64", "s64"],
}; // biome-ignore format: a table

const operation = (op: string, type: string): Conflict | undefined =>
  integerOps[op]?.includes(type) ? undefined : ["", `.${op}.${type}: .${op} is for .${integerOps[op]?.join(", .")}`];

const unordered = (op: string, type: string): Conflict | undefined =>
  op !== "add" && (type === "f32" || type === "f64") ? ["", `.${op}.${type}: it has .add alone`] : undefined;

const base: Since = { ptx: 81, sm: 90 };
const since = (type: Type): Since => ((eighths as readonly string[]).includes(type) ? specificToo : base);

/** The precision of the intermediate sum goes with types below it, and only a sum has one. */
const precision = (op: string, acc: string | undefined, type: string): Conflict | undefined => {
  if (acc === undefined) return undefined;
  if (op !== "add") return [acc, `.${op}: only .add has an intermediate sum`];
  const wanted = /^e[45]/.test(type) ? "acc::f16" : type.includes("f16") ? "acc::f32" : undefined;
  return acc === wanted ? undefined : [acc, `.${type}`];
};

/** A scope is that of a strong access, and a strong access has one. */
const weak = ({ weak = false, sem, scope }: Ordering): Conflict | undefined => {
  const other = sem ?? scope;
  if (weak && other !== undefined) return ["weak", `.${other}`];
  if (sem !== undefined && scope === undefined) return [sem, "no scope: it needs .cta, .cluster, .gpu or .sys"];
  return scope !== undefined && sem === undefined ? [scope, "no order: it needs .relaxed or the like"] : undefined;
};
interface Ordering {
  readonly weak?: boolean;
  readonly sem: string | undefined;
  readonly scope: string | undefined;
}

const plan = (
  act: "load" | "store" | "update",
  space: string | undefined,
  type: Type,
  {
    sem,
    scope,
  }: { readonly weak?: boolean; readonly sem: MemoryOrder | undefined; readonly scope: MemoryScope | undefined },
): Extract<Plan, { readonly shape: "multimem" }> => {
  const { packed, each } = packs(type);
  const bits = bitsOf(held[each]);
  if (bits === 128) throw new Error(`.${type}`);
  return {
    shape: "multimem",
    space: space === undefined ? "generic" : "global",
    act,
    bits,
    packed,
    sem: sem ?? (scope === undefined ? "weak" : "relaxed"),
    scope: scope ?? "gpu",
  };
};

/** How many numbers a type packs, and the type of one. */
const packs = (type: Type): { readonly packed: 1 | 2 | 4; readonly each: Type } => {
  const [, each = type, packed = "1"] = /^(.*?)(?:x([24]))?$/.exec(type) ?? [];
  return { packed: Number(packed) as 1 | 2 | 4, each: each as Type };
};
const before = argument("held");
const folds = { add: plus(before, b), min: min(before, b), max: max(before, b) } as const;
type Real = "f16" | "bf16" | "f32" | "f64" | "e4m3" | "e5m2";
const realOf = (type: FloatType): Real => packs(type).each as Real;
/** Types of eight bits cannot represent infinities: overflow becomes their greatest number. */
const into = (type: Real) => (type === "e4m3" || type === "e5m2" ? { satfinite: true } : {});

/**
 * How one more replica is combined with the result so far, in the type itself; add.f32 flushes subnormals as red
 * does.
 */
const foldOf = (op: "add" | "min" | "max", type: FloatType): Operation => {
  const each = realOf(type);
  return each === "f32" ? addFloat[0] : operationOf({ held: each, b: each }, each, round(each, into(each), folds[op]));
};

type Sum = Required<Pick<Extract<Plan, { readonly shape: "multimem" }>, "fold" | "begin" | "end">>;

/** A sum in a wider type, rounded once at the end. */
const summed = (type: FloatType, wide: "f32" | "f16"): Sum => {
  const each = realOf(type);
  return {
    begin: operationOf({ b: each }, wide, round(wide, {}, b)),
    fold: operationOf({ held: wide, b: each }, wide, round(wide, {}, plus(before, b))),
    end: operationOf({ held: wide }, each, round(each, into(each), before)),
  };
};

const order = [
  unspecified(
    "the replicas are added one after the other, the first one first, each sum rounded: the manual leaves the order open",
  ),
];
/** A snippet has no multimem memory: tests/unit/host/multicast.test.ts works these through. */
const never = (line: string) => ({
  snippet: `.reg .b64 g; .reg .b32 d; .reg .pred p; setp.ne.u32 p, 0, 0; @p ${line} mov.b32 d, 7;`,
  gives: { d: 7 },
});

export const multimems: readonly Form[] = [
  form("multimem.ld_reduce{.weak}{.sem}{.scope}{.ss}.op.type d, [a]", {
    where: { sem: ["relaxed", "acquire"], scope, ss, op: ["min", "max", "add", "and", "or", "xor"], type: integers },
    operands: ({ ss, type }) => ({ d: to(type), a: place(ss) }),
    since: base,
    conflict: (mods) => weak(mods) ?? operation(mods.op, mods.type),
    run: ({ ss, weak, sem, scope, op, type }) => ({
      ...plan("load", ss, type, { weak, sem, scope }),
      fold: scalarOps(op, type)[0],
    }),
    check: [never("multimem.ld_reduce.global.add.u32 d, [g];")],
  }),
  form("multimem.ld_reduce{.weak}{.sem}{.scope}{.ss}.op{.acc}{.vec}.type d, [a]", {
    where: {
      sem: ["relaxed", "acquire"],
      scope,
      ss,
      op: ["min", "max", "add"],
      acc: ["acc::f32", "acc::f16"],
      vec,
      type: floats,
    },
    operands: ({ ss, vec, type }) => ({ d: vector(vec, to(held[type])), a: place(ss) }),
    since: ({ acc, type }) => (acc === "acc::f32" && since(type) === base ? { ptx: 82, sm: 90 } : since(type)),
    conflict: (mods) =>
      weak(mods) ??
      unordered(mods.op, mods.type) ??
      precision(mods.op, mods.acc, mods.type) ??
      size(mods.vec, mods.type),
    run: ({ ss, weak, sem, scope, op, acc, type }) => ({
      ...plan("load", ss, type, { weak, sem, scope }),
      ...(acc === undefined ? { fold: foldOf(op, type) } : summed(type, acc === "acc::f32" ? "f32" : "f16")),
    }),
    check: [never("multimem.ld_reduce.global.add.f32 d, [g];")],
    facts: order,
  }),
  form("multimem.st{.weak}{.sem}{.scope}{.ss}.type [a], b", {
    where: { sem: ["relaxed", "release"], scope, ss, type: integers },
    operands: ({ ss, type }) => ({ a: place(ss), b: of(type) }),
    since: base,
    conflict: weak,
    run: ({ ss, weak, sem, scope, type }) => plan("store", ss, type, { weak, sem, scope }),
    check: [never("multimem.st.global.u32 [g], d;")],
  }),
  form("multimem.st{.weak}{.sem}{.scope}{.ss}{.vec}.type [a], b", {
    where: { sem: ["relaxed", "release"], scope, ss, vec, type: floats },
    operands: ({ ss, vec, type }) => ({ a: place(ss), b: vector(vec, of(held[type])) }),
    since: ({ type }) => since(type),
    conflict: (mods) => weak(mods) ?? size(mods.vec, mods.type),
    run: ({ ss, weak, sem, scope, type }) => plan("store", ss, type, { weak, sem, scope }),
    check: [never("multimem.st.global.f32 [g], d;")],
  }),
  form("multimem.red{.sem}{.scope}{.ss}.op.type [a], b", {
    where: { sem: ["relaxed", "release"], scope, ss, op: ["min", "max", "add", "and", "or", "xor"], type: integers },
    operands: ({ ss, type }) => ({ a: place(ss), b: of(type) }),
    since: base,
    conflict: (mods) => weak(mods) ?? operation(mods.op, mods.type),
    run: ({ ss, sem, scope, op, type }) => ({
      ...plan("update", ss, type, { sem: sem ?? "relaxed", scope: scope ?? "sys" }),
      fold: scalarOps(op, type)[0],
    }),
    check: [never("multimem.red.global.add.u32 [g], d;")],
  }),
  form("multimem.red{.sem}{.scope}{.ss}.op{.vec}.type [a], b", {
    where: { sem: ["relaxed", "release"], scope, ss, op: ["min", "max", "add"], vec, type: sums },
    operands: ({ ss, vec, type }) => ({ a: place(ss), b: vector(vec, of(held[type])) }),
    since: base,
    conflict: (mods) => {
      const { op, vec, type } = mods;
      // The manual has .add alone; ptxas takes vectors of the others.
      const alone = op !== "add" && vec === undefined && type.endsWith("x2");
      return weak(mods) ?? unordered(op, type) ?? (alone ? [op, `.${type} without .v2 or .v4`] : size(vec, type));
    },
    run: ({ ss, sem, scope, op, type }) => ({
      ...plan("update", ss, type, { sem: sem ?? "relaxed", scope: scope ?? "sys" }),
      fold: foldOf(op, type),
    }),
    check: [never("multimem.red.global.add.f32 [g], d;")],
  }),
];
