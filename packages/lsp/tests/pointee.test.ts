import { describe, expect, test } from "vitest";
import { hover } from "../src/hover/hover.ts";
import { header, marked } from "./texts.ts";

const text = `${header()}.global .f32 table[16];
.entry k(.param .u64 x, .param .u64 y, .param .u64 n, .param .u32 m)
{
  .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .f32 %f<8>; .reg .pred %p;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u64 %rd3, [n];
  ld.param.u32 %r7, [m];
  cvta.to.global.u64 %rd4, %rd1;
  mov.u32 %r1, %tid.x;
LOOP:
  mad.wide.u32 %rd5, %r1, 4, %rd4;
  ld.global.v2.f32 {%f1, %f2}, [%rd5];
  shl.b64 %rd6, %rd3, 2;
  add.s64 %rd7, %rd2, %rd6;
  st.f32 [%rd7], %f1;
  add.s64 %rd8, %rd2, %rd3;
  atom.add.f32 %f3, [%rd8+4], %f2;
  mov.u32 %r2, tile;
  shl.b32 %r3, %r1, 2;
  add.s32 %r4, %r3, %r2;
  st.shared.f32 [%r4], %f1;
  ld.shared.u32 %r5, [tile+4];
  ld.global.f32 %f4, [table];
  add.s64 %rd4, %rd4, 8;
  setp.lt.u32 %p, %r1, %r7;
  @%p bra LOOP;
  ret;
}
.func f() { .reg .b64 q; mov.u64 q, table; st.global.u32 [q], 1; ret; }
`;

/** The lines behind the declaration in the hover of a name, where it stands for the first time. */
const said = (name: string) => {
  const { document, offset } = marked(text.replace(name, `${name}|`));
  const found = hover(document, offset)?.text ?? "";
  return found.slice(found.indexOf("line ")).split("\n\n").slice(1);
};

describe("what a name leads to", () => {
  test("of a parameter that holds an address: what is moved there, and where", () => {
    expect(said("u64 x")).toEqual(["points to .v2.f32 in .global", "loaded on line 17"]);
    expect(said("u64 y")).toEqual(["points to .f32 in generic memory", "stored on line 20", "updated on line 22"]);
  });

  test("of a number nothing, though an address is made of it", () => {
    expect(said("u64 n")).toEqual([]);
    expect(said("u32 m")).toEqual([]);
  });

  test("of a variable, in each body that names it", () => {
    expect(said("tile")).toEqual(["256 bytes", "loaded as .u32 on line 27", "stored as .f32 on line 26"]);
    expect(said("table")).toEqual(["64 bytes", "loaded as .f32 on line 28", "stored as .u32 on line 34"]);
  });

  test("of a register that nobody declared: how it is declared, and what its bits are", () => {
    const { document, offset } = marked("add.bf16 d|, a, b;");
    expect(hover(document, offset)?.text).toContain("```ptx\n.reg .b16 d\n```\n\ninferred from its uses, as .bf16");
  });
});
