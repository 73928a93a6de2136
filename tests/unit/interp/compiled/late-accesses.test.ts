import { describe, expect, test } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { LATE_ACCESSES } from "../../../../src/interp/compiled/running/late-accesses.ts";
import type { LateAccesses, WarpAccess } from "../../../../src/interp/contract/observer.ts";
import { compiled, type Executor, javascript, type Observer } from "../../../../src/interp/index.ts";

/** Each block copies words of a buffer to shared memory, meets, and adds up what other threads have copied, four times. */
const text = `.version 8.8
.target sm_90
.address_size 64
.entry k(.param .b64 in, .param .b64 out)
{
  .shared .align 16 .b8 tile[256];
  .reg .b32 i, b, c, d, e, s, t; .reg .b64 x, y, v; .reg .pred p, q;
  ld.param.b64 x, [in]; ld.param.b64 y, [out]; mov.u32 i, %tid.x; mov.u32 b, %ctaid.x; mov.u32 c, 0; mov.u32 e, 0;
  mul.wide.u32 v, i, 4; add.s64 x, x, v; mad.lo.u32 d, b, 64, i; mul.wide.u32 v, d, 4; add.s64 y, y, v;
  mov.u32 t, tile; mad.lo.u32 s, i, 4, t; setp.lt.u32 q, i, 10;
again:
  ld.global.b32 d, [x]; st.shared.b32 [s], d;
  bar.sync 0;
  ld.shared.b32 d, [t]; add.u32 e, e, d; ld.shared.b32 d, [t+128]; add.u32 e, e, d;
  @q ld.global.b32 d, [x+4]; @q add.u32 e, e, d;
  bar.sync 0;
  add.s64 x, x, 256; add.u32 c, c, 1; setp.lt.u32 p, c, 4; @p bra again;
  st.global.b32 [y], e;
  ret;
}`;

/** So many blocks that not all that waits has room. */
const GRID = 24;

interface Heard {
  /** Everything, in order. */
  readonly told: readonly string[];
  /** How many accesses were told late, and how many were dropped. */
  readonly late: number;
  readonly dropped: number;
}

/** What would tell of what the executor has judged. */
interface Held {
  readonly replays: (() => void)[];
  isAsked: boolean;
}

/**
 * What an observer hears, which may be told late, or never of shared memory, where an interval of it `isNeedless`; or nothing, if it
 * lets the executor judge accesses and keeps in `held` what would tell of them.
 */
function heard(executor: Executor, isOpen: boolean, isNeedless?: (access: number) => boolean, held?: Held): Heard {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const args = [device.buffer(new Uint32Array(320).map((_, at) => at)), device.buffer(new Uint32Array(GRID * 64))];
  const session = must(kernel.session({ grid: GRID, block: 64, args, executor, readableRegisters: false }))!;
  const told: string[] = [];
  let [late, dropped, asked] = [0, 0, 0];
  const noted: { readonly access: Pick<WarpAccess, "how" | "pc" | "space">; readonly more: readonly number[] }[] = [];
  const say = (how: string, space: string, where: readonly number[], ...by: readonly number[]): void => {
    if (space === "shared" || space === "global") told.push([how, space, ...by, ...where].join(" "));
  };
  const lateAccesses: LateAccesses = {
    isOpen: () => isOpen,
    note({ how, pc, space, where, lanes }) {
      expect(lanes).toBe(0xffff_ffff);
      return noted.push({ access: { how, pc, space }, more: [...where].map((at) => at - where[0]!) }) - 1;
    },
    access(number, block, warp, start) {
      // As any access: told by another call.
      if (late++ % 7 === 3) return 0xffff_ffff;
      const { access, more } = noted[number]!;
      say(access.how, access.space, more.map((each) => start + each), access.pc, block, warp); // biome-ignore format: one call
      return 0;
    },
    interval: () =>
      isNeedless && {
        isNeedless: () => isNeedless(asked++),
        isNeedlessAccess: () => isNeedless(asked++),
        met: () => expect.unreachable(),
      },
    mayDrop: () => true,
    drop: (count) => {
      dropped += count;
    },
    dropAtomic: () => expect.unreachable(),
    judge: () => held !== undefined,
    hold: (replay) => void held!.replays.push(replay),
    mayHold: () => true,
    replay: () => expect.unreachable(),
  };
  const observer: Observer = {
    apart: true,
    late: lateAccesses,
    access: ({ how, space, where, pc, block, warp, lanes }) =>
      say(how, space, [...where].filter((_, lane) => (lanes >>> lane) & 1), pc, block, warp), // biome-ignore format: one call
    barrier: (block, id, arrived, whole) => told.push(["barrier", block, id, ...arrived, whole].join(" ")),
    begin: (block) => told.push(`begin ${block}`),
    end: (block) => {
      const tell = (): number => told.push(`end ${block}`);
      if (held?.isAsked === false) held.replays.push(tell);
      else tell();
    },
  };
  session.observe(observer);
  expect(session.run().reason).toBe("exit");
  session.close();
  return { told, late, dropped };
}

