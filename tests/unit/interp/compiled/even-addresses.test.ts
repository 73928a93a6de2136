import { describe, expect, it } from "vitest";
import { Device, must } from "../../../../src/host/index.ts";
import type { Dim3 } from "../../../../src/interp/contract/launch/dim3.ts";
import { compiled, javascript } from "../../../../src/interp/index.ts";
import type { Executor } from "../../../../src/interp/state/executor.ts";

/** Each thread has `t`, `u` along x and y, `i`, its number in the grid, and 1 KiB from `row` on. */
const kernel = (body: string): string => `.version 8.1
.target sm_90
.address_size 64
.entry k(.param .u64 out, .param .u64 fresh)
{
  .reg .b32 t, u, i, n, m, block, a, b, c, d, e; .reg .b16 h; .reg .b64 all, begin, row, at, far, wide, w, at1, at2, far1, far2; .reg .pred p;
  .shared .align 16 .b32 S[1024]; .local .b32 L[4];
  ld.param.u64 all, [out];
  mov.u32 t, %tid.x; mov.u32 u, %tid.y; mov.u32 n, %ntid.x;
  mad.lo.u32 m, u, n, t;
  mov.u32 block, %ctaid.x;
  mad.lo.u32 i, block, 64, m;
  mul.wide.u32 begin, block, 1024;
  add.u64 row, all, begin;
  ${body}
  ret;
}`;

