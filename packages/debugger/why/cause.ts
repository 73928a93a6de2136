import type { Location } from "../../../src/source/diagnostic.ts";

/** A value by the name that its reader has for it: a register, an element of a buffer, a number in the text. */
export interface Shown {
  readonly name: string;
  /** An element type, or `pred`. */
  readonly type: string;
  /** Undefined where it cannot be read any more. */
  readonly bits: bigint | undefined;
  /** The place that it is the address of. */
  readonly points?: string;
}

/** An instruction that a thread executed. */
export interface Executed {
  /** Warp instructions of the launch before it. */
  readonly step: number;
  /** Linear indices of the block in the grid, and of the thread in the block. */
  readonly block: number;
  readonly thread: number;
  /** As messages name it: `thread (5,0,0) of block (0,0,0)`. */
  readonly who: string;
  readonly pc: number;
  readonly line: number;
  /** As it is written, on one line. */
  readonly text: string;
  /** The line that it was compiled from. */
  readonly location?: Location;
}

/** Where a value comes from. */
export type Origin =
  /** An instruction made it, of these operands. */
  | (Executed & {
      readonly kind: "step";
      readonly operands: readonly Shown[];
      /** What it computed, with the operands' values: `sqrt(-4.0)`. */
      readonly sum?: string;
      /** The address that it loaded from, as a formula: `x + %tid.x * 4`. */
      readonly address?: string;
      /** The whole result, where the value is a part of it. */
      readonly whole?: Shown;
      /** Why that gives what it does: `the root of a negative number`, `too large for f32`. */
      readonly note?: string;
    })
  /** It was there before the launch: memory, or a register that the caller has given a value. */
  | { readonly kind: "given" }
  | { readonly kind: "parameter" }
  | { readonly kind: "constant" }
  /** A special register, `%tid.x`. */
  | { readonly kind: "special" }
  /** Nothing has written it before it was read. */
  | { readonly kind: "nothing" }
  /** It was set by hand, in a debugger. */
  | { readonly kind: "hand"; readonly step: number }
  /** It is not followed further. */
  | { readonly kind: "unknown"; readonly why: string };

/** How a cause belongs to what it explains, where it is more than an operand. */
export type Role =
  /** It chose between two values, or let the instruction be executed. */
  | "choice"
  /** A branch by which the thread came to the instruction. */
  | "way"
  /** An address. */
  | "address"
  /** An instruction that would have written the value, had it been executed. */
  | "missed"
  /** An instruction that writes the value after it was read. */
  | "late";

/** A value, where it comes from, and the causes of that. */
export interface Cause {
  readonly value: Shown;
  readonly role?: Role;
  readonly origin: Origin;
  readonly because: readonly Cause[];
  /** Its causes were told before, where another cause comes from the same instruction. */
  readonly told?: true;
  /** Causes that are left out. */
  readonly more: number;
  /** Further executions of the same instructions behind this one, which are left out, down to line `from`. */
  readonly repeats?: { readonly times: number; readonly lines: readonly number[] };
}

/** The answer to `why`: the value or the problem that was asked for, and the chain of its causes. */
export interface Why {
  /** What was asked for, in words: `out[5]`, or a problem's message. */
  readonly subject: string;
  readonly causes: readonly Cause[];
  /** The instruction of a problem. */
  readonly at?: Executed;
}
