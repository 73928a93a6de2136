import type { Session } from "../../../src/interp/machine/session.ts";
import { whole } from "../../../src/interp/tools/sliced.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Why } from "./cause.ts";
import type { Extent } from "./follow.ts";
import type { NamedPlace } from "./names.ts";
import { Past } from "./past.ts";
import { whyFirst, whyProblem } from "./problem.ts";
import { type AskedValue, whyValue } from "./value.ts";

/** A launch that has not run yet, and its memory with names. */
export interface Begun {
  readonly session: Session;
  readonly places: readonly NamedPlace[];
}

/**
 * Runs a launch anew, on a device of its own, and explains a value that it leaves, a fault or a finding of it, or the first
 * thing that is wrong. Undefined where there is nothing to explain. The session is closed.
 */
export function whyAgain(
  { session, places }: Begun,
  what: AskedValue | { readonly problem: Diagnostic } | "first",
  extent: Extent = {},
): Why | undefined {
  const past = whole(Past.whole(session));
  if (past === undefined) return undefined;
  const why =
    what === "first"
      ? whyFirst(past, places, extent)
      : "problem" in what
        ? whyProblem(past, places, what.problem, extent)
        : whyValue(past, places, what, extent);
  session.close();
  return why;
}
