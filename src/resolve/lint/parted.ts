import { type ControlFlow, controlFlowOf, targetsOf } from "../../interp/contract/control-flow.ts";
import { isBarrier, isCollective, leaves, meetingOf } from "../../interp/contract/plan/effects.ts";
import type { Instruction, Program } from "../../interp/contract/program.ts";
import { warpKey } from "../../numeric/operation/warp.ts";
import type { Diagnostic, Help } from "../../source/diagnostic.ts";
import { joinsOf, upTo } from "./joins.ts";
import { RegistersOfThreads, type ThreadValues } from "./thread-values.ts";

/**
 * Warnings for what threads do together and come to apart: a barrier of the block (PTX9101), an instruction among the
 * lanes of a membermask (PTX9102), one of all lanes of a warp (PTX9103). Threads part where a condition differs among
 * them in every draw. Threads that leave instead of coming are no reason: nobody waits for them.
 */
export function partedThreads(program: Program): readonly Diagnostic[] {
  const { code } = program;
  const meetings = code.flatMap((instruction, pc) => (isMeeting(instruction) ? [pc] : []));
  if (meetings.length === 0 || !code.some(({ guard }) => guard !== undefined)) return [];
  const flow = controlFlowOf(code);
  const joins = joinsOf(flow);
  const registers = new RegistersOfThreads(program, flow);
  // A branch that asks which lanes are together keeps the others away from what takes all of them.
  const asks = code.some(({ plan }) => plan.shape === "special" && plan.name === "activemask");
  const found = new Map<number, Diagnostic>();
  const judge = (pc: number, parting: Parting): void => {
    const finding =
      found.has(pc) || (asks && code[pc]!.plan.shape === "warp") ? undefined : judged(pc, parting, program, registers);
    if (finding !== undefined) found.set(pc, finding);
  };
  for (const pc of meetings) {
    const { guard } = code[pc]!;
    if (guard !== undefined)
      judge(pc, { at: pc, values: registers.guard(guard, pc), leaving: false, equal: hasEqualBeside(pc, flow, code) });
  }
  let visits = 0;
  for (const [pc, instruction] of code.entries()) {
    const { guard, plan } = instruction;
    const [target] = targetsOf(instruction);
    if (guard === undefined || plan.shape !== "branch" || target === undefined || visits > MOST_VISITS) continue;
    const block = flow.blockOf[pc]!;
    const join = joins[block]!;
    const first = join === -1 ? undefined : code[flow.starts[join]!];
    const [taken, other] = sides([target, pc + 1], join, flow);
    visits += taken.size + other.size;
    const within = (side: ReadonlySet<number>) => meetings.filter((each) => side.has(flow.blockOf[each]!));
    const [inTaken, inOther] = [within(taken), within(other)];
    if (inTaken.length + inOther.length === 0) continue;
    const values = registers.guard(guard, pc);
    if (values === undefined) continue;
    const leaving = first === undefined || leaves(first);
    // Where other ways lead to it as well, conditions of theirs may keep threads of this one away.
    const around = upTo(block, 0, flow);
    const again = flow.successors[block]!.includes(block);
    const behind = (pc: number) => (flow.blockOf[pc] === block ? again : !around.has(flow.blockOf[pc]!));
    const judgeSide = (side: readonly number[], values: ThreadValues | undefined, others: readonly number[]) => {
      for (const each of side.filter(behind)) {
        const equals = others.filter((other) => isEqual(code[other]!, code[each]!, program));
        if (equals.every(behind)) judge(each, { at: pc, values, leaving, equal: equals.length > 0 });
      }
    };
    judgeSide(inTaken, values, inOther);
    judgeSide(inOther, registers.guard({ ...guard, negated: !guard.negated }, pc), inTaken);
  }
  return [...found.values()];
}

/** Blocks that are looked at for one function. */
const MOST_VISITS = 2_000_000;

/** Where threads part, and which of them come to the instruction in question. */
interface Parting {
  readonly at: number;
  readonly values: ThreadValues | undefined;
  /** The others come to an equal instruction, before they join these again. */
  readonly equal: boolean;
  /** They do not join these again, but leave. */
  readonly leaving: boolean;
}

/** What is reached by one way and not by the other, before both join. */
function sides(
  from: readonly [number, number],
  join: number,
  flow: ControlFlow,
): readonly [ReadonlySet<number>, ReadonlySet<number>] {
  const [a, b] = from.map((pc) => {
    const block = flow.blockOf[pc];
    return block === undefined ? new Set<number>() : upTo(join, block, flow);
  }) as [ReadonlySet<number>, ReadonlySet<number>];
  const without = (side: ReadonlySet<number>, other: ReadonlySet<number>) =>
    new Set([...side].filter((block) => !other.has(block)));
  return [without(a, b), without(b, a)];
}

/** The instructions of several threads at which the others are waited for. */
const isMeeting = ({ plan }: Instruction): boolean =>
  isCollective(plan) || (meetingOf(plan) !== undefined && (plan.shape !== "warp" || plan.op.among !== "elect"));

