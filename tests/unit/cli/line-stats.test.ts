import { afterAll, beforeAll, describe, expect, it } from "vitest";
import schema from "../../../schema/run-1.json" with { type: "json" };
import type { LineCount } from "../../../src/host/stats/line-counts.ts";
import type { Stats } from "../../../src/host/stats/stats.ts";
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

/**
 * Each access by its own line, with a number as its mark; what it takes is worked out by hand in the tests. `x` is global
 * memory that begins at a multiple of 256, `s` shared memory that does so, and %r1 the lane.
 */
const accesses = `.version 8.0
.target sm_80
.address_size 64
.file 1 "deep/accesses.cu"
.visible .entry k(.param .u64 x)
{
  .reg .pred %p<3>; .reg .b32 %r<20>; .reg .b64 %rd<8>; .reg .f32 %f<5>;
  .shared .align 256 .b8 s[8192];
  .loc 1 3 1
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [x];
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %rd1, %rd2;
  mul.wide.u32 %rd3, %r1, 8;
  add.u64 %rd3, %rd1, %rd3;
  mul.wide.u32 %rd4, %r1, 16;
  add.u64 %rd4, %rd1, %rd4;
  mul.wide.u32 %rd5, %r1, 128;
  add.u64 %rd5, %rd1, %rd5;
  mov.u32 %r2, s;
  mad.lo.u32 %r3, %r1, 4, %r2;
  mad.lo.u32 %r4, %r1, 8, %r2;
  mad.lo.u32 %r5, %r1, 16, %r2;
  mad.lo.u32 %r6, %r1, 128, %r2;
  mad.lo.u32 %r7, %r1, 132, %r2;
  setp.lt.u32 %p1, %r1, 5;
  .loc 1 7 1
  ld.global.u32 %r10, [%rd2]; // stride 1
  ld.global.u32 %r10, [%rd3]; // stride 2
  ld.global.u32 %r10, [%rd5]; // stride 32
  ld.global.u32 %r10, [%rd2+4]; // from 4 on
  ld.global.u32 %r10, [%rd1]; // one word
  ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd4]; // v4
  @%p1 ld.global.u32 %r10, [%rd2]; // five lanes
  red.global.add.u32 [%rd1+64], 1; // red at one place
  .loc 1 9 1
  st.shared.u32 [%r3], %r1; // bank stride 1
  st.shared.u32 [%r4], %r1; // bank stride 2
  st.shared.u32 [%r6], %r1; // bank stride 32
  st.shared.u32 [%r7], %r1; // a column more
  ld.shared.u32 %r10, [%r2]; // broadcast
  st.shared.v2.u32 [%r4], {%r1, %r1}; // 8 bytes
  st.shared.v4.u32 [%r5], {%r1, %r1, %r1, %r1}; // 16 bytes
  st.shared.u8 [%r3], %r1; // bytes
  atom.shared.add.u32 %r10, [%r2], 1; // atom at one place
  bar.sync 0; // meet
  .loc 1 12 1
  @%p1 bra low; // apart
  mov.u32 %r14, 1;
low:
  ret;
}
`;
const world = new World().write("accesses.ptx", accesses);
afterAll(() => world.remove());

const argv = ["accesses.ptx", "--block", "32", "-a", "x=u32x1100:fill=0", "-d", "none", "--stats"];
let json: { readonly stats: Stats };
beforeAll(async () => {
  const { exit, out } = await world.ptxrun([...argv, "--json"]);
  expect(exit).toBe(0);
  json = JSON.parse(out);
});
const line = (mark: string): LineCount => {
  const found = json.stats.lines.find(({ text }) => text.endsWith(`// ${mark}`));
  if (found === undefined) throw new Error(`no line ${mark}`);
  return found;
};

describe("a line's sectors of 32 bytes", () => {
  it.each([
    // 32 words in a row are 128 bytes.
    ["stride 1", 4, 4],
    // Every second word: 4 of 8 words in each of 8 sectors.
    ["stride 2", 8, 4],
    ["stride 32", 32, 4],
    // The same 128 bytes begin inside a sector, and end inside a fifth.
    ["from 4 on", 5, 4],
    ["one word", 1, 1],
    ["v4", 16, 16],
    ["five lanes", 1, 1],
    ["red at one place", 1, 1],
  ])("of %s: %i, and %i would do", (mark, sectors, fewest) => {
    expect(line(mark)).toMatchObject({ requests: 1, transfers: 1, sectors, fewest, parts: 0, passes: 0 });
  });

  it("say how many lanes took part", () => {
    expect(line("five lanes")).toMatchObject({ warp: 1, active: 32, thread: 5, bytes: 20 });
    expect(line("v4")).toMatchObject({ bytes: 512 });
  });
});

