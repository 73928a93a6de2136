import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";

/** A `//@ case` line, or another that runs something. */
export interface CaseLine extends Span {
  readonly name: string;
}

/** The golden checks that stand in a text. */
export function casesIn({ text }: Document): readonly CaseLine[] {
  const found: CaseLine[] = [];
  for (let at = text.indexOf("//@"); at >= 0; at = text.indexOf("//@", at + 3)) {
    const line = text.indexOf("\n", at);
    const end = line < 0 ? text.length : line;
    const [, kind, name] = /^\/\/@\s*(case|snapshot)\b\s*([^:\s]*)/.exec(text.slice(at, Math.min(end, at + 500))) ?? [];
    if (kind === undefined) continue;
    const shown = name === undefined || name === "" ? kind : name;
    found.push({ name: shown, start: at, end: text.charAt(end - 1) === "\r" ? end - 1 : end });
  }
  return found;
}