function judged(
  pc: number,
  { at, values, equal, leaving }: Parting,
  program: Program,
  registers: RegistersOfThreads,
): Diagnostic | undefined {
  if (values === undefined) return undefined;
  const instruction = program.code[pc]!;
  const { plan, opcode } = instruction;
  const warps = registers.warps(values);
  const parted = warps.every((draw) => draw.some(({ taken, all }) => taken !== 0 && taken !== all));
  const say = (code: "PTX9101" | "PTX9102" | "PTX9103", message: string, expected: string, help: Help): Diagnostic =>
    diagnostic(code, message, expected, help, pc, at, program);
  if (isAligned(instruction) && parted && (equal || !leaving))
    return say("PTX9103", `${opcode} needs all lanes of a warp together, and only some reach it`, "no condition", {
      message: "move it to where the lanes are together, or make the whole warp take the same branch",
    });
  if (equal || leaving) return undefined;
  if (plan.shape === "warp") {
    const mask = registers.membermask(instruction, pc);
    const missing = (taken: number): number => (taken === 0 ? 0 : ((mask ?? 0) & ~taken) >>> 0);
    if (!parted || !warps.every((draw) => draw.some(({ taken, all }) => (missing(taken) & all) !== 0)))
      return undefined;
    const own = ownMask(warps);
    const known = own !== undefined && !values.ofMemory;
    const [first] = warps.flat().filter(({ taken }) => missing(taken) !== 0);
    const whom =
      known && first ? `lanes ${hex(missing(first.taken) & first.all)} do not reach it` : "only some lanes reach it";
    return say(
      "PTX9102",
      `${opcode} waits for all lanes of ${hex(mask ?? 0)}, and ${whom}`,
      "the lanes that reach it",
      {
        message: known
          ? `take ${hex(own)} as the membermask`
          : "take a ballot of the condition before the branch as the membermask, or keep all lanes in the loop",
      },
    );
  }
  if (isCounted(instruction) || !isBarrier(plan)) return undefined;
  const differ = warps.every(
    (draw) => draw.some(({ taken }) => taken !== 0) && draw.some(({ taken, all }) => taken !== all),
  );
  if (!differ && !values.open) return undefined;
  return say("PTX9101", `${opcode} needs all threads of the block, and only some reach it`, "no condition", {
    message: "move it to where all threads get, or give the number of those that reach it",
  });
}

/** Whether the lanes of a warp have to be together there. */
const isAligned = ({ plan }: Instruction): boolean =>
  isCollective(plan) || ((plan.shape === "barrier" || plan.shape === "cluster barrier") && plan.aligned);

/** A barrier that says how many threads come. */
const isCounted = ({ plan, operands }: Instruction): boolean =>
  plan.shape === "barrier" && (plan.act === "sync" || plan.act === "arrive" ? operands[1] : operands[2]) !== undefined;

/** Whether two threads that come to one each are together. */
function isEqual(a: Instruction, b: Instruction, { constants }: Program): boolean {
  if (a.plan.shape === "warp") return b.plan.shape === "warp" && warpKey(a.plan.op) === warpKey(b.plan.op);
  if (a.plan.shape !== "barrier" || b.plan.shape !== "barrier") return a.plan.shape === b.plan.shape;
  const numberOf = ({ plan, operands }: Instruction) => {
    const operand = operands[plan.shape === "barrier" && plan.act !== "sync" && plan.act !== "arrive" ? 1 : 0];
    const found = constants.find(
      ({ bank, slot }) => operand?.kind === "slot" && bank === operand.bank && slot === operand.slot,
    );
    return found?.value;
  };
  const [left, right] = [numberOf(a), numberOf(b)];
  return left === undefined || right === undefined || left === right;
}

/** Two under opposite guards, one behind the other. */
function hasEqualBeside(pc: number, { blockOf }: ControlFlow, code: readonly Instruction[]): boolean {
  const { guard, opcode } = code[pc]!;
  return code.some(
    (each, at) =>
      blockOf[at] === blockOf[pc] &&
      each.opcode === opcode &&
      each.guard?.slot === guard?.slot &&
      each.guard?.negated !== guard?.negated,
  );
}

/** The lanes that come, where they are the same in each warp of which some do. */
function ownMask(warps: ReturnType<RegistersOfThreads["warps"]>): number | undefined {
  const masks = new Set(warps.flat().flatMap(({ taken }) => (taken === 0 ? [] : [taken])));
  const [only] = masks;
  return masks.size === 1 ? only : undefined;
}

const hex = (mask: number): string => `0x${(mask >>> 0).toString(16).padStart(8, "0")}`;

function diagnostic(
  code: "PTX9101" | "PTX9102" | "PTX9103",
  message: string,
  expected: string,
  help: Help,
  pc: number,
  at: number,
  { code: instructions, source }: Program,
): Diagnostic {
  const { span } = instructions[pc]!;
  return {
    code,
    severity: "warning",
    message,
    source,
    span,
    expected,
    ...(at === pc ? {} : { related: [{ source, span: instructions[at]!.span, message: "threads diverge here" }] }),
    help: [help],
  };
}
