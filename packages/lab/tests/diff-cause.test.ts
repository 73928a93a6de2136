import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/diff-1.json" with { type: "json" };
import { violations } from "../../../tests/unit/cli/json-schema.ts";
import { looking, twice, World } from "../../../tests/unit/cli/world.ts";

/** Each thread stores to shared memory, and reads there what the thread at the other end has stored. */
const reverse = `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 x, .param .u64 y) {
  .reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .f32 %f<4>;
  .shared .f32 tile[64];
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd1, %rd1, %rd3;
  ld.global.f32 %f1, [%rd1];
  add.f32 %f2, %f1, %f1;
  mov.u32 %r2, tile;
  shl.b32 %r1, %r1, 2;
  add.u32 %r2, %r2, %r1;
  st.shared.f32 [%r2], %f2;
  bar.sync 0;
  mov.u32 %r2, tile;
  sub.u32 %r2, %r2, %r1;
  ld.shared.f32 %f3, [%r2+252];
  add.u64 %rd2, %rd2, %rd3;
  st.global.f32 [%rd2], %f3;
  ret;
}
`;
const changed = (from: string, to: string): string => reverse.replace(from, to);
/** Only thread 7 computes something else. */
const odd = changed(
  "add.f32 %f2, %f1, %f1;",
  ".reg .pred %p1; add.f32 %f2, %f1, %f1; setp.eq.u32 %p1, %r1, 7; @%p1 mov.f32 %f2, 0f3F800000;",
);
const atomics = (amount: string): string => `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 sum) {
  .reg .b64 %rd1; .reg .b32 %r1;
  ld.param.u64 %rd1, [sum];
  mov.u32 %r1, %tid.x;
  ${amount}
  red.global.add.u32 [%rd1], %r1;
  ret;
}
`;
/** Sums the elements up to its own: in registers, as optimised code has it, and through local memory, as other code has. */
const sums = `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 x, .param .u64 y) {
  .reg .b64 %rd<6>; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .pred %p1;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd2, %rd3;
  mov.f32 %f1, 0f00000000;
  mov.u32 %r2, 0;
again:
  ld.global.f32 %f2, [%rd1];
  fma.rn.f32 %f1, %f2, 0f40400000, %f1;
  add.u64 %rd1, %rd1, 4;
  add.u32 %r2, %r2, 1;
  setp.le.u32 %p1, %r2, %r1;
  @%p1 bra again;
  st.global.f32 [%rd4], %f1;
  ret;
}
`;
const stored = (...change: readonly [string, string] | readonly []): string =>
  `.version 8.0
.target sm_80
.address_size 64
.entry k(.param .u64 x, .param .u64 y) {
  .local .align 8 .b8 frame[16];
  .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.f32 %f1, 0f00000000;
  st.local.f32 [frame], %f1;
  mov.u32 %r1, 0;
  st.local.u32 [frame+4], %r1;
  bra.uni check;
check:
  ld.local.u32 %r2, [frame+4];
  mov.u32 %r3, %tid.x;
  setp.gt.u32 %p1, %r2, %r3;
  @%p1 bra done;
  bra.uni body;
body:
  ld.local.u32 %r4, [frame+4];
  cvt.u64.u32 %rd3, %r4;
  shl.b64 %rd4, %rd3, 2;
  add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f2, [%rd5];
  ld.local.f32 %f3, [frame];
  fma.rn.f32 %f4, %f2, 0f40400000, %f3;
  st.local.f32 [frame], %f4;
  ld.local.u32 %r5, [frame+4];
  add.s32 %r6, %r5, 1;
  st.local.u32 [frame+4], %r6;
  bra.uni check;
done:
  mov.u32 %r7, %tid.x;
  cvt.u64.u32 %rd6, %r7;
  shl.b64 %rd7, %rd6, 2;
  add.s64 %rd8, %rd2, %rd7;
  ld.local.f32 %f5, [frame];
  st.global.f32 [%rd8], %f5;
  ret;
}
`.replace(change[0] ?? "", change[1] ?? "");

