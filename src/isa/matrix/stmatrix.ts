import { accumulator, multiplicandA } from "../../interp/contract/matrix/fragment-layouts.ts";
import type { MatrixLines } from "../../interp/contract/plan/plan-lines.ts";
import { bringing } from "../form/bringing.ts";
import { of, registerOf } from "../form/classes.ts";
import { type Form, form, manual, ptxas, published } from "../form/define.ts";
import type { AddressClass, VectorClass } from "../form/operands.ts";

const where = { num: ["x1", "x2", "x4"], ss: ["shared", "shared::cta"] } as const;
const counts = { x1: 1, x2: 2, x4: 4 } as const;

/** ptxas takes a constant beside other elements, not alone. */
const registers = (count: number): VectorClass => ({
  kind: "vector",
  count,
  of: count === 1 ? registerOf("b32") : of("b32", { immediate: "integer" }),
});
const address = (space: string | undefined): AddressClass =>
  space === undefined ? { kind: "address", space: "generic", narrow: true } : { kind: "address", space: "shared" };

/** Lines of 16 bytes, whose addresses the lanes give one by one. */
const lines = (of: Pick<MatrixLines, "fragment" | "matrices" | "line">): MatrixLines => ({
  ...of,
  bytes: 16,
  align: 16,
  first: 16,
});

const addresses = [
  manual("lanes from 0 on give one address for each row of 16 bytes; what the others give is not read"),
  ptxas("without .shared, a register of 32 bits is taken as an address of shared memory"),
  ptxas("constants stand in a vector of several elements"),
];

/** Matrices to shared memory. */
export const stmatrix: readonly Form[] = [
  form("stmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16 [a], b", {
    where,
    operands: ({ num, ss }) => ({ a: address(ss), b: registers(counts[num]) }),
    since: bringing({ ptx: 78, sm: 90 }),
    run: ({ num, trans, ss }) => ({
      shape: "store lines",
      space: address(ss).space,
      lines: lines({
        fragment: multiplicandA(8, 8, 16),
        matrices: counts[num],
        line: trans ? "column" : "row",
      }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[128]; .reg .b32 r<4>;
          mov.u32 r0, %laneid; mad.lo.u32 r1, r0, 0x20002, 0x10000;
          mov.u32 r3, tile; and.b32 r2, r0, 7; mad.lo.u32 r2, r2, 16, r3;
          stmatrix.sync.aligned.m8n8.x1.shared.b16 [r2], {r1}; bar.sync 0; ld.shared.b32 r0, [r3+16];
          bar.sync 0; stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [r2], {r1}; bar.sync 0; ld.shared.b32 r1, [r3+16];`,
        // Lane i holds 2i and 2i + 1: the second row begins with 8 and 9, the second column with 1 and 9.
        gives: { r0: 0x0009_0008, r1: 0x0009_0001 },
      },
    ],
    facts: addresses,
  }),
  form("stmatrix.sync.aligned.m16n8.num.trans{.ss}.b8 [a], b", {
    where,
    operands: ({ num, ss }) => ({ a: address(ss), b: registers(counts[num]) }),
    since: bringing({ ptx: 86, sm: 100, only: "f" }),
    run: ({ num, ss }) => ({
      shape: "store lines",
      space: address(ss).space,
      lines: lines({ fragment: accumulator("d", 16, 8, 8), matrices: counts[num], line: "column" }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[128]; .reg .b32 r<4>;
          mov.u32 r0, %laneid; mad.lo.u32 r1, r0, 0x04040404, 0x03020100;
          mov.u32 r3, tile; and.b32 r2, r0, 7; mad.lo.u32 r2, r2, 16, r3;
          stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [r2], {r1}; bar.sync 0;
          ld.shared.b32 r0, [r3]; ld.shared.b32 r1, [r3+24];`,
        // The first column has the first elements of lanes 0, 4, 8, 12; rows 8 to 11 of the second their fourth.
        gives: { r0: 0x3020_1000, r1: 0x3323_1303 },
      },
    ],
    facts: [
      ...addresses,
      published(
        "the bytes of a register go where the fragment of an m16n8 accumulator has them: CUTLASS's copy traits",
      ),
    ],
  }),
];
