import type { Related } from "../../../source/diagnostic.ts";
import type { Site } from "../../async/operation.ts";
import type { RegisterProblem } from "../../async/register-watch.ts";
import type { ThreadId } from "../../contract/launch/thread-id.ts";
import type { Operand } from "../../contract/operand.ts";
import { writtenBy } from "../../contract/plan/effects.ts";
import type { Instruction, Program } from "../../contract/program.ts";
import type { Context } from "../../state/context.ts";
import { report } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { guardOf } from "../../warp/guard.ts";
import { siteOf } from "../async/site.ts";

/** Slots of bank r among operands. */
export const slotsIn = (operands: readonly (Operand | undefined)[]): number[] =>
  operands.flatMap((operand): number[] => {
    if (operand?.kind === "vector") return slotsIn(operand.items);
    if (operand?.kind === "address") return slotsIn([operand.base, operand.index?.of]);
    return operand?.kind === "slot" && operand.bank === "r" ? [operand.slot] : [];
  });

/** Registers that some wgmma of a program uses as accumulators or as A; undefined if it has no wgmma. */
export function registersOfWgmma({ code }: Program): ReadonlySet<number> | undefined {
  const found = new Set<number>();
  let any = false;
  for (const { plan, operands } of code) {
    if (plan.shape !== "wgmma") continue;
    any = true;
    for (const slot of slotsIn(operands.slice(0, 2))) found.add(slot);
  }
  return any ? found : undefined;
}

/**
 * The check before an instruction that touches registers of a wgmma: if they are in flight, reports it and completes
 * the operation at once, as ptxas puts a wait there. Undefined for instructions that touch none.
 */
export function watchRegisters(
  { plan, operands, guard }: Instruction,
  watched: ReadonlySet<number>,
  context: Context,
): Step | undefined {
  // wgmma checks its own registers.
  if (plan.shape === "wgmma") return undefined;
  const count = writtenBy(plan);
  const writes = slotsIn(operands.slice(0, count)).filter((slot) => watched.has(slot));
  const reads = slotsIn(operands.slice(count)).filter((slot) => watched.has(slot));
  if (writes.length === 0 && reads.length === 0) return undefined;
  const { asynchrony } = context;
  const lanes = guardOf(guard);
  const site = siteOf(context);
  const uses = { reads, writes, moves: plan.shape === "move" };
  return (warp) => {
    if (lanes(warp) === 0) return;
    const thread = { block: warp.block, warp: warp.index, lane: 0 };
    const problem = asynchrony.fences.registers.touch(thread, site(warp), uses, asynchrony.isInFlight);
    if (problem?.kind !== "held") return;
    const verb = writes.includes(problem.slot) ? "writes" : "reads";
    asynchrony.move(problem.flight);
    // One report for each wgmma: code that reads one of its registers reads the others too.
    if (asynchrony.fences.registers.isNews(problem.flight.operation.site.pc))
      tell(warp, problem, `${verb} ${nameOf(problem.slot, context)}`, context);
  };
}

/** Checks the registers that a wgmma gets. */
export function judgeRegisters(
  warp: Warp,
  thread: ThreadId,
  d: readonly number[],
  a: readonly number[],
  shape: string,
  context: Context,
): void {
  const { asynchrony } = context;
  const problem = asynchrony.fences.registers.judge(thread, d, a, shape, asynchrony.isInFlight);
  if (problem === undefined) return;
  const name = problem.slot === undefined ? "" : nameOf(problem.slot, context);
  if (problem.kind === "held") {
    tell(warp, problem, `${d.includes(problem.slot) ? "accumulates in" : "takes as its A"} ${name}`, context);
    return;
  }
  const { by } = problem;
  const what =
    by !== undefined
      ? `gets ${name}, which ${by.site.opcode} has ${by.wrote ? "written" : "read"} since the last wgmma.fence`
      : name === ""
        ? "is the first of its warp, and there is no wgmma.fence before it"
        : `gets ${name} from a wgmma of another shape, without a wgmma.fence between them`;
  const related: readonly Related[] = by === undefined ? [] : [{ ...placed(by.site), message: "touched here" }];
  const found = report(context, warp, 0, "PTX4027", what);
  context.report({
    ...found,
    // Compilers place initial values behind the fence, and ptxas adds the one that is missing.
    ...((by?.moves === true || context.program.debug) && { severity: "note" }),
    related: [...(found.related ?? []), ...related],
    help: [...(found.help ?? []), { message: "write wgmma.fence.sync.aligned before it" }],
  });
}

/** Reports that a register is in flight. */
function tell(warp: Warp, problem: RegisterProblem & { kind: "held" }, what: string, context: Context): void {
  const { flight, how } = problem;
  const { site } = flight.operation;
  const advice = context.asynchrony.advice(flight);
  const role = how === "d" ? "still accumulates in" : "still takes as its A";
  const found = report(context, warp, 0, "PTX4026", `${what}, which ${site.opcode} ${role}`);
  context.report({
    ...found,
    // nvcc -G moves each accumulator to memory behind each wgmma, and relies on the wait that ptxas puts there.
    ...(context.program.debug && { severity: "note" }),
    related: [
      ...(found.related ?? []),
      { ...placed(site), message: `${site.opcode}, not waited for yet` },
      ...(advice?.last === undefined
        ? []
        : [{ ...placed(advice.last.site), message: `this wait leaves ${advice.last.pending} groups in flight` }]),
    ],
    help: [...(found.help ?? []), ...(advice === undefined ? [] : [{ message: advice.help }])],
  });
}

const placed = ({ source, span }: Site): Pick<Related, "source" | "span"> => ({ source, span });

/** The program's name for a slot of bank r. */
export function nameOf(slot: number, { program }: Context): string {
  const all = [...program.registers, ...program.functions.flatMap(({ registers }) => registers)];
  return (
    all.find((each) => each.bank === "r" && slot >= each.slot && slot < each.slot + each.elements)?.name ?? "a register"
  );
}
