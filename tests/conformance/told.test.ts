import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { share } from "../share.ts";
import { twice, World } from "../unit/cli/world.ts";
import { errorsOf, outcomeOf, wordsOf } from "./verdict.ts";

/** A line of told.txt, whose first lines say how it is written. */
interface Told {
  readonly group: string;
  readonly text: string;
  readonly errors: number;
  readonly code: string;
  readonly at: string;
  readonly words: readonly string[];
}

const lines = readFileSync(new URL("../data/verdicts/told.txt", import.meta.url), "utf8").split("\n");

function read(): readonly Told[] {
  const told: Told[] = [];
  let group = "";
  for (const line of lines) {
    if (line.startsWith("@ ")) group = line.slice(2);
    if (line === "" || /^[#@] /.test(line)) continue;
    const [text = "", must = ""] = line.split(" ==> ");
    const [, errors = "1", code = "", at = "", words = ""] =
      /^(?:(\d+) )?(PTX\d{4}) `(.*?)`(?: (.*))?$/.exec(must) ?? [];
    const plain = (part: string): string => part.replaceAll("\\n", "\n");
    told.push({ group, text: plain(text), errors: Number(errors), code, at: plain(at), words: words.split(" && ") });
  }
  return told;
}

const header = ".version 8.0\n.target sm_90\n.address_size 64\n";
const registers =
  ".reg .pred %p<3>; .reg .b16 %rs<5>; .reg .b32 %r<10>; .reg .f32 %f<5>; .reg .b64 %rd<8>; .reg .f64 %fd<4>;";

/** The whole text of a mistake in PTX. */
function ptx({ group, text }: Told): string | undefined {
  const [kind, version = "8.0", target = "sm_90"] = group.split(" ");
  switch (kind) {
    case "kernel":
      return `.version ${version}\n.target ${target}\n.address_size 64
.visible .entry k(.param .u64 x, .param .u32 n)\n{\n${registers}\n${text}\nret;\n}\n`;
    case "module":
      return `${header}${text}\n`;
    case "text":
      return `${text}\n`;
    default:
      return undefined;
  }
}

const diagnose = (text: string): readonly Diagnostic[] =>
  errorsOf(outcomeOf({ text, in: "file", decl: {}, target: "sm_90", version: "8.0" }));

/** By groups; npm test takes one of six. */
const groups = new Map<string, Told[]>();
for (const told of share(read(), 12)) groups.set(told.group, [...(groups.get(told.group) ?? []), told]);

/** What differs from the line: the error, its place, or words that are not said. */
const differences = (told: Told, found: readonly (string | number | undefined)[], said: string): readonly string[] => {
  const wanted = [told.code, told.at, ...(found.length > 2 ? [told.errors] : [])];
  const silent = told.words.filter((words) => !said.includes(words));
  return String(found) === String(wanted) && silent.length === 0 ? [] : [`${told.text}: ${found.join(" ")}: ${said}`];
};

describe("mistakes in PTX", () => {
  it.each([...groups].filter(([, [first]]) => first && ptx(first)))("%s", (_, list) => {
    const wrong = list.flatMap((told) => {
      const text = ptx(told) ?? "";
      const errors = diagnose(text);
      const [first] = errors;
      const silent = errors.filter(({ expected, help = [] }) => expected === undefined && help.length === 0);
      const found = [first?.code, first && text.slice(first.span.start, first.span.end), errors.length];
      return [
        ...differences(told, found, errors.map(wordsOf).join("; ")),
        ...silent.map(({ message }) => `${told.text}: no way out: ${message}`),
      ];
    });
    expect(wrong).toEqual([]);
  });
});

/** What the first carets underline. */
function underlined(said: string): string {
  const printed = said.split("\n");
  const at = printed.findIndex((line) => /^ *\| *\^/.test(line));
  const [before = "", carets = ""] = /^( *\| *)(\^+)/.exec(printed[at] ?? "")?.slice(1) ?? [];
  return at < 1 ? "" : (printed[at - 1] ?? "").slice(before.length, before.length + carets.length);
}

describe("mistakes in other words", () => {
  const world = new World();
  afterAll(() => world.remove());
  world.write("s.ptx", "add.u32 d, a, b;\n");
  world.write("twice.ptx", twice);
  world.write("loop.ptx", `${header}.entry k()\n{\nL: bra L;\n}\n`);

  const run = ({ group, text }: Told): readonly [argv: readonly string[], stdin?: string] => {
    switch (group) {
      case "command":
        return [[...text.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)];
      case "check":
        world.write("c.ptx", `//@ ${text}\nadd.u32 d, a, b;\n`);
        return [["check", "c.ptx"]];
      case "REPL":
        return [["repl", "s.ptx", "-r", "a=1", "-r", "b=2"], `${text}\n`];
      case "plan":
        world.write("plan.json", text);
        return [["campaign", "plan", "plan.json"]];
      default:
        world.write("k.visaasm", `.version 3.8\n.kernel "k"\n${text}\nret (M1, 1)\n`);
        return [["lint", "k.visaasm"]];
    }
  };

  it.each([...groups].filter(([, [first]]) => first && !ptx(first)))("%s", async (_, list) => {
    const wrong: string[] = [];
    for (const told of list) {
      const [argv, stdin = ""] = run(told);
      const { exit, out, err } = await world.ptxrun(argv, { stdin });
      const said = out + err;
      const code = /^error (PTX\d{4}):/m.exec(said)?.[1];
      wrong.push(...differences(told, exit === 0 ? ["no error"] : [code, underlined(said)], said));
    }
    expect(wrong).toEqual([]);
  });
});
