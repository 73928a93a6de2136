import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { lowest } from "../../contract/launch/lane-mask.ts";
import { YIELD_BUDGET } from "../../warp/groups.ts";
import { globals, NOBODY } from "../boundary/module-globals.ts";
import { barrierActs, MOST_BARRIERS, offsetOf } from "../boundary/state-layout.ts";
import { type Beginning, chainFunction } from "./chain-code.ts";
import { settleFunction, votesFunction, writeCompleted, writePhases } from "./phase-code.ts";
import { stateWords } from "./state-words.ts";

/**
 * Rounds without progress of any warp before the module returns to the scheduler, which counts the next round itself
 * and may then begin another block: hence fewer than `STILL` in `schedule/scheduler.ts`.
 */
const PATIENT_ROUNDS = 15;

/**
 * Writes the exported functions. `run` (block, base, active, live, meet, limit) runs a warp from a block on; it
 * returns the block where JavaScript has to go on, or the complement of a pc. `roundRobin` (warps, limit) schedules
 * the warps of a block round robin. Both leave in the state how many instructions they executed, and the state of the
 * warp that ran last. `beginning` says how the next block of the grid begins.
 */
export function runFunctions(module: ModuleWriter, beginning: Beginning): void {
  const run = (code: Code, block: number, base: number): void => writeRun(code, module, beginning.lanes, block, base);
  const roundRobin = module.function(
    { takes: ["i32"], gives: [] },
    roundRobinCode(run, {
      chain: chainFunction(module, beginning),
      settle: settleFunction(module, beginning.votes),
      votes: beginning.votes ? votesFunction(module) : undefined,
      notify: beginning.notify,
    }),
  );
  module.function({ takes: ["i32", "i32", "i32", "i32", "i32", "i32"], gives: ["i32"] }, enterRun(run), "run");
  module.function({ takes: ["i32", "i32"], gives: [] }, enterRoundRobin(roundRobin), "roundRobin");
}

function enterRun(run: Run): Code {
  const code = new Code(6);
  const [block, base, active, live, meet, limit] = [0, 1, 2, 3, 4, 5];
  code.get(active).globalSet(globals.active).get(live).globalSet(globals.live).get(meet).globalSet(globals.meet);
  code.get(limit).globalSet(globals.limit).i32(0).globalSet(globals.executed).i32(0).globalSet(globals.arrived);
  code.globalGet(globals.state).access("i32.load", offsetOf.budgetLeft).globalSet(globals.yieldBudget);
  code.globalGet(globals.state).i32(0).access("i32.store", offsetOf.mayHold);
  run(code, block, base);
  code.get(block);
  return leave(code);
}

function enterRoundRobin(roundRobin: number): Code {
  const code = new Code(2);
  const [warps, limit] = [0, 1];
  code.get(limit).globalSet(globals.limit).i32(0).globalSet(globals.executed);
  code.get(warps).call(roundRobin);
  return leave(code);
}

function leave(code: Code): Code {
  const state = [globals.executed, globals.yieldBudget, globals.active, globals.live] as const;
  for (const [at, offset] of [offsetOf.steps, offsetOf.budgetLeft, offsetOf.activeLanes, offsetOf.liveLanes].entries())
    code.globalGet(globals.state).globalGet(state[at]!).access("i32.store", offset);
  return code;
}

/**
 * Finds the barrier that the warp has come to, and how many threads it waits for (-1: all of the block). `undone`
 * writes the exit to JavaScript, which reports barrier errors.
 */
function writeArrival(
  code: Code,
  { state, barrier, threads, bit }: Readonly<Record<"state" | "barrier" | "threads" | "bit", number>>,
  undone: () => void,
): void {
  const load = (offset: number): Code => code.get(state).access("i32.load", offset);
  const { barriers } = offsetOf;
  const arrived = (): Code => code.get(barrier).access("i32.load", barriers.arrived);
  load(offsetOf.arrivalBarrier).i32(MOST_BARRIERS).scalar("i32.ge_u");
  load(offsetOf.arrivalThreads).i32(31).scalar("i32.and").scalar("i32.or");
  load(offsetOf.arrivalThreads).i32(0).scalar("i32.lt_s").scalar("i32.or");
  // The barrier waits for all threads of the block: if some have exited, JavaScript may have to report that.
  load(offsetOf.arrivalThreads).scalar("i32.eqz");
  load(offsetOf.arrivalAct);
  load(offsetOf.whole).scalar("i32.eqz").scalar("i32.or").scalar("i32.and").scalar("i32.or").if();
  undone();
  code.end();
  load(offsetOf.arrivalBarrier).i32(2).scalar("i32.shl").get(state).scalar("i32.add").set(barrier);
  load(offsetOf.arrivalThreads).i32(-1);
  load(offsetOf.arrivalThreads).scalar("select").set(threads);
  arrived().if();
  // Other warps have arrived already.
  code.get(barrier).access("i32.load", barriers.threads).get(threads).scalar("i32.ne");
  arrived().get(bit).scalar("i32.and").scalar("i32.or").if();
  undone();
  code.end();
  code.else();
  code.get(barrier).get(threads).access("i32.store", barriers.threads);
  code.get(state);
  load(offsetOf.openBarriers).i32(1).scalar("i32.add").access("i32.store", offsetOf.openBarriers);
  code.end();
}

