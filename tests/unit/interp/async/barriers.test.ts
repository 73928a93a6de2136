import { describe, expect, it } from "vitest";
import { type Arrival, type BarrierOperation, Barriers } from "../../../../src/interp/async/barriers.ts";
import {
  type BarrierState,
  barrierWord,
  MOST_TRANSACTIONS,
  mostArrivals,
  phasesBetween,
  REPORTED,
  unpackBarrier,
} from "../../../../src/interp/async/mbarrier-object.ts";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { Memory } from "../../../../src/interp/index.ts";
import { Source } from "../../../../src/source/source.ts";

const MOST_ARRIVALS = mostArrivals("v0");
const unpacked = (word: bigint, layout: "v0" | "v1"): BarrierState =>
  unpackBarrier(Number(BigInt.asUintN(32, word)), Number(word >> 32n), layout);
const source = new Source("t", "arrive");
const operation = (pc: number): BarrierOperation => ({
  site: { pc, opcode: `arrive.${pc}`, source, span: { start: 0, end: 6 } },
  thread: { block: 0, warp: 0, lane: pc },
});

function made(count: number, layout: "v0" | "v1" = "v0") {
  const memory = new Memory({ limit: 1 << 20 });
  const at = Number(BigInt.asUintN(32, memory.allocate({ name: "b", bytes: 256 })!));
  memory.know(at, 256);
  const barriers = new Barriers(memory);
  const { global } = memory.worsened;
  expect(barriers.init(at, count, operation(0), layout)).toBeUndefined();
  expect([memory.worsened.global, memory.all(at, 8, 2, 2), memory.all(at + 8, 1, 2, 0)]).toEqual([
    global + 1,
    true,
    true,
  ]);
  return { memory, barriers, at };
}

