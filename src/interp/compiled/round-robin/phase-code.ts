import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { happenings } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { barrierActs, MOST_BARRIERS, offsetOf } from "../boundary/state-layout.ts";
import type { Beginning } from "./chain-code.ts";
import { stateWords } from "./state-words.ts";

/** Locals of the round robin. */
export interface TurnLocals {
  readonly count: number;
  readonly state: number;
  /** The current warp: its index, the address of its words in the state, the block where it goes on, and its mask. */
  readonly turn: number;
  readonly warp: number;
  readonly next: number;
  readonly bit: number;
  /** Set to 1 when the current warp has run, and the round robin has to see where it has come to. */
  readonly ran: number;
}

/** Parts of the round robin that a phase has, too. */
export interface TurnCode {
  /** Makes the warp of `turn` and `bit` the current one. */
  enter(): void;
  /** Runs it. */
  run(): void;
  /** A function without parameters, see `settleFunction`. */
  readonly settle: number;
  /** See `votesFunction`; undefined where barriers have no votes. */
  readonly votes: number | undefined;
  readonly notify: Beginning["notify"];
}

/**
 * Writes the quick way through a phase: what all warps of a block execute from one place up to the barrier where
 * they all meet, or up to their end. The order is that of the round robin. While each warp comes to the same barrier
 * of the whole block, only a mask grows; the first one that comes elsewhere makes the round robin go on behind it.
 * The label around it is the loop of the rounds.
 */
