import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/source.ts";
import { parseVisa, printFile } from "../../../src/visa/index.ts";

const folder = resolve(import.meta.dirname, "../../data/visa/opencl");
const dumps = readdirSync(folder).filter((name) => name.endsWith(".visaasm"));
const read = (name: string): string => readFileSync(join(folder, name), "utf8");

/** Words of a line, numbers of immediates as they are printed. */
const plain = (line: string): string =>
  line
    .replace(/\b(0x[\da-f]+|\d+):/g, (_, digits: string) => `0x${BigInt(digits).toString(16)}:`)
    .trim()
    .replace(/\s+/g, " ");

describe("what Intel's compiler dumps", () => {
  it("is here for each kernel and both platforms, but for doubles of DG2 and float atomics of PVC", () => {
    const kernels = readdirSync(folder).filter((name) => name.endsWith(".cl"));
    expect(kernels.length).toBeGreaterThanOrEqual(25);
    expect(dumps).toHaveLength(2 * kernels.length - 2);
  });

  it.each(dumps)("%s has nothing wrong with it", (name) => {
    const { value: module, diagnostics } = new Device().module(new Source(name, read(name)));
    const [entry = ""] = module?.entries ?? [];
    const kernel = module?.kernel(entry);
    expect([...diagnostics, ...(kernel?.diagnostics ?? [])]).toEqual([]);
    expect(kernel?.value).toBeDefined();
  });

  it.each(dumps)("%s is printed with the words that it is read with", (name) => {
    const text = read(name);
    const lines = (of: string): string[] =>
      of
        .split("\n")
        .filter((line) => /^ {4}\S/.test(line))
        .map(plain);
    expect(lines(printFile(parseVisa(new Source(name, text)).value))).toEqual(lines(text));
  });
});
