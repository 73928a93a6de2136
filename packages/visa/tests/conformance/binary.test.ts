import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Source } from "../../../../src/source/index.ts";
import { readObject } from "../../src/binary/read.ts";
import { objectVersion } from "../../src/binary/version.ts";
import { writeObject } from "../../src/binary/write.ts";
import { parseVisa } from "../../src/text/parse.ts";
import { printFile } from "../../src/text/print.ts";

// 227 additions with the code that Intel's writer of 2020 made of them, four of its objects whole, and one object that
// its reader takes.

interface Pair {
  readonly id: number;
  readonly text: string;
  readonly code: string;
  /** In the order of their numbers, from 32 on; the name says the type. */
  readonly variables: readonly string[];
}

const data = (name: string) => new URL(`../../../../tests/data/visa/${name}`, import.meta.url);
const lines = <T>(name: string): T[] =>
  readFileSync(data(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

function assemble(text: string, version?: string): Uint8Array {
  const source = new Source("<test>", text);
  const file = parseVisa(source);
  expect(file.diagnostics).toEqual([]);
  const { value, diagnostics } = writeObject(
    file.value,
    source,
    version === undefined ? undefined : objectVersion(version),
  );
  expect(diagnostics).toEqual([]);
  return value ?? new Uint8Array();
}

function disassemble(bytes: Uint8Array): string {
  const { value, diagnostics } = readObject("<test>", bytes);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return value === undefined ? "" : printFile(value);
}

const module = ({ text, variables }: Pair, version: string): string =>
  [
    `.version ${version}`,
    '.kernel "k"',
    ...variables.map((name) => `.decl ${name} v_type=G type=${name.slice(1)} num_elts=64 align=GRF`),
    ".decl P1 v_type=P num_elts=32",
    ".decl A0 v_type=A num_elts=16",
    `    ${text}`,
    "    ret (M1, 1)",
    "",
  ].join("\n");

describe("Intel's pairs of text and code", () => {
  const pairs = lines<Pair>("add-pairs.jsonl");

  it("are 227", () => expect(pairs.length).toBe(227));

  it.each(["4.1", "3.6"])("go from text to code to text and back in an object of version %s", (version) => {
    for (const pair of pairs) {
      const text = module(pair, version);
      const object = assemble(text, version);
      // The code stands last; ret (M1, 1) is 34 00 0000.
      expect(hex(object).slice(-pair.code.length - 8), pair.text).toBe(`${pair.code}34000000`);
      expect(disassemble(object)).toBe(text);
      expect(hex(assemble(disassemble(object), version))).toBe(hex(object));
    }
  });
});

interface Case {
  readonly id: number;
  readonly instruction: string;
  readonly decls: readonly {
    readonly name: string;
    readonly type: string;
    readonly num_elts: number;
    readonly alias?: string;
    readonly alias_offset?: number;
  }[];
  readonly predicates: object;
  readonly addresses: object;
}

describe("the worked cases of add", () => {
  const codes = new Map(lines<{ id: number; code: string }>("add-case-codes.jsonl").map(({ id, code }) => [id, code]));

  it("are encoded as the facts say", () => {
    const cases = lines<Case>("add-cases.jsonl");
    expect(cases.length).toBe(41);
    for (const { id, instruction, decls, predicates, addresses } of cases) {
      const text = [
        '.version 3.8\n.kernel "k"',
        ...decls.map(
          ({ name, type, num_elts, alias, alias_offset }) =>
            `.decl ${name} v_type=G type=${type} num_elts=${num_elts}${alias ? ` alias=<${alias}, ${alias_offset}>` : ""}`,
        ),
        ...Object.keys(predicates).map((name) => `.decl ${name} v_type=P num_elts=32`),
        ...Object.keys(addresses).map((name) => `.decl ${name} v_type=A num_elts=16`),
        `    ${instruction}\n`,
      ].join("\n");
      const code = codes.get(id) ?? "none";
      expect(hex(assemble(text)).slice(-code.length), instruction).toBe(code);
    }
  });
});

describe("the objects of Intel's writer of 2020", () => {
  const objects = lines<{ id: number; text: string; file: string }>("objects.jsonl");

  it("are read as what they were made from, without the code for a GPU", () => {
    expect(objects.map(({ id }) => id)).toEqual([0, 280, 360, 520]);
    for (const { text, file } of objects) {
      const { value, diagnostics } = readObject("t.isa", Buffer.from(file, "hex"));
      expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["PTX8509", "note"]]);
      const printed = value === undefined ? "" : printFile(value);
      expect(printed.split("\n").slice(0, 2)).toEqual([".version 3.6", '.kernel "t"']);
      // It keeps the predicate Ps under its own name.
      expect(printed).toContain(`    ${text.replace("(P1)", "(Ps)")}\n    ret (M1, 1)\n`);
      expect(printed).toContain('.kernel_attr SLMSize=0\n.kernel_attr Target="cm"\n');
      expect(disassemble(assemble(printed, "3.6"))).toBe(printed);
    }
  });
});

describe("demo.isa", () => {
  const demo = new Uint8Array(readFileSync(data("demo.isa")));

  it("is disassembled", () =>
    expect(disassemble(demo)).toBe(`.version 4.1
.kernel "demo"
.decl V32 v_type=G type=f num_elts=16 align=GRF
.decl V33 v_type=G type=f num_elts=16 align=GRF
.decl V34 v_type=G type=f num_elts=16 align=GRF
.decl P1 v_type=P num_elts=16
.decl A0 v_type=A num_elts=1
    (!P1.all) add.sat (M3, 8) V32(0,0)<1> (-)V33(0,0)<8;8,1> 0x3f000000:f
    ret (M1_NM, 1)
`));

  it("is reproduced byte for byte", () => expect(hex(assemble(disassemble(demo)))).toBe(hex(demo)));
});
