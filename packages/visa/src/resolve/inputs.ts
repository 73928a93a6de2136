import type {
  AssumedSize,
  SamplerTable,
  SimdFact,
  SimdFill,
  SimdInput,
  SurfaceTable,
} from "../../../../src/interp/contract/launch/simd.ts";
import type { Parameter } from "../../../../src/interp/contract/program.ts";
import type * as ast from "../ast.ts";
import { bytesOfType } from "../type.ts";
import type { Symbols } from "./symbols.ts";

/** The launch inputs of a kernel. */
export interface Inputs {
  readonly parameters: readonly Parameter[];
  readonly parameterBytes: number;
  readonly inputs: readonly SimdInput[];
  readonly fills: readonly SimdFill[];
  readonly assumed: readonly AssumedSize[];
  /** Parameters that are offsets into local memory. */
  readonly locals: readonly number[];
  readonly surfaces?: SurfaceTable["entries"];
  readonly samplers?: SamplerTable["entries"];
}

/** What the inputs follow from, besides their lines. */
export interface InputFacts {
  /** Work-items of a thread. */
  readonly width: number;
  /** Bytes of a register. */
  readonly grf: number;
  /** Bytes of ids that each thread has of its own, where the kernel says it. */
  readonly perThread: number | undefined;
  readonly usesLocal: boolean;
  /** Variables that hold the handle of a surface. */
  readonly handles: ReadonlySet<string>;
}

/** An `.input` and the variable that it fills. */
export interface Place {
  readonly name: ast.Name;
  readonly implicit?: string;
  /** In the payload, where register 0 is at 0. */
  readonly at: number;
  readonly type: ast.Type;
  readonly elements: number;
  readonly bytes: number;
  /** Where the variable is: a byte of another one for an alias. */
  readonly variable: string;
  readonly offset: number;
}

export const placesOf = (inputs: readonly ast.Input[], symbols: Symbols): readonly Place[] =>
  inputs.flatMap(({ variable: name, implicit, offset: at }): Place[] => {
    const found = symbols.find(name.text);
    if (found?.kind !== "variable") return [];
    const { type, elements, root: variable, offset } = found;
    const bytes = elements * bytesOfType(type);
    return [{ name, ...(implicit === undefined ? {} : { implicit }), at, type, elements, bytes, variable, offset }];
  });

/** Bytes of the ids along one axis: words, in whole registers. */
const axisBytes = ({ width, grf }: Pick<InputFacts, "width" | "grf">): number => Math.ceil((2 * width) / grf) * grf;

/** Ids of work-items, an axis after the other; they begin at the first register, if nothing else is known. */
export function localIds({ at, elements, variable, offset }: Place, facts: InputFacts, start = facts.grf): SimdFill {
  const size = axisBytes(facts);
  const behind = at - start;
  const first = (behind % size) / 2;
  const axis = Math.floor(behind / size) as 0 | 1 | 2;
  const count = Math.max(0, Math.min(elements, facts.width - first));
  return { variable, offset, bytes: 2, count, of: "local id", axis, first };
}

/** Three dwords with a size along x, y and z. */
export const axes = ({ variable, offset }: Place, of: SimdFact): SimdFill => ({
  variable,
  offset,
  bytes: 4,
  count: 3,
  of,
});

/** Surfaces that an argument's handle selects stand behind those of the binding table, in their order. */
export const surfaceOf = (order: number): number => 256 + order;

/** The number by which a message selects a surface: surface states are 64 bytes apart. */
export const handleOf = (surface: number): number => 64 * surface;
