import { afterAll, describe, expect, it } from "vitest";
import { filesOf, readShard } from "../../../../src/system/shard.ts";
import { looking, World } from "../world.ts";

const add = "add.f16 d, a, b;\n";
const world = new World();
afterAll(() => world.remove());

describe("--shard", () => {
  const files = Array.from({ length: 10 }, (_, index) => ({ path: `f${index}.ptx` }));

  it("parts the files by their paths alone", () => {
    const parts = [1, 2, 3].map((index) => filesOf(files, { index, count: 3 }));
    expect(parts.flat().toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual(files);
    expect(parts[0]?.map(({ path }) => path)).toEqual(["f0.ptx", "f3.ptx", "f6.ptx", "f9.ptx"]);
    expect(filesOf(files.toReversed(), { index: 1, count: 3 })).toEqual(parts[0]);
  });

  it.each(["0/3", "4/3", "1/0", "1", "a/b", "1/3/", "-1/2", "1.5/2"])("%s is none", async (text) => {
    expect(readShard(text)).toBeUndefined();
    const { exit, err } = await world.write("a.ptx", add).ptxrun(["check", "a.ptx", "--shard", text]);
    expect([exit, err]).toEqual([2, expect.stringContaining("PTX2003")]);
  });

  it("may be empty where there are few files, but not where there are none", async () => {
    world.write("one/a.ptx", `//@ case one: a=1 b=1 -> d=2\n${add}`);
    expect((await world.ptxrun(["check", "one", "--shard", "1/2"])).out).toContain("1 file: 1 passed");
    const second = await world.ptxrun(["check", "one", "--shard", "2/2"]);
    expect([second.exit, second.out]).toEqual([0, "0 files: 0 passed, 0 failed\n"]);
    expect((await world.ptxrun(["check", "none", "--shard", "2/2"])).exit).toBe(2);
  });
});

describe("--seeds in an args line", () => {
  // Which of two blocks comes last is seen in memory.
  const racing = `.version 8.0
.target sm_80
.address_size 64
.visible .entry last(.param .u64 out)
{
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  st.global.u32 [%rd1], %r1;
  ret;
}
`;

  it("runs a case once with each, and says which failed and how to repeat it", async () => {
    world.write("r.ptx", `//@ args: --seeds 0..40 --grid 2\n//@ case last: out=u32x1:fill=9 -> out=1\n${racing}`);
    const { exit, out } = await world.ptxrun(["check", "r.ptx"]);
    expect(exit).toBe(1);
    expect(out).toContain("out[0] is 0x00000000 (0)");
    const [, seed] = /PTX9005: case last fails with seed (\d+)/.exec(out) ?? [];
    const command = `ptxrun r.ptx --grid 2 --schedule random:${seed} -a out=u32x1:fill=9 -d out`;
    expect(out).toContain(`repeat: ${command}\n`);
    expect((await world.ptxrun(command.split(" ").slice(1))).out).toContain("[0] 0\n");
  });

  it("holds when all do", async () => {
    world.write("h.ptx", `//@ args: --seeds 0..20 --grid 2\n//@ case any: out=u32x2 -> out[0]=?\n${racing}`);
    const text = `//@ args: --seeds 0..20\n//@ case one: out=u32x1 -> out=0\n${racing}`;
    expect((await world.write("h.ptx", text).ptxrun(["check", "h.ptx"])).out).toContain("1 passed");
  });

  it("reaches every launch of a pipeline", async () => {
    const text = `//@ args: --seeds 0..40\n//@ launch last --grid 2\n//@ case last: out=u32x1 -> out=1\n${racing}`;
    const { out } = await world.write("p.ptx", text).ptxrun(["check", "p.ptx"]);
    expect(out).toMatch(/PTX9005: case last fails with seed \d+/);
    expect(out).toContain("repeat: ptxrun check p.ptx --filter last\n");
  });

  it("ends when the time is over", async () => {
    const text = `//@ args: --seeds 0..4000000000\n//@ case one: out=u32x1 -> out=0\n${racing}`;
    const { out } = await world
      .write("e.ptx", text)
      .ptxrun(["check", "e.ptx", "--timeout", "1s"], { now: looking(40) });
    expect(out).toMatch(/PTX6101: case one: time is over after seed \d+ of 4000000000/);
  });
});

describe("limits of the command line", () => {
  it.each([
    ["//@ case one: -> d=1\nL: bra L;\n", ["--max-steps", "1000"], "PTX6001"],
    ["//@ args: --max-steps 100M\n//@ case one: -> d=1\nL: bra L;\n", ["--max-steps", "1000"], "PTX6001"],
    ["//@ args: --max-mem 1G\n//@ case one: p=u32x100000 -> a=1\nld.u32 a, [p];\n", ["--max-mem", "64K"], "PTX6003"],
    ["//@ case one: -> d=1\nL: bra L;\n", ["--timeout", "50ms"], "PTX6101"],
  ])("hold for each case", async (text, limits, code) => {
    const { exit, out } = await world.write("l.ptx", text).ptxrun(["check", "l.ptx", ...limits], { now: looking(50) });
    expect(out).toContain(code);
    expect(exit).toBe(1);
  });
});

describe("progress", () => {
  const two = ["a", "b", "c", "d"].map((name) => `p/${name}.ptx`);
  const run = async (terminal: boolean, more: readonly string[] = [], term = "xterm") => {
    let written = "";
    for (const path of two) world.write(path, `//@ case one: a=1 b=1 -> d=2\n${add}`);
    let time = 0;
    const { exit } = await world.ptxrun(["check", "p", ...more], {
      terminal: { out: false, err: terminal },
      env: { TERM: term },
      now: () => {
        time += 400;
        return time;
      },
      err: (text) => {
        written += text;
      },
    });
    expect(exit).toBe(0);
    return written;
  };

  it("is one line on a terminal, after a while, and gone at the end", async () => {
    const written = await run(true);
    expect(written).toContain("checked 3 of 4 files");
    expect(written).not.toContain("\n");
    expect(written.endsWith("\r\u001b[K")).toBe(true);
  });

  it("is nothing elsewhere", async () => {
    expect(await run(false)).toBe("");
    expect(await run(true, ["-q"])).toBe("");
    expect(await run(true, [], "dumb")).toBe("");
  });
});
