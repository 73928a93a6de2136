import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type Block, parse, parseSnippet } from "../../../src/parser/index.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";

/** A compressed text under `tests/data`. */
export const data = (path: string): string =>
  gunzipSync(readFileSync(new URL(`../../data/${path}`, import.meta.url))).toString("utf8");

export const HEADER = ".version 9.0\n.target sm_90\n.address_size 64\n";

export const readModule = (text: string) => parse(new Source("t.ptx", text));
export const readSnippet = (text: string): Staged<Block> => parseSnippet(new Source("t.ptx", text));

/** Each diagnostic as `CODE text-it-underlines`. */
export const marks = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ code, source, span }) => `${code} ${source.text.slice(span.start, span.end)}`);

/** A tree without its offsets. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "start" && key !== "end");
  return Object.fromEntries(kept.map(([key, inner]) => [key, key === "body" ? "body" : bare(inner)]));
}
