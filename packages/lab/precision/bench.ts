import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { Space } from "../../../src/interp/contract/space.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import type { Misuse } from "./integers.ts";
import type { Passed, ShadowMemory } from "./memory.ts";
import type { WarpShadows } from "./registers.ts";
import type { Thread } from "./shadow.ts";

/** One warp, and the shadows of its registers. */
export interface Place {
  readonly warp: Warp;
  readonly shadows: WarpShadows;
}

/** What happens to shadows in an instruction, before it runs and behind it, for the lanes that pass its guard. */
export interface Step {
  before?(place: Place, taken: number): void;
  /** `where`: by lane, the place of its access in the memory's buffer. */
  after?(place: Place, taken: number, where: Int32Array): void;
}

/** What steps share: memory, and who wants to know of what they find. */
export interface Bench {
  readonly program: Program;
  readonly memory: ShadowMemory;
  /** What is stored where observers see no memory: in the parameters of calls. */
  readonly passed: Passed;
  /** Whether some instruction stores bytes or halves of words, which counters may outgrow. */
  readonly counts: boolean;
  readonly misuse: Misuse;
  /** The place in the memory's buffer that a thread's address leads to. */
  readonly find: (space: Space, address: Operand, thread: Thread, bytes: number) => number | undefined;
  readonly bits: (where: number, bytes: number) => readonly [low: number, high: number];
  /** Exact values would have been compared, or rounded to an integer, another way. */
  readonly decided: (pc: number, thread: Thread, value: number, exact: number) => void;
}
