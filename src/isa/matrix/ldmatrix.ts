import { multiplicandA } from "../../interp/contract/matrix/fragment-layouts.ts";
import type { MatrixLines } from "../../interp/contract/plan/plan-lines.ts";
import { bringing } from "../form/bringing.ts";
import { to } from "../form/classes.ts";
import { type Form, form, manual, ptxas, published, unspecified } from "../form/define.ts";
import type { AddressClass, VectorClass } from "../form/operands.ts";

const ss = ["shared", "shared::cta"] as const;
const src = ["b6x16_p32", "b4x16_p64"] as const;
const counts = { x1: 1, x2: 2, x4: 4 } as const;
const num = ["x1", "x2", "x4"] as const;
/** Targets of one family from sm_100 on, which have elements of fewer bits. */
const since = bringing({ ptx: 86, sm: 100, only: "f" });

const registers = (count: number): VectorClass => ({ kind: "vector", count, of: to("b32", { sink: true }) });
const address = (space: string | undefined): AddressClass =>
  space === undefined ? { kind: "address", space: "generic", narrow: true } : { kind: "address", space: "shared" };

/** Lines of 16 bytes, whose addresses the lanes give one by one. Padding is not read. */
const lines = (of: Pick<MatrixLines, "fragment" | "matrices" | "line" | "packed">): MatrixLines => ({
  ...of,
  bytes: 2 * (of.packed ?? 8),
  align: 16,
  first: 16,
});

const addresses = [
  manual("lanes from 0 on give one address for each row of 16 bytes; what the others give is not read"),
  ptxas("without .shared, a register of 32 bits is taken as an address of shared memory"),
];
const sixteen = published(
  "16 lanes give the addresses of a matrix; which byte goes where: measured on sm_120a, and so CUTLASS's copy traits have it",
);
const packed = published(
  "an element goes to the low bits of its byte, where CUTLASS finds it: it shifts .e2m1 left by two for mma; zeros above it",
);

