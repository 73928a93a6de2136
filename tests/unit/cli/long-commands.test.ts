import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Io, Signal } from "../../../src/environment/io.ts";
import { looking, twice, World } from "./world.ts";

const jobs = [{ sweep: ["add.f16", "--count", "10"], parts: 4 }];
const sb = (name: string): string =>
  `PTX ${name} { }\nP0 | P1 ;\nst.weak x, 1 | st.weak y, 1 ;\nld.weak r, y | ld.weak r, x ;\n~exists (P0:r == 0)`;
const world = new World()
  .write("twice.ptx", twice)
  .write("plan.json", JSON.stringify({ schema: "ptxrun.campaign/1", name: "few", jobs }))
  .write("l/a.litmus", sb("a"))
  .write("l/b.litmus", sb("b"))
  .write("l/c.litmus", sb("c"));
for (const name of "abcd") world.write(`many/${name}.ptx`, twice);
afterAll(() => world.remove());

/** A command, a part of its progress line, what it says at Ctrl-C, and what it prints then. */
const commands: readonly (readonly [argv: readonly string[], line: RegExp, said: RegExp, out: RegExp])[] = [
  [
    ["sweep", "add.f32", "--count", "16384"],
    /8,192 of 16,384 inputs, 0 differ, \d+ s/,
    /PTX6103: interrupted: [\d,]+ of 16,384 inputs were compared\n/,
    /inputs {4}[\d,]+ random/,
  ],
  [
    ["litmus", "l"],
    /2 of 3 files, l\/c\.litmus, \d+ s/,
    /PTX6103: interrupted: \d of 3 files were looked at\n/,
    /\d tests: 0 as stated, \d not as stated/,
  ],
  [
    ["lint", "many"],
    /\d of 4 files, \d+ s/,
    /PTX6103: interrupted: [123] of 4 files were read\n/,
    /^4 files: 1 error, 0 warnings, 0 notes\n$/,
  ],
  [
    ["doctor", "twice.ptx"],
    /\d runs?, 0 things found, \d+ s/,
    /PTX6103: interrupted: after \d+ runs?, of 1 of 1 kernels\n/,
    /Interrupted after \d+ runs: there may be more to find\./,
  ],
  [
    ["campaign", "run", "plan.json"],
    /[123] of 4 parts are done, now .*\d+ s/,
    /PTX6103: interrupted: \d parts? (is|are) done and kept in plan\.shards\n/,
    /^$/,
  ],
  [
    ["diff", "twice.ptx", "twice.ptx", "--random", "60"],
    /compared \d+ of 60 launches, .*\d+ s/,
    /PTX6103: interrupted: \d+ of 60 launches were compared\n/,
    /^$/,
  ],
];

/** A terminal, and a clock that goes on at each look. */
const terminal = (): Partial<Io> => ({
  env: { TERM: "xterm" },
  terminal: { out: false, err: true, columns: () => 100 },
  now: looking(500),
});

describe("a command that takes long", () => {
  it.each(commands)("%j shows how far it is", async (argv, line) => {
    expect((await world.ptxrun(argv, terminal())).err).toMatch(line);
    rmSync(join(world.folder, "plan.shards"), { recursive: true, force: true });
  });

  it.each(commands)("%j ends at Ctrl-C with what it has", async (argv, _, said, printed) => {
    const onSignal = (act: (signal: Signal) => void): (() => void) => {
      const timer = setImmediate(() => setImmediate(() => act("SIGINT")));
      return () => clearImmediate(timer);
    };
    const { exit, out, err } = await world.ptxrun(argv, { onSignal, now: looking(50) });
    expect([exit, out, err]).toEqual([130, expect.stringMatching(printed), expect.stringMatching(said)]);
  });

  it.each([
    ["in CI", { env: { TERM: "xterm", CI: "true" } }],
    ["in a pipe", { terminal: { out: true, err: false } }],
  ] as const)("shows nothing %s", async (_, io) => {
    const { err } = await world.ptxrun(["sweep", "add.f32", "--count", "16384"], { ...terminal(), ...io });
    expect(err).toBe("");
  });
});