/** Writes how a warp runs from a block on, in a local, where its registers lie at another one. */
type Run = (code: Code, block: number, base: number) => void;

/** Goes from block to block while there is yield budget. */
function writeRun(code: Code, module: ModuleWriter, lanes: number, block: number, base: number): void {
  const type = module.type({ takes: ["i32", "i32"], gives: ["i32"] });
  code.loop();
  code.get(base).globalGet(globals.active).get(block).i32(1).scalar("i32.shl");
  code
    .globalGet(globals.active)
    .i32(lowest(lanes) | 0)
    .scalar("i32.ne")
    .scalar("i32.or")
    .callIndirect(type)
    .tee(block);
  code
    .i32(0)
    .scalar("i32.ge_s")
    .globalGet(globals.yieldBudget)
    .i32(0)
    .scalar("i32.gt_s")
    .scalar("i32.and")
    .branchIf(0)
    .end();
}

/**
 * Runs the warps of the only resident block in the scheduler's order: each until it comes to a barrier, ends, or has
 * used up its yield budget. Returns when only JavaScript can go on; then `turn` in the state is the index of the
 * current warp, or the number of warps at the end of a round. `chain` begins the next block; `settle` ends a phase;
 * `votes` gives the result of a reduction, if there are any; `notify` tells observers of a barrier, if there are any.
 */
