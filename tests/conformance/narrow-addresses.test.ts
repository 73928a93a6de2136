import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.ts";
import { left, runKernel } from "./on-device.ts";

const all = (body: string, version = "9.0", target = "sm_90") =>
  lint(
    `.version ${version}\n.target ${target}\n.address_size 64\n.global .b32 gv[4]; .const .b32 cv[4];
.entry k(.param .b64 kp) { .reg .b16 h; .reg .b32 r, d; .reg .u32 u; .reg .s32 s; .reg .f32 f; .reg .b64 q;
.shared .b32 sv[4]; .local .b32 lv[4]; ${body} ret; }`,
  );
/** What is said but of registers that the bodies have no need to write (PTX9108). */
const noted = (body: string) => all(body).filter(({ code }) => code !== "PTX9108");
const errors = (...given: Parameters<typeof all>) => all(...given).filter(({ severity }) => severity === "error");

describe("constant memory by an address of 32 bits", () => {
  const module = ".const .align 4 .b32 other = 5; .const .align 16 .b32 cv[4] = {10, 20, 30, 40};";

  it("is what a mov of 32 bits and arithmetic make", () => {
    const body = `mov.u32 %r1, cv; shl.b32 %r2, %lane, 2; add.u32 %r1, %r1, %r2; ld.const.u32 %r3, [%r1];
  st.global.u32 [%at], %r3;`;
    expect(left(body, 4, { module, launch: { block: 4 } })).toEqual([10, 20, 30, 40]);
  });

  it.each([
    ["mov.u32 %r1, cv+8; ld.const.u32 %r3, [%r1];", 30],
    ["mov.b32 %r1, cv; ld.const.u32 %r3, [%r1+4];", 20],
    ["mov.u32 %r1, cv+12; ld.const.u32 %r3, [%r1+-8];", 20],
    ["mov.u32 %r1, cv[3]; ld.const.u32 %r3, [%r1];", 40],
    ["mov.u64 %rd1, cv; cvt.u32.u64 %r1, %rd1; ld.const.u32 %r3, [%r1+4];", 20],
    ["mov.u32 %r1, cv; ld.const.v2.u32 {%r2, %r3}, [%r1+8];", 40],
  ])("%s", (body, expected) => {
    expect(left(`${body} st.global.u32 [%at], %r3;`, 1, { module })).toEqual([expected]);
  });

  it("of 16 bits too", () => {
    const { diagnostic } = runKernel("{ .reg .b16 h; mov.u16 h, 0xfffc; ld.const.u32 %r1, [h]; }", 1, { module });
    // Where constants lie in ptxrun, 16 bits do not reach; but the address is one in constant memory.
    expect(diagnostic?.code).toBe("PTX3002");
    expect(diagnostic?.message).toMatch(/at 0x[0-9a-f]*0000fffc/);
  });

  it("ends where constants end", () => {
    const { diagnostic } = runKernel("mov.u32 %r1, cv+16; ld.const.u32 %r3, [%r1];", 1, { module });
    expect(diagnostic?.code).toBe("PTX3002");
    expect(diagnostic?.message).toContain("cv");
  });
});

describe("a register of less than 64 bits as an address", () => {
  // What ptxas 13.0 takes for all targets and versions.
  it.each([
    ["ld.const.u32 d, [r];"],
    ["ld.const.u32 d, [u+4];"],
    ["ld.const.u32 d, [s+-4];"],
    ["ld.const.u32 d, [h];"],
    ["ld.shared.u32 d, [r];"],
    ["ld.local.u32 d, [r];"],
    ["ld.param.u32 d, [r];"],
    ["ld.shared.u32 d, [h];"],
    ["st.local.u32 [h], d;"],
    ["mov.u32 d, cv;"],
    ["mov.u32 d, cv+4;"],
    ["mov.s32 d, cv+4;"],
    ["mov.u32 d, sv+4;"],
    ["mov.u32 d, lv+4;"],
  ])("is taken: %s", (body) => {
    for (const version of ["2.3", "6.2", "6.3", "9.0"])
      expect(errors(body, version, version === "9.0" ? "sm_90" : "sm_20")).toEqual([]);
  });

  // Of these ptxas makes 32-bit code, before PTX 6.3 only. It takes gv+4 at all times, and cuts it.
  it.each([
    ["ld.global.u32 d, [r];", "PTX1315"],
    ["ld.global.nc.u32 d, [r+4];", "PTX1315"],
    ["ld.u32 d, [r];", "PTX1315"],
    ["st.global.u32 [u], d;", "PTX1315"],
    ["st.u32 [s], d;", "PTX1315"],
    ["atom.global.add.u32 d, [r], 1;", "PTX1315"],
    ["atom.add.u32 d, [r], 1;", "PTX1315"],
    ["red.add.u32 [r], 1;", "PTX1315"],
    ["prefetch.global.L1 [r];", "PTX1315"],
    ["prefetchu.L1 [r];", "PTX1315"],
    ["ld.const.u32 d, [f];", "PTX1315"],
    ["mov.u32 d, gv;", "PTX1302"],
    ["mov.u32 d, gv+4;", "PTX1302"],
    ["mov.u32 d, gv[1];", "PTX1302"],
  ])("is refused: %s", (body, code) => {
    expect(errors(body).map((error) => error.code)).toEqual([code]);
  });

  it("is one of its time before .address_size", () => {
    const text =
      ".version 2.2\n.target sm_20\n.global .b32 gv[4]; .entry k() { .reg .u32 r, d; mov.u32 r, gv; ld.global.u32 d, [r+4]; exit; }";
    expect(lint(text).filter(({ severity }) => severity === "error")).toEqual([]);
  });
});

