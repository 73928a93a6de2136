import { readFileSync, realpathSync, writeFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { problem } from "../host/problem.ts";
import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { Source, type Span } from "../source/source.ts";

/** Where a path was written, so that a message can point at it. */
export interface Place {
  readonly source: Source;
  readonly span: Span;
}

/** The folder relative paths start from, and the folder that reading must not leave. */
export interface Reach {
  readonly from: string;
  /** Set for directives in a file: only what lies below it may be read, links followed. */
  readonly within?: string;
}

/** A file's bytes. */
export function readBytes(path: string, { from, within }: Reach, place?: Place): Staged<Uint8Array | undefined> {
  const full = resolve(from, path);
  if (within !== undefined && !isBelow(full, within)) return wrong("PTX7009", `${path} is not below ${within}`, place);
  try {
    return { value: readFileSync(full), diagnostics: [] };
  } catch (error) {
    return wrong("PTX2011", `cannot read ${path}: ${reason(error)}`, place);
  }
}

/** A file's text, which must be UTF-8; `name` is what messages call it. */
export function decode(name: string, bytes: Uint8Array): Staged<Source | undefined> {
  try {
    // A byte order mark stays in the text, for the lexer to say what is wrong with it.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: new Source(name, text), diagnostics: [] };
  } catch {
    const [offset, good] = firstBadByte(bytes);
    const source = new Source(name, good);
    const line = source.position(good.length).line;
    const byte = `byte 0x${(bytes[offset] ?? 0).toString(16).padStart(2, "0")} at offset ${offset} (line ${line})`;
    const message = `${name} is not UTF-8: ${byte}`;
    return { value: undefined, diagnostics: [problem("PTX2012", message, { expected: "PTX text" })] };
  }
}

/** Writes a file, whole or not at all as far as one call can promise. */
export function writeFile(path: string, contents: Uint8Array | string, from: string): readonly Diagnostic[] {
  try {
    writeFileSync(resolve(from, path), contents);
    return [];
  } catch (error) {
    return wrong("PTX2013", `cannot write ${path}: ${reason(error)}`).diagnostics;
  }
}

const wrong = (code: Code, message: string, place?: Place): Staged<undefined> => ({
  value: undefined,
  diagnostics: [problem(code, message, place ?? {})],
});

function isBelow(path: string, folder: string): boolean {
  const inside = (child: string, parent: string) => {
    const way = relative(parent, child);
    return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(parent, way) === child;
  };
  if (!inside(path, folder)) return false;
  try {
    return inside(realpathSync(path), realpathSync(folder));
  } catch {
    // It is not there: reading it says so.
    return true;
  }
}

/** Node's reasons in plain words. */
function reason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known: ReadonlyMap<string, string> = new Map([
    ["ENOENT", "there is no such file"],
    ["ENOTDIR", "there is no such file"],
    ["EISDIR", "it is a folder"],
    ["EACCES", "permission denied"],
    ["EPERM", "permission denied"],
    ["EROFS", "the disk is read-only"],
    ["ENOSPC", "the disk is full"],
    ["ERR_FS_FILE_TOO_LARGE", "it is larger than 2 GiB"],
    ["ERR_INVALID_ARG_VALUE", "the name holds a NUL character"],
    ["ENAMETOOLONG", "the name is too long"],
    ["ELOOP", "too many links"],
  ]);
  return known.get(code) ?? (code === "" ? String(error) : code);
}

/** The offset of the first byte that is not UTF-8, and the text before it. */
function firstBadByte(bytes: Uint8Array): [offset: number, good: string] {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let [low, high] = [0, bytes.length];
  const decodes = (end: number) => {
    try {
      // Streaming forgives a character that is cut off at the end.
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end), { stream: true });
      return true;
    } catch {
      return false;
    }
  };
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (decodes(middle)) low = middle;
    else high = middle;
  }
  let end = low;
  while (end > Math.max(0, low - 4)) {
    try {
      return [end === low ? low : end, decoder.decode(bytes.subarray(0, end))];
    } catch {
      end -= 1;
    }
  }
  return [low, ""];
}