const bodies: Readonly<Record<string, string>> = {
  "words in a row": "mad.wide.u32 at, t, 4, row; ld.global.u32 b, [at]; add.u32 b, b, i; st.global.u32 [at+256], b;",
  "words of a tile":
    "mad.lo.u32 b, u, 16, t; mad.wide.s32 at, b, 4, row; ld.global.u32 c, [at]; add.u32 c, c, u; st.global.u32 [at], c;",
  "bytes, halves and words of 64 bits in a row": `
    cvt.u64.u32 far, t; add.u64 at, row, far; ld.global.u8 b, [at];
    mad.wide.u32 at1, t, 2, row; ld.global.s16 c, [at1+64];
    mad.wide.u32 at2, t, 8, row; ld.global.u64 wide, [at2];
    add.u32 d, b, c; cvt.u64.u32 far1, d; add.u64 far2, wide, far1; st.global.u64 [at2+512], far2;`,
  "vectors in a row": `
    mad.wide.u32 at, t, 16, row; ld.global.v4.u32 {a, b, c, d}, [at]; add.u32 a, a, i; st.global.v4.u32 [at], {d, c, b, a};
    mad.wide.u32 at1, t, 8, row; ld.global.v2.u32 {a, b}, [at1]; st.global.v2.u32 [at1], {b, a};`,
  "one place for all": `
    ld.global.u32 b, [row]; ld.global.v2.u64 {far, wide}, [row+16]; ld.global.u8 c, [row+5];
    add.u32 b, b, c; st.global.u32 [row+64], i; st.global.u64 [row+128], wide; cvt.u64.u32 far, b;
    mad.wide.u32 at, t, 8, row; st.global.u64 [at+512], far;`,
  "steps of twenty, and backwards": `
    mad.wide.u32 at, t, 20, row; ld.global.u32 b, [at];
    mul.wide.s32 far, t, -4; add.u64 at1, row, far; st.global.u32 [at1+256], b;`,
  "shared memory": `
    shl.b32 a, t, 2; mov.u32 b, S; add.u32 e, b, a; st.shared.u32 [e], i; bar.sync 0; ld.shared.u32 c, [S+4];
    ld.shared.u32 d, [e+8]; mad.wide.u32 at, m, 4, row; st.global.u32 [at], c; st.global.u32 [at+512], d;`,
  "a place that some lanes reach alone": `
    setp.gt.u32 p, t, 5; @p bra there; mov.u32 b, 7; bra met; there: mov.u32 b, 9; met:
    mad.wide.u32 at, t, 4, row; st.global.u32 [at], b;`,
  "a register that differs in each round": `
    mov.u32 b, 0; again: mad.wide.u32 at, t, 4, row; st.global.u32 [at], b; add.u32 b, b, t; add.u32 b, b, 1; setp.lt.u32 p, b, 9;
    @p bra again;`,
  "an index of 32 bits that wraps by sign": `
    add.u32 b, t, 0x7ffffff0; mul.wide.s32 far, b, 4; sub.u64 far1, far, 0x1ffffffc0; add.u64 at, row, far1;
    st.global.u32 [at], i;`,
  "an index of 32 bits that wraps at zero": `
    sub.u32 b, t, 9; mul.wide.u32 far, b, 4; sub.u64 far1, far, 0x3ffffffdc; add.u64 at, row, far1; st.global.u32 [at], i;`,
  // Only lanes between the first four and the last four are wrong, and only in the last block, when memory is known.
  "two that wrap, one after the other": `
    mad.lo.u32 a, block, 0x3ffffff8, t; mad.lo.u32 b, block, 0x3ffffff4, t; cvt.s64.s32 far, a; cvt.s64.s32 wide, b; sub.s64 far1, far, wide;
    add.u64 at, row, far1; mad.wide.u32 at1, t, 4, at; ld.global.u32 c, [at1]; st.global.u32 [at1], i;`,
  "memory that nothing has written": `
    ld.param.u64 at, [fresh]; mul.wide.u32 far, i, 4; mad.wide.u32 at1, t, 4, at; st.global.u32 [at1], i;
    ld.global.u32 b, [at1]; st.global.v2.u64 [row], {far, far};
    mad.wide.u32 far1, t, 16, at; st.global.v4.u32 [far1+256], {b, i, b, i};
    mad.wide.u32 wide, t, 8, row; ld.global.u64 w, [far1+264]; st.global.u64 [wide], w; ld.global.u32 c, [far1+512];`,
  "shared memory that only some have written": `
    shl.b32 a, t, 2; mov.u32 b, S; add.u32 e, b, a; setp.lt.u32 p, t, 9; @p st.shared.u32 [e], i; bar.sync 0;
    st.shared.u32 [e+128], i; ld.shared.u32 c, [e];`,
  "bytes and halves that are stored in a row": `
    cvt.u64.u32 far, t; add.u64 at, row, far; mul.lo.u32 a, i, 0x01020304; cvt.u16.u32 h, a; st.global.u8 [at+17], a;
    mad.wide.u32 at1, t, 2, row; st.global.u16 [at1+128], h; setp.lt.u32 p, t, 21; @p st.global.u8 [at+301], i;
    mad.wide.u32 at2, t, 3, row; st.global.u8 [at2+512], a; xor.b32 b, t, 1; mad.wide.u32 far2, b, 2, row; st.global.u16 [far2+768], a;`,
  "an index and a pointer that all lanes load": `
    ld.global.u32 b, [row]; and.b32 b, b, 31; add.u32 a, b, t; mad.wide.u32 at, a, 4, row; st.global.u32 [at], i;
    st.global.u64 [row+512], at; ld.global.u64 far, [row+512]; mad.wide.u32 at1, t, 4, far; ld.global.u32 c, [at1]; st.global.u32 [at1+256], c;`,
  "an index that each lane loads": `
    mad.wide.u32 at, t, 4, row; ld.global.u32 b, [at]; and.b32 b, b, 31; mad.wide.u32 at1, b, 4, row; st.global.u32 [at1], i;`,
  "an index that lanes load of two places": `
    setp.gt.u32 p, t, 5; selp.b64 at, row, all, p; ld.global.u32 b, [at]; and.b32 b, b, 31; add.u32 b, b, t;
    mad.wide.u32 at1, b, 4, row; st.global.u32 [at1], i;`,
  "an index that some lanes load": `
    mov.u32 b, 3; setp.gt.u32 p, t, 5; @p ld.global.u32 b, [row]; and.b32 b, b, 31; add.u32 b, b, t; mad.wide.u32 at, b, 4, row; st.global.u32 [at], i;`,
  "an index that lanes have exchanged": `
    ld.global.u32 b, [row]; and.b32 b, b, 31; shfl.sync.bfly.b32 b, t, 3, 31, 0xffffffff; mad.wide.u32 at, b, 4, row; st.global.u32 [at], i;`,
  "pointers that go on": `
    mad.wide.u32 at, t, 4, row; mov.u32 b, 0; again: ld.global.u32 c, [at]; add.u32 c, c, b; st.global.u32 [at], c; add.u64 at, at, 12;
    add.u32 b, b, 1; setp.lt.u32 p, b, 30; @p bra again;`,
  "pointers that go on beyond the end": `
    mad.wide.u32 at, t, 4, row; mov.u32 b, 0; again: ld.global.u32 c, [at]; st.global.u32 [at], i; add.u64 at, at, 128;
    add.u32 b, b, 1; setp.lt.u32 p, b, 30; @p bra again;`,
  "pointers that go on longer than a turn": `
    mad.wide.u32 at, t, 4, row; mov.u32 b, 0; again: ld.global.u32 c, [at]; add.u32 c, c, b; st.global.u32 [at], c; add.u64 at, at, 4;
    add.u32 b, b, 1; setp.lt.u32 p, b, 150; @p bra again;`,
  "pointers that part as they go on": `
    mad.wide.u32 at, t, 4, row; mul.wide.u32 far, t, 8; mov.u32 b, 0; again: ld.global.u32 c, [at]; st.global.u32 [at], i; add.u64 at, at, far;
    add.u32 b, b, 1; setp.lt.u32 p, b, 2; @p bra again; st.global.u32 [at], b;`,
  "pointers of lanes that go on less often": `
    mad.wide.u32 at, t, 4, row; mov.u32 b, 0; again: ld.global.u32 c, [at]; add.u64 at, at, 8; add.u32 b, b, 1; setp.lt.u32 p, b, t; @p bra again;
    st.global.u32 [at], c;`,
  "pointers whose distance parts as they go on": `
    mad.wide.u32 at, t, 4, row; mov.u64 far, 4; mul.wide.u32 wide, t, 4; mov.u32 b, 0;
    again: ld.global.u32 c, [at]; st.global.u32 [at], i; add.u64 at, at, far; add.u64 far, far, wide;
    add.u32 b, b, 1; setp.lt.u32 p, b, 3; @p bra again;`,
  "an index in local memory": `
    st.local.u32 [L], t; ld.local.u32 b, [L]; mad.wide.u32 at, b, 4, row; st.global.u32 [at], i;`,
  "an index of what is not compiled": `
    mov.u32 b, 5; mad.wide.u32 at1, t, 8, row; atom.global.v2.f32.add {b, c}, [at1], {t, t}; and.b32 b, b, 31; mad.wide.u32 at, b, 4, row;
    st.global.u32 [at], i;`,
  "words not at their place": "mad.wide.u32 at, t, 6, row; ld.global.u32 b, [at]; st.global.u32 [row], b;",
  "beyond the end": "mad.wide.u32 at, t, 64, row; ld.global.u32 b, [at+128]; st.global.u32 [at], b;",
};

/** All that can be seen of a launch whose registers nobody may look at. */
function seen(body: string, block: Dim3, executor: Executor): unknown {
  const device = new Device();
  const fresh = device.buffer(3 * 1024);
  const out = device.buffer(Uint32Array.from({ length: 3 * 256 + 16 }, (_, at) => at * 2654435761));
  const loaded = must(must(device.module({ name: "k", text: kernel(body) })).kernel("k"));
  const { stop, findings } = must(
    loaded.launch({ grid: 3, block, args: [out, fresh], executor, readableRegisters: false }),
  );
  const told = stop.reason === "trap" ? [stop.diagnostic, ...findings] : findings;
  return [
    stop.reason,
    ...told.map(({ code, message }) => `${code} ${message}`),
    Buffer.from(out.read()).toString("hex"),
  ];
}

describe.each(Object.entries(bodies))("%s", (_, body) => {
  it.each<[Dim3]>([[[64, 1, 1]], [[16, 4, 1]], [[8, 4, 2]], [[7, 9, 1]], [[32, 1, 2]]])("in a block of %j", (block) => {
    expect(seen(body, block, compiled)).toEqual(seen(body, block, javascript));
  });
});
