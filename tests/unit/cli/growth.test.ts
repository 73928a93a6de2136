import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const add = "add.u32 d, a, b;\n";
const spaces = " ".repeat(100_000);

/** Command lines and files that let an expression or a pattern try again and again. */
const ways: readonly (readonly [name: string, argv: readonly string[], text: string])[] = [
  ["a case without a colon", ["check", "f.ptx"], `//@ case${spaces}x\n${add}`],
  ["a case of blanks", ["check", "f.ptx"], `//@ case ${spaces}\n${add}`],
  ["a launch of blanks", ["check", "f.ptx"], `//@ launch${spaces}!\n${add}`],
  ["a snapshot of blanks", ["check", "f.ptx"], `//@ snapshot${spaces}!\n${add}`],
  ["marks", ["check", "f.ptx"], `${add}${"//~".repeat(50_000)}\r!\n`],
  ["an expectation", ["check", "f.ptx"], `//@ case a: a=1 b=1 -> ${"d:".repeat(50_000)}\n${add}`],
  ["blank lines", ["lint", "f.ptx"], `${"\n".repeat(200_000)}${add}`],
  ["carriage returns", ["lint", "f.ptx"], `${"\r".repeat(200_000)}${add}`],
  ["digits", ["lint", "f.ptx"], `mov.u32 a, ${"1".repeat(50_000)}$;\n`],
  ["quotes", ["lint", "f.ptx"], `${'"'.repeat(50_001)}\n`],
  ["a name of digits", ["run", "f.ptx", "-q"], `mov.u32 ${`a${"1".repeat(50_000)}b`}, 1;\n`],
  ["stars", ["isa", `${"*".repeat(50_000)}zz`], ""],
  ["stars and letters", ["isa", `${"*a".repeat(20_000)}b`], ""],
  ["stars of a path", ["check", `${"**/".repeat(20_000)}zz`], ""],
  ["stars of an opcode", ["trace", "f.ptx", "--opcode", `${"*".repeat(50_000)}zz`], add],
  ["a value of digits", ["run", "f.ptx", "-q", "-r", `a=${"1".repeat(50_000)}x`], add],
  ["a type of digits", ["run", "f.ptx", "-q", "-r", `a:f${"1".repeat(50_000)}x=1`], add],
  ["a dump", ["run", "f.ptx", "-q", "-d", "=@".repeat(50_000)], add],
  ["a value to explain", ["explain", `${"1".repeat(50_000)}x`], ""],
];

describe("a hostile text takes no more time than its length", () => {
  it.each(ways)("%s", async (_, argv, text) => {
    world.write("f.ptx", text);
    await world.ptxrun([argv[0] ?? "", "warm.ptx"]);
    const start = process.cpuUsage();
    const { err } = await world.ptxrun(argv);
    const { user, system } = process.cpuUsage(start);
    expect(err).not.toContain("bug in ptxrun");
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  it("a script of the REPL", async () => {
    world.write("f.ptx", add);
    const lines = [
      `break ${spaces}x+`,
      `break ${"+1".repeat(50_000)}x`,
      `print ${"1".repeat(50_000)}.${"_".repeat(50_000)}`,
    ];
    const start = process.cpuUsage();
    for (const stdin of lines) await world.ptxrun(["repl", "f.ptx", "-q"], { stdin });
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});
