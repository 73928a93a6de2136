import { printable } from "../../../present/text/escape.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { FileResult } from "../result.ts";
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

/** Problems of one annotation besides the first that are named. */
const MAX_OTHERS = 8;

/** One for the file and one for each case that failed: GitHub shows ten of a step, and leaves out the rest. */
const annotations = ({ results, diagnostics }: FileResult, occasion: Occasion): string[] => [
  ...annotation(diagnostics, occasion),
  ...results.flatMap(({ passed, diagnostics: wrong, differences, repeat }) =>
    passed ? [] : annotation(wrong, occasion, differences, repeat),
  ),
];

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/** At the worst problem's line; what else there is follows in its text. */
function annotation(
  diagnostics: readonly Diagnostic[],
  { inRepository }: Occasion,
  differences: readonly string[] = [],
  repeat?: string,
): string[] {
  const worst = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  if (worst === undefined) return [];
  const { severity, code, source, span } = worst;
  const others = diagnostics.filter((each) => each !== worst);
  const left = others.length - MAX_OTHERS;
  const text = [
    ...said(worst),
    ...differences,
    ...others.slice(0, MAX_OTHERS).map((each) => `line ${lineOf(each)}: ${said(each).join("; ")}`),
    ...(left > 0 ? [`and ${left} more problems`] : []),
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
  ];
  const { line, column } = source.position(span.start);
  const place = source.name === "" ? "" : `file=${property(inRepository(source.name))},line=${line},col=${column},`;
  return [`::${commands[severity]} ${place}title=${property(code)}::${data(text.map(printable).join("\n"))}\n`];
}

const lineOf = ({ source, span }: Diagnostic): number => source.position(span.start).line;

const said = ({ message, expected, help = [] }: Diagnostic): readonly string[] => [
  message,
  ...(expected === undefined ? [] : [`expected ${expected}`]),
  ...help.map((each) => `help: ${each.message}`),
];

/** Escapes of actions/toolkit, `command.ts`: a line feed would end the command, and another could begin. */
const data = (text: string): string => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(printable(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
