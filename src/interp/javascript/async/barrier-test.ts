import type { BarrierOperation } from "../../async/barriers.ts";
import { conditionalPhase, phaseOfState, phasesBetween, REPORTED } from "../../async/mbarrier-object.ts";
import { firstLane } from "../../contract/launch/lane-mask.ts";
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
  /** The phase, modulo 8: the primary one, or with `conditional` that. */
  readonly phase: number;
  readonly conditional: boolean;
  readonly by: BarrierOperation;
}

/**
 * mbarrier.test_wait: tests, and goes on. Whoever finds the phase incomplete asks again as a rule: the warp's turn ends at its
 * next backward branch, so that those it waits for come to theirs.
 */
export function testBarrier(
  plan: PlanOf<"mbarrier test">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const test = tester(plan, operands, context);
  return (warp) => {
    for (const { question } of test(warp)) {
      context.asynchrony.poll(question.at, question.by);
      warp.yieldBudget = Math.min(warp.yieldBudget, 1);
    }
  };
}

/** mbarrier.try_wait: waits for some time. */
export function waitBarrier(
  plan: PlanOf<"mbarrier wait">,
  operands: readonly (Operand | undefined)[],
  context: Context,
): Hold {
  const test = tester(plan, operands, context);
  const answer = answerer(plan, operands);
  return (warp) =>
    test(warp).map(({ mask, question }): Wait => ({ mask, until: untilComplete(question, answer, plan, context) }));
}

/** Waits for a phase; lanes that have waited long enough go on without it. */
function untilComplete(question: Question, answer: Answer, plan: PhaseQuestion, context: Context): Until {
  const { at, phase, conditional, by } = question;
  const { asynchrony } = context;
  return {
    limited: true,
    barrier: at,
    ready: () => asynchrony.barriers.isObject(at) && isComplete(question, context),
    go: (warp, mask, inTime) => {
      answer(warp, mask, inTime ? reportAt(at, context) : undefined);
      if (inTime) observe(warp, mask, question, plan, context);
      else asynchrony.poll(at, by);
    },
    what: () => `${conditional ? "conditional " : ""}phase ${phase} of the mbarrier object${name(at, context)}`,
  };
}

/** ` at 0x20 of shared memory`, in the block's own window. */
function name(at: number, { memory }: Context): string {
  const owner = memory.allocations.find(at);
  return owner === undefined ? "" : ` at 0x${(at - owner.start).toString(16)} of shared memory`;
}

/** Writes the results of lanes: a report where the phase is complete; undefined where it is not. */
type Answer = (warp: Warp, mask: number, report: number | undefined) => void;

/** The manual leaves a report open where the phase is incomplete; here it is 0. */
function answerer({ reports }: PhaseQuestion, operands: readonly (Operand | undefined)[]): Answer {
  const to = predicate(operands[0]).slot;
  const reported = reports === undefined ? undefined : predicate(operands[1]).slot;
  const value = reports === "value" ? slot(operands[2]).slot : undefined;
  return (warp, mask, report) => {
    const put = (predicate: number, set: boolean): void => {
      if (set) warp.p[predicate]! |= mask;
      else warp.p[predicate]! &= ~mask;
    };
    put(to, report !== undefined);
    const bits = report ?? 0;
    if (reported !== undefined) put(reported, (bits & REPORTED) !== 0);
    if (value === undefined) return;
    for (let lane = 0; lane < warp.lanes; lane++)
      if ((mask >>> lane) & 1) warp.r[value * warp.lanes + lane] = bits & 0xff;
  };
}

/** The payload report of the phase that has completed last; 0 with `.layout::v0`. */
const reportAt = (at: number, { asynchrony: { barriers } }: Context): number => barriers.state(at).reports?.last ?? 0;

