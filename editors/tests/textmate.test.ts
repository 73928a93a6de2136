import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../../packages/visa/src/text/lines.ts";
import { token as visaToken } from "../../packages/visa/src/text/tokens.ts";
import { mnemonics, table } from "../../src/isa/index.ts";
import { tokenize } from "../../src/lexer/index.ts";
import { Source } from "../../src/source/source.ts";
import { sample } from "../../tests/share.ts";
import { collectWords } from "../language/words.ts";
import { colour } from "./engine.ts";

const words = collectWords();
const files = (ending: string): readonly string[] =>
  sample(
    readdirSync("examples", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(ending)),
    8,
  ).map((file) => join("examples", file));

/** The scopes that fit each token of PTX, by their beginnings. */
const fitting: Readonly<Record<string, readonly string[]>> = {
  WarpSize: ["constant.language"],
  Integer: ["constant.numeric.integer"],
  Single: ["constant.numeric.float"],
  Float: ["constant.numeric.float"],
  Text: ["string.quoted"],
  Linkage: ["keyword.other.directive"],
  Space: ["storage.modifier.space"],
  Comma: ["punctuation.separator"],
  Semicolon: ["punctuation"],
  Colon: ["punctuation.separator", "keyword.operator"],
  At: ["keyword.operator"],
  OpenBrace: ["punctuation.section"],
  CloseBrace: ["punctuation.section"],
  OpenBracket: ["punctuation.section"],
  CloseBracket: ["punctuation.section"],
  OpenParen: ["punctuation.section"],
  CloseParen: ["punctuation.section"],
};
const operators = new Set(["Equal", "Plus", "Minus", "Not", "Tilde", "Question", "Less", "Greater", "Pipe", "Infix"]);
const mnemonicOf = (image: string): string => image.split(".")[0] ?? "";

/** Says where a colouring does not fit the tokens; one line for each. */
async function misfits(text: string): Promise<string[]> {
  const at = await colour(text, "source.ptx");
  const found: string[] = [];
  const { tokens } = tokenize({ source: new Source("x.ptx", text), text, base: 0, as: "body" });
  let starts = true;
  let head = "";
  let located = false;
  for (const [index, { tokenType, image, startOffset: offset }] of tokens.entries()) {
    const want = (place: number, ...scopes: readonly string[]): void => {
      const got = at(offset + place);
      if (!scopes.some((scope) => got.startsWith(scope)))
        found.push(`${image.trim()} at ${offset + place}: ${got || "nothing"}, not ${scopes.join(" or ")}`);
    };
    const { name } = tokenType;
    const next = tokens[index + 1]?.tokenType.name;
    // `.loc` has no semicolon: it ends with its line.
    if (located && /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, offset - 80), offset))) starts = true;
    if (starts) located = name === "Loc";
    if (name === "Word") {
      const first = mnemonicOf(image);
      if (starts && next === "Colon") want(0, "entity.name.label");
      else if (starts && mnemonics.includes(first)) {
        want(0, "keyword.mnemonic");
        for (let dot = image.indexOf("."); dot >= 0; dot = image.indexOf(".", dot + 1))
          want(dot, "storage.type", "storage.modifier.space", "entity.other.attribute-name.modifier");
      } else if (head !== "" && next === "OpenParen") want(0, "entity.name.function");
      else if (words.ptx.specials.includes(first.slice(1)) && first.startsWith("%")) want(0, "variable.language");
      else if (/^[%$]/.test(image)) want(0, "variable.other.register");
      else want(0, "variable.other", "entity.name.function");
    } else if (name === "Dotted")
      want(0, "storage.type", "entity.other.attribute-name", "storage.modifier.space", "keyword.other.directive");
    else if (operators.has(name)) want(0, "keyword.operator");
    else want(0, ...(fitting[name] ?? ["keyword.other.directive"]));
    if (name === "Entry" || name === "Func") head = image;
    if (name === "Semicolon" || name === "OpenBrace") head = "";
    // What follows a guard, `@p` or `@!p`, begins an instruction as well.
    const guards = name === "At" || (name === "Not" && tokens[index - 1]?.tokenType.name === "At");
    const guarded: boolean = /^(?:At|Not)$/.test(tokens[index - 1]?.tokenType.name ?? "") && name === "Word" && starts;
    const labels: boolean = starts && name === "Word" && next === "Colon";
    starts =
      guards || guarded || labels || /^(?:Semicolon|OpenBrace|CloseBrace)$/.test(name) || (name === "Colon" && starts);
  }
  return found;
}

test.each(files(".ptx"))("each token of %s has the scope that fits", async (file) => {
  expect(await misfits(readFileSync(file, "utf8"))).toEqual([]);
});

