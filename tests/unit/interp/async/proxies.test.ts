import { describe, expect, it } from "vitest";
import { MapChanges } from "../../../../src/interp/async/map-changes.ts";
import {
  laneOfQueue,
  lineOf,
  type Operation,
  ownLane,
  type Site,
  warpOfQueue,
} from "../../../../src/interp/async/operation.ts";
import { lastKnown, Proxies, SynchronisedWarps } from "../../../../src/interp/async/proxies.ts";
import { Source } from "../../../../src/source/source.ts";

const site: Site = { pc: 0, opcode: "st", source: new Source("t", "st"), span: { start: 0, end: 2 } };
const thread = (block: number, warp: number, lane = 0) => ({ block, warp, lane });
const reading = (start: number, bytes: number, more: Partial<Operation> = {}): Operation =>
  ({
    proxy: "async",
    reads: [{ start, bytes }],
    writes: [],
    thread: thread(0, 0),
    site,
    completion: { kind: "none" },
    ...more,
  }) as Operation;
const signalling = (at: number, proxy: Operation["proxy"] = "async"): Operation =>
  reading(0, 0, { proxy, completion: { kind: "mbarrier", at, bytes: 0 } });

describe("what the generic proxy has written (8.6)", () => {
  const written = () => {
    const proxies = new Proxies(true);
    proxies.wrote(thread(0, 1, 3), site, { start: 101, bytes: 4 });
    return { proxies, at: (start: number, bytes = 1) => proxies.unfenced(reading(start, bytes))?.at };
  };

  it("is unfenced by the word, for who reads by the async proxy alone", () => {
    const { proxies, at } = written();
    expect([at(99), at(100), at(104), at(108), at(96, 5), at(96, 4), at(107, 9)]).toEqual([
      undefined,
      100,
      104,
      undefined,
      100,
      undefined,
      104,
    ]);
    expect(proxies.unfenced(reading(100, 4, { proxy: "generic" }))).toBeUndefined();
    const off = new Proxies(false);
    expect(off.save().inits.size).toBe(0);
    off.initialised(thread(0, 0), site, 8);
    expect(off.unfencedInit(signalling(8))).toBeUndefined();
    off.landed(reading(0, 0, { proxy: "generic", writes: [{ start: 0, bytes: 4 }] }));
    expect(off.save().writes.size).toBe(0);
  });

  it("is fenced by the thread that wrote, not by its neighbours, and not before it wrote", () => {
    for (const [warp, lanes, covers] of [
      [1, 1 << 3, true],
      [1, 0xffff_ffff, true],
      [1, ~(1 << 3), false],
      [0, 1 << 3, false],
      [1, 0, false],
    ] as const) {
      const { proxies, at } = written();
      proxies.fence(0, warp, lanes);
      expect(at(100) === undefined).toBe(covers);
      proxies.wrote(thread(0, 1, 3), site, { start: 100, bytes: 4 });
      expect(at(100)).toBe(100);
    }
  });

  it("is fenced by who has met the writer since, by a barrier or by an mbarrier object", () => {
    const meet = (...warps: number[]) => warps.map((index) => ({ block: 0, index }));
    type Way = readonly [covers: boolean, ...steps: ((proxies: Proxies) => void)[]];
    const met =
      (...warps: number[]) =>
      (proxies: Proxies) =>
        proxies.met(meet(...warps));
    const arrived = (proxies: Proxies) => proxies.arrived(thread(0, 1), 64);
    const observed =
      (warp: number, at: number, ...asked: ReturnType<typeof thread>[]) =>
      (proxies: Proxies) =>
        proxies.observed(thread(0, warp), at, asked);
    const ways: readonly Way[] = [
      [true, met(1, 2)],
      [false, met(0, 2)],
      [true, met(1, 0), met(0, 2)],
      [false, met(0, 2), met(1, 0)],
      [true, arrived, observed(2, 64)],
      [false, arrived, observed(2, 72)],
      [true, observed(2, 64, thread(0, 1))],
      [true, observed(0, 64, thread(0, 1)), observed(2, 64)],
      [false, observed(2, 64, thread(1, 1))],
      [true, (proxies) => proxies.acquired(0, 2)],
      [false, (proxies) => proxies.acquired(0, 3)],
    ];
    for (const [index, [covers, ...steps]] of ways.entries()) {
      const { proxies, at } = written();
      for (const step of steps) step(proxies);
      const image = proxies.save();
      proxies.fence(0, 2, 1);
      expect(at(100) === undefined, `way ${index}`).toBe(covers);
      proxies.restore(image);
      expect(at(100)).toBe(100);
    }
  });

  it("is what copies by it have left, too, and is forgotten with the block's memory", () => {
    const { proxies, at } = written();
    proxies.landed(reading(0, 0, { proxy: "generic", thread: thread(0, 1, 3), writes: [{ start: 200, bytes: 8 }] }));
    proxies.landed(reading(0, 0, { proxy: "async", writes: [{ start: 300, bytes: 8 }] }));
    expect([at(204), at(300)]).toEqual([204, undefined]);
    proxies.end(0, 96, 104);
    expect([at(100), at(104), at(204)]).toEqual([undefined, 104, 204]);
    proxies.fence(0, 1, 1 << 3);
    proxies.end(0, 0, 0);
    expect([proxies.save().writes.size, proxies.save().ownFences.size]).toEqual([0, 0]);
  });

  it("is an mbarrier object's first value until a fence of either kind follows", () => {
    const init = () => {
      const proxies = new Proxies(true);
      proxies.initialised(thread(1, 2, 4), site, 64);
      return proxies;
    };
    expect(init().unfencedInit(signalling(64))?.thread).toEqual(thread(1, 2, 4));
    expect(init().unfencedInit(signalling(72))).toBeUndefined();
    expect(init().unfencedInit(signalling(64, "generic"))).toBeUndefined();
    expect(init().unfencedInit(reading(64, 8))).toBeUndefined();
    for (const [block, warp, lanes, fences] of [
      [1, 2, 1 << 4, true],
      [1, 2, ~(1 << 4), false],
      [1, 1, -1, false],
      [0, 2, -1, false],
    ] as const) {
      const [one, other] = [init(), init()];
      one.fenceInits(block, warp, lanes);
      other.fence(block, warp, lanes);
      for (const each of [one, other]) expect(each.unfencedInit(signalling(64)) === undefined).toBe(fences);
    }
    const ended = init();
    ended.end(0, 65, 128);
    expect(ended.save().inits.size).toBe(1);
    ended.end(0, 64, 65);
    expect(ended.save().inits.size).toBe(0);
  });
});

