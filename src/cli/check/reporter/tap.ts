import { printable } from "../../../present/escape.ts";
import { hex, number } from "../../../present/value.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { Mismatch } from "../compare.ts";
import { type CaseResult, isWrong } from "../result.ts";
import { summary } from "./pretty.ts";
import type { Reporter } from "./reporter.ts";

/** The Test Anything Protocol, version 14: a test point for each case, with a YAML block under each that failed. */
export function tap(): Reporter {
  let points = 0;
  const point = (ok: boolean, name: string, block: readonly string[] = []): string => {
    points += 1;
    const version = points === 1 ? "TAP version 14\n" : "";
    const lines = block.length === 0 ? [] : ["  ---", ...block.map((line) => `  ${line}`), "  ..."];
    return `${version}${[`${ok ? "ok" : "not ok"} ${points} - ${described(name)}`, ...lines].join("\n")}\n`;
  };
  return {
    file({ file, results, diagnostics }) {
      const cases = results.map((each) => point(each.passed, `${file}: ${each.name}`, details(each))).join("");
      return isWrong(diagnostics) ? cases + point(false, file, explained(diagnostics)) : cases;
    },
    end(all) {
      const empty = points === 0 ? point(false, "nothing was checked") : "";
      return `${empty}1..${points}\n# ${summary(all)}\n`;
    },
  };
}

/** A description: `#` would begin a directive. */
const described = (text: string): string => printable(text).replace(/[\\#]/g, "\\$&");

/** A YAML scalar that needs no more escapes: JSON's strings are YAML's. */
const scalar = (text: string): string => JSON.stringify(printable(text));

function details({ passed, diagnostics, mismatches, repeat, updated }: CaseResult): readonly string[] {
  if (passed) return updated === true ? ["updated: true"] : [];
  return [
    ...explained(diagnostics),
    ...(mismatches.length === 0 ? [] : ["mismatches:", ...mismatches.slice(0, MOST).flatMap(mismatch)]),
    ...(repeat === undefined ? [] : [`repeat: ${scalar(repeat)}`]),
  ];
}

/** Mismatches of one case that are listed. */
const MOST = 16;

function mismatch({ what, type, width, expected, got, ulp }: Mismatch): readonly string[] {
  const shown = (bits: bigint) => scalar(`${hex(bits, width)} (${number(bits, type)})`);
  return [
    `  - what: ${scalar(what)}`,
    `    expected: ${shown(expected)}`,
    `    got: ${shown(got)}`,
    ...(ulp === undefined ? [] : [`    ulp: ${ulp}`]),
  ];
}

function explained(diagnostics: readonly Diagnostic[]): readonly string[] {
  const first = diagnostics.find(({ severity }) => severity === "error");
  if (first === undefined) return [];
  const { line, column } = first.source.position(first.span.start);
  return [
    `message: ${scalar(first.message)}`,
    "severity: fail",
    `code: ${first.code}`,
    ...(first.expected === undefined ? [] : [`expected: ${scalar(first.expected)}`]),
    "at:",
    `  file: ${scalar(first.source.name)}`,
    `  line: ${line}`,
    `  column: ${column}`,
  ];
}