/** Answers the lanes whose phase is complete, and those of the others, whose questions it returns. */
function tester(
  plan: PhaseQuestion,
  operands: readonly (Operand | undefined)[],
  context: Context,
): (warp: Warp) => readonly { readonly mask: number; readonly question: Question }[] {
  const { asynchrony, lanes } = context;
  const [a, state] = operands.slice(operands.findIndex((operand) => operand?.kind === "address"));
  const place = barrierPlace(a, plan.space, true, context);
  const answer = answerer(plan, operands);
  const conditional = plan.conditional === true;
  const from = slot(state).slot * lanes;
  const phaseOf = plan.by === "state" ? byState(from, context) : byParity(from, conditional, context);
  const asksAlike = plan.by === "state" ? isOnePhase : isOneParity;
  return (warp) => {
    const left: { mask: number; question: Question }[] = [];
    place.locate(warp);
    const ask = (lane: number, mask: number): void => {
      const at = place.at(warp, lane);
      const error = asynchrony.barriers.check(at);
      if (error !== undefined) throw refuse(error, lane, context);
      const phase = phaseOf(warp, lane, at);
      const question: Question = { at, phase, conditional, by: place.operation(warp, lane) };
      if (isComplete(question, context)) {
        answer(warp, mask, reportAt(at, context));
        observe(warp, mask, question, plan, context);
        return;
      }
      answer(warp, mask, undefined);
      const alike = left.find((each) => each.question.at === at && each.question.phase === phase);
      if (alike === undefined) left.push({ mask, question });
      else alike.mask = (alike.mask | mask) >>> 0;
    };
    // What a lane observes has happened already: lanes that ask the same get the same answer.
    if (warp.active !== 0 && place.isOne(warp) && asksAlike(warp, from)) ask(firstLane(warp.active), warp.active >>> 0);
    else eachLane(warp, lanes, (lane) => ask(lane, (1 << lane) >>> 0));
    return left;
  };
}

/** Whether all lanes that execute name one parity. */
function isOneParity({ active, lanes, r }: Warp, from: number): boolean {
  const first = r[from + firstLane(active)];
  for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1 && r[from + lane] !== first) return false;
  return true;
}

/** Whether all lanes that execute hold states of one phase. */
function isOnePhase({ active, lanes, w }: Warp, from: number): boolean {
  const phase = w[2 * (from + firstLane(active)) + 1]! >>> 29;
  for (let lane = 0; lane < lanes; lane++)
    if ((active >>> lane) & 1 && w[2 * (from + lane) + 1]! >>> 29 !== phase) return false;
  return true;
}

function isComplete({ at, phase, conditional }: Question, { asynchrony }: Context): boolean {
  const state = asynchrony.barriers.state(at);
  return phasesBetween(phase, conditional ? conditionalPhase(state) : state.phase) > 0;
}

/** Lanes observe that the phase is complete: the operations that arrived in it happened before. */
function observe(warp: Warp, mask: number, question: Question, plan: PhaseQuestion, context: Context): void {
  const { at, by } = question;
  context.asynchrony.observe(at, primaryOf(question, context), by.thread);
  const { sem } = plan;
  for (const observer of context.observers)
    for (let lane = 0; lane < warp.lanes; lane++)
      if ((mask >>> lane) & 1) {
        const thread = { block: warp.block, warp: warp.index, lane };
        observer.completed?.(thread, at, plan);
        observer.load?.(thread, "shared", BigInt(at), 8, sem, "gpu", at, by.site.pc);
      }
}

/** The last primary phase whose completion an answer shows: a conditional phase came with one that reported nothing. */
function primaryOf({ at, phase, conditional }: Question, { asynchrony }: Context): number {
  if (!conditional) return phase;
  const { phase: now, reports } = asynchrony.barriers.state(at);
  return (now + (reports?.last ? 6 : 7)) % 8;
}

type PhaseOf = (warp: Warp, lane: number, at: number) => number;

/** The phase in which an arrive returned the state. */
function byState(from: number, context: Context): PhaseOf {
  return (warp, lane, at) => {
    const phase = phaseOfState(warp.q[from + lane]!);
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
function byParity(from: number, conditional: boolean, context: Context): PhaseOf {
  return (warp, lane, at) => {
    const parity = warp.r[from + lane]!;
    if (parity > 1)
      context.report(report(context, warp, lane, "PTX4031", `asks for parity ${parity}, which is 0 or 1`));
    const state = context.asynchrony.barriers.state(at);
    const phase = conditional ? conditionalPhase(state) : state.phase;
    return (phase & 1) === (parity & 1) ? phase : (phase + 7) % 8;
  };
}
