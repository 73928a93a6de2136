import { diagnosticToJson, renderDiagnostics } from "../../../present/diagnostic.ts";
import { jsonText } from "../../../present/json.ts";
import { printable } from "../../../present/text/escape.ts";
import { hex, number } from "../../../present/value.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { FindingFormat } from "../../findings/formats.ts";
import { findingsText } from "../../findings/write.ts";
import type { ReporterName } from "../arguments.ts";
import type { Mismatch } from "../case/compare.ts";
import { type CaseResult, count, type FileResult, isWrong } from "../result.ts";
import { findingsIn, github } from "./github.ts";
import { pretty, renderFailure, summary } from "./pretty.ts";
import type { Occasion, Reporter } from "./reporter.ts";

/** The Test Anything Protocol, version 14: a test point for each case, with a YAML block under each that failed. */
function tap(): Reporter {
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
    ...(mismatches.length === 0
      ? []
      : ["mismatches:", ...mismatches.slice(0, MAX_LISTED_MISMATCHES).flatMap(mismatch)]),
    ...(repeat === undefined ? [] : [`repeat: ${scalar(repeat)}`]),
  ];
}

/** Mismatches of one case that are listed. */
const MAX_LISTED_MISMATCHES = 16;

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

/**
 * JUnit's XML, as Jenkins, GitLab and others read it: one suite for each file, one test case for each case, with times in
 * seconds.
 */
const junit = (): Reporter => ({
  file: () => "",
  end(all) {
    const sums = all.map(sum);
    const total = (key: "tests" | "failures" | "errors") => sums.reduce((before, each) => before + each[key], 0);
    const counts = { tests: total("tests"), failures: total("failures"), errors: total("errors") };
    const took = timeOf(all.reduce((sum, { milliseconds = 0 }) => sum + milliseconds, 0));
    const suites = all.map((each) => suite(each)).join("");
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: "ptxrun check", ...counts, ...took })}>\n${suites}</testsuites>\n`;
  },
});

const sum = ({ results, diagnostics }: FileResult) => {
  const errors = isWrong(diagnostics) ? 1 : 0;
  return { tests: results.length + errors, failures: results.filter(({ passed }) => !passed).length, errors };
};

function suite(result: FileResult): string {
  const { file, results, diagnostics } = result;
  const whole = isWrong(diagnostics)
    ? `${open({ name: "the file as a whole", classname: file, file, line: 1, ...timeOf() })}${problem("error", diagnostics, renderDiagnostics(diagnostics))}    </testcase>\n`
    : "";
  const cases = results.map((each) => testcase(file, each)).join("");
  return `  <testsuite${attributes({ name: file, ...sum(result), ...timeOf(result.milliseconds) })}>\n${cases}${whole}  </testsuite>\n`;
}

const timeOf = (milliseconds = 0): Attributes => ({ time: (milliseconds / 1000).toFixed(3) });

function testcase(file: string, result: CaseResult): string {
  const { name, source, line, passed, diagnostics, repeat, milliseconds } = result;
  const named = { name, classname: file, file: source.name, line, ...timeOf(milliseconds) };
  if (passed) return `    <testcase${attributes(named)}/>\n`;
  return `${open(named)}${problem("failure", diagnostics, renderFailure(result), repeat)}    </testcase>\n`;
}

const open = (named: Attributes): string => `    <testcase${attributes(named)}>\n`;

function problem(
  kind: "error" | "failure",
  diagnostics: readonly Diagnostic[],
  details: string,
  repeat?: string,
): string {
  const first = diagnostics.find(({ severity }) => severity === "error");
  const text = details + (repeat === undefined ? "" : `repeat: ${printable(repeat)}\n`);
  const about = attributes({ message: first?.message ?? "", type: first?.code ?? "" });
  return `      <${kind}${about}>${escaped(text)}</${kind}>\n`;
}

type Attributes = Readonly<Record<string, string | number>>;

const attributes = (all: Attributes): string =>
  Object.entries(all)
    .map(([name, value]) => ` ${name}="${escaped(printable(String(value)))}"`)
    .join("");

const entities: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
]);

const escaped = (text: string): string =>
  text.replace(/[&<>"]|[\ufffe\uffff]/g, (character) => entities.get(character) ?? "\ufffd");

/** For programs: one document at the end, described by `schema/check-1.json`. Fields are only ever added. */
const json = (): Reporter => ({
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

/** For programs that take findings from many tools: what annotations say, each where it is. */
const findings =
  (format: FindingFormat) =>
  ({ inRepository }: Occasion): Reporter => ({
    file: () => "",
    end: (all) => findingsText(format, "check", all.flatMap(findingsIn), inRepository),
  });

/** By the names that `--reporter` accepts. */
export const reporters: Readonly<Record<ReporterName, (occasion: Occasion) => Reporter>> = {
  pretty,
  tap,
  junit,
  json,
  github,
  sarif: findings("sarif"),
  codequality: findings("codequality"),
};
