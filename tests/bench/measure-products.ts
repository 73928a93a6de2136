import { Device, must } from "../../src/index.ts";
import type { Executor } from "../../src/interp/state/executor.ts";
import { digits, least, row } from "./time.ts";

/** Warps that multiply, and what each of them does: loads A and B, and adds their product to D. */
const WARPS = 64;
const TRIPS = 64;

interface Product {
  readonly type: "bf16" | "f16" | "e4m3" | "s8" | "s4";
  readonly into: "f32" | "f16" | "s32";
  readonly target: string;
  readonly k: number;
}

const products: readonly Product[] = [
  { type: "bf16", into: "f32", target: "sm_80", k: 16 },
  { type: "bf16", into: "f32", target: "sm_90", k: 16 },
  { type: "f16", into: "f16", target: "sm_80", k: 16 },
  { type: "e4m3", into: "f32", target: "sm_89", k: 32 },
  { type: "e4m3", into: "f32", target: "sm_90", k: 32 },
  { type: "s8", into: "s32", target: "sm_80", k: 32 },
  { type: "s4", into: "s32", target: "sm_80", k: 64 },
];

const source = ({ type, into, target, k }: Product): string => `.version 8.4
.target ${target}
.address_size 64
.visible .entry product(.param .u64 data, .param .u64 result) {
  .reg .b64 a, d, lane;
  .reg .b32 t, w, i, a<4>, b<2>;
  .reg .b32 d<4>;
  .reg .pred p;
  ld.param.u64 a, [data];
  ld.param.u64 d, [result];
  mov.u32 t, %tid.x;
  mov.u32 w, %ctaid.x;
  mad.lo.u32 w, w, 32, t;
  mad.wide.u32 d, w, 16, d;
  mad.wide.u32 a, t, 16, a;
  ${[0, 1, 2, 3].map((at) => `mov.b32 d${at}, 0;`).join(" ")}
  mov.u32 i, ${TRIPS};
again:
  ld.global.v4.b32 {a0, a1, a2, a3}, [a];
  ld.global.v2.b32 {b0, b1}, [a+512];
  mma.sync.aligned.m16n8k${k}.row.col.${into}.${type}.${type}.${into} {${sums(into)}}, {a0, a1, a2, a3}, {b0, b1}, {${sums(into)}};
  add.s64 a, a, 1024;
  sub.u32 i, i, 1;
  setp.ne.u32 p, i, 0;
  @p bra again;
  st.global.v4.b32 [d], {d0, d1, d2, d3};
  ret;
}`;

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
  if (type === "s8" || type === "s4") return Uint8Array.from({ length: count }, () => 256 * uniform());
  // Small enough that no sum leaves f16.
  if (type === "f16") return new Uint8Array(Uint16Array.from({ length: count }, () => 0x2000 + 0x1000 * uniform()).buffer);
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
    const name = `${product.type} ${product.into} ${product.target}`;
    if (!name.includes(part) && !"product".includes(part)) continue;
    const runs = [...executors.values()].map((executor) => {
      const device = new Device();
      const kernel = must(must(device.module(source(product))).kernel("product"));
      const data = device.buffer(normals(product.type, (1024 * TRIPS * product.k) / 32));
      const result = device.buffer(new Float32Array(WARPS * 128));
      const options = { grid: WARPS, block: 32, args: [data, result], executor };
      return {
        run: (): void => {
          const { stop } = must(kernel.launch(options))!;
          if (stop.reason !== "exit") throw new Error(`${name} ends by ${stop.reason}`);
        },
      };
    });
    const additions = 16 * 8 * product.k * TRIPS * WARPS;
    row(name, ...least(rounds, runs).map((time) => digits(additions / time / 1e6)));
  }
}