export function writePhases(
  code: Code,
  { count, state, turn, warp, next, bit, ran }: TurnLocals,
  { enter, run, settle, votes, notify }: TurnCode,
): void {
  const local = (): number => code.local("i32");
  const [all, entry, end, came] = [local(), local(), local(), local()];
  const { warps, barriers } = offsetOf;
  const { load, store } = stateWords(code, state);
  code.block();
  code.get(turn).get(count).scalar("i32.ge_u");
  load(offsetOf.readyWarps).i32(-1).i32(32).get(count).scalar("i32.sub").scalar("i32.shr_u").tee(all);
  code.scalar("i32.ne").scalar("i32.or");
  load(offsetOf.openBarriers).scalar("i32.or").branchIf(0);
  // All have to go on at the same place.
  code.get(state).get(turn).i32(2).scalar("i32.shl").scalar("i32.add").access("i32.load", warps.next).tee(entry);
  code.i32(0).scalar("i32.lt_s").branchIf(0);
  code.get(state).tee(warp).get(count).i32(2).scalar("i32.shl").scalar("i32.add").set(end);
  code.loop();
  code.get(warp).access("i32.load", warps.next).get(entry).scalar("i32.ne").branchIf(1);
  code.get(warp).i32(4).scalar("i32.add").tee(warp).get(end).scalar("i32.lt_u").branchIf(0).end();
  code.loop();
  store(offsetOf.phaseWarps, () => code.i32(0));
  store(offsetOf.mayExit, () => code.i32(1));
  code.loop();
  code.i32(1).get(turn).scalar("i32.shl").set(bit);
  enter();
  code.get(entry).set(next);
  run();
  code.block();
  code.globalGet(globals.live).globalGet(globals.active).scalar("i32.ne");
  load(offsetOf.waiting).scalar("i32.or");
  load(offsetOf.callDepth).scalar("i32.or").branchIf(0);
  code.globalGet(globals.live).if();
  code.get(next).i32(0).scalar("i32.ge_s");
  code.globalGet(globals.arrived).scalar("i32.eqz").scalar("i32.or");
  code.globalGet(globals.executed).globalGet(globals.limit).scalar("i32.ge_u").scalar("i32.or");
  load(offsetOf.arrivalBarrier).i32(MOST_BARRIERS).scalar("i32.ge_u").scalar("i32.or");
  load(offsetOf.arrivalThreads).scalar("i32.or");
  load(offsetOf.arrivalAct);
  if (votes !== undefined) code.i32(barrierActs.arrive).scalar("i32.eq");
  code.scalar("i32.or");
  load(offsetOf.whole).scalar("i32.eqz").scalar("i32.or").branchIf(1);
  code.globalGet(globals.arrived).set(came);
  code.else().i32(0).set(came).end();
  load(offsetOf.phaseWarps).if();
  code.get(came);
  load(offsetOf.phaseArrived).scalar("i32.ne");
  load(offsetOf.arrivalBarrier);
  load(offsetOf.phaseBarrier).scalar("i32.ne").scalar("i32.or").branchIf(1);
  code.else();
  store(offsetOf.phaseArrived, () => code.get(came));
  store(offsetOf.phaseBarrier, () => load(offsetOf.arrivalBarrier));
  if (votes !== undefined) {
    store(offsetOf.phaseAct, () => load(offsetOf.arrivalAct));
    for (const offset of [offsetOf.phaseVotes, offsetOf.phaseFor]) store(offset, () => code.i32(0));
  }
  // Where the others wait at a barrier, none may exit.
  store(offsetOf.mayExit, () => code.get(came).scalar("i32.eqz"));
  code.end();
  code.get(came).if();
  code.globalGet(globals.executed).i32(1).scalar("i32.add").globalSet(globals.executed);
  code.get(warp).get(next).access("i32.store", warps.barrierPc);
  code.get(warp).get(came).i32(1).scalar("i32.sub").access("i32.store", warps.next);
  if (votes !== undefined) {
    const count = (offset: number, push: () => void): void =>
      store(offset, () => {
        push();
        code.scalar("i32.popcnt");
        load(offset).scalar("i32.add");
      });
    count(offsetOf.phaseVotes, () => code.globalGet(globals.live));
    count(offsetOf.phaseFor, () => load(offsetOf.arrivalFor));
  }
  code.end();
  store(offsetOf.phaseWarps, () => load(offsetOf.phaseWarps).get(bit).scalar("i32.or"));
  load(offsetOf.phaseWarps).get(all).scalar("i32.eq").if();
  code.get(came).scalar("i32.eqz").if();
  code.call(settle);
  store(offsetOf.stillRounds, () => code.i32(-1));
  code.get(turn).i32(1).scalar("i32.add").set(turn).branch(6).end();
  if (votes !== undefined) {
    load(offsetOf.phaseAct).if();
    code.get(count).call(votes).end();
  }
  if (notify === undefined) {
    code.get(bit).get(all).scalar("i32.ne").if();
    store(offsetOf.stillRounds, () => code.get(turn).scalar("i32.eqz").i32(1).scalar("i32.sub"));
    code.end();
  } else {
    code.call(settle);
    writeCompleted(code, notify, () => load(offsetOf.phaseBarrier));
    code.get(state);
    load(offsetOf.phaseBarrier).i32(2).scalar("i32.shl").scalar("i32.add").tee(end);
    code.i32(0).access("i32.store", barriers.arrived);
    code.get(end).i32(0).access("i32.store", barriers.waiting);
    for (const offset of [offsetOf.waitingWarps, offsetOf.openBarriers]) store(offset, () => code.i32(0));
    store(offsetOf.readyWarps, () => code.get(all));
  }
  // The last one goes on first.
  code.get(came).i32(1).scalar("i32.sub").set(entry).branch(3).end();
  code.i32(0).get(turn).i32(1).scalar("i32.add").tee(turn).get(turn).get(count).scalar("i32.eq").scalar("select");
  code.set(turn).branch(1).end();
  code.call(settle).i32(1).set(ran);
  code.end().end().end();
}

/** Writes how observers are notified of a barrier of all threads, late if that may be. */
export function writeCompleted(
  code: Code,
  { completed, late }: NonNullable<Beginning["notify"]>,
  push: () => void,
): void {
  code.i32(1).i32(happenings.completed);
  push();
  code.call(late.happening).if();
  push();
  code.call(completed).end();
}

/**
 * Writes a function, exported for faults, that makes the masks of the state say what the warps of the current phase have
 * come to: their end, or the barrier where they wait, where they may have given `votes`.
 */
