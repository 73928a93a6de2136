import { closeSync, openSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { problem } from "../host/problem.ts";
import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { Source, type Span } from "../source/source.ts";
import { disassemble, isObject } from "../visa/index.ts";

/** Where a path was written, so that a message can point at it. */
export interface PathOrigin {
  readonly source: Source;
  readonly span: Span;
}

/** The folder relative paths start from, and the folder that reading must not leave. */
export interface Reach {
  readonly from: string;
  /** Set for directives in a file: only what lies below it may be read, links followed. */
  readonly within?: string;
  /** The largest buffer in bytes, when the device's memory is limited. */
  readonly maxBytes?: number;
}

/** A file's bytes. */
export function readBytes(path: string, { from, within }: Reach, place?: PathOrigin): Staged<Uint8Array | undefined> {
  const full = resolve(from, path);
  if (within !== undefined && !isBelow(full, within))
    return wrong("PTX7009", `${path} is not below the folder of the file that names it`, place);
  try {
    return { value: readFileSync(full), diagnostics: [] };
  } catch (error) {
    return wrong("PTX2011", `cannot read ${path}: ${reason(error)}`, place);
  }
}

/** A file's text, which must be UTF-8, or a vISA object, whose text is what it disassembles to; `name` is what messages call it. */
export function decode(name: string, bytes: Uint8Array): Staged<Source | undefined> {
  if (isObject(bytes)) return disassemble(name, bytes);
  try {
    // A byte order mark stays in the text, for the lexer to say what is wrong with it.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { value: new Source(name, text), diagnostics: [] };
  } catch {
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const at = firstBad(text, bytes);
    const diagnostic = problem("PTX1010", "the text is not UTF-8 from here on", {
      source: new Source(name, text),
      span: { start: at, end: at + 1 },
      expected: "PTX text",
      help: [{ message: "is this a binary, or text in another encoding?" }],
    });
    return { value: undefined, diagnostics: [diagnostic] };
  }
}

/** Writes a file in one call. */
export function writeFile(path: string, contents: Uint8Array | string, from: string): readonly Diagnostic[] {
  try {
    writeFileSync(resolve(from, path), contents);
    return [];
  } catch (error) {
    return wrong("PTX2013", `cannot write ${path}: ${reason(error)}`).diagnostics;
  }
}

/** A file that is written in pieces. */
export interface OpenFile {
  write(text: string): void;
  /** Returns the problems of writing. */
  close(): readonly Diagnostic[];
}

/** Opens a file for writing, empty at first. */
export function openFile(path: string, from: string): Staged<OpenFile | undefined> {
  let file: number;
  try {
    file = openSync(resolve(from, path), "w");
  } catch (error) {
    return wrong("PTX2013", `cannot write ${path}: ${reason(error)}`);
  }
  let failed: readonly Diagnostic[] = [];
  const attempt = (act: () => void): void => {
    if (failed.length > 0) return;
    try {
      act();
    } catch (error) {
      failed = wrong("PTX2013", `cannot write ${path}: ${reason(error)}`).diagnostics;
    }
  };
  const value: OpenFile = {
    write: (text) => attempt(() => writeFileSync(file, text)),
    close() {
      attempt(() => closeSync(file));
      return failed;
    },
  };
  return { value, diagnostics: [] };
}

const wrong = (code: Code, message: string, place?: PathOrigin): Staged<undefined> => ({
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
    // It does not exist: reading it will report that.
    return true;
  }
}

/** Node's reasons in plain words. */
export function reason(error: unknown): string {
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

/** Where `text` has a replacement character that the bytes do not contain. */
function firstBad(text: string, bytes: Uint8Array): number {
  const encoder = new TextEncoder();
  let offset = 0;
  let before = 0;
  for (let at = text.indexOf("\ufffd"); at >= 0; at = text.indexOf("\ufffd", at + 1)) {
    offset += encoder.encode(text.slice(before, at)).length;
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) return at;
    offset += 3;
    before = at + 1;
  }
  return text.length;
}
