import { Device } from "../../src/host/index.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { descriptor, type Major, type Mode, packed, placeOf, swizzle } from "./wgmma-layout.ts";

/** One wgmma.mma_async of a kernel of 128 threads. */
export interface WgmmaCase {
  /** `f32.bf16.bf16`. */
  readonly types: string;
  readonly n: number;
  /** Of the shape: twice the stored elements of a sparse A. */
  readonly k: number;
  readonly modeA: Mode | "registers";
  readonly modeB: Mode;
  readonly majorA?: Major;
  readonly majorB?: Major;
  readonly scale?: boolean;
  readonly negate?: readonly [a: 1 | -1, b: 1 | -1];
  readonly satfinite?: boolean;
  /** Bits of the elements: A by rows (of a sparse A what is stored), B by columns, D by rows. */
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly d: readonly number[];
  /** Metadata of a sparse A: which of its elements along K each stored one is. */
  readonly at?: readonly number[];
  readonly selector?: 0 | 1;
  /** Where A begins in shared memory, and the base offset of its descriptor. */
  readonly startA?: number;
  readonly baseA?: number;
}

const bitsOf = (type: string): number =>
  ({ f16: 16, bf16: 16, tf32: 32, f32: 32, s32: 32, e4m3: 8, e5m2: 8, s8: 8, u8: 8, b1: 1 })[type]!;
const B = 16384;

/** Row and column of element i of a thread's fragment of A (figures 148, 150, 152, 154). */
function placeInA(thread: number, i: number, bits: number): readonly [number, number] {
  const side = 32 / bits;
  const [group, quad] = [(thread % 32) >> 2, thread % 4];
  const register = Math.floor(i / side);
  return [16 * (thread >> 5) + group + 8 * (register & 1), quad * side + (i % side) + 4 * side * (register >> 1)];
}

/** The same of D (figures 149, 151, 153, 155). */
const placeInD = (thread: number, i: number): readonly [number, number] => [
  16 * (thread >> 5) + ((thread % 32) >> 2) + 8 * ((i >> 1) & 1),
  8 * (i >> 2) + 2 * (thread % 4) + (i & 1),
];

/** The metadata that a thread gives (figures 176, 178, 180, 181). */
function metadataOf(at: readonly number[], stored: number, bits: number, thread: number, selector: number): number {
  const [group, quad] = [(thread % 32) >> 2, thread % 4];
  const row = 16 * (thread >> 5) + group;
  const nibble = (r: number, chunk: number): number => {
    if (bits === 32) return at[r * stored + chunk]! % 2 === 1 ? 0b1110 : 0b0100;
    const [low, high] = [at[r * stored + 2 * chunk]! % 4, at[r * stored + 2 * chunk + 1]! % 4];
    return low + 4 * high;
  };
  const all = (list: readonly number[]): number => list.reduce((sum, each, i) => (sum | (each << (4 * i))) >>> 0, 0);
  if (bits === 8) {
    const first = quad < 2 ? 0 : 8;
    return all(Array.from({ length: 8 }, (_, i) => nibble(row + 8 * (quad % 2), first + i)));
  }
  // Two threads of a group hold it: the first has columns 0 to 15, in its halves rows group and group + 8.
  if (quad >> 1 !== selector) return 0xffff_ffff;
  return all(Array.from({ length: 8 }, (_, i) => nibble(row + 8 * (i >> 2), 4 * (quad % 2) + (i % 4))));
}