describe("a line's passes through the banks", () => {
  it.each([
    ["bank stride 1", 1, 1],
    // Lanes 0 and 16 want one bank.
    ["bank stride 2", 1, 2],
    ["bank stride 32", 1, 32],
    // 33 words apart: a bank each.
    ["a column more", 1, 1],
    ["broadcast", 1, 1],
    // Two half-warps of 128 bytes.
    ["8 bytes", 2, 2],
    // Four quarters.
    ["16 bytes", 4, 4],
    // A byte of each word.
    ["bytes", 1, 1],
    ["atom at one place", 1, 1],
  ])("of %s: %i parts, %i passes", (mark, parts, passes) => {
    expect(line(mark)).toMatchObject({ parts, passes, conflicts: passes - parts, transfers: 0, sectors: 0 });
  });
});

describe("what lanes copy and load together", () => {
  /** Rows of 16 bytes, side by side or 128 bytes apart; %p1 leaves out lanes 0 to 9. */
  const together = `.reg .pred %p1; .reg .b32 %r<9>; .reg .b64 %rd<2>;
.shared .align 256 .b8 s[4096];
mov.u32 %r1, %tid.x;
mul.lo.u32 %r2, %r1, 16;
mul.lo.u32 %r3, %r1, 128;
setp.ge.u32 %p1, %r1, 10;
mul.wide.u32 %rd1, %r1, 16;
add.u64 %rd1, %rd1, %rd0;
cp.async.cg.shared.global [%r2], [%rd1], 16; // copied in a row
cp.async.wait_all;
cp.async.cg.shared.global [%r3], [%rd1], 16; // copied apart
cp.async.wait_all;
@%p1 cp.async.ca.shared.global [%r2], [%rd1], 8; // copied by some
cp.async.wait_all;
cp.async.cg.shared.global [%r2], [%rd1], 16, 0; // zeros
cp.async.wait_all;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4, %r5, %r6, %r7}, [%r2]; // loaded in a row
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r4}, [%r3]; // loaded apart`;

  it("is counted lane by lane, where it is executed", async () => {
    world.write("together.ptx", together);
    const { exit, out } = await world.ptxrun([
      ...["together.ptx", "--block", "32", "-r", "%rd0=u32x128:iota", "--stats", "--json"],
    ]);
    expect(exit).toBe(0);
    const { lines } = JSON.parse(out).stats as Stats;
    const of = (mark: string) => {
      const { requests, sectors, fewest, parts, passes } = lines.find(({ text }) => text.endsWith(`// ${mark}`))!;
      return { requests, sectors, fewest, parts, passes };
    };
    expect(of("copied in a row")).toEqual({ requests: 2, sectors: 16, fewest: 16, parts: 4, passes: 4 });
    // Each quarter's eight rows begin at one bank.
    expect(of("copied apart")).toEqual({ requests: 2, sectors: 16, fewest: 16, parts: 4, passes: 32 });
    // Lanes 10 to 31 read the first half of each 16 bytes: 11 sectors for 176 bytes, which six could hold. Of each half-warp,
    // lanes 8 apart want the same two banks: 10 to 15 do not meet each other, and 16 to 31 do.
    expect(of("copied by some")).toEqual({ requests: 2, sectors: 11, fewest: 6, parts: 2, passes: 3 });
    expect(of("zeros")).toEqual({ requests: 1, sectors: 0, fewest: 0, parts: 4, passes: 4 });
    expect(of("loaded in a row")).toEqual({ requests: 1, sectors: 0, fewest: 0, parts: 4, passes: 4 });
    expect(of("loaded apart")).toEqual({ requests: 1, sectors: 0, fewest: 0, parts: 1, passes: 8 });
  });
});

