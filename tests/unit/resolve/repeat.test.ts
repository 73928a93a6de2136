import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import { hasErrors } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";
import { readVerdicts, wholeText } from "../../conformance/verdict.ts";
import { draws, sample } from "../../share.ts";
import { data, HEADER } from "../parser/read.ts";

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
    .filter((name) => every || /sm_80\.G|sm_103a|plain|lines|calls/.test(name))
    .map((name) => `${folder}/${name}`),
);

test.each(sample(texts, 18))("%s becomes the same programs as by the grammar alone", (name) => {
  const [expected, read] = bothWays(new Source(name, data(name)));
  expect(read).toEqual(expected);
});

test.each(["accepted", "rejected"])("what ptxas has %s draws the same as by the grammar alone", (name) => {
  const records = readVerdicts(`${name}.jsonl.gz`).filter((_, at) => every || at % draws(800, 40) === 0);
  // Each two times: what was learned from the first is repeated in the second.
  for (const record of records.flatMap((each) => [each, each])) {
    const text = wholeText(record);
    const [expected, read] = bothWays(new Source("record", text));
    if (expected?.length !== 0) expect(read, text).toEqual(expected);
  }
});

describe("what was resolved before is no excuse", () => {
  const both = (body: string) =>
    bothWays(
      new Source(
        "t.ptx",
        `${HEADER}.entry k(.param .u64 p)\n{\n.reg .b32 a, b; .reg .b64 d; .reg .pred q;\n${body}\nret;\n}\n`,
      ),
    ).map((programs) =>
      programs?.map(({ value, diagnostics }) => ({ value, codes: diagnostics.map(({ code }) => code) })),
    );

  test.each([
    ["a number that is out of range", "bar.sync 1; bar.sync 15; bar.sync 16;", ["PTX1303"]],
    ["a number that is too large", "mov.b32 a, 1; mov.b32 a, 99999999999999999999;", ["PTX1601"]],
    ["a float in place of an integer", "add.s32 a, b, 1; add.s32 a, b, 1.0;", ["PTX1303"]],
    ["a register of another type", "add.s32 a, b, a; add.s32 a, d, a;", ["PTX1302"]],
    [
      "an inner name of another type",
      "add.s32 a, b, a; { .reg .b64 b; add.s32 a, b, a; } add.s32 a, b, a;",
      ["PTX1302"],
    ],
    [
      "a name declared within the block",
      "{ add.s32 a, b, a; .reg .f32 b; add.s32 a, b, a; } add.s32 a, b, a;",
      ["PTX1302"],
    ],
    ["an inner label, which no line declares before", "add.s32 a, b, a; { add.s32 a, b, a; b: }", ["PTX1312"]],
    ["a name whose block has ended", "{ .reg .b32 c; add.s32 a, c, a; } add.s32 a, c, a;", ["PTX1320"]],
    ["a guard that is no predicate", "@q add.s32 a, b, a; @a add.s32 a, b, a;", ["PTX1309"]],
    [
      "a note for each",
      "add.s32.sat.sat a, b, a; add.s32.sat.sat a, a, b;",
      ["PTX9001", "PTX9002", "PTX9001", "PTX9002"],
    ],
    ["a space that a parameter is not in", "ld.param.u64 d, [p]; ld.global.u64 d, [p];", ["PTX1314"]],
  ])("%s", (_, body, codes) => {
    const [expected, read] = both(body);
    expect(read).toEqual(expected);
    expect(read?.[0]?.codes.toSorted()).toEqual(codes.toSorted());
  });

  test("an inner register is not the outer one of its name", () => {
    const [expected, read] = both("mov.b32 a, b; { .reg .b32 b; mov.b32 b, a; mov.b32 a, b; } mov.b32 a, b;");
    expect(read).toEqual(expected);
    const slots = read?.[0]?.value?.code.map(({ operands: [d, s] }) =>
      [d, s].map((each) => each?.kind === "slot" && each.slot),
    );
    expect(slots?.slice(0, 4)).toEqual([[0, 1], [2, 0], [0, 2], [0, 1]]); // biome-ignore format: one line
  });
});
