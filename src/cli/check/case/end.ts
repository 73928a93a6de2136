import type { Launch } from "../../../host/index.ts";
import { problem } from "../../../host/problem.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { CaseLine } from "../file/directive.ts";
import type { ExpectationEdit } from "../result.ts";
import { type Expectation, isFault, kindOfFault } from "./expectation.ts";

/** Compares how a run ended with the expected `fault`. */
export function judgeEnd(
  { name: caseName, source, span: whole }: CaseLine,
  launches: readonly Launch[],
  expectations: readonly Expectation[],
): { readonly diagnostics: readonly Diagnostic[]; readonly edits: readonly ExpectationEdit[] } {
  const ended = launches.flatMap(({ stop }) => (stop.reason === "trap" ? [stop.diagnostic] : []));
  const findings = launches.flatMap((each) => each.findings);
  const troubles = [...ended, ...findings.filter(({ severity }) => severity !== "note")];
  const wanted = expectations.filter((each) => each.kind === "fault");
  const open = expectations.filter((each) => each.kind === "open");
  const diagnostics: Diagnostic[] = [];
  const edits: ExpectationEdit[] = [];
  for (const { name, span, nameSpan } of wanted) {
    if (troubles.some(({ code }) => isFault(name, code))) continue;
    const [first] = troubles;
    const got = first === undefined ? "the run ended without a fault" : `the run ended with ${first.code}`;
    diagnostics.push(problem("PTX7006", `case ${caseName}: ${got}`, { source, span, expected: `fault ${name}` }));
    if (first !== undefined && wanted.length === 1) {
      edits.push({ kind: "text", source, span: nameSpan, text: kindOfFault(first.code) });
    }
  }
  const unexpected = troubles.filter(({ code }) => !wanted.some(({ name }) => isFault(name, code)));
  for (const trouble of unexpected) {
    const expected = wanted.length === 0 ? "a run without faults and findings" : "only the faults it names";
    const { source: at, span, related: others = [] } = trouble;
    const related = [{ source: at, span, message: trouble.message }, ...others];
    const message = `case ${caseName}: ${trouble.code}, ${trouble.message}`;
    diagnostics.push(problem("PTX7006", message, { source, span: whole, expected, related, cause: trouble }));
  }
  // An open expectation (`?`) may be a fault; one that names a value never becomes one.
  if (open.length === expectations.length && unexpected[0] !== undefined && open[0] !== undefined) {
    const text = `fault ${kindOfFault(unexpected[0].code)}`;
    edits.push({ kind: "text", source, span: open[0].span, text });
  }
  return { diagnostics, edits };
}