describe("an observer that may be told late", () => {
  const everything = heard(javascript, false);
  const isShared = (each: string): boolean => each.includes(" shared ");
  const rest = everything.told.filter((each) => !isShared(each));

  test("hears in the module of the same, in the same order", () => {
    expect(everything.told.filter((each) => each.startsWith("barrier"))).toHaveLength(GRID * 4 * 2);
    expect(everything.told.filter((each) => each.startsWith("end"))).toHaveLength(GRID);
    expect(heard(compiled, false)).toEqual(everything);
  });

  test("hears of everything later, in the same order", () => {
    const { told, late, dropped } = heard(compiled, true);
    expect(told).toEqual(everything.told);
    expect(dropped).toBe(0);
    // Of accesses of all lanes, once it is learnt from the first.
    expect(late).toBeGreaterThan(80);
  });

  test("need not hear of shared memory up to a barrier", () => {
    const { told, dropped } = heard(compiled, true, () => true);
    expect(told.filter((each) => !isShared(each))).toEqual(rest);
    expect(dropped).toBeGreaterThan(100);
    expect(told.length + dropped).toBe(everything.told.length);
  });

  test("hears of all of shared memory up to a barrier if it needs one access", () => {
    const { told, dropped } = heard(compiled, true, (access) => access % 3 > 0);
    expect(told.filter((each) => !isShared(each))).toEqual(rest);
    expect(dropped).toBeGreaterThan(0);
    expect(told.length + dropped).toBe(everything.told.length);
    const stores = (of: readonly string[]): readonly string[] => of.filter((each) => each.startsWith("store shared"));
    expect(everything.told).toEqual(expect.arrayContaining([...told]));
    expect(stores(told).length).toBeGreaterThan(0);
  });

  test("holds all but what shared memory had before a barrier, where the module judges", () => {
    const held: Held = { replays: [], isAsked: false };
    const { told } = heard(compiled, true, undefined, held);
    expect(told).toEqual(["begin 0"]);
    held.isAsked = true;
    for (const replay of held.replays) replay();
    expect(told.filter((each) => !isShared(each))).toEqual(rest);
    expect(everything.told).toEqual(expect.arrayContaining([...told]));
    expect(told.length).toBeLessThan(everything.told.length);
  });

  test("gives back the memory in which accesses waited", () => {
    const device = new Device();
    const kernel = must(must(device.module(text)).kernel("k"));
    const args = [device.buffer(1280), device.buffer(1280)];
    const sanitize = { mem: true, init: false, race: true };
    // Snapshots, which somebody may take of registers, would have that memory.
    for (const readableRegisters of [false, true]) {
      const session = must(
        kernel.session({ grid: 5, block: 64, args, executor: compiled, sanitize, readableRegisters }),
      )!;
      const { allocations } = session.state!.context.memory;
      const waits = (): boolean => allocations.live.some(({ name }) => name === LATE_ACCESSES);
      session.run();
      expect(waits()).toBe(!readableRegisters);
      session.close();
      expect(waits()).toBe(false);
    }
  });
});
