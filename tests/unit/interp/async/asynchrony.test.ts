import { describe, expect, it } from "vitest";
import { Asynchrony } from "../../../../src/interp/async/asynchrony.ts";
import type { AsyncFinding } from "../../../../src/interp/async/judge.ts";
import type { Moving } from "../../../../src/interp/async/moving.ts";
import { type ByteRange, lineOf, type Operation, type Site } from "../../../../src/interp/async/operation.ts";
import { Memory } from "../../../../src/interp/index.ts";
import { Source } from "../../../../src/source/source.ts";

const thread = { block: 0, warp: 0, lane: 0 };
const site: Site = { pc: 0, opcode: "copy", source: new Source("t", "copy"), span: { start: 0, end: 4 } };
const line = lineOf("cp.async", thread);
const late: Moving = { when: "late" };

/** An engine over a buffer whose bytes are 1, 2, 3 ...; offsets are counted from its start. */
function engine(moving: Moving = late) {
  const memory = new Memory({ limit: 1 << 20 });
  const start = Number(BigInt.asUintN(32, memory.allocate({ name: "b", bytes: 4096 })!));
  for (let at = 0; at < 4096; at++) memory.put(start + at, Uint8Array.of((at + 1) & 0xff));
  const findings: AsyncFinding[] = [];
  const asynchrony = new Asynchrony({ memory, moving, observers: [], report: (finding) => findings.push(finding) });
  const range = (at: number, bytes: number): ByteRange => ({ start: start + at, bytes });
  const copy = (from: number, to: number, bytes: number, more: Partial<Operation> = {}): Operation => ({
    ...{ site, thread, what: "copy", proxy: "generic" },
    reads: [range(from, bytes)],
    writes: [range(to, bytes)],
    completion: { kind: "group", line },
    perform: () => memory.data.u8.copyWithin(start + to, start + from, start + from + bytes),
    ...more,
  });
  const byte = (at: number): number => memory.data.u8[start + at]!;
  const inTheWay = (at: number, bytes: number, touch: "read" | "write" | "update"): string[] =>
    asynchrony.inTheWay(start + at, bytes, touch).map(({ flight, how }) => `${flight.number} ${how}`);
  const shadow = (at: number): number => memory.shadow.u8[start + at]!;
  return { asynchrony, memory, findings, copy, range, byte, inTheWay, shadow, start };
}

describe("when data move", () => {
  it("late: at the wait; early: at once; by a seed: at a moment that repeats", () => {
    const at = (moving: Moving): readonly boolean[] => {
      const { asynchrony, copy, byte } = engine(moving);
      asynchrony.issue(copy(0, 64, 4));
      asynchrony.commit(line);
      const seen: boolean[] = [];
      for (let turn = 0; turn < 300; turn++) {
        seen.push(byte(64) === 1);
        asynchrony.turn();
      }
      asynchrony.wait(line, 0, site);
      return [...seen, byte(64) === 1];
    };
    expect(at(late).indexOf(true)).toBe(300);
    expect(at({ when: "early" }).indexOf(true)).toBe(0);
    const seeds = Array.from({ length: 40 }, (_, seed) => at({ when: "random", seed }).indexOf(true));
    expect(new Set(seeds).size).toBeGreaterThan(5);
    expect(at({ when: "random", seed: 7 }).indexOf(true)).toBe(seeds[7]);
  });

  it("keeps the order of a pipeline, whatever moves first", () => {
    const { asynchrony, copy, byte } = engine();
    asynchrony.issue(copy(0, 64, 4, { pipeline: "p" }));
    const second = asynchrony.issue(copy(8, 64, 4, { pipeline: "p" }));
    asynchrony.move(second);
    expect(byte(64)).toBe(9);
    asynchrony.waitAll(line, site);
    expect(byte(64)).toBe(9);
  });
});

