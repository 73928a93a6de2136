import { appendFileSync } from "node:fs";
import { reason } from "../environment/reason.ts";
import type { Kernel } from "../host/index.ts";
import type { Session } from "../interp/machine/session.ts";
import { findingOf } from "../present/finding.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Witness } from "./journal.ts";
import type { Settings } from "./settings.ts";

/** Findings of one program that are told: a framework launches the same kernel many times. */
export const MOST_FINDINGS = 100;

/** The same finding of the same text is one, however often its kernel is launched. */
export const keyOf = ({ code, span, source }: Diagnostic): string => `${code} ${span.start} ${source.text}`;

/** Programs read memory that nothing has written and make nothing of it: an error only where `init` is asked for. */
export const mildly = (finding: Diagnostic): Diagnostic =>
  finding.code === "PTX4001" && finding.severity === "error"
    ? {
        ...finding,
        severity: "note",
        help: [...(finding.help ?? []), { message: "--sanitize mem,init,sync makes it an error" }],
      }
    : finding;

/**
 * Appends each fault and each finding to a file, a line of JSON each, for the reports of `exec`. A program may start others:
 * their workers write to the same file, a line at once.
 */
export class KeptFindings implements Witness {
  readonly #file: string;
  readonly #settings: Settings;
  readonly #say: (text: string) => void;
  readonly #kept: Set<string> = new Set();

  constructor(file: string, settings: Settings, say: (text: string) => void) {
    this.#file = file;
    this.#settings = settings;
    this.#say = say;
  }

  begins(): void {}

  ends(_: Kernel, session: Session | undefined, failure: readonly Diagnostic[]): void {
    const { sanitize } = this.#settings;
    const findings = session?.findings ?? [];
    for (const each of [...failure, ...(sanitize === undefined ? findings.map(mildly) : findings)]) {
      const key = keyOf(each);
      if (each.severity === "note" || this.#kept.has(key) || this.#kept.size >= MOST_FINDINGS) continue;
      this.#kept.add(key);
      try {
        appendFileSync(this.#file, `${JSON.stringify(findingOf(each))}\n`);
      } catch (error) {
        this.#say(`ptxrun: cannot write ${this.#file}: ${reason(error)}\n`);
      }
    }
  }
}
