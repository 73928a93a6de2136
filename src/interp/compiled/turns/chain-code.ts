import { Code } from "../../../wasm/code.ts";
import type { ModuleWriter } from "../../../wasm/module.ts";
import { ALLOCATED, WINDOWED } from "../../memory/shadow.ts";
import { FUEL } from "../../warp/groups.ts";
import { globals } from "../boundary/module-globals.ts";
import {
  CHAIN_BEGUN,
  CHAIN_CTAID,
  CHAIN_GRID,
  CHAIN_LANES,
  CHAIN_LEFT,
  CHAIN_ROW_BYTES,
  CHAIN_ROWS,
  CHAIN_ROWS_COUNT,
  ENDED,
  READY,
  SHARED,
  SHARED_BYTES,
  SHARED_CLEAN,
  WARP_ACTIVE,
  WARP_BASE,
  WARP_BURNT,
  WARP_BYTES,
  WARP_CARRY,
  WARP_FUEL,
  WARP_NEXT,
  WARPS,
  WHOLE,
} from "../boundary/places.ts";

/** What a block begins with. */
export interface Beginning {
  /** Lanes of a warp. */
  readonly lanes: number;
  /** The block of the module that begins at pc 0, or -1. */
  readonly entry: number;
  /** Bytes from data to shadow. */
  readonly distance: number;
}

/**
 * Writes a function, (warps), that begins the block behind the one whose warps have all ended, as `startBlock` in
 * `schedule/cta-slot.ts` does it: gives 0, and does nothing, where JavaScript has to.
 */
export function chainFunction(module: ModuleWriter, { lanes, entry, distance }: Beginning): number {
  const code = new Code(1);
  const count = 0;
  const local = (): number => code.local("i32");
  const [state, all, warp, end, ctaid, row, last] = [local(), local(), local(), local(), local(), local(), local()];
  const load = (offset: number): Code => code.get(state).access("i32.load", offset);
  const store = (offset: number, value: () => void): void => {
    code.get(state);
    value();
    code.access("i32.store", offset);
  };
  code.globalGet(globals.state).set(state);
  code.i32(-1).i32(32).get(count).scalar("i32.sub").scalar("i32.shr_u").set(all);
  load(CHAIN_LEFT).scalar("i32.eqz");
  // Some have ended elsewhere: those that leave while somebody has arrived at a barrier do so in JavaScript (`MAY_EXIT`).
  load(ENDED).get(all).scalar("i32.ne").scalar("i32.or");
  code.globalGet(globals.executed).globalGet(globals.limit).scalar("i32.ge_u").scalar("i32.or");
  code.i32(entry).i32(0).scalar("i32.lt_s").scalar("i32.or").if();
  code.i32(0).scalar("return").end();
  store(CHAIN_LEFT, () => load(CHAIN_LEFT).i32(1).scalar("i32.sub"));
  store(CHAIN_BEGUN, () => load(CHAIN_BEGUN).i32(1).scalar("i32.add"));
  // x runs fastest: where it is at its end, the next one goes on.
  for (const axis of [0, 1, 2]) {
    load(CHAIN_CTAID + 4 * axis)
      .i32(1)
      .scalar("i32.add")
      .set(ctaid);
    store(CHAIN_CTAID + 4 * axis, () => code.get(ctaid));
    if (axis === 2) break;
    code.get(ctaid);
    load(CHAIN_GRID + 4 * axis)
      .scalar("i32.eq")
      .if();
    store(CHAIN_CTAID + 4 * axis, () => code.i32(0));
  }
  code.end().end();
  load(SHARED_BYTES).if();
  load(SHARED).i32(0);
  load(SHARED_BYTES).fill();
  load(SHARED)
    .i32(distance)
    .scalar("i32.add")
    .i32(ALLOCATED | WINDOWED);
  load(SHARED_BYTES).fill();
  code.end();
  store(SHARED_CLEAN, () => code.i32(0));
  store(ENDED, () => code.i32(0));
  store(WHOLE, () => code.i32(1));
  store(READY, () => code.get(all));
  code.get(state).i32(WARPS).scalar("i32.add").tee(warp);
  code.get(count).i32(WARP_BYTES).scalar("i32.mul").scalar("i32.add").set(end);
  load(CHAIN_ROWS_COUNT).i32(CHAIN_ROW_BYTES).scalar("i32.mul").get(state).scalar("i32.add").set(last);
  code.loop();
  code.get(warp).i32(-1).access("i32.store", WARP_ACTIVE);
  code.get(warp).i32(entry).access("i32.store", WARP_NEXT);
  code.get(warp).i32(FUEL).access("i32.store", WARP_FUEL);
  for (const offset of [WARP_BURNT, WARP_CARRY]) code.get(warp).i32(0).access("i32.store", offset);
  code.get(state).set(row).block().loop();
  code.get(row).get(last).scalar("i32.eq").branchIf(1);
  code
    .get(row)
    .access("i32.load", CHAIN_ROWS + 4)
    .get(state)
    .scalar("i32.add")
    .access("i32.load", CHAIN_CTAID)
    .set(ctaid);
  code.get(warp).access("i32.load", WARP_BASE).get(row).access("i32.load", CHAIN_ROWS).scalar("i32.add").tee(all);
  for (let at = 0; at < 4 * lanes; at += 16) {
    if (at > 0) code.get(all);
    code.get(ctaid).vector("i32x4.splat").access("v128.store", at);
  }
  code.get(row).i32(CHAIN_ROW_BYTES).scalar("i32.add").set(row).branch(0).end().end();
  code.get(warp).i32(WARP_BYTES).scalar("i32.add").tee(warp).get(end).scalar("i32.lt_u").branchIf(0).end();
  code.get(end).i32(WARP_BYTES).scalar("i32.sub");
  load(CHAIN_LANES).access("i32.store", WARP_ACTIVE);
  code.i32(1);
  return module.function({ takes: ["i32"], gives: ["i32"] }, code);
}
