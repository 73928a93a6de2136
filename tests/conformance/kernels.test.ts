import { describe, expect, it } from "vitest";
import { sample } from "../share.ts";
import * as bulk from "./kernels/bulk.ts";
import * as control from "./kernels/control.ts";
import * as copies from "./kernels/copies.ts";
import * as fragments from "./kernels/fragments.ts";
import { buildsOf, type Checks, Gpu, kernelsOf, type Setting } from "./kernels/gpu.ts";
import * as layers from "./kernels/layers.ts";
import * as mma from "./kernels/mma.ts";
import * as sparse from "./kernels/sparse.ts";
import * as tcgen05 from "./kernels/tcgen05.ts";
import * as tensorMaps from "./kernels/tensor-maps.ts";
import * as wgmma from "./kernels/wgmma.ts";
import * as wmma from "./kernels/wmma.ts";

/**
 * Kernels of `examples/tensor`, as nvcc 13 compiled them, against a second source: sums that are exact in any order, closed forms, and
 * values of a model in rationals. Asynchronous operations take place late and early in the first build of a source, at random in
 * the others. `KERNEL_SEEDS=10` draws ten seeds for every build.
 */
const sources: Readonly<Record<string, Checks>> = {
  ...wmma,
  ...mma,
  ...sparse,
  ...copies,
  ...bulk,
  ...tensorMaps,
  ...layers,
  ...wgmma,
  ...tcgen05,
  ...control,
  ...fragments,
};

const asked = process.env["KERNEL_SEEDS"];
const settingsOf = (build: number): Setting[] => {
  const extremes: Setting[] = [{ when: "late" }, { when: "early" }];
  if (asked === undefined) return build === 0 ? extremes : [{ when: "random", seed: 100 + build }];
  return [...extremes, ...Array.from({ length: Number(asked) }, (_, i) => ({ when: "random" as const, seed: i + 1 }))];
};

const builds = Object.entries(sources).flatMap(([source, checks], nth) =>
  buildsOf(source).map((build, at, all) => ({
    source,
    build,
    inTurn: at === (nth % 2 === 0 ? 0 : all.length - 1),
    checks,
    settings: settingsOf(at),
    kernels: kernelsOf(source, build),
  })),
);

/** The gate, which has minutes, takes the first build of one source and the last one of the next. */
const taken = process.env["PTXRUN_TESTS"] === "rest" ? builds.filter(({ inTurn }) => inTurn) : builds;

describe.each(taken)("$source for $build", ({ source, build, checks, settings, kernels }) => {
  let gpu: Gpu | undefined;
  it.each(
    sample(
      Object.entries(checks).filter(([kernel]) => kernels.includes(kernel)),
      2,
    ),
  )("%s", (_, check) => {
    gpu ??= new Gpu(source, build);
    for (const setting of settings) {
      gpu.setting = setting;
      check(gpu);
    }
  });
});

it("has a check for each kernel, and a kernel for each check", () => {
  const compiled = new Set(builds.flatMap(({ kernels }) => kernels));
  // The second of a pair that one check launches.
  compiled.delete("depend_second");
  const checked = Object.values(sources).flatMap((checks) => Object.keys(checks));
  expect([...compiled].sort()).toEqual(checked.sort());
});
