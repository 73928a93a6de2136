import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "../world.ts";

const world = new World().write("loop.ptx", "L: add.u32 a, a, 1;\nbra L;\n").write("not.ptx", "not.b32 d, a;\n");
afterAll(() => world.remove());

interface Typist {
  /** What the terminal has shown. */
  readonly screen: string;
  readonly exit: number;
}

/** Waits until node's readline has seen what was written: a tab is no completion when more keys come with it. */
async function moment(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done));
}

/** Sits at a terminal, types keys, and waits for the end. `ahead` is what is typed while the guest runs. */
async function sit(
  argv: readonly string[],
  keys: readonly (string | ((output: PassThrough) => void))[],
  { env = {}, ahead = [] as string[] }: { env?: Record<string, string>; ahead?: string[] } = {},
): Promise<Typist> {
  const input = new PassThrough();
  const output = new PassThrough();
  let screen = "";
  output.on("data", (piece: Buffer) => {
    screen += piece.toString();
  });
  const print = (text: string): void => {
    screen += text;
  };
  const conversation = { input, output, poll: () => ahead.shift() ?? "" };
  const ended = world.ptxrun(["repl", ...argv], {
    out: print,
    err: print,
    env: { TERM: "xterm", PTXRUN_HISTORY: "", ...env },
    terminal: { out: true, err: true, conversation },
  });
  // Its code is loaded first, which takes as long as it takes.
  while (!screen.includes("(ptxrun ")) await moment();
  for (const key of keys) {
    if (typeof key === "string") input.write(key);
    else key(output);
    await moment();
  }
  input.end();
  return { exit: (await ended).exit, screen };
}

