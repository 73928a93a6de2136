import { describe, expect, it } from "vitest";
import { sample } from "../share.ts";
import * as arrays from "./gallery/arrays.ts";
import { buildsOf, type Check, Gpu } from "./gallery/gpu.ts";
import * as lanes from "./gallery/lanes.ts";
import * as language from "./gallery/language.ts";
import * as maths from "./gallery/maths.ts";
import * as sorts from "./gallery/sorts.ts";
import * as sums from "./gallery/sums.ts";
import * as surfaces from "./gallery/surfaces.ts";
import * as textures from "./gallery/textures.ts";

/**
 * Kernels of `examples/gallery`, as nvcc 13 compiled them for several targets with -O3 and -G, against a second source: closed
 * forms in JavaScript, Node's SHA-256, host C++ with the same IEEE operations, mpmath. Each check is named like its `.cu` file.
 */
const checks: Readonly<Record<string, Check>> = {
  ...sums,
  ...sorts,
  ...arrays,
  ...lanes,
  ...language,
  ...maths,
  ...textures,
  ...surfaces,
};

it("has of each source a build with -O3, where the source lies or else with the others, and one with -G", () => {
  const short = Object.keys(checks).filter((name) => {
    const builds = buildsOf(name);
    return !builds.some((each) => each.endsWith(".G")) || !builds.some((each) => !each.endsWith(".G"));
  });
  expect(short).toEqual([]);
});

describe.each(Object.entries(checks))("%s", (name, check) => {
  it.each(sample(buildsOf(name), 2))("%s", (build) => {
    check(new Gpu(name, build));
  });
});
