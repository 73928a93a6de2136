import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { decode, readBytes } from "../file.ts";
import { type CaseFilter, type Checked, checkFile } from "./file.ts";
import type { Limits } from "./limits.ts";
import type { FileResult } from "./result.ts";
import { sidecarOf } from "./sidecar.ts";
import { afterUpdate, writeEdits } from "./update.ts";

/** What a check of a path needs to know, as data: it also travels to workers. */
export interface Settings extends CaseFilter, Omit<Limits, "now"> {
  readonly cwd: string;
  /** Write what the cases give into their expectations. */
  readonly update?: boolean;
}

/** Checks the file at a path, and with `update` once more after the failed expectations were rewritten. */
export function checkPath(file: string, settings: Settings, now: Limits["now"]): FileResult {
  const { value: first, diagnostics } = readChecked(file, settings.cwd);
  if (first === undefined) return { file, results: [], diagnostics };
  const folder = dirname(resolve(settings.cwd, file));
  const { maxMem } = settings;
  const reach = { from: folder, within: folder, ...(maxMem === undefined ? {} : { maxBytes: maxMem }) };
  const limits = { ...settings, now };
  const result = checkFile(first, reach, settings, limits);
  if (!settings.update || result.results.every(({ edits }) => edits.length === 0)) return result;
  const written = writeEdits(result, first.bytes, settings.cwd);
  const { value: second } = readChecked(file, settings.cwd);
  if (written.updates.length === 0 || second === undefined) {
    return { ...result, diagnostics: [...result.diagnostics, ...written.diagnostics] };
  }
  return afterUpdate(result, checkFile(second, reach, settings, limits), written);
}

interface ReadFiles extends Checked {
  /** What the files held that the texts came from. */
  readonly bytes: ReadonlyMap<Source, Uint8Array>;
}

function readChecked(file: string, cwd: string): Staged<ReadFiles | undefined> {
  const program = readText(file, cwd);
  if (program.value === undefined) return { value: undefined, diagnostics: program.diagnostics };
  const [source] = program.value;
  const beside = sidecarOf(file);
  if (!existsSync(resolve(cwd, beside))) {
    return { value: { source, bytes: new Map([program.value]) }, diagnostics: [] };
  }
  const { value: sidecar, diagnostics } = readText(beside, cwd);
  if (sidecar === undefined) return { value: undefined, diagnostics };
  return { value: { source, sidecar: sidecar[0], bytes: new Map([program.value, sidecar]) }, diagnostics: [] };
}

function readText(file: string, cwd: string): Staged<readonly [Source, Uint8Array] | undefined> {
  const { value: bytes, diagnostics } = readBytes(file, { from: cwd });
  if (bytes === undefined) return { value: undefined, diagnostics };
  const source = decode(file, bytes);
  if (source.value === undefined) return { value: undefined, diagnostics: source.diagnostics };
  return { value: [source.value, bytes], diagnostics: [] };
}
