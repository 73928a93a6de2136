import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

/** A command that a page shows, and the output that it shows under it. */
export interface Shown {
  readonly command: string;
  readonly output: readonly string[];
}

export const textOf = (page: string): string => readFileSync(resolve(root, page), "utf8");

/** What a page's code blocks tell the reader to type: after `$`, and all of a block whose first line is a command. */
export function commandsOf(page: string): Shown[] {
  return blocksOf(textOf(page)).flatMap(({ language, lines }) => {
    if (language === "yaml") return stepsOf(lines).map((command) => ({ command, output: [] }));
    const prompts = lines.flatMap((line, at) => (line.startsWith("$ ") ? [at] : []));
    if (prompts.length > 0)
      return prompts.map((at, index) => ({
        command: lines[at]?.slice(2) ?? "",
        output: lines.slice(at + 1, prompts[index + 1] ?? lines.length),
      }));
    const isShell = language === "sh" || (language === "" && lines.some((line) => STARTS.test(line)));
    return isShell ? lines.filter((line) => !/^(#|$)/.test(line)).map((command) => ({ command, output: [] })) : [];
  });
}

/** How a line begins that somebody types. */
const STARTS = /^(ptxrun|npm|npx|node|python3|sh|git|\.ci\/run|bash|source)\b/;

interface Block {
  /** "" for an indented one. */
  readonly language: string;
  readonly lines: readonly string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { readonly fenced: boolean; readonly lines: string[] } | undefined;
  const begin = (language: string, fenced: boolean): string[] => {
    const lines: string[] = [];
    blocks.push({ language, lines });
    open = { fenced, lines };
    return lines;
  };
  for (const line of text.split("\n")) {
    const [, language] = /^```(\w*)$/.exec(line) ?? [];
    if (open?.fenced) {
      if (language === "") open = undefined;
      else open.lines.push(line);
    } else if (language !== undefined) begin(language === "" ? "text" : language, true);
    else if (line.startsWith("    ")) (open?.lines ?? begin("", false)).push(line.slice(4));
    else open = undefined;
  }
  return blocks;
}

/** The commands of a workflow: `- run: COMMAND`, and the items of `script:`; one for each value of a matrix. */
function stepsOf(lines: readonly string[]): string[] {
  const values = /\[(.*)\]/.exec(lines.find((line) => /^\s+part: /.test(line)) ?? "")?.[1]?.split(", ") ?? [""];
  const steps = lines.flatMap((line, at) => {
    const [, run] = /^\s*- run: (.*)$/.exec(line) ?? [];
    if (run !== undefined) return [run];
    const [, item] = /^\s{4}- (.*)$/.exec(line) ?? [];
    const head = lines.slice(0, at).findLast((each) => /^\s{2}\w/.test(each));
    return item !== undefined && head?.trim() === "script:" ? [item] : [];
  });
  return steps.flatMap((step) =>
    step.includes("${{") ? values.map((value) => step.replace(/\$\{\{.*?\}\}/, value)) : [step],
  );
}
