import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { twice, World } from "./world.ts";

const parted = `.version 8.0
.target sm_80
.address_size 64
.file 1 "far/parted.cu"
.visible .entry k(.param .u64 x, .param .f32 by)
{
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
  .shared .align 4 .b32 tile[64];
  .loc 1 2 1
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [x];
  mul.wide.u32 %rd2, %r1, 8;
  add.u64 %rd2, %rd1, %rd2;
  setp.lt.u32 %p1, %r1, 5;
  @%p1 bra few;
  .loc 1 3 1
  ld.global.v2.f32 {%r2, %r3}, [%rd2];
  ld.param.b32 %r4, [by];
  fma.rn.f32 %r5, %r2, %r4, %r3;
  shl.b32 %r6, %r1, 2;
  st.shared.b32 [%r6+4], %r5;
  and.b32 %r7, %r1, 0x4;
few:
  ret;
}
`;
/** Lanes that meet at two places. */
const apart = `.reg .pred %p; .reg .b32 %r<3>;
mov.u32 %r1, %tid.x;
setp.lt.u32 %p, %r1, 1;
@%p bra FEW;
shfl.sync.idx.b32 %r2, %r1, 0, 31, 3;
bra DONE;
FEW: shfl.sync.idx.b32 %r2, %r1, 1, 31, 3;
DONE: exit;`;
const printing = `.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[] = {104, 105, 10, 27, 91, 10, 0};
.visible .entry says()
{
  .reg .b64 %rd<3>;
  mov.u64 %rd1, text;
  cvta.global.u64 %rd2, %rd1;
  { .param .b64 f; .param .b64 v; .param .b32 r;
    st.param.b64 [f], %rd2; st.param.b64 [v], 0;
    call.uni (r), vprintf, (f, v); }
  ret;
}
`;
const world = new World()
  .write("twice.ptx", twice)
  .write("says.ptx", printing)
  .write("parted.ptx", parted)
  .write("parted.cu", "// nothing\nint lane = threadIdx.x;\n  use(x[lane]);\n");
afterAll(() => world.remove());

const trace = async (...argv: string[]): Promise<string> => {
  const { exit, out } = await world.ptxrun(["trace", "--text", ...argv]);
  expect(exit).toBe(0);
  return out;
};
const eight = ["parted.ptx", "--block", "8", "-a", "x=f32x16:iota", "-a", "by=0.5"];
/** What stands below the head of the first instruction that has this in its text. */
const below = (text: string, word: string): string[] => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes(word));
  const end = lines.findIndex((line, index) => index > at && !line.startsWith("    "));
  return lines.slice(at + 1, end).map((line) => line.trim());
};

