import type { Span } from "../../../../src/source/source.ts";

/** What is said of a place: Markdown, and what it is about. */
export interface Hover {
  readonly text: string;
  readonly span: Span;
}