/** Runs it; gives the bits of D by rows, or what went wrong. */
export function runWgmma(given: WgmmaCase): {
  readonly d: number[];
  readonly findings: readonly Diagnostic[];
  readonly fault: Diagnostic | undefined;
} {
  const { types, n, k, modeA, modeB, majorA = "k", majorB = "k", scale = true, negate, at, selector = 0 } = given;
  const { startA = 0, baseA = 0 } = given;
  const [dtype = "", atype = "", btype = ""] = types.split(".");
  const [aBits, bBits] = [bitsOf(atype), bitsOf(btype)];
  const stored = at === undefined ? k : k / 2;
  const image = new Uint8Array(49152).fill(0xa5);
  const put = (address: number, mode: Mode, bits: number, code: number, bit: number): void => {
    const to = swizzle(mode, address);
    if (bits === 1) image[to] = (image[to]! & ~(1 << bit)) | (code << bit);
    else for (let each = 0; each < bits / 8; each++) image[to + each] = (code >>> (8 * each)) & 0xff;
  };
  const lay = (
    start: number,
    base: number,
    major: Major,
    mode: Mode,
    bits: number,
    rows: number,
    columns: number,
    codes: readonly number[],
  ): bigint => {
    const strides = packed(major, mode, bits, rows, columns);
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++) {
        const place = placeOf(major, mode, bits, strides, row, column);
        put(start + Math.floor(place), mode, bits, codes[row * columns + column]!, column % 8);
      }
    return descriptor(start, strides.leading, strides.stride, mode, base);
  };
  const descriptorA = modeA === "registers" ? 0n : lay(startA, baseA, majorA, modeA, aBits, 64, stored, given.a);
  const descriptorB = lay(B, 0, majorB, modeB, bBits, n, k, given.b);

  const halves = dtype === "f16" ? 2 : 1;
  const count = n / 2 / halves;
  const words = count + 5;
  const registers = new Uint32Array(128 * words);
  for (let thread = 0; thread < 128; thread++) {
    for (let i = 0; i < n / 2; i++) {
      const [row, column] = placeInD(thread, i);
      const code = given.d[row * n + column]!;
      const to = thread * words + Math.floor(i / halves);
      registers[to] = (registers[to]! | (halves === 2 ? code << (16 * (i % 2)) : code)) >>> 0;
    }
    const per = 32 / aBits;
    if (modeA === "registers")
      for (let i = 0; i < 4 * per; i++) {
        const [row, column] = placeInA(thread, i, aBits);
        const to = thread * words + count + Math.floor(i / per);
        registers[to] = (registers[to]! | (given.a[row * stored + column]! << (aBits * (i % per)))) >>> 0;
      }
    if (at !== undefined) registers[thread * words + count + 4] = metadataOf(at, stored, aBits, thread, selector);
  }

  const list = (name: string, length: number): string =>
    `{${Array.from({ length }, (_, i) => `${name}${i}`).join(", ")}}`;
  const floats = dtype !== "s32";
  const turns = atype === "f16" || atype === "bf16";
  const bit = (major: Major): string => (major === "mn" ? ", 1" : ", 0");
  const tail = [
    at === undefined ? "" : `, m, ${selector}`,
    ", p",
    floats ? `, ${negate?.[0] ?? 1}, ${negate?.[1] ?? 1}` : "",
    turns && modeA !== "registers" ? bit(majorA) : "",
    turns ? bit(majorB) : "",
  ].join("");
  const opcode = `wgmma.mma_async${at === undefined ? "" : ".sp"}.sync.aligned.m64n${n}k${k}${given.satfinite ? ".satfinite" : ""}.${types}${atype === "b1" ? ".and.popc" : ""}`;
  const text = `.version 8.4\n.target sm_90a\n.address_size 64
.entry k(.param .u64 image, .param .u64 regs, .param .u64 out, .param .u64 da, .param .u64 db) {
  .reg .${dtype === "f16" ? "b32" : dtype} d<${count}>; .reg .b32 a<4>, t<6>, m; .reg .b64 q<6>; .reg .pred p; .shared .align 1024 .b8 tile[49152];
  ld.param.u64 q0, [image]; ld.param.u64 q1, [regs]; ld.param.u64 q2, [out]; ld.param.u64 q3, [da]; ld.param.u64 q4, [db];
  mov.u32 t0, %tid.x; mov.u32 t1, tile; shl.b32 t2, t0, 2;
C: cvt.u64.u32 q5, t2; add.u64 q5, q5, q0; ld.global.b32 t3, [q5]; add.u32 t4, t1, t2; st.shared.b32 [t4], t3;
  add.u32 t2, t2, 512; setp.lt.u32 p, t2, 49152; @p bra C;
  fence.proxy.async.shared::cta; bar.sync 0;
  mad.wide.u32 q1, t0, ${4 * words}, q1; mad.wide.u32 q2, t0, ${4 * words}, q2;
  ${Array.from({ length: count }, (_, i) => `ld.global.b32 d${i}, [q1+${4 * i}];`).join(" ")}
  ${Array.from({ length: 4 }, (_, i) => `ld.global.b32 a${i}, [q1+${4 * (count + i)}];`).join(" ")} ld.global.b32 m, [q1+${4 * (count + 4)}];
  setp.eq.u32 p, t1, ${scale ? "t1" : "0xffffffff"};
  wgmma.fence.sync.aligned;
  ${opcode} ${list("d", count)}, ${modeA === "registers" ? list("a", 4) : "q3"}, q4${tail};
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  ${Array.from({ length: count }, (_, i) => `st.global.b32 [q2+${4 * i}], d${i};`).join(" ")}
  ret;
}`;
  const device = new Device();
  const out = device.buffer(new Uint32Array(128 * words));
  const module = device.module(text);
  const kernel = module.value?.kernel("k");
  const args = [device.buffer(image), device.buffer(registers), out, descriptorA, descriptorB];
  const launched = kernel?.value?.launch({ grid: 1, block: 128, args });
  if (launched?.value === undefined)
    throw new Error(JSON.stringify([module.diagnostics, kernel?.diagnostics, launched?.diagnostics], undefined, 1));
  const { stop, findings } = launched.value;
  const left = out.toArray("u32").map(Number);
  const d: number[] = Array.from({ length: 64 * n }, () => 0);
  for (let thread = 0; thread < 128; thread++)
    for (let i = 0; i < n / 2; i++) {
      const [row, column] = placeInD(thread, i);
      const word = left[thread * words + Math.floor(i / halves)]!;
      d[row * n + column] = halves === 2 ? (word >>> (16 * (i % 2))) & 0xffff : word;
    }
  return { d, findings, fault: stop.reason === "trap" ? stop.diagnostic : undefined };
}
