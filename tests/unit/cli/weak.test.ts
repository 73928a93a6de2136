import { afterAll, describe, expect, it } from "vitest";
import { everything } from "../../share.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

/** Block 0 writes data and then a flag; block 1 waits for the flag and copies the data. */
const passing = (store: string, load: string) => `.version 8.0
.target sm_90
.address_size 64
.visible .entry mp(.param .u64 data, .param .u64 flag, .param .u64 out)
{
  .reg .u64 %d, %f, %o;
  .reg .u32 %r<4>;
  .reg .pred %p;
  ld.param.u64 %d, [data];
  ld.param.u64 %f, [flag];
  ld.param.u64 %o, [out];
  mov.u32 %r0, %ctaid.x;
  setp.ne.u32 %p, %r0, 0;
  @%p bra READER;
  st.global.u32 [%d], 42;
  ${store}.global.u32 [%f], 1;
  ret;
READER:
  ${load}.global.u32 %r1, [%f];
  setp.eq.u32 %p, %r1, 0;
  @%p bra READER;
  ld.global.u32 %r2, [%d];
  st.global.u32 [%o], %r2;
  ret;
}
`;
/** Eight threads add the numbers of a buffer in shared memory, with barriers or without. */
const sum = (barrier: string) => `.version 8.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 in, .param .u64 out)
{
  .reg .u64 %a<4>;
  .reg .u32 %r<8>;
  .reg .pred %p;
  .shared .align 4 .u32 s[8];
  ld.param.u64 %a0, [in];
  ld.param.u64 %a1, [out];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %a2, %r0, 4;
  add.u64 %a3, %a0, %a2;
  ld.global.u32 %r1, [%a3];
  shl.b32 %r2, %r0, 2;
  mov.u32 %r3, s;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3], %r1;
  ${barrier}
  setp.ne.u32 %p, %r0, 0;
  @%p ret;
  ld.shared.u32 %r4, [s+4];
  add.u32 %r1, %r1, %r4;
  st.global.u32 [%a1], %r1;
  ret;
}
`;
world
  .write("wrong.ptx", passing("st.relaxed.gpu", "ld.relaxed.gpu"))
  .write("right.ptx", passing("st.release.gpu", "ld.acquire.gpu"))
  .write("narrow.ptx", passing("st.release.cta", "ld.acquire.cta"))
  .write("sum.ptx", sum("bar.sync 0;"))
  .write("nosum.ptx", sum(""));

const buffers = [...["data", "flag", "out"].flatMap((name) => ["-a", `${name}=u32x1:fill=0`]), "--grid", "2"];
const weak = (file: string, ...words: string[]) => world.ptxrun(["run", file, ...words]);

