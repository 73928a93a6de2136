import { volume } from "../contract/dim3.ts";
import { reachOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import { reductionOf } from "../contract/plan/reduction.ts";
import type { Instruction, Program } from "../contract/program.ts";
import type { Session } from "../machine/session.ts";

/** Special registers that tell how far the whole launch has come. */
const isTime = (plan: Plan): boolean => plan.shape === "special" && /^(?:clock|globaltimer)/.test(plan.name);

/** An atomic that gives what was there in global memory, to somebody who wants it: the order of blocks decides that. */
const asksOthers = (program: Program, instruction: Instruction, observable: boolean): boolean => {
  const { plan } = instruction;
  if (plan.shape !== "atomic" || !plan.gives || plan.space !== "global") return false;
  return instruction.operands[0]?.kind !== "sink" && reductionOf(instruction, program, observable) === undefined;
};

/** Why the blocks of a program always run on one worker; "" when nothing in it says so. */
function programAlone(program: Program, observable: boolean): string {
  const { code, functions } = program;
  // An overlay sees all that one block has to do with another where they touch memory by checked loads and stores alone.
  const odd = code.find(({ plan }) => reachOf(plan) === "beyond" || hasFunctions(plan));
  if (odd !== undefined) return `${odd.opcode} reaches beyond its block`;
  const timed = code.find(({ plan }) => isTime(plan));
  if (timed !== undefined) return `${timed.opcode} reads the time`;
  const asking = code.find((instruction) => asksOthers(program, instruction, observable));
  if (asking !== undefined) return `${asking.opcode} depends on the order of blocks`;
  if (functions.some(({ entry }) => entry === "malloc" || entry === "free")) return "it uses the device heap";
  return "";
}

/** vISA's plans may have functions in them, which no message takes along. */
const hasFunctions = (plan: Plan): boolean => plan.shape === "branch" && plan.channels !== undefined;

/** Why a launch runs on one worker from the start; "" when others may help. */
export function launchAlone(session: Session): string {
  const { state } = session;
  if (state === undefined) return "it has not begun";
  const { options, context } = state;
  if (volume(options.grid) < 2) return "it has one block";
  if (options.cluster !== undefined) return "its blocks form clusters";
  if (options.workspace !== undefined) return "it is cooperative";
  if (options.schedule !== undefined) return "its order is drawn by a seed";
  if (options.moving !== undefined && options.moving.when !== "late") return "asynchronous data move at other times";
  if (session.isWatched) return "something listens to its instructions";
  if (!context.sanitize.mem) return "accesses are not checked";
  if (context.memory.supply !== undefined) return "it works on memory that is somebody else's";
  if (context.memory.linear.wasm === undefined) return "its memory cannot be shared";
  if (context.memory.multicasts.length > 0) return "the device has multimem memory";
  return programAlone(session.program, context.observable);
}
