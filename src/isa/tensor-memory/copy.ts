import type { CopyShape } from "../../interp/contract/plan/plan-tensor-memory.ts";
import { of } from "../form/classes.ts";
import { type Conflict, form, published, unspecified } from "../form/define.ts";
import { committed } from "./examples.ts";
import { archSpecific, group, groupOf, since, wideAddress } from "./words.ts";

const multicast = ["warpx2::02_13", "warpx2::01_23", "warpx4"] as const;

/** `lanes x bits`, and the lanes that get each part of the rows (PTX ISA, tcgen05.cp). */
const shapes = {
  "128x256b": { rows: 128, columns: 8, to: [[0]] },
  // One row for each quarter of the lanes.
  "4x256b": { rows: 4, columns: 8, to: [[0], [32], [64], [96]] },
  "128x128b": { rows: 128, columns: 4, to: [[0]] },
} as const satisfies Readonly<Record<string, CopyShape>>;

const cast = {
  "warpx2::02_13": { rows: 64, columns: 4, to: [[0, 64]] },
  "warpx2::01_23": { rows: 64, columns: 4, to: [[0, 32], [64, 96]] },
  warpx4: { rows: 32, columns: 4, to: [[0, 32, 64, 96]] },
} as const satisfies Readonly<Record<(typeof multicast)[number], CopyShape>>; // biome-ignore format: one thought

interface Mods {
  readonly shape: keyof typeof shapes | "64x128b" | "32x128b";
  readonly multicast: (typeof multicast)[number] | undefined;
}

/** .64x128b goes to pairs of warps, .32x128b to all four, the others are not multicast. */
const casts: ReadonlyMap<string, string> = new Map([
  ["64x128b", "warpx2"],
  ["32x128b", "warpx4"],
]);
function matching({ shape: form, multicast }: Mods): Conflict | undefined {
  const wanted = casts.get(form);
  if (multicast === undefined) return wanted === undefined ? undefined : [form, `being without .${wanted}`];
  return wanted !== undefined && multicast.startsWith(wanted) ? undefined : [multicast, form];
}

const formOf = ({ shape, multicast }: Mods): CopyShape =>
  multicast === undefined ? shapes[shape as keyof typeof shapes] : cast[multicast];

/** From shared memory to tensor memory, and within it. */
export const copies = [
  form("tcgen05.cp.group.shape{.multicast}{.dst.src} [t], s", {
    where: {
      group,
      shape: ["128x256b", "4x256b", "128x128b", "64x128b", "32x128b"],
      multicast,
      dst: ["b8x16"],
      src: ["b4x16_p64", "b6x16_p32"],
    },
    operands: { t: wideAddress, s: of("u64") },
    since,
    conflict: matching,
    run: (mods) => ({
      shape: "tcgen05 copy",
      group: groupOf(mods.group),
      form: formOf(mods),
      ...(mods.src && { expand: mods.src }),
    }),
    facts: [
      published("which lanes get which rows: CUTLASS's copy traits for sm_100"),
      unspecified(
        "an expanded 4-bit element lies in bits 5 to 2 of its byte, one of 6 bits in bits 5 to 0, as mma's do",
      ),
    ],
    check: [
      {
        snippet: committed(7, "", "tcgen05.cp.cta_group::1.128x128b [t], s;"),
        gives: { d: 7 },
      },
      {
        // The low four bits of the byte 0x21 are 1, the high ones 2; each becomes a byte, two bits further up.
        snippet: committed(0x21, "", "tcgen05.cp.cta_group::1.32x128b.warpx4.b8x16.b4x16_p64 [t], s;"),
        gives: { d: 0x0804 },
      },
    ],
  }),
  form("tcgen05.shift.group.down [t]", {
    where: { group },
    operands: { t: wideAddress },
    since: archSpecific,
    run: (mods) => ({ shape: "tcgen05 shift", group: groupOf(mods.group) }),
    facts: [
      unspecified(
        "down is to the lane before: the last of 32 lanes keeps its row, which tcgen05.cp.4x256b replaces in CUTLASS",
      ),
    ],
    check: [
      {
        snippet: committed(
          0,
          `tcgen05.st.sync.aligned.32x32b.x8.b32 [t], {l, l, l, l, l, l, l, l};`,
          "tcgen05.shift.cta_group::1.down [t];",
        ),
        gives: { d: 1 },
      },
    ],
  }),
];
