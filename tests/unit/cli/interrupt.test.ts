import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import schema from "../../../schema/run-1.json" with { type: "json" };
import traceSchema from "../../../schema/trace-1.json" with { type: "json" };
import type { Io, Signal } from "../../../src/environment/io.ts";
import { Bundle } from "./bundle.ts";
import { violations } from "./json-schema.ts";
import { looking, World } from "./world.ts";

/** Threads 0 to 39 of a block wait at a barrier for the others, which never come. */
const split = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x)
{
  .reg .pred %p; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
  setp.lt.u32 %p, %r1, 40;
  @%p bra W;
L: add.u32 %r2, %r2, 1;
  bra L;
W: bar.sync 0;
  ret;
}
`;
const endless = "L: add.u32 a, a, 1;\nbra L;\n";
const world = new World()
  .write("split.ptx", split)
  .write("endless.ptx", endless)
  .write("c/a.ptx", "//@ case one: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n")
  .write("c/b.ptx", `//@ args: --max-steps 100000M\n//@ case never: a=1 -> a=2\n${endless}`);
afterAll(() => world.remove());

/** A world in which a signal comes as soon as somebody listens, or some turns of the event loop later. */
function signalled(signal: Signal, turns = 0): { io: Partial<Io>; listeners: () => number } {
  let listeners = 0;
  const onSignal = (act: (signal: Signal) => void): (() => void) => {
    listeners++;
    const wait = (left: number): unknown => setImmediate(() => (left === 0 ? act(signal) : wait(left - 1)));
    wait(turns);
    let open = true;
    return () => {
      if (open) listeners--;
      open = false;
    };
  };
  return { io: { onSignal }, listeners: () => listeners };
}

const run = ["--max-steps", "100000M", "-q"];
const launch = ["split.ptx", "--block", "100", "-a", "x=u32x2:7,8", ...run];

describe("Ctrl-C during a run", () => {
  it("says where every warp stands, folded, and prints what is known then", async () => {
    // Each turn is a slice of the run: the first ones are too short for the warps to come to where they stay.
    const { exit, out, err } = await world.ptxrun(launch, signalled("SIGINT", 4).io);
    expect(exit).toBe(130);
    expect(err).toMatch(/^error PTX6103: interrupted after \d+ warp instructions\n/);
    expect(err).toMatch(/13 \| W: bar\.sync 0;\n.*40 threads of 2 warps waiting at barrier 0 here/);
    expect(err).toContain("block (0,0,0): warp 0, warp 1 lanes 0 to 7");
    const running = [...err.matchAll(/(\d+) threads of (\d+) warps? running here/g)];
    expect(running.reduce((sum, [, threads]) => sum + Number(threads), 0)).toBe(60);
    expect(out).toMatch(/^interrupted after \d+ warp instructions, when this was:\nx {2}u32x2 {2}7 8\n$/);
  });

  it("exits with 143 when it was SIGTERM", async () => {
    const { exit, err } = await world.ptxrun(["endless.ptx", ...run], signalled("SIGTERM").io);
    expect([exit, err.split("\n")[0]]).toEqual([143, expect.stringContaining("PTX6103: asked to end after")]);
    // The only thread stands where the message points.
    expect(err).not.toContain("threads");
  });

  it("gives JSON that fits the schema and says interrupted", async () => {
    const { exit, out, err } = await world.ptxrun([...launch, "--json"], signalled("SIGINT").io);
    const value = JSON.parse(out);
    expect(violations(value, schema)).toEqual([]);
    expect([exit, err, value.exit, value.stop]).toEqual([130, "", 130, { reason: "interrupted", code: "PTX6103" }]);
    expect(value.buffers[0].values).toEqual(["7", "8"]);
    expect(value.diagnostics.at(-1).related[0].message).toMatch(/threads of/);
  });

  it("listens no more after the first, so that the second kills; and not at all when the run is over", async () => {
    const { io, listeners } = signalled("SIGINT");
    const seen: number[] = [];
    await world.ptxrun(launch, { ...io, err: () => seen.push(listeners()) });
    expect(seen).toEqual([0]);
    await world.ptxrun(["-e", "L: add.u32 a, a, 1; setp.lt.u32 p, a, 3000; @p bra L;", "-q"], {
      now: looking(50),
      onSignal: () => {
        seen.push(1);
        return () => seen.push(2);
      },
    });
    expect(seen).toEqual([0, 1, 2]);
  });

  it("says how far --seeds had come, and how to go on from there", async () => {
    const { exit, err } = await world.ptxrun([...launch.slice(0, -1), "--seeds", "4..9"], signalled("SIGINT").io);
    expect(exit).toBe(130);
    expect(err).toContain("note PTX9005: interrupted at seed 4\n");
    expect(err).toContain("--schedule random:4");
  });
});

