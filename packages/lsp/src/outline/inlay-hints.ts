import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { inferredIn } from "../names/inferred.ts";

/** A label shown after a position; it is not in the text. */
export interface Hint {
  readonly offset: number;
  readonly text: string;
}

/** The types of undeclared registers, where each is first used. */
export function inlayHints(document: Document, { start, end }: Span): readonly Hint[] {
  if (document.kind === "vISA") return [];
  const bodies =
    document.kind === "snippet"
      ? [undefined]
      : document.module.value.items.flatMap((item) =>
          item.kind === "function" && item.body && item.start <= end && item.end >= start ? [item] : [],
        );
  return bodies
    .flatMap((func) => inferredIn(document, func))
    .filter(({ span }) => span.start >= start && span.end <= end)
    .sort((a, b) => a.span.start - b.span.start)
    .map(({ span, type }) => ({ offset: span.end, text: `: .${type}` }));
}
