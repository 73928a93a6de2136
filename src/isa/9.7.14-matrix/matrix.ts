import { form, type Section, section } from "../form/define.ts";
import { open } from "../form/open.ts";
import { ldmatrix } from "./ldmatrix.ts";
import { mma } from "./mma.ts";
import { scaledMma } from "./mma-scale.ts";
import { sparseMma } from "./mma-sparse.ts";
import { movmatrix } from "./movmatrix.ts";
import { stmatrix } from "./stmatrix.ts";
import { wmmaMemory } from "./wmma-memory.ts";
import { wmmaMma } from "./wmma-mma.ts";

const element = [
  "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "b1", "s32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1",
] as const; // biome-ignore format: one thought
/** 9.7.14 and 9.7.15: matrix multiply-accumulate by a warp or four. */
export const matrix: Section = section(
  "9.7.14",
  "Warp Level Matrix Multiply-Accumulate",
  "warp-level-matrix-instructions",
  [
    ...wmmaMemory,
    ...wmmaMma,
    ...mma,
    ...scaledMma,
    ...sparseMma,
    ...ldmatrix,
    ...stmatrix,
    ...movmatrix,
    form(
      "wgmma.mma_async{.sp}.sync.aligned.shape{.satfinite}.dtype.atype.btype{.bop}{.popc} d, a, b{, e}{, f}{, g}{, h}{, i}{, j}{, k}",
      {
        where: {
          shape: Array.from({ length: 32 }, (_, n) => [8, 16, 32, 256].map((k) => `m64n${8 * (n + 1)}k${k}`)).flat(),
          dtype: ["f16", "f32", "s32"],
          atype: element,
          btype: element,
          bop: ["and"],
        },
        operands: { d: open, a: open, b: open, e: open, f: open, g: open, h: open, i: open, j: open, k: open },
        since: { ptx: 80, sm: 90, only: "a" },
      },
    ),
    form("wgmma.what.sync.aligned", {
      where: { what: ["fence", "commit_group"] },
      operands: {},
      since: { ptx: 80, sm: 90, only: "a" },
    }),
    form("wgmma.wait_group.sync.aligned n", { operands: { n: open }, since: { ptx: 80, sm: 90, only: "a" } }),
  ],
);
