import { MAP_BYTES } from "../../../src/interp/tensor-map/tensor-map.ts";
import type { AddressClass } from "../../../src/isa/form/operands.ts";
import type { Around } from "./operands.ts";
import type { Random } from "./random.ts";
import { tensorMaps } from "./tensor-maps.ts";

/** Bytes of the variables that every program of the fuzzer has. */
export const ARRAY = 8192;
export const TABLE = 1024;
export const SHARED = 8192;
export const LOCAL = 96;
export const CONSTANT = 512;
export const PARAMETERS = 64;

/** Bytes of shared memory that tensor cores read: a copy of `A`, twice. */
export const TILE = 16384;

/** What vprintf is given: two texts, 16 bytes apart. */
export const FORMATS = "%d,%x,%llx\n\0\0\0\0\0%u %5d %e\n\0";

/**
 * Module scope: `A` is written in full before a launch, `B` in part, so that some of its bytes are uninitialised. `F` are
 * texts, and `M` is an mbarrier object. `T` are
 * tiles, `W` is where an answer of the hardware comes to lie, and `Q` are tensor maps of `A`.
 */
export const variables: readonly (readonly [name: string, declaration: string])[] = [
  ["A", `.global .align 64 .b8 A[${ARRAY}];`],
  ["B", `.global .align 64 .b8 B[${TABLE}];`],
  ["C", `.const .align 64 .b8 C[${CONSTANT}];`],
  ["S", `.shared .align 64 .b8 S[${SHARED}];`],
  ["F", `.global .align 16 .b8 F[${FORMATS.length}];`],
  ["M", ".shared .align 8 .b8 M[8];"],
  ["T", `.shared .align 1024 .b8 T[${TILE}];`],
  ["W", ".shared .align 16 .b8 W[64];"],
  ["Q", `.global .align 128 .b8 Q[${MAP_BYTES * tensorMaps.length}];`],
];

/** Each thread copies every n-th 16 bytes of `A` to the tile, which all then may read. */
const TILE_LINES = [
  "mov.u32 %w0, %tid.x;", "again_tile:", "mov.u32 %tile, T;", "mad.lo.u32 %tile, %w0, 16, %tile;", "and.b32 %a32, %w0, 511;",
  "mov.u64 %a64, A;", "mad.wide.u32 %a64, %a32, 16, %a64;", "ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%a64];",
  "st.shared.v4.b32 [%tile], {%r0, %r1, %r2, %r3};", "mov.u32 %a32, %ntid.x;", "add.u32 %w0, %w0, %a32;",
  `setp.lt.u32 %lw, %w0, ${TILE / 16};`, "@%lw bra again_tile;", "mov.u32 %tile, T;", "fence.proxy.async.shared::cta;", "bar.sync 0;",
].join(" "); // biome-ignore format: by what they do

/**
 * Registers that hold addresses, and how each is made at the beginning of a function. None of them is written again, so
 * most accesses are good ones.
 */
const made: Readonly<Record<string, { readonly type: string; readonly lines: string; readonly needs?: string }>> = {
  t: { type: "b32", lines: "mov.u32 %t, %tid.x; and.b32 %t, %t, 127;" },
  // Slots of 64 bytes: lanes far apart.
  gA: { type: "b64", lines: "mov.u64 %gA, A; mad.wide.u32 %gA, %t, 64, %gA;", needs: "t" },
  // Neighbours: 4, 8 and 16 bytes from lane to lane.
  g4: { type: "b64", lines: "mov.u64 %g4, A; mad.wide.u32 %g4, %t, 4, %g4;", needs: "t" },
  g8: { type: "b64", lines: "mov.u64 %g8, A; mad.wide.u32 %g8, %t, 8, %g8;", needs: "t" },
  g16: { type: "b64", lines: "mov.u64 %g16, A; mad.wide.u32 %g16, %t, 16, %g16;", needs: "t" },
  g1: { type: "b64", lines: "mov.u64 %g1, A; mad.wide.u32 %g1, %t, 1, %g1;", needs: "t" },
  // One address for all lanes.
  gU: { type: "b64", lines: "mov.u64 %gU, A;" },
  gB: { type: "b64", lines: "mov.u64 %gB, B;" },
  sA: { type: "b32", lines: "mov.u32 %sA, S; mad.lo.u32 %sA, %t, 64, %sA;", needs: "t" },
  s4: { type: "b32", lines: "mov.u32 %s4, S; mad.lo.u32 %s4, %t, 4, %s4;", needs: "t" },
  s8: { type: "b64", lines: "mov.u64 %s8, S; mad.wide.u32 %s8, %t, 8, %s8;", needs: "t" },
  s16: { type: "b32", lines: "mov.u32 %s16, S; mad.lo.u32 %s16, %t, 16, %s16;", needs: "t" },
  sU: { type: "b32", lines: "mov.u32 %sU, S;" },
  mb: { type: "b32", lines: "mov.u32 %mb, M;" },
  maps: { type: "b64", lines: "mov.u64 %maps, Q;" },
  // Written in full by each thread of a block that has one warp or more.
  tile: { type: "b32", lines: TILE_LINES, needs: "t" },
  lA: { type: "b64", lines: "mov.u64 %lA, L;" },
  l4: { type: "b32", lines: "mov.u32 %l4, L;" },
  cA: { type: "b64", lines: "mov.u64 %cA, C;" },
  c4: { type: "b64", lines: "mov.u64 %c4, C; mad.wide.u32 %c4, %t, 4, %c4;", needs: "t" },
  // Generic addresses of the other windows.
  xS: { type: "b64", lines: "mov.u64 %xS, S; cvta.shared.u64 %xS, %xS; mad.wide.u32 %xS, %t, 16, %xS;", needs: "t" },
  xL: { type: "b64", lines: "mov.u64 %xL, L; cvta.local.u64 %xL, %xL;" },
  xC: { type: "b64", lines: "mov.u64 %xC, C; cvta.const.u64 %xC, %xC;" },
};

