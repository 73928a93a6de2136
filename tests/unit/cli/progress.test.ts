import { afterAll, describe, expect, it } from "vitest";
import type { Io } from "../../../src/environment/io.ts";
import { ProgressLine } from "../../../src/environment/progress-line.ts";
import { silent, World } from "./world.ts";

const world = new World()
  .write("long.ptx", "L: add.u32 a, a, 1;\nsetp.lt.u32 p, a, 60000;\n@p bra L;\n")
  .write(
    "c/a.ptx",
    "//@ case one: -> a=60000\nmov.u32 a, 0;\nL: add.u32 a, a, 1;\nsetp.lt.u32 p, a, 60000;\n@p bra L;\n",
  );
afterAll(() => world.remove());

/** A terminal whose clock goes on by some milliseconds at each look. */
function watched(step: number, more: Partial<Io> = {}) {
  let written = "";
  let time = 0;
  const io: Partial<Io> = {
    env: { TERM: "xterm" },
    terminal: { out: true, err: true, columns: () => 60 },
    now: () => {
      time += step;
      return time;
    },
    out: (text) => {
      written += text;
    },
    err: (text) => {
      written += text;
    },
    ...more,
  };
  return { io, written: () => written };
}

const erase = "\r\u001b[K";

describe("the progress of a long run", () => {
  it("is one line, which is gone before the result", async () => {
    const { io, written } = watched(45);
    const { exit } = await world.ptxrun(["long.ptx", "-r", "a=0", "--color", "never"], io);
    expect(exit).toBe(0);
    const [states, result] = [written().split(erase).slice(1, -1), written().split(erase).at(-1)];
    expect(states.length).toBeGreaterThan(2);
    for (const state of states) expect(state).toMatch(/^\d+(\.\dk)? warp instructions, \d+(\.\dk)?\/s, \d+ s$/);
    expect(result).toMatch(/^a {2}b32/);
  });

  it("counts blocks and seeds", async () => {
    const { io, written } = watched(500);
    const module =
      ".version 8.0\n.target sm_80\n.entry k() { .reg .b32 a; .reg .pred p; mov.u32 a, 0;\n" +
      "L: add.u32 a, a, 1; setp.lt.u32 p, a, 20000; @p bra L; ret; }";
    await world
      .write("k.ptx", module)
      .ptxrun(["k.ptx", "--grid", "1100", "--seeds", "1..2", "--max-steps", "90000"], io);
    expect(written()).toMatch(/seed 1 of 1\.\.2, [\d.]+k warp instructions, \d+ of 1100 blocks/);
  });

  it.each([
    ["without a terminal", [], { terminal: { out: true, err: false } }],
    ["at a terminal that cannot erase", [], { env: { TERM: "dumb" } }],
    ["with --quiet", ["-q"], {}],
    ["with --json", ["--json"], {}],
  ] as const)("is not shown %s", async (_, more, io) => {
    const seen = watched(500, io);
    await world.ptxrun(["long.ptx", "-r", "a=0", ...more], seen.io);
    expect(seen.written()).not.toContain("\r");
  });

  it("is not shown in the first two seconds", async () => {
    const { io, written } = watched(5);
    await world.ptxrun(["long.ptx", "-r", "a=0", "--max-steps", "50K"], io);
    expect(written()).not.toContain("\r");
  });

  it("shows the files of a check, and how far the case is", async () => {
    const { io, written } = watched(500);
    await world.write("c/b.ptx", "//@ case one: -> a=1\nmov.u32 a, 1;\n").ptxrun(["check", "c"], io);
    expect(written()).toContain("checked 1 of 2 files, ");
    expect(written()).toMatch(/k warp instructions/);
  });

  it("shows a trace's that goes to a file", async () => {
    const { io, written } = watched(500);
    await world.ptxrun(["trace", "long.ptx", "-r", "a=0", "--opcode", "none.*", "-o", "t.jsonl"], io);
    expect(written()).not.toContain("warp instructions");
    await world.ptxrun(["trace", "long.ptx", "-r", "a=0", "--label", "L", "--limit", "50K", "-o", "t.jsonl"], {
      ...io,
      terminal: { out: false, err: true },
    });
    expect(written()).toContain("warp instructions");
  });
});

describe("a progress line", () => {
  it("fits the terminal, and never writes over what the program has printed of a line", () => {
    let written = "";
    let time = 0;
    let columns: number | undefined = 8;
    const line = new ProgressLine(
      {
        ...silent,
        cwd: "",
        now: () => time,
        out: (text) => {
          written += text;
        },
        err: (text) => {
          written += text;
        },
        terminal: { out: true, err: true, columns: () => columns },
      },
      true,
    );
    const shown = (text: string): string => {
      written = "";
      time += 3000;
      line.show(() => text);
      return written;
    };
    expect(shown("0123456789")).toBe(`${erase}0123456`);
    columns = 1;
    expect(shown("0123456789")).toBe(erase);
    for (columns of [0, undefined]) expect(shown("x".repeat(100))).toBe(erase + "x".repeat(79));
    written = "";
    line.io.out("half a li");
    expect(written).toBe(`${erase}half a li`);
    expect(shown("more")).toBe("");
    line.io.out("ne\n");
    expect(shown("more")).toBe(`${erase}more`);
    // Often asked, seldom shown.
    written = "";
    for (let at = 0; at < 1000; at++) {
      time += 1;
      line.show(() => "again");
    }
    expect(written).toBe(`${erase}again`.repeat(4));
  });
});
