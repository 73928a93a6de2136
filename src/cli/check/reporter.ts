import { diagnosticToJson, renderDiagnostics } from "../../present/diagnostic.ts";
import { printable } from "../../present/escape.ts";
import type { Palette } from "../../present/palette.ts";
import { hex, number } from "../../present/value.ts";
import type { Mismatch } from "./compare.ts";
import { count, type FileResult } from "./result.ts";

/** Turns results into text: `file` as soon as a file is done, `end` once. */
export interface Reporter {
  file(result: FileResult): string;
  end(all: readonly FileResult[]): string;
}

/** For people: a line a file, and in full what failed. */
export const pretty = (palette: Palette): Reporter => ({
  file(result) {
    const { passed, failed } = count([result]);
    const name = printable(result.file);
    if (failed === 0) return `${palette.good("ok")}    ${name}  ${palette.faint(`${passed} passed`)}\n`;
    const details = [
      renderDiagnostics(result.diagnostics, palette),
      ...result.results
        .filter((each) => !each.passed)
        .map(({ diagnostics, repeat }) => {
          const command = repeat === undefined ? "" : `   ${palette.faint("repeat:")} ${printable(repeat)}\n`;
          return renderDiagnostics(diagnostics, palette) + command;
        }),
    ].filter((text) => text !== "");
    return `${palette.error("FAIL")}  ${name}  ${passed} passed, ${failed} failed\n\n${details.join("\n")}\n`;
  },
  end(all) {
    const { passed, failed } = count(all);
    const sum = `${all.length} file${all.length === 1 ? "" : "s"}: ${passed} passed, ${failed} failed`;
    return `${failed === 0 ? palette.good(sum) : palette.error(sum)}\n`;
  },
});

/** For programs: one document at the end, `"schema": "ptxrun.check/1"`. */
export const json: Reporter = {
  file: () => "",
  end(all) {
    const document = {
      schema: "ptxrun.check/1",
      ...count(all),
      files: all.map(({ file, results, diagnostics }) => ({
        file,
        diagnostics: diagnostics.map(diagnosticToJson),
        cases: results.map((result) => ({
          name: result.name,
          line: result.line,
          passed: result.passed,
          mismatches: result.mismatches.map(mismatchToJson),
          diagnostics: result.diagnostics.map(diagnosticToJson),
          ...(result.repeat === undefined ? {} : { repeat: result.repeat }),
        })),
      })),
    };
    return `${JSON.stringify(document, null, 2)}\n`;
  },
};

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
