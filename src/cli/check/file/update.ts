import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { reason } from "../../../environment/reason.ts";
import { problem } from "../../../host/problem.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import type { Source } from "../../../source/source.ts";
import { readBounded } from "../../../system/bounded.ts";
import type { CaseResult, ExpectationEdit, FileResult, Update } from "../result.ts";

/**
 * Replaces a file's text atomically: it is written to a file next to it, which is then renamed. `before` is the
 * expected content of the file; with other contents, or through a link, nothing is written. Returns the problems.
 */
function replaceFile(path: string, before: Uint8Array | undefined, text: string, cwd: string): Diagnostic[] {
  const refused = (why: string): Diagnostic[] => [problem("PTX7015", `${path} is not updated: ${why}`)];
  const full = resolve(cwd, path);
  const folder = dirname(full);
  const temporary = join(folder, `.${basename(full)}.${process.pid}.tmp`);
  try {
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() || isLinked(folder, cwd)) return refused("it is reached through a link");
    if (found !== undefined && !found.isFile()) return refused("it is not a file");
    if (before !== undefined && !holds(full, before)) return refused("it has changed in the meantime");
    const descriptor = openSync(temporary, "wx", found === undefined ? 0o666 : found.mode & 0o777);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, full);
    return [];
  } catch (error) {
    rmSync(temporary, { force: true });
    return refused(reason(error));
  }
}

/** True when a folder between the working folder and the file is a link. Links above the working folder are allowed. */
function isLinked(folder: string, cwd: string): boolean {
  const way = relative(cwd, folder);
  const inside = way !== ".." && !way.startsWith(`..${sep}`) && resolve(cwd, way) === folder;
  return inside && realpathSync(folder) !== resolve(realpathSync(cwd), way);
}

function holds(path: string, bytes: Uint8Array): boolean {
  const read = readBounded(path, bytes.length, { pipes: false, exact: false });
  return "bytes" in read && Buffer.compare(read.bytes, bytes) === 0;
}

type TextEdit = ExpectationEdit & { readonly kind: "text" };

/** The result of writing the edits of a file's cases. */
export interface UpdateOutcome {
  readonly updates: readonly Update[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes the actual results of the failed cases of a file: edits in their texts, which otherwise keep every
 * byte, and snapshots.
 */
export function writeEdits(
  { results }: FileResult,
  bytes: ReadonlyMap<Source, Uint8Array>,
  cwd: string,
): UpdateOutcome {
  const updates: Update[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [source, before] of bytes) {
    const edits = results.flatMap((result) =>
      result.edits.flatMap((edit) => (edit.kind === "text" && edit.source === source ? [{ result, edit }] : [])),
    );
    if (edits.length === 0) continue;
    const wrong = replaceFile(
      source.name,
      before,
      edited(
        source,
        edits.map(({ edit }) => edit),
      ),
      cwd,
    );
    diagnostics.push(...wrong);
    if (wrong.length === 0) updates.push(...edits.map(({ result, edit }) => told(result, edit)));
  }
  for (const { name, edits } of results) {
    for (const edit of edits) {
      if (edit.kind !== "snapshot") continue;
      const wrong = replaceFile(edit.path, undefined, edit.text, cwd);
      diagnostics.push(...wrong);
      if (wrong.length === 0) updates.push({ name, file: edit.path, before: "", after: edit.text });
    }
  }
  return { updates, diagnostics };
}

/** A text with non-overlapping edits applied. */
function edited({ text }: Source, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.span.start - b.span.start)) {
    if (edit.span.start < at) throw new Error("two edits overlap");
    result += text.slice(at, edit.span.start) + edit.text;
    at = edit.span.end;
  }
  return result + text.slice(at);
}

const told = ({ name }: CaseResult, { source, span, text }: TextEdit): Update => ({
  name,
  file: source.name,
  line: source.position(span.start).line,
  before: source.text.slice(span.start, span.end),
  after: text,
});

/** The results after an update: a case that failed before and passes now is marked. */
export function afterUpdate(
  before: FileResult,
  after: FileResult,
  { updates, diagnostics }: UpdateOutcome,
): FileResult {
  const failed = new Set(before.results.flatMap(({ passed, name }) => (passed ? [] : [name])));
  return {
    ...after,
    // A mark's name contains its code, which may have changed.
    results: after.results.map((each, index) =>
      each.passed && (failed.has(each.name) || before.results[index]?.passed === false)
        ? { ...each, updated: true }
        : each,
    ),
    diagnostics: [...after.diagnostics, ...diagnostics],
    updates,
  };
}

/** `--update` writes changes that a person should review, and under `CI` nobody does. */
export const updateUnderCi = (): Diagnostic =>
  problem("PTX7015", "--update changes nothing where CI is set", {
    expected: "--update on a machine of a person's own",
    help: [{ message: "unset CI if this is one" }],
  });
