import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Document } from "../../../../packages/lsp/src/document.ts";
import { applied, format } from "../../../../packages/lsp/src/format/format.ts";
import { parse, print } from "../../../../src/parser/index.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import { Source } from "../../../../src/source/source.ts";
import { readVerdicts } from "../../../conformance/verdict.ts";
import { bugIn, feed, limits } from "../feed.ts";
import type { Target } from "../input.ts";
import { mutated, shortened, wordsOf } from "../mutation.ts";

const root = resolve(import.meta.dirname, "../../../..");

/** The programs of examples/, in the order of their names. */
export function examples(extension = ".ptx"): readonly string[] {
  const folder = join(root, "examples");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(extension));
  return names.sort().map((name) => readFileSync(join(folder, name), "utf8"));
}

const modules = (): readonly string[] => [...examples(), ...readVerdicts("lexical.jsonl.gz").map(({ text }) => text)];

let words: readonly string[] | undefined;

/** Texts of PTX with mistakes in them. */
export const ptx: Target = {
  bases: () => modules().map((text) => [text]),
  change: ([text = ""], random) => {
    words ??= wordsOf(modules());
    return [mutated(shortened(text, 6000, random), words, random)];
  },
  attempt: ([text = ""]) => attemptModule(text),
};

/** Checks and runs a module, in both executors, and prints it. */
export async function attemptModule(text: string): Promise<string | undefined> {
  const linted = await feed(["lint", "x.ptx"], { "x.ptx": text });
  const bug = bugIn(linted) ?? (linted.exit === 3 ? undefined : printed(text));
  if (bug !== undefined) return bug;
  const grid = /\.entry/.test(text) && text.length % 2 === 0 ? ["--grid", "2", "--block", "5"] : [];
  return bothAgree(["run", "x.ptx", ...limits, ...grid], { "x.ptx": text });
}

/** Runs a command line in both executors, which must say the same. */
export async function bothAgree(
  argv: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const [js, wasm] = [
    await feed([...argv, "--executor", "js"], files),
    await feed([...argv, "--executor", "wasm"], files),
  ];
  const bug = bugIn(js) ?? bugIn(wasm);
  if (bug !== undefined) return bug;
  // Whoever runs out of time has come as far as the machine was fast.
  if (js.exit === 6 || wasm.exit === 6) return undefined;
  return js.exit === wasm.exit && js.out === wasm.out && js.err === wasm.err ? undefined : "the executors differ";
}

/** What is printed of a program is the program, and what the formatter makes of its text too. */
function printed(text: string): string | undefined {
  const program = parse(new Source("x.ptx", text));
  if (hasErrors(program.diagnostics)) return undefined;
  const once = print(program.value);
  const again = parse(new Source("x.ptx", once));
  if (hasErrors(again.diagnostics)) return `what is printed has an error: ${again.diagnostics[0]?.code}`;
  if (print(again.value) !== once) return "what is printed is another program";
  const laid = (text: string): string => applied(text, format(new Document("x.ptx", text)));
  const formatted = laid(text);
  if (print(parse(new Source("x.ptx", formatted)).value) !== once) return "what is formatted is another program";
  return laid(formatted) === formatted ? undefined : "what is formatted is formatted otherwise";
}
