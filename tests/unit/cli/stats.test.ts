import { afterAll, describe, expect, it } from "vitest";
import type { Stats } from "../../../src/host/stats/stats.ts";
import { twice, World } from "./world.ts";

const kernel = (body: string): string => `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x)
{
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  .shared .align 16 .b32 s[128];
  .local .align 8 .b32 l[4];
  mov.u32 %r1, %tid.x;
${body}
  ret;
}
`;
const world = new World()
  .write("twice.ptx", twice)
  .write(
    "meeting.ptx",
    kernel(`
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra even;
  mov.u32 %r2, 7;
  bra.uni both;
even:
  mov.u32 %r2, 5;
both:
  shfl.sync.idx.b32 %r3, %r2, 1, 31, 3;
  @!%p1 add.u32 %r3, %r3, 1;
  bar.sync 0;`),
  )
  .write(
    "ways.ptx",
    kernel(`
  and.b32 %r2, %r1, 1;
  ways: .branchtargets even, odd;
  brx.idx %r2, ways;
even:
  mov.u32 %r3, 0;
odd:`),
  )
  .write(
    "banks.ptx",
    kernel(`
  shl.b32 %r2, %r1, 3;
  mov.u32 %r3, s;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  cvta.shared.u64 %rd1, 0;
  cvt.u64.u32 %rd2, %r3;
  add.u64 %rd1, %rd1, %rd2;
  ld.u32 %r4, [%rd1];
  st.local.u32 [l], %r4;
  ld.param.u64 %rd3, [x];
  red.global.add.u32 [%rd3], 1;
  mul.lo.u32 %r5, %r1, 64;
  cvt.u64.u32 %rd4, %r5;
  add.u64 %rd4, %rd4, %rd3;
  st.global.u32 [%rd4+64], %r1;`),
  )
  .write(
    "calls.ptx",
    `.version 8.0
.target sm_80
.func (.reg .b32 o) next(.reg .b32 i) { add.u32 o, i, 1; ret; }
.entry k() { .reg .b32 a; mov.u32 a, %tid.x; call (a), next, (a); call (a), next, (a); ret; }
`,
  );
afterAll(() => world.remove());

async function stats(...argv: string[]): Promise<Stats> {
  const { exit, out } = await world.ptxrun([...argv, "--stats", "--json", "-d", "none"]);
  expect(exit).toBe(0);
  return JSON.parse(out).stats;
}
const two = ["twice.ptx", "--block", "2", "-a", "x=f32x2:1,3", "-a", "y=f32x2", "-a", "n=2"];
const row = (found: Stats, space: string, kind: string) =>
  found.memory.find((each) => each.space === space && each.kind === kind);

describe("the numbers of a run", () => {
  it("count instructions of warps and of threads, guards included", async () => {
    const { instructions, lanes, opcodes, branches } = await stats(...two);
    expect(instructions).toEqual({ warp: 13, thread: 24 });
    expect(lanes).toEqual({ active: 26, taken: 24, all: 13 * 32 });
    expect(opcodes.slice(0, 3)).toEqual([
      { opcode: "add.s64", warp: 2, thread: 4 },
      { opcode: "ld.param.u64", warp: 2, thread: 4 },
      { opcode: "ret", warp: 2, thread: 2 },
    ]);
    expect(branches).toEqual({ warp: 0, divergent: 0 });
  });

  it("are of all warps and blocks", async () => {
    const argv = ["twice.ptx", "--grid", "3", "--block", "40", "-a", "x=f32x40:iota", "-a", "y=f32x40", "-a", "n=40"];
    const found = await stats(...argv);
    expect(found.instructions.warp).toBe(3 * 2 * 13);
    // The second warp of a block has 8 lanes.
    expect(found.lanes.active).toBe(3 * (32 + 8) * 13);
    expect(row(found, "global", "store")).toEqual({
      space: "global",
      kind: "store",
      requests: 6,
      accesses: 120,
      bytes: 480,
      sectors: 3 * 5,
      fewest: 3 * 5,
    });
  });

  it("tell divergent branches, exchanges, barriers and calls", async () => {
    const found = await stats("meeting.ptx", "--block", "2");
    expect(found.branches).toEqual({ warp: 2, divergent: 1 });
    expect(found.exchanges).toEqual({ warp: 1, thread: 2 });
    expect(found.barriers).toEqual({ warp: 1, completed: 1 });
    expect((await stats("meeting.ptx", "--block", "1")).branches).toEqual({ warp: 1, divergent: 0 });
    expect((await stats("ways.ptx", "--block", "1")).branches).toEqual({ warp: 1, divergent: 0 });
    expect((await stats("ways.ptx", "--block", "2")).branches).toEqual({ warp: 1, divergent: 1 });
    expect((await stats("calls.ptx", "--block", "8")).calls).toEqual({ warp: 2, thread: 16 });
  });

  it("tell transactions, conflicts of banks and atomics", async () => {
    const found = await stats("banks.ptx", "--block", "32", "-a", "x=u32x1024:fill=0");
    // Every second word: two lanes for each bank, of the store and of the generic load.
    expect(found.banks).toEqual({ parts: 2, passes: 4, conflicts: 2 });
    expect(row(found, "shared", "load")).toMatchObject({ requests: 1, accesses: 32, bytes: 128 });
    expect(row(found, "local", "store")).toMatchObject({ sectors: 4, fewest: 4 });
    expect(row(found, "global", "store")).toMatchObject({ sectors: 32, fewest: 4 });
    expect(row(found, "global", "atomic")).toMatchObject({ requests: 1, accesses: 32, sectors: 1, fewest: 1 });
    expect(found.atomics).toEqual({ warp: 1, thread: 32 });
  });

  it("end where a fault ends the run", async () => {
    const { exit, out } = await world.ptxrun(["-e", "mov.u32 a, 1; trap;", "--stats", "--json"]);
    expect(exit).toBe(4);
    expect(JSON.parse(out).stats.instructions).toEqual({ warp: 2, thread: 2 });
  });

  it("are absent unless asked for", async () => {
    expect(JSON.parse((await world.ptxrun([...two, "--json"])).out)).not.toHaveProperty("stats");
  });
});

describe("the numbers as text", () => {
  it("go to the error stream, so that the dump stays as it is", async () => {
    const plain = await world.ptxrun(two);
    const { exit, out, err } = await world.ptxrun([...two, "--stats"]);
    expect([exit, out]).toEqual([0, plain.out]);
    expect(err.split("\n").slice(0, 8)).toEqual([
      "instructions  13 of warps, 24 of threads",
      "lanes         6.2% active, 5.7% past their guards",
      "branches      0, 0 of them divergent",
      "",
      "opcode         warps  threads",
      `add.s64            2        4  ${"#".repeat(30)}`,
      `ld.param.u64       2        4  ${"#".repeat(30)}`,
      `ret                2        2  ${"#".repeat(30)}`,
    ]);
    expect(err).toContain(`global store         1         2      8        1     100.0%  ${"#".repeat(30)}\n`);
    expect(err).toContain("param load           3         6     40\n");
  });
});
