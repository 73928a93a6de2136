import type { MatrixOperation } from "../../../numeric/operation/matrix.ts";
import type { WarpOperation } from "../../../numeric/operation/warp.ts";
import { targetsOf } from "../../contract/control-flow.ts";
import type { Operand } from "../../contract/operand.ts";
import { endsRun } from "../../contract/plan/effects.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../../contract/program.ts";
import { watchedSteps } from "../../javascript/watched-steps.ts";
import { type LinesSite, linesSiteOf } from "../lanes/lines-code.ts";
import { type StridedSite, stridedSiteOf } from "../lanes/strided-lines-code.ts";
import { type Calling, callingOf } from "./call-site.ts";

/**
 * A basic block: lanes diverge only at its end. A group may wait in the middle of one, because its scheduling turn
 * ended there, and another group may reconverge with it there.
 */
export interface Block {
  readonly number: number;
  /** The first instruction, and the one behind the last that is a step. */
  readonly start: number;
  readonly end: number;
  /** The control instruction at `end`, if compiled code can execute it. */
  readonly control: BlockControl | undefined;
}

/** What a barrier does with the votes of its threads. */
export type Reduction = Exclude<PlanOf<"barrier">["act"], "sync" | "arrive">;

/**
 * A branch to one place, the end of threads, a barrier of the block, without votes or with them, an operation among lanes, a
 * call or its end, or a product or a move of matrices by the warp.
 */
export type BlockControl =
  | { readonly kind: "branch"; readonly target: number; readonly guard: Instruction["guard"] }
  | { readonly kind: "exit"; readonly guard: Instruction["guard"] }
  | {
      readonly kind: "barrier";
      readonly passes: boolean;
      readonly number: Operand;
      readonly count: Operand | undefined;
      readonly guard: Instruction["guard"];
    }
  | {
      readonly kind: "reduction";
      readonly act: Reduction;
      readonly d: Operand;
      readonly number: Operand;
      readonly vote: Operand;
      readonly guard: Instruction["guard"];
    }
  | { readonly kind: "call"; readonly calling: Calling; readonly guard: Instruction["guard"] }
  | { readonly kind: "return"; readonly guard: Instruction["guard"] }
  | {
      readonly kind: "multiply";
      readonly op: MatrixOperation;
      readonly operands: Instruction["operands"];
      readonly guard: Instruction["guard"];
    }
  | {
      readonly kind: "among";
      readonly op: WarpOperation;
      readonly operands: Instruction["operands"];
      readonly guard: Instruction["guard"];
    }
  | { readonly kind: "lines"; readonly site: LinesSite; readonly guard: Instruction["guard"] }
  | { readonly kind: "strided lines"; readonly site: StridedSite; readonly guard: Instruction["guard"] };

/** Instructions of a block at most: engines take long to compile a large function. */
const LONGEST = 256;

/** Cuts a program into blocks, in order of pc; control instructions outside of them are executed by JavaScript. */
export function blocksOf(program: Program): readonly Block[] {
  const { code, functions } = program;
  const leaders = new Uint8Array(code.length + 1);
  leaders[0] = 1;
  const watched = watchedSteps(program);
  for (const { entry } of functions) if (typeof entry === "number") leaders[entry] = 1;
  // Behind a control instruction the loop below begins a block anyway.
  for (const instruction of code) for (const target of targetsOf(instruction)) leaders[target] = 1;
  const blocks: Block[] = [];
  for (let pc = 0; pc < code.length; ) {
    const start = pc;
    const most = Math.min(code.length, start + LONGEST);
    while (pc < most && !endsRun(code[pc]!.plan) && (pc === start || leaders[pc] === 0)) pc++;
    const end = pc;
    // A control instruction that is a branch target begins a new block.
    const controlled = end < most && endsRun(code[end]!.plan) && (end === start || leaders[end] === 0);
    const control = controlled && !watched(end) ? controlOf(code[end]!, end, program) : undefined;
    if (end > start || control !== undefined) blocks.push({ number: blocks.length, start, end, control });
    if (controlled) pc = end + 1;
  }
  return blocks;
}

/** Instructions of a block. */
export const lengthOf = ({ start, end, control }: Block): number => end - start + (control === undefined ? 0 : 1);

/** The pc of a block's last instruction. */
export const lastOf = ({ end, control }: Block): number => (control === undefined ? end - 1 : end);

function controlOf(instruction: Instruction, pc: number, program: Program): BlockControl | undefined {
  const { plan, operands, guard } = instruction;
  const [first, second] = operands;
  switch (plan.shape) {
    case "branch":
      if (plan.channels !== undefined || first?.kind !== "target") return undefined;
      return { kind: "branch", target: first.pc, guard };
    case "exit":
      return plan.channels === undefined ? { kind: "exit", guard } : undefined;
    case "return":
      if (plan.channels !== undefined) return undefined;
      // The kernel itself has no caller to return to.
      return { kind: isOfKernel(pc, program) ? "exit" : "return", guard };
    case "call": {
      if (plan.channels !== undefined) return undefined;
      const calling = callingOf(instruction, pc, program);
      return calling && { kind: "call", calling, guard };
    }
    case "barrier":
      if (plan.act !== "sync" && plan.act !== "arrive") {
        const [d, number, vote, counted] = operands as [Operand, Operand, Operand, Operand?];
        return counted === undefined ? { kind: "reduction", act: plan.act, d, number, vote, guard } : undefined;
      }
      if (first === undefined) return undefined;
      return { kind: "barrier", passes: plan.act === "arrive", number: first, count: second, guard };
    case "warp":
      return { kind: "among", op: plan.op, operands, guard };
    case "multiply":
      return { kind: "multiply", op: plan.op, operands, guard };
    case "load lines":
    case "store lines": {
      const act = plan.shape === "load lines" ? "load" : "store";
      const site = linesSiteOf(act, plan.lines, operands);
      if (site !== undefined) return { kind: "lines", site, guard };
      const strided = stridedSiteOf(act, plan, operands);
      return strided && { kind: "strided lines", site: strided, guard };
    }
    default:
      return undefined;
  }
}

/** The kernel's own code comes before that of its functions. */
const isOfKernel = (pc: number, { functions }: Program): boolean =>
  functions.every(({ entry }) => typeof entry === "string" || pc < entry);
