import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { looking, World } from "../world.ts";

const world = new World()
  .write("loop.ptx", "L: add.u32 a, a, 1;\nbra L;\n")
  .write("say.txt", "continue\nprint a > 0\ncontinue\n");
afterAll(() => world.remove());

const limited = ["repl", "loop.ptx", "-q", "-r", "a=0", "--timeout", "400ms", "--max-steps", "100000M"];

describe("repl --timeout", () => {
  it("limits each command, says where the program stands, and goes on with the script", async () => {
    const { exit, out, err } = await world.ptxrun(limited, {
      stdin: "continue\nprint a > 0\nstep\ncontinue\n",
      now: looking(20),
    });
    expect(exit).toBe(6);
    expect([out, err.match(/error PTX6101: still running after 0\.4 s/g)?.length]).toEqual([out, 2]);
    expect(err).toMatch(/--> loop\.ptx:[12]:/);
    expect(out).toContain("$1 = true");
    expect(out).not.toContain("interrupted");
    // Each stop is shown as any other.
    expect(out.match(/^@\d+ b0 t0 L/gm)).toHaveLength(3);
  });

  it("limits going back, a watchpoint, and a line of a scratchpad", async () => {
    const goto = await world.ptxrun([...limited, "-x", "say.txt"], {
      stdin: "watch a == 4000000000\ncontinue\ngoto 40000000000\n",
      now: looking(20),
    });
    expect([goto.exit, goto.err.match(/PTX6101/g)?.length]).toEqual([6, 4]);
    const scratch = await world.ptxrun(["repl", "-q", "--timeout", "400ms"], {
      stdin: "L: bra L;\n",
      now: looking(20),
    });
    expect([scratch.exit, scratch.err]).toEqual([6, expect.stringContaining("PTX6101")]);
  });

  it("is nothing to a command that ends in time", async () => {
    const { exit, err } = await world.ptxrun(limited, { stdin: "step 10\nprint a\n", now: looking(20) });
    expect([exit, err]).toEqual([0, ""]);
  });

  it("keeps the prompt at a terminal", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let screen = "";
    const print = (text: string): void => {
      screen += text;
    };
    output.on("data", (piece: Buffer) => print(piece.toString()));
    const ended = world.ptxrun(limited, {
      out: print,
      err: print,
      env: { TERM: "dumb", PTXRUN_HISTORY: "" },
      terminal: { out: true, err: true, conversation: { input, output, poll: () => "" } },
      now: looking(20),
    });
    for (const line of ["continue", "print 6 * 7", "quit"]) {
      await new Promise((done) => setImmediate(done));
      input.write(`${line}\r`);
    }
    expect((await ended).exit).toBe(0);
    expect(screen).toContain("PTX6101: still running after 0.4 s");
    expect(screen).toContain("$1 = 42");
  });
});

describe("the progress of a command", () => {
  it("is shown at a terminal while it runs, and is gone after it", async () => {
    let written = "";
    let time = 0;
    const { exit } = await world.ptxrun(["repl", "loop.ptx", "-r", "a=0", "--max-steps", "2M", "--color", "never"], {
      stdin: "continue\n",
      env: { TERM: "xterm" },
      terminal: { out: true, err: true },
      now: () => {
        time += 100;
        return time;
      },
      out: (text) => {
        written += text;
      },
      err: (text) => {
        written += text;
      },
    });
    expect(exit).toBe(6);
    const states = written.split("\r\u001b[K");
    expect(states.some((state) => /^[\d.]+[kM] warp instructions, \d+ s$/.test(state))).toBe(true);
    expect(written.slice(written.lastIndexOf("\r"))).not.toContain("warp instructions,");
  });
});

describe("options of run in the REPL", () => {
  it.each([
    [["--seeds", "1..3"], "--seeds"],
    [["--json"], "--format json"],
    [["--format", "json"], "--format json"],
    [["-o", "x.txt"], "--output"],
  ])("%j is refused, because nothing would heed it", async (more, option) => {
    for (const argv of [
      ["repl", "loop.ptx", ...more],
      ["run", "-i", "loop.ptx", ...more],
    ]) {
      const { exit, err } = await world.ptxrun(argv, { stdin: "step\n" });
      expect([exit, err]).toEqual([2, expect.stringContaining(`PTX2003: ${option} is for a run`)]);
    }
  });

  it("--dump and --thread say what dump shows, and where it begins", async () => {
    world.write("tid.ptx", "mov.u32 a, %tid.x;\nmov.u32 b, 7;\n");
    const dumped = async (...more: string[]) =>
      (await world.ptxrun(["repl", "tid.ptx", "-q", "--block", "2", ...more], { stdin: "step 2\ndump\n" })).out;
    expect(await dumped("-d", "b")).toMatch(/> dump\nb {2}b32 {2}0x00000007 {2}7\n$/);
    expect(await dumped("--thread", "0/1")).toContain("@2 b0 t1");
    expect(await dumped("--thread", "0/1")).toMatch(/a {2}b32 {2}0x00000001 {2}1/);
    expect((await dumped("--thread", "all", "-d", "a")).match(/0x0000000[01]/g)?.length).toBeGreaterThanOrEqual(2);
  });
});

describe("at a terminal", () => {
  it("device printf and a trace change nothing but the text", async () => {
    world.write(
      "rude.ptx",
      `.version 8.0\n.target sm_80\n.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[8] = {27, 91, 49, 109, 104, 194, 155, 0};
.entry says() { .reg .b64 %rd<3>; mov.u64 %rd1, text; cvta.global.u64 %rd2, %rd1;
{ .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %rd2; st.param.b64 [v], 0; call.uni (r), vprintf, (f, v); } ret; }\n`,
    );
    const terminal = { terminal: { out: true, err: true }, env: { NO_COLOR: "1", TERM: "dumb" } };
    for (const argv of [
      ["rude.ptx", "-d", "none"],
      ["repl", "rude.ptx"],
      ["trace", "rude.ptx"],
    ]) {
      const shown = await world.ptxrun(argv, { ...terminal, stdin: "continue\n" });
      expect([...shown.out].filter((each) => each < " " && each !== "\n")).toEqual([]);
      expect(shown.out).not.toContain("\u009b");
      expect(shown.out).toMatch(/\\(x1b|u001b)\[1mh/);
    }
    // A pipe gets what the program printed.
    expect((await world.ptxrun(["rude.ptx", "-d", "none"])).out).toBe("\u001b[1mh\u009b");
    expect((await world.ptxrun(["repl", "rude.ptx"], { stdin: "continue\n" })).out).toContain("\u001b[1mh\u009b");
  });
});