describe("Ctrl-C elsewhere", () => {
  it("ends a trace with a last line that says so", async () => {
    const { exit, out } = await world.ptxrun(["trace", "endless.ptx", ...run, "-o", "t.jsonl"], signalled("SIGINT").io);
    expect([exit, out]).toEqual([130, ""]);
    const shown = await world.ptxrun(["trace", "endless.ptx", ...run], signalled("SIGTERM").io);
    const last = JSON.parse(shown.out.trimEnd().split("\n").at(-1) ?? "");
    expect(violations(last, traceSchema)).toEqual([]);
    expect(last).toMatchObject({ stop: { reason: "interrupted", code: "PTX6103" }, exit: 143 });
  });

  it("ends a check with the summary so far", async () => {
    let out = "";
    let act: (signal: Signal) => void = () => {};
    const interrupt = () => setImmediate(() => act("SIGINT"));
    const { exit, err } = await world.ptxrun(["check", "c"], {
      out: (text) => {
        out += text;
        interrupt();
      },
      onSignal: (listener) => {
        act = listener;
        if (out !== "") interrupt();
        return () => {};
      },
    });
    expect(out).toBe("ok    c/a.ptx  1 passed\n1 file: 1 passed, 0 failed\n");
    expect(err).toContain("error PTX6103: interrupted after ");
    expect(err).toContain("--> c/b.ptx:");
    expect(err).toContain("error PTX6103: interrupted: 1 of 2 files were checked\n");
    expect(exit).toBe(130);
  });
});

describe("--timeout", () => {
  it("says where every warp stands in the same way", async () => {
    const { exit, err } = await world.ptxrun([...launch, "--timeout", "700ms"], { now: looking(20) });
    expect(exit).toBe(6);
    expect(err).toMatch(/^error PTX6101: still running after 0\.7 s\n/);
    expect(err).toContain("40 threads of 2 warps waiting at barrier 0 here");
  });
});

describe("a process", () => {
  let bundle: Bundle;
  beforeAll(async () => {
    bundle = await Bundle.make();
  });
  afterAll(() => bundle.remove());

  /** Starts ptxrun, and sends a signal when it has printed three lines: the head of a trace, and two of it. */
  const killed = (
    argv: readonly string[],
    signal: Signal,
  ): Promise<{ code: number | null; out: string; err: string }> =>
    new Promise((done) => {
      const child = spawn(process.execPath, [bundle.entry, ...argv], { cwd: world.folder });
      let out = "";
      let err = "";
      child.stdout.on("data", (piece) => {
        const before = out.split("\n").length;
        out += piece;
        if (before <= 3 && out.split("\n").length > 3) child.kill(signal);
      });
      child.stderr.on("data", (piece) => {
        err += piece;
      });
      child.on("close", (code) => done({ code, out, err }));
    });

  it("hears signals while it runs", async () => {
    // A line of trace, and then another each time a million steps are done: whoever is there has long listened.
    const loop = "M: mov.u32 a, 0;\nL: add.u32 a, a, 1;\nsetp.lt.u32 p, a, 500000;\n@p bra L;\nbra M;\n";
    const argv = ["trace", "-e", loop, "--opcode", "mov", ...run];
    const [one, other] = await Promise.all([killed(argv, "SIGINT"), killed(argv, "SIGTERM")]);
    expect([one.code, one.err]).toEqual([130, expect.stringContaining("PTX6103: interrupted")]);
    expect([other.code, other.err]).toEqual([143, expect.stringContaining("PTX6103: asked to end")]);
    expect(JSON.parse(one.out.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ exit: 130 });
  });
});
