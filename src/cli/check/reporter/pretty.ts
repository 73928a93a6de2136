import { renderDiagnostics } from "../../../present/diagnostic.ts";
import { printable } from "../../../present/text/escape.ts";
import type { Palette } from "../../../present/text/palette.ts";
import { type CaseResult, count, type FileResult, type Update } from "../result.ts";
import type { Occasion, Reporter } from "./reporter.ts";

/** Files that have passed are listed if there are not more than these. */
const FEW = 20;

/**
 * For people: a line for each file that fails, and for those that pass if they are few; then all details of the
 * failures, and the totals. A reader looks at the end of a long log first.
 */
export function pretty({ palette, files, quiet, verbose }: Occasion): Reporter {
  const failures: string[] = [];
  /** Lines of files that have passed, until it is known whether they are few. */
  const held: string[] = [];
  const line = ({ passed, name }: CaseResult) =>
    `        ${passed ? palette.good("ok") : palette.error("FAIL")}${passed ? "    " : "  "}${printable(name)}\n`;
  return {
    file(result) {
      const { passed, failed } = count([result]);
      const name = palette.link(printable(result.file), { file: result.file, line: 1 });
      const updates = (result.updates ?? []).map((each) => `      ${updateLine(each)}\n`).join("");
      const cases = verbose && !quiet ? result.results.map(line).join("") : "";
      if (failed > 0) {
        failures.push(details(result, palette));
        const head = `${palette.error("FAIL")}  ${name}  ${passed} passed, ${failed} failed\n`;
        return quiet ? updates : head + cases + updates;
      }
      const text = `${palette.good("ok")}    ${name}  ${palette.faint(`${passed} passed`)}\n${cases}${updates}`;
      // No case of the file was selected.
      if (passed === 0) return "";
      if (quiet) return updates;
      if (verbose || files <= FEW || updates !== "") return text;
      if (held.length <= FEW) held.push(text);
      return "";
    },
    end(all) {
      const passes = held.length > FEW ? "" : held.join("");
      if (failures.length === 0) return quiet ? "" : `${passes}${palette.good(summary(all))}\n`;
      return `${passes}${quiet ? "" : "\n"}${failures.join("\n")}\n${palette.error(summary(all))}\n`;
    },
  };
}

/** All details of a file that fails. */
function details({ diagnostics, results }: FileResult, palette: Palette): string {
  const ofCases = results
    .filter((each) => !each.passed)
    .map((each) => {
      const command = each.repeat === undefined ? "" : `   ${palette.faint("repeat:")} ${printable(each.repeat)}\n`;
      return renderFailure(each, palette) + command;
    });
  return [renderDiagnostics(diagnostics, palette), ...ofCases].filter((text) => text !== "").join("\n");
}

/** What is wrong with a case; the values that differ follow the diagnostic of the first, which comes first. */
export function renderFailure({ diagnostics, differences = [] }: CaseResult, palette?: Palette): string {
  if (differences.length === 0) return renderDiagnostics(diagnostics, palette);
  const lines = differences.map((each) => `   ${printable(each)}\n`).join("");
  const rest = renderDiagnostics(diagnostics.slice(1), palette);
  return `${renderDiagnostics(diagnostics.slice(0, 1), palette)}${lines}${rest === "" ? "" : `\n${rest}`}`;
}

/** `3 files: 5 passed, 1 failed, 2 updated`. */
export function summary(all: readonly FileResult[]): string {
  const { passed, failed } = count(all);
  const updated = all.reduce((sum, { updates }) => sum + (updates?.length ?? 0), 0);
  const files = `${all.length} file${all.length === 1 ? "" : "s"}`;
  return `${files}: ${passed} passed, ${failed} failed${updated === 0 ? "" : `, ${updated} updated`}`;
}

/** Characters of a value that a line shows. */
const MAX_SHOWN_CHARACTERS = 60;

/** `updated a.ptx:1: case one: 0x4001 is now 0x4000`. */
export function updateLine({ name, file, line, before, after }: Update): string {
  const short = (text: string) =>
    printable(text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}...` : text);
  if (line === undefined) return `updated ${printable(file)}: ${printable(name)}, the whole file`;
  return `updated ${printable(file)}:${line}: ${printable(name)}: ${short(before)} is now ${short(after)}`;
}
