import { problem } from "../host/problem.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";

/** What is explained: as text, and as the fields of `"schema": "ptxrun.explain/1"`. */
export interface Explained {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>> & {
    readonly kind: "code" | "value" | "forms" | "working" | "name" | "elements";
  };
}

export type Answer = Staged<Explained | undefined>;

export const said = (value: Explained): Answer => ({ value, diagnostics: [] });
export const refused = (diagnostic: Diagnostic): Answer => ({ value: undefined, diagnostics: [diagnostic] });

/** An unknown name, and what may have been meant. */
export const unknown = (message: string, meant: string | undefined, expected?: string): Diagnostic =>
  problem("PTX2301", message, {
    ...(expected === undefined ? {} : { expected }),
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });

export const hexJson = (bits: bigint): string => `0x${bits.toString(16)}`;
