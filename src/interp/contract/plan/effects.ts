import type { Operation } from "../../../numeric/operation/operation.ts";
import type { FencedProxy, PlannedFence } from "../memory-consistency.ts";
import { elements, type Operand } from "../operand.ts";
import type { Instruction } from "../program.ts";
import type { Plan } from "./plan.ts";
import type { Fact, Meeting, Next, PlannedAccess, ShapeFacts } from "./shapes/shape-facts.ts";
import {
  type CollectiveShape,
  type ComputedShape,
  type ControlShape,
  entryOf,
  type HoldShape,
  type StepShape,
} from "./shapes.ts";

/** Properties of a plan, and of an instruction's operands, from the table of shapes. */

const factOf = <T>(fact: Fact<Plan, T>, plan: Plan): T =>
  typeof fact === "function" ? (fact as (plan: Plan) => T)(plan) : fact;

/** How many operands an instruction writes; they come before those that it reads, holes included. */
export const writtenBy = (plan: Plan): number => factOf(entryOf(plan).writes, plan);

export const readsCarry = (plan: Plan): boolean => factOf(entryOf(plan).carry, plan).reads;
export const writesCarry = (plan: Plan): boolean => factOf(entryOf(plan).carry, plan).writes;

export const touchesOf = (plan: Plan): readonly PlannedAccess[] => factOf(entryOf(plan).touches, plan);
/** The same, including the accesses of the plans inside it. */
export const touchesWithin = (plan: Plan): readonly PlannedAccess[] => [
  ...touchesOf(plan),
  ...factOf(entryOf(plan).within, plan).flatMap(touchesWithin),
];
export const fenceOf = (plan: Plan): PlannedFence | undefined => factOf(entryOf(plan).fence, plan);
export const fencedProxyOf = (plan: Plan): FencedProxy | undefined => factOf(entryOf(plan).fencedProxy, plan);

/** Bytes that one lane touches. */
export const bytesTouched = ({ bytes, data }: PlannedAccess, operands: readonly (Operand | undefined)[]): number =>
  data === undefined ? bytes : bytes * elements(operands[data]).length;

/** How it accesses the memory of images, through a handle. */
export const imagesOf = (plan: Plan): "reads" | "writes" | undefined => factOf(entryOf(plan).images, plan);

/** The operand that is an address in the plan's space, whether the plan touches that memory or only names it. */
export const addressOperand = (plan: Plan): number | undefined => touchesOf(plan)[0]?.address ?? entryOf(plan).names;

/** The lanes that it synchronises with; where it waits, it waits for them. */
export const meetingOf = (plan: Plan): Meeting | undefined => entryOf(plan).meets;

/** True for instructions that arrive or wait at a barrier of the block or of the cluster. */
export function isBarrier(plan: Plan): boolean {
  const meets = meetingOf(plan);
  return meets !== undefined && barriers[meets];
}
const barriers: Readonly<Record<Meeting, boolean>> = { lanes: false, block: true, cluster: true };

/** Where the lanes that execute it continue. */
export const nextOf = (plan: Plan): Next => entryOf(plan).next;

/** True for an instruction that reads shared memory by the async proxy. */
export const readsByAsyncProxy = (plan: Plan): boolean => entryOf(plan).proxy === "async";

/** Whether some instruction of a program does, so that it matters who has written what. */
export const hasProxies = ({ code }: { readonly code: readonly { readonly plan: Plan }[] }): boolean =>
  code.some(({ plan }) => readsByAsyncProxy(plan));

/** True when asynchronous operations happen while it runs. */
export const completesAsync = (plan: Plan): boolean => entryOf(plan).completesAsync;

/** What it may affect: registers, the block, or more. */
export const reachOf = (plan: Plan): ShapeFacts<Plan>["reach"] => entryOf(plan).reach;

/** True when one thread can execute it by itself, beside its program. */
export const isAlone = (plan: Plan): boolean => entryOf(plan).alone;

/** By kind of continuation: whether lanes come to the next instruction, and whether lanes of one warp may diverge. */
const ways: Readonly<Record<Next, { readonly on: boolean; readonly part: boolean }>> = {
  on: { on: true, part: false },
  targets: { on: false, part: true },
  callee: { on: true, part: true },
  caller: { on: false, part: true },
  exit: { on: false, part: false },
  fault: { on: false, part: false },
};

/** True when lanes of one warp may be at different pcs behind it. */
export const mayPart = (plan: Plan): boolean => ways[nextOf(plan)].part;

/** True when a lane may come to the instruction behind it. */
export const goesOn = ({ plan, guard }: Instruction): boolean =>
  guard !== undefined || factOf(entryOf(plan).selects, plan) || ways[nextOf(plan)].on;

/** True when every lane that executes it leaves the kernel or the function. */
export const leaves = (instruction: Instruction): boolean =>
  !goesOn(instruction) && (nextOf(instruction.plan) === "exit" || nextOf(instruction.plan) === "caller");

/** True for the end of a straight-line region: control, and what all of a warp does together. */
export const endsRun = (plan: Plan): boolean => entryOf(plan).kind !== "step";

/** The kinds of plans, as type guards. */
export const isControl = (plan: Plan): plan is Plan & { shape: ControlShape } => entryOf(plan).kind === "control";
export const isCollective = (plan: Plan): plan is Plan & { shape: CollectiveShape } =>
  entryOf(plan).kind === "collective";
export const isHold = (plan: Plan): plan is Plan & { shape: HoldShape } => entryOf(plan).kind === "hold";
export const isStep = (plan: Plan): plan is Plan & { shape: StepShape } => entryOf(plan).kind === "step";

/** True when its results follow from the bits of its operands, and CC.CF, alone. */
export const isComputed = (plan: Plan): plan is Plan & { shape: ComputedShape } => entryOf(plan).says === "computed";

/** The operation that computes its first operand from those that it reads, if there is one. */
export const operationOf = (plan: Plan): Operation | undefined => factOf(entryOf(plan).operation, plan);

/** What it does, in one line; empty for computed plans, whose operation says it. */
export const sayingOf = (plan: Plan): string => factOf(entryOf(plan).says, plan);

/** True for instructions that need tensor memory: all of tcgen05. */
export const usesTensorMemory = (plan: Plan): boolean => entryOf(plan).tensor;
