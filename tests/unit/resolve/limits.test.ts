import { describe, expect, test } from "vitest";
import { parse } from "../../../src/parser/index.ts";
import { loadModule } from "../../../src/resolve/index.ts";
import { shorten } from "../../../src/source/shorten.ts";
import { Source } from "../../../src/source/source.ts";
import { header, load } from "./load.ts";

const inBody = (statements: string) => load(`${header}.entry k()\n{\n${statements}\nret;\n}\n`).diagnostics;
const codes = (statements: string): string[] => inBody(statements).map(({ code }) => code);

describe("what no compiler writes", () => {
  test("64 modifiers are looked at, more are counted and passed over", () => {
    expect(codes(`.reg .u32 a; add${".u32".repeat(64)} a, a, a;`)).not.toContain("PTX1214");
    const [crowded, ...more] = inBody(`.reg .u32 a; add${".rn".repeat(65)} a, a, a;`);
    expect([crowded?.code, crowded?.message, more]).toEqual(["PTX1214", "add has 65 modifiers", []]);
    expect(codes(`foo${".rn".repeat(65)} a, a, a;`)).toEqual(["PTX1214"]);
  });

  test("50 errors of a function are given, then a note, then nothing", () => {
    const fifty = "mov.u3 a, a;\n".repeat(50);
    expect(codes(`.reg .u32 a;\n${fifty}`)).toEqual(Array(50).fill("PTX1202"));
    const all = inBody(`.reg .u32 a;\n${fifty.repeat(4)}`);
    expect(all.map(({ code }) => code)).toEqual([...Array(50).fill("PTX1202"), "PTX1119"]);
    expect(all.at(-1)).toMatchObject({ severity: "note", message: expect.stringContaining("more than 50 errors") });
  });

  test("the next function is checked all the same", () => {
    const bad = `.reg .u32 a;\n${"mov.u3 a, a;\n".repeat(60)}`;
    const { diagnostics } = load(`${header}.entry k()\n{\n${bad}}\n.entry l()\n{\nfoo;\n}\n`);
    expect(diagnostics.at(-1)?.code).toBe("PTX1201");
  });

  test("a long name is cut in messages, a mangled one is not", () => {
    const mangled = `_Z${"N5torch".repeat(20)}`;
    expect(inBody(`.reg .u32 a; mov.u32 a, ${mangled};`)[0]?.message).toBe(`${mangled} is not declared`);
    const [long] = inBody(`.reg .u32 a; mov.u32 a, ${"n".repeat(1000)};`);
    expect(long?.message).toBe(`${"n".repeat(57)}... is not declared`);
    expect(shorten(`x ${"a".repeat(201)} y ${"b".repeat(200)}`)).toBe(`x ${"a".repeat(57)}... y ${"b".repeat(200)}`);
  });
});

test("a kernel is ready without a look into the other bodies", () => {
  const broken = "{\nadd.u32 ((( this is no PTX;\n}\n";
  const text = `${header}.entry first()\n${broken}.func f()\n${broken}.entry wanted()\n{\nret;\n}\n.entry last()\n${broken}`;
  const source = new Source("module.ptx", text);
  const { value: module, diagnostics } = parse(source, { bodies: "index" });
  const { value: image, diagnostics: heads } = loadModule(source, module);
  const { value: program, diagnostics: body } = image.kernel("wanted");
  expect([...diagnostics, ...heads, ...body]).toEqual([]);
  expect(program?.code.map(({ opcode }) => opcode)).toEqual(["ret"]);
  // Whoever asks for another body hears of it.
  expect(image.kernel("first").diagnostics.map(({ code }) => code.slice(0, 5))).toContain("PTX11");
});