/** Matrices from shared memory. */
export const ldmatrix: readonly Form[] = [
  form("ldmatrix.sync.aligned.m8n8.num{.trans}{.ss}.b16 d, [a]", {
    where: { num, ss },
    operands: ({ num, ss }) => ({ d: registers(counts[num]), a: address(ss) }),
    since: bringing({ ptx: 65, sm: 75 }, { "shared::cta": { ptx: 78, sm: 75 } }),
    run: ({ num, trans, ss }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: lines({
        fragment: multiplicandA(8, 8, 16),
        matrices: counts[num],
        line: trans ? "column" : "row",
      }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[128]; .reg .b32 r<4>; .reg .b64 q;
          mov.u32 r0, %laneid; mad.lo.u32 r1, r0, 0x20002, 0x10000;
          mov.u32 r2, tile; mad.lo.u32 r2, r0, 4, r2; st.shared.b32 [r2], r1; bar.sync 0;
          and.b32 r1, r0, 7; mov.u32 r2, tile; mad.lo.u32 r2, r1, 16, r2;
          ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [r2]; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {r1}, [r2];`,
        // Rows of 8 elements from 0 on: elements 0 and 1, and of the first column 0 and 8.
        gives: { r0: 0x0001_0000, r1: 0x0008_0000 },
      },
    ],
    facts: addresses,
  }),
  form("ldmatrix.sync.aligned.m16n16.num.trans{.ss}.b8 d, [a]", {
    where: { num: ["x1", "x2"], ss },
    operands: ({ num, ss }) => ({ d: registers(2 * counts[num]), a: address(ss) }),
    since,
    run: ({ num, ss }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: lines({ fragment: multiplicandA(16, 16, 8), matrices: counts[num], line: "column" }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[256]; .reg .b32 r<4>;
          mov.u32 r0, %laneid; mad.lo.u32 r3, r0, 0x08080808, 0x03020100; mad.lo.u32 r2, r0, 8, 0;
          mov.u32 r1, tile; add.u32 r2, r2, r1; st.shared.b32 [r2], r3; add.u32 r3, r3, 0x04040404; st.shared.b32 [r2+4], r3;
          bar.sync 0; and.b32 r2, r0, 15; mad.lo.u32 r2, r2, 16, r1;
          ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {r0, r1}, [r2];`,
        // Rows of 16 bytes from 0 on: of the first column, and of column 8, the first four.
        gives: { r0: 0x3020_1000, r1: 0x3828_1808 },
      },
    ],
    facts: [...addresses, sixteen],
  }),
  form("ldmatrix.sync.aligned.m16n16.num.trans{.ss}.b8x16.src d, [a]", {
    where: { num: ["x1", "x2"], ss, src },
    operands: ({ num, ss }) => ({ d: registers(2 * counts[num]), a: address(ss) }),
    since,
    run: ({ num, ss, src }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: lines({
        fragment: multiplicandA(16, 16, 8),
        matrices: counts[num],
        line: "column",
        packed: src === "b6x16_p32" ? 6 : 4,
      }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[256]; .reg .b32 r<4>;
          mov.u32 r0, %laneid; mov.u32 r1, tile; mad.lo.u32 r2, r0, 8, r1;
          mov.u32 r3, 0x87654321; st.shared.b32 [r2], r3; st.shared.b32 [r2+4], r3;
          bar.sync 0; and.b32 r2, r0, 15; mad.lo.u32 r2, r2, 16, r1;
          ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64 {r0, r1}, [r2];
          ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32 {r2, r3}, [r2];`,
        // Lines alike: each column is one number. Element 8 of 6 bits is bits 48 to 53.
        gives: { r0: 0x0101_0101, r1: 0x0101_0101, r2: 0x2121_2121, r3: 0x2525_2525 },
      },
    ],
    facts: [...addresses, sixteen, packed],
  }),
  form("ldmatrix.sync.aligned.m8n16.num{.ss}.b8x16.src d, [a]", {
    where: { num, ss, src },
    operands: ({ num, ss }) => ({ d: registers(counts[num]), a: address(ss) }),
    since,
    run: ({ num, ss, src }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: lines({
        fragment: multiplicandA(8, 16, 8),
        matrices: counts[num],
        line: "row",
        packed: src === "b6x16_p32" ? 6 : 4,
      }),
    }),
    check: [
      {
        snippet: `.shared .align 16 .b8 tile[128]; .reg .b32 r<4>;
          mov.u32 r0, %laneid; mov.u32 r1, tile; mad.lo.u32 r2, r0, 4, r1; mov.u32 r3, 0x87654321; st.shared.b32 [r2], r3;
          bar.sync 0; and.b32 r2, r0, 7; mad.lo.u32 r2, r2, 16, r1;
          ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {r0}, [r2];
          ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {r1}, [r2];`,
        // 0x21, 0x43, 0x65 in pieces of 6 bits from the lowest on: 0x21, 0x0c, 0x14, 0x19.
        gives: { r0: 0x0403_0201, r1: 0x1914_0c21 },
      },
    ],
    facts: [...addresses, packed],
  }),
  form("ldmatrix.sync.aligned.m8n16.num{.ss}.s8.s4 d, [a]", {
    where: { num, ss },
    operands: ({ num, ss }) => ({ d: registers(counts[num]), a: address(ss) }),
    // sm_90a, and all families from sm_100f on.
    since: { ptx: 94, sm: 90, only: "f" },
    run: ({ num, ss }) => ({
      shape: "load lines",
      space: address(ss).space,
      lines: {
        ...lines({ fragment: multiplicandA(8, 16, 8), matrices: counts[num], line: "row", packed: 4 }),
        align: 8,
        first: 8,
        signed: true,
      },
    }),
    check: [
      {
        target: "sm_90a",
        snippet: `.shared .align 16 .b8 tile[64]; .reg .b32 r<4>; .reg .pred p;
          mov.u32 r0, %laneid; mov.u32 r1, tile; mad.lo.u32 r2, r0, 4, r1; mov.u32 r3, 0x8f7e1020; setp.lt.u32 p, r0, 16; @p st.shared.b32 [r2], r3;
          bar.sync 0; and.b32 r2, r0, 7; mad.lo.u32 r2, r2, 8, r1;
          ldmatrix.sync.aligned.m8n16.x1.shared.s8.s4 {r0}, [r2]; shfl.sync.idx.b32 r1, r0, 1, 31, -1;`,
        // The nibbles 0, 2, 0, 1 for thread 0, and e, 7, f, 8 for thread 1.
        gives: { r0: 0x0100_0200, r1: 0xf8ff_07fe },
      },
    ],
    facts: [
      ...addresses,
      unspecified("a row is 16 elements of 4 bits without padding, the lowest first, at an address that 8 divides"),
    ],
  }),
];
