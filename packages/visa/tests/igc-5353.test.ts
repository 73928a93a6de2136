import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Source } from "../../../src/source/source.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import type * as ast from "../src/ast.ts";
import { readObject } from "../src/binary/read.ts";
import { writeObject } from "../src/binary/write.ts";
import { parseVisa } from "../src/text/parse.ts";
import { printInstruction } from "../src/text/print.ts";

/*
 * Objects of version 3.6 by IGC 1.0.5353 (Debian 11: `IGC_ShaderDumpEnable=1 ocloc compile -file reduce.cl -device tgllp`), of
 * kernels in `opencl`; the text that the compiler wrote beside two of them.
 */

const data = resolve(import.meta.dirname, "../../../tests/data/visa");
const folder = join(data, "igc-5353");
const world = new World();
afterAll(() => world.remove());
cpSync(folder, world.folder, { recursive: true });

/** The instructions of a kernel, with predefined numbers in place of the names that objects and texts have. */
function linesOf({ kernels: [kernel] }: ast.File): readonly string[] {
  const lines = (kernel?.statements ?? []).flatMap((each) =>
    each.kind === "instruction" ? [printInstruction(each)] : [],
  );
  return lines.map((line) => line.replace(/\b([TPSA])0*(\d+)\b/g, "$1$2"));
}

const objectIn = (bytes: Uint8Array): ast.File => {
  const { value, diagnostics } = readObject("x.isa", bytes);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return value!;
};

const textIn = (path: string) => {
  const source = new Source(path, readFileSync(path, "utf8"));
  const { value, diagnostics } = parseVisa(source);
  expect(diagnostics).toEqual([]);
  return { file: value, source };
};

it.each(["atomics", "reduce"])("%s.isa has the lines of its text", (name) => {
  const object = objectIn(new Uint8Array(readFileSync(join(folder, `${name}.isa`))));
  expect(linesOf(object)).toEqual(linesOf(textIn(join(folder, `${name}.visaasm`)).file));
});

describe("objects run", () => {
  const sum = (from: number): number => Array.from({ length: 64 }, (_, i) => from + i).reduce((a, b) => a + b, 0);
  const bytes = Array.from({ length: 500 }, (_, i) => (i * i) % 7);
  it.each([
    ["saxpy", ["0=f32x64:iota", "1=f32x64:fill=3", "2=2.5"], "1", Array.from({ length: 64 }, (_, i) => 3 + 2.5 * i)],
    ["reduce", ["0=0", "1=s32x128:iota", "2=s32x2"], "2", [sum(0), sum(64)]],
    [
      "histogram",
      [`0=u8x500:${bytes.join()}`, "1=u32x256:fill=0", "2=500"],
      "1",
      Array.from({ length: 256 }, (_, value) => bytes.filter((each) => each === value).length),
    ],
  ])("%s", async (name, args, wanted, gives) => {
    const block = name === "saxpy" ? "32" : "64";
    const words = ["run", `${name}.isa`, "--grid", "2", "--block", block, ...args.flatMap((each) => ["-a", each])];
    const { out, err, exit } = await world.ptxrun([...words, "--dump", `${wanted}:all`]);
    expect([err.match(/error.*/g), exit]).toEqual([null, 0]);
    const numbers = [...out.matchAll(/^ *\[.*?\](.*)$/gm)].flatMap(([, row = ""]) =>
      row.trim().split(/\s+/).map(Number),
    );
    expect(numbers).toEqual(gives);
  });
});

it("what is written of a text is read as the text, and what is not is named", () => {
  const unwritten = new Map<string, number>();
  let written = 0;
  for (const name of readdirSync(join(data, "opencl")).filter((each) => each.endsWith(".dg2.visaasm"))) {
    const { file, source } = textIn(join(data, "opencl", name));
    const { value, diagnostics } = writeObject(file, source);
    if (value === undefined) {
      const [, word = ""] = /^(\w+) (?:has no binary form|takes)/.exec(diagnostics[0]?.message ?? "") ?? [];
      unwritten.set(word, (unwritten.get(word) ?? 0) + 1);
      continue;
    }
    written++;
    expect(linesOf(objectIn(value)), name).toEqual(linesOf(file));
  }
  expect([written, [...unwritten.keys()]]).toEqual([38, ["svm_atomic"]]);
});
