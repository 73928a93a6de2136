import { printable } from "../../../present/text/escape.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { CaseResult, FileResult } from "../result.ts";
import { summary, updateLine } from "./pretty.ts";
import type { Occasion, Reporter } from "./reporter.ts";

/** GitHub's workflow commands: a failure becomes an annotation at its line of the pull request. */
export const github = (occasion: Occasion): Reporter => ({
  file(result) {
    return [...annotations(result, occasion), ...(result.updates ?? []).map((each) => `${updateLine(each)}\n`)].join(
      "",
    );
  },
  end: (all) => `${summary(all)}\n`,
});

/** Annotations alone, beside the output of another reporter. */
export const annotating = (occasion: Occasion): Reporter => ({
  file: (result) => annotations(result, occasion).join(""),
  end: () => "",
});

const annotations = ({ results, diagnostics }: FileResult, occasion: Occasion): string[] => [
  ...diagnostics.map((each) => annotation(each, occasion)),
  ...results.flatMap((each) => (each.passed ? [] : ofCase(each, occasion))),
];

const ofCase = ({ diagnostics, repeat }: CaseResult, occasion: Occasion): string[] =>
  diagnostics.map((each) => annotation(each, occasion, repeat));

const commands = { error: "error", warning: "warning", note: "notice" } as const;

function annotation(
  { severity, code, message, source, span, expected, help = [] }: Diagnostic,
  { inRepository }: Occasion,
  repeat?: string,
): string {
  const { line, column } = source.position(span.start);
  const text = [
    message,
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...help.map((each) => `help: ${each.message}`),
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
  ];
  const place = source.name === "" ? "" : `file=${property(inRepository(source.name))},line=${line},col=${column},`;
  return `::${commands[severity]} ${place}title=${property(code)}::${data(text.map(printable).join("\n"))}\n`;
}

/** Escapes of actions/toolkit, `command.ts`: a line feed would end the command, and another could begin. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