function roundRobinCode(
  run: Run,
  {
    chain,
    settle,
    votes,
    notify,
  }: {
    readonly chain: number;
    readonly settle: number;
    readonly votes: number | undefined;
    readonly notify: Beginning["notify"];
  },
): Code {
  const code = new Code(1);
  const count = 0;
  const local = (): number => code.local("i32");
  const [state, turn, warp, next, bit] = [local(), local(), local(), local(), local()];
  const [barrier, threads, base, ran] = [local(), local(), local(), local()];
  const { warps, barriers } = offsetOf;
  const { load, store } = stateWords(code, state);
  const done = (): Code => code.scalar("return");
  const enter = (): void => {
    store(offsetOf.turn, () => code.get(turn));
    code.get(state).get(turn).i32(2).scalar("i32.shl").scalar("i32.add").set(warp);
    code.get(warp).access("i32.load", warps.next).set(next);
    code.get(warp).access("i32.load", warps.yieldBudget).globalSet(globals.yieldBudget);
    store(offsetOf.local, () => code.get(warp).access("i32.load", warps.local));
    store(offsetOf.carry, () => code.get(warp).access("i32.load", warps.carry));
    code.get(warp).access("i32.load", warps.active).globalSet(globals.active);
    code.globalGet(globals.active).globalSet(globals.live);
  };
  const runWarp = (): void => {
    code.i32(0).globalSet(globals.arrived);
    code.get(warp).access("i32.load", warps.base).set(base);
    run(code, next, base);
    code.get(warp).get(next).access("i32.store", warps.next);
    code.get(warp).globalGet(globals.yieldBudget).access("i32.store", warps.yieldBudget);
    code.get(warp).globalGet(globals.active).access("i32.store", warps.active);
    code.get(warp);
    load(offsetOf.carry).access("i32.store", warps.carry);
  };
  code.globalGet(globals.state).set(state);
  load(offsetOf.turn).set(turn);
  // It stays so: a warp whose lanes have parted, and not met again, does not leave its turn to another one.
  code.i32(NOBODY).globalSet(globals.meet);
  store(offsetOf.waiting, () => code.i32(0));
  for (const offset of [offsetOf.oneRank, offsetOf.mayHold]) store(offset, () => code.i32(1));
  code.loop();
  writePhases(code, { count, state, turn, warp, next, bit, ran }, { enter, run: runWarp, settle, votes, notify });
  code.get(ran).scalar("i32.eqz").if();
  // The next warp that is ready.
  load(offsetOf.readyWarps).get(turn).scalar("i32.shr_u").i32(0);
  code.get(turn).i32(32).scalar("i32.lt_u").scalar("select").tee(bit).scalar("i32.eqz").if();
  store(offsetOf.turn, () => code.get(count));
  load(offsetOf.readyWarps).scalar("i32.eqz").if();
  code.get(count).call(chain).scalar("i32.eqz").if();
  done().end();
  code.i32(0).set(turn).branch(3).end();
  load(offsetOf.stillRounds).i32(PATIENT_ROUNDS).scalar("i32.ge_s").if();
  done().end();
  store(offsetOf.stillRounds, () => load(offsetOf.stillRounds).i32(1).scalar("i32.add"));
  code.i32(0).set(turn).branch(2).end();
  code.get(turn).get(bit).scalar("i32.ctz").scalar("i32.add").set(turn);
  code.i32(1).get(turn).scalar("i32.shl").set(bit);
  enter();
  code.end();
  // Runs the warp; again after a barrier that it passes.
  code.loop();
  code.get(ran).scalar("i32.eqz").if();
  store(offsetOf.mayExit, () => load(offsetOf.openBarriers).scalar("i32.eqz"));
  runWarp();
  code.end();
  code.i32(0).set(ran);
  code.globalGet(globals.live).get(warp).access("i32.load", warps.active).scalar("i32.ne");
  load(offsetOf.waiting).scalar("i32.or");
  load(offsetOf.callDepth).scalar("i32.or").if();
  // The lanes have diverged, or are in a function.
  done().end();
  // The warp has ended.
  code.globalGet(globals.live).scalar("i32.eqz").if();
  store(offsetOf.readyWarps, () => load(offsetOf.readyWarps).get(bit).scalar("i32.xor"));
  store(offsetOf.endedWarps, () => load(offsetOf.endedWarps).get(bit).scalar("i32.or"));
  store(offsetOf.stillRounds, () => code.i32(-1));
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(2).end();
  // The warp has used up its yield budget.
  code.get(next).i32(0).scalar("i32.ge_s").if();
  code.get(warp).i32(YIELD_BUDGET).access("i32.store", warps.yieldBudget);
  code.get(warp).i32(0).access("i32.store", warps.burnt);
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(2).end();
  // Otherwise it has come to a barrier, or JavaScript has to go on.
  code.globalGet(globals.arrived).scalar("i32.eqz");
  code.globalGet(globals.executed).globalGet(globals.limit).scalar("i32.ge_u").scalar("i32.or");
  if (votes !== undefined) load(offsetOf.arrivalAct).i32(barrierActs.arrive).scalar("i32.gt_s").scalar("i32.or");
  code.if();
  done().end();
  writeArrival(code, { state, barrier, threads, bit }, done);
  code.globalGet(globals.executed).i32(1).scalar("i32.add").globalSet(globals.executed);
  code.get(warp).get(next).access("i32.store", warps.barrierPc);
  code.globalGet(globals.arrived).i32(1).scalar("i32.sub").set(next);
  code.get(warp).get(next).access("i32.store", warps.next);
  code.get(barrier).get(barrier).access("i32.load", barriers.arrived).get(bit).scalar("i32.or");
  code.access("i32.store", barriers.arrived);
  load(offsetOf.arrivalAct).scalar("i32.eqz").if();
  code.get(barrier).get(barrier).access("i32.load", barriers.waiting).get(bit).scalar("i32.or");
  code.access("i32.store", barriers.waiting);
  store(offsetOf.waitingWarps, () => load(offsetOf.waitingWarps).get(bit).scalar("i32.or"));
  code.end();
  // All have arrived: the waiting warps become ready, and this one goes on in its turn.
  code.get(barrier).access("i32.load", barriers.arrived).tee(next);
  code.scalar("i32.popcnt").i32(5).scalar("i32.shl").get(threads).scalar("i32.ge_s");
  code.get(next);
  load(offsetOf.readyWarps);
  load(offsetOf.waitingWarps).scalar("i32.or").scalar("i32.eq");
  code.get(threads).i32(0).scalar("i32.ge_s").scalar("select");
  code.get(warp).access("i32.load", warps.next).set(next).if();
  if (notify !== undefined) {
    code.get(threads).i32(0).scalar("i32.lt_s").if();
    writeCompleted(code, notify, () => load(offsetOf.arrivalBarrier));
    code.else();
    load(offsetOf.arrivalBarrier).call(notify.completed).end();
  }
  code.get(barrier).access("i32.load", barriers.waiting).set(threads);
  store(offsetOf.readyWarps, () => load(offsetOf.readyWarps).get(threads).scalar("i32.or"));
  store(offsetOf.waitingWarps, () =>
    load(offsetOf.waitingWarps).get(threads).i32(-1).scalar("i32.xor").scalar("i32.and"),
  );
  code.get(barrier).i32(0).access("i32.store", barriers.arrived);
  code.get(barrier).i32(0).access("i32.store", barriers.waiting);
  store(offsetOf.openBarriers, () => load(offsetOf.openBarriers).i32(1).scalar("i32.sub"));
  // This one goes on, in a phase if all others can.
  code.branch(2).end();
  load(offsetOf.arrivalAct).branchIf(0);
  store(offsetOf.readyWarps, () => load(offsetOf.readyWarps).get(bit).scalar("i32.xor"));
  store(offsetOf.stillRounds, () => code.i32(-1));
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(1);
  code.end();
  code.end();
  return code;
}