describe("what else is counted by line", () => {
  it("are branches that part a warp, and barriers", () => {
    expect(line("apart")).toMatchObject({ warp: 1, divergent: 1, barriers: 0 });
    expect(line("meet")).toMatchObject({ warp: 1, divergent: 0, barriers: 1 });
    expect(json.stats.branches).toEqual({ warp: 1, divergent: 1 });
  });

  it("adds up to the whole", () => {
    const { lines, sources, memory, banks, instructions, mix } = json.stats;
    const sum = (
      key: "warp" | "thread" | "sectors" | "passes",
      all: readonly { readonly [K in typeof key]: number }[],
    ) => all.reduce((total, each) => total + each[key], 0);
    for (const all of [lines, sources]) {
      expect(sum("warp", all)).toBe(instructions.warp);
      expect(sum("thread", all)).toBe(instructions.thread);
      expect(sum("passes", all)).toBe(banks.passes);
      expect(sum("sectors", all)).toBe(memory.reduce((total, { sectors }) => total + sectors, 0));
    }
    expect(mix.reduce((total, { warp }) => total + warp, 0)).toBe(instructions.warp);
  });

  it("is by line of the file that was compiled, too", () => {
    const rows = json.stats.sources.map(({ file, line, warp, sectors, conflicts }) => [
      ...[file, line, warp, sectors, conflicts],
    ]);
    // 8 requests to global memory by 8 instructions: 4 + 8 + 32 + 5 + 1 + 16 + 1 + 1.
    expect(rows).toEqual([
      ["deep/accesses.cu", 3, 17, 0, 0],
      ["deep/accesses.cu", 7, 8, 68, 0],
      ["deep/accesses.cu", 9, 10, 0, 32],
      // The branch, and the return of both groups, of which one has moved before.
      ["deep/accesses.cu", 12, 3, 0, 0],
    ]);
  });

  it("is by section of the manual", () => {
    const rows = json.stats.mix.map(({ section, title, warp }) => `${section} ${title} ${warp}`);
    expect(rows).toContain("9.7.14 Control Flow 2");
    expect(rows).toContain("9.7.7 Comparison and Selection 1");
  });

  it("fits schema/run-1.json", () => expect(violations(json, schema)).toEqual([]));
});

describe("the counts of lines as text", () => {
  it("name the most frequent lines, dear ones first, and sum up the others", async () => {
    const { err } = await world.ptxrun(argv);
    const text = err.slice(err.indexOf("\nline "), err.indexOf("\ncompiled from")).trim().split("\n");
    expect(text[0]?.split(/ {2,}/)).toEqual([
      ...["line", "warps", "threads", "divergent", "sectors", "a request", "ideal", "passes", "conflicts"],
    ]);
    expect(text[1]).toMatch(/ st\.shared\.u32 \[%r6\], %r1; \/\/ bank stride 32$/);
    expect(text.at(-1)).toMatch(/^\d+ others /);
    expect(text).toHaveLength(18);
    expect(err).toMatch(/\naccesses\.cu:7 +8 +229 +68 +8\.5 +4\.4\n/);
  });

  it("end with a sentence for each that costs more than it has to, the dearest first", async () => {
    const { err } = await world.ptxrun(argv);
    const told = err.split("\n").flatMap((each) => [/^line \d+ {2}(.*?) {2}.*\/\/ (.*)$/.exec(each)?.slice(1) ?? []]);
    expect(told.filter((each) => each.length > 0)).toEqual([
      ["a 32-way bank conflict", "bank stride 32"],
      ["32 sectors a request, of which 4 would do", "stride 32"],
      ["8 sectors a request, of which 4 would do", "stride 2"],
      ["a 2-way bank conflict", "bank stride 2"],
      ["parts its warp once", "apart"],
    ]);
    const { err: even } = await world.ptxrun(["-e", "mov.u32 a, 1;", "--stats"]);
    expect(even).not.toMatch(/^line \d+ /m);
  });

  it("put together what stands on one line, and the return at its end", async () => {
    const { out } = await world.ptxrun(["-e", "mov.u32 a, 1; add.u32 b, a, a;", "--stats", "--json"]);
    expect(JSON.parse(out).stats.lines).toMatchObject([{ line: 1, warp: 3 }]);
    expect(JSON.parse(out).stats.sources).toEqual([]);
  });
});