test("every mnemonic, modifier, type, space, directive and special register of the tables has its scope", async () => {
  const { ptx } = words;
  const first = async (before: string, word: string): Promise<string> =>
    (await colour(`${before}${word} `, "source.ptx"))(before.length);
  const wrong: string[] = [];
  const all = async (list: readonly string[], before: string, sign: string, scope: string): Promise<void> => {
    for (const word of list) if ((await first(before, sign + word)) !== scope) wrong.push(`${word} is no ${scope}`);
  };
  await all(ptx.mnemonics, "@%p1 ", "", "keyword.mnemonic.ptx");
  await all(ptx.modifiers, "add", ".", "entity.other.attribute-name.modifier.ptx");
  await all(ptx.types, "add.rn", ".", "storage.type.ptx");
  await all(ptx.spaces, "ld", "", "storage.modifier.space.ptx");
  await all(ptx.specials, "mov.u32 d, ", "%", "variable.language.special-register.ptx");
  await all(ptx.directives, "  ", "", "keyword.other.directive.ptx");
  expect(wrong).toEqual([]);
  expect(ptx.mnemonics).toEqual([...mnemonics].sort());
  const choices = table.flatMap(({ forms }) =>
    forms.flatMap(({ modifiers }) => modifiers.flatMap((each) => each.choices)),
  );
  const known = new Set([...ptx.modifiers, ...ptx.types, ...ptx.spaces.map((word) => word.slice(1))]);
  expect(choices.filter((word) => !known.has(word))).toEqual([]);
});

test("a mnemonic is one only where an instruction begins", async () => {
  const scopes = async (text: string, word: string): Promise<string> =>
    (await colour(text, "source.ptx"))(text.lastIndexOf(word));
  expect(await scopes("add.u32 %r1, add, 1;", "add")).toBe("variable.other.ptx");
  expect(await scopes("add.u32 %r1,\n  %r2, abs;", "abs")).toBe("variable.other.ptx");
  expect(await scopes("abs: ret;", "abs")).toBe("entity.name.label.ptx");
  expect(await scopes(".func abs (.param .u32 x) { ret; }", "abs")).toBe("entity.name.function.ptx");
  expect(await scopes(".func (.param .u32 r) sub (.param .u32 x)", "sub")).toBe("entity.name.function.ptx");
  expect(await scopes("add.u32 %r1, 1, 2; /* add */ sub.u32", "sub")).toBe("keyword.mnemonic.ptx");
  expect(await scopes("// add.u32", "add")).toBe("comment.line.double-slash.ptx");
  expect(await scopes("addx.u32 d, a;", "addx")).toBe("variable.other.ptx");
  expect(await scopes("mov.b32 d, 0f3F800000;", "0f")).toBe("constant.numeric.float.ptx");
});

test("lines that check reads stand out of their comments", async () => {
  const line = '//@ case one: a=1 out==x -> d=2 prints~"hi"';
  for (const scope of ["source.ptx", "source.visa"] as const) {
    const at = await colour(line, scope);
    const of = (word: string): string => at(line.indexOf(word)).split(".").slice(0, -1).join(".");
    expect(of("case")).toBe("keyword.control.golden");
    expect(of("one")).toBe("entity.name.function.golden");
    expect(of("a=")).toBe("variable.parameter.golden");
    expect(of("->")).toBe("keyword.operator.golden");
    expect(of('"hi"')).toBe("string.quoted.golden");
  }
  for (const word of words.golden)
    expect((await colour(`//@ ${word} x`, "source.ptx"))(4)).toBe("keyword.control.golden.ptx");
  expect((await colour("  //~ error PTX1001", "source.ptx"))(12)).toBe("constant.other.code.golden.ptx");
});

test.each(files(".visaasm"))("mnemonics, types, labels and numbers of %s have the scopes that fit", async (file) => {
  const text = readFileSync(file, "utf8");
  const at = await colour(text, "source.visa");
  for (const line of linesOf(new Source(file, text)).lines)
    for (const { tokenType, image, startOffset } of line) {
      const got = at(startOffset);
      expect(got, image).not.toBe("");
      if (tokenType === visaToken.type) expect(got, image).toBe("storage.type.visa");
      if (tokenType === visaToken.label) expect(got, image).toBe("entity.name.label.visa");
      if (tokenType === visaToken.hex || tokenType === visaToken.integer)
        expect(got, image).toBe("constant.numeric.visa");
      if (tokenType === visaToken.dotted && line[0]?.startOffset === startOffset)
        expect(got, image).toBe("keyword.other.directive.visa");
    }
});

test("every mnemonic and every type of vISA has its scope", async () => {
  const { mnemonics: all, types } = words.visa;
  for (const word of all)
    expect((await colour(`    (P1) ${word} (M1, 16)`, "source.visa"))(9)).toBe("keyword.mnemonic.visa");
  for (const type of types)
    expect((await colour(`mov (M1, 1) A 0x0:${type}`, "source.visa"))(17)).toBe("storage.type.visa");
});