const world = new World()
  .write("sums.ptx", sums)
  .write("stored.ptx", stored())
  .write("early.ptx", stored("setp.gt.u32", "setp.ge.u32"))
  .write("around.ptx", stored("@%p1 bra done", "@!%p1 bra done"))
  .write("constant.ptx", stored("0f40400000", "0f40400001"))
  .write("late.ptx", stored("add.s32 %r6, %r5, 1", "sub.s32 %r6, %r5, -3"))
  .write("else.ptx", stored("ld.local.f32 %f5, [frame];", "ld.local.f32 %f5, [frame]; tanh.approx.f32 %f5, %f5;"))
  .write("twice.ptx", twice)
  .write("square.ptx", twice.replace("add.f32 %f2, %f1, %f1", "mul.f32 %f2, %f1, %f1"))
  .write("near.ptx", twice.replace("add.f32 %f2, %f1, %f1", "fma.rn.f32 %f2, %f1, 0f40000001, 0f00000000"))
  .write("reverse.ptx", reverse)
  .write("square-reverse.ptx", changed("add.f32 %f2", "mul.f32 %f2"))
  .write("odd.ptx", odd)
  .write("racy.ptx", changed("bar.sync 0;", ""))
  .write(
    "no-store.ptx",
    changed("  st.global", "  .reg .pred %p1; setp.eq.f32 %p1, %f3, 0f00000000;\n  @%p1 st.global"),
  )
  .write("sum.ptx", atomics(""))
  .write("more.ptx", atomics("add.u32 %r1, %r1, 1;"))
  .write("far.ptx", changed("[%r2+252]", "[%r2+25200]"));
afterAll(() => world.remove());

const launch = ["--block", "64", "-a", "0=f32x64:iota", "-a", "1=f32x64:fill=0"];
/** For the sums, of which each thread goes through as many elements as stand before its own. */
const sixteen = ["--block", "16", "-a", "0=f32x16:iota", "-a", "1=f32x16:fill=0"];
const four = ["--block", "4", "-a", "0=f32x4:1,2,3,4", "-a", "1=f32x4", "-a", "2=4"];
const diff = async (...argv: readonly string[]) => world.ptxrun(["diff", ...argv, "-q"], { now: looking(0) });
const causeOf = async (...argv: readonly string[]) => {
  const { out } = await diff(...argv, "--json");
  const value = JSON.parse(out);
  expect(violations(value, schema)).toEqual([]);
  return value.pairs[0].cause;
};