/** The pointers that one function uses. */
export class Pointers {
  readonly #used: Set<string> = new Set();
  readonly #kernel: boolean;

  constructor(kernel: boolean) {
    this.#kernel = kernel;
  }

  use(name: string): string {
    const { needs } = made[name]!;
    if (needs !== undefined) this.#used.add(needs);
    this.#used.add(name);
    return `%${name}`;
  }

  /** A variable whose address mov takes. */
  variable(space: string | undefined): string {
    return { global: "A", shared: "S", local: "L", const: "C", param: "A" }[space ?? "global"] ?? "A";
  }

  get kernel(): boolean {
    return this.#kernel;
  }

  /** What stands at the beginning of the function. */
  get lines(): readonly string[] {
    const names = Object.keys(made).filter((name) => this.#used.has(name));
    return names.flatMap((name) => [`.reg .${made[name]!.type} %${name};`, ...statements(made[name]!.lines)]);
  }
}

const statements = (lines: string): string[] => lines.split(/(?<=[;:]) /);

/** A base and how many bytes lie behind it for every lane of a block of 128. */
export interface Base {
  readonly text: string;
  readonly room: number;
}

const globals: readonly Base[] = [
  { text: "gA", room: 64 }, { text: "g4", room: 2048 }, { text: "g8", room: 2048 }, { text: "g16", room: 2048 },
  { text: "g1", room: 512 }, { text: "gU", room: 4096 }, { text: "gB", room: 1024 },
]; // biome-ignore format: a table
const shareds: readonly Base[] = [
  { text: "sA", room: 64 }, { text: "s4", room: 2048 }, { text: "s8", room: 2048 }, { text: "s16", room: 2048 },
  { text: "sU", room: 4096 },
]; // biome-ignore format: a table
const locals: readonly Base[] = [
  { text: "lA", room: LOCAL },
  { text: "l4", room: LOCAL },
];
const constants: readonly Base[] = [
  { text: "cA", room: CONSTANT },
  { text: "c4", room: 64 },
];
const generics: readonly Base[] = [
  ...globals,
  { text: "xS", room: 64 },
  { text: "xL", room: LOCAL },
  { text: "xC", room: 64 },
];

export function baseFor(space: AddressClass["space"], { random, pointers, before, bytes }: Around): Base {
  if (random.chance(1))
    return { text: space === "shared" || space === "local" ? "%r0" : random.any(["%q0", "%q1"]), room: 64 };
  const of = (list: readonly Base[]): Base => {
    const { text, room } = random.any(list);
    return { text: pointers.use(text), room };
  };
  switch (space) {
    case "global":
      if (random.chance(15)) return { text: "A", room: ARRAY };
      return random.chance(20) ? gathered(random, pointers, before, bytes) : of(globals);
    case "generic":
      return random.chance(15) ? gathered(random, pointers, before, bytes) : of(generics);
    case "shared":
      if (random.chance(15)) return { text: "S", room: SHARED };
      return random.chance(20) ? scattered(random, pointers, before, bytes) : of(shareds);
    case "local":
      return random.chance(40) ? { text: "L", room: LOCAL } : of(locals);
    case "const":
      return random.chance(40) ? { text: "C", room: CONSTANT } : of(constants);
    case "param":
      return pointers.kernel ? { text: random.any(["k2", "k2", "k0", "k1"]), room: 8 } : of(globals);
  }
}

/** An address that each lane computes of its data: lanes meet and cross. */
function gathered(random: Random, pointers: Pointers, before: string[], bytes: number): Base {
  const mask = random.any([0x3c0, 0x1f8, 0x0f0, 0x03c]) & -Math.min(bytes, 64);
  before.push(
    `and.b32 %a32, %r${random.below(8)}, ${mask};`,
    `mad.wide.u32 %a64, %a32, 1, ${pointers.use(random.any(["gU", "gU", "gB"]))};`,
  );
  return { text: "%a64", room: 32 };
}

function scattered(random: Random, pointers: Pointers, before: string[], bytes: number): Base {
  const mask = random.any([0x3c0, 0x1f8, 0x0f0, 0x03c]) & -Math.min(bytes, 64);
  before.push(`and.b32 %a32, %r${random.below(8)}, ${mask};`, `add.u32 %a32, %a32, ${pointers.use("sU")};`);
  return { text: "%a32", room: 64 };
}
