import { describe, expect, it } from "vitest";
import { LoadedRegisters, WarpgroupLog } from "../../../../src/interp/async/fences.ts";
import type { Flight, Site } from "../../../../src/interp/async/operation.ts";
import { RegisterWatch } from "../../../../src/interp/async/register-watch.ts";
import { Source } from "../../../../src/source/source.ts";

const source = new Source("t", "wgmma");
const site = (pc: number): Site => ({ pc, opcode: `op${pc}`, source, span: { start: 0, end: 5 } });
const thread = (warp: number, block = 0) => ({ block, warp, lane: 0 });
const flight = { number: 1 } as Flight;
const [flying, landed] = [() => true, () => false];

describe("registers that wgmma works on (PTX ISA, wgmma Proxy Operations)", () => {
  const fenced = (): RegisterWatch => {
    const watch = new RegisterWatch();
    watch.fence(thread(0));
    return watch;
  };
  const touch = (watch: RegisterWatch, reads: number[], writes: number[], moves = false, inFlight = landed) =>
    watch.touch(thread(0), site(3), { reads, writes, moves }, inFlight);

  it("need a fence at all, and one behind what has touched them", () => {
    expect(new RegisterWatch().judge(thread(0), [1], [], "m", landed)).toEqual({
      kind: "unfenced",
      slot: undefined,
      by: undefined,
    });
    const watch = fenced();
    expect(watch.judge(thread(0), [1], [2], "m", landed)).toBeUndefined();
    expect(watch.judge(thread(1), [1], [2], "m", landed)?.kind).toBe("unfenced");
    touch(watch, [5], [1]);
    expect(watch.judge(thread(0), [0, 1], [2], "m", landed)).toMatchObject({
      slot: 1,
      by: { wrote: true, moves: false },
    });
    expect(watch.judge(thread(0), [0], [5], "m", landed)).toMatchObject({ slot: 5, by: { wrote: false } });
    expect(watch.judge(thread(0), [0], [2], "m", landed)).toBeUndefined();
    watch.fence(thread(0));
    expect(watch.judge(thread(0), [0, 1], [5], "m", landed)).toBeUndefined();
  });

  it("may have been moved, which is told only where nothing worse is, and a read does not excuse a write", () => {
    const watch = fenced();
    touch(watch, [], [1], true);
    touch(watch, [1], [2]);
    expect(watch.judge(thread(0), [1], [], "m", landed)).toMatchObject({ slot: 1, by: { moves: true, wrote: true } });
    expect(watch.judge(thread(0), [1, 2], [], "m", landed)).toMatchObject({ slot: 2, by: { moves: false } });
    touch(watch, [3], []);
    touch(watch, [], [3], true);
    expect(watch.judge(thread(0), [3, 1], [], "m", landed)).toMatchObject({ slot: 3, by: { moves: true } });
  });

  it("are in flight until it is waited for, and handed on between operations of one shape", () => {
    const watch = fenced();
    watch.hold(thread(0), [1, 2], [7], "m", flight);
    expect(touch(watch, [2, 7], [], false, flying)).toMatchObject({ kind: "held", slot: 2, how: "d", flight });
    expect(touch(watch, [], [7], false, flying)).toMatchObject({ kind: "held", slot: 7, how: "a" });
    watch.fence(thread(0));
    watch.hold(thread(0), [1, 2], [7], "m", flight);
    const judge = (d: number[], a: number[], shape = "m", inFlight = flying) =>
      watch.judge(thread(0), d, a, shape, inFlight)?.kind;
    expect(judge([1, 2], [])).toBeUndefined();
    expect(judge([1], [], "n")).toBe("unfenced");
    expect(judge([1], [], "n", landed)).toBeUndefined();
    expect(judge([3], [7])).toBeUndefined();
    expect(judge([7], [])).toBe("held");
    expect(judge([3], [1])).toBe("held");
    watch.fence(thread(0));
    expect(judge([1], [], "n")).toBeUndefined();
    expect(judge([3], [1])).toBe("held");
    // What has landed is nobody's any more, once somebody has looked.
    expect(touch(watch, [1], [], false, landed)).toBeUndefined();
    watch.fence(thread(0));
    expect(judge([3], [1])).toBeUndefined();
  });

  it("are told of once a place, and forgotten with their block", () => {
    const watch = fenced();
    expect([watch.isNews(4), watch.isNews(4), watch.isNews(5)]).toEqual([true, false, true]);
    watch.fence(thread(2, 1));
    touch(watch, [], [1]);
    const image = watch.save();
    watch.end(0);
    expect(watch.judge(thread(0), [2], [], "m", landed)).toMatchObject({ slot: undefined });
    expect(watch.judge(thread(2, 1), [2], [], "m", landed)).toBeUndefined();
    for (let times = 0; times < 2; times++) {
      watch.restore(image);
      expect(watch.judge(thread(0), [1], [], "m", landed)).toMatchObject({ slot: 1 });
      expect([watch.isNews(5), watch.isNews(6)]).toEqual([false, true]);
      watch.fence(thread(0));
    }
  });
});