export function settleFunction(module: ModuleWriter, votes: boolean): number {
  const code = new Code(0);
  const [state, barrier] = [code.local("i32"), code.local("i32")];
  const { barriers } = offsetOf;
  const { load, store } = stateWords(code, state);
  const add = (offset: number): void =>
    store(offset, () => {
      load(offset);
      load(offsetOf.phaseWarps).scalar("i32.or");
    });
  code.globalGet(globals.state).set(state);
  load(offsetOf.phaseWarps).scalar("i32.eqz").if().scalar("return").end();
  store(offsetOf.readyWarps, () => {
    load(offsetOf.readyWarps);
    load(offsetOf.phaseWarps).i32(-1).scalar("i32.xor").scalar("i32.and");
  });
  load(offsetOf.phaseArrived).if();
  add(offsetOf.waitingWarps);
  store(offsetOf.openBarriers, () => code.i32(1));
  load(offsetOf.phaseBarrier).i32(2).scalar("i32.shl").get(state).scalar("i32.add").set(barrier);
  // No warp comes to a reduction in the module but in a phase, and to no other barrier where others wait for one.
  code.get(barrier);
  if (votes) {
    code.i32(-2).i32(-1);
    load(offsetOf.phaseAct).scalar("select");
  } else code.i32(-1);
  code.access("i32.store", barriers.threads);
  for (const offset of [barriers.arrived, barriers.waiting]) {
    code.get(barrier);
    load(offsetOf.phaseWarps).access("i32.store", offset);
  }
  code.else();
  add(offsetOf.endedWarps);
  code.end();
  // A round has ended since the last of them if the current warp is the first one.
  store(offsetOf.stillRounds, () => load(offsetOf.turn).scalar("i32.eqz").i32(1).scalar("i32.sub"));
  store(offsetOf.phaseWarps, () => code.i32(0));
  return module.function({ takes: [], gives: [] }, code, "settle");
}

/**
 * Writes a function, (warps), that gives all warps the result of the reduction to which the last of a phase has come. No lane of
 * the block has exited by then: predicates have no other bits than those of a warp's lanes.
 */
export function votesFunction(module: ModuleWriter): number {
  const code = new Code(1);
  const count = 0;
  const local = (): number => code.local("i32");
  const [state, result, warp, end, at, left] = [local(), local(), local(), local(), local(), local()];
  const { warps } = offsetOf;
  const { load } = stateWords(code, state);
  const active = (): Code => code.get(warp).access("i32.load", warps.active);
  const place = (offset: number): void => {
    code.get(warp).access("i32.load", warps.base);
    load(offset).scalar("i32.add").set(at);
  };
  const isAct = (act: number): Code => load(offsetOf.phaseAct).i32(act).scalar("i32.eq");
  code.globalGet(globals.state).set(state);
  // How many are for it; or whether all or any are, in each bit.
  load(offsetOf.phaseFor).set(result);
  isAct(barrierActs.popc).scalar("i32.eqz").if();
  code.i32(0);
  code.get(result);
  load(offsetOf.phaseVotes).i32(1);
  isAct(barrierActs.and).scalar("select").scalar("i32.ge_u").scalar("i32.sub").set(result);
  code.end();
  code.get(state).tee(warp).get(count).i32(2).scalar("i32.shl").scalar("i32.add").set(end);
  code.loop();
  place(offsetOf.arrivalResult);
  isAct(barrierActs.popc).if();
  active().set(left).loop();
  code
    .get(at)
    .get(left)
    .scalar("i32.ctz")
    .i32(2)
    .scalar("i32.shl")
    .scalar("i32.add")
    .get(result)
    .access("i32.store", 0);
  code.get(left).get(left).i32(1).scalar("i32.sub").scalar("i32.and").tee(left).branchIf(0).end();
  code.else();
  code.get(at);
  active().get(result).scalar("i32.and").access("i32.store", 0);
  code.end();
  load(offsetOf.arrivalNote).i32(0).scalar("i32.ge_s").if();
  place(offsetOf.arrivalNote);
  code.get(at);
  active().access("i32.store", 0);
  code.end();
  code.get(warp).i32(4).scalar("i32.add").tee(warp).get(end).scalar("i32.lt_u").branchIf(0).end();
  return module.function({ takes: ["i32"], gives: [] }, code);
}
