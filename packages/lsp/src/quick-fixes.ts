import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Span } from "../../../src/source/source.ts";
import type { Document } from "./document.ts";
import { withMending } from "./mending.ts";
import type { Edit } from "./text/edit.ts";

/** A fix that an editor can apply. */
export interface QuickFix {
  readonly title: string;
  readonly diagnostic: Diagnostic;
  readonly edit: Edit;
  /** The only fix of the diagnostic. */
  readonly preferred: boolean;
}

/** The suggestions of the diagnostics that overlap a range. */
export function quickFixes(document: Document, { start, end }: Span): readonly QuickFix[] {
  return document.diagnostics
    .filter(({ span }) => span.start <= end && span.end >= start)
    .flatMap((diagnostic) => {
      const ways = (withMending(document, diagnostic).help ?? []).flatMap(({ message, replace }) =>
        replace ? [{ message, replace }] : [],
      );
      return ways.map(({ message, replace: { span, text } }) => ({
        title: titleOf(message, text),
        diagnostic,
        edit: { start: span.start, end: span.end, text },
        preferred: ways.length === 1,
      }));
    });
}

/** "did you mean %r1?" is a question; an editor's menu names the action. */
const titleOf = (message: string, text: string): string => {
  const [, meant] = /^did you mean (.*)\?$/.exec(message) ?? [];
  return meant === undefined ? message : `write ${text.trim() === "" ? meant : text.trim()}`;
};
