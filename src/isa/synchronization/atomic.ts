import type { MemoryScope } from "../../interp/contract/memory-consistency.ts";
import type { Plan } from "../../interp/contract/plan/plan.ts";
import { argument, b, c, operation, relation, select, wrap } from "../../numeric/operation/build.ts";
import type { Operation } from "../../numeric/operation/operation.ts";
import { bitsOf, type InstructionType, of, to } from "../form/classes.ts";
import type { Conflict, Since } from "../form/define.ts";
import { access } from "../form/memory-access.ts";
import type { AddressClass, RegisterClass, VectorClass } from "../form/operands.ts";
import { least } from "../form/since.ts";
import { addFloat, halfOp, type UpdateName } from "../form/updates.ts";

export { scalarOps } from "../form/updates.ts";

/** What atom and red have in common: spaces, operations and their types, and since when each of them is there. */
export const spaces = ["global", "shared", "shared::cta", "shared::cluster"] as const;
export const scopes = ["cta", "cluster", "gpu", "sys"] as const;
/** Vectors lie in global memory only. */
export const globalOnly = ["global"] as const;
export const scalarTypes = ["b32", "b64", "u32", "u64", "s32", "s64", "f32", "f64"] as const;
export const halfTypes = ["f16", "f16x2", "bf16", "bf16x2"] as const;

/** What keeps subnormals (.noftz): the operations of halves, each on its own, and add.f32 as in shared memory. */
export const unflushed = (op: "add" | "min" | "max", type: (typeof halfTypes)[number] | "f32"): Operation =>
  type === "f32" ? addFloat[1] : halfOp(op, type);
/** add.f32 on vectors: with `.noftz` the same in all spaces. */
export const vectorAdd = (noftz: boolean): readonly [Operation, Operation?] => (noftz ? [addFloat[1]] : addFloat);
/** `.noftz` of f32 is younger than that of halves (PTX ISA 9.4, atom: PTX ISA Notes). */
export const sinceUnflushed = (type: InstructionType): Since | undefined =>
  type === "f32" ? { ptx: 94, sm: 90 } : undefined;

export type AtomicSpace = (typeof spaces)[number];
type AtomicName = UpdateName | "cas";

/** Which types each operation has (PTX ISA, atom). */
const typesOf: Readonly<Record<AtomicName, readonly InstructionType[]>> = {
  and: ["b32", "b64"],
  or: ["b32", "b64"],
  xor: ["b32", "b64"],
  exch: ["b32", "b64"],
  cas: ["b16", "b32", "b64", "b128"],
  add: ["u32", "s32", "u64", "f32", "f64"],
  inc: ["u32"],
  dec: ["u32"],
  min: ["u32", "s32", "u64", "s64"],
  max: ["u32", "s32", "u64", "s64"],
};

/** An operation without the type that is written. */
export const operationConflict = ({
  op,
  type,
}: {
  readonly op: AtomicName;
  readonly type: InstructionType;
}): Conflict | undefined =>
  typesOf[op].includes(type) ? undefined : ["", `.${op}.${type}: .${op} is for .${typesOf[op].join(", .")}`];

/** Advice to the L2 cache is for global memory. */
export const hintConflict = ({
  space,
  hint,
}: {
  readonly space: string | undefined;
  readonly hint: string | undefined;
}): Conflict | undefined =>
  hint === undefined || space === undefined || space === "global"
    ? undefined
    : [hint, `.${space}: it is for global memory`];

interface Ordering {
  readonly sem: "relaxed" | "acquire" | "release" | "acq_rel" | undefined;
  readonly scope: MemoryScope | undefined;
}

/** The plan of one operation; `shared` is its operation in shared memory where that differs. */
export function atomic(
  { sem = "relaxed", scope = "gpu", space }: Ordering & { readonly space: AtomicSpace | undefined },
  type: InstructionType,
  gives: boolean,
  op: Operation,
  shared?: Operation,
): Plan {
  const bits = bitsOf(type);
  if (bits === 8) throw new Error(`.${type} has no atomics`);
  return {
    shape: "atomic",
    space: access(space),
    op,
    bits,
    gives,
    sem,
    scope,
    ...(shared === undefined ? {} : { shared }),
  };
}

const held = argument("held");

/** cas: c where memory holds b, else what was there. */
export const swapOp = (type: "b16" | "b32" | "b64" | "b128"): Operation =>
  operation({ held: type, b: type, c: type }, type, wrap(type, select(relation("eq", held, b), c, held)));

/** Results of both: `d` for atom, `_` where it is unused. */
export const result = (type: InstructionType): RegisterClass => to(type, { sink: true });
export const input = (type: InstructionType): RegisterClass =>
  of(type, type === "b16" || type === "b32" || type === "b64" ? { immediate: "bits" } : {});
export const place = (space: AtomicSpace | undefined): AddressClass => ({ kind: "address", space: access(space) });
export const vectorOf = (vec: "v2" | "v4" | "v8", part: RegisterClass): VectorClass => ({
  kind: "vector",
  count: Number(vec.slice(1)) as 2 | 4 | 8,
  of: part,
});
/** Packed pairs make vectors of at most four. */
export const packedConflict = ({ vec, type }: { readonly vec: string; readonly type: string }): Conflict | undefined =>
  vec === "v8" && type.endsWith("x2") ? [vec, `.${type}: a vector holds at most 128 bits`] : undefined;

interface Words {
  readonly space?: AtomicSpace | undefined;
  readonly sem?: string | undefined;
  readonly scope?: string | undefined;
  readonly hint?: string | undefined;
  readonly vec?: string;
}

/** Every word, the operation with its type, and the window have minimum versions. */
export function sinceAtomic(words: Words, op: AtomicName, type: InstructionType): Since {
  const { space, sem, scope, hint, vec } = words;
  return least(
    ...[space, sem, hint],
    scope !== undefined && { ptx: 50, sm: 60 },
    scope === "cluster" && scope,
    scope === "sys" && type === "b128" && { ptx: 84, sm: 90 },
    vec !== undefined && { ptx: 81, sm: 90 },
    needOf(op, type, space),
  );
}

function needOf(op: AtomicName, type: InstructionType, space: AtomicSpace | undefined): Since {
  switch (type) {
    case "b128":
      return { ptx: 83, sm: 90 };
    case "bf16":
    case "bf16x2":
      return { ptx: 78, sm: 90 };
    case "f16":
    case "b16":
      return { ptx: 63, sm: 70 };
    case "f16x2":
      return { ptx: 62, sm: 60 };
    case "f64":
      return { ptx: 50, sm: 60 };
    case "f32":
      return { ptx: 20, sm: 20 };
    default:
  }
  const wide = bitsOf(type) === 64;
  if (wide && op !== "add" && op !== "exch" && op !== "cas") return { ptx: 31, sm: 32 };
  if (space === "global") return wide ? { ptx: 12, sm: 12 } : { ptx: 10, sm: 11 };
  return wide || space === undefined ? { ptx: 20, sm: 20 } : { ptx: 10, sm: 12 };
}
