import { Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { digits, least, row } from "./time.ts";

/** Warps that multiply, and what each of them does: loads A and B, and adds their product to D. */
const WARPS = 64;
const TRIPS = 64;

/** A warpgroup multiplies m64n128, from shared memory. */
const WIDE = { m: 64, n: 128, trips: 8 };

interface Product {
  readonly by: "mma" | "wgmma";
  readonly type: "bf16" | "f16" | "e4m3" | "e2m1" | "s8" | "s4";
  readonly into: "f32" | "f16" | "s32";
  readonly target: string;
  /** Columns of A as the instruction names them. */
  readonly k: number;
  /** A sparse A, or the kind of narrow floats, with the type of their scales where they have some. */
  readonly also?: "sparse" | readonly [kind: string, scales?: string];
}

/** Metadata that select each two of four columns, and scales near 1. */
const METADATA = "0x48c9de4e";
const SCALES: Readonly<Record<string, string>> = { ue8m0: "0x7e807f7f", ue4m3: "0x3840343a" };

const products: readonly Product[] = [
  { by: "mma", type: "bf16", into: "f32", target: "sm_80", k: 16 },
  { by: "mma", type: "bf16", into: "f32", target: "sm_90", k: 16 },
  { by: "mma", type: "f16", into: "f16", target: "sm_80", k: 16 },
  { by: "mma", type: "e4m3", into: "f32", target: "sm_89", k: 32 },
  { by: "mma", type: "e4m3", into: "f32", target: "sm_90", k: 32 },
  { by: "mma", type: "e2m1", into: "f32", target: "sm_120a", k: 32, also: ["f8f6f4"] },
  {
    by: "mma",
    type: "e4m3",
    into: "f32",
    target: "sm_120a",
    k: 32,
    also: ["mxf8f6f4.block_scale.scale_vec::1X", "ue8m0"],
  },
  {
    by: "mma",
    type: "e2m1",
    into: "f32",
    target: "sm_120a",
    k: 64,
    also: ["mxf4nvf4.block_scale.scale_vec::4X", "ue4m3"],
  },
  { by: "mma", type: "bf16", into: "f32", target: "sm_80", k: 32, also: "sparse" },
  { by: "mma", type: "s8", into: "s32", target: "sm_80", k: 64, also: "sparse" },
  { by: "mma", type: "s8", into: "s32", target: "sm_80", k: 32 },
  { by: "mma", type: "s4", into: "s32", target: "sm_80", k: 64 },
  { by: "wgmma", type: "bf16", into: "f32", target: "sm_90a", k: 16 },
  { by: "wgmma", type: "e4m3", into: "f32", target: "sm_90a", k: 32 },
];

const source = (product: Product): string => (product.by === "mma" ? ofWarps(product) : ofWarpgroups(product));

/** A and B of all trips lie behind each other, in rows of 16 bytes without swizzle. */
function ofWarpgroups({ type, into, target, k }: Product): string {
  const bytes = ((WIDE.m + WIDE.n) * 16 * k) / (type === "e4m3" ? 16 : 8);
  const descriptor = (BigInt((WIDE.n * 16) >> 4) << 16n) | (8n << 32n);
  const d = Array.from({ length: (WIDE.n * WIDE.m) / 128 }, (_, at) => `d${at}`).join(", ");
  return `.version 8.4
.target ${target}
.address_size 64
.visible .entry product(.param .u64 data, .param .u64 result) {
  .reg .b64 p0, da, db;
  .reg .b32 t, i, x<4>, s;
  .reg .f32 d<${(WIDE.n * WIDE.m) / 128}>;
  .reg .pred p;
  .shared .align 1024 .b8 tile[${bytes}];
  ld.param.u64 p0, [data];
  mov.u32 t, %tid.x;
  mov.u32 s, tile;
  mad.lo.u32 s, t, 16, s;
  mad.wide.u32 p0, t, 16, p0;
  mov.u32 i, 0;
fill:
  ld.global.v4.b32 {x0, x1, x2, x3}, [p0];
  st.shared.v4.b32 [s], {x0, x1, x2, x3};
  add.u32 s, s, 2048;
  add.s64 p0, p0, 2048;
  add.u32 i, i, 2048;
  setp.lt.u32 p, i, ${bytes};
  @p bra fill;
  fence.proxy.async;
  bar.sync 0;
  mov.b64 da, ${(BigInt((WIDE.m * 16) >> 4) << 16n) | (8n << 32n)};
  mov.b64 db, ${descriptor + BigInt((WIDE.m * 2 * 16) >> 4)};
  ${d
    .split(", ")
    .map((at) => `mov.f32 ${at}, 0f00000000;`)
    .join(" ")}
  mov.u32 i, 0;
again:
  wgmma.fence.sync.aligned;
  setp.ne.u32 p, i, 0;
  wgmma.mma_async.sync.aligned.m64n${WIDE.n}k${k}.${into}.${type}.${type} {${d}}, da, db, p, 1, 1${type === "e4m3" ? "" : ", 0, 0"};
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  add.u32 i, i, 1;
  setp.lt.u32 p, i, ${WIDE.trips};
  @p bra again;
  ld.param.u64 p0, [result];
  mad.wide.u32 p0, t, 4, p0;
  st.global.f32 [p0], d0;
  ret;
}`;
}

function ofWarps({ type, into, target, k, also }: Product): string {
  const sparse = also === "sparse";
  const [kind, scales] = sparse ? [] : (also ?? []);
  const a = "{a0, a1, a2, a3}";
  const b = sparse ? "{b0, b1, b2, b3}" : "{b0, b1}";
  const types = [into, type, type, into, ...(scales ? [scales] : [])].join(".");
  const name = `mma${sparse ? ".sp::ordered_metadata" : ""}.sync.aligned.m16n8k${k}.row.col${kind ? `.kind::${kind}` : ""}.${types}`;
  const operands = [
    ...[`{${sums(into)}}`, a, b, `{${sums(into)}}`],
    ...(sparse ? ["x", "0"] : []),
    ...(scales ? ["x", "{0, 0}", "x", "{0, 0}"] : []),
  ];
  return `.version 8.7
.target ${target}
.address_size 64
.visible .entry product(.param .u64 data, .param .u64 result) {
  .reg .b64 a, d, lane;
  .reg .b32 t, w, i, x, a<4>, b<4>;
  .reg .b32 d<4>;
  .reg .pred p;
  ld.param.u64 a, [data];
  ld.param.u64 d, [result];
  mov.u32 t, %tid.x;
  mov.u32 w, %ctaid.x;
  mad.lo.u32 w, w, 32, t;
  mad.wide.u32 d, w, 16, d;
  mad.wide.u32 a, t, 16, a;
  mov.b32 x, ${scales ? SCALES[scales] : METADATA};
  ${[0, 1, 2, 3].map((at) => `mov.b32 d${at}, 0;`).join(" ")}
  mov.u32 i, ${TRIPS};
again:
  ld.global.v4.b32 ${a}, [a];
  ld.global.v${sparse ? 4 : 2}.b32 ${b}, [a+512];
  ${name} ${operands.join(", ")};
  add.s64 a, a, 1024;
  sub.u32 i, i, 1;
  setp.ne.u32 p, i, 0;
  @p bra again;
  st.global.v4.b32 [d], {d0, d1, d2, d3};
  ret;
}`;
}

/** The registers with the sums. */
const sums = (into: Product["into"]): string => (into === "f16" ? "d0, d1" : "d0, d1, d2, d3");

/** Numbers without a pattern, most of them near 1: sums of uniform ones. */
function normals(type: Product["type"], count: number): Uint8Array {
  let state = 1;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const normal = (): number => Array.from({ length: 12 }, uniform).reduce((sum, each) => sum + each) - 6;
  if (type === "s8" || type === "s4" || type === "e2m1")
    return Uint8Array.from({ length: count }, () => 256 * uniform());
  // Small enough that no sum leaves f16.
  if (type === "f16")
    return new Uint8Array(Uint16Array.from({ length: count }, () => 0x2000 + 0x1000 * uniform()).buffer);
  return type === "bf16"
    ? new Uint8Array(
        Uint16Array.from({ length: count }, () => new Uint32Array(Float32Array.of(normal()).buffer)[0]! >>> 16).buffer,
      )
    : Uint8Array.from({ length: count }, () => {
        const [value, size] = [normal(), Math.abs(normal())];
        const exponent = Math.max(-6, Math.floor(Math.log2(size)));
        const whole = Math.floor(size / 2 ** (exponent - 3));
        return (value < 0 ? 0x80 : 0) | (whole < 8 ? whole : ((exponent + 7) << 3) | (whole - 8));
      });
}

/** Multiply-adds of m16n8 products a second, in a loop that loads what it multiplies. */
export function measureProducts(part: string, executors: ReadonlyMap<string, Executor>, rounds: number): void {
  row("product", ...[...executors.keys()].flatMap((name) => [`${name} M/s`]));
  for (const product of products) {
    const { also } = product;
    const kind = also === undefined ? "" : also === "sparse" ? " sparse" : ` ${also[0].replace(/\..*/, "")}`;
    const name = `${product.by}${kind} ${product.type} ${product.into} ${product.target}`;
    if (!name.includes(part) && !"product".includes(part)) continue;
    const runs = [...executors.values()].map((executor) => {
      const device = new Device();
      const kernel = must(must(device.module(source(product))).kernel("product"));
      const data = device.buffer(normals(product.type, (1024 * TRIPS * product.k) / 32));
      const result = device.buffer(new Float32Array(WARPS * 128));
      const block = product.by === "mma" ? 32 : 128;
      const options = { grid: WARPS, block, args: [data, result], executor };
      return (): void => {
        const { stop } = must(kernel.launch(options))!;
        if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
      };
    });
    const { m, n, trips } = product.by === "mma" ? { m: 16, n: 8, trips: TRIPS } : WIDE;
    const additions = m * n * product.k * trips * WARPS;
    row(name, ...least(rounds, runs).map((time) => digits(additions / time / 1e6)));
  }
}
