import type { Span } from "../../../../src/source/source.ts";

/** A completion that can be inserted at a position. */
export interface Completion {
  readonly label: string;
  readonly kind:
    | "mnemonic"
    | "suffix"
    | "register"
    | "special register"
    | "component"
    | "label"
    | "function"
    | "variable"
    | "parameter"
    | "type"
    | "directive"
    | "value";
  /** A few words beside it. */
  readonly detail?: string;
  /** The text that replaces `replace`. */
  readonly insert: string;
  readonly replace: Span;
  /** Lower ones stand first; equal ones by their label. */
  readonly rank: number;
}

/** Items that all go to the same place. */
export const at =
  (replace: Span) =>
  (
    kind: Completion["kind"],
    label: string,
    {
      detail,
      insert = label,
      rank = 1,
    }: { readonly detail?: string; readonly insert?: string; readonly rank?: number } = {},
  ): Completion => ({ kind, label, insert, rank, replace, ...(detail !== undefined && { detail }) });
