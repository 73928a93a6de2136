import { describe, expect, it } from "vitest";
import { LoadedRegisters, WarpgroupLog } from "../../../../src/interp/async/fences.ts";
import type { Flight, Operation, Site } from "../../../../src/interp/async/operation.ts";
import { lastKnown, Proxies, SynchronisedWarps, warpKey } from "../../../../src/interp/async/proxies.ts";
import { RegisterWatch } from "../../../../src/interp/async/register-watch.ts";
import { Source } from "../../../../src/source/source.ts";

const site: Site = { pc: 0, opcode: "st", source: new Source("t", "st"), span: { start: 0, end: 2 } };
/** Warps of several blocks, the first and the last ones among them, and lanes. */
const warps = [0, 1, 2, 31, 32].flatMap((block) => [0, 1, 15, 31].map((warp) => ({ block, warp, lane: warp })));
const blocks = [0, 1, 2, 31, 32];
const name = ({ block, warp }: { block: number; warp: number }): string => `${block}.${warp}`;
const ofOthers = (block: number) => warps.filter((each) => each.block !== block);

/** Shared memory of a block lies in 1 KiB of its own here, of which each warp has a word. */
const memoryOf = (block: number) => [1024 * block, 1024 * (block + 1)] as const;
const wordOf = ({ block, warp }: { block: number; warp: number }): number => 1024 * block + 4 * warp;
const reading = (start: number): Operation =>
  ({
    proxy: "async",
    reads: [{ start, bytes: 4 }],
    writes: [],
    site,
    completion: { kind: "none" },
    thread: { block: 0, warp: 0, lane: 0 },
  }) as unknown as Operation;
const signalling = (at: number): Operation => ({
  ...reading(0),
  reads: [],
  completion: { kind: "mbarrier", at, bytes: 0 },
});

describe("what a warp does is no other warp's, and goes with its block alone", () => {
  it("what it has written, initialised and fenced", () => {
    const made = (): Proxies => {
      const proxies = new Proxies(true);
      for (const thread of warps) {
        proxies.wrote(thread, site, { start: wordOf(thread), bytes: 4 });
        proxies.initialised(thread, site, wordOf(thread) + 512);
      }
      return proxies;
    };
    const left = (proxies: Proxies) => ({
      writes: warps.filter((each) => proxies.unfenced(reading(wordOf(each))) !== undefined).map(name),
      inits: warps.filter((each) => proxies.unfencedInit(signalling(wordOf(each) + 512)) !== undefined).map(name),
    });
    expect(left(made())).toEqual({ writes: warps.map(name), inits: warps.map(name) });
    for (const thread of warps) {
      const others = warps.filter((each) => each !== thread).map(name);
      const [fenced, released, elsewhere] = [made(), made(), made()];
      fenced.fence(thread.block, thread.warp, 1 << thread.lane);
      expect(left(fenced)).toEqual({ writes: others, inits: others });
      released.fenceInits(thread.block, thread.warp, 1 << thread.lane);
      expect(left(released)).toEqual({ writes: warps.map(name), inits: others });
      elsewhere.fence(thread.block, thread.warp, ~(1 << thread.lane));
      expect(left(elsewhere)).toEqual({ writes: warps.map(name), inits: warps.map(name) });
    }
    const ending = made();
    ending.met(warps.map(({ block, warp }) => ({ block, index: warp })));
    for (const { block, warp } of warps) ending.fence(block, warp, 1);
    for (const [at, block] of blocks.entries()) {
      ending.end(block, ...memoryOf(block));
      const { writes, inits, ownFences, fenced, meetings } = ending.save();
      const sizes = [writes, inits, ownFences, fenced, meetings.known].map(({ size }) => size);
      expect(sizes).toEqual(sizes.map(() => 4 * (blocks.length - 1 - at)));
    }
    expect(ending.save().meetings.arrived.size).toBe(0);
  });

  it("whom it has met, and what it has told an mbarrier object", () => {
    const meetings = new SynchronisedWarps();
    const key = ({ block, warp }: (typeof warps)[0]): number => warpKey(block, warp);
    expect(new Set(warps.map(key)).size).toBe(warps.length);
    for (const thread of warps) {
      meetings.now++;
      meetings.synchronise([key(thread)]);
      meetings.arrive(key(thread), wordOf(thread));
    }
    for (const [at, thread] of warps.entries())
      for (const other of warps)
        expect(lastKnown(meetings.known(key(thread)), key(other))).toBe(other === thread ? at + 1 : -1);
    for (const [at, block] of blocks.entries()) {
      meetings.end(block, ...memoryOf(block));
      const { known, arrived: told } = meetings.save();
      const left = warps.slice(4 * at + 4);
      expect([[...known.keys()], [...told.keys()]]).toEqual([left.map(key), left.map(wordOf)]);
    }
  });

  it("registers that loads fill, and those that wgmma has", () => {
    for (const { block } of [warps[4]!, warps.at(-1)!]) {
      const [loads, watch] = [new LoadedRegisters(), new RegisterWatch()];
      const flight = {} as Flight;
      for (const thread of warps) {
        loads.hold(thread, site, [thread.warp]);
        watch.fence(thread);
        watch.hold(thread, [thread.warp], [], "m64", flight);
      }
      loads.hold({ block: 99, warp: 0, lane: 0 }, site, []);
      expect(loads.save().size).toBe(warps.length);
      const held = () => ({
        loads: warps.filter((each) => loads.find(each, [40, each.warp]) !== undefined).map(name),
        watch: warps.filter((each) => watch.judge(each, [], [each.warp], "m64", () => true)?.kind === "held").map(name),
      });
      expect(held()).toEqual({ loads: warps.map(name), watch: warps.map(name) });
      loads.end(block);
      watch.end(block);
      expect(held()).toEqual({ loads: ofOthers(block).map(name), watch: ofOthers(block).map(name) });
      for (const each of blocks) {
        loads.end(each);
        watch.end(each);
      }
      expect([loads.save().size, watch.save().warps.size]).toEqual([0, 0]);
    }
  });

  it("what its warpgroup has to do, too", () => {
    const log = new WarpgroupLog();
    for (const thread of warps) log.step({ site, thread, given: "" });
    for (const block of blocks)
      expect(log.end(block).map(({ entry, missing }) => [entry.thread.block, entry.thread.warp, missing])).toEqual([
        [block, 0, [2, 3]],
        [block, 15, [12, 13, 14]],
        [block, 31, [28, 29, 30]],
      ]);
    expect(log.save().size).toBe(0);
  });
});
