import { describe, expect, test } from "vitest";
import {
  BlockClock,
  joined,
  nothing,
  synchronise,
  synchroniseBlock,
  synchroniseBlocks,
  synchroniseWarp,
} from "../../../src/interp/tools/race/vector-clock.ts";

describe("what happened before", () => {
  test("a thread follows itself and nobody else", () => {
    const block = new BlockClock(0);
    const [a, b] = [block.thread(0, 0), block.thread(0, 1)];
    const stamp = a.stamp();
    expect(a.follows(stamp)).toBe(true);
    expect(b.follows(stamp)).toBe(false);
  });

  test("a meeting orders what was before it, and not what comes after", () => {
    const block = new BlockClock(0);
    const [a, b, c] = [block.thread(0, 0), block.thread(0, 1), block.thread(0, 2)];
    const before = a.stamp();
    synchronise([a, b]);
    expect(b.follows(before)).toBe(true);
    expect(c.follows(before)).toBe(false);
    expect(b.follows(a.stamp())).toBe(false);
  });

  test("knowledge goes on from one to the next", () => {
    const block = new BlockClock(0);
    const [a, b, c] = [block.thread(0, 0), block.thread(1, 0), block.thread(2, 0)];
    const before = a.stamp();
    synchronise([a, b]);
    synchronise([b, c]);
    expect(c.follows(before)).toBe(true);
  });

  test("a barrier of all orders all of the block, those included that come later", () => {
    const block = new BlockClock(0);
    const before = block.thread(0, 0).stamp();
    synchroniseBlock(block);
    expect(block.thread(5, 5).follows(before)).toBe(true);
    expect(block.thread(5, 5).follows(block.thread(0, 0).stamp())).toBe(false);
    expect(new BlockClock(1).thread(0, 0).follows(before)).toBe(false);
  });

  test("a meeting of a warp orders its lanes only", () => {
    const block = new BlockClock(0);
    const lanes = [block.thread(1, 0), block.thread(1, 1)];
    const before = lanes[0]!.stamp();
    synchroniseWarp(block, 1, lanes);
    expect(lanes[1]!.follows(before)).toBe(true);
    expect(block.thread(0, 0).follows(before)).toBe(false);
  });

  test("what one thread learns of another block, its block knows after a barrier, late comers too", () => {
    const [near, far] = [new BlockClock(0), new BlockClock(1)];
    const before = far.thread(0, 7).stamp();
    synchroniseBlock(far);
    const released = far.thread(0, 0).publish();
    const reader = near.thread(0, 0);
    reader.known = joined(reader.known, released);
    expect(reader.follows(before)).toBe(true);
    expect(near.thread(0, 1).follows(before)).toBe(false);
    synchroniseBlock(near);
    expect(near.thread(0, 1).follows(before)).toBe(true);
    expect(near.thread(9, 9).follows(before)).toBe(true);
  });

  test("joining nothing gives the same object, so that equal knowledge stays cheap", () => {
    const known = new BlockClock(3).thread(0, 0).publish();
    expect(joined(known, nothing)).toBe(known);
    expect(joined(nothing, known)).toBe(known);
    expect(joined(known, known)).toBe(known);
  });

  test("a meeting of several blocks orders what each did before, for late comers too", () => {
    const [a, b, c] = [new BlockClock(0), new BlockClock(1), new BlockClock(2)];
    const before = a.thread(0, 3).stamp();
    synchroniseBlocks([a, b]);
    expect(b.thread(0, 0).follows(before)).toBe(true);
    expect(a.thread(9, 9).follows(before)).toBe(true);
    expect(c.thread(0, 0).follows(before)).toBe(false);
    expect(b.thread(0, 0).follows(a.thread(0, 3).stamp())).toBe(false);
  });
});
