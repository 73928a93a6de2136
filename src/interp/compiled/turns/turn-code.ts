import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { lowest } from "../../contract/lane-mask.ts";
import { FUEL } from "../../warp/groups.ts";
import { globals, NOBODY } from "../boundary/module-globals.ts";
import {
  ACTIVE_LANES,
  ARRIVED,
  BARRIER_ARRIVED,
  BARRIER_BYTES,
  BARRIER_THREADS,
  BARRIER_WAITING,
  BARRIERS,
  CALL_HEIGHT,
  CARRY,
  ENDED,
  FUEL_LEFT,
  LIVE_LANES,
  LOCAL,
  MAY_EXIT,
  MEETING,
  MEETING_COUNT,
  MEETING_PASSES,
  MOST_BARRIERS,
  ONE_RANK,
  OPEN,
  READY,
  STEPS,
  STILL_ROUNDS,
  TURN,
  WAITING,
  WARP_ACTIVE,
  WARP_BASE,
  WARP_BURNT,
  WARP_BYTES,
  WARP_CARRY,
  WARP_FUEL,
  WARP_LOCAL,
  WARP_NEXT,
  WARP_PC,
  WARPS,
  WHOLE,
} from "../boundary/places.ts";
import { type Beginning, chainFunction } from "./chain-code.ts";

/**
 * Rounds of a block in which no warp gets anywhere, before the scheduler is asked. It counts the next one itself, and may let
 * another block begin then: so this is fewer than `STILL` in `schedule/scheduler.ts`.
 */
const PATIENT_ROUNDS = 15;

/**
 * Writes the functions that are exported, for blocks that begin as told. `run` (block, base, active, live, meet, limit) runs a
 * warp from a block on; it gives the block where JavaScript has to go on, or the complement of a pc. `turns` (warps, limit)
 * lets the warps of a block take turns. Both leave in the state how many instructions that were, and what the warp that ran
 * last has become.
 */
export function runFunctions(module: ModuleWriter, beginning: Beginning): void {
  const run = module.function({ takes: ["i32", "i32"], gives: ["i32"] }, runCode(module, beginning.lanes));
  const turns = module.function({ takes: ["i32"], gives: [] }, turnsCode(run, chainFunction(module, beginning)));
  module.function({ takes: ["i32", "i32", "i32", "i32", "i32", "i32"], gives: ["i32"] }, enterRun(run), "run");
  module.function({ takes: ["i32", "i32"], gives: [] }, enterTurns(turns), "turns");
}

function enterRun(run: number): Code {
  const code = new Code(6);
  const [block, base, active, live, meet, limit] = [0, 1, 2, 3, 4, 5];
  code.get(active).globalSet(globals.active).get(live).globalSet(globals.live).get(meet).globalSet(globals.meet);
  code.get(limit).globalSet(globals.limit).i32(0).globalSet(globals.executed).i32(0).globalSet(globals.arrived);
  code.globalGet(globals.state).access("i32.load", FUEL_LEFT).globalSet(globals.fuel);
  code.get(block).get(base).call(run);
  return leave(code);
}

function enterTurns(turns: number): Code {
  const code = new Code(2);
  const [warps, limit] = [0, 1];
  code.get(limit).globalSet(globals.limit).i32(0).globalSet(globals.executed);
  code.get(warps).call(turns);
  return leave(code);
}

function leave(code: Code): Code {
  const state = [globals.executed, globals.fuel, globals.active, globals.live] as const;
  for (const [at, offset] of [STEPS, FUEL_LEFT, ACTIVE_LANES, LIVE_LANES].entries())
    code.globalGet(globals.state).globalGet(state[at]!).access("i32.store", offset);
  return code;
}

/**
 * Finds the barrier that the warp has come to, and how many threads that waits for (-1: all of the block); where JavaScript
 * has to say what is wrong with it, `undone` ends it.
 */