describe("run --memory weak", () => {
  it("lists every outcome of message passing, with fences and without", async () => {
    const wrong = await weak("wrong.ptx", ...buffers, "--memory", "weak");
    expect(wrong.exit).toBe(0);
    expect(wrong.out).toContain("2 outcomes of 8 executions, within 4 rounds of each loop");
    expect(wrong.out).toContain("  out  u32  0\n");
    expect(wrong.out).toContain("  out  u32  42\n");
    const right = await weak("right.ptx", ...buffers, "--memory", "weak");
    expect(right.out).toContain("1 outcome of 4 executions");
    expect(right.out).not.toContain("  out  u32  0\n");
    expect((await weak("narrow.ptx", ...buffers, "--memory", "weak")).out).toContain("2 outcomes");
  });

  it("knows threads of a block, their shared memory and barriers", async () => {
    const args = ["-a", "in=u32x8:iota", "-a", "out=u32x1", "--block", "8", "--memory", "weak"];
    const right = await weak("sum.ptx", ...args);
    expect(right.out).toContain("1 outcome of 1 execution\n");
    expect(right.out).toContain("  out  u32  1\n");
    const wrong = await weak("nosum.ptx", ...args);
    expect(wrong.out).toContain("2 outcomes of 2 executions\n");
    expect(wrong.out).toContain("  out  u32  0\n");
  });

  it("gives JSON, and pictures of the executions", async () => {
    const { out } = await weak("wrong.ptx", ...buffers, "--memory", "weak", "--json");
    const { schema, outcomes, complete } = JSON.parse(out);
    expect({ schema, complete }).toEqual({ schema: "ptxrun.weak/1", complete: true });
    expect(outcomes.map((each: { buffers: { bits: string[] }[] }) => each.buffers[2]?.bits)).toEqual([
      ["0x0"],
      ["0x2a"],
    ]);
    expect((await weak("wrong.ptx", ...buffers, "--memory", "weak", "-v")).out).toContain("B1T0");
  });

  it("refuses what is too large, and what it does not follow, with what to do", async () => {
    const large = await weak("wrong.ptx", ...buffers.slice(0, -1), "20", "--memory", "weak");
    expect(large.exit).toBe(6);
    expect(large.err).toContain("PTX6009");
    expect(large.err).toContain("--memory weak:random --seeds 0..99");
    const seeds = await weak("wrong.ptx", ...buffers, "--memory", "weak", "--seeds", "0..1");
    expect(seeds.exit).toBe(2);
    expect((await world.ptxrun(["trace", "wrong.ptx", ...buffers, "--memory", "weak"])).exit).toBe(2);
    world.write("active.ptx", "activemask.b32 a;\n");
    expect((await weak("active.ptx", "--memory", "weak")).err).toContain("PTX1917");
  });
});

describe("run --memory weak:random", () => {
  const random = (file: string, ...words: string[]) => weak(file, ...buffers, "--memory", "weak:random", ...words);

  it("shows a missing order under some seed, and none that is there", async () => {
    const wrong = await random("wrong.ptx", "--seeds", "0..19");
    expect(wrong.exit).toBe(7);
    expect(wrong.err).toContain("PTX4010");
    const right = await random("right.ptx", "--seeds", "0..19");
    expect({ exit: right.exit, out: right.out }).toEqual({ exit: 0, out: expect.stringMatching(/^out +u32x1 +42$/m) });
    expect(right.err).toContain("all 20 seeds, 0 to 19, end well and leave the same result");
  });

  it("is the same for the same seed", async () => {
    const seeds = async (seed: number) => (await random("wrong.ptx", "--seed", String(seed))).out;
    for (const seed of [0, 2, 5]) expect(await seeds(seed)).toBe(await seeds(seed));
    expect(new Set(await Promise.all([0, 1, 2, 3, 4, 5].map(seeds))).size).toBeGreaterThan(1);
  });

  it.runIf(everything)("takes launches of any size, and threads that work together", async () => {
    const args = ["-a", "in=u32x512:iota", "-a", "out=u32x1", "--block", "512", "--memory", "weak:random"];
    world.write("sum512.ptx", sum("bar.sync 0;").replace("s[8]", "s[512]"));
    world.write("nosum512.ptx", sum("").replace("s[8]", "s[512]"));
    const right = await weak("sum512.ptx", ...args, "--seeds", "0..5");
    expect({ exit: right.exit, out: right.out }).toEqual({ exit: 0, out: expect.stringMatching(/^out +u32x1 +1$/m) });
    expect((await weak("nosum512.ptx", ...args, "--sanitize", "none", "--seeds", "0..19")).err).toContain("PTX4010");
    world.write("active.ptx", "activemask.b32 a;\n");
    expect((await weak("active.ptx", "--memory", "weak:random")).exit).toBe(0);
  });

  it("takes a block of 1,024 threads with ten barriers", async () => {
    const args = ["-a", "in=u32x1024:iota", "-a", "out=u32x1", "--block", "1024", "--memory", "weak:random"];
    const halves = `mov.u32 %r5, 512;
LOOP:
  bar.sync 0;
  setp.ge.u32 %p, %r0, %r5;
  @%p bra SKIP;
  shl.b32 %r6, %r5, 2;
  add.u32 %r6, %r3, %r6;
  ld.shared.u32 %r4, [%r6];
  ld.shared.u32 %r7, [%r3];
  add.u32 %r7, %r7, %r4;
  st.shared.u32 [%r3], %r7;
SKIP:
  shr.u32 %r5, %r5, 1;
  setp.ne.u32 %p, %r5, 0;
  @%p bra LOOP;`;
    world.write(
      "halves.ptx",
      sum(halves)
        .replace("s[8]", "s[1024]")
        .replace("[s+4]", "[s]")
        .replace("add.u32 %r1, %r1, %r4", "mov.u32 %r1, %r4"),
    );
    const { exit, out } = await weak("halves.ptx", ...args);
    expect({ exit, out }).toEqual({ exit: 0, out: expect.stringMatching(/^out +u32x1 +523776$/m) });
  });
});

