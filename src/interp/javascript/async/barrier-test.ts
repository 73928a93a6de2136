import type { BarrierOperation } from "../../async/barriers.ts";
import { phasesBetween, unpackBarrier } from "../../async/mbarrier-object.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { PhaseQuestion } from "../../contract/plan/plan-async.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { report } from "../../state/fault.ts";
import type { Step, Until, Warp } from "../../state/warp.ts";
import type { Hold, Wait } from "../../warp/holding.ts";
import { barrierPlace, eachLane, refuse } from "./barrier-place.ts";

/** The question whether a phase of an mbarrier object is complete. */
interface Question {
  readonly at: number;
  /** The phase, modulo 8. */
  readonly phase: number;
  readonly by: BarrierOperation;
}

/** mbarrier.test_wait: tests, and goes on. */
export function testBarrier(
  plan: PlanOf<"mbarrier test">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const test = tester(plan, operands, context);
  return (warp) => {
    for (const { question } of test(warp)) context.asynchrony.poll(question.at, question.by);
  };
}

/** mbarrier.try_wait: waits for some time. */
export function waitBarrier(
  plan: PlanOf<"mbarrier wait">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Hold {
  const test = tester(plan, operands, context);
  const to = predicate(operands[0]).slot;
  return (warp) =>
    test(warp).map(({ mask, question }): Wait => ({ mask, until: untilComplete(question, to, plan, context) }));
}

/** Waits for a phase; lanes that have waited long enough go on without it. */
function untilComplete(question: Question, to: number, plan: PhaseQuestion, context: Context): Until {
  const { at, phase, by } = question;
  const { asynchrony } = context;
  return {
    limited: true,
    barrier: at,
    ready: () => asynchrony.barriers.isObject(at) && isComplete(question, context),
    go: (warp, mask, inTime) => {
      if (inTime) {
        warp.p[to]! |= mask;
        observe(warp, mask, question, plan, context);
      } else {
        warp.p[to]! &= ~mask;
        asynchrony.poll(at, by);
      }
    },
    what: () => `phase ${phase} of the mbarrier object${name(at, context)}`,
  };
}

/** ` at 0x20 of shared memory`, in the block's own window. */
function name(at: number, { memory }: Context): string {
  const owner = memory.allocations.find(at);
  return owner === undefined ? "" : ` at 0x${(at - owner.start).toString(16)} of shared memory`;
}

/** Sets the predicate of the lanes whose phase is complete; clears that of the others, and returns their questions. */
function tester(
  plan: PhaseQuestion,
  [p, a, state]: readonly (Operand | undefined)[],
  context: Context,
): (warp: Warp) => readonly { readonly mask: number; readonly question: Question }[] {
  const { asynchrony, lanes } = context;
  const place = barrierPlace(a, plan.space, true, context);
  const to = predicate(p).slot;
  const from = slot(state).slot * lanes;
  const phaseOf = plan.by === "state" ? byState(from, context) : byParity(from, context);
  return (warp) => {
    const left: { mask: number; question: Question }[] = [];
    place.locate(warp);
    eachLane(warp, lanes, (lane) => {
      const at = place.at(warp, lane);
      const error = asynchrony.barriers.check(at);
      if (error !== undefined) throw refuse(error, lane, context);
      const bit = (1 << lane) >>> 0;
      const phase = phaseOf(warp, lane, at);
      const question: Question = { at, phase, by: place.operation(warp, lane) };
      if (isComplete(question, context)) {
        warp.p[to]! |= bit;
        observe(warp, bit, question, plan, context);
        return;
      }
      warp.p[to]! &= ~bit;
      const alike = left.find((each) => each.question.at === at && each.question.phase === phase);
      if (alike === undefined) left.push({ mask: bit, question });
      else alike.mask = (alike.mask | bit) >>> 0;
    });
    return left;
  };
}

const isComplete = ({ at, phase }: Question, { asynchrony }: Context): boolean =>
  phasesBetween(phase, asynchrony.barriers.state(at).phase) > 0;

/** Lanes observe that the phase is complete: the operations that arrived in it happened before. */
function observe(warp: Warp, mask: number, { at, phase, by }: Question, plan: PhaseQuestion, context: Context): void {
  context.asynchrony.observe(at, phase, by.thread);
  const { sem } = plan;
  for (const observer of context.observers)
    for (let lane = 0; lane < warp.lanes; lane++)
      if ((mask >>> lane) & 1) {
        const thread = { block: warp.block, warp: warp.index, lane };
        observer.load?.(thread, "shared", BigInt(at), 8, sem, "gpu", at, by.site.pc);
      }
}

type PhaseOf = (warp: Warp, lane: number, at: number) => number;

/** The phase in which an arrive returned the state. */
function byState(from: number, context: Context): PhaseOf {
  return (warp, lane, at) => {
    const { phase } = unpackBarrier(warp.q[from + lane]!);
    const now = context.asynchrony.barriers.state(at).phase;
    const age = phasesBetween(phase, now);
    if (age < 0 || age > 1) {
      const what = age < 0 ? "a later phase than the current one" : `a phase ${age} before the current one`;
      context.report(report(context, warp, lane, "PTX4031", `asks with the state of ${what}, ${now}`));
    }
    return phase;
  };
}

/** The current phase if it has the given parity, otherwise the one before it. */
function byParity(from: number, context: Context): PhaseOf {
  return (warp, lane, at) => {
    const parity = warp.r[from + lane]!;
    if (parity > 1)
      context.report(report(context, warp, lane, "PTX4031", `asks for parity ${parity}, which is 0 or 1`));
    const { phase } = context.asynchrony.barriers.state(at);
    return (phase & 1) === (parity & 1) ? phase : (phase + 7) % 8;
  };
}
