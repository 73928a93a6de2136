import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { MOST_TEXT, readTextBytes } from "../../../environment/file.ts";
import { decodeProgram } from "../../../environment/program-file.ts";
import type { Reach } from "../../../environment/reach.ts";
import type { Slicing } from "../../../environment/slicing.ts";
import { DEVICE_MEMORY, lint, problem } from "../../../host/index.ts";
import { limitTime } from "../../../launch/program.ts";
import type { Diagnostic, Staged } from "../../../source/diagnostic.ts";
import { isLitmus } from "../../../source/litmus-mark.ts";
import { limitLoading, loadingBytes } from "../../../source/loading.ts";
import type { Source } from "../../../source/source.ts";
import { type CacheFolder, storeIn } from "../../../system/cache.ts";
import { filesFrom } from "../../../system/files.ts";
import { type Limits, rest } from "../../../system/limits.ts";
import { type ListedFile, reachOf } from "../../../system/paths.ts";
import { runCase } from "../case/case.ts";
import { few } from "../case/few.ts";
import { repeatCheck } from "../case/repeat.ts";
import { type CaseOptions, readArgs } from "../options.ts";
import type { CaseResult, ExpectationEdit, FileResult } from "../result.ts";
import type { CaseLine, Marker } from "./directive.ts";
import { readDirectives } from "./gather.ts";
import { sidecarOf } from "./sidecar.ts";
import { stampOf } from "./stamp.ts";
import { afterUpdate, writeEdits } from "./update.ts";

/** Options of `check` besides the files. */
interface CaseFilter {
  /** Only cases whose name contains this text. */
  readonly filter?: string;
  readonly bail?: boolean;
}

/** A PTX file and, when there is one, its sidecar. */
interface Checked {
  readonly source: Source;
  readonly sidecar?: Source;
}

/** Checks one file: its marks against the diagnostics of validation, then its cases. */
async function checkFile(
  { source, sidecar }: Checked,
  reach: Reach,
  selection: CaseFilter,
  limits: Limits,
): Promise<FileResult> {
  const { filter, bail } = selection;
  limitTime(source, limits, () => limits.slicing.now());
  limitLoading(source, { bytes: loadingBytes(limits.maxMem ?? DEVICE_MEMORY) });
  if (sidecar === undefined && isLitmus(source.text)) {
    // Few files are litmus tests, and the memory model is not small.
    const { checkLitmus } = await import("../case/litmus.ts");
    return checkLitmus(source, selection);
  }
  const { cases, markers, args, diagnostics } = readDirectives(source, sidecar);
  const file = source.name;
  if (diagnostics.length > 0) return { file, results: [], diagnostics: few(diagnostics) };
  if (cases.length === 0 && markers.length === 0) return { file, results: [], diagnostics: [nothing(source)] };
  const results: CaseResult[] = [];
  const options = readArgs(args?.source ?? source, args?.part);
  if (options.value === undefined) return { file, results, diagnostics: few(options.diagnostics) };
  if (filter === undefined || markers.length > 0) {
    const { marks, unexpected } = validate(source, markers, options.value, limits);
    for (const mark of marks) if (filter === undefined || mark.name.includes(filter)) results.push(mark);
    if (unexpected.length > 0) return { file, results, diagnostics: unexpected };
    // A file that is rejected, as it expects, has nothing to run.
    if (cases.length > 0 && markers.some(({ severity }) => severity === "error")) {
      return {
        file,
        results,
        diagnostics: [...cases.slice(0, 1).map(unreachable)],
      };
    }
  }
  for (const line of cases) {
    if (filter !== undefined && !line.name.includes(filter)) continue;
    const { value, diagnostics: wrong } = readArgs(line.source, line.args);
    if (value === undefined) return { file, results, diagnostics: wrong };
    const began = limits.slicing.now();
    const result = await runCase(source, line, value, reach, limits);
    results.push({ ...result, milliseconds: limits.slicing.now() - began });
    await rest(limits);
    if (bail && !result.passed) break;
  }
  const others = results.length > 0 ? [] : cases.slice(0, OTHERS).map(({ name }) => name);
  return { file, results, diagnostics: [], ...(others.length > 0 ? { others } : {}) };
}

/** Most names of cases of a file that are kept when a filter matches none. */
const OTHERS = 100;

function validate(source: Source, markers: readonly Marker[], { target, ptx }: CaseOptions, { store }: Limits) {
  const found = lint(source, {
    ...(target === undefined ? {} : { target, override: true }),
    ...(ptx === undefined ? {} : { version: ptx }),
    ...(store === undefined ? {} : { store }),
  });
  const open = new Set(found);
  const marks = markers.map((marker): CaseResult => {
    const { severity, code, line, span, codeSpan } = marker;
    const hits = found.filter((each) => each.code === code && each.severity === severity && lineOf(each) === line);
    for (const hit of hits) open.delete(hit);
    const others = found.filter((each) => lineOf(each) === line && each.severity === severity).map((each) => each.code);
    const got = others.length === 0 ? "nothing" : others.join(", ");
    const missed = problem("PTX7007", `no ${severity} ${code} on this line, but ${got}`, {
      source: marker.source,
      span,
      expected: code,
    });
    const name = `${severity} ${code} line ${line}`;
    const result = { name, source: marker.source, line: marker.source.position(span.start).line, mismatches: [] };
    if (hits.length > 0) return { ...result, passed: true, diagnostics: [], edits: [] };
    const [other] = new Set(others);
    const edits: readonly ExpectationEdit[] =
      other === undefined || new Set(others).size > 1
        ? []
        : [{ kind: "text", source: marker.source, span: codeSpan, text: other }];
    return { ...result, passed: false, diagnostics: [missed], edits, repeat: repeatCheck(source.name, name) };
  });
  const unexpected = [...open].filter(({ severity }) => severity === "error");
  const [first] = unexpected;
  // A file without marks is to be accepted, and what is wrong with it says enough.
  if (first === undefined || markers.length === 0) return { marks, unexpected: few(unexpected) };
  const { source: text, span } = first;
  const about = problem(
    "PTX7008",
    `${unexpected.length} error${unexpected.length === 1 ? "" : "s"} that no line expects`,
    { source: text, span, expected: `//~ error ${first.code}, or none` },
  );
  return { marks, unexpected: [...few(unexpected), about] };
}

