import { type Form, table } from "../../../../src/isa/index.ts";
import { descriptor, type Mode, packed } from "../../../conformance/wgmma-layout.ts";
import { spell, written } from "../instruction.ts";
import { TILE } from "../pointers.ts";
import type { Random } from "../random.ts";
import { classesOf, type Spelling } from "../spelling.ts";
import type { Protocol, ProtocolPlace } from "./protocol.ts";

const products: readonly Form[] = table
  .flatMap(({ forms }) => forms)
  .filter(({ syntax }) => syntax.startsWith("wgmma.mma_async"));

const sizes: Readonly<Record<string, number>> = {
  f16: 16, bf16: 16, tf32: 32, e4m3: 8, e5m2: 8, s8: 8, u8: 8, b1: 1,
}; // biome-ignore format: bits of an element

/** N, K and the bits of A's and B's elements. */
function tileOf(name: string): { n: number; k: number; a: number; b: number } {
  const [, n, k, a = "", b = ""] = /m64n(\d+)k(\d+)(?:\.satfinite)?\.\w+\.(\w+)\.(\w+)/.exec(name)!;
  return { n: Number(n), k: Number(k), a: sizes[a]!, b: sizes[b]! };
}

/** Large products cost much, and show little that small ones do not. */
const isSmall = (name: string): boolean => !name.includes("mma_async") || tileOf(name).n <= 32;

/** Four warps multiply tiles of shared memory, once or in a loop, and read what they have got. */
function lines(spelling: Spelling, place: ProtocolPlace): readonly string[] | undefined {
  const { random, threads, together, target, pointers, label } = place;
  const { form, name } = spelling;
  if ((!together || threads < 128) && random.chance(95)) return undefined;
  const isProduct = form.syntax.startsWith("wgmma.mma_async");
  const product = isProduct ? spelling : spell(random, random.any(products), target, (_, each) => isSmall(each));
  if (product === undefined) return undefined;
  const word = (what: string): string => (name.includes(what) ? name : `wgmma.${what}.sync.aligned`);
  const tile = tileOf(product.name);
  const classes = classesOf(product);
  const d = classes.d!;
  if (d.kind !== "vector") throw new Error("D is a vector");
  const turned = { a: classes.ta && random.below(2), b: classes.tb && random.below(2) };
  const sparse = product.name.includes(".sp.");
  const fragment = Array.from({ length: d.count }, (_, at) => `%tb${at}`);
  const operands: Record<string, string | undefined> = {
    d: `{${fragment.join(", ")}}`,
    b: "%db",
    // One for all of the warpgroup.
    scale: random.chance(96) ? random.any(["0", "1", "1", "%te"]) : undefined,
    ...(classes.a!.kind === "register" && { a: "%da" }),
    ...(classes.e && { e: "%a32" }),
    ...(turned.a !== undefined && { ta: `${turned.a}` }),
    ...(turned.b !== undefined && { tb: `${turned.b}` }),
  };
  const around = { random, pointers, together, target };
  const multiply = Array.from({ length: random.any([1, 1, 2, 3]) }, () =>
    written(product, around, { operands, guard: "" }),
  );
  if (multiply.includes(undefined)) return undefined;
  const again = label();
  const loop = random.chance(40);
  const kept = random.chance(d.count <= 16 ? 80 : 20) ? fragment : [];
  return [
    `mov.u32 %a32, ${pointers.use("tile")};`,
    "shr.u32 %a32, %a32, 4;",
    "cvt.u64.u32 %a64, %a32;",
    `add.u64 %da, %a64, ${matrixAt(random, turned.a === 1, tile.a, 64, sparse ? tile.k / 2 : tile.k)};`,
    `add.u64 %db, %a64, ${matrixAt(random, turned.b === 1, tile.b, tile.n, tile.k)};`,
    ...(classes.e === undefined ? [] : [`mov.b32 %a32, ${metadata(random, tile.a)};`]),
    `setp.ne.u32 %te, ${random.below(2)}, 0;`,
    ...kept.map((each, at) => `mov.b32 ${each}, %r${at % 8};`),
    ...(loop ? ["mov.u32 %w0, 0;", `${again}:`] : []),
    ...(random.chance(97) ? [`${word("fence")};`] : []),
    ...multiply.flatMap((each) => each!),
    `${word("commit_group")};`,
    ...(random.chance(97) ? [`${word("wait_group")} ${random.chance(95) ? 0 : 1};`] : []),
    ...(loop ? ["add.u32 %w0, %w0, 1;", `setp.lt.u32 %lw, %w0, ${2 + random.below(3)};`, `@%lw bra ${again};`] : []),
    ...Array.from({ length: 1 + random.below(3) }, () => `mov.b32 %r${random.below(8)}, ${random.any(fragment)};`),
    ...(random.chance(60) ? [`st.global.b32 [${pointers.use("g4")}], ${random.any(fragment)};`] : []),
  ];
}

/** The descriptor of a matrix in the tile, less where the tile begins. */
export function matrixAt(random: Random, turned: boolean, bits: number, rows: number, columns: number): string {
  const modes = ([0, 32, 64, 128] as const).filter((mode: Mode) => rows * Math.max(32, mode) <= TILE);
  const mode = random.any(modes.length > 0 ? modes : [0 as const]);
  const { leading, stride } = packed(turned ? "mn" : "k", mode, bits, rows, columns);
  const bytes = (columns * bits) / 8;
  const room = TILE - rows * Math.max(bytes, turned ? 0 : mode);
  const start = random.chance(50) || room < 1024 ? 0 : 1024 * random.below(Math.floor(room / 1024) + 1);
  const text = (value: bigint): string => `0x${value.toString(16)}`;
  // Strides that are not those of the layout show other elements, or memory that nobody has.
  if (random.chance(8)) return text(descriptor(start, 16 * random.below(64), 16 * random.below(64), mode));
  return text(descriptor(start, leading, stride, mode, random.chance(3) ? random.below(8) : 0));
}

/** Which elements of a sparse A are stored: legal pairs, now and then whatever a register has. */
export function metadata(random: Random, bits: number): string {
  if (random.chance(5)) return `%r${random.below(8)}`;
  const nibble = (): string => random.any(bits === 32 ? ["4", "e"] : ["4", "8", "9", "c", "d", "e"]);
  return `0x${Array.from({ length: 8 }, nibble).join("")}`;
}

export const warpgroup: Protocol = {
  draws: ({ mnemonic }) => mnemonic === "wgmma",
  fits: (_, name, { random }) => isSmall(name) || random.chance(4),
  lines,
  threads: [128],
};
