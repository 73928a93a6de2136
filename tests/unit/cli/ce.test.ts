import { afterAll, describe, expect, it } from "vitest";
import { looking, twice, World } from "./world.ts";

const head = ".version 8.0\n.target sm_80\n.address_size 64\n";

// What nvcc -lineinfo makes of: s[t] = d[t]; d[t] = s[63 - t]; the load is in a function of a header that was inlined.
const reverse = `${head}.visible .entry _Z7reversePi(.param .u64 _Z7reversePi_param_0)
{
  .reg .b32 %r<11>; .reg .b64 %rd<5>;
  .shared .align 4 .b8 _ZZ7reversePiE1s[256];
  .loc 1 3 5
  ld.param.u64 %rd1, [_Z7reversePi_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  .loc 1 4 5
  mul.wide.s32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, _ZZ7reversePiE1s;
  add.s32 %r5, %r4, %r3;
  st.shared.u32 [%r5], %r2;
  .loc 1 5 0
  .loc 2 80 3, function_name F, inlined_at 1 5 0
  mov.u32 %r6, 63;
  sub.s32 %r7, %r6, %r1;
  shl.b32 %r8, %r7, 2;
  add.s32 %r9, %r4, %r8;
  ld.shared.u32 %r10, [%r9];
  st.global.u32 [%rd4], %r10;
  ret;
}
.file 1 "/app/example.cu"
.file 2 "/usr/include/race.h"
.section .debug_str { F: .b8 97, 0 }
`;

/** A kernel that doubles as many elements as \`cmp\` lets it, and prints as many times as it has threads. */
const guarded = (name: string, compare: string): string => `.visible .entry ${name}(.param .u64 x, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r<5>; .reg .f32 %f; .reg .b64 %rd<3>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r1, %r1, %r2, %r3;
  ld.param.u32 %r4, [n];
  setp.${compare}.s32 %p, %r1, %r4;
  @%p ret;
  ld.param.u64 %rd1, [x];
  mul.wide.s32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.f32 %f, [%rd1];
  add.f32 %f, %f, %f;
  st.global.f32 [%rd1], %f;
  ret;
}
`;

const hello = `${head}.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 text[8] = {120, 58, 49, 50, 27, 33, 10, 0};
.visible .entry hello()
{
  .reg .b64 %a; .reg .b32 %t, %r;
  mov.u32 %t, %tid.x;
  mov.u64 %a, text;
  { .param .b64 f; .param .b64 v; .param .b32 d;
    st.param.b64 [f], %a; st.param.b64 [v], 0;
    call.uni (d), vprintf, (f, v); ld.param.b32 %r, [d]; }
  ret;
}
`;

const world = new World().write("k.ptx", head + guarded("k", "ge"));
afterAll(() => world.remove());

const ce = async (stdin: string, words: readonly string[] = [], more: object = {}) => {
  const { exit, out, err } = await world.ptxrun(["ce", ...words], { stdin, now: looking(0), ...more });
  expect(err).toBe("");
  return { exit, lines: out.split("\n").slice(0, -1) };
};

