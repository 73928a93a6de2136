import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { objectVersion, parseVisa, printFile, readObject, writeObject } from "../../../../packages/visa/src/index.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { Source } from "../../../../src/source/source.ts";
import { readVerdicts } from "../../../conformance/verdict.ts";
import { bugIn, feed, limits } from "../feed.ts";
import type { Target } from "../input.ts";
import { mutated, shortened, wordsOf } from "../mutation.ts";
import { bothAgree, examples } from "./ptx.ts";

const dumps = resolve(import.meta.dirname, "../../../data/visa/opencl");

const texts = (): readonly string[] => [
  ...examples(".visaasm"),
  ...readVerdicts("visa-files.jsonl.gz").flatMap(({ text, cat }) => (cat === undefined ? [text] : [])),
  ...readdirSync(dumps).filter((name) => name.endsWith(".visaasm")).sort().map((name) => readFileSync(join(dumps, name), "utf8")), // biome-ignore format: one line
];

let words: readonly string[] | undefined;

/** Texts of vISA with mistakes in them. */
export const visa: Target = {
  bases: () => texts().map((text) => [text]),
  change: ([text = ""], random) => {
    words ??= wordsOf(texts());
    return [mutated(shortened(text, 6000, random), words, random)];
  },
  attempt: async ([text = ""]) => {
    const files = { "x.visaasm": text };
    const linted = await feed(["lint", "x.visaasm"], files);
    const bug = bugIn(linted) ?? (linted.exit === 0 ? printed(text) : undefined);
    return bug ?? bothAgree(["run", "x.visaasm", ...limits], files);
  },
};

/** Objects of vISA with other bytes in them. */
export const object: Target = {
  bases: () => texts().flatMap((text) => { const bytes = objectOf(text); return bytes === undefined ? [] : [[Buffer.from(bytes).toString("latin1")]]; }), // biome-ignore format: one line
  change: ([bytes = ""], random) => {
    const changed = Buffer.from(bytes, "latin1");
    for (let more = 1 + random.below(4); more > 0 && changed.length > 0; more--) {
      const at = random.below(changed.length);
      changed[at] = random.chance(30)
        ? random.any([0, 1, 0x7f, 0x80, 0xff])
        : (changed[at] ?? 0) ^ (1 << random.below(8));
    }
    const text = changed.toString("latin1");
    if (!random.chance(20)) return [text];
    const at = random.below(text.length);
    return [text.slice(0, at) + text.slice(at + 1 + random.below(9))];
  },
  attempt: async ([bytes = ""]) => {
    const files = { "x.isa": bytes };
    for (const argv of [
      ["visa", "disasm", "x.isa"],
      ["lint", "x.isa"],
      ["run", "x.isa", ...limits],
    ]) {
      const bug = bugIn(await feed(argv, files));
      if (bug !== undefined) return bug;
    }
    return undefined;
  },
};

function objectOf(text: string): Uint8Array | undefined {
  const source = new Source("x.visaasm", text);
  const { value, diagnostics } = parseVisa(source);
  return hasErrors(diagnostics) ? undefined : writeObject(value, source, objectVersion("4.1")).value;
}

/** What is printed of a file is that file; so is what is read of its object, where it has one. */
function printed(text: string): string | undefined {
  const file = parseVisa(new Source("x.visaasm", text));
  if (hasErrors(file.diagnostics)) return undefined;
  const once = printFile(file.value);
  const again = parseVisa(new Source("x.visaasm", once));
  if (hasErrors(again.diagnostics)) return `what is printed has an error: ${again.diagnostics[0]?.code}`;
  if (printFile(again.value) !== once) return "what is printed is another file";
  const bytes = objectOf(text);
  // An object cannot have a kernel without a name: one is made up where it is read.
  if (bytes === undefined || file.value.kernels.some(({ name }) => name.text === "")) return undefined;
  const read = readObject("x.isa", bytes);
  if (read.value === undefined) return `what is written cannot be read: ${read.diagnostics[0]?.code}`;
  // Names stand in an object in the order of its parts, which need not be the text's: the second object has that order.
  const text2 = printFile(read.value);
  const bytes2 = objectOf(text2);
  const read2 = bytes2 && readObject("x.isa", bytes2).value;
  return read2 !== undefined && printFile(read2) === text2 ? undefined : "an object is read as another";
}
