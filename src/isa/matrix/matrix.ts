import { type Section, section } from "../form/define.ts";
import { ldmatrix } from "./ldmatrix.ts";
import { mma } from "./mma.ts";
import { scaledMma } from "./mma-scale.ts";
import { sparseMma } from "./mma-sparse.ts";
import { movmatrix } from "./movmatrix.ts";
import { stmatrix } from "./stmatrix.ts";
import { wgmmaForms } from "./wgmma.ts";
import { wgmmaSparse } from "./wgmma-sparse.ts";
import { wmmaMemory } from "./wmma-memory.ts";
import { wmmaMma } from "./wmma-mma.ts";

/** Matrix multiply-accumulate by a warp or four. */
export const matrix: Section = section(
  "matrix",
  [
    ...wmmaMemory,
    ...wmmaMma,
    ...mma,
    ...scaledMma,
    ...sparseMma,
    ...ldmatrix,
    ...stmatrix,
    ...movmatrix,
    ...wgmmaForms,
    ...wgmmaSparse,
  ],
  {
    "": "wmma.load=wmma.ld wmma.store=wmma.st wmma.mma mma.spvariant=sparse.mma",
    "warpgroup-matrix":
      "wgmma.mma_async=wgmma.mma wgmma.mma_async.sp=wgmma.mma.sp wgmma.fence wgmma.commit_group wgmma.wait_group",
  },
);
