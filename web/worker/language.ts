import {
  type Completion,
  completions,
  Document,
  hover as hoverAt,
  lintVisa,
  withMending,
} from "../../packages/lsp/src/index.ts";
import type { Completions, Hover, Problem, Text } from "../page/client.ts";
import { problemOf } from "./problem.ts";

type Item = Completions["items"][number];

/** What the editor shows; it follows what is typed, so that only what has changed is read again. */
let document: Document | undefined;

function opened({ name, text }: Text): Document {
  if (document === undefined || document.name !== name) document = new Document(name, text, { visa: lintVisa });
  else if (document.text !== text) document.edit([{ start: 0, end: document.text.length, text }]);
  return document;
}

/** What is wrong with a text. */
export function problems(text: Text): readonly Problem[] {
  const document = opened(text);
  return document.diagnostics.map((each) => problemOf(withMending(document, each), document.source));
}

const kinds: Readonly<Record<Completion["kind"], Item["kind"]>> = {
  mnemonic: "mnemonic",
  suffix: "modifier",
  component: "modifier",
  type: "modifier",
  register: "register",
  "special register": "special",
  label: "label",
  function: "symbol",
  variable: "symbol",
  parameter: "symbol",
  value: "symbol",
  directive: "directive",
};

/** What may be written at an offset. */
export function complete(text: Text, offset: number): Completions | undefined {
  const all = completions(opened(text), offset);
  const [first] = all;
  if (first === undefined) return undefined;
  const { start } = first.replace;
  const items = all
    .filter(({ replace }) => replace.start === start)
    .sort((a, b) => a.rank - b.rank || (a.label < b.label ? -1 : 1));
  return {
    from: start,
    items: items.map(({ label, kind, detail, insert }) => ({
      label,
      kind: kinds[kind],
      ...(detail === undefined ? {} : { detail }),
      ...(insert === label ? {} : { insert }),
    })),
  };
}

/** What stands at an offset, and what the manual's table says of it; what is wrong there is told below the line. */
export function hover(text: Text, offset: number): Hover | undefined {
  const found = hoverAt(opened(text), offset, false);
  if (found === undefined) return undefined;
  return { from: found.span.start, to: found.span.end, lines: linesOf(found.text) };
}

/** Lines of Markdown without its marks: code between fences, text elsewhere. */
function linesOf(markdown: string): Hover["lines"] {
  let isCode = false;
  return markdown.split("\n").flatMap((line): Hover["lines"] => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [{ kind: "code", text: line }];
    const text = line.replace(/\[([^\][]*)\]\([^()]*\)/g, "$1").replaceAll(/`|\*\*/g, "");
    return text.trim() === "" ? [] : [{ kind: "text", text }];
  });
}
