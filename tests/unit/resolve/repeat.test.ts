import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import { hasErrors } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";
import { moduleText, readRecords } from "../../conformance/record.ts";
import { data } from "../parser/read.ts";

/** The programs of a module, once with trees that the grammar made, and once as a run reads it; none for what has no syntax. */
const bothWays = (source: Source) =>
  (["all", "index"] as const).map((bodies) => {
    const { value: module, diagnostics } = parse(source, { bodies });
    const { value: image } = loadModule(source, module);
    return hasErrors(diagnostics) ? [] : image.entries.map((name) => image.kernel(name));
  });

const every = process.env["EVERY"] === "1";
const texts = ["kernels", "nvcc", "fuzz"].flatMap((folder) =>
  readdirSync(new URL(`../../data/${folder}`, import.meta.url))
    .filter((name) => name.endsWith(".ptx.gz"))
    .filter((name) => every || /sm_80|sm_90a|plain|lines|calls/.test(name))
    .map((name) => `${folder}/${name}`),
);

test.each(texts)("%s becomes the same programs as by the grammar alone", (name) => {
  const [expected, read] = bothWays(new Source(name, data(name)));
  expect(read).toEqual(expected);
});

test.each(["accepted", "rejected"])("what ptxas has %s draws the same as by the grammar alone", (name) => {
  const records = readRecords(`${name}.jsonl.gz`).filter((_, at) => every || at % 40 === 0);
  // Each two times: what was learned from the first is repeated in the second.
  for (const record of records.flatMap((each) => [each, each])) {
    const text = moduleText(record);
    const [expected, read] = bothWays(new Source("record", text));
    if (expected?.length !== 0) expect(read, text).toEqual(expected);
  }
});
