import { describe, expect, test } from "vitest";
import { Device, must } from "../../../../src/index.ts";
import { LATE_ACCESSES } from "../../../../src/interp/compiled/running/late-accesses.ts";
import type { LateLoads, WarpAccess } from "../../../../src/interp/contract/observer.ts";
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

interface Heard {
  /** Everything in order, but loads of shared memory; and how many there were of those. */
  readonly told: readonly string[];
  readonly ofShared: number;
  readonly late: number;
}

/** What an observer hears, to which loads may be late while `open` holds. */
function heard(executor: Executor, open: (space: string) => boolean): Heard {
  const device = new Device();
  const kernel = must(must(device.module(text)).kernel("k"));
  const args = [device.buffer(new Uint32Array(320).map((_, at) => at)), device.buffer(new Uint32Array(5 * 64))];
  const session = must(kernel.session({ grid: 5, block: 64, args, executor, readableRegisters: false }))!;
  const told: string[] = [];
  let [ofShared, late] = [0, 0];
  const noted: { readonly access: Pick<WarpAccess, "pc" | "space">; readonly more: readonly number[] }[] = [];
  const say = (how: string, space: string, where: readonly number[], ...by: readonly number[]): void => {
    if (space === "shared" && how === "load") ofShared++;
    else if (space === "shared" || space === "global") told.push([how, space, ...by, ...where].join(" "));
  };
  const lateLoads: LateLoads = {
    version: 0,
    isOpen: (_, space) => open(space),
    within: () => [0, 2 ** 30],
    note({ pc, space, where, lanes }) {
      expect(lanes).toBe(0xffff_ffff);
      return noted.push({ access: { pc, space }, more: [...where].map((at) => at - where[0]!) }) - 1;
    },
    load(number, block, warp, start) {
      late++;
      const { access, more } = noted[number]!;
      say("load", access.space, more.map((each) => start + each), access.pc, block, warp); // biome-ignore format: one call
    },
    skip(_, count) {
      late += count;
      ofShared += count;
    },
  };
  const observer: Observer = {
    apart: true,
    late: lateLoads,
    access: ({ how, space, where, pc, block, warp, lanes }) =>
      say(how, space, [...where].filter((_, lane) => (lanes >>> lane) & 1), pc, block, warp), // biome-ignore format: one call
    barrier: (block, id, arrived, whole) => told.push(["barrier", block, id, ...arrived, whole].join(" ")),
    begin: (block) => told.push(`begin ${block}`),
    end: (block) => told.push(`end ${block}`),
  };
  session.observe(observer);
  expect(session.run().reason).toBe("exit");
  session.close();
  return { told, ofShared, late };
}

describe("an observer to which loads may be late", () => {
  const everything = heard(javascript, () => false);

  test("hears in the module of the same, in the same order", () => {
    expect(everything.told.filter((each) => each.startsWith("barrier"))).toHaveLength(5 * 4 * 2);
    expect(everything.told.filter((each) => each.startsWith("end"))).toHaveLength(5);
    expect(heard(compiled, () => false)).toEqual(everything);
  });

  test.each(["global", "shared", "both"])("hears of loads of %s memory later, and of all else as before", (which) => {
    const { told, ofShared, late } = heard(compiled, (space) => which === "both" || which === space);
    expect(told).toEqual(everything.told);
    expect(ofShared).toBe(everything.ofShared);
    // Of two warps in five blocks, but not of those loads from which it is learnt.
    expect(late).toBeGreaterThan(which === "global" ? 20 : 60);
  });

  test("gives back the memory in which loads waited", () => {
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
