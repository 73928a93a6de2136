import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { enumerate, usualBounds } from "../../model/enumerate.ts";
import type { Initial, Location } from "../../model/event.ts";
import type { Execution } from "../../model/outcome.ts";
import { bar, ld, type Step, st, thread } from "./by-hand.ts";

const at = (from: number, bytes: number): Location => ({
  name: `m+${from}:${bytes}`,
  at: 4096 + from,
  bytes,
  alias: "",
});

const little = (bytes: readonly number[]): bigint => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/** A value of so many bytes, each of them another one. */
const value = (random: Random, bytes: number): bigint =>
  little(Array.from({ length: bytes }, () => 1 + random.below(255)));

/**
 * One thread, or several that take turns at barriers, see memory as an array of bytes (PTX ISA 8.9.6, 8.10.5), however the
 * sizes of their accesses differ: all is ordered, so that one execution is left.
 */
function turns(seed: number, threads: number): void {
  const random = new Random(seed);
  const memory = Array<number>(16).fill(0);
  const write = (from: number, bytes: number, what: bigint): void => {
    for (let i = 0; i < bytes; i++) memory[from + i] = Number((what >> BigInt(8 * i)) & 0xffn);
  };
  const initial: Initial[] = [];
  for (const from of [0, 2, 8])
    if (random.below(2) === 0) {
      const bytes = [2, 4, 8][random.below(3)]!;
      if (initial.some(({ location }) => location.at + location.bytes > 4096 + from)) continue;
      const one = value(random, bytes);
      initial.push({ location: at(from, bytes), value: one });
      write(from, bytes, one);
    }
  const steps: Step[][] = Array.from({ length: threads }, () => []);
  const expected = new Map<string, bigint>();
  for (let turn = 0; turn < 8; turn++) {
    const own = random.below(threads);
    const bytes = [1, 2, 4, 8][random.below(4)]!;
    const from = bytes * random.below(16 / bytes);
    if (random.below(2) === 0) {
      const one = value(random, bytes);
      write(from, bytes, one);
      steps[own]!.push(st("weak", at(from, bytes), one));
    } else {
      expected.set(`P${own}:r${turn}`, little(memory.slice(from, from + bytes)));
      steps[own]!.push(ld("weak", `r${turn}`, at(from, bytes)));
    }
    if (threads > 1) for (const each of steps) each.push(bar());
  }
  const litmus = { threads: steps.map((each, index) => thread(`P${index}`, each, { block: 0 })), initial };
  const executions = [...enumerate(litmus, usualBounds)];
  expect(executions, `seed ${seed}`).toHaveLength(1);
  const [{ traces, memory: last, races }] = executions as [(typeof executions)[0]];
  const found = traces.flatMap(({ registers }, index) =>
    [...registers].map(([name, one]): [string, bigint] => [`P${index}:${name}`, one]),
  );
  expect(new Map(found), `seed ${seed}`).toEqual(expected);
  expect(races).toEqual([]);
  for (const { location } of initial) {
    const from = location.at - 4096;
    expect([...(last.get(location.name) ?? [])], `seed ${seed}`).toEqual([
      little(memory.slice(from, from + location.bytes)),
    ]);
  }
}

describe("accesses of several sizes that are ordered", () => {
  test("of one thread find bytes as they were left", () => {
    for (let seed = 0; seed < 12; seed++) turns(seed, 1);
  });
  test("of threads that meet between them do so, too", () => {
    for (let seed = 0; seed < 4; seed++) turns(seed, 3);
  });
});

test("bytes whose last writes have no order are each left as one of them has it, in every combination", () => {
  const [whole, low, high] = [at(0, 4), at(0, 2), at(2, 2)];
  const litmus = {
    threads: [
      thread("P0", [st("weak", low, 0x1111n), st("weak", high, 0x2222n)]),
      thread("P1", [st("weak", whole, 0x44443333n)]),
    ],
    initial: [{ location: whole, value: 0n }],
  };
  const run = enumerate(litmus, usualBounds);
  const { memory, races } = run.next().value as Execution;
  expect(memory.get(whole.name)?.toSorted()).toEqual([0x22221111n, 0x22223333n, 0x44441111n, 0x44443333n].toSorted());
  expect(races).toHaveLength(2);
  expect(run.next()).toEqual({ done: true, value: { complete: true, mixed: true, bounded: false } });
});
