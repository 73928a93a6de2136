import { lint, problem } from "../../host/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { Reach } from "../file.ts";
import { runCase } from "./case.ts";
import { type Marker, readDirectives } from "./directive.ts";
import { type CaseOptions, readArgs } from "./options.ts";
import type { CaseResult, FileResult } from "./result.ts";

/** What `check` was asked for besides files. */
export interface Selection {
  /** Only cases whose name holds this text. */
  readonly filter?: string;
  readonly bail?: boolean;
}

/** Checks one file: its marks against what validation says, then its cases. */
export function checkFile(source: Source, reach: Reach, { filter, bail }: Selection): FileResult {
  const { cases, markers, args, diagnostics } = readDirectives(source);
  const file = source.name;
  if (diagnostics.length > 0) return { file, results: [], diagnostics };
  if (cases.length === 0 && markers.length === 0) return { file, results: [], diagnostics: [nothing(source)] };
  const results: CaseResult[] = [];
  const options = readArgs(source, args);
  if (options.value === undefined) return { file, results, diagnostics: options.diagnostics };
  if (filter === undefined || markers.length > 0) {
    const { marks, unexpected } = validate(source, markers, options.value);
    results.push(...marks.filter(({ name }) => filter === undefined || name.includes(filter)));
    if (unexpected.length > 0) return { file, results, diagnostics: unexpected };
    // A file that is rejected, as it says it must be, has nothing to run.
    if (cases.length > 0 && markers.some(({ severity }) => severity === "error")) {
      return {
        file,
        results,
        diagnostics: [...cases.slice(0, 1).map(({ span, name }) => unreachable(source, span, name))],
      };
    }
  }
  for (const line of cases) {
    if (filter !== undefined && !line.name.includes(filter)) continue;
    const { value, diagnostics: wrong } = readArgs(source, line.args);
    if (value === undefined) return { file, results, diagnostics: wrong };
    const result = runCase(source, line, value, reach);
    results.push(result);
    if (bail && !result.passed) break;
  }
  return { file, results, diagnostics: [] };
}

function validate(source: Source, markers: readonly Marker[], { target, ptx }: CaseOptions) {
  const found = lint(source, {
    ...(target === undefined ? {} : { target }),
    ...(ptx === undefined ? {} : { version: ptx }),
  });
  const open = new Set(found);
  const marks = markers.map((marker): CaseResult => {
    const { severity, code, line, span } = marker;
    const hits = found.filter((each) => each.code === code && each.severity === severity && lineOf(each) === line);
    for (const hit of hits) open.delete(hit);
    const others = found.filter((each) => lineOf(each) === line && each.severity === severity).map((each) => each.code);
    const got = others.length === 0 ? "nothing" : others.join(", ");
    const missed = problem("PTX7007", `no ${severity} ${code} on this line, but ${got}`, {
      source,
      span,
      expected: code,
    });
    const diagnostics = hits.length === 0 ? [missed] : [];
    return { name: `${severity} ${code} line ${line}`, line, passed: hits.length > 0, diagnostics, mismatches: [] };
  });
  const unexpected = [...open].filter(({ severity }) => severity === "error");
  const first = unexpected[0];
  if (first === undefined) return { marks, unexpected };
  const about = problem(
    "PTX7008",
    `${unexpected.length} error${unexpected.length === 1 ? "" : "s"} that no line expects`,
    {
      source: first.source,
      span: first.span,
      expected: `//~ error ${first.code}, or none`,
    },
  );
  return { marks, unexpected: [about, ...unexpected] };
}

const lineOf = ({ source, span }: Diagnostic): number => source.position(span.start).line;

const nothing = (source: Source): Diagnostic =>
  problem("PTX7001", `${source.name} checks nothing`, {
    source,
    expected: "a line //@ case NAME: INPUTS -> EXPECTATIONS",
  });

const unreachable = (source: Source, span: CaseResultSpan, name: string): Diagnostic =>
  problem("PTX7006", `case ${name} cannot run, because the file is rejected`, {
    source,
    span,
    expected: "cases and lines that are rejected in files of their own",
  });
type CaseResultSpan = Diagnostic["span"];
