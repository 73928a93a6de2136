import { expect, it } from "vitest";
import { kindOf } from "../../../../src/cli/start/start.ts";
import { World } from "../world.ts";

it("tells what a command line will use", () => {
  for (const [line, kind] of [
    ["-e 'add.u32'", "snippet"],
    ["-r a=1 -eadd", "snippet"],
    ["run --eval=add", "snippet"],
    ["kernel.ptx", "run"],
    ["run kernel.ptx", "run"],
    ["", "run"],
    ["check examples", "check"],
    ["repl", "repl"],
    ["--help", "help"],
    ["help check", "help"],
    ["-V", "help"],
  ] as const)
    expect(kindOf(line.split(" ")), line).toBe(kind);
});

it("knows every command", async () => {
  const world = new World();
  try {
    const { out } = await world.ptxrun(["--help"]);
    const commands = out.slice(out.indexOf("\nRun:"), out.indexOf("\nTopics:"));
    const names = [...commands.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(kindOf([name])).toBe(name === "help" ? "help" : name === "ptxrun" ? "run" : name);
  } finally {
    world.remove();
  }
});