describe("registers that tcgen05.ld fills (PTX ISA, tcgen05.wait)", () => {
  it("are taken until their warp waits, or its block ends", () => {
    const loads = new LoadedRegisters();
    loads.hold(thread(1), site(1), [4, 5]);
    loads.hold(thread(1), site(2), [5, 6]);
    loads.hold(thread(1, 2), site(3), [9]);
    expect(loads.find(thread(1), [3, 6, 4])).toEqual({ slot: 6, site: site(2) });
    expect(loads.find(thread(1), [5])).toEqual({ slot: 5, site: site(2) });
    expect([loads.find(thread(1), [3]), loads.find(thread(0), [4]), loads.find(thread(1, 1), [4])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const image = loads.save();
    loads.wait(thread(1));
    expect([loads.find(thread(1), [4]), loads.find(thread(1, 2), [9])?.slot]).toEqual([undefined, 9]);
    loads.restore(image);
    loads.hold(thread(1), site(4), [7]);
    loads.end(0);
    expect([loads.find(thread(1), [4]), loads.find(thread(1, 2), [9])?.slot]).toEqual([undefined, 9]);
    loads.end(2);
    expect(loads.find(thread(1, 2), [9])).toBeUndefined();
    loads.restore(image);
    expect([loads.find(thread(1), [7]), loads.find(thread(1), [4])?.slot]).toEqual([undefined, 4]);
  });
});

describe("the four warps of a warpgroup", () => {
  const step = (log: WarpgroupLog, warp: number, pc: number, given = "", block = 0) =>
    log.step({ site: site(pc), thread: thread(warp, block), given });

  it("execute the same with the same, in whatever order they come", () => {
    const log = new WarpgroupLog();
    for (const [warp, pc] of [
      [2, 1],
      [2, 5],
      [0, 1],
      [1, 1],
      [3, 1],
      [3, 5],
      [0, 5],
      [1, 5],
      // Another group goes its own way.
      [4, 9],
      [5, 9],
      [6, 9],
      [7, 9],
    ] as const)
      expect(step(log, warp, pc)).toBeUndefined();
    expect(log.end(0)).toEqual([]);
  });

  it("are told apart by the place, and by what they give", () => {
    const log = new WarpgroupLog();
    step(log, 4, 1, "x");
    expect(step(log, 5, 1, "y")?.entry.thread).toEqual(thread(4));
    expect(step(log, 6, 2, "x")).toMatchObject({ entry: { site: { pc: 1 } }, missing: [] });
    expect(step(log, 7, 1, "x")).toBeUndefined();
    expect(log.end(0)).toEqual([]);
  });

  it("are missed at the end of their block, once", () => {
    const log = new WarpgroupLog();
    for (const warp of [0, 1, 2, 3]) step(log, warp, 1);
    for (const warp of [0, 2]) step(log, warp, 2);
    step(log, 7, 3);
    step(log, 4, 3, "", 1);
    const image = log.save();
    const ends = (block: number) => log.end(block).map(({ entry, missing }) => [entry.site.pc, missing]);
    expect(ends(0)).toEqual([
      [2, [1, 3]],
      [3, [4, 5, 6]],
    ]);
    expect(ends(0)).toEqual([]);
    expect(ends(1)).toEqual([[3, [5, 6, 7]]]);
    log.restore(image);
    expect(ends(0).length).toBe(2);
  });
});
