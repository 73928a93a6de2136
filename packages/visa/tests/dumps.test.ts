import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/source.ts";
import { share } from "../../../tests/share.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { parseVisa, printFile } from "../src/index.ts";

const folder = resolve(import.meta.dirname, "../../../tests/data/visa/opencl");
const dumps = readdirSync(folder).filter((name) => name.endsWith(".visaasm"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Words of a line, numbers of immediates as they are printed. */
const plain = (line: string): string =>
  line
    .replace(/\b(0x[\da-f]+|\d+):/g, (_, digits: string) => `0x${BigInt(digits).toString(16)}:`)
    .trim()
    .replace(/\s+/g, " ");

describe("what Intel's compiler dumps", () => {
  it("is here for each kernel and both platforms, but for doubles and named barriers of DG2 and float atomics of PVC", () => {
    const kernels = readdirSync(folder).filter((name) => name.endsWith(".cl"));
    expect(kernels.length).toBeGreaterThanOrEqual(25);
    expect(dumps).toHaveLength(2 * kernels.length - 3);
  });

  it.each(share(dumps, 12))("%s has nothing wrong with it", (name) => {
    const { value: module, diagnostics } = new Device().module(new Source(name, read(name)));
    const [entry = ""] = module?.entries ?? [];
    const kernel = module?.kernel(entry);
    expect([...diagnostics, ...(kernel?.diagnostics ?? [])]).toEqual([]);
    expect(kernel?.value).toBeDefined();
  });

  it.each(share(dumps, 12))("%s is printed with the words that it is read with", (name) => {
    const text = read(name);
    const lines = (of: string): string[] =>
      of
        .split("\n")
        .filter((line) => /^ {4}\S/.test(line))
        .map(plain);
    expect(lines(printFile(parseVisa(new Source(name, text)).value))).toEqual(lines(text));
  });
});

describe("a dump with what is known by name only", () => {
  const file = resolve(import.meta.dirname, "../../../tests/data/visa/known/recursion.dg2.visaasm");
  const world = new World();
  afterAll(() => world.remove());

  it("is read and printed, and lint says what would not run", async () => {
    const { value, diagnostics } = parseVisa(new Source("recursion", readFileSync(file, "utf8")));
    expect(diagnostics).toEqual([]);
    expect(printFile(value)).toContain("fcall (M1, 8) fact 1 1");
    const lint = await world.ptxrun(["lint", file]);
    expect(lint.err).toContain("note PTX9020: fcall is not executed: nothing defines fact");
    expect([lint.out, lint.exit]).toEqual([expect.stringContaining("0 errors, 0 warnings"), 0]);
  });
});