describe("ce", () => {
  it("shows the launch in the options that change it, and what buffers held and hold", async () => {
    const given = ["--block", "4", "-a", "x=f32x9:1,2,3,4,5,6,7,8,9", "-a", "n=9"];
    expect(await ce(twice, given)).toEqual({
      exit: 0,
      lines: [
        "twice --grid 1 --block 4",
        "  -a 0=f32x9:1,2,3,4,5,6,7,8,9",
        "        1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 ...",
        "  -a 1=f32x4",
        "     -> 2.0 4.0 6.0 8.0",
        "  -a 2=9",
        "  nothing wrong was found",
      ],
    });
    // Far from the beginning: where it begins to differ.
    const late = ["--block", "1", "--grid", "1", "-a", "x=f32x12:fill=0", "-a", "n=12"];
    const text = (head + guarded("k", "ge")).replace("mov.u32 %r1, %ctaid.x;", "mov.u32 %r1, 10;");
    const moved = text.replace("add.f32 %f, %f, %f;", "mov.f32 %f, 0f3F800000;");
    expect((await ce(moved, late)).lines.slice(2, 4)).toEqual(["        [10] 0.0 0.0", "     -> [10] 1.0 0.0"]);
  });

  it("gives problems at the lines of what was compiled, headers at the line that calls them", async () => {
    const { exit, lines } = await ce(reverse, ["--source", "/tmp/x/example.cu"]);
    expect(exit).toBe(7);
    expect(lines[0]).toBe("reverse(int*) --grid 1 --block 64");
    expect(lines.slice(4)).toEqual([
      expect.stringMatching(/^\/tmp\/x\/example\.cu:5: error PTX4001: ld\.shared\.u32 reads 4 bytes at 0xfc, /),
      "/tmp/x/example.cu:4:5: note: thread (63,0,0) of block (0,0,0) writes it later, and there is no barrier between them",
      "/tmp/x/example.cu:4:5: error PTX4002: thread (32,0,0) of block (0,0,0) writes shared reverse(int*)::s[32] on line 4 while thread (31,0,0) reads it on line 5: no barrier orders them",
      "/tmp/x/example.cu:5: note: thread (31,0,0) of block (0,0,0) reads it",
      expect.stringMatching(/^ {4}help: they are in two warps of one block: put bar\.sync 0 between them/),
    ]);
  });

  it("says how to get lines where there are none, and has those of the output", async () => {
    const { lines } = await ce(reverse.replace("example.cu", "other.cu"), ["--source", "example.cu"]);
    expect(lines[4]).toMatch(/^output line 26: error PTX4001: /);
    expect(lines[5]).toMatch(/^output line 19: error PTX4002: .* on output line 19 while .* on output line 26: /);
    expect(lines.at(-1)).toMatch(/help: -lineinfo of nvcc, .* gives lines of example\.cu$/);
    // PTX that somebody writes is the source itself.
    expect((await ce(reverse)).lines[4]).toMatch(/^<stdin>:26:3: error PTX4001: /);
    const wrong = await ce("", [world.write("w.ptx", `${head}.entry k() { add.rz.u32 %r1, 1, 1; }`) && "w.ptx"]);
    expect([wrong.exit, wrong.lines[0]]).toEqual([3, expect.stringMatching(/^w\.ptx:4:\d+: error PTX1203: /)]);
  });

  it("tries a size that is a multiple of nothing, and all kernels", async () => {
    const { exit, lines } = await ce(head + guarded("right", "ge") + guarded("wrong", "gt"));
    expect(exit).toBe(4);
    expect(lines.filter((line) => / --grid |wrong was|error/.test(line))).toEqual([
      "right --grid 2 --block 64",
      "  nothing wrong was found",
      "wrong --grid 2 --block 64",
      expect.stringMatching(
        /^<stdin>:\d+:3: error PTX3002: ld\.global\.f32 reads 4 bytes at .*, just past the end of x /,
      ),
    ]);
    // Code that was not optimised compares what it has put on its stack.
    const spilled = guarded("spilled", "gt")
      .replace("{", "{ .local .b32 m; .reg .b32 %s;")
      .replace("ld.param.u32 %r4, [n];", "ld.param.u32 %s, [n]; st.local.u32 [m], %s; ld.local.u32 %r4, [m];");
    expect((await ce(head + spilled)).exit).toBe(4);
    const one = await ce(head + guarded("right", "ge") + guarded("wrong", "gt"), ["--entry", "right"]);
    expect([one.exit, one.lines[0]]).toEqual([0, "right --grid 2 --block 64"]);
  });

  it("says what a launch cannot have, where that is what went wrong", async () => {
    const text = `${head}.visible .entry k(.param .b8 v[16]) { .reg .b64 %a; .reg .b32 %r;
      ld.param.u64 %a, [v]; ld.global.u32 %r, [%a]; ret; }\n`;
    const { exit, lines } = await ce(text);
    expect([exit, lines.at(-1)]).toEqual([
      4,
      expect.stringMatching(/^ {4}help: pointers in structures, .* not inferred/),
    ]);
  });

  it("takes the first guess of a compare-and-swap for no race", async () => {
    const text = `${head}.visible .entry k(.param .u64 x) { .reg .pred %p; .reg .b32 %o, %n, %e; .reg .b64 %a;
      ld.param.u64 %a, [x]; ld.global.u32 %o, [%a];
      L: mov.u32 %e, %o; add.u32 %n, %e, 1; atom.global.cas.b32 %o, [%a], %e, %n;
      setp.ne.u32 %p, %o, %e; @%p bra L; ret; }\n`;
    expect((await ce(text)).lines).toEqual([
      "k --grid 1 --block 64",
      "  -a 0=u32x1:fill=0",
      "         0",
      "     -> 64",
      "  nothing wrong was found",
    ]);
  });

  it("bounds what is printed, and takes none of it for a place", async () => {
    const { lines } = await ce(hello, ["--block", "64"]);
    expect(lines.slice(1, 3)).toEqual(["  | x:12\\x1b!", "  | x:12\\x1b!"]);
    expect(lines.at(-2)).toBe("  | ... 48 more lines");
  });

  it("has an end: steps, and time for all kernels together", async () => {
    const loop = `${head}.visible .entry k() { L: bra L; }`;
    const steps = await ce(loop, ["--max-steps", "1000"]);
    expect([steps.exit, steps.lines.at(1)]).toEqual([6, expect.stringMatching(/^<stdin>:4:\d+: error PTX6001: /)]);
    const { exit, lines } = await ce(head + guarded("a", "ge") + guarded("b", "ge"), ["--timeout", "1ms"], {
      now: looking(50),
    });
    expect([exit, lines[0]]).toEqual([6, expect.stringMatching(/^error PTX6101: /)]);
  });

  it("says what a compiler's output is, if not PTX with a kernel", async () => {
    const first = async (text: string) => {
      const { exit, lines } = await ce(text, ["--source", "e.cu"]);
      return [exit, lines[0]];
    };
    expect(await first("\t.text\nf:\n\tmovl\t%edi, %eax\n")).toEqual([
      3,
      "output line 3: error PTX1122: this looks like assembly of a processor",
    ]);
    expect(await first("        /*0000*/                   MOV R1, c[0x0][0x28] ;\n")).toEqual([
      3,
      "output line 1: error PTX1122: this looks like SASS, the machine code of a GPU",
    ]);
    expect(await first("")).toEqual([2, "error PTX2002: <stdin> holds no instruction"]);
    expect(await first("add.u32 d, a, b;")).toEqual([2, "error PTX2002: <stdin> is not a PTX module"]);
    expect(await first(`${head}.func f() { ret; }`)).toEqual([2, "error PTX2204: <stdin> has no kernel"]);
  });

  it("reads no file for a user of the page", async () => {
    const { exit, lines } = await ce("", ["k.ptx", "-a", "x=@k.ptx"]);
    expect([exit, lines]).toEqual([2, ["error PTX2011: cannot read k.ptx: there are no files here"]]);
  });
});