it("warps that have met know what each did before, and not what it did since", () => {
  const meetings = new SynchronisedWarps();
  const knows = (warp: number, other: number): number => lastKnown(meetings.known(warp), other);
  meetings.now = 5;
  meetings.synchronise([1, 2]);
  meetings.now = 9;
  expect([knows(1, 2), knows(2, 1), knows(1, 1), knows(3, 1)]).toEqual([5, 5, 5, -1]);
  meetings.synchronise([2, 33]);
  expect([knows(33, 1), knows(33, 2), knows(1, 2), knows(2, 33)]).toEqual([5, 9, 5, 9]);
  meetings.synchronise([1]);
  expect(knows(1, 1)).toBe(9);
  meetings.acquire(1);
  expect([knows(1, 77), knows(1, 2)]).toEqual([9, 9]);
  meetings.end(1, 0, 0);
  expect([knows(33, 1), knows(2, 33)]).toEqual([-1, 9]);
  meetings.arrive(2, 64);
  meetings.end(0, 60, 64);
  meetings.observe(34, 64, []);
  expect(knows(34, 2)).toBe(9);
  meetings.end(0, 64, 65);
  meetings.observe(35, 64, []);
  expect(knows(35, 2)).toBe(-1);
});

it("tensor maps that were changed are acquired once their own thread has released them", () => {
  const maps = new MapChanges();
  const change = (lane: number, released = false) => ({ site, thread: thread(0, 1, lane), released });
  maps.change(128, change(1));
  maps.change(256, change(2));
  maps.change(384, change(3, true));
  expect([maps.acquire(64), maps.acquire(128), maps.acquire(384)]).toEqual([true, false, true]);
  const image = maps.save();
  for (const other of [thread(1, 1, 1), thread(0, 0, 1), thread(0, 1, 3)]) maps.release(other);
  expect(maps.acquire(128)).toBe(false);
  maps.release(thread(0, 1, 1));
  expect([maps.acquire(128), maps.at(128), maps.acquire(256), maps.at(256)?.thread.lane, maps.at(384)]).toEqual([
    true,
    undefined,
    false,
    2,
    undefined,
  ]);
  maps.restore(image);
  expect(maps.at(128)?.released).toBe(false);
});

it("each kind of each lane of each warp has a line of its own", () => {
  const lines = new Set<number>();
  for (const kind of ["cp.async", "bulk", "wgmma", "tcgen05.st"] as const)
    for (const block of [0, 1, 70_000])
      for (const warp of [0, 1, 31])
        for (const lane of [0, 1, 31]) {
          const line = lineOf(kind, thread(block, warp, lane));
          lines.add(line);
          expect([laneOfQueue(line), ownLane(line)]).toEqual([lane, 2 ** lane]);
          expect(warpOfQueue(line)).toBe(warpOfQueue(lineOf(kind, thread(block, warp, 7))));
        }
  expect(lines.size).toBe(4 * 27);
  expect(new Set([...lines].map(warpOfQueue)).size).toBe(4 * 9);
});
