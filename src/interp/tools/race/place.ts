import { touchesWithin } from "../../contract/plan/effects.ts";
import type { Program } from "../../contract/program.ts";

/** A named range of memory's buffer. */
export interface NamedRange {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Bytes of an element, where two instructions access elements of one size. */
function elementOf({ code }: Program, pcs: readonly number[]): number | undefined {
  const sizes = new Set(pcs.flatMap((pc) => touchesWithin(code[pc]!.plan).map(({ bytes }) => bytes)));
  const [size, ...others] = sizes;
  return others.length === 0 ? size : undefined;
}

/** A byte of memory's buffer, in `owner`, as an element of what two instructions access: `shared tile[3]`. */
export function elementAt(
  at: number,
  shared: boolean,
  program: Program,
  owner: NamedRange | undefined,
  pcs: readonly number[],
): string {
  const space = shared ? "shared" : "global";
  if (owner === undefined) return `${space} memory`;
  const offset = at - owner.start;
  const variable = shared
    ? program.variables.findLast((each) => each.space === "shared" && each.offset <= offset)
    : { name: owner.name, offset: 0, bytes: owner.end - owner.start };
  if (variable === undefined) return `byte ${offset} of shared memory`;
  const within = offset - variable.offset;
  // An array of dynamic shared memory has no bytes of its own.
  if (variable.bytes > 0 && within >= variable.bytes) return `byte ${offset} of shared memory`;
  const bytes = elementOf(program, pcs);
  if (bytes === undefined) return `byte ${within} of ${space} ${variable.name}`;
  if (variable.bytes === bytes) return `${space} ${variable.name}`;
  return `${space} ${variable.name}[${Math.floor(within / bytes)}]`;
}
