import { type Finding, findingOf, wordsOf } from "../../../present/finding.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import { annotation, grouped } from "../../annotation.ts";
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

/** Annotations alone, beside the output of another reporter, which tells the same: in a group that a reader may open. */
export function annotating(occasion: Occasion): Reporter {
  const all: string[] = [];
  return {
    file(result) {
      all.push(...annotations(result, occasion));
      return "";
    },
    end: () => grouped(all.splice(0)),
  };
}

/** Problems of one annotation besides the first that are named. */
const MAX_OTHERS = 8;

const annotations = (result: FileResult, { inRepository }: Occasion): string[] =>
  findingsIn(result).map((each) => annotation(each, inRepository));

/** What is wrong with the file and with each case that failed: GitHub shows ten of a step, and leaves out the rest. */
export function findingsIn({ results, diagnostics }: FileResult): readonly Finding[] {
  const failed = results.filter(({ passed }) => !passed);
  const told = new Set<string>();
  const all = [{ diagnostics }, ...failed].flatMap(placed).filter(({ problem: { code, source, span, message } }) => {
    // A module with errors fails each of its cases.
    const key = `${code} ${source.name} ${span.start} ${message}`;
    return !told.has(key) && told.add(key) !== undefined;
  });
  return all.map(({ problem, more }) => findingOf(problem, more));
}

/** A problem at its line, and what else its annotation says. */
interface Placed {
  readonly problem: Diagnostic;
  readonly more: readonly string[];
}

interface Wrong {
  readonly diagnostics: readonly Diagnostic[];
  readonly differences?: readonly string[];
  readonly repeat?: string;
}

/** The worst problem, with what else there is in its text, and each error of another line by itself. */
function placed({ diagnostics, differences = [], repeat }: Wrong): readonly Placed[] {
  const worst = diagnostics.find(({ severity }) => severity === "error") ?? diagnostics[0];
  if (worst === undefined) return [];
  const isElsewhere = (each: Diagnostic): boolean =>
    each.severity === "error" && each.source.name !== "" && lineOf(each) !== lineOf(worst);
  const elsewhere = diagnostics.filter(isElsewhere);
  const others = diagnostics.filter((each) => each !== worst && !isElsewhere(each));
  const left = others.length - MAX_OTHERS;
  const more = [
    ...differences,
    ...others.slice(0, MAX_OTHERS).map((each) => `line ${lineOf(each)}: ${wordsOf(each).join("; ")}`),
    ...(left > 0 ? [`and ${left} more problems`] : []),
    ...(repeat === undefined ? [] : [`repeat: ${repeat}`]),
  ];
  return [{ problem: worst, more }, ...elsewhere.map((problem) => ({ problem, more: [] }))];
}

const lineOf = ({ source, span }: Diagnostic): number => source.position(span.start).line;