describe("a trace for people", () => {
  it("has the types that instructions take, whatever registers are declared as", async () => {
    const text = await trace(...eight);
    expect(below(text, "fma.rn.f32")).toEqual([
      "%r2 = 10.0, 12.0, 14.0",
      "%r4 = 0.5",
      "%r3 = 11.0, 13.0, 15.0",
      "-> %r5 = 16.0, 19.0, 22.0",
    ]);
  });

  it("has the carry flag that lanes read, and what they set", async () => {
    world.write("carry.ptx", ".reg .b32 t, a, b;\nmov.u32 t, %tid.x;\nadd.cc.u32 a, t, -2;\naddc.u32 b, t, 0;\n");
    const text = await trace("carry.ptx", "--block", "4");
    expect(below(text, "add.cc.u32")).toContain("-> cc.cf = 0-1: false, 2-3: true");
    expect(below(text, "addc.u32")).toEqual(["t = 0, 1 .. 3", "cc.cf = 0-1: false, 2-3: true", "-> b = 0, 1, 3, 4"]);
  });

  it("names buffers and variables, and how far behind their start an access is", async () => {
    const text = await trace(...eight);
    expect(below(text, "add.u64 %rd2")).toEqual(["%rd1 = x+0", "%rd2 = 0, 8 .. 56", "-> %rd2 = x+0, +8 .. +56"]);
    expect(below(text, "ld.global.v2")).toEqual([
      "loads 8 bytes at x+40, +48, +56 (global)",
      "-> %r2 = 10.0, 12.0, 14.0",
      "-> %r3 = 11.0, 13.0, 15.0",
    ]);
    expect(below(text, "st.shared")).toEqual([
      "%r5 = 16.0, 19.0, 22.0",
      "stores 4 bytes at tile+24, +28, +32 (shared)",
    ]);
    expect(below(text, "ld.param.b32")[0]).toBe("loads 4 bytes at by+0 (param)");
  });

  it("says which lanes go where, and folds lanes with one value", async () => {
    const text = await trace(...eight);
    expect(text).toContain("5  block 0 warp 0  line 15  @%p1 bra few;  lanes 0-4 of 0-7\n");
    expect(below(text, "setp.lt.u32")).toEqual(["%r1 = 0, 1 .. 7", "-> %p1 = 0-4: true, 5-7: false"]);
    expect(text).toMatch(/ld\.global\.v2\.f32 \{%r2, %r3\}, \[%rd2\]; {2}lanes 5-7\n/);
  });

  it("says who waits for others", async () => {
    const text = await trace("-e", apart, "--block", "2");
    expect(below(text, "%r2, %r1, 0")).toEqual(["%r1 = 1", "-> %r2 when the others have come"]);
    expect(below(text, "%r2, %r1, 1")).toEqual(["%r1 = 0", "-> %r2 = 1"]);
  });

  it("has the lines that instructions were compiled from, once for each piece", async () => {
    const text = await trace(...eight);
    expect(text.match(/^parted\.cu:.*$/gm)).toEqual([
      "parted.cu:2  int lane = threadIdx.x;",
      "parted.cu:3  use(x[lane]);",
    ]);
  });

  it("begins with the kernel, and ends with how the run did", async () => {
    const text = await trace(...eight);
    expect(text.startsWith("k of parted.ptx\n")).toBe(true);
    expect(text).toMatch(
      /\n\d+ {2}block 0 warp 0 {2}line \d+ {2}ret; {2}lanes 0-7\nexit after \d+ warp instructions\n$/,
    );
    expect(await trace("-e", "not.b32 a, b;", "-r", "b=0")).toMatch(/line 1 {2}\(exit\) {2}lanes 0\nexit/);
    const { exit, out, err } = await world.ptxrun(["trace", "--text", "-e", "mov.u32 a, 70000; trap;"]);
    expect(exit).toBe(4);
    expect(out).toMatch(/-> a = 70000\n.*trap; {2}lanes 0 {2}ended the run\ntrap PTX3004 after 1 warp instructions\n$/);
    expect(err).toContain("error PTX3004");
  });

  it("shows what is printed, without what moves a cursor", async () => {
    const text = await trace("says.ptx");
    expect(text).toContain("\nprints  hi\n        \\x1b[\n");
  });

  it("takes the filters of a trace", async () => {
    const argv = ["twice.ptx", "--block", "40", "-a", "x=f32x40:iota", "-a", "y=f32x40", "-a", "n=40"];
    const text = await trace(...argv, "--opcode", "st.global.f32", "--limit", "1");
    expect(text.match(/block/g)).toHaveLength(1);
    expect(text).toContain("stores 4 bytes at y+0, +4 .. +124 (global)");
    expect(text).toMatch(/= 0\.0, 2\.0, 4\.0, 6\.0, 8\.0, 10\.0, 12\.0, 14\.0, and 24 more\n/);
    expect(text).toMatch(/\nlimit after \d+ warp instructions\n$/);
    expect(await trace(...argv, "--opcode", "st.global.f32", "--thread", "0/33")).toMatch(/= 66\.0\n/);
  });

  it("goes to a file", async () => {
    const { out } = await world.ptxrun(["trace", "--text", "-o", "kept", ...eight]);
    expect(out).toBe("");
    expect(readFileSync(join(world.folder, "kept"), "utf8")).toBe(await trace(...eight));
  });
});
