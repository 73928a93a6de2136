import type { Project } from "../../page/client.ts";

/** A worked check of the table as a project that anybody can run, and what must come out of it. */
export interface Example {
  readonly project: Project;
  /** What holds after the run, in the order in which the table has it. */
  readonly gives: readonly Gives[];
  /** How the instruction reads registers, where that says more than their declaration: `bf16x2` of a `.b32`. */
  readonly types: Readonly<Record<string, string>>;
}

/** What a place holds after the run. */
export type Gives =
  | { readonly kind: "register"; readonly name: string; readonly bits: bigint }
  | { readonly kind: "carry"; readonly value: 0 | 1 }
  /** Elements at the beginning of a buffer. */
  | { readonly kind: "buffer"; readonly name: string; readonly type: string; readonly bits: readonly bigint[] };

/** The fields of a launch that nobody has filled in. */
export const noInputs: Project["inputs"] = { entry: "", grid: "", block: "", values: {}, race: false };

export const hex = (bits: number | bigint): string => `0x${BigInt(bits).toString(16)}`;
