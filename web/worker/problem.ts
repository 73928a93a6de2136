import type { Diagnostic } from "../../src/source/diagnostic.ts";
import type { Source } from "../../src/source/source.ts";
import type { Problem } from "../page/client.ts";

/** A diagnostic as plain data. Places in texts that are not `source`, such as a field, are left out. */
export function problemOf(diagnostic: Diagnostic, source: Source, before = 0): Problem {
  const { code, severity, message, span, expected, related = [], help = [], manual } = diagnostic;
  const at = (offset: number): number => Math.max(0, Math.min(offset - before, source.text.length - before));
  const own = diagnostic.source.text === source.text;
  return {
    code,
    severity,
    message,
    from: own ? at(span.start) : 0,
    to: own ? at(span.end) : 0,
    ...(expected === undefined ? {} : { expected }),
    related: related
      .filter((each) => each.source.text === source.text)
      .map((each) => ({ from: at(each.span.start), to: at(each.span.end), message: each.message })),
    help: help.map(({ message, replace }) => ({
      message,
      ...(replace === undefined || !own
        ? {}
        : { replace: { from: at(replace.span.start), to: at(replace.span.end), text: replace.text } }),
    })),
    ...(manual === undefined ? {} : { manual }),
  };
}
