import type { Diagnostic } from "../../source/diagnostic.ts";
import type { AsyncFinding } from "../async/judge.ts";
import type { Dim3 } from "../contract/dim3.ts";
import { whoIs } from "../state/fault.ts";

/** What the engine has found, with the names of the threads and both places. */
export function asyncDiagnostic(
  { code, severity, thread, site, message, related, help }: AsyncFinding,
  grid: Dim3,
  block: Dim3,
): Diagnostic {
  return {
    code,
    severity,
    source: site.source,
    span: site.span,
    message: `${site.opcode} ${message}, in ${whoIs(thread, grid, block)}`,
    related: related.map(({ site: { source, span }, thread: other, message: what }) => ({
      source,
      span,
      message: `${what}, in ${whoIs(other, grid, block)}`,
    })),
    ...(help.length > 0 && { help: help.map((text) => ({ message: text })) }),
  };
}
