import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World()
  .write("loop.ptx", "L: add.u32 a, a, 1;\nbra L;\n")
  .write("say.txt", "continue\nprint a > 0\ncontinue\n");
afterAll(() => world.remove());

const limited = ["repl", "loop.ptx", "-q", "-r", "a=0", "--timeout", "50ms", "--max-steps", "100000M"];

describe("repl --timeout", () => {
  it("limits each command, says where the program stands, and goes on with the script", async () => {
    const { exit, out, err } = await world.ptxrun(limited, { stdin: "continue\nprint a > 0\nstep\ncontinue\n" });
    expect(exit).toBe(6);
    expect([out, err.match(/error PTX6101: still running after 0\.05 s/g)?.length]).toEqual([out, 2]);
    expect(err).toMatch(/--> loop\.ptx:[12]:/);
    expect(out).toContain("$1 = true");
    expect(out).not.toContain("interrupted");
    // Each stop is shown as any other.
    expect(out.match(/^@\d+ b0 t0 L/gm)).toHaveLength(3);
  });

  it("limits going back, a watchpoint, and a line of a scratchpad", async () => {
    const goto = await world.ptxrun([...limited.slice(0, -4), "--timeout", "1ms", "-x", "say.txt"], {
      stdin: "watch a == 4000000000\ncontinue\ngoto 400000000\n",
    });
    expect([goto.exit, goto.err.match(/PTX6101/g)?.length]).toEqual([6, 4]);
    const scratch = await world.ptxrun(["repl", "-q", "--timeout", "50ms"], { stdin: "L: bra L;\n" });
    expect([scratch.exit, scratch.err]).toEqual([6, expect.stringContaining("PTX6101")]);
  });

  it("is nothing to a command that ends in time", async () => {
    const { exit, err } = await world.ptxrun(limited, { stdin: "step 10\nprint a\n" });
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
    });
    for (const key of ["continue", "\r", "print 6 * 7", "\r", "quit", "\r"]) {
      await new Promise((done) => setTimeout(done, 30));
      input.write(key);
    }
    expect((await ended).exit).toBe(0);
    expect(screen).toContain("PTX6101: still running after 0.05 s");
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
