import { createHash } from "node:crypto";
import type { Signal } from "../../../src/environment/io.ts";
import { type Finding, pointIn } from "../../../src/present/finding.ts";
import { shorten } from "../../../src/source/shorten.ts";
import type { Kind } from "./plan.ts";

/** The outcome of a part, the same wherever it ran: no times, no names of machines. */
export interface Outcome {
  /** The command's exit code; 128 plus the signal's number where a signal ended another command. */
  readonly exit: number;
  /** Sums: cases, differences, checks that passed. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first few things that were found, a line each. */
  readonly findings: readonly string[];
  /** Those of them that lie in files. */
  readonly located?: readonly Finding[];
  /** The largest difference, in units in the last place. */
  readonly worst?: { readonly ulps: string; readonly text: string };
  /** Of the states that all orders of a part have left: other parts must leave the same. */
  readonly digest?: string;
}

/** The output of a command. */
export interface Printed {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  /** The signal that asked us to end meanwhile: the part is not done. */
  readonly asked?: Signal;
}

/** Findings of a part that are kept; their number is in the counts. */
const MOST_FINDINGS = 20;

/** Makes an outcome from the output of a part's command. */
export function outcomeOf(kind: Kind, printed: Printed): Outcome {
  const { exit, out } = printed;
  if (kind === "run") return ofRun(printed);
  if (kind === "command") return { exit, counts: counted(exit), findings: exit === 0 ? [] : [lastLine(printed)] };
  const document: unknown = parsed(out);
  if (document === undefined) return { exit, counts: counted(exit), findings: [firstLine(printed)] };
  const made =
    kind === "sweep"
      ? ofSweep(document as Sweep)
      : kind === "check"
        ? ofCheck(document as Check)
        : kind === "hunt"
          ? ofHunt(document as Hunted)
          : ofDiff(document as Diff);
  const findings = made.findings.length === 0 && exit !== 0 ? [firstLine(printed)] : made.findings;
  const located = made.located?.slice(0, MOST_FINDINGS) ?? [];
  return {
    exit,
    ...made,
    findings: findings.slice(0, MOST_FINDINGS).map((line) => shorten(line)),
    ...(located.length > 0 && { located }),
  };
}

const counted = (exit: number): Record<string, number> => (exit === 0 ? { passed: 1 } : { failed: 1 });

/** All orders leave one state, which is compared with that of the other parts. */
function ofRun(printed: Printed): Outcome {
  const { exit, out } = printed;
  if (exit !== 0) return { exit, counts: counted(exit), findings: [firstLine(printed)] };
  return { exit, counts: counted(exit), findings: [], digest: createHash("sha256").update(out).digest("hex") };
}

interface Case {
  readonly inputs: Readonly<Record<string, string>>;
  readonly results: readonly string[];
  readonly ulps: string | null;
}

interface Sweep extends Readonly<Record<"cases" | "differ" | "nan" | "zeroSign" | "payload", number>> {
  readonly worst: Case | null;
  readonly examples: readonly Case[];
}

function ofSweep({ cases, differ, nan, zeroSign, payload, worst, examples }: Sweep): Omit<Outcome, "exit"> {
  const largest = worst?.ulps == null ? {} : { worst: { ulps: worst.ulps, text: caseText(worst) } };
  return { counts: { cases, differ, nan, zeroSign, payload }, findings: examples.map(caseText), ...largest };
}

const caseText = ({ inputs, results, ulps }: Case): string =>
  `${Object.entries(inputs)
    .map(([name, bits]) => `${name}=${bits}`)
    .join(" ")}: ${results.join(" and ")}${ulps === null ? "" : `, ${ulps} ulp`}`;

interface Check {
  readonly passed: number;
  readonly failed: number;
  readonly files: readonly {
    readonly file: string;
    readonly diagnostics: readonly Message[];
    readonly cases: readonly {
      readonly name: string;
      readonly line: number;
      readonly passed: boolean;
      readonly diagnostics: readonly Message[];
      readonly repeat?: string;
    }[];
  }[];
}

interface Message {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

function ofCheck({ passed, failed, files }: Check): Omit<Outcome, "exit"> {
  const findings = files.flatMap(({ file, diagnostics, cases }) => [
    ...cases
      .filter((each) => !each.passed)
      .map(
        ({ name, line, diagnostics, repeat }) =>
          `${file}:${line} ${name}: ${errorIn(diagnostics)}${repeat ? `; ${repeat}` : ""}`,
      ),
    ...(diagnostics.some(({ severity }) => severity === "error") ? [`${file}: ${errorIn(diagnostics)}`] : []),
  ]);
  const wrong = files.flatMap(({ diagnostics, cases }) => [
    ...diagnostics,
    ...cases.filter((each) => !each.passed).flatMap((each) => each.diagnostics),
  ]);
  const located = wrong.flatMap(({ severity, code, message, source, line, column }) =>
    severity === "error" && source !== ""
      ? [{ code, severity, message, place: pointIn(source, line, column) } satisfies Finding]
      : [],
  );
  return { counts: { passed, failed }, findings, ...(located.length > 0 && { located }) };
}

function errorIn(diagnostics: readonly Message[]): string {
  const error = diagnostics.find(({ severity }) => severity === "error");
  return error === undefined ? "failed" : `${error.code} ${error.message}`;
}

interface Diff {
  readonly pairs: readonly {
    readonly verdict: string;
    readonly a: { readonly file: string };
    readonly b: { readonly file: string };
  }[];
}

function ofDiff({ pairs }: Diff): Omit<Outcome, "exit"> {
  const counts: Record<string, number> = {};
  for (const { verdict } of pairs) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const other = pairs.filter(({ verdict }) => verdict !== "equal");
  const located = other.flatMap(({ verdict, a, b }) =>
    verdict === "different"
      ? [
          {
            code: "PTX7019",
            severity: "error",
            message: `not the results of ${a.file}`,
            place: pointIn(b.file, 1),
          } satisfies Finding,
        ]
      : [],
  );
  const findings = other.map(({ verdict, a, b }) => `${a.file} and ${b.file}: ${verdict}`);
  return { counts, findings, ...(located.length > 0 && { located }) };
}

interface Hunted extends Readonly<Record<"modules" | "programs" | "functions", number>> {
  readonly findings: readonly { readonly name: string; readonly cause: string; readonly places: readonly string[] }[];
}

function ofHunt({ modules, programs, functions, findings }: Hunted): Omit<Outcome, "exit"> {
  return {
    counts: { modules, programs, functions },
    findings: findings.map(({ cause, places: [first] }) => `${cause}: ${first}`),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const linesOf = ({ out, err }: Printed): string[] => `${err}\n${out}`.split("\n").filter((line) => line.trim() !== "");

/** The first error that ptxrun has printed, or the first line. */
const firstLine = (printed: Printed): string => {
  const lines = linesOf(printed);
  return shorten(lines.find((line) => line.startsWith("error ")) ?? lines[0] ?? `exit ${printed.exit}`);
};

/** The last line of another command: most print their result there. */
const lastLine = (printed: Printed): string => shorten(linesOf(printed).at(-1) ?? `exit ${printed.exit}`);
