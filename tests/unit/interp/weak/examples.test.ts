import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { readLitmus } from "../../../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { enumerate, usualBounds } from "../../../../packages/memory-model/model/enumerate.ts";
import type { Litmus } from "../../../../packages/memory-model/model/event.ts";
import { Source } from "../../../../src/source/source.ts";
import { drive, endsLike, isStrange } from "./drive.ts";

const folder = resolve(import.meta.dirname, "../../../../examples/litmus");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ptx"));

/** Seeds that a test is run with. */
const SEEDS = 16;
/** Threads of a test: each execution is listed here, and 16 threads that are alike have 16! of them. */
const MOST_THREADS = 8;

function litmusOf(file: string): Litmus {
  const { value } = readLitmus(new Source(file, readFileSync(join(folder, file), "utf8")));
  if (value === undefined) throw new Error(`${file} cannot be read`);
  return value.litmus;
}

describe("weak memory on the litmus tests", () => {
  it("leaves only what the axioms allow", () => {
    let compared = 0;
    const wrong: string[] = [];
    for (const file of files) {
      const litmus = litmusOf(file);
      if (litmus.threads.length > MOST_THREADS) continue;
      const allowed = [...enumerate(litmus, usualBounds)];
      if (isStrange(litmus, allowed[0]?.traces ?? [])) continue;
      compared++;
      for (let seed = 0; seed < SEEDS; seed++) {
        const final = drive(litmus, seed);
        if (final !== undefined && !allowed.some((each) => endsLike(final, litmus, each)))
          wrong.push(`${file} with seed ${seed}: ${final.registers}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(100);
  });
});
