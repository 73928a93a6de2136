import { problem } from "../../host/problem.ts";
import { nearest } from "../../resolve/nearest.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { FileResult } from "./result.ts";

/** Names that a message lists. */
const SHOWN = 5;

/** `--filter` took no case: a check that checks nothing must not pass. */
export function noMatch(filter: string, results: readonly FileResult[]): Diagnostic {
  const names = [...new Set(results.flatMap(({ others = [] }) => others))];
  const meant = nearest(filter, names);
  const some = names.slice(0, SHOWN).join(", ");
  const files = results.length === 1 ? "the file" : `the ${results.length} files`;
  return problem("PTX7016", `no case of ${files} has a name with ${JSON.stringify(filter)} in it`, {
    ...(names.length === 0 ? {} : { expected: names.length > SHOWN ? `a part of a name, such as ${some}` : some }),
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
}