describe("a register and a constant outside of an address", () => {
  // What ptxas 13.0 takes, and what it does not.
  it.each([
    "mov.u32 d, r+4;",
    "mov.b32 d, u+4;",
    "mov.u64 q, q+8;",
    "mov.s32 d, s+-4;",
    "add.u32 d, r+4, 1;",
    "bar.sync r+1;",
  ])("is taken, with a note: %s", (body) => {
    expect(noted(body).map(({ code, severity }) => [code, severity])).toEqual([["PTX9018", "note"]]);
  });

  it.each([
    ["add.u32 d, r-1, d;", "PTX1101"],
    ["add.u32 d, (r+1), d;", "PTX1312"],
    ["add.u32 d, 1+r, d;", "PTX1111"],
    ["add.u32 d, r*2, d;", "PTX1101"],
    ["add.u32 d, r+d, d;", "PTX1111"],
    ["mov.b64 q, {r+1, d};", "PTX1313"],
    ["add.u32 d, r+1.0, d;", "PTX1608"],
    ["mov.f32 f, f+1;", "PTX1313"], // ptxas crashes on a float, and on a predicate never ends
    ["add.u32 d+1, r, d;", "PTX1313"],
  ])("is refused: %s", (body, code) => expect(errors(body).map((error) => error.code)).toEqual([code]));

  const given = new Uint32Array([7, 0xffff_ffff, 40_000]);
  it.each([
    ["mul.lo.u32 %r4, %r1, %r1+-5;", 14],
    ["add.u32 %r4, %r1+1, %r2+2;", 9],
    ["sub.s32 %r4, %r1, %r1+3-1;", 0xffff_fffe],
    ["add.u32 %r4, %r1, %r1+2*3;", 20],
    ["add.u32 %r4, %r1, %r1+0x100000001;", 15],
    ["setp.eq.u32 %p1, %r2+1, 0; selp.u32 %r4, %r1+1, %r1, %p1;", 8],
    ["setp.eq.u32 %p1, %r2, 0; mov.u32 %r4, %r1; @%p1 mov.u32 %r4, %r1+1;", 7],
    ["bra L; mov.u32 %r1, 0; L: mov.u32 %r4, %r1+1;", 8],
    ["shl.b32 %r4, %r1, %r1+-5;", 28],
    ["neg.s32 %r4, %r1+5;", 0xffff_fff4],
    ["{ .reg .u16 h; cvt.u16.u32 h, %r3; cvt.u32.u16 %r4, h+0xffff; }", 39_999],
    ["{ .reg .u8 b; cvt.u8.u32 b, %r1; cvt.u32.u8 %r4, b+0x101; }", 8],
    ["cvt.u64.u32 %rd1, %r1; mov.u64 %rd2, %rd1+0x123456789; shr.u64 %rd2, %rd2, 32; cvt.u32.u64 %r4, %rd2;", 1],
    ["cvt.u64.u32 %rd1, %r2+1; cvt.u32.u64 %r4, %rd1;", 0],
    ["{ .reg .f32 a; mov.f32 a, %r1+0x3f7ffff9; mov.b32 %r4, a; }", 0x3f80_0000],
  ])("is added in the register's width, before the instruction: %s", (body, expected) => {
    const load = "ld.global.u32 %r1, [%in]; ld.global.u32 %r2, [%in+4]; ld.global.u32 %r3, [%in+8];";
    expect(left(`${load} ${body} st.global.u32 [%at], %r4;`, 1, { given })).toEqual([expected]);
  });
});

describe("a component behind a vector of two", () => {
  // ptxas 13.0 keeps them beside the vector. A mov of one that nothing has written makes it crash.
  it.each(["mov.f32 v.z, f;", "mov.f32 v.w, f;", "add.f32 f, v.z, v.w;", "mov.f32 v.b, f;", "mov.b64 w.w, q;"])(
    "is taken, with a note: %s",
    (body) => {
      const found = noted(`.reg .v2 .f32 v; .reg .v2 .b64 w; ${body}`);
      expect(new Set(found.map(({ code, severity }) => `${code} ${severity}`))).toEqual(new Set(["PTX9017 note"]));
    },
  );

  it("is apart from it", () => {
    const body = `.reg .v2 .b32 v, w; mov.b32 v.x, 1; mov.b32 v.y, 2; mov.b32 v.z, 3; mov.b32 v.w, 4;
      mov.b32 w.x, 5; mov.v2.b32 w, v; mov.b32 w.z, 6; add.u32 %r1, v.z, v.w; add.u32 %r2, w.z, w.y;
      st.global.v2.b32 [%out], v; st.global.v2.b32 [%out+8], {%r1, %r2};`;
    expect(left(body, 4)).toEqual([1, 2, 7, 8]);
  });

  it("is none of another register", () => {
    expect(errors("mov.f32 f, f.z;").map(({ code }) => code)).toEqual(["PTX1308"]);
  });
});
