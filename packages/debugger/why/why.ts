import type { Session } from "../../../src/interp/machine/session.ts";
import { History } from "../../../src/interp/tools/history.ts";
import { type Sliced, whole } from "../../../src/interp/tools/sliced.ts";
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
 * Looks at the past of a session, up to its position. Where that begins too late for a value, which was written before, at the past
 * before it. Undefined when it was interrupted. `most`: steps of a past.
 */
export function* lookedBack(
  session: Session,
  history: History,
  look: (past: Past) => Why | undefined,
  fault?: Diagnostic,
  most?: number,
): Sliced<Why | undefined> {
  for (;;) {
    const past = yield* Past.upTo(session, history, fault, most);
    const why = past && look(past);
    if (past === undefined || why === undefined || !past.isCut || why.at !== undefined) return why;
    const [only] = why.causes;
    if (why.causes.length !== 1 || only?.origin.kind !== "unknown") return why;
    yield* history.goingTo(past.log.first);
  }
}

/**
 * Runs a launch anew, on a device of its own, and explains a value that it leaves, a fault or a finding of it, or the first
 * thing that is wrong. Undefined where there is nothing to explain. The session is closed. `most`: steps that are looked at together.
 */
export function whyAgain(
  { session, places }: Begun,
  what: AskedValue | { readonly problem: Diagnostic } | "first",
  extent: Extent = {},
  most?: number,
): Why | undefined {
  const history = new History(session);
  history.travel(Number.MAX_SAFE_INTEGER);
  const fault = history.end?.reason === "trap" ? history.end.diagnostic : undefined;
  const look = (past: Past): Why | undefined =>
    what === "first"
      ? whyFirst(past, places, extent)
      : "problem" in what
        ? whyProblem(past, places, what.problem, extent)
        : whyValue(past, places, what, extent);
  const why = whole(lookedBack(session, history, look, fault, most));
  session.close();
  return why;
}
