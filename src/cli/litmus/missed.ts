import type { ReadyTest, Verdict } from "../../../packages/memory-model/litmus/verdict.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";

/** The failure of one claim of a test, by its index: it does not hold, or a bound prevents a decision. */
export function missedClaim({ test }: ReadyTest, { claims, executions }: Verdict, at: number): readonly Diagnostic[] {
  const claim = claims[at];
  if (!claim || claim.holds === true) return [];
  const span = test.claims[at]?.condition ?? { start: 0, end: 0 };
  const place = { severity: "error", source: test.source, span } as const;
  if (claim.holds === false)
    return [
      {
        ...place,
        code: "PTX7018",
        message: claim.vacuous
          ? "it speaks of no execution: none comes to its end, or the filter leaves none"
          : notSo[claim.kind],
      },
    ];
  const message = `${executions} executions were looked at, and there are more`;
  const expected = "a larger --max-executions, a longer --timeout, or a smaller test";
  return [{ ...place, code: "PTX6008", message, expected }];
}

const notSo = {
  exists: "no execution ends so",
  never: "some execution ends so",
  forall: "not all executions end so",
} as const;