describe("an mbarrier object", () => {
  it("has each count in bits of its own, and 1 bit of parity at the top but two", () => {
    const numbers = [0, 1, 2 ** 19, MOST_ARRIVALS];
    for (const pending of numbers)
      for (const expected of numbers)
        for (const tx of [...numbers, ...numbers.map((count) => -count)])
          for (const phase of [0, 1, 6, 7]) {
            const word = barrierWord({ pending, expected, tx, phase });
            const back = unpacked(word, "v0");
            // A tx-count of -0 is 0.
            const right =
              back.pending === pending && back.expected === expected && back.tx === tx && back.phase === phase;
            if (!right || word >= 1n << 64n) expect(back).toEqual({ pending, expected, tx, phase });
          }
    expect(barrierWord({ pending: 1, expected: 2, tx: -1, phase: 9 })).toBe(
      (1n << 61n) | (0x1f_ffffn << 40n) | (2n << 20n) | 1n,
    );
  });

  it("tells phases apart that are not far from each other", () => {
    for (let from = 0; from < 8; from++)
      for (let by = -3; by <= 4; by++) expect(phasesBetween(from, (from + by + 8) % 8)).toBe(by);
  });

  it("counts as the manual says, whatever arrives: a phase is complete when nobody and nothing is missing", () => {
    const refusals = new Set<string>();
    for (let seed = 0; seed < 25; seed++) {
      const random = new Random(seed);
      const count = 1 + random.below(5);
      const { barriers, at } = made(count);
      let [pending, expected, tx, phase] = [count, count, 0, 0];
      for (let step = 1; step < 60; step++) {
        const arrival: Arrival = {
          count: random.below(3),
          expects: random.below(4) === 0 ? random.below(40) : 0,
          completes: tx > 0 && random.below(2) === 0 ? 1 + random.below(tx) : random.below(12) === 0 ? 5 : 0,
          drop: random.below(10) === 0,
          incomplete: random.below(10) === 0,
        };
        const before = { pending, expected, tx, phase };
        const next = {
          pending: pending - arrival.count,
          expected: expected - (arrival.drop ? arrival.count : 0),
          tx: tx + arrival.expects! - arrival.completes!,
          phase,
        };
        const complete = next.pending === 0 && next.tx === 0;
        const refused = next.pending < 0 || next.expected < 0 || (complete && arrival.incomplete);
        const found = barriers.arrive(at, arrival, operation(step));
        if (refused) {
          expect(found).toMatchObject({ code: "PTX3033" });
          refusals.add("message" in found ? found.message.replaceAll(/\d+/g, "N") : "");
        } else {
          if (complete) Object.assign(next, { pending: next.expected, phase: (phase + 1) % 8 });
          ({ pending, expected, tx, phase } = next);
          expect(found).toEqual({ before, after: next });
        }
        expect(barriers.state(at)).toEqual({ pending, expected, tx, phase });
        if (expected === 0) break;
      }
    }
    expect([...refusals].toSorted()).toEqual([
      "arrives N times where none is pending in phase N",
      "arrives N times where only N is pending in phase N",
      "arrives where none is pending in phase N",
      "completes the phase, which .noComplete promises that it does not",
    ]);
  });

  it("has limits, of which the last number is good and the next one not", () => {
    const { barriers, at } = made(MOST_ARRIVALS);
    const words = (found: ReturnType<Barriers["arrive"]>) =>
      "message" in found ? [found.code, found.message] : "good";
    expect(words(barriers.arrive(at, { count: 0, expects: MOST_TRANSACTIONS }, operation(1)))).toBe("good");
    expect(words(barriers.arrive(at, { count: 0, expects: 1 }, operation(1)))).toEqual([
      "PTX3032",
      "makes its tx-count 1048576, and 1048575 is the limit in both directions",
    ]);
    expect(words(barriers.arrive(at, { count: 0, completes: MOST_TRANSACTIONS }, operation(1)))).toBe("good");
    expect(words(barriers.arrive(at, { count: 0, completes: MOST_TRANSACTIONS }, operation(1)))).toBe("good");
    expect(words(barriers.arrive(at, { count: 0, completes: 1 }, operation(1)))[1]).toMatch(
      /^makes its tx-count -1048576,/,
    );
    for (const what of ["expects", "completes"] as const)
      expect(words(barriers.arrive(at, { count: 0, [what]: MOST_TRANSACTIONS + 1 }, operation(1)))).toEqual([
        "PTX3032",
        `${what} 1048576, where 0 to 1048575 is possible`,
      ]);
    expect(words(barriers.arrive(at, { count: MOST_ARRIVALS + 1 }, operation(1)))[1]).toBe(
      "arrives 1048576, where 0 to 1048575 is possible",
    );
    expect(barriers.increment(at, 1)?.message).toBe("makes its pending count 1048576, where 0 to 1048575 is possible");
    expect(words(barriers.arrive(at, { count: 1 }, operation(1)))).toBe("good");
    expect(barriers.increment(at, 2)?.message).toBe("makes its pending count 1048576, where 0 to 1048575 is possible");
    expect(barriers.increment(at, 1)).toBeUndefined();
    expect(barriers.state(at).pending).toBe(MOST_ARRIVALS);
    expect(words(barriers.arrive(at, { count: 3 }, operation(1)))).toBe("good");
    expect(barriers.increment(at, 3)).toBeUndefined();
    expect(barriers.state(at).pending).toBe(MOST_ARRIVALS);
    expect(barriers.init(at, 0, operation(1))?.message).toBe(
      "initialises an mbarrier object for 0, where 1 to 1048575 is possible",
    );
    expect(barriers.init(at, MOST_ARRIVALS + 1, operation(1))?.code).toBe("PTX3032");
  });

  it("remembers who made it and the last three who have arrived, newest first, and who made an end of it", () => {
    const { barriers, at, memory } = made(9);
    barriers.arrive(at, { count: 0, expects: 8 }, operation(20));
    for (const pc of [1, 2, 3, 4]) barriers.arrive(at, { count: 1 }, operation(pc));
    const found = barriers.arrive(at, { count: 6 }, operation(5));
    expect("related" in found && found.related.map(({ message }) => message)).toEqual([
      "arrive.4, which has arrived before",
      "arrive.3, which has arrived before",
      "arrive.2, which has arrived before",
      "arrive.0, where its count was said",
    ]);
    expect(barriers.describe(at)).toBe("phase 0, 5 of 9 arrivals are pending, 8 bytes are missing");
    barriers.arrive(at, { count: 4, completes: 9 }, operation(6));
    expect(barriers.describe(at)).toBe("phase 0, 1 of 9 arrivals is pending, 1 bytes are too many");
    barriers.arrive(at, { count: 1 }, operation(6));
    expect(barriers.describe(at)).toBe("phase 0, all have arrived, 1 bytes are too many");
    barriers.arrive(at, { count: 0, expects: 1 }, operation(6));
    expect(barriers.describe(at)).toBe("phase 1, 9 of 9 arrivals are pending, no bytes are missing");
    expect([barriers.maker(at + 7), barriers.maker(at + 8), barriers.maker(at - 1)]).toEqual([
      operation(0),
      undefined,
      undefined,
    ]);
    expect([...barriers.objects()]).toEqual([at]);
    const saved = barriers.save();
    const { windows, global } = memory.worsened;
    expect(barriers.invalidate(at, operation(7))).toBeUndefined();
    expect(memory.worsened.windows + memory.worsened.global).toBe(windows + global + 1);
    expect([barriers.isObject(at), ...barriers.objects()]).toEqual([false]);
    expect(memory.all(at, 8, 0xff, 1)).toBe(true);
    for (const error of [barriers.invalidate(at, operation(8)), barriers.check(at), barriers.increment(at, 1)])
      expect([error?.message, error?.related.map(({ message }) => message)]).toEqual([
        "finds no mbarrier object: it has been invalidated",
        ["arrive.7, which made it ordinary memory"],
      ]);
    expect(barriers.check(at + 8)).toEqual({
      code: "PTX3031",
      message: "finds no mbarrier object: nothing has initialised it",
      related: [],
    });
    barriers.restore(saved);
    expect(barriers.maker(at)).toEqual(operation(0));
  });

  it("of .layout::v1 counts fewer arrivals, and its conditional phase stays where something was reported", () => {
    const most = mostArrivals("v1");
    expect(most).toBe(2 ** 9 - 1);
    const { barriers, at } = made(most, "v1");
    expect([barriers.layout(at), barriers.state(at).pending]).toEqual(["v1", most]);
    expect(barriers.init(at, most + 1, operation(1), "v1")?.code).toBe("PTX3032");
    const phases = () => {
      const { phase, reports } = barriers.state(at);
      return [phase, reports?.conditional, reports?.last, reports?.now];
    };
    barriers.arrive(at, { count: most }, operation(1));
    expect(phases()).toEqual([1, 1, 0, 0]);
    // A report with a value, another without one, and the arrivals that complete the phase.
    for (const reports of [0x81, 0]) barriers.arrive(at, { count: 0, expects: 0, reports }, operation(2));
    expect(phases()).toEqual([1, 1, 0, REPORTED | 0x81]);
    barriers.arrive(at, { count: most }, operation(3));
    expect(phases()).toEqual([2, 1, REPORTED | 0x81, 0]);
    barriers.arrive(at, { count: most }, operation(4));
    expect(phases()).toEqual([3, 2, 0, 0]);
  });

  it("of .layout::v1 has its fields in bits of their own, too", () => {
    const random = new Random(1);
    for (let count = 0; count < 1000; count++) {
      const below = (limit: number): number => random.below(limit);
      const reports = { now: below(2 ** 9), last: below(2 ** 9), conditional: below(8) };
      const tx = below(2 ** 21 - 1) - MOST_TRANSACTIONS;
      const state = { pending: below(2 ** 9), expected: below(2 ** 9), tx, reports, phase: below(8) };
      expect(unpacked(barrierWord(state), "v1")).toEqual(state);
    }
  });
});
