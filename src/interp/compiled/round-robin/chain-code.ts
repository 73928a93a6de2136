import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { ALLOCATED, WINDOWED } from "../../memory/shadow.ts";
import { YIELD_BUDGET } from "../../warp/groups.ts";
import { happenings, type LateFunctions } from "../boundary/late-layout.ts";
import { globals } from "../boundary/module-globals.ts";
import { offsetOf } from "../boundary/state-layout.ts";
import { stateWords } from "./state-words.ts";

/** What a new block begins with. */
export interface Beginning {
  /** Lanes of a warp. */
  readonly lanes: number;
  /** The block of the module that begins at pc 0, or -1. */
  readonly entry: number;
  /** Bytes from data to shadow. */
  readonly distance: number;
  /** Whether barriers have votes. */
  readonly votes: boolean;
  /** If there are observers: imported functions, which notify them of a barrier (number) and of the block that begins; or late. */
  readonly notify: { readonly completed: number; readonly began: number; readonly late: LateFunctions } | undefined;
}

/**
 * Writes a function, (warps), that begins the block behind the one whose warps have all ended, as `startBlock` in
 * `schedule/cta-slot.ts` does: returns 0, and does nothing, if JavaScript has to.
 */
export function chainFunction(module: ModuleWriter, { lanes, entry, distance, notify }: Beginning): number {
  const code = new Code(1);
  const count = 0;
  const local = (): number => code.local("i32");
  const [state, all, warp, end, ctaid, row, last] = [local(), local(), local(), local(), local(), local(), local()];
  const { warps, chainRows } = offsetOf;
  const { load, store } = stateWords(code, state);
  code.globalGet(globals.state).set(state);
  code.i32(-1).i32(32).get(count).scalar("i32.sub").scalar("i32.shr_u").set(all);
  load(offsetOf.chainLeft).scalar("i32.eqz");
  // Some warps have ended outside of the module: those that exit while a barrier has arrivals do (`mayExit`).
  load(offsetOf.endedWarps).get(all).scalar("i32.ne").scalar("i32.or");
  code.globalGet(globals.executed).globalGet(globals.limit).scalar("i32.ge_u").scalar("i32.or");
  code.i32(entry).i32(0).scalar("i32.lt_s").scalar("i32.or").if();
  code.i32(0).scalar("return").end();
  store(offsetOf.chainLeft, () => load(offsetOf.chainLeft).i32(1).scalar("i32.sub"));
  store(offsetOf.chainBegun, () => load(offsetOf.chainBegun).i32(1).scalar("i32.add"));
  // x runs fastest: when it wraps, the next axis advances.
  for (const axis of [0, 1, 2]) {
    load(offsetOf.chainCtaid + 4 * axis)
      .i32(1)
      .scalar("i32.add")
      .set(ctaid);
    store(offsetOf.chainCtaid + 4 * axis, () => code.get(ctaid));
    if (axis === 2) break;
    code.get(ctaid);
    load(offsetOf.chainGrid + 4 * axis)
      .scalar("i32.eq")
      .if();
    store(offsetOf.chainCtaid + 4 * axis, () => code.i32(0));
  }
  code.end().end();
  load(offsetOf.sharedBytes).if();
  load(offsetOf.shared).i32(0);
  load(offsetOf.sharedBytes).fill();
  load(offsetOf.shared)
    .i32(distance)
    .scalar("i32.add")
    .i32(ALLOCATED | WINDOWED);
  load(offsetOf.sharedBytes).fill();
  code.end();
  store(offsetOf.sharedClean, () => code.i32(0));
  store(offsetOf.endedWarps, () => code.i32(0));
  store(offsetOf.whole, () => code.i32(1));
  store(offsetOf.readyWarps, () => code.get(all));
  code.get(state).tee(warp).get(count).i32(2).scalar("i32.shl").scalar("i32.add").set(end);
  load(offsetOf.chainRowCount).i32(2).scalar("i32.shl").get(state).scalar("i32.add").set(last);
  code.loop();
  code.get(warp).i32(-1).access("i32.store", warps.active);
  code.get(warp).i32(entry).access("i32.store", warps.next);
  code.get(warp).i32(YIELD_BUDGET).access("i32.store", warps.yieldBudget);
  for (const offset of [warps.burnt, warps.carry]) code.get(warp).i32(0).access("i32.store", offset);
  code.get(state).set(row).block().loop();
  code.get(row).get(last).scalar("i32.eq").branchIf(1);
  code.get(row).access("i32.load", chainRows.axis).get(state).scalar("i32.add");
  code.access("i32.load", offsetOf.chainCtaid).set(ctaid);
  code.get(warp).access("i32.load", warps.base).get(row).access("i32.load", chainRows.at).scalar("i32.add").tee(all);
  for (let at = 0; at < 4 * lanes; at += 16) {
    if (at > 0) code.get(all);
    code.get(ctaid).vector("i32x4.splat").access("v128.store", at);
  }
  code.get(row).i32(4).scalar("i32.add").set(row).branch(0).end().end();
  code.get(warp).i32(4).scalar("i32.add").tee(warp).get(end).scalar("i32.lt_u").branchIf(0).end();
  code.get(end).i32(4).scalar("i32.sub");
  load(offsetOf.chainLanes).access("i32.store", warps.active);
  if (notify !== undefined) {
    code.i32(1).i32(happenings.began).i32(0).call(notify.late.happening);
    code.if().call(notify.began).end();
  }
  code.i32(1);
  return module.function({ takes: ["i32"], gives: ["i32"] }, code);
}
