import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { casesIn } from "./cases.ts";

/** An action on a kernel or a golden check, shown above it. */
export interface Lens {
  readonly title: "run" | "debug" | "check";
  readonly span: Span;
  /** The kernel, for a module; of a snippet nothing. */
  readonly kernel?: string;
  /** The golden check. */
  readonly case?: string;
}

/** "run" and "debug" on kernels, "check" on golden checks, and on kernels of a text that has some. */
export function lenses(document: Document): readonly Lens[] {
  if (document.kind === "vISA") return [];
  const cases = casesIn(document);
  const onCases = cases.map(({ name, start, end }): Lens => ({ title: "check", span: { start, end }, case: name }));
  const of = (span: Span, kernel?: string): readonly Lens[] =>
    (["run", "debug", ...(cases.length > 0 ? (["check"] as const) : [])] as const).map((title) => ({
      title,
      span: { start: span.start, end: span.end },
      ...(kernel !== undefined && { kernel }),
    }));
  if (document.kind === "snippet") {
    const [first] = document.block().statements;
    return first === undefined ? onCases : [...onCases, ...of(first)];
  }
  const kernels = document.module.value.items.flatMap((item) =>
    item.kind === "function" && item.entry && item.body ? of(item.name, item.name.text) : [],
  );
  return [...onCases, ...kernels];
}
