import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const module = (body: string) => `.version 8.0
.target sm_90
.address_size 64
.file 1 "collatz.cu"
.const .align 4 .b32 fixed[4] = {1, 2, 3, 4};
.visible .entry k(.param .u64 a)
{
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<3>;
  .shared .align 16 .b32 tile[8];
  .local .align 4 .b32 own[4];
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, 5;
  mov.u64 %rd3, 0;
  .loc 1 12 7
  ${body}
  ret;
}
`;

const world = new World();
afterAll(() => world.remove());
const run = (body: string, ...argv: string[]) =>
  world.ptxrun(["-", "-d", "none", "-a", "a=u32x4:iota", ...argv], { stdin: module(body) });
const headline = (err: string) => err.split("\n").filter((line) => /^(error|warning|note) /.test(line));

describe("a fault says what was touched, how far off it is, and who did it", () => {
  it.each([
    [
      "ld.global.u32 %r2, [%rd1+16];",
      "PTX3002: ld.global.u32 reads 4 bytes at ADDRESS, just past the end of a (16 bytes)",
    ],
    [
      "add.u64 %rd2, %rd1, -4; st.global.u32 [%rd2], %r1;",
      "PTX3002: st.global.u32 writes 4 bytes at ADDRESS, 4 bytes before a (16 bytes)",
    ],
    [
      "ld.global.u32 %r2, [%rd1+100];",
      "PTX3002: ld.global.u32 reads 4 bytes at ADDRESS, 84 bytes past the end of a (16 bytes)",
    ],
    [
      "ld.global.u32 %r2, [%rd1+2];",
      "PTX3001: ld.global.u32 reads 4 bytes at ADDRESS, which is not a multiple of 4: 2 bytes into a (16 bytes)",
    ],
    ["ld.global.u32 %r2, [%rd3];", "PTX3002: ld.global.u32 reads 4 bytes at ADDRESS, which is a null pointer"],
    [
      "ld.u32 %r2, [%rd3+8];",
      "PTX3002: ld.u32 reads 4 bytes at ADDRESS, 8 bytes past a null pointer, or an address of shared memory that cvta.shared has not made generic",
    ],
    [
      "cvt.u32.u64 %r3, %rd1; cvt.u64.u32 %rd2, %r3; ld.u32 %r2, [%rd2];",
      "PTX3002: ld.u32 reads 4 bytes at ADDRESS, which looks like an address of a (16 bytes) cut to 32 bits",
    ],
    [
      "mov.u64 %rd2, fixed; st.u32 [%rd2+4], %r1;",
      "PTX3003: st.u32 writes 4 bytes at ADDRESS, which is read-only: 4 bytes into fixed (16 bytes)",
    ],
    [
      "st.shared.u32 [tile+32], %r1;",
      "PTX3002: st.shared.u32 writes 4 bytes at ADDRESS, just past the end of shared memory (32 bytes), after tile (32 bytes)",
    ],
    // As many bytes as the instruction says: from a place in shared memory beyond its end.
    [
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 64, [tile+16];",
      "PTX3002: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes writes 64 bytes at ADDRESS, 32 bytes of them past the end of shared memory (32 bytes), after tile (32 bytes)",
    ],
    [
      "mov.u32 %r3, tile; add.u32 %r3, %r3, -4; ld.shared.u32 %r2, [%r3];",
      "PTX3002: ld.shared.u32 reads 4 bytes at ADDRESS, 4 bytes before shared memory (32 bytes)",
    ],
    [
      "st.local.u32 [own+40], %r1;",
      "PTX3002: st.local.u32 writes 4 bytes at ADDRESS, 24 bytes past the end of local memory (16 bytes), after own (16 bytes)",
    ],
    [
      "mov.u64 %rd2, tile; cvta.shared.u64 %rd2, %rd2; st.global.u32 [%rd2], %r1;",
      "PTX3002: st.global.u32 writes 4 bytes at ADDRESS, which is an address of shared memory, not of global memory",
    ],
    [
      "mov.u64 %rd2, 0x1234567812345678; st.u32 [%rd2], %r1;",
      "PTX3002: st.u32 writes 4 bytes at ADDRESS, which is outside every allocation",
    ],
    [
      "mov.u64 %rd2, a; ld.param.u64 %rd2, [%rd2+8];",
      "PTX3002: ld.param.u64 reads 8 bytes at ADDRESS, just past the end of the parameters (8 bytes)",
    ],
    ["trap;", "PTX3004: trap stops the launch"],
  ])("%s", async (body, expected) => {
    const { exit, err } = await run(body);
    expect(exit).toBe(4);
    expect(headline(err).map((line) => line.replace(/at 0x[0-9a-f]+/, "at ADDRESS"))).toEqual([
      `error ${expected}, in thread (0,0,0) of block (0,0,0)`,
    ]);
    expect(err).toContain("= help: compiled from collatz.cu:12:7\n");
  });

  it("and names the thread and the block by their three indices", async () => {
    const body = "mov.u32 %r3, %tid.z; setp.eq.u32 %p1, %r3, 2; @%p1 trap;";
    const { err } = await run(body, "--block", "5,2,3", "--grid", "2,2");
    expect(headline(err)).toEqual(["error PTX3004: trap stops the launch, in thread (0,0,2) of block (0,0,0)"]);
  });
});