function writeMeeting(
  code: Code,
  { state, barrier, threads, bit }: Readonly<Record<"state" | "barrier" | "threads" | "bit", number>>,
  undone: () => void,
): void {
  const load = (offset: number): Code => code.get(state).access("i32.load", offset);
  const arrived = (): Code => code.get(barrier).access("i32.load", BARRIER_ARRIVED);
  load(MEETING).i32(MOST_BARRIERS).scalar("i32.ge_u");
  load(MEETING_COUNT).i32(31).scalar("i32.and").scalar("i32.or");
  load(MEETING_COUNT).i32(0).scalar("i32.lt_s").scalar("i32.or");
  // All threads of the block are waited for: somebody may have to be told that some have exited.
  load(MEETING_COUNT).scalar("i32.eqz");
  load(MEETING_PASSES);
  load(WHOLE).scalar("i32.eqz").scalar("i32.or").scalar("i32.and").scalar("i32.or").if();
  undone();
  code.end();
  load(MEETING).i32(BARRIER_BYTES).scalar("i32.mul").get(state).scalar("i32.add").i32(BARRIERS).scalar("i32.add");
  code.set(barrier);
  load(MEETING_COUNT).i32(-1);
  load(MEETING_COUNT).scalar("select").set(threads);
  arrived().if();
  // Somebody is there already.
  code.get(barrier).access("i32.load", BARRIER_THREADS).get(threads).scalar("i32.ne");
  arrived().get(bit).scalar("i32.and").scalar("i32.or").if();
  undone();
  code.end();
  code.else();
  code.get(barrier).get(threads).access("i32.store", BARRIER_THREADS);
  code.get(state);
  load(OPEN).i32(1).scalar("i32.add").access("i32.store", OPEN);
  code.end();
}

/** Goes from block to block while there is fuel. */
function runCode(module: ModuleWriter, lanes: number): Code {
  const type = module.type({ takes: ["i32", "i32"], gives: ["i32"] });
  const code = new Code(2);
  const [block, base] = [0, 1];
  code.loop();
  code.get(base).globalGet(globals.active).get(block).i32(1).scalar("i32.shl");
  code
    .globalGet(globals.active)
    .i32(lowest(lanes) | 0)
    .scalar("i32.ne")
    .scalar("i32.or")
    .callIndirect(type)
    .tee(block);
  code.i32(0).scalar("i32.ge_s").globalGet(globals.fuel).i32(0).scalar("i32.gt_s").scalar("i32.and").branchIf(0).end();
  code.get(block);
  return code;
}

/**
 * Warps of the only block that is resident take turns, in order, as the scheduler lets them: until they have come to the
 * barrier, have ended, or have used up their fuel. Ends when something happens that only JavaScript knows; then `TURN`
 * says whose turn it is, or is the number of warps at the end of a round. `chain` begins the next block.
 */
