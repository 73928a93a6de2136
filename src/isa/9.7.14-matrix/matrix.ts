import { registerOf, to } from "../form/classes.ts";
import { form, type Section, section } from "../form/define.ts";
import { bringing, open } from "../form/open.ts";
import { ldmatrix } from "./ldmatrix.ts";
import { stmatrix } from "./stmatrix.ts";
import { wgmmaForms } from "./wgmma.ts";
import { wgmmaSparse } from "./wgmma-sparse.ts";
import { wmmaMemory } from "./wmma-memory.ts";

const layout = ["row", "col"] as const;
const rnd = ["rn", "rz", "rm", "rp"] as const;
const element = [
  "f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s4", "u4", "b1", "s32", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1",
] as const; // biome-ignore format: one thought
const wmmaShape = ["m16n16k16", "m8n32k16", "m32n8k16", "m16n16k8", "m8n8k4", "m8n8k32", "m8n8k128"] as const;
const mmaShape = [
  "m8n8k4", "m8n8k16", "m8n8k32", "m8n8k128", "m16n8k4", "m16n8k8", "m16n8k16", "m16n8k32", "m16n8k64", "m16n8k128",
  "m16n8k256",
] as const; // biome-ignore format: by size
const wmmaWords = {
  bf16: { ptx: 70, sm: 80 }, tf32: { ptx: 70, sm: 80 }, f64: { ptx: 70, sm: 80 },
  s8: { ptx: 63, sm: 72 }, u8: { ptx: 63, sm: 72 }, s32: { ptx: 63, sm: 72 },
  s4: { ptx: 63, sm: 75 }, u4: { ptx: 63, sm: 75 }, b1: { ptx: 63, sm: 75 },
  m8n8k32: { ptx: 63, sm: 75 }, m8n8k128: { ptx: 63, sm: 75 }, "shared::cta": { ptx: 78, sm: 70 },
} as const; // biome-ignore format: by type
const family = { ptx: 87, sm: 120, only: "f" } as const;
const mmaWords = {
  m16n8k8: { ptx: 65, sm: 75 }, m8n8k16: { ptx: 65, sm: 75 }, m8n8k32: { ptx: 65, sm: 75 }, m8n8k128: { ptx: 70, sm: 75 },
  m16n8k4: { ptx: 70, sm: 80 }, m16n8k16: { ptx: 70, sm: 80 }, m16n8k32: { ptx: 70, sm: 80 }, m16n8k64: { ptx: 70, sm: 80 },
  m16n8k128: { ptx: 70, sm: 80 }, m16n8k256: { ptx: 70, sm: 80 }, bf16: { ptx: 70, sm: 80 }, tf32: { ptx: 70, sm: 80 },
  f64: { ptx: 70, sm: 80 }, and: { ptx: 71, sm: 80 }, e4m3: { ptx: 84, sm: 89 }, e5m2: { ptx: 84, sm: 89 },
  e3m2: family, e2m3: family, e2m1: family,
  "kind::f8f6f4": { ptx: 86, sm: 100, only: "f" }, "kind::mxf8f6f4": family, "kind::mxf4": family, "kind::mxf4nvf4": family,
  sp: { ptx: 71, sm: 80 }, "sp::ordered_metadata": { ptx: 85, sm: 80 },
} as const; // biome-ignore format: by kind
/** 9.7.14 and 9.7.15: matrix multiply-accumulate by a warp or four. */
export const matrix: Section = section(
  "9.7.14",
  "Warp Level Matrix Multiply-Accumulate",
  "warp-level-matrix-instructions",
  [
    ...wmmaMemory,
    form(
      "wmma.mma{.bop}{.popc}.sync.aligned.alayout.blayout.shape{.rnd}.dtype{.atype}{.btype}{.ctype}{.satfinite} d, a, b, c",
      {
        where: {
          bop: ["xor", "and"],
          alayout: layout,
          blayout: layout,
          shape: wmmaShape,
          rnd,
          dtype: element,
          atype: element,
          btype: element,
          ctype: element,
        },
        operands: { d: open, a: open, b: open, c: open },
        since: bringing({ ptx: 60, sm: 70 }, { ...wmmaWords, and: { ptx: 71, sm: 80 } }),
      },
    ),
    form(
      "mma{.sp}.sync.aligned.shape.alayout.blayout{.kind}{.block_scale}{.scale}{.satfinite}{.rnd}.dtype.atype.btype.ctype{.stype}{.bop}{.popc} d, a, b, c{, e}{, f}{, sa}{, ia}{, sb}{, ib}",
      {
        where: {
          sp: ["sp", "sp::ordered_metadata"],
          shape: mmaShape,
          alayout: layout,
          blayout: layout,
          kind: ["kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"],
          scale: ["scale_vec::1X", "scale_vec::2X", "scale_vec::4X"],
          rnd,
          dtype: element,
          atype: element,
          btype: element,
          ctype: element,
          stype: ["ue8m0", "ue4m3"],
          bop: ["xor", "and"],
        },
        operands: { d: open, a: open, b: open, c: open, e: open, f: open, sa: open, ia: open, sb: open, ib: open },
        since: bringing({ ptx: 64, sm: 70 }, mmaWords),
      },
    ),
    ...ldmatrix,
    ...stmatrix,
    form("movmatrix.sync.aligned.m8n8.trans.b16 d, a", {
      operands: { d: to("b32"), a: registerOf("b32") },
      since: { ptx: 78, sm: 75 },
      run: () => ({ shape: "transpose" }),
      // Every lane holds the same: each column of the matrix is one number, then each row is.
      check: [{ a: 0x0002_0001, d: 0x0001_0001 }],
    }),
    ...wgmmaForms,
    ...wgmmaSparse,
  ],
);
