import { renderDiagnostics } from "../../../present/diagnostic.ts";
import { printable } from "../../../present/escape.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import { type CaseResult, type FileResult, isWrong } from "../result.ts";
import type { Reporter } from "./reporter.ts";

/**
 * JUnit's XML, as Jenkins, GitLab and others read it: one suite for each file, one test case for each case. No times,
 * so that the report is stable.
 */
export const junit = (): Reporter => ({
  file: () => "",
  end(all) {
    const sums = all.map(sum);
    const total = (key: "tests" | "failures" | "errors") => sums.reduce((before, each) => before + each[key], 0);
    const counts = { tests: total("tests"), failures: total("failures"), errors: total("errors") };
    const suites = all.map((each) => suite(each)).join("");
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name: "ptxrun check", ...counts })}>\n${suites}</testsuites>\n`;
  },
});

const sum = ({ results, diagnostics }: FileResult) => {
  const errors = isWrong(diagnostics) ? 1 : 0;
  return { tests: results.length + errors, failures: results.filter(({ passed }) => !passed).length, errors };
};

function suite(result: FileResult): string {
  const { file, results, diagnostics } = result;
  const whole = isWrong(diagnostics)
    ? `${open({ name: "the file as a whole", classname: file, file, line: 1 })}${problem("error", diagnostics)}    </testcase>\n`
    : "";
  const cases = results.map((each) => testcase(file, each)).join("");
  return `  <testsuite${attributes({ name: file, ...sum(result) })}>\n${cases}${whole}  </testsuite>\n`;
}

function testcase(file: string, { name, source, line, passed, diagnostics, repeat }: CaseResult): string {
  const named = { name, classname: file, file: source.name, line };
  if (passed) return `    <testcase${attributes(named)}/>\n`;
  return `${open(named)}${problem("failure", diagnostics, repeat)}    </testcase>\n`;
}

const open = (named: Attributes): string => `    <testcase${attributes(named)}>\n`;

function problem(kind: "error" | "failure", diagnostics: readonly Diagnostic[], repeat?: string): string {
  const first = diagnostics.find(({ severity }) => severity === "error");
  const text = renderDiagnostics(diagnostics) + (repeat === undefined ? "" : `repeat: ${printable(repeat)}\n`);
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
