import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { table } from "../../../../packages/debugger/console/commands/every-command.ts";
import { walk } from "../../../../packages/debugger/tests/dap/programs.ts";
import { bugIn, feed, limits } from "../feed.ts";
import type { Input, Target } from "../input.ts";
import { mutated, wordsOf } from "../mutation.ts";

const folder = resolve(import.meta.dirname, "../../../../examples/repl");
const read = (name: string): string => readFileSync(resolve(folder, name), "utf8");

/** Programs with scripts: those of examples/, and each command with what it may be given. */
const scripts = (): readonly Input[] => [
  [read("collatz.ptx"), read("collatz.session")],
  ["", read("rounding.session")],
  ["", "add.f16 d, a, b;\nmov.u32 x, %tid.x;\n.reg .b64 r<4>;\nld.global.u32 x, [r1];\nprint d\ninfo regs\nundo\n"],
  ...table.commands.map(({ name }) => [walk, `break walk+3\nrun\n${name}\n${name} 1\n${name} %r1\n${name} x\nstep\n`]),
];

const operands = [
  ...[
    "%r1",
    "%rd1",
    "%p1",
    "$step",
    "$pc",
    "tile",
    "tile[3]",
    "[x]",
    "[total]",
    "walk",
    "twice",
    "walk+3",
    "24",
    "t3",
    "b0",
    "w0",
  ],
  ...["if", "==", "&&", "(", ")", "+", "/x", "/f", "as", "f16x2", "*0x10", "1.5", '"', "#", ";", "=", "@", "on", "off"],
];
let words: readonly string[] | undefined;

/** Sessions of the REPL. */
export const repl: Target = {
  bases: scripts,
  change: ([program = "", script = ""], random) => {
    words ??= [...wordsOf(scripts().map(([, script = ""]) => script)), ...operands];
    // A command of any name, with words behind it, at any place.
    const names = table.commands.map(({ name }) => name);
    const lines = script.split("\n");
    for (let more = random.below(6); more > 0; more--) {
      const line = [random.any(names), ...Array.from({ length: random.below(4) }, () => random.any(words ?? operands))];
      lines.splice(random.below(lines.length + 1), 0, line.join(" "));
    }
    return [program, random.chance(30) ? lines.join("\n") : mutated(lines.join("\n"), words, random)];
  },
  attempt: async ([program = "", script = ""]) => {
    const file = program === "" ? [] : ["x.ptx", "--block", "32", "-a", "u32x64:iota"];
    // What a script writes stays in its folder: no paths lead out of it.
    const inside = script.replace(/\.\.|\//g, "_");
    return bugIn(await feed(["repl", ...file, ...limits], { "x.ptx": program }, { stdin: inside }));
  },
};
