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

/** What a plan does, and what an instruction does with its operands, as the table of shapes has it. */

const told = <T>(fact: Fact<Plan, T>, plan: Plan): T =>
  typeof fact === "function" ? (fact as (plan: Plan) => T)(plan) : fact;

/** How many operands an instruction writes; they stand before those that it reads, holes included. */
export const writtenBy = (plan: Plan): number => told(entryOf(plan).writes, plan);

export const readsCarry = (plan: Plan): boolean => told(entryOf(plan).carry, plan).reads;
export const writesCarry = (plan: Plan): boolean => told(entryOf(plan).carry, plan).writes;

export const touchesOf = (plan: Plan): readonly PlannedAccess[] => told(entryOf(plan).touches, plan);
/** The same with what the plans touch that it consists of. */
export const touchesWithin = (plan: Plan): readonly PlannedAccess[] => [
  ...touchesOf(plan),
  ...told(entryOf(plan).within, plan).flatMap(touchesWithin),
];
export const fenceOf = (plan: Plan): PlannedFence | undefined => told(entryOf(plan).fence, plan);
export const fencedProxyOf = (plan: Plan): FencedProxy | undefined => told(entryOf(plan).fencedProxy, plan);

/** Bytes that one lane touches. */
export const bytesTouched = ({ bytes, data }: PlannedAccess, operands: readonly (Operand | undefined)[]): number =>
  data === undefined ? bytes : bytes * elements(operands[data]).length;

/** What it does to the memory of images, which a handle leads to. */
export const imagesOf = (plan: Plan): "reads" | "writes" | undefined => told(entryOf(plan).images, plan);

/** The operand that is an address in the plan's space, whether the plan touches that memory or only names it. */
export const addressOperand = (plan: Plan): number | undefined => touchesOf(plan)[0]?.address ?? entryOf(plan).names;

/** Whose lanes it meets, and where it waits, waits for. */
export const meetingOf = (plan: Plan): Meeting | undefined => entryOf(plan).meets;

/** True for what threads arrive at or wait at: a barrier of the block or of the cluster. */
export function isBarrier(plan: Plan): boolean {
  const meets = meetingOf(plan);
  return meets !== undefined && barriers[meets];
}
const barriers: Readonly<Record<Meeting, boolean>> = { lanes: false, block: true, cluster: true };

/** Where the lanes that execute it go. */
export const nextOf = (plan: Plan): Next => entryOf(plan).next;

/** True for what reads shared memory by the async proxy. */
export const readsByAsyncProxy = (plan: Plan): boolean => entryOf(plan).proxy === "async";

/** True when asynchronous operations happen while it runs. */
export const settles = (plan: Plan): boolean => entryOf(plan).settles;

/** How far it goes. */
export const reachOf = (plan: Plan): ShapeFacts<Plan>["reach"] => entryOf(plan).reach;

/** True when one thread can execute it by itself, beside its program. */
export const isAlone = (plan: Plan): boolean => entryOf(plan).alone;

/** By where lanes go: whether they come to the next instruction, and whether those of one warp may go apart. */
const ways: Readonly<Record<Next, { readonly on: boolean; readonly part: boolean }>> = {
  on: { on: true, part: false },
  targets: { on: false, part: true },
  callee: { on: true, part: true },
  caller: { on: false, part: true },
  exit: { on: false, part: false },
  fault: { on: false, part: false },
};

/** True when lanes of one warp may be at different places behind it. */
export const mayPart = (plan: Plan): boolean => ways[nextOf(plan)].part;

/** True when a lane may come to the instruction behind it. */
export const goesOn = ({ plan, guard }: Instruction): boolean =>
  guard !== undefined || told(entryOf(plan).selects, plan) || ways[nextOf(plan)].on;

/** True when every lane that comes to it leaves the kernel or the function there. */
export const leaves = (instruction: Instruction): boolean =>
  !goesOn(instruction) && (nextOf(instruction.plan) === "exit" || nextOf(instruction.plan) === "caller");

/** True for what ends a straight run: control, and what all of a warp does together. */
export const endsRun = (plan: Plan): boolean => entryOf(plan).kind !== "step";

/** A plan that is a step of a straight run, one of all threads of a warp together, or control. */
export const isControl = (plan: Plan): plan is Plan & { shape: ControlShape } => entryOf(plan).kind === "control";
export const isCollective = (plan: Plan): plan is Plan & { shape: CollectiveShape } =>
  entryOf(plan).kind === "collective";
export const isHold = (plan: Plan): plan is Plan & { shape: HoldShape } => entryOf(plan).kind === "hold";
export const isStep = (plan: Plan): plan is Plan & { shape: StepShape } => entryOf(plan).kind === "step";

/** True when its results follow from the bits of its operands, and CC.CF, alone. */
export const isComputed = (plan: Plan): plan is Plan & { shape: ComputedShape } => entryOf(plan).says === "computed";

/** What its first operand gets of those that it reads, where one operation says that. */
export const operationOf = (plan: Plan): Operation | undefined => told(entryOf(plan).operation, plan);

/** What it does, in one line; nothing for what is computed, which its operation says. */
export const sayingOf = (plan: Plan): string => told(entryOf(plan).says, plan);

/** True for what needs tensor memory: all of tcgen05. */
export const usesTensorMemory = (plan: Plan): boolean => entryOf(plan).tensor;
