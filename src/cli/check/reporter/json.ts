import { diagnosticToJson } from "../../../present/diagnostic.ts";
import { jsonText } from "../../../present/json.ts";
import { hex, number } from "../../../present/value.ts";
import type { Mismatch } from "../compare.ts";
import { type CaseResult, count } from "../result.ts";
import type { Reporter } from "./reporter.ts";

/** For programs: one document at the end, described by `schema/check-1.json`. Fields are only ever added. */
export const json = (): Reporter => ({
  file: () => "",
  end(all) {
    const document = {
      schema: "ptxrun.check/1",
      ...count(all),
      files: all.map(({ file, results, diagnostics, updates = [] }) => ({
        file,
        diagnostics: diagnostics.map(diagnosticToJson),
        cases: results.map(caseToJson),
        ...(updates.length === 0
          ? {}
          : {
              updates: updates.map(({ name, file: where, line, before, after }) => ({
                name,
                file: where,
                ...(line === undefined ? {} : { line }),
                before,
                after,
              })),
            }),
      })),
    };
    return `${jsonText(document, 2)}\n`;
  },
});

const caseToJson = (result: CaseResult): Record<string, unknown> => ({
  name: result.name,
  source: result.source.name,
  line: result.line,
  passed: result.passed,
  ...(result.seed === undefined ? {} : { seed: result.seed }),
  ...(result.updated === true ? { updated: true } : {}),
  mismatches: result.mismatches.map(mismatchToJson),
  diagnostics: result.diagnostics.map(diagnosticToJson),
  ...(result.repeat === undefined ? {} : { repeat: result.repeat }),
});

function mismatchToJson({ what, type, width, expected, got, ulp }: Mismatch): Record<string, unknown> {
  const value = (bits: bigint) => ({ bits: hex(bits, width === 1 ? 4 : width), value: number(bits, type) });
  return {
    what,
    type,
    expected: value(expected),
    got: value(got),
    ...(ulp === undefined ? {} : { ulp: ulp.toString() }),
  };
}