function turnsCode(run: number, chain: number): Code {
  const code = new Code(1);
  const count = 0;
  const local = (): number => code.local("i32");
  const [state, turn, warp, next, bit] = [local(), local(), local(), local(), local()];
  const [barrier, threads] = [local(), local()];
  const load = (offset: number): Code => code.get(state).access("i32.load", offset);
  const store = (offset: number, value: () => void): void => {
    code.get(state);
    value();
    code.access("i32.store", offset);
  };
  const done = (): Code => code.scalar("return");
  code.globalGet(globals.state).set(state);
  load(TURN).set(turn);
  code.loop();
  // Whose turn is it?
  load(READY).get(turn).scalar("i32.shr_u").i32(0).get(turn).i32(32).scalar("i32.lt_u").scalar("select").tee(bit);
  code.scalar("i32.eqz").if();
  store(TURN, () => code.get(count));
  load(READY).scalar("i32.eqz").if();
  code.get(count).call(chain).scalar("i32.eqz").if();
  done().end();
  code.i32(0).set(turn).branch(2).end();
  load(STILL_ROUNDS).i32(PATIENT_ROUNDS).scalar("i32.ge_s").if();
  done().end();
  store(STILL_ROUNDS, () => load(STILL_ROUNDS).i32(1).scalar("i32.add"));
  code.i32(0).set(turn).branch(1).end();
  code.get(turn).get(bit).scalar("i32.ctz").scalar("i32.add").set(turn);
  store(TURN, () => code.get(turn));
  code.i32(1).get(turn).scalar("i32.shl").set(bit);
  code.get(state).get(turn).i32(WARP_BYTES).scalar("i32.mul").scalar("i32.add").i32(WARPS).scalar("i32.add").set(warp);
  code.get(warp).access("i32.load", WARP_NEXT).set(next);
  code.get(warp).access("i32.load", WARP_FUEL).globalSet(globals.fuel);
  store(LOCAL, () => code.get(warp).access("i32.load", WARP_LOCAL));
  store(CARRY, () => code.get(warp).access("i32.load", WARP_CARRY));
  code.get(warp).access("i32.load", WARP_ACTIVE).globalSet(globals.active);
  code.globalGet(globals.active).globalSet(globals.live);
  code.i32(NOBODY).globalSet(globals.meet);
  store(WAITING, () => code.i32(0));
  store(ONE_RANK, () => code.i32(1));
  // It goes on, after a barrier that it is the last to come to as well.
  code.loop();
  code.i32(0).globalSet(globals.arrived);
  store(MAY_EXIT, () => load(OPEN).scalar("i32.eqz"));
  code.get(next).get(warp).access("i32.load", WARP_BASE).call(run).set(next);
  code.get(warp).get(next).access("i32.store", WARP_NEXT);
  code.get(warp).globalGet(globals.fuel).access("i32.store", WARP_FUEL);
  code.get(warp).globalGet(globals.active).access("i32.store", WARP_ACTIVE);
  code.get(warp);
  load(CARRY).access("i32.store", WARP_CARRY);
  code.globalGet(globals.live).get(warp).access("i32.load", WARP_ACTIVE).scalar("i32.ne");
  load(WAITING).scalar("i32.or");
  load(CALL_HEIGHT).scalar("i32.or").if();
  // Lanes that have gone apart, or that are in a function.
  done().end();
  // The warp has ended.
  code.globalGet(globals.live).scalar("i32.eqz").if();
  store(READY, () => load(READY).get(bit).scalar("i32.xor"));
  store(ENDED, () => load(ENDED).get(bit).scalar("i32.or"));
  store(STILL_ROUNDS, () => code.i32(-1));
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(2).end();
  // It has used up its fuel.
  code.get(next).i32(0).scalar("i32.ge_s").if();
  code.get(warp).i32(FUEL).access("i32.store", WARP_FUEL);
  code.get(warp).i32(0).access("i32.store", WARP_BURNT);
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(2).end();
  // It has come to the barrier.
  code.globalGet(globals.arrived).scalar("i32.eqz");
  code.globalGet(globals.executed).globalGet(globals.limit).scalar("i32.ge_u").scalar("i32.or").if();
  done().end();
  writeMeeting(code, { state, barrier, threads, bit }, done);
  code.globalGet(globals.executed).i32(1).scalar("i32.add").globalSet(globals.executed);
  code.get(warp).get(next).access("i32.store", WARP_PC);
  code.globalGet(globals.arrived).i32(1).scalar("i32.sub").set(next);
  code.get(warp).get(next).access("i32.store", WARP_NEXT);
  code.get(barrier).get(barrier).access("i32.load", BARRIER_ARRIVED).get(bit).scalar("i32.or");
  code.access("i32.store", BARRIER_ARRIVED);
  load(MEETING_PASSES).scalar("i32.eqz").if();
  code.get(barrier).get(barrier).access("i32.load", BARRIER_WAITING).get(bit).scalar("i32.or");
  code.access("i32.store", BARRIER_WAITING);
  store(ARRIVED, () => load(ARRIVED).get(bit).scalar("i32.or"));
  code.end();
  // All have come: those that wait go on, this one before its turn ends.
  code.get(barrier).access("i32.load", BARRIER_ARRIVED).tee(next).scalar("i32.popcnt").i32(5).scalar("i32.shl");
  code.get(threads).scalar("i32.ge_s");
  code.get(next);
  load(READY);
  load(ARRIVED).scalar("i32.or").scalar("i32.eq");
  code.get(threads).i32(0).scalar("i32.ge_s").scalar("select");
  code.get(warp).access("i32.load", WARP_NEXT).set(next).if();
  code.get(barrier).access("i32.load", BARRIER_WAITING).set(threads);
  store(READY, () => load(READY).get(threads).scalar("i32.or"));
  store(ARRIVED, () => load(ARRIVED).get(threads).i32(-1).scalar("i32.xor").scalar("i32.and"));
  code.get(barrier).i32(0).access("i32.store", BARRIER_ARRIVED);
  code.get(barrier).i32(0).access("i32.store", BARRIER_WAITING);
  store(OPEN, () => load(OPEN).i32(1).scalar("i32.sub"));
  code.branch(1).end();
  load(MEETING_PASSES).branchIf(0);
  store(READY, () => load(READY).get(bit).scalar("i32.xor"));
  store(STILL_ROUNDS, () => code.i32(-1));
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(1);
  code.end();
  code.end();
  return code;
}
