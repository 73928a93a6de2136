import { afterAll, describe, expect, it } from "vitest";
import { growth, LINEAR } from "../../cost.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());

const add = "add.u32 d, a, b;\n";
const sizes = [3000, 30_000] as const;

/** Command lines and files that let an expression or a pattern try again and again. */
const ways: readonly (readonly [name: string, of: (n: number) => readonly [argv: readonly string[], text: string]])[] =
  [
    ["a case without a colon", (n) => [["check", "f.ptx"], `//@ case${" ".repeat(n)}x\n${add}`]],
    ["a case of blanks", (n) => [["check", "f.ptx"], `//@ case ${" ".repeat(n)}\n${add}`]],
    ["a launch of blanks", (n) => [["check", "f.ptx"], `//@ launch${" ".repeat(n)}!\n${add}`]],
    ["a snapshot of blanks", (n) => [["check", "f.ptx"], `//@ snapshot${" ".repeat(n)}!\n${add}`]],
    ["marks", (n) => [["check", "f.ptx"], `${add}${"//~".repeat(n)}\r!\n`]],
    ["an expectation", (n) => [["check", "f.ptx"], `//@ case a: a=1 b=1 -> ${"d:".repeat(n)}\n${add}`]],
    ["blank lines", (n) => [["lint", "f.ptx"], `${"\n".repeat(n)}${add}`]],
    ["carriage returns", (n) => [["lint", "f.ptx"], `${"\r".repeat(n)}${add}`]],
    ["digits", (n) => [["lint", "f.ptx"], `mov.u32 a, ${"1".repeat(n)}$;\n`]],
    ["quotes", (n) => [["lint", "f.ptx"], `${'"'.repeat(n)}\n`]],
    ["a name of digits", (n) => [["run", "f.ptx", "-q"], `mov.u32 ${`a${"1".repeat(n)}b`}, 1;\n`]],
    ["stars", (n) => [["isa", `${"*".repeat(n)}zz`], ""]],
    ["stars and letters", (n) => [["isa", `${"*a".repeat(n)}b`], ""]],
    ["stars of a path", (n) => [["check", `${"**/".repeat(n)}zz`], ""]],
    ["stars of an opcode", (n) => [["trace", "f.ptx", "--opcode", `${"*".repeat(n)}zz`], add]],
    ["a value of digits", (n) => [["run", "f.ptx", "-q", "-r", `a=${"1".repeat(n)}x`], add]],
    ["a type of digits", (n) => [["run", "f.ptx", "-q", "-r", `a:f${"1".repeat(n)}x=1`], add]],
    ["a dump", (n) => [["run", "f.ptx", "-q", "-d", "=@".repeat(n)], add]],
    ["a value to explain", (n) => [["explain", `${"1".repeat(n)}x`], ""]],
  ];

describe("a hostile text takes no more time than its length", () => {
  it.each(ways)("%s", async (_, of) => {
    const run = async (n: number): Promise<void> => {
      const [argv, text] = of(n);
      const { err } = await world.write("f.ptx", text).ptxrun(argv);
      expect(err).not.toContain("bug in ptxrun");
    };
    expect(await growth(run, sizes)).toBeLessThan(LINEAR);
  });

  it.each<readonly [string, (n: number) => string]>([
    ["blanks", (n) => `break ${" ".repeat(n)}x+`],
    ["signs", (n) => `break ${"+1".repeat(n)}x`],
    ["digits", (n) => `print ${"1".repeat(n)}.${"_".repeat(n)}`],
  ])("a script of the REPL: %s", async (_, line) => {
    world.write("f.ptx", add);
    const run = (n: number) => world.ptxrun(["repl", "f.ptx", "-q"], { stdin: line(n) });
    expect(await growth(run, sizes)).toBeLessThan(LINEAR);
  });
});
