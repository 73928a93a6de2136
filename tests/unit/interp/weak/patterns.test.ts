import { expect, it } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import type { Reach } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Agent } from "../../../../src/interp/weak/released.ts";
import { type Access, WeakMemory } from "../../../../src/interp/weak/weak-memory.ts";

/** Threads of a block, the first two, of another block of its cluster, and of another cluster. */
const agents: readonly Agent[] = [
  { index: 0, block: 0, cluster: 0 },
  { index: 1, block: 0, cluster: 0 },
  { index: 2, block: 1, cluster: 0 },
  { index: 3, block: 2, cluster: 1 },
];
const [DATA, FLAG] = [0, 4];

function made(seed: number) {
  const words = new Uint32Array(2);
  const memory = new WeakMemory(words, new Random(seed));
  const how = (by: number, at: number, more: Partial<Access>): Access => ({
    by: agents[by]!,
    at,
    bytes: 4,
    reach: 2,
    acquires: false,
    releases: false,
    ...more,
  });
  return {
    memory,
    store(by: number, at: number, value: number, more: Partial<Access> = {}): void {
      memory.store(how(by, at, more), () => {
        words[at / 4] = value;
      });
    },
    /** Loads until it finds a value; false where it does not. */
    finds(by: number, at: number, value: number, more: Partial<Access> = {}): boolean {
      for (let tries = 0; tries < 60; tries++) {
        let found = 0;
        memory.load(how(by, at, more), () => {
          found = words[at / 4]!;
        });
        if (found === value) return true;
      }
      return false;
    },
    choices: (by: number, at: number): number => memory.readable(how(by, at, {})).length,
  };
}

it.each<[Reach, number]>([
  [0, 1],
  [1, 2],
  [2, 3],
])("a strong read and an acquiring one of the same word behind it are a pattern, in scope %i", (reach, reader) => {
  let met = 0;
  for (let seed = 0; seed < 40; seed++) {
    const { store, finds, choices } = made(seed);
    store(0, DATA, 1, { reach: -1 });
    store(0, FLAG, 1, { reach, releases: true });
    if (!finds(reader, FLAG, 1, { reach })) continue;
    expect(choices(reader, DATA)).toBe(2);
    // What it reads next was written by another one, who has released nothing.
    store(3, FLAG, 2, { reach: 2 });
    if (!finds(reader, FLAG, 2, { reach, acquires: true })) continue;
    expect(choices(reader, DATA)).toBe(1);
    met++;
  }
  expect(met).toBeGreaterThan(10);
});

it("writes mostly come last, some before others", () => {
  let last = 0;
  for (let seed = 0; seed < 400; seed++) {
    const { store, memory } = made(seed);
    store(0, FLAG, 1);
    store(1, FLAG, 2);
    const [newest] = memory.readable({
      by: agents[3]!,
      at: FLAG,
      bytes: 4,
      reach: -1,
      acquires: false,
      releases: false,
    });
    if (newest!.bytes[0] === 2) last++;
  }
  expect(last).toBeGreaterThan(200);
  expect(last).toBeLessThan(380);
});

it("what is kept of memory grows with words and with threads", () => {
  const { memory, store, finds } = made(1);
  const sizes = [memory.save().byteLength];
  store(0, DATA, 1);
  sizes.push(memory.save().byteLength);
  finds(1, DATA, 1);
  sizes.push(memory.save().byteLength);
  store(1, FLAG, 1);
  sizes.push(memory.save().byteLength);
  expect(sizes[0]).toBe(0);
  expect(sizes.every((size, at) => at === 0 || size > sizes[at - 1]!)).toBe(true);
});