describe("what is in the way", () => {
  for (const moving of [late, { when: "early" }, { when: "random", seed: 3 }] as const)
    it(`is the same when data move ${moving.when}`, () => {
      const { asynchrony, copy, inTheWay, findings } = engine(moving);
      asynchrony.issue(copy(0, 64, 16));
      expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
      expect(inTheWay(79, 1, "write")).toEqual(["0 writes"]);
      expect(inTheWay(80, 4, "write")).toEqual([]);
      expect(inTheWay(0, 4, "read")).toEqual([]);
      expect(inTheWay(12, 8, "write")).toEqual(["0 reads"]);
      asynchrony.commit(line);
      expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
      asynchrony.wait(line, 0, site);
      expect(inTheWay(64, 4, "read")).toEqual([]);
      expect(inTheWay(0, 4, "write")).toEqual([]);
      expect(findings).toEqual([]);
    });

  it("counts every one of several operations on a byte", () => {
    const { asynchrony, copy, inTheWay, shadow } = engine();
    const clean = shadow(0);
    for (const to of [64, 128, 192, 1024]) {
      asynchrony.issue(copy(0, to, 16));
      asynchrony.commit(line);
    }
    for (const left of [3, 2, 1]) {
      asynchrony.wait(line, left, site);
      expect(inTheWay(8, 4, "write")).toHaveLength(left);
    }
    asynchrony.wait(line, 0, site);
    expect(shadow(8)).toBe(clean);
    expect(inTheWay(8, 4, "write")).toEqual([]);
  });

  it("is free behind a wait for sources as far as these go", () => {
    const { asynchrony, copy, inTheWay } = engine();
    asynchrony.issue(copy(0, 64, 16));
    asynchrony.commit(line);
    asynchrony.wait(line, 0, site, true);
    expect(inTheWay(0, 4, "write")).toEqual([]);
    expect(inTheWay(64, 4, "read")).toEqual(["0 writes"]);
    asynchrony.wait(line, 0, site);
    expect(inTheWay(64, 4, "read")).toEqual([]);
  });

  it("is another operation, too, unless both are one copy or updates", () => {
    const { asynchrony, copy, findings, range } = engine();
    asynchrony.issue(copy(0, 64, 4));
    asynchrony.issue(copy(0, 64, 4, { thread: { ...thread, lane: 1 } }));
    expect(findings).toEqual([]);
    asynchrony.issue(copy(8, 66, 4));
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ["PTX4022", "writes what copy, still in flight, writes: the two have no order"],
    ]);
    const update = { reads: [], writes: [range(256, 4)], updates: true } as const;
    asynchrony.issue(copy(0, 256, 4, update));
    asynchrony.issue(copy(0, 256, 4, update));
    expect(findings).toHaveLength(1);
    asynchrony.issue(copy(256, 512, 4));
    expect(findings.at(-1)?.message).toMatch(/^reads what/);
  });

  it("says which group would have to be waited for", () => {
    const { asynchrony, copy } = engine();
    const first = asynchrony.issue(copy(0, 64, 4));
    asynchrony.commit(line);
    asynchrony.issue(copy(8, 128, 4));
    asynchrony.commit(line);
    const open = asynchrony.issue(copy(16, 256, 4));
    asynchrony.wait(line, 2, site);
    expect(asynchrony.advice(first)?.help).toBe("one group is newer than its own: cp.async.wait_group 1 waits for it");
    expect(asynchrony.advice(open)?.help).toMatch(/^its group is not committed yet: cp.async.commit_group, then/);
  });
});

describe("a copy of the engine's state", () => {
  it("brings operations, groups, marks and drawn moments back", () => {
    const { asynchrony, memory, copy, byte, inTheWay } = engine({ when: "random", seed: 5 });
    for (let at = 0; at < 16; at++) {
      asynchrony.issue(copy(at * 4, 1024 + at * 4, 4));
      if (at % 4 === 3) asynchrony.commit(line);
    }
    const [image, bytes] = [asynchrony.save(), memory.save()];
    const end = (): string => {
      const seen: number[] = [];
      for (let turn = 0; turn < 40; turn++) {
        asynchrony.turn();
        seen.push(...Array.from({ length: 64 }, (_, at) => byte(1024 + at)));
        if (turn === 20) asynchrony.wait(line, 2, site);
      }
      return [...seen, ...inTheWay(1024, 64, "read")].join();
    };
    const first = end();
    memory.restore(bytes);
    asynchrony.restore(image);
    expect(inTheWay(1024, 64, "read")).toHaveLength(16);
    expect(end()).toBe(first);
  });
});

describe("the end of a block", () => {
  it("is a note for copies of threads that nobody has waited for, and a finding for what still needs its memory", () => {
    const { asynchrony, copy, findings, start, byte, inTheWay } = engine();
    asynchrony.issue(copy(0, 64, 4));
    asynchrony.issue(
      copy(2048, 3000, 4, { proxy: "async", completion: { kind: "group", line: lineOf("bulk", thread) } }),
    );
    asynchrony.end(0, start + 2048, start + 2048 + 256);
    expect(findings.map(({ code, severity }) => [code, severity])).toEqual([
      ["PTX4023", "note"],
      ["PTX4024", "error"],
    ]);
    expect(byte(64)).toBe(1);
    expect(inTheWay(64, 4, "write")).toEqual([]);
    expect(asynchrony.idle).toBe(true);
  });
});
