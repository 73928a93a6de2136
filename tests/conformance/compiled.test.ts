import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Device, must } from "../../src/index.ts";

/**
 * Programs of `tests/fuzz/compiled`, as nvcc 13 compiled them, that once ended wrongly or took for ever, and one random
 * function for company. The digest is that of what g++ makes of the same text and the same words.
 */
const programs = [
  // `groups.cu`: cooperative groups of two warps, whose barriers lay on the program's own shared variables.
  { name: "groups", block: [32, 4], threads: 384, results: 24, digest: 0x652f_5f5b_ca48_2556n },
  // `simt.js`, seed 7: 128 threads take a lock in turn, which was handed on every 12 thousand instructions.
  { name: "lanes", block: [128], threads: 256, results: 1, digest: 0xc8dc_ca91_0601_c5a2n },
  // `program.js`, seed 12.
  { name: "plain", block: [64], threads: 64, results: 6, digest: 0x206d_aed9_b2ac_9c82n },
] as const;

test.each(programs)("$name gives what the host gives", ({ name, block, threads, results, digest }) => {
  const bytes = readFileSync(new URL(`../data/fuzz/${name}.ptx.gz`, import.meta.url));
  const device = new Device();
  const kernel = must(must(device.module({ name, text: gunzipSync(bytes).toString() })).kernel("k"));
  const given = new Uint32Array(8 * threads);
  let state = 12345;
  for (let at = 0; at < given.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    given[at] = state ^ (state >>> 15);
  }
  const out = device.buffer(new BigUint64Array(results * threads));
  const [x, y = 1] = block;
  const args = [device.buffer(given), out, threads];
  const { stop, findings } = must(kernel.launch({ grid: threads / (x * y), block: [x, y], args, maxSteps: 1_000_000 }));
  expect(stop.reason).toBe("exit");
  expect(findings.map(({ code }) => code)).toEqual([]);
  let got = 0n;
  for (const word of out.toBits("u64")) got = BigInt.asUintN(64, (got ^ word) * 0x9e37_79b9_7f4a_7c15n);
  expect(got).toBe(digest);
});
