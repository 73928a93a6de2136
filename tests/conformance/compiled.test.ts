import { describe, expect, it } from "vitest";
import { Device, must } from "../../src/index.ts";
import { kept, launch } from "../fuzz/compiled/kept.js";
import { draws } from "../share.ts";

/**
 * Of the programs that nvcc and g++ have compiled, one in this many. All of them, by one executor after the other:
 * `COMPILED=all PTXRUN_EXECUTOR=js npx vitest run tests/conformance/compiled.test.ts`, and the same with wasm.
 */
const EVERY = process.env["COMPILED"] === "all" ? 1 : draws(150, 25);

describe("random programs of nvcc give what g++ made of them", () => {
  const all = [...kept()];

  it("there are a thousand, for targets from sm_75 to sm_120, some of them for debuggers", () => {
    expect(all.length).toBeGreaterThanOrEqual(1000);
    const targets = new Set(all.map(({ build }) => build.split(" ")[0]));
    expect([...targets].sort()).toEqual(
      ["sm_100", "sm_100a", "sm_103", "sm_120", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_90a"].sort(),
    );
    expect(all.filter(({ build }) => build.endsWith("-G")).length).toBeGreaterThan(100);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(["program", "simt", "primitives"]));
  });

  const some = all.filter(({ seed }) => seed % EVERY === 0);
  it.each(some.map((one) => [`${one.kind} ${one.seed}, ${one.build}`, one] as const))("%s", (_, one) => {
    const { stop, words } = launch({ Device, must }, one);
    expect(stop).toEqual({ reason: "exit" });
    expect(words).toEqual(one.expected);
  });
});
