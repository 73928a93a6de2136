import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { commandsToMarkdown } from "../../packages/debugger/console/commands/page.ts";
import { main } from "../../src/cli/app.ts";
import { filesFrom } from "../../src/system/files.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(root, name), "utf8");

async function replay(...argv: readonly string[]): Promise<{ readonly text: string; readonly exit: number }> {
  let text = "";
  const print = (piece: string): void => {
    text += piece;
  };
  const exit = await main(["repl", ...argv], {
    out: print,
    err: print,
    input: () => ({ bytes: new Uint8Array() }),
    env: {},
    cwd: root,
    files: filesFrom(root),
    terminal: { out: false, err: false },
    now: () => 0,
  });
  return { text, exit };
}

/** Counted here, with no machine in between. */
const collatz = (number: number): number =>
  number === 1 ? 0 : 1 + collatz(number % 2 === 0 ? number / 2 : 3 * number + 1);

describe("the recorded sessions", () => {
  it("of 64 threads that part comes out as it was recorded", async () => {
    const argv = ["examples/repl/collatz.ptx", "--block", "64", "-a", "out=u32x1"];
    const { text, exit } = await replay(...argv, "-x", "examples/repl/collatz.session");
    expect(text).toBe(read("examples/repl/collatz.transcript"));
    expect(exit).toBe(0);
  });

  it("says what arithmetic says: the sum as it was, and with another number for thread 26", () => {
    const text = read("examples/repl/collatz.transcript");
    const counts = Array.from({ length: 64 }, (_, at) => collatz(at + 1));
    const sum = counts.reduce((a, b) => a + b);
    const later = sum - (counts[26] ?? 0) + collatz(1024);
    expect(text).toContain(`new: ${sum} (u32`);
    expect(text.trimEnd().endsWith(` ${later}`)).toBe(true);
    expect(text).toContain(`> print %steps\n$2 = ${collatz(1024)} (`);
  });

  it("of a scratchpad comes out as it was recorded", async () => {
    const { text, exit } = await replay("-x", "examples/repl/rounding.session");
    expect(text).toBe(read("examples/repl/rounding.transcript"));
    expect(exit).toBe(0);
  });
});

describe("docs/repl.md", () => {
  it("ends with the commands as the REPL has them (UPDATE=1 writes them)", () => {
    const page = read("docs/repl.md");
    const whole = `${page.slice(0, page.indexOf("### running"))}${commandsToMarkdown()}`;
    if (process.env["UPDATE"] === "1") writeFileSync(join(root, "docs/repl.md"), whole);
    expect(read("docs/repl.md")).toBe(whole);
  });
});
