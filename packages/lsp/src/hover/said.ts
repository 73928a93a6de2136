import type { Span } from "../../../../src/source/source.ts";

/** The text shown for a position: Markdown, and the span it is about. */
export interface Hover {
  readonly text: string;
  readonly span: Span;
}
