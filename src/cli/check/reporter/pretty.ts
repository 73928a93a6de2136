import { renderDiagnostics } from "../../../present/diagnostic.ts";
import { printable } from "../../../present/escape.ts";
import type { Palette } from "../../../present/palette.ts";
import { count, type FileResult, type Update } from "../result.ts";
import type { Reporter } from "./reporter.ts";

/** For people: a line for each file, and all details of failures. */
export const pretty = (palette: Palette): Reporter => ({
  file(result) {
    const { passed, failed } = count([result]);
    const name = printable(result.file);
    const updates = (result.updates ?? []).map((each) => `      ${updateLine(each)}\n`).join("");
    if (failed === 0) {
      return `${palette.good("ok")}    ${name}  ${palette.faint(`${passed} passed`)}\n${updates}`;
    }
    const details = [
      renderDiagnostics(result.diagnostics, palette),
      ...result.results
        .filter((each) => !each.passed)
        .map(({ diagnostics, repeat }) => {
          const command = repeat === undefined ? "" : `   ${palette.faint("repeat:")} ${printable(repeat)}\n`;
          return renderDiagnostics(diagnostics, palette) + command;
        }),
    ].filter((text) => text !== "");
    const head = `${palette.error("FAIL")}  ${name}  ${passed} passed, ${failed} failed\n`;
    return `${head}${updates}\n${details.join("\n")}\n`;
  },
  end(all) {
    const text = summary(all);
    return `${count(all).failed === 0 ? palette.good(text) : palette.error(text)}\n`;
  },
});

/** `3 files: 5 passed, 1 failed, 2 updated`. */
export function summary(all: readonly FileResult[]): string {
  const { passed, failed } = count(all);
  const updated = all.reduce((sum, { updates }) => sum + (updates?.length ?? 0), 0);
  const files = `${all.length} file${all.length === 1 ? "" : "s"}`;
  return `${files}: ${passed} passed, ${failed} failed${updated === 0 ? "" : `, ${updated} updated`}`;
}

/** Characters of a value that a line shows. */
const SHOWN = 60;

/** `updated a.ptx:1: case one: 0x4001 is now 0x4000`. */
export function updateLine({ name, file, line, before, after }: Update): string {
  const short = (text: string) => printable(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
  if (line === undefined) return `updated ${printable(file)}: ${printable(name)}, the whole file`;
  return `updated ${printable(file)}:${line}: ${printable(name)}: ${short(before)} is now ${short(after)}`;
}