describe("repl --memory weak:random", () => {
  const steps = (file: string, seed: number, ...lines: string[]) =>
    world.ptxrun([
      ...["repl", file, ...buffers, "--memory", "weak:random", "--seed", String(seed)],
      ...lines.flatMap((line) => ["--command", line]),
      ...["--command", "quit"],
    ]);

  it("runs one execution for each seed, a step at a time", async () => {
    const states = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      const { out } = await steps("wrong.ptx", seed, "continue", "x out");
      states.add(out.split("\n").find((line) => line.includes("0x0000000")) ?? "");
      expect((await steps("wrong.ptx", seed, "continue", "x out")).out).toBe(out);
      expect((await steps("right.ptx", seed, "continue", "x out")).out).not.toBe("");
    }
    expect(states.size).toBeGreaterThan(1);
  });

  it("says what a thread could read, and goes back", async () => {
    const all: string[] = [];
    for (let seed = 0; seed < 12; seed++)
      all.push(
        (await steps("wrong.ptx", seed, "step 12", "info weak", "focus block 1", "info weak", "back 12", "info weak"))
          .out,
      );
    expect(all.some((out) => out.includes("0x00000001  or 0x00000000"))).toBe(true);
    expect(all.every((out) => !(out.split("> back 12\n")[1] ?? " or ").includes(" or "))).toBe(true);
    expect(
      (await world.ptxrun(["repl", "wrong.ptx", ...buffers, "--command", "info weak", "--command", "quit"])).out,
    ).toContain("not weak");
  });

  it("names the loads that a thread has postponed, whose registers hold what they held before", async () => {
    world.write(
      "late.ptx",
      passing("st.relaxed.gpu", "ld.relaxed.gpu").replace(
        "setp.eq.u32 %p, %r1, 0;",
        "mov.u32 %r3, 5;\n  setp.eq.u32 %p, %r1, 0;",
      ),
    );
    const all: string[] = [];
    for (let seed = 0; seed < 12; seed++)
      all.push((await steps("late.ptx", seed, "break 21", "continue", "info weak")).out);
    const late = all.filter((out) => /^19 {2}ld\.relaxed\.gpu\.global\.u32 %r1, \[%f\]; {2}postponed$/m.test(out));
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(12);
  });

  it("names threads that wait for ever: one warp comes to a barrier for two", async () => {
    const waits = `.version 8.0
.target sm_90
.address_size 64
.visible .entry k() {
  barrier.sync 1, 64;
  ret;
}
`;
    world.write("waits.ptx", waits).write("meets.ptx", waits.replace("64;", "32;"));
    const run = (file: string) => world.ptxrun(["run", file, "--grid", "1", "--block", "2", "--memory", "weak"]);
    const { exit, err } = await run("waits.ptx");
    expect(exit).toBe(4);
    expect(err).toContain("PTX3037: T0: waits for ever at barrier.sync 1, 64");
    expect((await run("meets.ptx")).exit).toBe(0);
  });
});