const lineOf = ({ source, span }: Diagnostic): number => source.position(span.start).line;

const nothing = (source: Source): Diagnostic =>
  problem("PTX7001", `${source.name} checks nothing`, {
    source,
    expected: "a line //@ case NAME: INPUTS -> EXPECTATIONS",
  });

const unreachable = ({ source, span, name }: CaseLine): Diagnostic =>
  problem("PTX7006", `case ${name} cannot run, because the file is rejected`, {
    source,
    span,
    expected: "cases and lines that are rejected in files of their own",
  });

/** Settings for checking a path, as data: they also travel to workers. */
export interface Settings extends CaseFilter, Omit<Limits, "slicing" | "store"> {
  readonly cache?: CacheFolder;
  readonly cwd: string;
  /** Folders that a file and its directives may read besides the file's own folder. */
  readonly allowRead?: readonly string[];
  /** The largest text that is read, bytes. */
  readonly mostText?: number;
  /** Rewrite expectations with the actual results. */
  readonly update?: boolean;
  /** Record which files were read, so that changes are noticed. */
  readonly watch?: boolean;
}

/** Checks a file, and with `update` once more after the failed expectations were rewritten. */
export async function checkPath(listed: ListedFile, settings: Settings, slicing: Slicing): Promise<FileResult> {
  const began = slicing.now();
  const result = await watched(listed, settings, slicing);
  return { ...result, milliseconds: slicing.now() - began };
}

/** With `watch`, the files that were read are part of the result. */
async function watched(listed: ListedFile, settings: Settings, slicing: Slicing): Promise<FileResult> {
  if (!settings.watch) return checkListed(listed, settings, slicing);
  const reads = new Map<string, string>();
  const onRead = (path: string): void => {
    if (!reads.has(path)) reads.set(path, stampOf(path));
  };
  for (const path of [listed.path, sidecarOf(listed.path)]) onRead(resolve(settings.cwd, path));
  return { ...(await checkListed(listed, settings, slicing, onRead)), reads };
}

async function checkListed(
  listed: ListedFile,
  settings: Settings,
  slicing: Slicing,
  onRead?: (path: string) => void,
): Promise<FileResult> {
  const { path: file } = listed;
  const { cwd, maxMem, allowRead = [] } = settings;
  const { value: first, diagnostics } = readChecked(listed, settings);
  if (first === undefined) return { file, results: [], diagnostics };
  const folder = dirname(resolve(cwd, file));
  const within = [folder, ...allowRead.map((each) => resolve(cwd, each))];
  const reach = {
    files: filesFrom(folder),
    within,
    ...(maxMem === undefined ? {} : { maxBytes: maxMem }),
    ...(onRead === undefined ? {} : { onRead }),
  };
  const { cache } = settings;
  const limits = { ...settings, slicing, ...(cache === undefined ? {} : { store: storeIn(cache) }) };
  const result = await checkFile(first, reach, settings, limits);
  if (!settings.update || result.results.every(({ edits }) => edits.length === 0)) return result;
  const written = writeEdits(result, first.bytes, cwd);
  const { value: second } = readChecked(listed, settings);
  if (written.updates.length === 0 || second === undefined) {
    return { ...result, diagnostics: [...result.diagnostics, ...written.diagnostics] };
  }
  return afterUpdate(result, await checkFile(second, reach, settings, limits), written);
}

interface ReadFiles extends Checked {
  /** The bytes of the files that the texts were decoded from. */
  readonly bytes: ReadonlyMap<Source, Uint8Array>;
}

export function readChecked(
  listed: ListedFile,
  settings: Pick<Settings, "cwd" | "allowRead" | "mostText">,
): Staged<ReadFiles | undefined> {
  const { path: file } = listed;
  const { cwd, allowRead = [] } = settings;
  const program = readSource(file, reachOf(listed, cwd, allowRead), settings);
  if (program.value === undefined) return { value: undefined, diagnostics: program.diagnostics };
  const [source] = program.value;
  const beside = sidecarOf(file);
  // A dangling link exists too, and is reported.
  if (lstatSync(resolve(cwd, beside), { throwIfNoEntry: false }) === undefined) {
    return { value: { source, bytes: new Map([program.value]) }, diagnostics: [] };
  }
  // The user has not named the sidecar itself.
  const reach = reachOf({ path: beside, folder: listed.folder ?? dirname(file) }, cwd, allowRead);
  const { value: sidecar, diagnostics } = readSource(beside, reach, settings);
  if (sidecar === undefined) return { value: undefined, diagnostics };
  return { value: { source, sidecar: sidecar[0], bytes: new Map([program.value, sidecar]) }, diagnostics: [] };
}

function readSource(
  file: string,
  reach: Reach,
  { mostText = MOST_TEXT }: Settings,
): Staged<readonly [Source, Uint8Array] | undefined> {
  const { value: bytes, diagnostics } = readTextBytes(file, reach, mostText);
  if (bytes === undefined) return { value: undefined, diagnostics };
  const source = decodeProgram(file, bytes, reach);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  return { value: [source.value, bytes], diagnostics: [] };
}
