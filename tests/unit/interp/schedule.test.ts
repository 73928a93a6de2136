import { describe, expect, test } from "vitest";
import { Random, shuffled } from "../../../src/interp/contract/launch/random.ts";
import { Memory } from "../../../src/interp/index.ts";
import { Build, message } from "./build.ts";

describe("the generator", () => {
  test("is splitmix32, the same everywhere", () => {
    // From the definition, with BigInt arithmetic of 32 bits.
    const cut = (x: bigint): bigint => BigInt.asUintN(32, x);
    let state = 12345n;
    const word = (): number => {
      state = cut(state + 0x9e3779b9n);
      let z = cut((state ^ (state >> 16n)) * 0x21f0aaadn);
      z = cut((z ^ (z >> 15n)) * 0x735a2d97n);
      return Number(z ^ (z >> 15n));
    };
    const random = new Random(12345);
    for (let at = 0; at < 100; at++) expect(random.below(2 ** 32)).toBe(word());
  });

  test.each([1, 2, 3, 7, 30, 64, 1000])("an order of %d has each once", (count) => {
    for (let seed = 0; seed < 20; seed++) {
      const order = Array.from({ length: count }, (_, at) => at).map(shuffled(count, new Random(seed)));
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at));
    }
  });
});

/** Sixteen warps of eight blocks with six instructions each. */
function plain(schedule?: { seed: number }) {
  const b = new Build();
  const d = b.reg("d");
  for (let at = 0; at < 6; at++) b.move(d, b.constant(at));
  b.exit();
  return b.session({ block: [64, 1, 1], grid: [8, 1, 1], ...(schedule === undefined ? {} : { schedule }) });
}

function orderOf(schedule?: { seed: number }): string[] {
  const session = plain(schedule);
  const seen: string[] = [];
  session.observe({ instruction: (block, warp, pc) => seen.push(`${block}.${warp}.${pc}`) });
  expect(message(session.run())).toBe("exit");
  return seen;
}

describe("a schedule", () => {
  test("without a seed is in order", () => {
    const inOrder = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((block) =>
      [0, 1].flatMap((warp) => [0, 1, 2, 3, 4, 5, 6].map((pc) => `${block}.${warp}.${pc}`)),
    );
    expect(orderOf()).toEqual(inOrder);
  });

  test("of one seed is always the same, another seed is another order, and all run everything", () => {
    const orders = [1, 2, 3, 4].map((seed) => orderOf({ seed }));
    for (const [at, order] of orders.entries()) {
      expect(orderOf({ seed: at + 1 })).toEqual(order);
      expect([...order].sort()).toEqual([...orderOf()].sort());
    }
    expect(new Set(orders.map(String)).size).toBe(4);
    // Warps interleave within a straight run, and blocks begin in another order.
    const turns = orders[0]!.map((each) => each.slice(0, 3)).filter((each, at, all) => each !== all[at - 1]);
    expect(turns.length).toBeGreaterThan(16);
  });

  test("is the same in slices, step by step, and after a snapshot is restored", () => {
    const whole = plain({ seed: 5 });
    whole.run();
    const sliced = plain({ seed: 5 });
    const seen: string[] = [];
    sliced.observe({ instruction: (block, warp, pc) => seen.push(`${block}.${warp}.${pc}`) });
    for (let at = 0; at < 30; at++) sliced.run({ budget: 1 });
    const image = sliced.snapshot();
    const before = seen.length;
    sliced.run();
    const rest = seen.slice(before);
    sliced.restore(image);
    sliced.run();
    expect(seen.slice(before + rest.length)).toEqual(rest);
    expect([...seen.slice(0, before), ...rest]).toEqual(orderOf({ seed: 5 }));
    expect(sliced.steps).toBe(whole.steps);
  });

  test("does not need more memory than one block at a time", () => {
    const b = new Build();
    b.sharedBytes = 100_000;
    b.move(b.reg("d"), b.constant(1)).exit();
    const session = b.session({ memory: new Memory({ limit: 400_000 }), grid: [20, 1, 1], schedule: { seed: 9 } });
    expect(message(session.run())).toBe("exit");
  });
});
