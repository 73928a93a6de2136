import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Io } from "../../../../src/environment/io.ts";
import { unobserved } from "../../../../src/environment/slicing.ts";
import { filesFrom } from "../../../../src/system/files.ts";
import { silent, World } from "../../../../tests/unit/cli/world.ts";
import { toJson, writeFinding } from "../../hunt/finding.ts";
import { Hunt } from "../../hunt/hunt.ts";
import { has, named, standIn } from "./stand-in.ts";

const world = new World();
afterAll(() => world.remove());

/** Of this seed, several programs have what the compiler below is wrong about. */
const SEED = 1;
const [good, bad] = [named("good", "1.0"), named("bad", "2.0")];
/** Takes a constant from every word where the program multiplies. */
const spoilt = (text: string): string => text.replace("ld.global.b32 %r3, [%rd3];", "ld.global.b32 %r3, [%rd3]; sub.u32 %r3, %r3, 1;"); // biome-ignore format: one line

const hunting = (folder: string) => ({ compilers: [good, bad], seeds: [SEED, SEED] as const, programs: 8, folder });
const io: Io = { ...silent, cwd: world.folder, files: filesFrom(world.folder) };
const quiet = unobserved(() => 0);

describe("a hunt", () => {
  it("files programs by cause, makes one of each small, and knows the others", async () => {
    const compile = standIn(SEED, (compiler, program, text) =>
      compiler === bad && has(program, "memory") ? spoilt(text) : text,
    );
    const hunt = new Hunt(hunting("wrong"), compile, io, quiet);
    const buckets = await hunt.module(SEED);
    const wrong = hunt.done.counts.get(bad.name)?.get("wrong") ?? 0;
    expect(buckets.length).toBeGreaterThan(0);
    for (const { example } of buckets) {
      expect(example.program.body.filter(({ name }) => name === "memory")).toHaveLength(1);
      expect(example.program.body.length).toBeLessThan(6);
      expect(example.program.functions).toEqual([]);
      expect(example.outcomes.get(good.name)?.kind).toBe("right");
    }
    const filed = buckets.reduce((sum, { counts }) => sum + (counts.get(bad.name) ?? 0), 0);
    expect(filed + hunt.done.unfiled).toBe(wrong);
    expect(hunt.done.counts.get(good.name)).toEqual(new Map([["right", 8]]));
    // The same once more is nothing new.
    expect(await hunt.module(SEED)).toEqual([]);
  });

  it("finds the programs that a compiler refuses among the others of a module", async () => {
    const compile = standIn(SEED, (compiler, program, text) => compiler === bad && has(program, "memory") ? { failed: `error: 0x${program.name}12: cannot` } : text); // biome-ignore format: one line
    const hunt = new Hunt(hunting("refused"), compile, io, quiet);
    const found = await hunt.module(SEED);
    expect(found.map(({ key }) => key)).toEqual(["2.0: error: #: cannot"]);
    const counts = hunt.done.counts.get(bad.name);
    expect(counts?.get("refused")).toBeGreaterThan(1);
    expect((counts?.get("refused") ?? 0) + (counts?.get("right") ?? 0) + (counts?.get("skipped") ?? 0)).toBe(8);
  });

  it("writes a folder for a cause, with the line that repeats it", async () => {
    const compile = standIn(SEED, (compiler, program, text) =>
      compiler === bad && has(program, "memory") ? spoilt(text) : text,
    );
    const hunt = new Hunt(hunting("written"), compile, io, quiet);
    for (const bucket of await hunt.module(SEED))
      await writeFinding("written", "wrong-1", bucket, [good, bad], compile, world.folder);
    const place = (name: string): string => join(world.folder, "written", "wrong-1", name);
    for (const name of ["source.ll", "right.ptx", "wrong.ptx", "input.bin"])
      expect(existsSync(place(name)), name).toBe(true);
    const page = readFileSync(place("README.md"), "utf8");
    const line = /^ {4}ptxrun (.*)$/m.exec(page)?.[1]?.split(" ") ?? [];
    const inPlace = line.map((word) => word.replace(/^(right|wrong)\.ptx$/, "written/wrong-1/$1.ptx").replace("@input", "@written/wrong-1/input")); // biome-ignore format: one line
    const { exit, out } = await world.ptxrun(inPlace);
    expect(exit).toBe(1);
    expect(out).toContain("different");
    const { findings, functions } = toJson(hunt.done, [good, bad], [SEED, SEED]);
    expect(findings.map(({ cause }) => cause)).toEqual([...hunt.done.buckets.keys()]);
    expect(functions).toBeGreaterThan(8);
  });
});
