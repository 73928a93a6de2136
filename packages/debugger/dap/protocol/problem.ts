import { Exit } from "../../../../src/environment/exit.ts";
import { HostError } from "../../../../src/host/problem.ts";
import { renderDiagnostic } from "../../../../src/present/diagnostic.ts";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { Refusal } from "../../console/expression/refusal.ts";

/** Why a request cannot be answered: its message goes into the response, and the client shows it. */
export class DapError extends Error {
  /** A number for each kind, as the protocol requires; for diagnostics, the digits of their codes. */
  readonly id: number;

  constructor(message: string, id: number = 1) {
    super(message);
    this.id = id;
  }
}

/** A diagnostic as a line: its code, what is wrong, what was expected, and the first way out. */
export function inOneLine({ code, message, expected, help = [] }: Diagnostic): string {
  const parts = [
    message,
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...help.slice(0, 1).map((each) => each.message),
  ];
  return `${code}: ${parts.join("; ")}`;
}

/** The error response for a thrown value. */
export function refusalOf(error: unknown): DapError {
  if (error instanceof DapError) return error;
  if (error instanceof Refusal || error instanceof HostError) return refusedBy(error.diagnostics);
  // A client that never gets a response waits for ever, so it gets an error, and the session
  // continues.
  return new DapError(`ptxrun has a bug: ${error instanceof Error ? error.message : String(error)}`, Exit.bug);
}

/** A request after `disconnect` finds no session. */
export const sessionIsOver = (): DapError => new DapError("the session is over");

/** Diagnostics as the reason why a request fails. */
export function refusedBy(diagnostics: readonly Diagnostic[]): DapError {
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) return new DapError("it was refused");
  const place =
    first.source === undefined || first.source.name === "" || first.span === undefined
      ? ""
      : `${first.source.name}:${first.source.position(first.span.start).line}: `;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return new DapError(`${place}${inOneLine(first)}${more}`, Number(first.code.slice(3)));
}

/** A diagnostic as the command line prints it, without colours. */
export const asText = (diagnostic: Diagnostic): string => renderDiagnostic(diagnostic);
