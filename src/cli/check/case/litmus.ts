import { readLitmus } from "../../../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { judge, prepare } from "../../../../packages/memory-model/litmus/verdict.ts";
import { usualBounds } from "../../../../packages/memory-model/model/enumerate.ts";
import type { Source } from "../../../source/source.ts";
import { missedClaim } from "../../litmus/missed.ts";
import type { CaseResult, FileResult } from "../result.ts";

/** Checks a litmus test: each of its claims is a case, which passes where the memory model agrees. */
export function checkLitmus(
  source: Source,
  { filter, bail }: { readonly filter?: string; readonly bail?: boolean },
): FileResult {
  const file = source.name;
  const { value: test, diagnostics } = readLitmus(source);
  if (!test) return { file, results: [], diagnostics };
  const { ready, diagnostics: wrong } = prepare(test);
  if (!ready) return { file, results: [], diagnostics: wrong };
  const named = ready.claims.map(({ kind, text }) => `${kind} ${text}`);
  const taken = named.flatMap((name, at) => (filter === undefined || name.includes(filter) ? [at] : []));
  if (taken.length === 0) return { file, results: [], diagnostics: [], others: named };
  const verdict = judge(ready, usualBounds);
  const results: CaseResult[] = [];
  for (const at of taken) {
    const missed = missedClaim(ready, verdict, at);
    const span = test.claims[at]?.condition ?? { start: 0, end: 0 };
    results.push({
      name: named[at] ?? "",
      source,
      line: source.position(span.start).line,
      passed: missed.length === 0,
      diagnostics: missed,
      mismatches: [],
      edits: [],
    });
    if (bail && missed.length > 0) break;
  }
  return { file, results, diagnostics: [] };
}