/** Text without colours and movements of the cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this finds
const bare = (screen: string): string => screen.replace(/\u001b\[[\d;]*[A-Za-z]/g, "").replaceAll("\r", "");

const ENTER = "\r";
const TAB = "\t";
const UP = "\u001b[A";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

describe("the prompt", () => {
  it("shows the focus and the step, and an empty line does the last command again", async () => {
    const { screen, exit } = await sit(["loop.ptx", "-q"], ["step", ENTER, ENTER, "quit", ENTER]);
    expect(bare(screen)).toContain("(ptxrun b0 t0 @0) step");
    expect(bare(screen)).toContain("  a = 1 (b32 0x00000001)\n@1 b0 t0 L+1: 2  bra L;");
    expect(bare(screen)).toContain("(ptxrun b0 t0 @1) ");
    expect(bare(screen)).toContain("@2 b0 t0 L: 1  add.u32 a, a, 1;\n(ptxrun b0 t0 @2) quit");
    expect(exit).toBe(0);
  });

  it("goes on after a refusal, and exits with 0", async () => {
    const { screen, exit } = await sit(["not.ptx", "-q"], ["nonsense", ENTER, "print 1", ENTER, CTRL_D]);
    expect(bare(screen)).toContain("error PTX2401: unknown command nonsense");
    expect(bare(screen)).toContain("$1 = 1 (0x1)");
    expect(exit).toBe(0);
  });

  it("goes on behind the lines of list and the bytes of x with an empty line", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `mov.u32 r${at}, ${at};\n`).join("");
    world.write("long.ptx", lines);
    const { screen } = await sit(["long.ptx", "-q"], ["list", ENTER, ENTER, ENTER, ENTER, CTRL_D]);
    for (const line of [1, 11, 21, 30]) expect(bare(screen)).toContain(`${line}  mov.u32 r${line - 1}, ${line - 1};`);
    expect(bare(screen)).toContain("the program ends here");
    const { screen: memory } = await sit(
      ["-e", "ld.global.u32 a, [p];", "-r", "p=u32x4:1,2,3,4", "-q"],
      ["x/2d p", ENTER, ENTER, CTRL_D],
    );
    expect(bare(memory)).toMatch(/00:\s+1 {2}2\n[\s\S]*08:\s+3 {2}4\n/);
  });
});

describe("completion", () => {
  const typed = async (argv: readonly string[], ...keys: string[]): Promise<string> =>
    bare((await sit([...argv, "-q"], [...keys, CTRL_C, CTRL_D])).screen);

  it("knows commands, labels, registers, mnemonics and legal modifiers", async () => {
    expect(await typed(["loop.ptx"], "undisp", TAB)).toContain("(ptxrun b0 t0 @0) undisplay");
    expect(await typed(["loop.ptx"], "info thr", TAB)).toContain("info threads");
    expect(await typed(["loop.ptx"], "catch div", TAB)).toContain("catch divergence");
    expect(await typed(["loop.ptx"], "help reverse-st", TAB)).toContain("help reverse-step");
    expect(await typed(["-e", "TARGET: mov.u32 %counter, 1;"], "break TAR", TAB)).toContain("break TARGET");
    expect(await typed(["-e", "TARGET: mov.u32 %counter, 1;"], "print %cou", TAB)).toContain("print %counter");
    expect(await typed(["-e", "TARGET: mov.u32 %counter, 1;"], "break TARGET if %cou", TAB)).toContain("if %counter");
    expect(await typed(["loop.ptx"], "isspa", TAB)).toContain("isspacep");
    expect(await typed(["loop.ptx"], "add.cc.s6", TAB)).toContain("add.cc.s64");
    expect(await typed(["-e", "TARGET: mov.u32 %counter, 1;"], "add.u32 %cou", TAB)).toContain("add.u32 %counter");
    expect(await typed(["loop.ptx"], "print %nctaid.", TAB, TAB)).toMatch(
      /%nctaid\.x[\s\S]*%nctaid\.y[\s\S]*%nctaid\.z/,
    );
  });

  it("offers nothing that would be refused", async () => {
    // add.cc exists for integers of 32 and 64 bits alone.
    const shown = await typed(["loop.ptx"], "add.cc.", TAB, TAB);
    expect(new Set(shown.match(/add\.cc\.\w+/g))).toEqual(
      new Set(["add.cc.s32", "add.cc.s64", "add.cc.u32", "add.cc.u64"]),
    );
  });
});

describe("colour", () => {
  const strong = "\u001b[1m";

  it("marks registers that have changed", async () => {
    const { screen } = await sit(["not.ptx", "-q"], ["step", ENTER, "info regs", ENTER, CTRL_D]);
    expect(screen).toContain(`${strong}* d  b32  0xffffffff  4294967295`);
    expect(screen).not.toContain(`${strong}  a`);
  });

  it("is absent with --color never and NO_COLOR", async () => {
    for (const [argv, env] of [
      [["--color", "never"], {}],
      [[], { NO_COLOR: "1" }],
    ] as const) {
      const { screen } = await sit(["not.ptx", "-q", ...argv], ["step", ENTER, "info regs", ENTER, CTRL_D], { env });
      expect(screen).toContain("* d  b32  0xffffffff  4294967295");
      expect(screen).not.toContain("\u001b[1m");
    }
  });
});

describe("Ctrl-C", () => {
  it("interrupts the guest and not the REPL", async () => {
    const ahead = ["", "", CTRL_C];
    const { screen, exit } = await sit(["loop.ptx", "-q"], ["continue", ENTER, "print a > 0", ENTER, CTRL_D], {
      ahead,
    });
    expect(bare(screen)).toContain("interrupted\n");
    expect(bare(screen)).toContain("$1 = true");
    expect(exit).toBe(0);
  });

  it("keeps what was typed while the guest ran, behind it", async () => {
    const ahead = ["print 1", `2${CTRL_C}print 34\r`];
    const { screen } = await sit(["loop.ptx", "-q"], ["continue", ENTER, CTRL_D], { ahead });
    expect(bare(screen)).toContain("$1 = 34 (0x22)");
  });

  it("clears the line that is being typed", async () => {
    const { screen } = await sit(["not.ptx", "-q"], ["nonsense", CTRL_C, "print 5", ENTER, CTRL_D]);
    expect(bare(screen)).toContain("^C\n");
    expect(bare(screen)).toContain("$1 = 5 (0x5)");
    expect(bare(screen)).not.toContain("error");
  });
});

describe("history", () => {
  const state = join(world.folder, "state");
  const file = join(state, "ptxrun", "history");
  const env = { XDG_STATE_HOME: state, PTXRUN_HISTORY: undefined as unknown as string };

  it("is kept for the next session, for nobody else to read", async () => {
    await sit(["not.ptx", "-q"], ["print 6 * 7", ENTER, CTRL_D], { env });
    expect(readFileSync(file, "utf8")).toBe("print 6 * 7\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { screen } = await sit(["not.ptx", "-q"], [UP, ENTER, CTRL_D], { env });
    expect(bare(screen)).toContain("$1 = 42 (0x2a)");
  });

  it("is neither read nor written with --no-history or an empty PTXRUN_HISTORY", async () => {
    const before = readFileSync(file, "utf8");
    await sit(["not.ptx", "-q", "--no-history"], ["print 1", ENTER, CTRL_D], { env });
    await sit(["not.ptx", "-q"], ["print 1", ENTER, CTRL_D], { env: { ...env, PTXRUN_HISTORY: "" } });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("lies where PTXRUN_HISTORY says, and below HOME when nothing says", async () => {
    const own = join(world.folder, "own");
    await sit(["not.ptx", "-q"], ["print 1", ENTER, CTRL_D], { env: { ...env, PTXRUN_HISTORY: own } });
    expect(readFileSync(own, "utf8")).toBe("print 1\n");
    const home = { HOME: world.folder, PTXRUN_HISTORY: undefined as unknown as string };
    await sit(["not.ptx", "-q"], ["print 2", ENTER, CTRL_D], { env: home });
    expect(readFileSync(join(world.folder, ".local/state/ptxrun/history"), "utf8")).toBe("print 2\n");
  });

  it("that cannot be written stops nobody", async () => {
    const path = join(world.folder, "not.ptx", "history");
    const { exit } = await sit(["not.ptx", "-q"], ["print 1", ENTER, CTRL_D], {
      env: { ...env, PTXRUN_HISTORY: path },
    });
    expect(exit).toBe(0);
    expect(existsSync(path)).toBe(false);
  });
});

describe("layout", () => {
  /** What is on the screen after the last time that it was cleared. */
  const last = (screen: string): string[] => bare(screen.split("\u001b[2J").at(-1) ?? "").split("\n");

  it("draws the program, its registers and memory above what commands say", async () => {
    const keys = ["layout", ENTER, "step", ENTER, "print a", ENTER, CTRL_D];
    const { screen } = await sit(["loop.ptx", "-q"], keys);
    const lines = last(screen);
    expect(screen).toContain("\u001b[?1049h");
    expect(lines[0]).toMatch(/^── loop\.ptx {2}b0 t0 @1 ─+$/);
    expect(lines.some((line) => /^=> 2 {2}bra L; +│ ?.*/.test(line))).toBe(true);
    expect(lines.some((line) => /│ \* a {2}b32 {2}0x00000001 {2}1$/.test(line))).toBe(true);
    expect(lines).toContain("*> b0 w0  0x00000001  running  L+1: 2  bra L;");
    expect(lines.at(-3)).toBe("$1 = 1 (b32 0x00000001)");
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(25);
  });

  it("restores the terminal when it is turned off, at quit, at the end, and shows mistakes", async () => {
    for (const end of [["layout off", ENTER, "quit", ENTER], ["quit", ENTER], [CTRL_D]]) {
      const { screen } = await sit(["loop.ptx", "-q"], ["layout", ENTER, "nonsense", ENTER, ...end]);
      expect(bare(screen)).toContain("error PTX2401: unknown command nonsense");
      expect(screen.split("\u001b[?1049h")).toHaveLength(2);
      expect(screen.split("\u001b[?1049l")).toHaveLength(2);
      expect(screen.indexOf("\u001b[?1049l")).toBeGreaterThan(screen.lastIndexOf("\u001b[2J"));
    }
  });

  it("draws again when the terminal has another size", async () => {
    const resized = (output: PassThrough) => {
      Object.assign(output, { columns: 50, rows: 15 });
      output.emit("resize");
    };
    const { screen } = await sit(["loop.ptx", "-q"], ["layout", ENTER, resized, CTRL_D]);
    const lines = last(screen);
    expect(lines.every((line) => line.length <= 50)).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(16);
  });
});