describe("diff says where a difference comes from", () => {
  it("by the write, and by the instruction that gave something else", async () => {
    const { exit, out } = await diff("twice.ptx", "square.ptx", ...four);
    expect(exit).toBe(1);
    expect(out).toContain("first differing write: y[0], by thread 0 and 2 more\n");
    expect(out).toContain("first difference, in thread 0: gets the same, and gives something else\n");
    expect(out).toContain("mul.f32 %f2, %f1, %f1;  with %f1=0x3f800000 %f1=0x3f800000  gives %f2=0x3f800000\n");
  });

  it("through shared memory, in the thread that stored there", async () => {
    const cause = await causeOf("reverse.ptx", "odd.ptx", ...launch);
    expect(cause.writes).toMatchObject([{ name: "y[56]", thread: 56, more: 0 }]);
    expect(cause.threads.map(({ kind, thread }: { kind: string; thread: number }) => [thread, kind])).toEqual([
      [56, "memory"],
      [7, "here"],
    ]);
    expect(cause.origin).toMatchObject({ why: "only", thread: 7, b: { text: expect.stringContaining("mov.f32 %f2") } });
  });

  it("in many threads at once, told of the first", async () => {
    const cause = await causeOf("reverse.ptx", "square-reverse.ptx", ...launch);
    expect(cause.writes).toHaveLength(1);
    expect(cause.writes[0].more).toBe(61);
    expect(cause.origin).toMatchObject({ why: "operation", a: { line: 13 }, b: { line: 13 } });
  });

  it("where a barrier is missing, and in one program whose order is drawn", async () => {
    const { out } = await diff("reverse.ptx", "racy.ptx", ...launch);
    expect(out).toContain("the same writes are made in another order");
    expect(out).toContain("only in the first   reverse.ptx:18  bar.sync 0;");
    const racy = await diff("racy.ptx", "--schedule", "random", "--seeds", "0..20", ...launch);
    expect([racy.exit, racy.out]).toEqual([1, expect.stringContaining("racy.ptx --schedule random:0  racy.ptx --sch")]);
    const { exit, out: all } = await diff("reverse.ptx", "--schedule", "random", "--seeds", "0..5", ...launch);
    expect([exit, all]).toEqual([0, "equal      reverse.ptx  seeds 0 to 5\n"]);
  });

  it("where a write is missing, or an atomic operation is given something else", async () => {
    const cause = await causeOf("reverse.ptx", "no-store.ptx", ...launch);
    expect(cause.writes[0].b).toBeUndefined();
    expect(cause.origin.b.text).toMatch(/setp|@%p1/);
    const sum = await causeOf("sum.ptx", "more.ptx", "--block", "32", "-a", "0=u32x1:fill=0");
    expect(sum.writes[0]).toMatchObject({ name: "sum", more: 0 });
    expect(sum.origin.b.text).toBe("add.u32 %r1, %r1, 1;");
  });

  it("where one of them faults", async () => {
    const { exit, out } = await diff("reverse.ptx", "far.ptx", ...launch);
    expect([exit, out]).toEqual([1, expect.stringContaining("far.ptx:21  ld.shared.f32 %f3, [%r2+25200];")]);
  });

  it("and nothing where there is none, in programs that were compiled differently", async () => {
    expect((await diff("sums.ptx", "stored.ptx", ...sixteen)).exit).toBe(0);
  });

  it.each([
    ["early.ptx", "setp.ge.u32 %p1, %r2, %r3;", "setp.gt.u32 %p1, %r2, %r3;"],
    ["around.ptx", "@!%p1 bra done;", "@%p1 bra done;"],
    ["constant.ptx", "fma.rn.f32 %f4, %f2, 0f40400001, %f3;", "fma.rn.f32 %f4, %f2, 0f40400000, %f3;"],
    ["late.ptx", "sub.s32 %r6, %r5, -3;", "sub.s32 %r6, %r5, -1;"],
  ])(
    "in programs that were compiled differently, by a change that makes them equal: %s",
    async (file, text, instead) => {
      const { origin } = await causeOf("sums.ptx", file, ...sixteen);
      expect(origin).toMatchObject({ by: "change", b: { text } });
      expect(origin.changes[0]).toMatchObject({ program: "b", text, instead });
    },
  );

  it("whichever of the two is wrong, and in words", async () => {
    expect((await causeOf("constant.ptx", "sums.ptx", ...sixteen)).origin).toMatchObject({ by: "change" });
    const { out } = await diff("sums.ptx", "constant.ptx", ...sixteen);
    const line =
      1 +
      stored()
        .split("\n")
        .findIndex((text) => text.includes("0f40400000"));
    const [wrong, right] = ["0f40400001", "0f40400000"].map((by) => `fma.rn.f32 %f4, %f2, ${by}, %f3;`);
    expect(out).toContain(`with one change both give the same: constant.ptx:${line}  ${wrong}  ->  ${right}\n`);
  });

  it("and says when that is no more than likely", async () => {
    const { out } = await diff("sums.ptx", "else.ptx", ...sixteen);
    expect(out).toContain("found by values, in programs that were compiled differently");
    expect(out).toMatch(/else\.ptx:\d+ {2}tanh\.approx\.f32 %f5, %f5;/);
    expect((await causeOf("reverse.ptx", "square-reverse.ptx", ...launch)).origin.by).toBe("steps");
  });

  it("and what is near is equal", async () => {
    const near = (tolerance: string) => diff("twice.ptx", "near.ptx", ...four, "--tolerance", tolerance);
    expect((await diff("twice.ptx", "near.ptx", ...four)).exit).toBe(1);
    for (const enough of ["2ulp", "1e-6"]) expect((await near(enough)).exit).toBe(0);
    for (const little of ["0ulp", "1e-9"]) expect((await near(little)).exit).toBe(1);
    expect((await near("much")).exit).toBe(2);
  });

  it("for two targets", async () => {
    expect((await diff("reverse.ptx", "--target", "sm_80,sm_90", ...launch)).out).toContain(
      "equal      reverse.ptx on sm_80  reverse.ptx on sm_90",
    );
    expect((await diff("reverse.ptx", "--target", "sm_80,sm_90,sm_100", ...launch)).exit).toBe(2);
  });
});
