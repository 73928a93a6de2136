import { readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkInWorkers } from "../../../../src/cli/check/case/round.ts";
import type { FileResult } from "../../../../src/cli/check/result.ts";
import { WatchedSlicing } from "../../../../src/environment/slicing.ts";
import { growth, LINEAR } from "../../../cost.ts";
import { everything } from "../../../share.ts";
import { Bundle } from "../bundle.ts";
import { silent, twice, World } from "../world.ts";

const add = "add.f16 d, a, b;\n";
const world = new World();
let bundle: Bundle;
beforeAll(async () => {
  bundle = await Bundle.make();
  for (let index = 0; index < 12; index++) {
    const holds = index % 4 !== 1;
    world.write(`j/f${index}.ptx`, `//@ case one: a=1 b=${index} -> d=${holds ? index + 1 : 99}\n${add}`);
  }
  world.write("j/k.ptx", `//@ case it: x=f32x2:1,2 y=f32x8 n=3 -> y=0\n${twice}`);
  world.write("j/bad.ptx", "add.rz.f16 d, a, b;\n//@ case one: a=1 b=1 -> d=2\n");
  symlinkSync("f0.ptx", join(world.folder, "j/link.ptx"));
});
afterAll(() => {
  world.remove();
  bundle.remove();
});

describe("--jobs", () => {
  it("gives the same results in the same order as one thread, of every reporter", async () => {
    const kept = ["tap", "junit", "json", "github"];
    const told = (into: string) => [
      ...["check", "j", "--reporter", "pretty"],
      ...kept.flatMap((reporter) => ["--reporter", `${reporter}=${into}.${reporter}`]),
    ];
    const one = await world.ptxrun(told("one"));
    const many = bundle.run([...told("many"), "--jobs", "3"], world.folder);
    expect(many).toMatchObject({ exit: 1, out: one.out, err: "" });
    // How long it took is another each time.
    const read = (name: string): string =>
      readFileSync(join(world.folder, name), "utf8").replaceAll(/ time="[\d.]+"/g, "");
    for (const reporter of kept) expect(read(`many.${reporter}`)).toBe(read(`one.${reporter}`));
  });

  it("stops at the first failure in the order of files", () => {
    const { out } = bundle.run(["check", "j", "--bail", "--jobs", "3"], world.folder);
    expect(out.match(/^(ok|FAIL) .*?ptx/gm)).toEqual(["FAIL  j/bad.ptx"]);
  });

  it("takes nothing more once no more is wanted, however much has been sent", async () => {
    const result = "{ file: String(index), diagnostics: [], results: [] }";
    const send = `for (const index of [0, 1, 2, 3]) parentPort.postMessage({ index, result: ${result} });`;
    const start = "const { parentPort } = require('node:worker_threads');";
    world.write("eager.cjs", `${start} parentPort.once('message', () => { ${send} });`);
    const slicing = new WatchedSlicing({ ...silent, cwd: world.folder }, false);
    const taken: string[] = [];
    const take = ({ file }: FileResult): boolean => taken.push(file) < 2;
    const files = ["a", "b", "c", "d"].map((path) => ({ path }));
    const code = join(world.folder, "eager.cjs");
    await checkInWorkers(files, 2, { cwd: world.folder }, code, take, slicing);
    expect(taken).toEqual(["0", "1"]);
  });

  it("updates in workers too", async () => {
    world.write("u/a.ptx", `//@ case one: a=1 b=1 -> ?\n${add}`).write("u/b.ptx", `//@ case one: a=1 b=2 -> ?\n${add}`);
    expect(bundle.run(["check", "u", "--update", "--jobs", "2"], world.folder).out).toContain(
      "2 passed, 0 failed, 2 updated",
    );
    expect((await world.ptxrun(["check", "u"])).exit).toBe(0);
  });

  it.runIf(everything)("takes as many threads as there are cores, when told", async () => {
    const { exit, out, err } = await world.ptxrun(["check", "j"]);
    expect(bundle.run(["check", "j", "--jobs", "auto"], world.folder)).toMatchObject({ exit, out, err });
  });

  it.runIf(everything)("compares pairs too, in the order of the list", async () => {
    world.write("d/sub.ptx", "sub.u32 d, a, b;\n").write("d/add.ptx", "add.u32 d, a, b;\n");
    const pairs = ["add add", "add sub", "no add", "sub sub", "sub add"].map((pair) =>
      pair.replace(/\w+/g, "d/$&.ptx"),
    );
    world.write("pairs", `${pairs.join("\n")}\n`);
    const line = ["diff", "--batch", "pairs", "-r", "a=1", "-r", "b=2", "--cache", "kept"];
    for (const more of [[], ["--json"]]) {
      const { exit, out, err } = await world.ptxrun([...line, ...more]);
      expect(exit).toBe(2);
      expect(bundle.run([...line, ...more, "--jobs", "2"], world.folder)).toMatchObject({ exit, out, err });
    }
  });

  it.each([["0"], ["65"], ["two"], ["-1"]])("%s is a usage error", async (jobs) => {
    expect((await world.ptxrun(["check", "j", "--jobs", jobs])).exit).toBe(2);
  });

  it("throws what a worker throws: it is a bug", async () => {
    world.write("broken.cjs", "throw new Error('broken worker')");
    const code = join(world.folder, "broken.cjs");
    const settings = { cwd: world.folder };
    const slicing = new WatchedSlicing({ ...silent, cwd: world.folder }, false);
    await expect(
      checkInWorkers([{ path: "a" }, { path: "b" }], 2, settings, code, () => true, slicing),
    ).rejects.toThrow("broken worker");
  });
});

describe("many files", () => {
  it("of one case each take time in proportion to how many there are", async () => {
    for (const count of [30, 300])
      for (let index = 0; index < count; index++)
        world.write(`m${count}/f${index}.ptx`, `//@ case one: a=${index} b=1 -> d=${index + 1}\nadd.u32 d, a, b;\n`);
    const check = async (count: number): Promise<void> => {
      const { out } = await world.ptxrun(["check", `m${count}`]);
      expect(out.endsWith(`${count} files: ${count} passed, 0 failed\n`)).toBe(true);
    };
    expect(await growth(check, [30, 300])).toBeLessThan(LINEAR);
  });
});

describe("the examples of the repository", () => {
  it.runIf(everything)("hold in two threads", () => {
    const root = resolve(import.meta.dirname, "../../../..");
    const { exit, out } = bundle.run(["check", "examples/half", "--jobs", "2", "--reporter", "tap"], root);
    expect(out).toMatch(/^TAP version 14\n(ok \d+ - .*\n)+1\.\.\d+\n# \d+ files: \d+ passed, 0 failed\n$/);
    expect(exit).toBe(0);
  });
});
