import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { decode, MOST_TEXT, readTextBytes } from "../../environment/file.ts";
import type { Pace } from "../../environment/pace.ts";
import type { Reach } from "../../environment/reach.ts";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { type CacheFolder, storeIn } from "../cache/open.ts";
import { filesFrom } from "../files.ts";
import { type ListedFile, reachOf } from "../paths.ts";
import { type CaseFilter, type Checked, checkFile } from "./file.ts";
import type { Limits } from "./limits.ts";
import type { FileResult } from "./result.ts";
import { sidecarOf } from "./sidecar.ts";
import { stampOf } from "./stamp.ts";
import { afterUpdate, writeEdits } from "./update.ts";

/** What a check of a path needs to know, as data: it also travels to workers. */
export interface Settings extends CaseFilter, Omit<Limits, "pace" | "store"> {
  readonly cache?: CacheFolder;
  readonly cwd: string;
  /** Folders below which a file and its directives may read besides the file's own. */
  readonly allowRead?: readonly string[];
  /** The largest text that is read, bytes. */
  readonly mostText?: number;
  /** Write what the cases give into their expectations. */
  readonly update?: boolean;
  /** Keep what was read, so that a change is seen. */
  readonly watch?: boolean;
}

/** Checks a file, and with `update` once more after the failed expectations were rewritten. */
export async function checkPath(listed: ListedFile, settings: Settings, pace: Pace): Promise<FileResult> {
  if (!settings.watch) return checkListed(listed, settings, pace);
  const reads = new Map<string, string>();
  const onRead = (path: string): void => {
    if (!reads.has(path)) reads.set(path, stampOf(path));
  };
  for (const path of [listed.path, sidecarOf(listed.path)]) onRead(resolve(settings.cwd, path));
  return { ...(await checkListed(listed, settings, pace, onRead)), reads };
}

async function checkListed(
  listed: ListedFile,
  settings: Settings,
  pace: Pace,
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
  const limits = { ...settings, pace, ...(cache === undefined ? {} : { store: storeIn(cache) }) };
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
  /** What the files held that the texts came from. */
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
  // A link that leads nowhere is there too, and is reported.
  if (lstatSync(resolve(cwd, beside), { throwIfNoEntry: false }) === undefined) {
    return { value: { source, bytes: new Map([program.value]) }, diagnostics: [] };
  }
  // Nobody has named the sidecar itself.
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
  const source = decode(file, bytes);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  return { value: [source.value, bytes], diagnostics: [] };
}