describe("other ends", () => {
  it("a read of what nothing has written is found, and the run goes on", async () => {
    const { exit, out, err } = await run(
      "ld.shared.u32 %r2, [tile+8]; add.u32 %r2, %r2, 1;",
      ...["-d", "%r2", "--block", "64"],
    );
    expect(exit).toBe(7);
    expect(headline(err)).toEqual([
      "error PTX4001: ld.shared.u32 reads 4 bytes at 0x8, which nothing has written: 8 bytes into tile (32 bytes), in thread (0,0,0) of block (0,0,0)",
    ]);
    expect(out).toBe("%r2  b32  0x00000001  1\n");
  });

  it.each(["mov.u32 %r2, tile[%r1];", "mov.u64 %rd2, tile[%r1];"])(
    "%s is a gap where a thread meets it",
    async (text) => {
      const { exit, err } = await run(text);
      expect(exit).toBe(5);
      expect(err).toContain(`error PTX5001: ${text.split(" ")[0]} is not implemented yet`);
      expect(err).toContain(`15 |   ${text}`);
      expect(err).toContain("help: to test the rest, comment this instruction out and give what it writes with -r");
      const missed = await run(`setp.eq.u32 %p1, %r1, 6; @%p1 ${text} bra L; ${text} L:`);
      expect(missed.exit).toBe(0);
    },
  );

  it("a gap ends a snippet with exit 5 also when the registers that only it names are given", async () => {
    const text = "mov.b32 d, t[a];";
    const declared = `.reg .b32 d, a; .shared .b32 t[4]; ${text}`;
    const given = await world.ptxrun(["-e", declared, "-r", "a=3"]);
    expect(given.exit).toBe(5);
    expect(given.err).toContain(`error PTX5001: ${text.split(" ")[0]} is not implemented yet`);
    const wrong = await world.ptxrun(["-e", declared, "-r", "e=3"]);
    expect([wrong.exit, headline(wrong.err)]).toEqual([2, ["error PTX2201: the program uses no register e"]]);
  });

  it("one note names the registers of a module that are read before they are written", async () => {
    const { exit, err } = await run("add.u32 %r4, %r2, %r3; add.u32 %r5, %r2, %r3;");
    expect(exit).toBe(0);
    expect(headline(err)).toEqual(["note PTX2205: %r2 and %r3 are 0, because nothing writes them before"]);
    const given = await run("add.u32 %r4, %r2, %r3;", "-r", "r2=1", "-r", "%r3=1");
    expect(given.err).toBe("");
  });

  it("a carry flag that nothing has set draws a warning, unless it is given", async () => {
    const { exit, err } = await run("addc.u32 %r4, %r1, 1;");
    expect(exit).toBe(0);
    expect(headline(err)).toEqual(["warning PTX9004: the carry flag is read here, and nothing has set it; it is 0"]);
    const given = await run("addc.u32 %r4, %r1, 1;", "-r", "cc.cf=1", "-d", "%r4");
    expect(given).toEqual({ exit: 0, out: "%r4  b32  0x00000007  7\n", err: "" });
  });
});
