import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { lint } from "../../src/index.ts";
import { renderDiagnostics } from "../../src/present/diagnostic.ts";
import type { Diagnostic } from "../../src/source/diagnostic.ts";
import { codes } from "../../src/source/index.ts";
import { World } from "../unit/cli/world.ts";
import { commands, directives, lines, visa } from "./mistakes/commands.ts";
import { files, several, statements } from "./mistakes/typed.ts";
import { line } from "./mistakes.ts";

/**
 * What people get wrong, and every word that ptxrun says of it, in one file to be read:
 * `tests/data/mistakes.txt`. `UPDATE=1 npx vitest run tests/conformance/mistake-corpus.test.ts` writes it anew.
 */
const golden = new URL("../data/mistakes.txt", import.meta.url);

const world = new World();
afterAll(() => world.remove());
world.write(
  "k.ptx",
  `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x, .param .u32 n)
{
  .reg .b64 %rd<3>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u32 %r1, [n];
  st.global.u32 [%rd1], %r1;
  ret;
}
`,
);
world.write("v.visaasm", vISA("add (M1, 16) C(0,0)<1> A(0,0)<16;16,1> A(0,0)<16;16,1>"));
world.write("s.ptx", "add.u32 d, a, b;\n");

function vISA(text: string): string {
  return `.version 3.8
.kernel "k"
.decl A v_type=G type=d num_elts=16 align=GRF
.decl C v_type=G type=d num_elts=16 align=GRF
    ${text}
    ret (M1, 1)
`;
}

const texts: readonly (readonly [name: string, text: string])[] = [
  ...statements.map((statement) => [statement, line(statement)] as const),
  ...Object.entries(files),
];
const errorsOf = (text: string): readonly Diagnostic[] =>
  lint({ name: "k.ptx", text }).filter(({ severity }) => severity === "error");

/** The text with one suggestion taken. */
const taken = (
  text: string,
  { span, text: put }: { readonly span: { start: number; end: number }; readonly text: string },
) => text.slice(0, span.start) + put + text.slice(span.end);

describe("a mistake in a text", () => {
  it.each(texts)("%s: one error, with a page", (name, text) => {
    const errors = errorsOf(text);
    expect(errors.length).toBeGreaterThan(0);
    if (!several.has(name)) expect(errors.map(({ code, message }) => `${code} ${message}`)).toHaveLength(1);
    for (const { code, expected, help } of errors) {
      expect(codes.has(code)).toBe(true);
      expect([code, expected ?? help?.[0]?.message ?? "nothing"]).not.toEqual([code, "nothing"]);
    }
  });

  it("is mended by each suggestion that an editor may take", () => {
    const failed = texts.flatMap(([name, text]) => {
      const errors = errorsOf(text);
      const fixes = errors.flatMap(({ help = [] }) => help.flatMap(({ replace }) => (replace ? [replace] : [])));
      return fixes.flatMap((fix) => {
        const left = errorsOf(taken(text, fix));
        return left.length < errors.length || several.has(name) ? [] : [`${name}: ${left[0]?.message}`];
      });
    });
    expect(failed).toEqual([]);
  });
});

it("is told in words that somebody has read", async () => {
  const said: string[] = [];
  const tell = (name: string, words: string) => said.push(`== ${name}\n${words.trimEnd()}\n`);
  for (const [name, text] of texts) tell(name, renderDiagnostics(errorsOf(text)));
  const complaints: string[] = [];
  const outside = (text: string) => text.replaceAll(world.folder, "FOLDER");
  for (const argv of commands) {
    const { exit, err } = await world.ptxrun([...argv]);
    tell(`ptxrun ${argv.join(" ")} exits ${exit}`, outside(err));
    if (exit === 0 || exit === 70 || err === "") complaints.push(`${argv.join(" ")}: ${exit}`);
  }
  for (const directive of directives) {
    world.write("c.ptx", `//@ ${directive}\nadd.u32 d, a, b;\n`);
    const { exit, out, err } = await world.ptxrun(["check", "c.ptx"]);
    tell(`//@ ${directive} exits ${exit}`, outside(`${out}${err}`).replaceAll(/\b\d+(\.\d+)? m?s\b/g, "TIME"));
    if (exit === 0 || exit === 70) complaints.push(`${directive}: ${exit}`);
  }
  for (const text of lines) {
    const { exit, out, err } = await world.ptxrun(["repl", "s.ptx", "-r", "a=1", "-r", "b=2"], { stdin: `${text}\n` });
    tell(`(ptxrun) ${text} exits ${exit}`, outside(`${out}${err}`));
    if (exit === 70) complaints.push(`${text}: ${exit}`);
  }
  for (const text of visa) {
    world.write("w.visaasm", vISA(text));
    const { exit, err } = await world.ptxrun(["lint", "w.visaasm"]);
    tell(`vISA ${text} exits ${exit}`, outside(err));
    if (exit !== 3) complaints.push(`${text}: ${exit}`);
  }
  const all = said.join("\n");
  if (process.env["UPDATE"]) writeFileSync(golden, all);
  expect(complaints).toEqual([]);
  expect(said.length).toBeGreaterThanOrEqual(200);
  expect(all).toBe(readFileSync(golden, "utf8"));
});
